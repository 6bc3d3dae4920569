"""Polite Society: who decides what, what is legal, and what a seat cannot know. The rulebook's chapters are in
`turn.py` (setup, turn, trades, end), `cards.py`, `tables.py` (guests and missions) and `hands.py` (assets).

`apply` goes on until somebody has to decide. What public facts force is played; what only a hidden hand forces is
asked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import seat_after
from banquet_envs.core.spec import Facts, GameSpec, Option, Wording
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.polite_society import display, observation, rules_text, state_json
from banquet_envs.games.polite_society.account import hand_size
from banquet_envs.games.polite_society.cards import (
    card_done,
    deck_size,
    improvements_of,
    next_discard,
    place_token,
    play_card,
    playable,
    reseat,
    take_card,
    take_improvement,
)
from banquet_envs.games.polite_society.components import (
    ASSETS,
    CARDS,
    IMPROVEMENTS,
    LEVELS,
    LIST,
    MISSIONS,
    PAIRS,
    PLAYERS,
    RULES,
    SEATS,
    THREE_FOR_ONE,
    TRADES,
    Card,
    make_rules,
)
from banquet_envs.games.polite_society.counts import packed
from banquet_envs.games.polite_society.guesses import may_hold, resample_hands
from banquet_envs.games.polite_society.hands import gain, in_bank, pay, steal
from banquet_envs.games.polite_society.invariants import bounds, invariants
from banquet_envs.games.polite_society.state import STATE, Action, Phase, Where, action_layout
from banquet_envs.games.polite_society.tables import guests_at, has_token, has_well_guest, members, unseat_guest
from banquet_envs.games.polite_society.turn import (
    answer,
    bank_ratio,
    bank_trade,
    buy_guest,
    can_pay,
    check_win,
    choose_card,
    deal_missions,
    draft_guest,
    forget_passed,
    make_offer,
    next_turn,
    refresh,
    remove_own,
    seat_bought,
    seat_drafted,
    set_up_board,
    set_up_draft,
    trade_pair,
    was_refused,
)
from banquet_envs.games.polite_society.views import learn

DEALS = 100  # of missions, tried at random


@rule
def setup(state: State, rules: Rules) -> None:
    """Setup, up to the first pick of the draft."""
    set_up_board(state, rules)
    if rules.missions:
        deal_missions(state, rules)
    set_up_draft(state, rules)


# ---------------------------------------------------------------- what is legal


@rule
def seat_on(state: State, rules: Rules, k: int) -> int:
    """The seat `k` places on from the seat to move, which is 0; -1 when there are fewer."""
    return seat_after(rules, state.player, k) if k < rules.players else -1


@rule
def can_offer(state: State, rules: Rules, seat: int) -> bool:
    """Whether an offer to this seat is possible: only the proposer's cards and the partner's hand size matter."""
    return (
        state.offers < rules.max_offers
        and rules.menu > 0
        and not state.out[seat]
        and hand_size(state, state.active) > 0
        and hand_size(state, seat) > 0
    )


@rule
def mark_offers(state: State, rules: Rules, mask: Mask) -> None:
    """Offers of what the proposer holds, for no more cards than the partner holds, and not refused by this partner."""
    size = hand_size(state, state.partner)
    hand = state.hand[state.active]
    for item in range(rules.menu):
        spare = size - cards_asked(rules, item)
        for a in range(ASSETS):
            spare = min(spare, hand[a] - rules.gives[item, a])
        mask[Action.ITEM + item] = spare >= 0
    for k in range(state.refused.shape[0]):
        if state.refused_by[k] == state.partner:
            mask[Action.ITEM + state.refused[k]] = False


@rule
def cards_asked(rules: Rules, item: int) -> int:
    """How many cards the proposer asks for."""
    asked = 0
    for a in range(ASSETS):
        asked += rules.wants[item, a]
    return asked


@rule
def can_ask(state: State, rules: Rules, item: int) -> bool:
    """An item of the menu, not refused by this partner, for no more cards than the partner holds."""
    if item >= rules.menu or was_refused(state, state.partner, item):
        return False
    return cards_asked(rules, item) <= hand_size(state, state.partner)


@rule
def can_accept(state: State, rules: Rules) -> bool:
    """Whether the partner holds what is asked for."""
    for a in range(ASSETS):
        if state.hand[state.partner, a] < rules.wants[state.offered, a]:
            return False
    return True


@rule
def may_remove_own(state: State, rules: Rules) -> bool:
    """Mission games: once a turn."""
    return rules.missions > 0 and state.removals < rules.max_removals and guests_at(state, state.active) > 0


@rule
def mark_main_phase(state: State, rules: Rules, mask: Mask) -> None:
    """What the active player may do in the main phase."""
    me = state.player
    if guests_at(state, me) < SEATS:
        for k in range(LIST):
            g = state.list[k]
            mask[Action.BUY + k] = g >= 0 and can_pay(state, rules, me, g)
    for a in range(ASSETS):
        if state.hand[me, a] >= bank_ratio(state, rules, me):
            mark_bank_trades(state, rules, a, mask)
    for k in range(1, rules.players):
        mask[Action.PARTNER + k - 1] = can_offer(state, rules, seat_on(state, rules, k))
    if state.kept >= 0:
        mask[Action.PLAY] = playable(state, rules, state.kept)
        mask[Action.REFRESH] = rules.missions > 0
    mask[Action.REMOVE] = may_remove_own(state, rules)
    must_play = rules.mandatory_card and mask[Action.PLAY]  # option mandatory_card: a card that has an effect is played
    mask[Action.END] = not must_play


@rule
def mark_bank_trades(state: State, rules: Rules, given: int, mask: Mask) -> None:
    """The bank trades that give this asset."""
    for pair in range(given * (ASSETS - 1), (given + 1) * (ASSETS - 1)):
        _, taken = trade_pair(pair)
        mask[Action.BANK_TRADE + pair] = in_bank(state, rules, taken)


@rule
def at_seat(state: State, s: int) -> bool:
    """Whether seat number `s` may be chosen."""
    phase = state.phase
    if phase == Phase.REMOVE_GUEST or phase == Phase.REMOVE_OWN:
        return state.table[state.player, s] >= 0
    if phase == Phase.TOKEN_FROM_SEAT:
        return state.token[state.from_player, s] == 1
    if phase == Phase.TOKEN_TO_SEAT:
        return state.table[state.target, s] >= 0 and not state.token[state.target, s]
    return state.table[state.player, s] < 0


@rule
def at_player(state: State, rules: Rules, k: int) -> bool:
    """Whether the player `k` seats on may be chosen."""
    seat = seat_on(state, rules, k)
    if seat < 0:
        return False
    if state.phase == Phase.TOKEN_FROM:  # a token may be moved off the table of one who has finished (ruling 37)
        return has_token(state, seat)
    if state.out[seat]:
        return False
    if state.phase == Phase.REMOVE_PLAYER:
        return guests_at(state, seat) > 0
    if state.phase == Phase.TOKEN_TO:
        return has_well_guest(state, seat)
    if state.phase == Phase.STEAL_FROM:
        return k > 0 and hand_size(state, seat) > 0
    return k > 0 and improvements_of(state, seat) > 0


@rule
def at_asset(state: State, rules: Rules, a: int) -> bool:
    """Whether an asset may be chosen."""
    if state.phase == Phase.WILD_ASSET:
        return in_bank(state, rules, a)
    if state.phase == Phase.DISCARD:
        return state.hand[state.player, a] > 0
    return state.improvement[state.target, a] > 0


@rule
def first_option(phase: int) -> int:
    """The lowest action number that a phase other than MAIN can use."""
    if phase == Phase.DRAFT:
        return Action.DRAFT
    if phase == Phase.KEEP:
        return Action.KEEP
    if phase == Phase.OFFER:
        return Action.ITEM
    if phase == Phase.ANSWER:
        return Action.ACCEPT
    if phase == Phase.WILD_ASSET or phase == Phase.DISCARD or phase == Phase.IMPROVEMENT:
        return Action.ASSET
    if uses_players(phase):
        return Action.PLAYER
    return Action.SEAT


@rule
def options(phase: int) -> int:
    """How many action numbers it can use from there."""
    if phase == Phase.DRAFT:
        return 2 * PLAYERS
    if phase == Phase.KEEP or phase == Phase.ANSWER:
        return 2
    if phase == Phase.OFFER:
        return Action.PLAY - Action.ITEM
    if phase == Phase.WILD_ASSET or phase == Phase.DISCARD:
        return ASSETS
    if phase == Phase.IMPROVEMENT:
        return IMPROVEMENTS
    if phase == Phase.TOKEN_FROM:
        return PLAYERS + 1
    return PLAYERS if uses_players(phase) else SEATS


@rule
def uses_players(phase: int) -> bool:
    """Whether a player is chosen."""
    return (
        phase == Phase.REMOVE_PLAYER
        or phase == Phase.STEAL_FROM
        or phase == Phase.TOKEN_FROM
        or phase == Phase.TOKEN_TO
        or phase == Phase.IMPROVEMENT_FROM
    )


@rule
def may(state: State, rules: Rules, action: int) -> bool:
    """Whether an action among the phase's options is legal, in phases other than MAIN and OFFER."""
    phase = state.phase
    if phase == Phase.ANSWER:
        return action == Action.DECLINE or can_accept(state, rules)
    if phase == Phase.DRAFT:
        return state.draft[action - Action.DRAFT] >= 0
    if phase == Phase.KEEP:  # of two equal cards the first is offered
        return action == Action.KEEP or state.drawn[0] != state.drawn[1]
    if action == Action.SUPPLY:
        return state.supply > 0
    if action == Action.THREE_FOR_ONE:
        return state.improvement[state.target, THREE_FOR_ONE] > 0
    if action >= Action.ASSET:
        return at_asset(state, rules, action - Action.ASSET)
    if action >= Action.PLAYER:
        return at_player(state, rules, action - Action.PLAYER)
    return at_seat(state, action - Action.SEAT)


