"""Scripted agents for Polite Society.

`greedy` is the hasty host: it buys whatever it can pay, the best rewards first. `expert` is the shrewd host: it weighs
what a guest will bring until the end against what it costs, knows what a card is worth now, bargains, and in mission
games buys only guests that leave its mission within reach.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banquet_agents.compiled import CompiledAgent, Script
from banquet_envs.core.compile import rule
from banquet_envs.core.game import Game
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import seat_after
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.polite_society.account import hand_size
from banquet_envs.games.polite_society.cards import improvements_of
from banquet_envs.games.polite_society.components import (
    ASSETS,
    IMPROVEMENTS,
    LIST,
    PAIRS,
    PLAYERS,
    SEATS,
    WIDE_MENU,
    Card,
)
from banquet_envs.games.polite_society.state import Action, Phase
from banquet_envs.games.polite_society.tables import guest_set, guests_at, members, mission_gap
from banquet_envs.games.polite_society.turn import bank_ratio, trade_pair, was_refused

# Weights of the shrewd host, in assets: a loss against a gain; a step nearer to the mission; an asset that is lacking;
# one that a bank trade must bring; what a bargain must improve; a card more or less in a bargain.
LOSS, MISSION, LACK, TRADE, BARGAIN, CARD = 0.6, 3.0, 1.5, 2.0, 0.3, 0.8

# Where a search stops playing on: rolls that it looks ahead, and what a guest costs with the detours, in assets.
HORIZON, FARE = 6.0, 6.5

# ---------------------------------------------------------------- what both look at


@rule
def first_legal(mask: Mask, start: int, count: int) -> int:
    """The first legal action among `count` from `start`, -1 for none."""
    for action in range(start, start + count):
        if mask[action]:
            return action
    return -1


@rule
def suits(rules: Rules, s: int, worth: int) -> int:
    """How well a seat suits a guest: the likelier the better for one who brings something, the rarer for others."""
    return (rules.chance[s] if worth > 0 else -rules.chance[s]) * SEATS - s


@rule
def best_seat(state: State, rules: Rules, mask: Mask, worth: int, skip: int) -> int:
    """The free seat that suits a guest best; `skip` better ones stay free. As an action."""
    found = -1
    for _ in range(skip + 1):
        best = -1
        for s in range(SEATS):
            if mask[Action.SEAT + s] and (found < 0 or suits(rules, s, worth) < suits(rules, found, worth)):
                if best < 0 or suits(rules, s, worth) > suits(rules, best, worth):
                    best = s
        if best < 0:
            break
        found = best
    return Action.SEAT + found


@rule
def seat_for_lifted(state: State, rules: Rules, mask: Mask) -> int:
    """Rearranging: seats in order of chance for guests in order of reward."""
    worth = rules.guest[state.lifted[0]].worth
    better = 0
    if worth > 0:
        for k in range(1, SEATS):
            if state.lifted[k] >= 0 and rules.guest[state.lifted[k]].worth > worth:
                better += 1
    return best_seat(state, rules, mask, worth, better)


@rule
def leading_rival(state: State, rules: Rules, mask: Mask, me: int) -> int:
    """The legal rival with the most guests, then the most cards; as an action."""
    best = -1
    most = -1
    for k in range(1, rules.players):
        if mask[Action.PLAYER + k]:
            seat = seat_after(rules, me, k)
            weight = 100 * state.points[seat] + hand_size(state, seat)
            if weight > most:
                most = weight
                best = Action.PLAYER + k
    return best if best >= 0 else first_legal(mask, Action.PLAYER, PLAYERS + 1)


@rule
def rivals_guests(state: State, rules: Rules, me: int) -> int:
    """The most guests that a rival still in the game has."""
    most = 0
    for seat in range(rules.players):
        if seat != me and not state.out[seat]:
            most = max(most, state.points[seat])
    return most


@rule
def richest_rival(state: State, rules: Rules, mask: Mask, me: int) -> int:
    """The legal rival with the most asset cards; as an action."""
    best = -1
    most = -1
    for k in range(1, rules.players):
        if mask[Action.PLAYER + k]:
            seat = seat_after(rules, me, k)
            weight = 10 * hand_size(state, seat) + state.points[seat]
            if weight > most:
                most = weight
                best = Action.PLAYER + k
    return best


@rule
def seat_income(rules: Rules, g: int, s: int, losses: float) -> float:
    """What a guest at a seat brings in one roll on average, losses weighted."""
    total = 0.0
    for a in range(ASSETS):
        reward = rules.guest[g].reward[a]
        total += reward * rules.chance[s] / 36 * (losses if reward < 0 else 1.0)
    return total


@rule
def dearest_seat(state: State, rules: Rules, mask: Mask, owner: int, sign: float) -> int:
    """The legal seat of a table whose guest brings most (sign 1) or least (-1); as an action."""
    best = -1
    most = -99.0
    for s in range(SEATS):
        if mask[Action.SEAT + s]:
            weight = sign * seat_income(rules, state.table[owner, s], s, 1.0)
            if weight > most:
                most = weight
                best = Action.SEAT + s
    return best


@rule
def plentiful(state: State, mask: Mask, me: int) -> int:
    """The legal asset of which most is held; as an action."""
    best = -1
    most = -1
    for a in range(ASSETS):
        if mask[Action.ASSET + a] and state.hand[me, a] > most:
            most = state.hand[me, a]
            best = Action.ASSET + a
    return best


@rule
def lacking(state: State, rules: Rules, me: int, g: int) -> int:
    """How many assets the hand lacks for a guest."""
    total = 0
    for a in range(ASSETS):
        total += max(0, rules.guest[g].cost[a] - state.hand[me, a])
    return total


@rule
def trades_in_hand(state: State, rules: Rules, me: int, g: int) -> int:
    """How many bank trades the assets not needed for a guest allow."""
    ratio = bank_ratio(state, rules, me)
    total = 0
    for a in range(ASSETS):
        total += max(0, state.hand[me, a] - rules.guest[g].cost[a]) // ratio
    return total


@rule
def bank_trade_for(state: State, rules: Rules, mask: Mask, me: int, g: int) -> int:
    """A legal bank trade of something spare for something that a guest still needs; -1 for none."""
    ratio = bank_ratio(state, rules, me)
    for pair in range(PAIRS):
        if mask[Action.BANK_TRADE + pair]:
            a, b = trade_pair(pair)
            spare = state.hand[me, a] - rules.guest[g].cost[a]
            if spare >= ratio and state.hand[me, b] < rules.guest[g].cost[b]:
                return Action.BANK_TRADE + pair
    return -1


@rule
def in_reach(state: State, rules: Rules, me: int, g: int) -> bool:
    """Whether the mission, if any, stays possible with one more guest."""
    if state.mission[me] < 0:
        return True
    guests = guest_set(state, me) | (1 << int(g))
    return mission_gap(rules, state.mission[me], guests) <= SEATS - members(guests)


@rule
def gap_now(state: State, rules: Rules, me: int) -> int:
    """The gap of the own mission; 0 without."""
    if state.mission[me] < 0:
        return 0
    return mission_gap(rules, state.mission[me], guest_set(state, me))


@rule
def gain_of(state: State, rules: Rules, me: int, g: int) -> int:
    """How much nearer a guest brings the own mission."""
    if state.mission[me] < 0:
        return 0
    guests = guest_set(state, me) | (1 << int(g))
    return gap_now(state, rules, me) - mission_gap(rules, state.mission[me], guests)


@rule
def must_remove(state: State, rules: Rules, me: int) -> bool:
    """Mission games: the table is full, or the free seats cannot meet the mission any more."""
    if state.mission[me] < 0:
        return False
    gap = gap_now(state, rules, me)
    return gap > SEATS - guests_at(state, me)


@rule
def misfit(state: State, rules: Rules, mask: Mask, me: int) -> int:
    """The own guest without whom the mission is nearest, then the one that brings least; as an action."""
    best = -1
    least = 9999.0
    guests = guest_set(state, me)
    for s in range(SEATS):
        if mask[Action.SEAT + s]:
            g = state.table[me, s]
            weight = seat_income(rules, g, s, 1.0)
            if state.mission[me] >= 0:
                weight += 10.0 * mission_gap(rules, state.mission[me], guests ^ (1 << int(g)))
            if weight < least:
                least = weight
                best = Action.SEAT + s
    return best


@rule
def wanted_asset(state: State, rules: Rules, mask: Mask, me: int, g: int) -> int:
    """The legal asset that a guest needs most, else the one held least; as an action."""
    best = -1
    most = -9999
    for a in range(ASSETS):
        if mask[Action.ASSET + a]:
            missing = 0
            if g >= 0:
                missing = max(0, rules.guest[g].cost[a] - state.hand[me, a])
            weight = 100 * missing - state.hand[me, a]
            if weight > most:
                most = weight
                best = Action.ASSET + a
    return best


# ---------------------------------------------------------------- greedy, the hasty host


@rule
def hasty_rank(card: int) -> int:
    """Fixed preference among action cards; smaller is better."""
    if card < Card.WILD_ASSET:
        return 0
    if card == Card.WILD_ASSET:
        return 1
    if card >= Card.IMPROVEMENT_SEVEN and card < Card.IMPROVEMENT_TRADE:
        return 2
    if card == Card.STEAL_ASSET:
        return 3
    if card == Card.ADD_GUEST:
        return 4
    if card == Card.IMPROVEMENT_TRADE:
        return 5
    if card == Card.INDISPOSED:
        return 6
    if card == Card.REMOVE_GUEST:
        return 7
    if card == Card.HAND_LIMIT:
        return 8
    return 9 if card == Card.STEAL_IMPROVEMENT else 10


@rule
def hasty_target(state: State, rules: Rules, me: int, affordable: bool) -> int:
    """The slot with the best reward minus cost, among the affordable, or those that bank trades make so; -1 none."""
    best = -1
    most = -99
    for k in range(LIST):
        g = state.list[k]
        if g >= 0 and in_reach(state, rules, me, g):
            lacks = lacking(state, rules, me, g)
            reachable = lacks == 0 if affordable else lacks <= trades_in_hand(state, rules, me, g)
            weight = rules.guest[g].worth - rules.guest[g].price
            if reachable and weight > most:
                most = weight
                best = k
    return best


@rule
def hasty_offer(state: State, rules: Rules, mask: Mask, me: int) -> int:
    """Item 1 for 1: a spare asset for the one that is missing for some guest; -1 for none. Checked against `mask`."""
    for k in range(LIST):
        g = state.list[k]
        if g >= 0 and lacking(state, rules, me, g) == 1 and in_reach(state, rules, me, g):
            for pair in range(PAIRS):
                a, b = trade_pair(pair)
                if (
                    state.hand[me, a] > rules.guest[g].cost[a]
                    and state.hand[me, b] < rules.guest[g].cost[b]
                    and (state.phase != Phase.OFFER or mask[Action.ITEM + pair])
                ):
                    return Action.ITEM + pair
    return -1


@rule
def hasty_main(state: State, rules: Rules, mask: Mask) -> int:
    """Play the card, buy, trade with the bank to buy, now and then make an offer."""
    me = state.player
    if mask[Action.REMOVE] and must_remove(state, rules, me):
        return Action.REMOVE
    if mask[Action.PLAY] and (state.kept != Card.REARRANGE_GUESTS or random_below(state, 2) == 0):
        return Action.PLAY
    if guests_at(state, me) < SEATS:
        k = hasty_target(state, rules, me, True)
        if k >= 0:
            return Action.BUY + k
        k = hasty_target(state, rules, me, False)
        if k >= 0:
            trade = bank_trade_for(state, rules, mask, me, state.list[k])
            if trade >= 0:
                return trade
        partner = first_legal(mask, Action.PARTNER, PLAYERS - 1)
        if partner >= 0 and random_below(state, 4) == 0 and hasty_offer(state, rules, mask, me) >= 0:
            other = Action.PARTNER + random_below(state, rules.players - 1)
            return other if mask[other] else partner
    if mask[Action.END]:
        return Action.END
    return Action.PLAY


@rule
def hasty_answer(state: State, rules: Rules, me: int, item: int) -> bool:
    """Accept what is at least as many cards of what one holds less of."""
    given = 0
    got = 0
    rare = 0
    for a in range(ASSETS):
        given += rules.wants[item, a]
        got += rules.gives[item, a]
        rare += (rules.wants[item, a] - rules.gives[item, a]) * state.hand[me, a]
    return got >= given and rare > 0


@rule
def choose_greedy(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """The hasty host."""
    me = state.player
    phase = state.phase
    if phase == Phase.MAIN:
        return hasty_main(state, rules, mask)
    if phase == Phase.DRAFT:
        best = -1
        for k in range(2 * PLAYERS):
            if mask[Action.DRAFT + k]:
                if best < 0 or rules.guest[state.draft[k]].worth > rules.guest[state.draft[best]].worth:
                    best = k
        return Action.DRAFT + best
    if phase == Phase.KEEP:
        swap = mask[Action.KEEP + 1] and hasty_rank(state.drawn[1]) < hasty_rank(state.drawn[0])
        return Action.KEEP + 1 if swap else Action.KEEP
    if phase == Phase.OFFER:
        item = hasty_offer(state, rules, mask, me)
        return item if item >= 0 else first_legal(mask, Action.ITEM, WIDE_MENU)
    if phase == Phase.ANSWER:
        return (
            Action.ACCEPT if mask[Action.ACCEPT] and hasty_answer(state, rules, me, state.offered) else Action.DECLINE
        )
    if phase == Phase.WILD_ASSET:
        k = -1
        lacks = 99
        for j in range(LIST):
            if state.list[j] >= 0 and lacking(state, rules, me, state.list[j]) < lacks:
                lacks = lacking(state, rules, me, state.list[j])
                k = state.list[j]
        return wanted_asset(state, rules, mask, me, k)
    return common_choice(state, rules, mask, me)


@rule
def common_choice(state: State, rules: Rules, mask: Mask, me: int) -> int:
    """The choices that both agents make alike."""
    phase = state.phase
    if phase == Phase.RESEAT:
        return seat_for_lifted(state, rules, mask)
    if phase == Phase.REMOVE_GUEST or phase == Phase.REMOVE_OWN:
        return misfit(state, rules, mask, me)
    if phase == Phase.STEAL_FROM:
        return richest_rival(state, rules, mask, me)
    if phase == Phase.DISCARD:
        return plentiful(state, mask, me)
    if phase == Phase.TOKEN_FROM:
        return Action.SUPPLY if mask[Action.SUPPLY] else first_legal(mask, Action.PLAYER, PLAYERS)
    if phase == Phase.TOKEN_FROM_SEAT:
        return dearest_seat(state, rules, mask, state.from_player, 1.0 if state.from_player == me else -1.0)
    if phase == Phase.TOKEN_TO_SEAT:
        return dearest_seat(state, rules, mask, state.target, -1.0 if state.target == me else 1.0)
    if phase == Phase.IMPROVEMENT:
        return first_legal(mask, Action.ASSET, IMPROVEMENTS)
    if first_legal(mask, Action.PLAYER, PLAYERS) >= 0:
        return leading_rival(state, rules, mask, me)
    return best_seat(state, rules, mask, rules.guest[state.pending].worth, 0)


# ---------------------------------------------------------------- expert, the shrewd host


@rule
def rolls_left(state: State, rules: Rules) -> float:
    """An estimate: every player is paid on every roll, and the leader sets the pace."""
    lead = rivals_guests(state, rules, -1)
    return (SEATS - lead) * (3.0 + rules.players)


@rule
def prospect(state: State, rules: Rules, me: int) -> float:
    """Guests at a table, and those that hand and income of the next rolls may pay for."""
    guests = guests_at(state, me)
    coming = float(hand_size(state, me))
    for s in range(SEATS):
        if state.table[me, s] >= 0:
            coming += HORIZON * seat_income(rules, state.table[me, s], s, 1.0)
    return guests + min(max(coming, 0.0) / FARE, SEATS - guests + 1.0)


@rule
def lead(state: State, rules: Rules, table: np.ndarray, player: int) -> float:
    """By how many guests a seat is likely to be ahead; for the search, where it stops playing on."""
    best = -1.0
    for other in range(rules.players):
        if other != player:
            best = max(best, prospect(state, rules, other))
    return prospect(state, rules, player) - best


@rule
def free_chance(state: State, rules: Rules, me: int, worth: int) -> int:
    """The chance (in 36) of the seat that a guest would get: the likeliest free one, or the rarest."""
    best = -1
    for s in range(SEATS):
        if state.table[me, s] < 0:
            chance = rules.chance[s]
            if best < 0 or (chance > best if worth > 0 else chance < best):
                best = chance
    return max(best, 0)


@rule
def net_value(state: State, rules: Rules, me: int, g: int) -> float:
    """What a guest brings until the end, losses weighted, minus its cost; nearer to the mission is better."""
    chance = free_chance(state, rules, me, rules.guest[g].worth)
    total = 0.0
    for a in range(ASSETS):
        reward = rules.guest[g].reward[a]
        total += reward * (LOSS if reward < 0 else 1.0)
    return (
        total * chance / 36 * rolls_left(state, rules) - rules.guest[g].price + MISSION * gain_of(state, rules, me, g)
    )


@rule
def lacking_after(state: State, rules: Rules, me: int, g: int, item: int, sign: int) -> int:
    """How many assets the hand lacks for a guest after a trade (sign 1: proposed by `me`, -1: accepted)."""
    total = 0
    for a in range(ASSETS):
        held = state.hand[me, a]
        if item >= 0:
            held += sign * (rules.wants[item, a] - rules.gives[item, a])
        total += max(0, rules.guest[g].cost[a] - held)
    return total


@rule
def prospects(state: State, rules: Rules, me: int, item: int, sign: int) -> float:
    """How good the best purchase looks, each asset that it lacks counted against it."""
    best = -30.0
    if guests_at(state, me) < SEATS:
        for k in range(LIST):
            g = state.list[k]
            if g >= 0 and in_reach(state, rules, me, g):
                lacks = lacking_after(state, rules, me, g, item, sign)
                best = max(best, net_value(state, rules, me, g) - LACK * lacks)
    return best


@rule
def shrewd_target(state: State, rules: Rules, me: int, trades: bool) -> int:
    """The slot of the best guest that can be paid (with bank trades if `trades`); -1 for none."""
    best = -1
    most = -1000.0
    for k in range(LIST):
        g = state.list[k]
        if g >= 0 and in_reach(state, rules, me, g):
            lacks = lacking(state, rules, me, g)
            allowed = trades_in_hand(state, rules, me, g) if trades else 0
            weight = net_value(state, rules, me, g) - TRADE * lacks
            if lacks <= allowed and weight > most:
                most = weight
                best = k
    return best


@rule
def wished_guest(state: State, rules: Rules, me: int) -> int:
    """The guest of the list that is best after what is lacking for it; -1 for none."""
    best = -1
    most = -1000.0
    for k in range(LIST):
        g = state.list[k]
        if g >= 0 and in_reach(state, rules, me, g):
            weight = net_value(state, rules, me, g) - LACK * lacking(state, rules, me, g)
            if weight > most:
                most = weight
                best = g
    return best


@rule
def hand_limit_value(state: State, rules: Rules, me: int) -> float:
    """Cards that rivals would lose, shared among them, minus one's own."""
    lost = 0
    for seat in range(rules.players):
        if seat != me and not state.out[seat]:
            lost += max(0, hand_size(state, seat) - rules.hand_limit)
    return 1.5 * lost / (rules.players - 1) - max(0, hand_size(state, me) - rules.hand_limit)


