"""Samples, bounds and forced decisions against a perfect memory (bookkeeper.py), over games with many open thefts."""

import functools

import numpy as np
import pytest
from scipy.stats import chi2

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.games.polite_society import guesses
from banquet_envs.games.polite_society.components import Card
from banquet_envs.games.polite_society.state import Action
from tests.games.polite_society.bookkeeper import Bookkeeper
from tests.games.polite_society.build import bounds_of, game

WORLDS = 3000
"""Possible tables of hands that the memory is asked to follow; a game is left when there are more."""


@functools.cache
def box(folder):
    """A components file with 40 cards that steal an asset."""
    text, old = game(2).components.read_text(), 'type = "steal_asset"\nasset = ""\ncount = 6\n'
    assert old in text
    file = folder / "thieves.toml"
    file.write_text(text.replace(old, old.replace("6", "40")))
    return file


def choose(rng, s, mask):
    """Random play that steals whenever it can, and does little that would show hands."""
    legal = np.flatnonzero(mask)
    weight = np.ones(len(legal))
    for k, action in enumerate(legal):
        if action == Action.PLAY and s.kept == Card.STEAL_ASSET:
            weight[k] = 30
        elif action - Action.KEEP in (0, 1) and s.drawn[action - Action.KEEP] == Card.STEAL_ASSET:
            weight[k] = 20
        elif Action.BUY <= action < Action.PARTNER:
            weight[k] = 0.3
        elif Action.PARTNER <= action < Action.ITEM:
            weight[k] = 0.2
        elif action in (Action.ACCEPT, Action.END, Action.BANK_TRADE):
            weight[k] = 2
    return int(rng.choice(legal, p=weight / weight.sum()))


def positions(g, seed, steps, observers=None):
    """Yields (states, memories): the public's at -1, each observer's at its seat; while thefts are open."""
    rng = np.random.default_rng(seed)
    states = g.reset(1, seed)
    seats = range(g.num_players) if observers is None else observers
    memories = {-1: Bookkeeper(g, None), **{seat: Bookkeeper(g, seat) for seat in seats}}
    for _ in range(steps):
        action = choose(rng, states[0], g.legal_actions(states)[0])
        before = records.copy(states)[0]
        g.step(states, [action])
        followed = all(memory.follow(before, action, states[0]) for memory in memories.values())
        if states[0].over or not followed or len(memories[-1].worlds) > WORLDS:
            return
        if states[0].thefts:
            yield states, memories


class Fit:
    """Chi-squares of samples against exact chances, added up."""

    def __init__(self):
        self.sum = self.freedom = self.samples = 0

    def add(self, memory, hands):
        """Hands (n, players, 4) of samples, all of which must be possible; those expected less than five times are one."""
        n, left, rest = len(hands), 1.0, len(hands)
        found, counts = np.unique(hands.reshape(n, -1), axis=0, return_counts=True)
        sampled = {tuple(row): int(k) for row, k in zip(found.tolist(), counts, strict=True)}
        assert set(sampled) <= set(memory.worlds), "an impossible sample"
        total = sum(memory.worlds.values())
        classes = []
        for world, weight in memory.worlds.items():
            if n * weight / total >= 5:
                classes.append((sampled.get(world, 0), n * weight / total))
                left -= weight / total
                rest -= sampled.get(world, 0)
        if n * left >= 5:
            classes.append((rest, n * left))
        self.sum += sum((k - expected) ** 2 / expected for k, expected in classes)
        self.freedom += max(0, len(classes) - 1)
        self.samples += n

    def check(self):
        """Chance alone would fail this once in 100,000 runs."""
        assert self.freedom > 20
        assert self.sum < chi2.ppf(1 - 1e-5, self.freedom)


def check_samples(g, seeds, steps, every, n=150):
    """Samples of every seat are possible, as likely as they should be, the same from any truth that it cannot tell apart."""
    fit, most = Fit(), 0
    for seed in seeds:
        for k, (states, memories) in enumerate(positions(g, seed, steps)):
            if k % every:
                continue
            most = max(most, int(states[0].thefts))
            for seat in range(g.num_players):
                assert memories[seat].share(states[0].hand[: g.num_players]) > 0
                many = np.repeat(states, n).view(np.recarray)
                g.determinize(many, seat, k)
                again = records.copy(many)
                g.determinize(again, seat, k)
                assert again.tobytes() == many.tobytes(), "a sample depends on what is hidden"
                fit.add(memories[seat], np.asarray(many.hand)[:, : g.num_players])
    fit.check()
    return most