@rule
def legal_actions(state: State, rules: Rules, mask: Mask) -> None:
    """Mark what the seat to move may do; the mask arrives all False."""
    if state.phase == Phase.MAIN:
        mark_main_phase(state, rules, mask)
    elif state.phase == Phase.OFFER:
        mark_offers(state, rules, mask)
    else:
        start = first_option(state.phase)
        for action in range(start, start + options(state.phase)):
            mask[action] = may(state, rules, action)


# ---------------------------------------------------------------- what public facts force


@rule
def forced(state: State, rules: Rules) -> int:
    """The action that public facts leave as the only one, or -1."""
    phase = state.phase
    if phase == Phase.MAIN:
        return forced_in_main_phase(state, rules)
    if phase == Phase.KEEP:
        return Action.KEEP if must_be_equal(state) else -1
    if phase == Phase.ANSWER:  # ruling 26: the partner is asked whatever it holds
        return -1
    only = -1
    start = first_option(phase)
    for action in range(start, start + options(phase)):
        if may_for_all(state, rules, action):
            if only >= 0:
                return -1
            only = action
    return only


@rule
def may_for_all(state: State, rules: Rules, action: int) -> bool:
    """Whether an action may be legal for all that everybody knows of the hands."""
    if state.phase == Phase.DISCARD:
        return may_hold(state, state.player, packed(action - Action.ASSET, 1))
    if state.phase == Phase.OFFER:
        needs = 0
        for a in range(ASSETS):
            needs += packed(a, rules.gives[action - Action.ITEM, a])
        return can_ask(state, rules, action - Action.ITEM) and may_hold(state, state.active, needs)
    return may(state, rules, action)