@rule
def card_value(state: State, rules: Rules, me: int, card: int) -> float:
    """What an action card is worth now, in assets."""
    if card < Card.WILD_ASSET:
        g = wished_guest(state, rules, me)
        needed = g >= 0 and rules.guest[g].cost[card] > state.hand[me, card]
        return 2.2 if needed else 1.7
    if card == Card.WILD_ASSET:
        return 2.2
    if card == Card.ADD_GUEST:
        return 8.0 * free_chances(state, rules, me) / 36 * (1.0 if state.mission[me] < 0 else 0.6)
    if card == Card.REMOVE_GUEST:
        lead = rivals_guests(state, rules, me)
        return 7.0 if lead >= 6 else (2.5 if lead == 5 else 0.9)
    if card == Card.STEAL_ASSET:
        return 1.5
    if card == Card.HAND_LIMIT:
        return hand_limit_value(state, rules, me)
    if card == Card.INDISPOSED:
        return 1.8
    if card < Card.IMPROVEMENT_TRADE:
        return rolls_left(state, rules) / 6
    if card == Card.IMPROVEMENT_TRADE:
        return min(2.0, rolls_left(state, rules) / 12)
    if card == Card.REARRANGE_GUESTS:
        return 0.5
    for seat in range(rules.players):
        if seat != me and improvements_of(state, seat) > 0:
            return 2.5
    return 0.0


