"""Scripted agents for Polite Society.

`greedy` is the hasty host: it buys whatever it can pay, the best rewards first. `expert` is the shrewd host: it weighs
what a guest will bring until the end against what it costs, knows what a card is worth now, bargains, and in mission
games buys only guests that leave its mission within reach.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy import int64

from banquet_agents.compiled import CompiledAgent, Script
from banquet_envs.core.compile import rule
from banquet_envs.core.game import Game
from banquet_envs.core.random import random_below
from banquet_envs.games.polite_society.account import hand_size
from banquet_envs.games.polite_society.cards import improvements_of
from banquet_envs.games.polite_society.components import (
    ADD,
    ASSETS,
    HAND_LIMIT,
    INDISPOSED,
    LIST,
    REARRANGE,
    REMOVE,
    SEATS,
    SEVEN,
    STEAL_ASSET,
    STEAL_IMPROVEMENT,
    THREE_FOR_ONE,
    WILD,
)
from banquet_envs.games.polite_society.state import (
    ACCEPT,
    ANSWER,
    ASSET,
    BANK_TRADE,
    BUY,
    DECLINE,
    DISCARD,
    DRAFT,
    DRAFT_CARD,
    END,
    IMPROVEMENT,
    ITEM,
    KEEP,
    KEEP_CARD,
    MAIN,
    OFFER,
    PARTNER,
    PLAY,
    PLAYER,
    REFRESH,
    REMOVE_GUEST,
    REMOVE_OWN,
    RESEAT,
    SEAT,
    STEAL_FROM,
    SUPPLY,
    TOKEN_FROM,
    TOKEN_FROM_SEAT,
    TOKEN_TO_SEAT,
    WILD_ASSET,
)
from banquet_envs.games.polite_society.state import REMOVE as REMOVE_ACTION
from banquet_envs.games.polite_society.tables import guest_set, guests_at, members, mission_gap
from banquet_envs.games.polite_society.turn import bank_ratio

# Weights of the shrewd host, in assets: a loss against a gain; a step nearer to the mission; an asset that is lacking;
# one that a bank trade must bring; what a bargain must improve; a card more or less in a bargain.
LOSS, MISSION, LACK, TRADE, BARGAIN, CARD = 0.6, 3.0, 1.5, 2.0, 0.3, 0.8

# Where a search stops playing on: rolls that it looks ahead, and what a guest costs with the detours, in assets.
HORIZON, FARE = 6.0, 6.5

# ---------------------------------------------------------------- what both look at


@rule
def first_legal(mask: Any, start: Any, count: Any) -> Any:
    """The first legal action among `count` from `start`, -1 for none."""
    for action in range(start, start + count):
        if mask[action]:
            return int64(action)
    return int64(-1)


@rule
def best_seat(state: Any, rules: Any, mask: Any, worth: Any, skip: Any) -> Any:
    """The likeliest free seat for a guest who brings something, the rarest for others; `skip` better ones stay free."""
    found = int64(-1)
    for _ in range(skip + 1):
        best = int64(-1)
        for s in range(SEATS):
            if mask[SEAT + s]:
                likes = rules.chance[s] * 8 - s if worth > 0 else -rules.chance[s] * 8 - s
                before = 1000
                if found >= 0:
                    before = rules.chance[found] * 8 - found if worth > 0 else -rules.chance[found] * 8 - found
                if likes < before and (
                    best < 0 or likes > (rules.chance[best] * 8 - best if worth > 0 else -rules.chance[best] * 8 - best)
                ):
                    best = int64(s)
        if best < 0:
            break
        found = best
    return int64(SEAT) + found


@rule
def seat_for_lifted(state: Any, rules: Any, mask: Any) -> Any:
    """Rearranging: seats in order of chance for guests in order of reward."""
    worth = rules.guest[state.lifted[0]].worth
    better = int64(0)
    if worth > 0:
        for k in range(1, SEATS):
            if state.lifted[k] >= 0 and rules.guest[state.lifted[k]].worth > worth:
                better += 1
    return best_seat(state, rules, mask, worth, better)


@rule
def leading_rival(state: Any, rules: Any, mask: Any, me: Any) -> Any:
    """The legal rival with the most guests, then the most cards; as an action."""
    best = int64(-1)
    most = -1
    for k in range(1, rules.players):
        if mask[PLAYER + k]:
            seat = int64(me + k) % int64(rules.players)
            weight = 100 * int64(state.points[seat]) + hand_size(state, seat)
            if weight > most:
                most = weight
                best = int64(PLAYER + k)
    return best if best >= 0 else first_legal(mask, PLAYER, 8)


@rule
def rivals_guests(state: Any, rules: Any, me: Any) -> Any:
    """The most guests that a rival still in the game has."""
    most = int64(0)
    for seat in range(int64(rules.players)):
        if seat != me and not state.out[seat]:
            most = max(most, int64(state.points[seat]))
    return most


@rule
def richest_rival(state: Any, rules: Any, mask: Any, me: Any) -> Any:
    """The legal rival with the most asset cards; as an action."""
    best = int64(-1)
    most = -1
    for k in range(1, rules.players):
        if mask[PLAYER + k]:
            seat = int64(me + k) % int64(rules.players)
            weight = 10 * hand_size(state, seat) + int64(state.points[seat])
            if weight > most:
                most = weight
                best = int64(PLAYER + k)
    return best


@rule
def seat_income(rules: Any, g: Any, s: Any, losses: Any) -> Any:
    """What a guest at a seat brings in one roll on average, losses weighted."""
    total = 0.0
    for a in range(ASSETS):
        reward = rules.guest[g].reward[a]
        total += reward * rules.chance[s] / 36 * (losses if reward < 0 else 1.0)
    return total


@rule
def dearest_seat(state: Any, rules: Any, mask: Any, owner: Any, sign: Any) -> Any:
    """The legal seat of a table whose guest brings most (sign 1) or least (-1); as an action."""
    best = int64(-1)
    most = -99.0
    for s in range(SEATS):
        if mask[SEAT + s]:
            weight = sign * seat_income(rules, int64(state.table[owner, s]), s, 1.0)
            if weight > most:
                most = weight
                best = int64(SEAT + s)
    return best


@rule
def plentiful(state: Any, mask: Any, me: Any) -> Any:
    """The legal asset of which most is held; as an action."""
    best = int64(-1)
    most = -1
    for a in range(ASSETS):
        if mask[ASSET + a] and state.hand[me, a] > most:
            most = int64(state.hand[me, a])
            best = int64(ASSET + a)
    return best


@rule
def lacking(state: Any, rules: Any, me: Any, g: Any) -> Any:
    """How many assets the hand lacks for a guest."""
    total = int64(0)
    for a in range(ASSETS):
        total += max(0, int64(rules.guest[g].cost[a]) - int64(state.hand[me, a]))
    return total


@rule
def trades_in_hand(state: Any, rules: Any, me: Any, g: Any) -> Any:
    """How many bank trades the assets not needed for a guest allow."""
    ratio = int64(bank_ratio(state, rules, me))
    total = int64(0)
    for a in range(ASSETS):
        total += max(0, int64(state.hand[me, a]) - int64(rules.guest[g].cost[a])) // ratio
    return total


@rule
def bank_trade_for(state: Any, rules: Any, mask: Any, me: Any, g: Any) -> Any:
    """A legal bank trade of something spare for something that a guest still needs; -1 for none."""
    ratio = int64(bank_ratio(state, rules, me))
    for pair in range(12):
        if mask[BANK_TRADE + pair]:
            a = pair // 3
            b = pair % 3 + (1 if pair % 3 >= a else 0)
            spare = int64(state.hand[me, a]) - int64(rules.guest[g].cost[a])
            if spare >= ratio and state.hand[me, b] < rules.guest[g].cost[b]:
                return int64(BANK_TRADE + pair)
    return int64(-1)


@rule
def in_reach(state: Any, rules: Any, me: Any, g: Any) -> Any:
    """Whether the mission, if any, stays possible with one more guest."""
    if state.mission[me] < 0:
        return True
    guests = guest_set(state, me) | (1 << int64(g))
    return mission_gap(rules, int64(state.mission[me]), guests) <= SEATS - members(guests)


@rule
def gap_now(state: Any, rules: Any, me: Any) -> Any:
    """The gap of the own mission; 0 without."""
    if state.mission[me] < 0:
        return int64(0)
    return int64(mission_gap(rules, int64(state.mission[me]), guest_set(state, me)))


@rule
def gain_of(state: Any, rules: Any, me: Any, g: Any) -> Any:
    """How much nearer a guest brings the own mission."""
    if state.mission[me] < 0:
        return int64(0)
    guests = guest_set(state, me) | (1 << int64(g))
    return gap_now(state, rules, me) - int64(mission_gap(rules, int64(state.mission[me]), guests))


@rule
def must_remove(state: Any, rules: Any, me: Any) -> Any:
    """Mission games: the table is full, or the free seats cannot meet the mission any more."""
    if state.mission[me] < 0:
        return False
    gap = gap_now(state, rules, me)
    return gap > SEATS - guests_at(state, me)


@rule
def misfit(state: Any, rules: Any, mask: Any, me: Any) -> Any:
    """The own guest without whom the mission is nearest, then the one that brings least; as an action."""
    best = int64(-1)
    least = 9999.0
    guests = guest_set(state, me)
    for s in range(SEATS):
        if mask[SEAT + s]:
            g = int64(state.table[me, s])
            weight = seat_income(rules, g, s, 1.0)
            if state.mission[me] >= 0:
                weight += 10.0 * mission_gap(rules, int64(state.mission[me]), guests ^ (1 << g))
            if weight < least:
                least = weight
                best = int64(SEAT + s)
    return best


@rule
def wanted_asset(state: Any, rules: Any, mask: Any, me: Any, g: Any) -> Any:
    """The legal asset that a guest needs most, else the one held least; as an action."""
    best = int64(-1)
    most = -9999
    for a in range(ASSETS):
        if mask[ASSET + a]:
            missing = int64(0)
            if g >= 0:
                missing = max(0, int64(rules.guest[g].cost[a]) - int64(state.hand[me, a]))
            weight = 100 * missing - int64(state.hand[me, a])
            if weight > most:
                most = weight
                best = int64(ASSET + a)
    return best


# ---------------------------------------------------------------- greedy, the hasty host


@rule
def hasty_rank(card: Any) -> Any:
    """Fixed preference among action cards; smaller is better."""
    if card < WILD:
        return 0
    if card == WILD:
        return 1
    if card >= SEVEN and card < THREE_FOR_ONE:
        return 2
    if card == STEAL_ASSET:
        return 3
    if card == ADD:
        return 4
    if card == THREE_FOR_ONE:
        return 5
    if card == INDISPOSED:
        return 6
    if card == REMOVE:
        return 7
    if card == HAND_LIMIT:
        return 8
    return 9 if card == STEAL_IMPROVEMENT else 10


@rule
def hasty_target(state: Any, rules: Any, me: Any, affordable: Any) -> Any:
    """The slot with the best reward minus cost, among the affordable, or those that bank trades make so; -1 none."""
    best = int64(-1)
    most = -99
    for k in range(LIST):
        g = int64(state.list[k])
        if g >= 0 and in_reach(state, rules, me, g):
            lacks = lacking(state, rules, me, g)
            reachable = lacks == 0 if affordable else lacks <= trades_in_hand(state, rules, me, g)
            weight = int64(rules.guest[g].worth) - int64(rules.guest[g].price)
            if reachable and weight > most:
                most = weight
                best = int64(k)
    return best


@rule
def hasty_offer(state: Any, rules: Any, mask: Any, me: Any) -> Any:
    """Item 1 for 1: a spare asset for the one that is missing for some guest; -1 for none. Checked against `mask`."""
    for k in range(LIST):
        g = int64(state.list[k])
        if g >= 0 and lacking(state, rules, me, g) == 1 and in_reach(state, rules, me, g):
            for pair in range(12):
                a = pair // 3
                b = pair % 3 + (1 if pair % 3 >= a else 0)
                if (
                    state.hand[me, a] > rules.guest[g].cost[a]
                    and state.hand[me, b] < rules.guest[g].cost[b]
                    and (state.phase != OFFER or mask[ITEM + pair])
                ):
                    return int64(ITEM + pair)
    return int64(-1)


@rule
def hasty_main(state: Any, rules: Any, mask: Any) -> Any:
    """Play the card, buy, trade with the bank to buy, now and then make an offer."""
    me = int64(state.player)
    if mask[REMOVE_ACTION] and must_remove(state, rules, me):
        return int64(REMOVE_ACTION)
    if mask[PLAY] and (state.kept != REARRANGE or random_below(state, 2) == 0):
        return int64(PLAY)
    if guests_at(state, me) < SEATS:
        k = hasty_target(state, rules, me, True)
        if k >= 0:
            return int64(BUY) + k
        k = hasty_target(state, rules, me, False)
        if k >= 0:
            trade = bank_trade_for(state, rules, mask, me, int64(state.list[k]))
            if trade >= 0:
                return trade
        partner = first_legal(mask, PARTNER, 6)
        if partner >= 0 and random_below(state, 4) == 0 and hasty_offer(state, rules, mask, me) >= 0:
            other = int64(PARTNER + random_below(state, rules.players - 1))
            return other if mask[other] else partner
    if mask[END]:
        return int64(END)
    return int64(PLAY)


@rule
def hasty_answer(state: Any, rules: Any, me: Any, item: Any) -> Any:
    """Accept what is at least as many cards of what one holds less of."""
    given = int64(0)
    got = int64(0)
    rare = int64(0)
    for a in range(ASSETS):
        given += int64(rules.wants[item, a])
        got += int64(rules.gives[item, a])
        rare += int64(rules.wants[item, a] - rules.gives[item, a]) * int64(state.hand[me, a])
    return got >= given and rare > 0


@rule
def choose_greedy(state: Any, rules: Any, table: Any, mask: Any, spare: Any) -> Any:
    """The hasty host."""
    me = int64(state.player)
    phase = state.phase
    if phase == MAIN:
        return hasty_main(state, rules, mask)
    if phase == DRAFT:
        best = int64(-1)
        for k in range(14):
            if mask[k]:
                if best < 0 or rules.guest[state.draft[k]].worth > rules.guest[state.draft[best]].worth:
                    best = int64(k)
        return int64(DRAFT_CARD) + best
    if phase == KEEP:
        swap = mask[KEEP_CARD + 1] and hasty_rank(state.drawn[1]) < hasty_rank(state.drawn[0])
        return int64(KEEP_CARD + 1) if swap else int64(KEEP_CARD)
    if phase == OFFER:
        item = hasty_offer(state, rules, mask, me)
        return item if item >= 0 else first_legal(mask, ITEM, 60)
    if phase == ANSWER:
        return (
            int64(ACCEPT) if mask[ACCEPT] and hasty_answer(state, rules, me, int64(state.offered)) else int64(DECLINE)
        )
    if phase == WILD_ASSET:
        k = int64(-1)
        lacks = int64(99)
        for j in range(LIST):
            if state.list[j] >= 0 and lacking(state, rules, me, int64(state.list[j])) < lacks:
                lacks = lacking(state, rules, me, int64(state.list[j]))
                k = int64(state.list[j])
        return wanted_asset(state, rules, mask, me, k)
    return common_choice(state, rules, mask, me)


@rule
def common_choice(state: Any, rules: Any, mask: Any, me: Any) -> Any:
    """The choices that both agents make alike."""
    phase = state.phase
    if phase == RESEAT:
        return seat_for_lifted(state, rules, mask)
    if phase == REMOVE_GUEST or phase == REMOVE_OWN:
        return misfit(state, rules, mask, me)
    if phase == STEAL_FROM:
        return richest_rival(state, rules, mask, me)
    if phase == DISCARD:
        return plentiful(state, mask, me)
    if phase == TOKEN_FROM:
        return int64(SUPPLY) if mask[SUPPLY] else first_legal(mask, PLAYER, 7)
    if phase == TOKEN_FROM_SEAT:
        return dearest_seat(state, rules, mask, int64(state.from_player), 1.0 if state.from_player == me else -1.0)
    if phase == TOKEN_TO_SEAT:
        return dearest_seat(state, rules, mask, int64(state.target), -1.0 if state.target == me else 1.0)
    if phase == IMPROVEMENT:
        return first_legal(mask, ASSET, 5)
    if first_legal(mask, PLAYER, 7) >= 0:
        return leading_rival(state, rules, mask, me)
    return best_seat(state, rules, mask, int64(rules.guest[state.pending].worth), int64(0))


# ---------------------------------------------------------------- expert, the shrewd host


@rule
def rolls_left(state: Any, rules: Any) -> Any:
    """An estimate: every player is paid on every roll, and the leader sets the pace."""
    lead = rivals_guests(state, rules, -1)
    return (SEATS - lead) * (3.0 + rules.players)


@rule
def prospect(state: Any, rules: Any, me: Any) -> Any:
    """Guests at a table, and those that hand and income of the next rolls may pay for."""
    guests = guests_at(state, me)
    coming = float(hand_size(state, me))
    for s in range(SEATS):
        if state.table[me, s] >= 0:
            coming += HORIZON * seat_income(rules, int64(state.table[me, s]), s, 1.0)
    return guests + min(max(coming, 0.0) / FARE, SEATS - guests + 1.0)


@rule
def lead(state: Any, rules: Any, table: Any, player: Any) -> Any:
    """By how many guests a seat is likely to be ahead; for the search, where it stops playing on."""
    best = -1.0
    for other in range(rules.players):
        if other != player:
            best = max(best, prospect(state, rules, other))
    return prospect(state, rules, player) - best


@rule
def free_chance(state: Any, rules: Any, me: Any, worth: Any) -> Any:
    """The chance (in 36) of the seat that a guest would get: the likeliest free one, or the rarest."""
    best = int64(-1)
    for s in range(SEATS):
        if state.table[me, s] < 0:
            chance = int64(rules.chance[s])
            if best < 0 or (chance > best if worth > 0 else chance < best):
                best = chance
    return max(best, 0)


@rule
def net_value(state: Any, rules: Any, me: Any, g: Any) -> Any:
    """What a guest brings until the end, losses weighted, minus its cost; nearer to the mission is better."""
    chance = free_chance(state, rules, me, int64(rules.guest[g].worth))
    total = 0.0
    for a in range(ASSETS):
        reward = rules.guest[g].reward[a]
        total += reward * (LOSS if reward < 0 else 1.0)
    return (
        total * chance / 36 * rolls_left(state, rules) - rules.guest[g].price + MISSION * gain_of(state, rules, me, g)
    )


@rule
def lacking_after(state: Any, rules: Any, me: Any, g: Any, item: Any, sign: Any) -> Any:
    """How many assets the hand lacks for a guest after a trade (sign 1: proposed by `me`, -1: accepted)."""
    total = int64(0)
    for a in range(ASSETS):
        held = int64(state.hand[me, a])
        if item >= 0:
            held += sign * (int64(rules.wants[item, a]) - int64(rules.gives[item, a]))
        total += max(0, int64(rules.guest[g].cost[a]) - held)
    return total


@rule
def prospects(state: Any, rules: Any, me: Any, item: Any, sign: Any) -> Any:
    """How good the best purchase looks, each asset that it lacks counted against it."""
    best = -30.0
    if guests_at(state, me) < SEATS:
        for k in range(LIST):
            g = int64(state.list[k])
            if g >= 0 and in_reach(state, rules, me, g):
                lacks = lacking_after(state, rules, me, g, item, sign)
                best = max(best, net_value(state, rules, me, g) - LACK * lacks)
    return best


@rule
def shrewd_target(state: Any, rules: Any, me: Any, trades: Any) -> Any:
    """The slot of the best guest that can be paid (with bank trades if `trades`); -1 for none."""
    best = int64(-1)
    most = -1000.0
    for k in range(LIST):
        g = int64(state.list[k])
        if g >= 0 and in_reach(state, rules, me, g):
            lacks = lacking(state, rules, me, g)
            allowed = trades_in_hand(state, rules, me, g) if trades else int64(0)
            weight = net_value(state, rules, me, g) - TRADE * lacks
            if lacks <= allowed and weight > most:
                most = weight
                best = int64(k)
    return best


@rule
def wished_guest(state: Any, rules: Any, me: Any) -> Any:
    """The guest of the list that is best after what is lacking for it; -1 for none."""
    best = int64(-1)
    most = -1000.0
    for k in range(LIST):
        g = int64(state.list[k])
        if g >= 0 and in_reach(state, rules, me, g):
            weight = net_value(state, rules, me, g) - LACK * lacking(state, rules, me, g)
            if weight > most:
                most = weight
                best = g
    return best


@rule
def hand_limit_value(state: Any, rules: Any, me: Any) -> Any:
    """Cards that rivals would lose, shared among them, minus one's own."""
    lost = int64(0)
    for seat in range(int64(rules.players)):
        if seat != me and not state.out[seat]:
            lost += max(0, hand_size(state, seat) - int64(rules.hand_limit))
    return 1.5 * lost / (rules.players - 1) - max(0, hand_size(state, me) - int64(rules.hand_limit))