@rule
def must_be_equal(state: State) -> bool:
    """Whether all know that the two action cards drawn are of one kind: there is no other kind that nobody has seen."""
    return state.drawn[0] == state.drawn[1] and deck_size(state) == state.deck[state.drawn[0]]


@rule
def forced_in_main_phase(state: State, rules: Rules) -> int:
    """End of the turn (or the card that must be played), when everybody can see that nothing else is possible."""
    if may_spend(state, rules) or may_remove_own(state, rules):
        return -1
    if state.kept < 0:
        return Action.END
    if rules.missions > 0:  # the list can be renewed
        return -1
    some = playable(state, rules, state.kept)
    if state.sure < 0 or state.dropped == state.sure:  # it may be any card that is not seen
        for card in range(CARDS):
            if state.deck[card] > 0 and playable(state, rules, card) != some:
                return -1
    if not some:
        return Action.END
    return Action.PLAY if rules.mandatory_card > 0 else -1


@rule
def may_spend(state: State, rules: Rules) -> bool:
    """Whether the active player can make an offer, buy, or trade with the bank, for all that is public."""
    me = state.active
    for seat in range(rules.players):  # asked first: it is least work, and most often so
        if seat != me and can_offer(state, rules, seat):
            return True
    size = hand_size(state, me)
    if guests_at(state, me) < SEATS:
        for k in range(LIST):
            if state.list[k] >= 0 and rules.guest[state.list[k]].price <= size and may_pay(state, rules, me, k):
                return True
    ratio = bank_ratio(state, rules, me)
    for pair in range(PAIRS):
        a, b = trade_pair(pair)
        if size >= ratio and in_bank(state, rules, b) and may_hold(state, me, packed(a, ratio)):
            return True
    return False