@rule
def free_chances(state: State, rules: Rules, me: int) -> int:
    """The chance (in 36) that a roll hits a free seat of the own table."""
    total = 0
    for s in range(SEATS):
        if state.table[me, s] < 0:
            total += rules.chance[s]
    return total


@rule
def accepts(state: State, rules: Rules, seat: int, item: int) -> bool:
    """Whether an offer improves the prospects of the one who is asked, from one who is not close to winning."""
    if state.points[state.active] >= 6:
        return False
    cards = 0
    for a in range(ASSETS):
        cards += rules.gives[item, a] - rules.wants[item, a]
    before = prospects(state, rules, seat, -1, -1)
    return prospects(state, rules, seat, item, -1) + CARD * cards > before + BARGAIN


@rule
def would_take(state: State, rules: Rules, partner: int, item: int) -> bool:
    """Whether a partner of either kind might accept, by the hand it seems to have."""
    return accepts(state, rules, partner, item) or hasty_answer(state, rules, partner, item)


@rule
def offer_for(state: State, rules: Rules, mask: Mask, me: int, partner: int) -> int:
    """The best item, one or two of an asset for one, that the partner would accept as far as one knows; -1 for none."""
    best = -1
    most = prospects(state, rules, me, -1, 1) + BARGAIN
    for item in range(2 * PAIRS):
        a, b = trade_pair(item % PAIRS)
        allowed = mask[Action.ITEM + item] if state.phase == Phase.OFFER else state.hand[partner, b] > 0
        if allowed and state.hand[me, a] >= rules.gives[item, a] and not was_refused(state, partner, item):
            value = prospects(state, rules, me, item, 1) - (CARD if item >= PAIRS else 0.0)
            if value > most and would_take(state, rules, partner, item):
                most = value
                best = Action.ITEM + item
    return best


