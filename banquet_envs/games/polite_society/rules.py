"""Polite Society: who decides what, what is legal, and what a seat cannot know. The rulebook's chapters are in
`turn.py` (setup, turn, trades, end), `cards.py`, `tables.py` (guests and missions) and `hands.py` (assets).

`apply` goes on until somebody has to decide. What public facts force is played; what only a hidden hand forces is
asked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy import int64

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.spec import Facts, GameSpec, Option, Wording
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
    LEVELS,
    LIST,
    MISSIONS,
    PLAYERS,
    RULES,
    SEATS,
    TRADES,
    make_rules,
)
from banquet_envs.games.polite_society.guesses import may_hold, resample_hands
from banquet_envs.games.polite_society.hands import (
    gain,
    in_bank,
    pay,
    steal,
)
from banquet_envs.games.polite_society.invariants import bounds, invariants
from banquet_envs.games.polite_society.state import (
    ACCEPT,
    ANSWER,
    ASSET,
    BANK_TRADE,
    BUY,
    BUY_SEAT,
    DECLINE,
    DISCARD,
    DRAFT,
    DRAFT_CARD,
    DRAFT_SEAT,
    END,
    IMPROVEMENT,
    IMPROVEMENT_FROM,
    ITEM,
    KEEP,
    KEEP_CARD,
    MAIN,
    OFFER,
    PARTNER,
    PHASES,
    PLAY,
    PLAYER,
    REFRESH,
    REMOVE,
    REMOVE_GUEST,
    REMOVE_OWN,
    REMOVE_PLAYER,
    RESEAT,
    SEAT,
    STATE,
    STEAL_FROM,
    SUPPLY,
    TOKEN_FROM,
    TOKEN_FROM_SEAT,
    TOKEN_TO,
    TOKEN_TO_SEAT,
    TRADE_CARD,
    TURN_OVER,
    WILD_ASSET,
    action_layout,
)
from banquet_envs.games.polite_society.tables import (
    guests_at,
    has_token,
    has_well_guest,
    members,
    seat_after,
    unseat_guest,
)
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


@rule
def setup(state: Any, rules: Any) -> None:
    """Setup, up to the first pick of the draft."""
    set_up_board(state, rules)
    if rules.missions:
        deal_missions(state, rules)
    set_up_draft(state, rules)


# ---------------------------------------------------------------- what is legal


@rule
def seat_on(state: Any, rules: Any, k: Any) -> Any:
    """The seat `k` places on from the seat to move, which is 0; -1 when there are fewer."""
    return seat_after(rules, int64(state.player), k) if k < rules.players else int64(-1)


@rule
def can_offer(state: Any, rules: Any, seat: Any) -> Any:
    """Whether an offer to this seat is possible: only the proposer's cards and the partner's hand size matter."""
    return (
        state.offers < rules.max_offers
        and rules.menu > 0
        and not state.out[seat]
        and hand_size(state, int64(state.active)) > 0
        and hand_size(state, seat) > 0
    )


@rule
def mark_offers(state: Any, rules: Any, mask: Any) -> None:
    """Offers of what the proposer holds, for no more cards than the partner holds, and not refused by this partner."""
    size = hand_size(state, int64(state.partner))
    hand = state.hand[state.active]
    for item in range(rules.menu):
        spare = size - cards_asked(rules, item)
        for a in range(ASSETS):
            spare = min(spare, hand[a] - rules.gives[item, a])
        mask[ITEM + item] = spare >= 0
    for k in range(state.refused.shape[0]):
        if state.refused_by[k] == state.partner:
            mask[ITEM + state.refused[k]] = False


@rule
def cards_asked(rules: Any, item: Any) -> Any:
    """How many cards the proposer asks for."""
    asked = int64(0)
    for a in range(ASSETS):
        asked += rules.wants[item, a]
    return asked


@rule
def can_ask(state: Any, rules: Any, item: Any) -> Any:
    """An item of the menu, not refused by this partner, for no more cards than the partner holds."""
    if item >= rules.menu or was_refused(state, int64(state.partner), item):
        return False
    return cards_asked(rules, item) <= hand_size(state, int64(state.partner))


@rule
def can_accept(state: Any, rules: Any) -> Any:
    """Whether the partner holds what is asked for."""
    for a in range(ASSETS):
        if state.hand[int64(state.partner), a] < rules.wants[int64(state.offered), a]:
            return False
    return True


@rule
def may_remove_own(state: Any, rules: Any) -> Any:
    """Mission games: once a turn."""
    return rules.missions > 0 and state.removals < rules.max_removals and guests_at(state, int64(state.active)) > 0


@rule
def mark_main_phase(state: Any, rules: Any, mask: Any) -> None:
    """What the active player may do in the main phase."""
    me = int64(state.player)
    if guests_at(state, me) < SEATS:
        for k in range(LIST):
            g = int64(state.list[k])
            mask[BUY + k] = g >= 0 and can_pay(state, rules, me, g)
    for a in range(ASSETS):
        if state.hand[me, a] >= bank_ratio(state, rules, me):
            mark_bank_trades(state, rules, a, mask)
    for k in range(1, rules.players):
        mask[PARTNER + k - 1] = can_offer(state, rules, seat_on(state, rules, k))
    if state.kept >= 0:
        mask[PLAY] = playable(state, rules, int64(state.kept))
        mask[REFRESH] = rules.missions > 0
    mask[REMOVE] = may_remove_own(state, rules)
    mask[END] = not (rules.mandatory_card and mask[PLAY])  # option mandatory_card: a card that has an effect is played


@rule
def mark_bank_trades(state: Any, rules: Any, given: Any, mask: Any) -> None:
    """The bank trades that give this asset."""
    for pair in range(given * (ASSETS - 1), (given + 1) * (ASSETS - 1)):
        _, taken = trade_pair(pair)
        mask[BANK_TRADE + pair] = in_bank(state, rules, taken)


@rule
def at_seat(state: Any, s: Any) -> Any:
    """Whether seat number `s` may be chosen."""
    phase = state.phase
    if phase == REMOVE_GUEST or phase == REMOVE_OWN:
        return state.table[int64(state.player), s] >= 0
    if phase == TOKEN_FROM_SEAT:
        return state.token[int64(state.from_player), s] == 1
    if phase == TOKEN_TO_SEAT:
        return state.table[int64(state.target), s] >= 0 and not state.token[int64(state.target), s]
    return state.table[int64(state.player), s] < 0


@rule
def at_player(state: Any, rules: Any, k: Any) -> Any:
    """Whether the player `k` seats on may be chosen."""
    seat = seat_on(state, rules, k)
    if seat < 0:
        return False
    if state.phase == TOKEN_FROM:  # a token may be moved off the table of one who has finished (ruling 37)
        return has_token(state, seat)
    if state.out[seat]:
        return False
    if state.phase == REMOVE_PLAYER:
        return guests_at(state, seat) > 0
    if state.phase == TOKEN_TO:
        return has_well_guest(state, seat)
    if state.phase == STEAL_FROM:
        return k > 0 and hand_size(state, seat) > 0
    return k > 0 and improvements_of(state, seat) > 0


@rule
def at_asset(state: Any, rules: Any, a: Any) -> Any:
    """Whether an asset may be chosen."""
    if state.phase == WILD_ASSET:
        return in_bank(state, rules, a)
    if state.phase == DISCARD:
        return state.hand[int64(state.player), a] > 0
    return state.improvement[int64(state.target), a] > 0


@rule
def first_option(phase: Any) -> Any:
    """The lowest action number that a phase other than MAIN can use."""
    if phase == DRAFT:
        return DRAFT_CARD
    if phase == KEEP:
        return KEEP_CARD
    if phase == OFFER:
        return ITEM
    if phase == ANSWER:
        return ACCEPT
    if phase == WILD_ASSET or phase == DISCARD or phase == IMPROVEMENT:
        return ASSET
    if uses_players(phase):
        return PLAYER
    return SEAT


@rule
def options(phase: Any) -> Any:
    """How many action numbers it can use from there."""
    if phase == DRAFT:
        return 2 * PLAYERS
    if phase == KEEP or phase == ANSWER:
        return 2
    if phase == OFFER:
        return PLAY - ITEM
    if phase == WILD_ASSET or phase == DISCARD:
        return ASSETS
    if phase == IMPROVEMENT:
        return ASSETS + 1
    if phase == TOKEN_FROM:
        return PLAYERS + 1
    return PLAYERS if uses_players(phase) else SEATS


@rule
def uses_players(phase: Any) -> Any:
    """Whether a player is chosen."""
    return (
        phase == REMOVE_PLAYER
        or phase == STEAL_FROM
        or phase == TOKEN_FROM
        or phase == TOKEN_TO
        or phase == IMPROVEMENT_FROM
    )


@rule
def may(state: Any, rules: Any, action: Any) -> Any:
    """Whether an action among the phase's options is legal, in phases other than MAIN and OFFER."""
    phase = state.phase
    if phase == ANSWER:
        return action == DECLINE or can_accept(state, rules)
    if phase == DRAFT:
        return state.draft[action - DRAFT_CARD] >= 0
    if phase == KEEP:  # of two equal cards the first is offered
        return action == KEEP_CARD or state.drawn[0] != state.drawn[1]
    if action == SUPPLY:
        return state.supply > 0
    if action == TRADE_CARD:
        return state.improvement[int64(state.target), ASSETS] > 0
    if action >= ASSET:
        return at_asset(state, rules, action - ASSET)
    if action >= PLAYER:
        return at_player(state, rules, action - PLAYER)
    return at_seat(state, action - SEAT)


