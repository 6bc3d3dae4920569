"""The setup, the turn in the rulebook's order, purchases, trades, the mission rules, and the end of the game."""

from __future__ import annotations

from numpy import int64

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, shuffle
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.seats import seat_after
from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.polite_society.account import hand_size, see_at_least
from banquet_envs.games.polite_society.cards import (
    discard_kept,
    draw_two,
    keep_card,
    pay_improvements,
    roll,
)
from banquet_envs.games.polite_society.components import ASSETS, CARDS, MISSIONS, OFFERS, PLAYERS, SEATS, THREE_FOR_ONE
from banquet_envs.games.polite_society.hands import forfeit, gain, give, pay
from banquet_envs.games.polite_society.state import PASSED, RANK_FINISHED, RANK_GUEST, Phase
from banquet_envs.games.polite_society.tables import (
    absent_guests,
    draw_guest,
    exclude_missions,
    guest_set,
    guests_at,
    mission_gap,
    renew_list,
    replenish,
    seat_guest,
    unseat_guest,
)

# ---------------------------------------------------------------- Setup


@rule
def blank(items: Cells) -> None:
    """Empty a row."""
    for k in range(items.shape[0]):
        items[k] = -1


@rule
def set_up_board(state: State, rules: Rules) -> None:
    """Bank, tables, piles, tokens; everything that holds nothing yet."""
    absent_guests(state, rules)
    for a in range(ASSETS):
        state.bank[a] = rules.bank[a]
    for card in range(CARDS):
        state.deck[card] = rules.cards[card]
    state.supply = rules.tokens
    for seat in range(PLAYERS):
        blank(state.table[seat])
    blank(state.list)
    blank(state.draft)
    blank(state.drawn)
    blank(state.lifted)
    blank(state.refused_by)
    blank(state.refused)
    blank(state.mission)
    blank(state.finish)
    blank(state.passed_seat)
    state.kept = -1
    state.dropped = -1
    state.sure = -1
    state.playing = -1
    state.partner = -1
    state.offered = -1
    state.pending = -1
    state.from_player = -1
    state.from_seat = -1
    state.target = -1


@rule
def deal_missions(state: State, rules: Rules) -> None:
    """Social missions: one card each, before the draft (ruling 35)."""
    left = (1 << MISSIONS) - 1
    for seat in range(rules.players):
        pick = random_below(state, MISSIONS - seat)
        for m in range(MISSIONS):
            if (left >> m) & 1:
                if pick == 0:
                    state.mission[seat] = m
                pick -= 1
        left &= ~(1 << state.mission[seat])


@rule
def set_up_draft(state: State, rules: Rules) -> None:
    """Two guests per player face up; the dice give a random order, for ties are rolled again (ruling 1)."""
    for k in range(2 * rules.players):
        state.draft[k] = draw_guest(state, rules)
    for k in range(PLAYERS):
        state.draft_order[k] = k
    shuffle(state, state.draft_order, rules.players)
    state.first = state.draft_order[0]
    state.phase = Phase.DRAFT
    state.player = state.first
    state.active = state.first


@rule
def drafter(state: State, rules: Rules) -> int:
    """Whose pick it is: in order, then backwards (ruling 2)."""
    if state.draft_step < rules.players:
        return state.draft_order[state.draft_step]
    return state.draft_order[2 * rules.players - 1 - state.draft_step]


@rule
def draft_guest(state: State, k: int) -> None:
    """Take a face-up guest; its seat comes next."""
    state.pending = state.draft[k]
    state.draft[k] = -1
    state.phase = Phase.DRAFT_SEAT


@rule
def seat_drafted(state: State, rules: Rules, s: int) -> None:
    """Place it; when all have two guests, everybody gets the starting assets and the first turn begins."""
    seat_guest(state, state.player, s, state.pending)
    state.pending = -1
    state.draft_step += 1
    if state.draft_step < 2 * rules.players:
        state.player = drafter(state, rules)
        state.phase = Phase.DRAFT
        return
    for seat in range(rules.players):
        for a in range(ASSETS):
            gain(state, rules, seat, a, rules.starting[a])
    state.phase = Phase.TURN_OVER


# ---------------------------------------------------------------- Each Turn


