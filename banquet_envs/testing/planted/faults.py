"""Faults planted in Leduc poker, and for each the check that must see it, with a part of what it says.

A fault replaces parts of the GameSpec. What no suite can know is not here: a winner who should have lost, say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.random import random_below
from banquet_envs.core.spec import Facts, GameSpec, Option
from banquet_envs.core.types import Features, Mask, Rules, State
from banquet_envs.testing.planted import leduc
from banquet_envs.testing.planted.leduc import (
    CALL,
    FOLD,
    RAISE,
    RANKS,
    SEALED,
    SECOND,
    SPEC,
    apply,
    describe,
    determinize,
    draw_table,
    legal_actions,
    observe,
    setup,
)


@dataclass(frozen=True)
class Fault:
    """A game with something wrong in it.

    Attributes:
        what: the fault in words.
        check: the name of the check that sees it.
        says: part of the check's message.
        changes: fields of the GameSpec that are replaced.
    """

    what: str
    check: str
    says: str
    changes: dict[str, Any]

    def spec(self) -> GameSpec:
        """The game, under a name of its own."""
        words = "".join(c if c.isalnum() else "_" for c in self.what)
        return dataclasses.replace(SPEC, name=f"leduc_{words}", **self.changes)


# ---------------------------------------------------------------- what a seat sees


@rule
def leak(state: State, rules: Rules, player: int, out: Features) -> None:
    """Shows the other's card where the open card belongs."""
    observe(state, rules, player, out)
    if state.board < 0:
        out[3 + state.card[1 - player]] = 1


@rule
def early(state: State, rules: Rules, player: int, out: Features) -> None:
    """Shows the other's sealed ante before both have been made."""
    observe(state, rules, player, out)
    out[7] = state.stake[1 - player] / 14


@rule
def never_written(state: State, rules: Rules, player: int, out: Features) -> None:
    """Forgets whose turn it is."""
    observe(state, rules, player, out)
    out[12] = 0


@rule
def out_of_bounds(state: State, rules: Rules, player: int, out: Features) -> None:
    """Chips that are not scaled."""
    observe(state, rules, player, out)
    out[6] = state.stake[player]


@rule
def beside_its_row(state: State, rules: Rules, player: int, out: Features) -> None:
    """Writes to the whole buffer."""
    observe(state, rules, player, out)
    out.base[:] = 0.25 if out.base is not None else 0


@rule
def not_a_number(state: State, rules: Rules, player: int, out: Features) -> None:
    """Divides by what may be nothing."""
    observe(state, rules, player, out)
    if state.raises == 2:
        out[8] = np.inf


def relabelled(**public: bool) -> Callable[[Rules], Layout]:
    """The layout with other marks of who may know a slice."""

    def observation(rules: Rules) -> Layout:
        slices = leduc.observation(rules)
        return Layout([Slice(s.name, s.shape, s.text, public.get(s.name, s.public)) for s in slices])

    return observation


def telling(rules: Rules, state: State, player: int | None) -> str:
    """Words that tell everything to everybody."""
    return describe(rules, state, None)


def showing(rules: Rules, state: State, player: int | None) -> str:
    """A picture that shows everything to everybody."""
    return draw_table(rules, state, None)


# ---------------------------------------------------------------- determinize


@rule
def nothing(state: State, rules: Rules, player: int) -> None:
    """Leaves every secret in place."""


@rule
def wrong_way(state: State, rules: Rules, player: int) -> None:
    """Resamples the seat's own card and leaves the other's."""
    determinize(state, rules, 1 - player)


@rule
def for_the_mover(state: State, rules: Rules, player: int) -> None:
    """Takes it that the seat to move is asking."""
    determinize(state, rules, state.player)


@rule
def biased(state: State, rules: Rules, player: int) -> None:
    """The other always has the highest card that is left."""
    other = 1 - player
    state.deck[state.card[other]] += 1
    for rank in range(RANKS):
        if state.deck[rank] > 0:
            state.card[other] = rank
    state.deck[state.card[other]] -= 1