@rule
def legal_actions(state: Any, rules: Any, mask: Any) -> None:
    """Mark what the seat to move may do; the mask arrives all False."""
    if state.phase == MAIN:
        mark_main_phase(state, rules, mask)
    elif state.phase == OFFER:
        mark_offers(state, rules, mask)
    else:
        start = first_option(state.phase)
        for action in range(start, start + options(state.phase)):
            mask[action] = may(state, rules, action)


# ---------------------------------------------------------------- what public facts force


@rule
def forced(state: Any, rules: Any) -> Any:
    """The action that public facts leave as the only one, or -1."""
    phase = state.phase
    if phase == MAIN:
        return forced_in_main_phase(state, rules)
    if phase == KEEP:
        return int64(KEEP_CARD) if must_be_equal(state) else int64(-1)
    if phase == ANSWER:  # ruling 26: the partner is asked whatever it holds
        return int64(-1)
    only = int64(-1)
    start = first_option(phase)
    for action in range(start, start + options(phase)):
        if may_for_all(state, rules, action):
            if only >= 0:
                return int64(-1)
            only = int64(action)
    return only


@rule
def may_for_all(state: Any, rules: Any, action: Any) -> Any:
    """Whether an action may be legal for all that everybody knows of the hands."""
    if state.phase == DISCARD:
        return may_hold(state, int64(state.player), int64(1) << (5 * (action - ASSET)))
    if state.phase == OFFER:
        needs = int64(0)
        for a in range(ASSETS):
            needs += int64(rules.gives[action - ITEM, a]) << (5 * a)
        return can_ask(state, rules, action - ITEM) and may_hold(state, int64(state.active), needs)
    return may(state, rules, action)