@pytest.mark.parametrize(("players", "seeds"), [(3, range(1)), (5, range(3))])
def test_samples_are_possible_exact_and_never_lean_to_the_truth(players, seeds):
    assert check_samples(game(players), seeds, 300, 12) > 3


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"missions": "janeite", "play_on": True, "limited_bank": False}], ids=str)
@pytest.mark.parametrize("players", range(3, 8))
def test_samples_of_long_games_among_thieves(tmp_path_factory, players, options):
    g = make_game("polite_society", players, components=box(tmp_path_factory.getbasetemp()), **options)
    assert check_samples(g, range(4), 500, 25, 200) > 5


def check_bounds(g, seed, steps, every):
    """Bounds are sound: those of all, and each seat's, exact with up to three open thefts; what a hand may be is exact."""
    rng = np.random.default_rng(seed)
    n, seen, exact = g.num_players, 0, 0
    for k, (states, memories) in enumerate(positions(g, seed, steps)):
        s = states[0]
        if k % every:
            continue
        seen += 1
        for seat in range(-1, n):
            worlds = np.array(list(memories[seat].worlds)).reshape(-1, n, 4)
            least, most = (s.low[:n], s.high[:n]) if seat < 0 else bounds_of(g, states, seat)
            assert (least <= worlds.min(axis=0)).all()
            assert (most >= worlds.max(axis=0)).all()
            if s.thefts < 3:
                assert (least == worlds.min(axis=0)).all()
                assert (most == worlds.max(axis=0)).all()
        if guesses.choices(s, -1) > guesses.MANY:
            continue
        exact += 1
        for seat in range(n):
            needs = rng.integers(0, 3, (3, 4))
            for need in needs.tolist():
                code = sum(count << (5 * a) for a, count in enumerate(need))
                assert guesses.may_hold(s, seat, code) == memories[-1].may_hold(seat, need)
    return np.array([seen, exact])


@pytest.mark.parametrize("players", [3, 5])
def test_bounds_and_what_a_hand_may_be(players):
    assert (check_bounds(game(players), 4, 300, 10) > (8, 4)).all()


@pytest.mark.long
@pytest.mark.parametrize("players", range(3, 8))
def test_bounds_in_long_games_among_thieves(tmp_path_factory, players):
    g = make_game("polite_society", players, components=box(tmp_path_factory.getbasetemp()))
    assert (sum(check_bounds(g, seed, 400, 10) for seed in range(4)) > (10, 8)).all()


WAYS = {"weighing all": guesses.guess_by_weight, "some paths": guesses.guess_roughly, "any": guesses.search}


def check_ways(g, seeds, steps, every, n=60):
    """Each way of finding an assignment finds legal ones only; by weight in exact proportion, whatever the others do."""
    fit, found = Fit(), dict.fromkeys(WAYS, 0)
    for seed in seeds:
        for k, (states, memories) in enumerate(positions(g, seed, steps, observers=[0])):
            if k % every:
                continue
            for name, way in WAYS.items():
                if name == "weighing all" and guesses.choices(states[0], 0) > guesses.MANY:
                    continue
                many = np.repeat(states, n).view(np.recarray)
                many["rng"] = np.arange(1, n + 1) * 7919
                for s in many:
                    assert way(s, 0)
                    guesses.take_guesses(s)
                found[name] += 1
                hands = np.asarray(many.hand)[:, : g.num_players]
                (fit if name == "weighing all" else Fit()).add(memories[0], hands)
    fit.check()
    return found


def test_every_way_of_finding_an_assignment_finds_legal_ones():
    assert min(check_ways(game(4), range(2), 250, 20).values()) > 5


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 5, 7])
def test_every_way_of_finding_an_assignment_in_long_games(tmp_path_factory, players):
    g = make_game("polite_society", players, components=box(tmp_path_factory.getbasetemp()))
    check_ways(g, range(4), 500, 20)