@rule
def card_value(state: Any, rules: Any, me: Any, card: Any) -> Any:
    """What an action card is worth now, in assets."""
    if card < WILD:
        g = wished_guest(state, rules, me)
        needed = g >= 0 and rules.guest[g].cost[card] > state.hand[me, card]
        return 2.2 if needed else 1.7
    if card == WILD:
        return 2.2
    if card == ADD:
        return 8.0 * free_chances(state, rules, me) / 36 * (1.0 if state.mission[me] < 0 else 0.6)
    if card == REMOVE:
        lead = rivals_guests(state, rules, me)
        return 7.0 if lead >= 6 else (2.5 if lead == 5 else 0.9)
    if card == STEAL_ASSET:
        return 1.5
    if card == HAND_LIMIT:
        return hand_limit_value(state, rules, me)
    if card == INDISPOSED:
        return 1.8
    if card < THREE_FOR_ONE:
        return rolls_left(state, rules) / 6
    if card == THREE_FOR_ONE:
        return min(2.0, rolls_left(state, rules) / 12)
    if card == REARRANGE:
        return 0.5
    for seat in range(int64(rules.players)):
        if seat != me and improvements_of(state, seat) > 0:
            return 2.5
    return 0.0


@rule
def free_chances(state: Any, rules: Any, me: Any) -> Any:
    """The chance (in 36) that a roll hits a free seat of the own table."""
    total = int64(0)
    for s in range(SEATS):
        if state.table[me, s] < 0:
            total += int64(rules.chance[s])
    return total