@rule
def must_be_equal(state: Any) -> Any:
    """Whether all know that the two action cards drawn are of one kind: there is no other kind that nobody has seen."""
    return state.drawn[0] == state.drawn[1] and deck_size(state) == state.deck[state.drawn[0]]


@rule
def forced_in_main_phase(state: Any, rules: Any) -> Any:
    """End of the turn (or the card that must be played), when everybody can see that nothing else is possible."""
    if may_spend(state, rules) or may_remove_own(state, rules):
        return int64(-1)
    if state.kept < 0:
        return int64(END)
    if rules.missions > 0:  # the list can be renewed
        return int64(-1)
    some = playable(state, rules, int64(state.kept))
    if state.sure < 0 or state.dropped == state.sure:  # it may be any card that is not seen
        for card in range(CARDS):
            if state.deck[card] > 0 and playable(state, rules, card) != some:
                return int64(-1)
    if not some:
        return int64(END)
    return int64(PLAY) if rules.mandatory_card > 0 else int64(-1)


@rule
def may_spend(state: Any, rules: Any) -> Any:
    """Whether the active player can make an offer, buy, or trade with the bank, for all that is public."""
    me = int64(state.active)
    for seat in range(int64(rules.players)):  # asked first: it is least work, and most often so
        if seat != me and can_offer(state, rules, seat):
            return True
    size = hand_size(state, me)
    if guests_at(state, me) < SEATS:
        for k in range(LIST):
            if state.list[k] >= 0 and rules.guest[state.list[k]].price <= size and may_pay(state, rules, me, k):
                return True
    ratio = int64(bank_ratio(state, rules, me))
    for pair in range(12):
        a, b = trade_pair(pair)
        if size >= ratio and in_bank(state, rules, b) and may_hold(state, me, ratio << (5 * a)):
            return True
    return False


@rule
def may_pay(state: Any, rules: Any, seat: Any, k: Any) -> Any:
    """Whether a hand can cover the cost of the guest in slot `k`, for all that is public."""
    needs = int64(0)
    for a in range(ASSETS):
        needs += int64(rules.guest[state.list[k]].cost[a]) << (5 * a)
    return may_hold(state, seat, needs)


