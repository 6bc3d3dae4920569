"""The public position is read back from the vector, by the layout alone."""

import numpy as np
import pytest

from banquet_envs.testing.play import walk
from tests.games.polite_society.build import buy, game, main_phase


def ints(values, scale):
    return np.rint(np.asarray(values) * scale).astype(int)


def check(g, s, seat, seen):
    n = g.num_players
    order = [(seat + k) % n for k in range(n)]
    assert seen["phase"].argmax() == s.phase or s.over
    assert order[int(seen["active"].argmax())] == s.active
    assert order[int(seen["first"].argmax())] == s.first
    if not s.over:
        assert order[int(seen["seat_to_move"].argmax())] == s.player
    assert ints(seen["guests"], 8).tolist() == s.points[order].tolist()
    assert ints(seen["hand_size"], 12).tolist() == np.minimum(24, s.hand[order].sum(axis=1)).tolist()
    assert (seen["out"] == s.out[order]).all()
    assert (ints(seen["finish"], 7) - 1).tolist() == s.finish[order].tolist()
    assert (ints(seen["table"][:, :, 0], 62) - 1 == s.table[order]).all()
    assert (seen["table"][:, :, 5] == s.token[order]).all()
    assert (seen["improvement"] == s.improvement[order]).all()
    assert (ints(seen["list"][:, 0], 62) - 1).tolist() == s.list.tolist()
    assert (ints(seen["draft"][:, 0], 62) - 1).tolist() == s.draft[: 2 * n].tolist()
    rules = g.rules[0]
    for k, guest in enumerate(s.list):
        if guest >= 0:
            assert ints(seen["list"][k, 1:5], 2).tolist() == rules.guest[guest].reward.tolist()
            assert ints(seen["list"][k, 5:], 4).tolist() == rules.guest[guest].cost.tolist()
    assert ints(seen["where"], 2).tolist() == [{0: 2, 1: 1}.get(int(w), 0) for w in s.where]
    assert ints(seen["bank"], 24).tolist() == s.bank.tolist()
    assert ints(seen["discard"], 8).tolist() == s.discard.tolist()
    assert ints(seen["clock"][1:5], 6).tolist() == [*s.dice.tolist(), *s.add_dice.tolist()]
    assert round(float(seen["clock"][0]) * int(rules.max_turns)) == s.turns
    assert ints(seen["stock"], [60, 60, 50, 50, 8]).tolist() == [
        (s.where == 0).sum(), (s.where == 1).sum(), s.deck.sum(), s.discard.sum(), s.supply,
    ]  # fmt: skip
    assert ints(seen["hand"], 12).tolist() == np.minimum(24, s.hand[seat]).tolist()
    mine = s.active == seat
    assert seen["kept"].sum() == (mine and s.kept >= 0)
    unseen = s.deck.astype(int).copy()
    if not mine:
        for card in (*s.drawn, s.kept):
            if card >= 0:
                unseen[card] += 1
    assert ints(seen["unseen"], 8).tolist() == unseen.tolist()
    assert seen["excluded"].reshape(-1, 10).tolist() == [
        [int(s.excluded[p]) >> m & 1 for m in range(10)] for p in order[1:]
    ]
    if s.offered >= 0:
        assert ints(seen["offer"][:4], 2).tolist() == rules.gives[s.offered].tolist()
        assert ints(seen["offer"][4:8], 2).tolist() == rules.wants[s.offered].tolist()
        assert order[int(seen["partner"].argmax())] == s.partner
    assert round(float(seen["offer"][8]) * 3) == s.offers
    assert (ints(seen["refused"][:, 1], 60) - 1).tolist() == s.refused.tolist()
    assert ints(seen["pending"][0], 62) - 1 == s.pending
    assert (ints(seen["lifted"][:, 0], 62) - 1).tolist() == s.lifted.tolist()


@pytest.mark.parametrize("options", [{}, {"missions": "janeite", "trades": "wide", "play_on": True}])
@pytest.mark.parametrize("players", [2, 4, 7])
def test_decoder(players, options):
    g = game(players, **options)
    moves = 0
    for states, _, _ in walk(g, 12):
        moves += 1
        if moves % 8 == 0:
            for seat in range(players):
                check(g, states[0], seat, g.layout.split(g.observe(states, seat)[0]))
    assert moves > 100


def test_width_depends_on_the_number_of_players_only():
    widths = {n: game(n).observation_size for n in range(2, 8)}
    assert len(set(widths.values())) == 6
    for n, width in widths.items():
        assert game(n, missions="janeite", trades="wide").observation_size == width


def test_counting_features():
    """Of the list: what the hand lacks, what is affordable, and what the mission (two heroines) gains."""
    g = game(2, missions="janeite")
    states = main_phase(
        g,
        hands=["WWBH", "W"],
        tables=[{6: "Miss Emma Woodhouse", 8: "Mr. Bennet"}, {}],
        shown=["Sir James Martin", "Miss Fanny Price"],
        missions=(1, 2),
        kept="Wild asset",
    )
    seen = g.layout.split(g.observe(states, 0)[0])
    assert buy(states, "Sir James Martin") in np.flatnonzero(g.legal_actions(states)[0])
    assert seen["list_own"][:2].tolist() == [[0, 1], [np.float32(5 / 9), 0]]  # she costs 4 heart, 1 beauty, 2 wit
    assert seen["mission_own"].tolist() == [0.125, 1]
    assert seen["gap_list"][:2].tolist() == [[0, 1], [-0.125, 1]]
    assert seen["gap_table"][[3, 4]].tolist() == [[0.125, 1], [0, 1]]
    # Emma brings wealth, beauty and wit on 6 (5 in 36), Mr. Bennet wit on 8 (5 in 36)
    assert np.allclose(seen["income"][0], np.array([5, 0, 5, 10]) / 36)