@rule
def begin_turn(state: State, rules: Rules, seat: int) -> None:
    """Replenish the list, roll, pay, draw two action cards."""
    state.active = seat
    state.player = seat
    state.turns += 1
    state.begun += 1
    state.offers = 0
    state.removals = 0
    state.add_dice[0] = 0
    state.add_dice[1] = 0
    blank(state.refused_by)
    blank(state.refused)
    state.dropped = -1
    replenish(state, rules)
    total = roll(state, state.dice)
    if rules.seat_of[total] < 0:
        renew_list(state, rules)
        pay_improvements(state, rules)
    else:
        pay_rewards(state, rules, rules.seat_of[total])
    draw_two(state)
    state.phase = Phase.KEEP
    if state.drawn[1] < 0:  # fewer than two action cards exist
        choose_card(state, 0)


@rule
def pay_rewards(state: State, rules: Rules, s: int) -> None:
    """The seat that was rolled, at every table: losses first, then gains from the active player on (ruling 10)."""
    for k in range(rules.players):
        seat = seat_after(rules, state.active, k)
        if pays(state, seat, s):
            take_losses(state, rules, seat, state.table[seat, s])
    for k in range(rules.players):
        seat = seat_after(rules, state.active, k)
        if pays(state, seat, s):
            take_gains(state, rules, seat, state.table[seat, s])


@rule
def pays(state: State, seat: int, s: int) -> bool:
    """A guest sits there and is well."""
    return not state.out[seat] and state.table[seat, s] >= 0 and not state.token[seat, s]


@rule
def take_losses(state: State, rules: Rules, seat: int, g: int) -> None:
    """A guest's negative rewards, each asset by itself (ruling 9)."""
    for a in range(ASSETS):
        if rules.guest[g].reward[a] < 0:
            forfeit(state, seat, a, -rules.guest[g].reward[a])


@rule
def take_gains(state: State, rules: Rules, seat: int, g: int) -> None:
    """A guest's positive rewards."""
    for a in range(ASSETS):
        if rules.guest[g].reward[a] > 0:
            gain(state, rules, seat, a, rules.guest[g].reward[a])


@rule
def choose_card(state: State, k: int) -> None:
    """Keep one card; the main phase begins."""
    keep_card(state, k)
    state.phase = Phase.MAIN


# ---------------------------------------------------------------- Purchase guests


@rule
def can_pay(state: State, rules: Rules, seat: int, g: int) -> bool:
    """Whether the hand covers a guest's cost."""
    for a in range(ASSETS):
        if state.hand[seat, a] < rules.guest[g].cost[a]:
            return False
    return True


@rule
def buy_guest(state: State, rules: Rules, k: int) -> None:
    """Pay the cost; the slot stays empty until the next turn (ruling 3)."""
    g = state.list[k]
    state.list[k] = -1
    state.pending = g
    for a in range(ASSETS):
        pay(state, state.active, a, rules.guest[g].cost[a])


@rule
def seat_bought(state: State, rules: Rules, s: int) -> None:
    """Place the guest that was bought."""
    seat_guest(state, state.active, s, state.pending)
    state.pending = -1
    state.filled = state.points[state.active] == SEATS
    state.phase = Phase.MAIN


# ---------------------------------------------------------------- Trades


@rule
def bank_ratio(state: State, rules: Rules, seat: int) -> int:
    """Four for one, or three for one with the improvement."""
    return rules.improved_ratio if state.improvement[seat, THREE_FOR_ONE] > 0 else rules.ratio


@rule
def trade_pair(pair: int) -> tuple[int, int]:
    """The assets (given, taken) of bank trade 0-11."""
    a = pair // (ASSETS - 1)
    b = pair % (ASSETS - 1)
    if b >= a:
        b += 1
    return a, b


@rule
def bank_trade(state: State, rules: Rules, pair: int) -> None:
    """Give the bank several of one asset for one of another."""
    a, b = trade_pair(pair)
    pay(state, state.active, a, bank_ratio(state, rules, state.active))
    gain(state, rules, state.active, b, 1)


@rule
def was_refused(state: State, partner: int, item: int) -> bool:
    """Whether this partner has refused this offer in this turn."""
    for k in range(OFFERS):
        if state.refused_by[k] == partner and state.refused[k] == item:
            return True
    return False


@rule
def make_offer(state: State, rules: Rules, item: int) -> None:
    """The offer is public, and shows what the proposer holds; the partner answers."""
    state.offered = item
    state.offers += 1
    for a in range(ASSETS):
        if rules.gives[item, a] > 0:
            see_at_least(state, state.active, a, rules.gives[item, a])
    state.player = state.partner
    state.phase = Phase.ANSWER