@rule
def may_pay(state: State, rules: Rules, seat: int, k: int) -> bool:
    """Whether a hand can cover the cost of the guest in slot `k`, for all that is public."""
    needs = 0
    for a in range(ASSETS):
        needs += packed(a, rules.guest[state.list[k]].cost[a])
    return may_hold(state, seat, needs)


# ---------------------------------------------------------------- playing


@rule
def apply(state: State, rules: Rules, action: int) -> None:
    """Play one legal action of the seat to move, then what public facts force."""
    forget_passed(state)
    while action >= 0:
        play(state, rules, action)
        if state.filled:
            check_win(state, rules)
        if state.phase == Phase.TURN_OVER and not state.over:
            next_turn(state, rules)
        learn(state, rules)
        action = -1 if state.over else forced(state, rules)


@rule
def play(state: State, rules: Rules, action: int) -> None:
    """One decision."""
    if action >= Action.ACCEPT:
        answer(state, rules, action == Action.ACCEPT)
    elif action >= Action.ASSET:
        choose_asset(state, rules, action - Action.ASSET)
    elif action >= Action.PLAYER:
        choose_player(state, rules, seat_on(state, rules, action - Action.PLAYER) if action < Action.SUPPLY else -1)
    elif action >= Action.BUY:
        act(state, rules, action)
    elif action >= Action.KEEP:
        choose_card(state, action - Action.KEEP)
    elif action >= Action.SEAT:
        choose_seat(state, rules, action - Action.SEAT)
    else:
        draft_guest(state, action - Action.DRAFT)


@rule
def act(state: State, rules: Rules, action: int) -> None:
    """An action of the main phase, or an offer."""
    if action < Action.BANK_TRADE:
        buy_guest(state, rules, action - Action.BUY)
        state.phase = Phase.BUY_SEAT
    elif action < Action.PARTNER:
        bank_trade(state, rules, action - Action.BANK_TRADE)
    elif action < Action.ITEM:
        state.partner = seat_on(state, rules, action - Action.PARTNER + 1)
        state.phase = Phase.OFFER
    elif action < Action.PLAY:
        make_offer(state, rules, action - Action.ITEM)
    elif action == Action.PLAY:
        play_card(state, rules)
    elif action == Action.REFRESH:
        refresh(state, rules)
    elif action == Action.REMOVE:
        state.phase = Phase.REMOVE_OWN
    else:
        state.phase = Phase.TURN_OVER


@rule
def choose_seat(state: State, rules: Rules, s: int) -> None:
    """A seat number: to place a guest, or to name the guest there."""
    phase = state.phase
    if phase == Phase.DRAFT_SEAT:
        seat_drafted(state, rules, s)
    elif phase == Phase.BUY_SEAT:
        seat_bought(state, rules, s)
    elif phase == Phase.REMOVE_OWN:
        remove_own(state, rules, s)
    elif phase == Phase.REMOVE_GUEST:
        unseat_guest(state, state.player, s)
        card_done(state)
    elif phase == Phase.TOKEN_FROM_SEAT:
        state.from_seat = s
        state.phase = Phase.TOKEN_TO
    elif phase == Phase.TOKEN_TO_SEAT:
        place_token(state, state.target, s)
    else:
        reseat(state, s)


@rule
def choose_player(state: State, rules: Rules, seat: int) -> None:
    """A player, or the supply (-1), for the card being played."""
    phase = state.phase
    if phase == Phase.STEAL_FROM:
        steal(state, rules, state.active, seat)
        card_done(state)
    elif phase == Phase.REMOVE_PLAYER:
        state.player = seat
        state.phase = Phase.REMOVE_GUEST
    elif phase == Phase.TOKEN_FROM:
        state.from_player = seat
        state.phase = Phase.TOKEN_TO if seat < 0 else Phase.TOKEN_FROM_SEAT
    elif phase == Phase.TOKEN_TO:
        state.target = seat
        state.phase = Phase.TOKEN_TO_SEAT
    else:
        state.target = seat
        state.phase = Phase.IMPROVEMENT


@rule
def choose_asset(state: State, rules: Rules, a: int) -> None:
    """An asset, or (4) the improvement three for one."""
    if state.phase == Phase.WILD_ASSET:
        gain(state, rules, state.active, a, 1)
        card_done(state)
    elif state.phase == Phase.DISCARD:
        pay(state, state.player, a, 1)
        next_discard(state, rules)
    else:
        take_improvement(state, a)


