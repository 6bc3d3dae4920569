"""All checks, and running them over every configuration of a game."""

from __future__ import annotations

from collections.abc import Callable

from banquet_envs.core.game import Game
from banquet_envs.testing import coverage, ecosystem, facts, information, knowledge, rules
from banquet_envs.testing.outside import check_records_from_outside
from banquet_envs.testing.play import configurations
from banquet_envs.testing.trace import hashes, hashes_elsewhere

CHECKS: tuple[Callable[[Game], str | None], ...] = (
    rules.check_random_games,
    rules.check_pieces_are_conserved,
    rules.check_records_are_sound,
    rules.check_only_legal_actions_are_accepted,
    rules.check_a_batch_is_refused_whole,
    rules.check_forced_decisions_are_not_asked,
    rules.check_seeds,
    rules.check_batch_size_order_and_threads_do_not_matter,
    rules.check_the_training_step,
    rules.check_rewards,
    rules.check_saves,
    rules.check_bad_options_are_refused,
    facts.check_facts_are_not_idle,
    facts.check_hidden_information,
    facts.check_chance,
    facts.check_simultaneous,
    information.check_layouts,
    information.check_observations_lie_in_their_space,
    information.check_observations_keep_to_their_row,
    information.check_determinize_keeps_what_is_known,
    information.check_determinized_games_play_on,
    information.check_words_and_pictures,
    knowledge.check_what_is_hidden_varies,
    knowledge.check_public_features_are_public,
    knowledge.check_samples_do_not_depend_on_the_truth,
    knowledge.check_samples_agree_with_play,
    knowledge.check_samples_are_fair,
    ecosystem.check_pettingzoo,
    ecosystem.check_gymnasium,
    ecosystem.check_whole_games_by_sampling,
    ecosystem.check_copies_in_mid_game,
    ecosystem.check_illegal_actions_in_aec,
    ecosystem.check_the_vector_env,
)
"""Checks of one Game, cheap enough for every configuration. One may return a note on what it could not look at."""

OVERALL_CHECKS: tuple[Callable[[str], str | None], ...] = (
    coverage.check_every_option_stands_in_a_variant,
    coverage.check_layouts_are_used,
)
"""Checks over all configurations of a game."""


def check_plain_python_agrees(game: str, seed: int = 1, brief: bool = False) -> None:
    """Without compilation, with every overflow an error: the same games, masks, observations, samples."""
    _compare(hashes(game, seed, brief), hashes_elsewhere(game, seed, brief, NUMBA_DISABLE_JIT="1"))


def check_another_process_agrees(game: str, seed: int = 1, brief: bool = False) -> None:
    """A new process plays the same games."""
    _compare(hashes(game, seed, brief), hashes_elsewhere(game, seed, brief))


def check_bounds(game: str, seed: int = 1) -> None:
    """With bounds checks compiled in, nothing is read or written outside its array. Compiles anew: slow."""
    _compare(hashes(game, seed), hashes_elsewhere(game, seed, NUMBA_BOUNDSCHECK="1"))


def check_sound_records_harm_nothing(game: str, seed: int = 1, brief: bool = False) -> None:
    """Records that pass `Game.check_records`, however they came about, lead no kernel astray."""
    tries, again = (256, 3) if brief else (600, 8)
    check_records_from_outside(game, seed, tries, again)


def _compare(here: dict[str, str], there: dict[str, str]) -> None:
    differ = [c for c in here if there.get(c) != here[c]]
    assert not differ, f"these configurations differ: {differ}"


PER_GAME_CHECKS: tuple[Callable[[str], str | None], ...] = (
    check_plain_python_agrees,
    check_another_process_agrees,
    check_sound_records_harm_nothing,
    check_bounds,
)
"""Checks that run once for a game, over all its configurations, in other processes; all but the last may be `brief`."""


def check_game(name: str, report: Callable[[str], None] = lambda line: None) -> None:
    """Run every check on every configuration of a registered game.

    Args:
        name: the game's id. Other processes import the module that registers it.
        report: called with a line before each check, and with the note of one that has something to say.

    Raises:
        AssertionError: the first check that fails.
    """

    def run(subject: str, check: Callable[..., str | None], given: object) -> None:
        report(f"{subject}: {check.__name__}")
        note = check(given)
        if note:
            report(f"    note: {note}")

    for overall in OVERALL_CHECKS:
        run(name, overall, name)
    for configuration in configurations(name):
        game = configuration.make()
        for check in CHECKS:
            run(str(configuration), check, game)
    for slow in PER_GAME_CHECKS:
        run(name, slow, name)