# ---------------------------------------------------------------- playing


@rule
def apply(state: Any, rules: Any, action: Any) -> None:
    """Play one legal action of the seat to move, then what public facts force."""
    forget_passed(state)
    while action >= 0:
        play(state, rules, action)
        if state.filled:
            check_win(state, rules)
        if state.phase == TURN_OVER and not state.over:
            next_turn(state, rules)
        learn(state, rules)
        action = int64(-1) if state.over else forced(state, rules)


@rule
def play(state: Any, rules: Any, action: Any) -> None:
    """One decision."""
    if action >= ACCEPT:
        answer(state, rules, action == ACCEPT)
    elif action >= ASSET:
        choose_asset(state, rules, action - ASSET)
    elif action >= PLAYER:
        choose_player(state, rules, seat_on(state, rules, action - PLAYER) if action < SUPPLY else int64(-1))
    elif action >= BUY:
        act(state, rules, action)
    elif action >= KEEP_CARD:
        choose_card(state, action - KEEP_CARD)
    elif action >= SEAT:
        choose_seat(state, rules, action - SEAT)
    else:
        draft_guest(state, action - DRAFT_CARD)


@rule
def act(state: Any, rules: Any, action: Any) -> None:
    """An action of the main phase, or an offer."""
    if action < BANK_TRADE:
        buy_guest(state, rules, action - BUY)
        state.phase = BUY_SEAT
    elif action < PARTNER:
        bank_trade(state, rules, action - BANK_TRADE)
    elif action < ITEM:
        state.partner = seat_on(state, rules, action - PARTNER + 1)
        state.phase = OFFER
    elif action < PLAY:
        make_offer(state, rules, action - ITEM)
    elif action == PLAY:
        play_card(state, rules)
    elif action == REFRESH:
        refresh(state, rules)
    elif action == REMOVE:
        state.phase = REMOVE_OWN
    else:
        state.phase = TURN_OVER


@rule
def choose_seat(state: Any, rules: Any, s: Any) -> None:
    """A seat number: to place a guest, or to name the guest there."""
    phase = state.phase
    if phase == DRAFT_SEAT:
        seat_drafted(state, rules, s)
    elif phase == BUY_SEAT:
        seat_bought(state, rules, s)
    elif phase == REMOVE_OWN:
        remove_own(state, rules, s)
    elif phase == REMOVE_GUEST:
        unseat_guest(state, int64(state.player), s)
        card_done(state)
    elif phase == TOKEN_FROM_SEAT:
        state.from_seat = s
        state.phase = TOKEN_TO
    elif phase == TOKEN_TO_SEAT:
        place_token(state, int64(state.target), s)
    else:
        reseat(state, s)


@rule
def choose_player(state: Any, rules: Any, seat: Any) -> None:
    """A player, or the supply (-1), for the card being played."""
    phase = state.phase
    if phase == STEAL_FROM:
        steal(state, rules, int64(state.active), seat)
        card_done(state)
    elif phase == REMOVE_PLAYER:
        state.player = seat
        state.phase = REMOVE_GUEST
    elif phase == TOKEN_FROM:
        state.from_player = seat
        state.phase = TOKEN_TO if seat < 0 else TOKEN_FROM_SEAT
    elif phase == TOKEN_TO:
        state.target = seat
        state.phase = TOKEN_TO_SEAT
    else:
        state.target = seat
        state.phase = IMPROVEMENT


@rule
def choose_asset(state: Any, rules: Any, a: Any) -> None:
    """An asset, or (4) the improvement three for one."""
    if state.phase == WILD_ASSET:
        gain(state, rules, int64(state.active), a, int64(1))
        card_done(state)
    elif state.phase == DISCARD:
        pay(state, int64(state.player), a, int64(1))
        next_discard(state, rules)
    else:
        take_improvement(state, a)


# ---------------------------------------------------------------- what a seat cannot know


@rule
def determinize(state: Any, rules: Any, player: Any) -> None:
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
def resample_missions(state: Any, rules: Any, player: Any) -> None:
    """Different missions, none that a seat is known not to hold: every such deal is as likely as another.

    A hundred deals at random; when none of them fits, one of all that do, counted one by one.
    """
    used = 0
    for seat in range(int64(rules.players)):
        if mission_known(state, player, seat):
            used |= 1 << int64(state.mission[seat])
    found = False
    tries = 0
    while not found and tries < 100:
        found = deal_at_random(state, rules, player, used)
        tries += 1
    if not found:
        pick = random_below(state, count_deals(state, rules, player, used, int64(-1)))
        count_deals(state, rules, player, used, pick)
    for seat in range(int64(rules.players)):
        if not mission_known(state, player, seat):
            state.mission[seat] = state.guess[seat]
        state.guess[seat] = 0


