"""Checks of the rules: ends, bounds, conservation, masks, refusals, forced decisions, seeds, batches, saves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from banquet_envs.core import soundness
from banquet_envs.core import state as records
from banquet_envs.core.errors import GameOverError, IllegalActionError, OptionError, SaveError
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.registry import make_game
from banquet_envs.testing.play import play, random_actions, walk


def check_random_games(game: Game, n: int = 64, seed: int = 1) -> None:
    """Every game ends within the declared facts; a game in progress always has a legal action."""
    facts = game.facts

    def visit(states: np.recarray, mask: np.ndarray) -> None:
        live = ~states.over
        assert mask[live].any(axis=1).all(), "a game in progress has no legal action"
        assert not mask[~live].any(), "a finished game has a legal action"
        movers = states.player[live]
        assert ((movers >= 0) & (movers < game.num_players)).all(), "the seat to move does not exist"
        points = states.points[:, : game.num_players]
        assert points.min() >= facts.points_min, f"points {points.min()} below points_min"
        assert points.max() <= facts.points_max, f"points {points.max()} above points_max"
        assert states.ply.max() <= facts.longest_game, f"a game is longer than {facts.longest_game} decisions"
        assert (states.place[live] == -1).all(), "a place before the end"

    ended = play(game, n, seed, visit)
    visit(ended, game.legal_actions(ended))
    places = ended.place[:, : game.num_players]
    assert (places.min(axis=1) == 0).all(), "a finished game has no winner"
    expected = (places[:, :, None] > places[:, None, :]).sum(axis=2)
    assert (places == expected).all(), "places are not competition ranks (ties share, then skip)"
    if not facts.can_be_capped:
        assert not ended.capped.any(), "capped, though the facts say it cannot be"


def check_pieces_are_conserved(game: Game, seed: int = 2) -> None:
    """Whatever the box holds is somewhere after every move, also after determinize."""
    first: dict[str, np.ndarray] = {}
    for states, copies in _moments(game, seed):
        for where, record in (("the game", states[0]), ("a determinised copy", copies[0])):
            pieces = {k: np.array(v) for k, v in game.spec.pieces(game.rules[0], record).items()}
            first = first or pieces
            for kind, count in pieces.items():
                assert np.array_equal(count, first[kind]), f"{kind} not conserved in {where} at ply {states.ply[0]}"


def check_records_are_sound(game: Game, seed: int = 2, last: int | None = None) -> None:
    """At every move every own field lies within its declared bounds and the invariants hold, also after determinize."""
    if game.spec.bounds is None and game.spec.invariants is None:
        return
    found, where = [], []
    for states, copies in _moments(game, seed, last):
        found += [records.rows(states), records.rows(copies)]
        where += [f"the game at ply {states.ply[0]}", f"a determinised copy at ply {states.ply[0]}"]
    wrong = soundness.faults(game, np.concatenate(found).reshape(-1).view(game.spec.state).view(np.recarray))
    assert not wrong, f"{where[min(wrong)]}: {wrong[min(wrong)]}"


def _moments(game: Game, seed: int, end: int | None = None) -> Iterator[tuple[np.recarray, np.recarray]]:
    """Every position of a random game (of a very long one every seventh, later on), its end too, and a sample of each."""
    last = None
    for states, _, _ in walk(game, seed, end):
        last = states
        if states.ply[0] > 300 and states.ply[0] % 7:
            continue
        copies = records.copy(states)
        game.determinize(copies, int(states.ply[0]) % game.num_players, int(states.ply[0]))
        yield records.copy(states), copies
    if last is not None:
        yield records.copy(last), records.copy(last)


def check_only_legal_actions_are_accepted(game: Game, seed: int = 3) -> None:
    """Every masked action is accepted, every other refused with the record unchanged."""
    for states, mask, _ in walk(game, seed):
        if states.ply[0] > 100 and states.ply[0] % 20:
            continue  # long games: every twentieth decision from here on
        before = states.tobytes()
        for action in np.flatnonzero(mask)[:40]:
            trial = records.copy(states)
            game.step(trial, [action])
            assert trial.tobytes() != before, f"action {action} changed nothing"
        for action in [-1, game.num_actions, *np.flatnonzero(~mask)[:: max(1, game.num_actions // 20)]]:
            try:
                game.step(states, [action])
            except IllegalActionError as error:
                assert str(int(action)) in str(error), "the error does not name the action"
                assert "legal:" in str(error), "the error does not say what was legal"
            else:
                raise AssertionError(f"action {action} is not legal but was accepted")
            assert states.tobytes() == before, "a refused action changed the game"
    with contextlib.suppress(GameOverError):
        game.step(states, [0])
        raise AssertionError("a finished game accepted an action")


def check_a_batch_is_refused_whole(game: Game, seed: int = 4) -> None:
    """One bad action in a batch: nothing changes anywhere."""
    states = game.reset(5, seed)
    mask = game.legal_actions(states)
    actions = random_actions(mask, np.random.default_rng(seed))
    actions[3] = game.num_actions
    before = states.tobytes()
    try:
        game.step(states, actions)
    except IllegalActionError as error:
        assert "game 3" in str(error), "the error does not say which game of the batch"
    else:
        raise AssertionError("a batch with a bad action was accepted")
    assert states.tobytes() == before, "a refused batch was changed in part"


def check_forced_decisions_are_not_asked(game: Game, seed: int = 5, last: int | None = None) -> None:
    """A single legal action is asked only when hidden facts force it, or when it shows something to the player."""
    for states, mask, _ in walk(game, seed, last):
        if mask.sum() != 1 or game.action_layout.find(int(mask.argmax()))[0].name in game.spec.asked_anyway:
            continue
        mover = int(states.player[0])
        others = [p for p in range(game.num_players) if p != mover]
        words = f"at ply {states.ply[0]} only {game.action_text(states, int(mask.argmax()))!r} is legal"
        assert others and game.facts.hidden_information, words
        # A seat may see by its own secret that the mover has no choice: not asking would give that secret away. So the
        # views are sampled from one seat's knowledge after another's, until only what all know is left.
        views = records.take(states, np.zeros(256, np.int64))
        for k, seat in enumerate((*others, mover, *others)):
            game.determinize(views, seat, seed + k)
        forced_for_all = bool((game.legal_actions(views) == mask).all())
        assert not forced_for_all, f"{words}, and everybody can see that"


def check_seeds(game: Game) -> None:
    """Same seed, same games; a list of seeds is taken one by one; games of a batch differ."""
    a, b = game.reset(8, 11), game.reset(8, 11)
    assert a.tobytes() == b.tobytes(), "the same seed gave other games"
    assert len(set(a.seed)) == 8, "games of a batch share a seed"
    listed = game.reset(3, [7, 11, 7])
    assert listed[0].tobytes() == listed[2].tobytes() == game.reset(1, 7)[0].tobytes(), (
        "a list of seeds is not honoured"
    )
    assert listed[1].tobytes() == game.reset(1, 11)[0].tobytes(), "a list of seeds is not honoured"
    used = play(game, 4, 1)
    game.restart(used, spawn_seeds(4, 5))
    assert used.tobytes() == game.reset(4, 5).tobytes(), "setup on a used record differs from a fresh one"


def check_batch_size_order_and_threads_do_not_matter(game: Game, n: int = 300, moves: int = 40) -> None:
    """Alone, in any batch, in any order, on one thread or several: identical."""
    threaded = type(game)(game.spec, game.num_players, game.reward, game.components, 2, **game.options)
    threaded.rows_per_thread = 16
    words = spawn_seeds(n, 3)

    def run(which: Game, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        states = which.reset(len(order), 0)
        which.restart(states, words[order])
        buffers = which.buffers(len(order))
        buffers.mask[:] = which.legal_actions(states)
        for move in range(moves):
            wish = (order * 31 + move * 17) % 1009
            actions = np.array([legal[w % len(legal)] for legal, w in zip(map(np.flatnonzero, buffers.mask), wish,
                                                                          strict=True)])  # fmt: skip
            which.advance(states, actions, buffers)
        back = np.argsort(order)
        return records.rows(states)[back], buffers.observation[back]

    plain = run(game, np.arange(n))
    mixed = run(threaded, np.random.default_rng(0).permutation(n))
    alone = run(game, np.array([5]))
    assert np.array_equal(plain[0], mixed[0]), "order or threads change the games"
    assert np.array_equal(plain[1], mixed[1]), "order or threads change the observations"
    assert np.array_equal(plain[0][5], alone[0][0]), "a game alone differs from the same game in a batch"
    assert np.array_equal(plain[1][5], alone[1][0]), "a view alone differs from the same view in a batch"


def check_the_training_step(game: Game, n: int = 16, seed: int = 6) -> None:
    """`advance` is step, rewards, restart, legal_actions and observe in one; so is `advance_trusted`."""
    rng = np.random.default_rng(seed)
    states, slow = game.reset(n, seed), game.reset(n, seed)
    buffers = game.buffers(n)
    buffers.mask[:] = game.legal_actions(states)
    seats = rng.integers(0, game.num_players, n)
    ended = 0
    for k in range(2 * game.facts.longest_game):
        actions = random_actions(buffers.mask, rng)
        before = records.copy(slow)
        game.step(slow, actions)
        (game.advance, game.advance_trusted)[k % 2](states, actions, buffers, seats=seats)
        assert np.array_equal(buffers.rewards, game.rewards(before, slow)), "advance pays other rewards"
        assert np.array_equal(buffers.terminated, slow.over), "advance notes another end"
        assert np.array_equal(buffers.capped, slow.capped), "advance notes another guard's end"
        over = np.flatnonzero(slow.over)
        if len(over):
            ended += len(over)
            final = game.observe(slow, seats)
            assert np.array_equal(buffers.final_observation[over], final[over]), "another final observation"
            records.put(slow, over, records.take(states, over))
            assert (slow.ply[over] == 0).all(), "a finished game was not restarted"
            again = records.take(states, over)
            game.restart(again, again.seed.copy())
            assert again.tobytes() == records.take(states, over).tobytes(), "a restarted game cannot be replayed"
        assert states.tobytes() == slow.tobytes(), "advance plays another game than step"
        assert np.array_equal(buffers.mask, game.legal_actions(slow)), "advance masks otherwise"
        assert np.array_equal(buffers.observation, game.observe(slow, seats)), "advance observes otherwise"
        if ended > 2 * n:
            return


def check_rewards(game: Game, n: int = 32) -> None:
    """`win` and `place` are zero-sum and paid once; `points` adds up to the final points."""
    for scheme in ("win", "place", "points"):
        paying = type(game)(game.spec, game.num_players, scheme, game.components, 1, **game.options)
        rng = np.random.default_rng(1)
        states = paying.reset(n, 9)
        first = paying.reset(n, 9)
        total = np.zeros((n, paying.num_players))
        while not states.over.all():
            live = np.flatnonzero(~states.over)
            part = records.take(states, live)
            before = records.copy(part)
            paying.step(part, random_actions(paying.legal_actions(part), rng))
            total[live] += paying.rewards(before, part)
            records.put(states, live, part)
        if scheme == "points" or paying.num_players == 1:
            earned = states.points[:, : paying.num_players] - (
                first.points[:, : paying.num_players] if scheme == "points" else 0
            )
            assert np.allclose(total, earned * paying.points_scale, atol=1e-4), f"{scheme}: not the points earned"
            continue
        assert np.allclose(total.sum(axis=1), 0, atol=1e-5), f"{scheme} is not zero-sum"
        best = states.place[:, : paying.num_players] == 0
        assert (total[best] > total.mean()).all() or best.all(axis=1).any(), f"{scheme} does not favour the winner"


def check_saves(game: Game, seed: int = 8) -> None:
    """Save and load, replay from seed and actions: identical; another game's bytes are refused."""
    actions = []
    for states, _, action in walk(game, seed):
        if states.ply[0] == 25:
            break
        actions.append(action)
    data = game.save(states)
    assert game.load(data).tobytes() == states.tobytes(), "load(save()) differs"
    assert game.replay(seed, actions).tobytes() == states.tobytes(), "seed and actions do not replay the game"
    for damaged in (b"x" + data, data[:-3], data.replace(game.components_hash.encode(), b"0" * 16)):
        try:
            game.load(damaged)
        except SaveError:
            continue
        raise AssertionError("a damaged or foreign save was accepted")


def check_bad_options_are_refused(game: Game) -> None:
    """Wrong player counts, unknown switches and values, broken components files: a ValueError that says what."""
    spec = game.spec
    cases: list[tuple[dict, str]] = [
        ({"players": spec.max_players + 1}, str(spec.max_players + 1)),
        ({"players": spec.min_players - 1}, str(spec.min_players - 1)),
        ({"no_such_switch": True}, "no_such_switch"),
        ({"reward": "fame"}, "fame"),
        ({"components": "no_such_file.toml"}, "no_such_file.toml"),
        *(({option.name: "nonsense"}, option.name) for option in spec.options),
    ]
    for options, expected in cases:
        try:
            make_game(spec.name, **options)
        except OptionError as error:
            assert expected in str(error), f"the error for {options} does not name {expected}: {error}"
        else:
            raise AssertionError(f"{options} was accepted")