@rule
def by_kind(state: State, rules: Rules, player: int) -> None:
    """Every rank that is left is taken to be as likely as another, however many cards of it there are."""
    other = 1 - player
    state.deck[state.card[other]] += 1
    left = 0
    for rank in range(RANKS):
        left += state.deck[rank] > 0
    pick = random_below(state, left)
    for rank in range(RANKS):
        if state.deck[rank] > 0:
            if pick == 0:
                state.card[other] = rank
            pick -= 1
    state.deck[state.card[other]] -= 1


@rule
def forgetful(state: State, rules: Rules, player: int) -> None:
    """The other never has a card like one's own, though it may."""
    other = 1 - player
    determinize(state, rules, player)
    while state.card[other] == state.card[player]:
        determinize(state, rules, player)


@rule
def impossible(state: State, rules: Rules, player: int) -> None:
    """Any rank, also one of which no card is left."""
    state.card[1 - player] = random_below(state, RANKS)


@rule
def from_the_truth(state: State, rules: Rules, player: int) -> None:
    """Every other time the truth is good enough."""
    if random_below(state, 2) == 0:
        determinize(state, rules, player)


@rule
def one_step_away(state: State, rules: Rules, player: int) -> None:
    """The rank after the true one where there is a card of it: never the truth, and yet it tells the truth."""
    other = 1 - player
    state.deck[state.card[other]] += 1
    for _ in range(RANKS):
        state.card[other] = (state.card[other] + 1) % RANKS
        if state.deck[state.card[other]] > 0:
            break
    state.deck[state.card[other]] -= 1


@rule
def ante_kept(state: State, rules: Rules, player: int) -> None:
    """Resamples the card, but not the sealed ante."""
    stake = state.stake[1 - player]
    determinize(state, rules, player)
    state.stake[1 - player] = stake


@rule
def antes_only(state: State, rules: Rules, player: int) -> None:
    """Resamples the sealed ante, but not the card."""
    if state.stage == SEALED and state.stake[1 - player] > 0:
        state.stake[1 - player] = 1 + random_below(state, 2)


@rule
def plays_on(state: State, rules: Rules, player: int) -> None:
    """Hands the turn to the seat that is asking."""
    determinize(state, rules, player)
    state.player = player


# ---------------------------------------------------------------- rules


@rule
def asked_though_forced(state: State, rules: Rules, mask: Mask) -> None:
    """At the last raise nothing but a call is legal, and that is asked."""
    legal_actions(state, rules, mask)
    if state.stage > SEALED and state.raises == rules.raises:
        mask[FOLD] = False


@rule
def forced_though_free(state: State, rules: Rules, mask: Mask) -> None:
    """Nobody may ever fold."""
    legal_actions(state, rules, mask)
    mask[FOLD] = False


@rule
def by_a_secret(state: State, rules: Rules, mask: Mask) -> None:
    """Only who has the higher card may raise."""
    legal_actions(state, rules, mask)
    if state.stage > SEALED:
        mask[RAISE] = mask[RAISE] and state.card[state.player] >= state.card[1 - state.player]


@rule
def stuck(state: State, rules: Rules, mask: Mask) -> None:
    """Nothing is legal after two raises."""
    legal_actions(state, rules, mask)
    if state.raises == 2:
        mask[:] = False


@rule
def nobody(state: State, rules: Rules, action: int) -> None:
    """The turn goes to a third seat."""
    apply(state, rules, action)
    if action == RAISE and not state.over:
        state.player = 2


@rule
def anything(state: State, rules: Rules, mask: Mask) -> None:
    """Call or raise, whoever it is."""
    mask[CALL : RAISE + 1] = True


@rule
def no_place(state: State, rules: Rules, action: int) -> None:
    """Nobody is ranked at the end."""
    apply(state, rules, action)
    state.place[:] = -1


@rule
def lost_card(state: State, rules: Rules, action: int) -> None:
    """The open card is not taken from the deck."""
    apply(state, rules, action)
    if state.stage == SECOND and state.spoken == 0 and not state.over:
        state.deck[state.board] += 1


@rule
def beyond_bounds(state: State, rules: Rules, action: int) -> None:
    """Counts decisions on from round to round."""
    apply(state, rules, action)
    if action == CALL and state.spoken == 0:
        state.spoken = 100
    elif state.spoken > 100:
        state.spoken -= 100