@rule
def accepts(state: Any, rules: Any, seat: Any, item: Any) -> Any:
    """Whether an offer improves the prospects of the one who is asked, from one who is not close to winning."""
    if state.points[state.active] >= 6:
        return False
    cards = int64(0)
    for a in range(ASSETS):
        cards += int64(rules.gives[item, a] - rules.wants[item, a])
    before = prospects(state, rules, seat, int64(-1), int64(-1))
    return prospects(state, rules, seat, item, int64(-1)) + CARD * cards > before + BARGAIN


@rule
def would_take(state: Any, rules: Any, partner: Any, item: Any) -> Any:
    """Whether a partner of either kind might accept, by the hand it seems to have."""
    return accepts(state, rules, partner, item) or hasty_answer(state, rules, partner, item)


@rule
def offer_for(state: Any, rules: Any, mask: Any, me: Any, partner: Any) -> Any:
    """The best item, one or two of an asset for one, that the partner would accept as far as one knows; -1 for none."""
    best = int64(-1)
    most = prospects(state, rules, me, int64(-1), int64(1)) + BARGAIN
    for item in range(24):
        a = item % 12 // 3
        b = item % 3 + (1 if item % 3 >= a else 0)
        allowed = mask[ITEM + item] if state.phase == OFFER else state.hand[partner, b] > 0
        if allowed and state.hand[me, a] >= rules.gives[item, a] and not refused(state, partner, item):
            value = prospects(state, rules, me, int64(item), int64(1)) - (CARD if item >= 12 else 0.0)
            if value > most and would_take(state, rules, partner, int64(item)):
                most = value
                best = int64(ITEM + item)
    return best