@rule
def shrewd_partner(state: State, rules: Rules, mask: Mask, me: int) -> int:
    """Whom to make an offer, never one who is close to winning; -1 for nobody."""
    for k in range(1, rules.players):
        seat = seat_after(rules, me, k)
        if mask[Action.PARTNER + k - 1] and state.points[seat] < 6 and offer_for(state, rules, mask, me, seat) >= 0:
            return Action.PARTNER + k - 1
    return -1


@rule
def shrewd_main(state: State, rules: Rules, mask: Mask) -> int:
    """Cards that bring something, then purchases, trades and bargains; Hand limit last."""
    me = state.player
    if mask[Action.REMOVE] and must_remove(state, rules, me):
        return Action.REMOVE
    room = guests_at(state, me) < SEATS
    k = shrewd_target(state, rules, me, False) if room else -1
    if k >= 0 and guests_at(state, me) == SEATS - 1:
        return Action.BUY + k
    if mask[Action.REFRESH] and wished_guest(state, rules, me) < 0 and card_value(state, rules, me, state.kept) < 3:
        return Action.REFRESH
    if mask[Action.PLAY] and state.kept != Card.HAND_LIMIT:
        return Action.PLAY
    if k >= 0:
        return Action.BUY + k
    if room:
        partner = shrewd_partner(state, rules, mask, me)
        if partner >= 0:
            return partner
        k = shrewd_target(state, rules, me, True)
        if k >= 0:
            trade = bank_trade_for(state, rules, mask, me, state.list[k])
            if trade >= 0:
                return trade
    if mask[Action.PLAY] and (hand_limit_value(state, rules, me) > 0 or not mask[Action.END]):
        return Action.PLAY
    return Action.END