@rule
def against_the_invariant(state: State, rules: Rules, action: int) -> None:
    """The open card is put away at the end, the stage is not."""
    apply(state, rules, action)
    if state.over and state.board >= 0:
        state.deck[state.board] += 1
        state.board = -1


@rule
def no_chance(state: State, rules: Rules, action: int) -> None:
    """The open card is always the lowest that is left."""
    first = state.stage != SECOND
    apply(state, rules, action)
    if first and state.stage == SECOND:
        state.deck[state.board] += 1
        state.board = 0
        while state.deck[state.board] == 0:
            state.board += 1
        state.deck[state.board] -= 1


@rule
def capped(state: State, rules: Rules, action: int) -> None:
    """A guard ends the game after two raises."""
    apply(state, rules, action)
    if state.raises == 2:
        leduc.settle(state, -1, 0)
        state.capped = True


@rule
def own_dice(state: State, rules: Rules) -> None:
    """Cards from another stream than the record's own."""
    setup(state, rules)
    state.deck[state.card[1]] += 1
    state.card[1] = np.random.randint(0, 2**30) % RANKS  # noqa: NPY002
    if state.deck[state.card[1]] == 0:
        state.card[1] = (state.card[1] + 1) % RANKS
    state.deck[state.card[1]] -= 1


def wordless(rules: Rules, state: State, action: int) -> str:
    """Two actions with one name."""
    return ("fold", "call", "call", "ante one chip", "ante one chip")[action]


def one_more_action(rules: Rules) -> Layout:
    """An action that no rule ever allows."""
    return Layout([*leduc.actions(rules), Slice("double", (1,), "double the pot")])


def told(**facts: Any) -> dict[str, Any]:
    """The spec's facts with other claims; a function is applied to the true one."""

    def changed(rules: Rules) -> Facts:
        true = leduc.facts(rules)
        new = {name: value(getattr(true, name)) if callable(value) else value for name, value in facts.items()}
        return dataclasses.replace(true, **new)

    return {"facts": changed}


_KNOWN = "check_determinize_keeps_what_is_known"