@rule
def refused(state: Any, partner: Any, item: Any) -> Any:
    """Whether this partner has refused this offer in this turn."""
    for k in range(3):
        if state.refused_by[k] == partner and state.refused[k] == item:
            return True
    return False


@rule
def shrewd_partner(state: Any, rules: Any, mask: Any, me: Any) -> Any:
    """Whom to make an offer, never one who is close to winning; -1 for nobody."""
    for k in range(1, rules.players):
        seat = int64(me + k) % int64(rules.players)
        if mask[PARTNER + k - 1] and state.points[seat] < 6 and offer_for(state, rules, mask, me, seat) >= 0:
            return int64(PARTNER + k - 1)
    return int64(-1)


@rule
def shrewd_main(state: Any, rules: Any, mask: Any) -> Any:
    """Cards that bring something, then purchases, trades and bargains; Hand limit last."""
    me = int64(state.player)
    if mask[REMOVE_ACTION] and must_remove(state, rules, me):
        return int64(REMOVE_ACTION)
    room = guests_at(state, me) < SEATS
    k = shrewd_target(state, rules, me, False) if room else int64(-1)
    if k >= 0 and guests_at(state, me) == SEATS - 1:
        return int64(BUY) + k
    if mask[REFRESH] and wished_guest(state, rules, me) < 0 and card_value(state, rules, me, int64(state.kept)) < 3:
        return int64(REFRESH)
    if mask[PLAY] and state.kept != HAND_LIMIT:
        return int64(PLAY)
    if k >= 0:
        return int64(BUY) + k
    if room:
        partner = shrewd_partner(state, rules, mask, me)
        if partner >= 0:
            return partner
        k = shrewd_target(state, rules, me, True)
        if k >= 0:
            trade = bank_trade_for(state, rules, mask, me, int64(state.list[k]))
            if trade >= 0:
                return trade
    if mask[PLAY] and (hand_limit_value(state, rules, me) > 0 or not mask[END]):
        return int64(PLAY)
    return int64(END)