# ---------------------------------------------------------------- what a seat cannot know


@rule
def determinize(state: State, rules: Rules, player: int) -> None:
    """Sample missions, the active player's cards and the hands, as far as `player` does not know them.

    The orders of the piles need nothing: they are drawn when needed, from the random stream, which has been replaced.
    """
    if rules.missions:
        resample_missions(state, rules, player)
    if state.active != player:
        if state.drawn[0] >= 0:
            resample_drawn(state)
        elif state.kept >= 0:
            resample_kept(state)
    if state.thefts > 0 or state.blurred:
        resample_hands(state, rules, player)


@rule
def resample_missions(state: State, rules: Rules, player: int) -> None:
    """Different missions, none that a seat is known not to hold: every such deal is as likely as another.

    First at random, DEALS times; when none of them fits, one of all that do, counted one by one.
    """
    used = 0
    for seat in range(rules.players):
        if mission_known(state, player, seat):
            used |= 1 << state.mission[seat]
    found = False
    tries = 0
    while not found and tries < DEALS:
        found = deal_at_random(state, rules, player, used)
        tries += 1
    if not found:
        pick = random_below(state, count_deals(state, rules, player, used, -1))
        count_deals(state, rules, player, used, pick)
    for seat in range(rules.players):
        if not mission_known(state, player, seat):
            state.mission[seat] = state.guess[seat]
        state.guess[seat] = 0


@rule
def mission_known(state: State, player: int, seat: int) -> bool:
    """One's own, and those that finishers have shown."""
    return seat == player or state.out[seat] or (state.over and state.finish[seat] >= 0)


@rule
def deal_at_random(state: State, rules: Rules, player: int, used: int) -> bool:
    """Note a random unused mission for every seat in `guess`; whether none is one that the seat is known not to hold."""
    for seat in range(rules.players):
        if not mission_known(state, player, seat):
            pick = random_below(state, MISSIONS - members(used))
            m = 0
            while pick > 0 or (used >> m) & 1:
                pick -= 1 - ((used >> m) & 1)
                m += 1
            if (state.excluded[seat] >> m) & 1:
                return False
            state.guess[seat] = m
            used |= 1 << m
    return True


@rule
def count_deals(state: State, rules: Rules, player: int, used: int, pick: int) -> int:
    """How many deals of missions there are, seat by seat; with `pick` it stops at that one, which is left in `guess`."""
    count = 0
    seat = 0
    m = 0
    back = False  # whether the mission of `seat` is to be taken back for the next one
    while seat >= 0:
        if seat == rules.players:
            if count == pick:
                return count
            count += 1
            back = True
        elif mission_known(state, player, seat):
            seat += -1 if back else 1
            continue
        else:
            if back:
                used &= ~(1 << state.guess[seat])
            m = state.guess[seat] + 1 if back else 0
            while m < MISSIONS and ((used | state.excluded[seat]) >> m) & 1:
                m += 1
            back = m == MISSIONS
            if not back:
                state.guess[seat] = m
                used |= 1 << m
        seat += -1 if back else 1
    return count


@rule
def resample_drawn(state: State) -> None:
    """The two cards the active player is looking at: any two of those not seen, but for one that all know."""
    for k in range(2):
        if state.drawn[k] >= 0 and state.sure < 0:
            state.deck[state.drawn[k]] += 1
    if state.sure >= 0:
        other = state.drawn[1] if state.drawn[0] == state.sure else state.drawn[0]
        state.deck[other] += 1
        first = state.sure
    else:
        first = take_card(state, random_below(state, deck_size(state)))
    second = take_card(state, random_below(state, deck_size(state)))
    state.drawn[0] = min(first, second)
    state.drawn[1] = max(first, second)


@rule
def resample_kept(state: State) -> None:
    """The card in hand: any not seen. When one of the two was known, it is kept, or it was discarded for another.

    Two equal cards leave no choice, two different ones do: so then the known kind counts twice.
    """
    if state.sure >= 0 and state.dropped != state.sure:
        return
    state.deck[state.kept] += 1
    twice = state.deck[state.sure] if state.sure >= 0 else 0
    pick = random_below(state, deck_size(state) + twice)
    if pick < twice:
        state.kept = state.sure
        state.deck[state.kept] -= 1
    else:
        state.kept = take_card(state, pick - twice)


# ---------------------------------------------------------------- the game