@rule
def mission_known(state: Any, player: Any, seat: Any) -> Any:
    """One's own, and those that finishers have shown."""
    return seat == player or state.out[seat] or (state.over and state.finish[seat] >= 0)


@rule
def deal_at_random(state: Any, rules: Any, player: Any, used: Any) -> Any:
    """Note a random unused mission for every seat in `guess`; whether none is one that the seat is known not to hold."""
    for seat in range(int64(rules.players)):
        if not mission_known(state, player, seat):
            pick = random_below(state, MISSIONS - members(used))
            m = 0
            while pick > 0 or (used >> m) & 1:
                pick -= 1 - ((used >> m) & 1)
                m += 1
            if (int64(state.excluded[seat]) >> m) & 1:
                return False
            state.guess[seat] = m
            used |= 1 << m
    return True


@rule
def count_deals(state: Any, rules: Any, player: Any, used: Any, pick: Any) -> Any:
    """How many deals of missions there are, seat by seat; with `pick` it stops at that one, which is left in `guess`."""
    count = int64(0)
    seat = int64(0)
    m = int64(0)
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
                used &= ~(1 << int64(state.guess[seat]))
            m = int64(state.guess[seat]) + 1 if back else int64(0)
            while m < MISSIONS and ((used | int64(state.excluded[seat])) >> m) & 1:
                m += 1
            back = m == MISSIONS
            if not back:
                state.guess[seat] = m
                used |= 1 << m
        seat += -1 if back else 1
    return count


@rule
def resample_drawn(state: Any) -> None:
    """The two cards the active player is looking at: any two of those not seen, but for one that all know."""
    for k in range(2):
        if state.drawn[k] >= 0 and state.sure < 0:
            state.deck[state.drawn[k]] += 1
    if state.sure >= 0:
        other = state.drawn[1] if state.drawn[0] == state.sure else state.drawn[0]
        state.deck[other] += 1
        first = int64(state.sure)
    else:
        first = take_card(state, random_below(state, deck_size(state)))
    second = take_card(state, random_below(state, deck_size(state)))
    state.drawn[0] = min(first, second)
    state.drawn[1] = max(first, second)


@rule
def resample_kept(state: Any) -> None:
    """The card in hand: any not seen. When one of the two was known, it is kept, or it was discarded for another.

    Two equal cards leave no choice, two different ones do: so then the known kind counts twice.
    """
    if state.sure >= 0 and state.dropped != state.sure:
        return
    state.deck[state.kept] += 1
    twice = int64(state.deck[state.sure]) if state.sure >= 0 else 0
    pick = random_below(state, deck_size(state) + twice)
    if pick < twice:
        state.kept = state.sure
        state.deck[state.kept] -= 1
    else:
        state.kept = take_card(state, pick - twice)


# ---------------------------------------------------------------- the game


def facts(rules: Any) -> Facts:
    """Bounds: decisions by what a turn can hold, and by the assets that discards and bank trades use up."""
    n = int(rules.players)
    rewards = rules.guest["reward"][: int(rules.num_guests)]
    turns = int(rules.max_turns) + n - 1
    most = int(np.maximum(rewards, 0).sum(axis=1).max())
    income = max(most, int(rules.cards[10:14].sum())) * 2  # the roll; an Add a guest may count as a 7
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


def pieces(rules: Any, state: Any) -> dict[str, Any]:
    """Guests, action cards, assets and tokens wherever they are: conserved over the game."""
    n = int(rules.players)
    guests = (np.asarray(state.where[: int(rules.num_guests)]) < 2).astype(int)
    for where in (state.list, state.draft, state.table[:n].ravel(), state.lifted, np.array([state.pending])):
        for g in where:
            if g >= 0:
                guests[g] += 1
    cards = state.deck.astype(int) + state.discard
    for card in (*state.drawn, int(state.kept)):
        if card >= 0:
            cards[card] += 1
    cards[10:15] += state.improvement[:n].sum(axis=0)
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

assert PHASES == IMPROVEMENT + 1
assert CARDS == 17
assert TOKEN_TO_SEAT < RESEAT