@rule
def answer(state: State, rules: Rules, accepted: bool) -> None:
    """The cards change hands, or the offer may not be repeated to this partner in this turn."""
    if accepted:
        for a in range(ASSETS):
            give(state, state.active, state.partner, a, rules.gives[state.offered, a])
            give(state, state.partner, state.active, a, rules.wants[state.offered, a])
    else:
        state.refused_by[state.offers - 1] = state.partner
        state.refused[state.offers - 1] = state.offered
    state.partner = -1
    state.offered = -1
    state.player = state.active
    state.phase = Phase.MAIN


# ---------------------------------------------------------------- Extra rules with social missions


@rule
def refresh(state: State, rules: Rules) -> None:
    """In place of the kept card: it is discarded, and so is the list; four new guests (ruling 30)."""
    discard_kept(state)
    renew_list(state, rules)


@rule
def remove_own(state: State, rules: Rules, s: int) -> None:
    """An own guest leaves; its reward is applied once, unless it is indisposed (ruling 29)."""
    g = state.table[state.active, s]
    well = pays(state, state.active, s)
    unseat_guest(state, state.active, s)
    state.removals += 1
    state.phase = Phase.MAIN
    if well:
        if rules.removal_losses:
            take_losses(state, rules, state.active, g)
        take_gains(state, rules, state.active, g)


# ---------------------------------------------------------------- Winning the game


@rule
def check_win(state: State, rules: Rules) -> None:
    """Eight guests, and the mission if there is one: tested when the active player's table has just been filled."""
    seat = state.active
    state.filled = 0
    if rules.missions > 0:  # rulings 28 and 36
        if mission_gap(rules, state.mission[seat], guest_set(state, seat)) > 0:
            exclude_missions(state, rules, seat)
            return
    state.finish[seat] = state.finished
    state.finished += 1
    discard_kept(state)
    if not rules.play_on:
        end_game(state, rules)
        return
    leave_game(state, rules, seat)
    if state.finished == rules.players - 1:
        end_game(state, rules)
    else:
        state.phase = Phase.TURN_OVER


@rule
def leave_game(state: State, rules: Rules, seat: int) -> None:
    """Playing on: a finisher's hand goes to the bank, its table stays (ruling 37)."""
    state.out[seat] = 1
    for a in range(ASSETS):
        pay(state, seat, a, state.hand[seat, a])


@rule
def next_turn(state: State, rules: Rules) -> None:
    """The unplayed card is discarded; the next player's turn, or the cap when the round is complete."""
    if state.turns == 0:
        begin_turn(state, rules, state.first)
        return
    discard_kept(state)
    state.sure = -1
    state.dropped = -1
    if state.begun > 0:
        note_passed(state)
    before = (state.active - state.first) % rules.players
    seat = seat_after(rules, state.active, 1)
    while state.out[seat]:
        seat = seat_after(rules, seat, 1)
    after = (seat - state.first) % rules.players
    if state.turns >= rules.max_turns and after <= before:
        state.capped = True
        end_game(state, rules)
    else:
        begin_turn(state, rules, seat)


@rule
def note_passed(state: State) -> None:
    """The turn that ends now began in the same step, and nobody has seen its dice: the record still tells them."""
    k = state.passed
    if k >= PASSED:  # the oldest makes room
        k = PASSED - 1
        for old in range(k):
            state.passed_seat[old] = state.passed_seat[old + 1]
            for d in range(4):
                state.passed_dice[old, d] = state.passed_dice[old + 1, d]
    state.passed += 1
    state.passed_seat[k] = state.active
    for d in range(2):
        state.passed_dice[k, d] = state.dice[d]
        state.passed_dice[k, 2 + d] = state.add_dice[d]


@rule
def forget_passed(state: State) -> None:
    """A new step: what passed in the last one is told."""
    state.begun = 0
    if state.passed > 0:
        state.passed = 0
        blank(state.passed_seat)
        for k in range(PASSED):
            for d in range(4):
                state.passed_dice[k, d] = 0


@rule
def end_game(state: State, rules: Rules) -> None:
    """Finishers in their order; at the cap the others by guests, then by asset cards (ruling 31)."""
    for seat in range(rules.players):
        if state.finish[seat] >= 0:
            state.rank_key[seat] = RANK_FINISHED - int64(state.finish[seat])  # int16 would not hold it
        elif state.capped:
            state.rank_key[seat] = RANK_GUEST * guests_at(state, seat) + min(RANK_GUEST - 1, hand_size(state, seat))
        else:
            state.rank_key[seat] = 0
    rank_by(state, rules.players, state.rank_key)
    state.over = True