FAULTS = (
    # leaks and what hides them
    Fault("the view shows the other's card", _KNOWN, "determinize changed feature", {"observe": leak}),
    Fault("a sealed ante is seen too early", _KNOWN, "other_stake", {"observe": early}),
    Fault("describe tells the other's card", _KNOWN, "describe tells a secret", {"describe": telling}),
    Fault("draw shows the other's card", _KNOWN, "draw shows a secret", {"draw": showing}),
    Fault("the mask tells the other's card", _KNOWN, "changed the seat's own mask", {"legal_actions": by_a_secret}),
    Fault(
        "the view leaks and determinize does nothing", "check_what_is_hidden_varies", "determinize changed nothing",
        {"observe": leak, "determinize": nothing},
    ),
    Fault(
        "the view leaks and determinize only resamples antes", "check_layouts_are_used", "card",
        {"observe": leak, "determinize": antes_only},
    ),
    # determinize
    Fault("determinize does nothing", "check_what_is_hidden_varies", "changed nothing", {"determinize": nothing}),
    Fault("determinize resamples the wrong way", _KNOWN, "(card)", {"determinize": wrong_way}),
    Fault("determinize asks who is to move", _KNOWN, "card", {"determinize": for_the_mover}),
    Fault("determinize moves the turn", _KNOWN, "to_move", {"determinize": plays_on}),
    Fault("determinize keeps the sealed ante", "check_samples_are_fair", "no sample is like this", {"determinize": ante_kept}),
    Fault("determinize has one answer", "check_samples_agree_with_play", "off by", {"determinize": biased}),
    Fault("determinize has one answer (exactly)", "check_samples_are_fair", "no sample is like", {"determinize": biased}),
    Fault("determinize weighs kinds, not cards", "check_samples_are_fair", "% of samples", {"determinize": by_kind}),
    Fault("determinize forgets a possibility", "check_samples_are_fair", "no sample is like", {"determinize": forgetful}),
    Fault("determinize invents a card", "check_pieces_are_conserved", "a determinised copy", {"determinize": impossible}),
    Fault(
        "determinize leans to the truth", "check_samples_do_not_depend_on_the_truth", "depends on what it cannot know",
        {"determinize": from_the_truth},
    ),
    Fault(
        "determinize begins from the truth", "check_samples_do_not_depend_on_the_truth", "depends on what it cannot know",
        {"determinize": one_step_away},
    ),
    # layouts
    Fault(
        "an own secret is declared public", "check_public_features_are_public", "'card' of seat",
        {"observation": relabelled(card=True)},
    ),
    Fault("the board is declared private", "check_layouts_are_used", "board", {"observation": relabelled(board=False)}),
    Fault("a feature is never written", "check_layouts_are_used", "to_move", {"observe": never_written}),
    Fault("a feature is too large", "check_observations_lie_in_their_space", "own_stake", {"observe": out_of_bounds}),
    Fault("a feature is infinite", "check_observations_lie_in_their_space", "not finite", {"observe": not_a_number}),
    Fault("the view writes beside its row", "check_observations_keep_to_their_row", "outside its row", {"observe": beside_its_row}),
    Fault("an action is never offered", "check_layouts_are_used", "double", {"actions": one_more_action}),
    Fault("two actions read the same", "check_words_and_pictures", "read the same", {"action_text": wordless}),
    # facts
    Fault("hidden information denied", "check_hidden_information", "", told(hidden_information=False)),
    Fault(
        "hidden information claimed of an open game", "check_hidden_information", "no seat's view",
        {"observe": leak, "determinize": nothing, "observation": relabelled(card=True, own_stake=True)},
    ),
    Fault("chance denied", "check_chance", "chance decides", told(chance=False)),
    Fault("chance claimed of a game without", "check_chance", "nothing after setup", {"apply": no_chance}),
    Fault("simultaneous decisions denied", "check_simultaneous", "though simultaneous is False", told(simultaneous=False)),
    Fault("simultaneous decisions claimed", "check_simultaneous", "no seat decided before", told(simultaneous=True)),
    Fault(
        "the longest game 100 times too long", "check_facts_are_not_idle", "longest_game",
        told(longest_game=lambda n: 100 * n),
    ),
    Fault("the longest game too short", "check_random_games", "longer than", told(longest_game=lambda n: n - 1)),
    Fault("points_min far too low", "check_facts_are_not_idle", "points_min", told(points_min=lambda n: 100 * n)),
    Fault("points_max far too high", "check_facts_are_not_idle", "points_max", told(points_max=lambda n: 100 * n)),
    Fault("points_min too high", "check_random_games", "points_min", told(points_min=-2)),
    Fault("points_max too low", "check_random_games", "points_max", told(points_max=2)),
    Fault("a guard claimed that never acts", "check_facts_are_not_idle", "can_be_capped", told(can_be_capped=True)),
    Fault("a guard denied that acts", "check_random_games", "capped", {"apply": capped}),
    # rules
    Fault("a forced decision is asked", "check_forced_decisions_are_not_asked", "only 'call'", {"legal_actions": asked_though_forced}),
    Fault("a free decision is never asked", "check_layouts_are_used", "fold", {"legal_actions": forced_though_free}),
    Fault("a game gets stuck", "check_random_games", "no legal action", {"legal_actions": stuck}),
    Fault("the turn goes to nobody", "check_random_games", "does not exist", {"apply": nobody, "legal_actions": anything}),
    Fault("nobody is ranked", "check_random_games", "no winner", {"apply": no_place}),
    Fault("a card is in two places", "check_pieces_are_conserved", "cards not conserved", {"apply": lost_card}),
    Fault("a field leaves its bounds", "check_records_are_sound", "spoken", {"apply": beyond_bounds}),
    Fault("an invariant is broken", "check_records_are_sound", "board: open exactly", {"apply": against_the_invariant}),
    Fault("chance from elsewhere", "check_seeds", "", {"setup": own_dice}),
    Fault(
        "an option's value stands in no variant", "check_every_option_stands_in_a_variant", "raises=3",
        {"options": (Option("raises", 2, (1, 2, 3), ""), SPEC.options[1])},
    ),
    Fault("what is called rare is not there", "check_layouts_are_used", "called ['flod']", {"rare": ("fold", "flod")}),
)  # fmt: skip