@rule
def choose_expert(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """The shrewd host."""
    me = state.player
    phase = state.phase
    if phase == Phase.MAIN:
        return shrewd_main(state, rules, mask)
    if phase == Phase.DRAFT:
        best = -1
        most = -1000.0
        for k in range(2 * PLAYERS):
            if mask[Action.DRAFT + k]:
                g = state.draft[k]
                weight = net_value(state, rules, me, g) + rules.guest[g].price
                if weight > most:
                    most = weight
                    best = k
        return Action.DRAFT + best
    if phase == Phase.KEEP:
        swap = mask[Action.KEEP + 1] and card_value(state, rules, me, state.drawn[1]) > card_value(
            state, rules, me, state.drawn[0]
        )
        return Action.KEEP + 1 if swap else Action.KEEP
    if phase == Phase.OFFER:
        item = offer_for(state, rules, mask, me, state.partner)
        return item if item >= 0 else first_legal(mask, Action.ITEM, WIDE_MENU)
    if phase == Phase.ANSWER:
        return Action.ACCEPT if mask[Action.ACCEPT] and accepts(state, rules, me, state.offered) else Action.DECLINE
    if phase == Phase.WILD_ASSET:
        return wanted_asset(state, rules, mask, me, wished_guest(state, rules, me))
    return common_choice(state, rules, mask, me)


@rule
def choose_silent(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """The shrewd host, but it never makes or accepts an offer."""
    if state.phase == Phase.ANSWER:
        return Action.DECLINE
    for action in range(Action.PARTNER, Action.ITEM):
        mask[action] = False
    return choose_expert(state, rules, table, mask, spare)


AGENTS = {
    "greedy": Script(choose_greedy, Path(__file__), text="the hasty host: buys what it can pay, best rewards first"),
    "expert": Script(
        choose_expert, Path(__file__), None, "the shrewd host: income against cost, card sense, bargains", lead
    ),
}


def expert_without_trades(game: Game) -> CompiledAgent:
    """To measure what bargaining is worth: `banquet_agents.scripted.polite_society:expert_without_trades`."""
    script = Script(choose_silent, Path(__file__), text="the shrewd host without player trades")
    return CompiledAgent(game, "expert_without_trades", script)