@rule
def choose_expert(state: Any, rules: Any, table: Any, mask: Any, spare: Any) -> Any:
    """The shrewd host."""
    me = int64(state.player)
    phase = state.phase
    if phase == MAIN:
        return shrewd_main(state, rules, mask)
    if phase == DRAFT:
        best = int64(-1)
        most = -1000.0
        for k in range(14):
            if mask[k]:
                g = int64(state.draft[k])
                weight = net_value(state, rules, me, g) + rules.guest[g].price
                if weight > most:
                    most = weight
                    best = int64(k)
        return int64(DRAFT_CARD) + best
    if phase == KEEP:
        swap = mask[KEEP_CARD + 1] and card_value(state, rules, me, int64(state.drawn[1])) > card_value(
            state, rules, me, int64(state.drawn[0])
        )
        return int64(KEEP_CARD + 1) if swap else int64(KEEP_CARD)
    if phase == OFFER:
        item = offer_for(state, rules, mask, me, int64(state.partner))
        return item if item >= 0 else first_legal(mask, ITEM, 60)
    if phase == ANSWER:
        return int64(ACCEPT) if mask[ACCEPT] and accepts(state, rules, me, int64(state.offered)) else int64(DECLINE)
    if phase == WILD_ASSET:
        return wanted_asset(state, rules, mask, me, wished_guest(state, rules, me))
    return common_choice(state, rules, mask, me)


@rule
def choose_silent(state: Any, rules: Any, table: Any, mask: Any, spare: Any) -> Any:
    """The shrewd host, but it never makes or accepts an offer."""
    if state.phase == ANSWER:
        return int64(DECLINE)
    for action in range(PARTNER, ITEM):
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