def facts(rules: Rules) -> Facts:
    """Bounds: decisions by what a turn can hold, and by the assets that discards and bank trades use up."""
    n = int(rules.players)
    rewards = rules.guest["reward"][: int(rules.num_guests)]
    turns = int(rules.max_turns) + n - 1
    most = int(np.maximum(rewards, 0).sum(axis=1).max())
    sevens = int(rules.cards[Card.IMPROVEMENT_SEVEN : Card.IMPROVEMENT_TRADE].sum())
    income = max(most, sevens) * 2  # the roll; an Add a guest may count as a 7
    assets = n * int(rules.starting.sum()) + turns * (n * income + most * int(rules.max_removals) + 2)
    freed = turns * (1 + int(rules.max_removals))  # seats emptied by cards and by their owners
    steps = 1 + 1 + 1 + SEATS + 3 * int(rules.max_offers) + 2 * int(rules.max_removals)  # keep, end, play, ...
    return Facts(
        longest_game=4 * n + turns * steps + 2 * (n * SEATS + freed) + assets,
        points_min=0,
        points_max=SEATS,
        points_scale=1 / SEATS,
        hidden_information=True,
        chance=True,
        simultaneous=False,
        can_be_capped=True,
    )


def pieces(rules: Rules, state: State) -> dict[str, Any]:
    """Guests, action cards, assets and tokens wherever they are: conserved over the game."""
    n = int(rules.players)
    guests = (np.asarray(state.where[: int(rules.num_guests)]) <= Where.DISCARDED).astype(int)
    for where in (state.list, state.draft, state.table[:n].ravel(), state.lifted, np.array([state.pending])):
        for g in where:
            if g >= 0:
                guests[g] += 1
    cards = state.deck.astype(int) + state.discard
    for card in (*state.drawn, int(state.kept)):
        if card >= 0:
            cards[card] += 1
    cards[Card.IMPROVEMENT_SEVEN : Card.IMPROVEMENT_TRADE + 1] += state.improvement[:n].sum(axis=0)
    assets = state.bank.astype(int) + state.hand[:n].sum(axis=0)
    tokens = int(state.supply) + int(state.token[:n].sum()) + int(state.lifted_token.sum())
    return {"guests": guests, "action cards": cards, "assets": assets, "tokens": np.array([tokens])}


SPEC = GameSpec(
    name="polite_society",
    title="Polite Society",
    version="v0",
    min_players=2,
    max_players=PLAYERS,
    state=STATE,
    rules=RULES,
    setup=setup,
    legal_actions=legal_actions,
    apply=apply,
    observe=observation.observe,
    determinize=determinize,
    make_rules=make_rules,
    actions=action_layout,
    observation=observation.observation_layout,
    facts=facts,
    action_text=display.action_text,
    describe=display.describe,
    draw=display.draw,
    place=display.place,
    pieces=pieces,
    bounds=bounds,
    invariants=invariants,
    components=Path(__file__).with_name("components.toml"),
    folder=Path(__file__).parent,
    options=(
        Option("missions", "off", LEVELS, "social missions: none, or one of the two levels (Social Mission Cards)"),
        Option(
            "trades", "standard", TRADES, "player trades: none, one type for one, or also two types for one and back"
        ),
        Option("limited_bank", True, (True, False), "whether the bank's piles can run out (ruling 10)"),
        Option("mandatory_card", False, (False, True), "the kept card must be played if it does something (ruling 6)"),
        Option("play_on", False, (False, True), "play on for second place and so on (Winning the Game, ruling 37)"),
        Option("seven_on_add", False, (False, True), "a 7 rolled for Add a guest pays improvements (ruling 12)"),
        Option("removal_losses", True, (True, False), "a guest removed by its owner takes its loss (ruling 29)"),
    ),
    variants=(
        {},
        {"trades": "off", "limited_bank": False},
        {"missions": "social_butterfly", "mandatory_card": True},
        {
            "missions": "janeite",
            "trades": "wide",
            "limited_bank": False,
            "mandatory_card": True,
            "play_on": True,
            "seven_on_add": True,
            "removal_losses": False,
        },
    ),
    asked_anyway=("decline",),
    rare=("out", "finish", "excluded"),
    tests_in_an_agent="income against speed, bargaining, memory of hands, out-of-turn decisions, secret tasks",
    words=Wording(
        rules_text.rules_text, rules_text.move_forms, state_json.state_json, state_json.Position, rules_text.public_text
    ),
)
