"""Every feature but the bounds of hands (test_memory) is read back from the vector, by the layout alone, for every seat."""

import itertools

import numpy as np
import pytest

from banquet_envs.core.compile import JIT
from banquet_envs.games.polite_society.state import Action, Phase
from banquet_envs.games.polite_society.tables import mission_gap
from banquet_envs.testing.play import walk
from tests.games.polite_society.build import (
    NUMBERS,
    asset,
    buy,
    game,
    item,
    legal,
    main_phase,
    partner,
    play,
    player,
)
from tests.games.polite_society.build import seat as at_seat

ROLLS = [sum(dice) for dice in itertools.product(range(1, 7), repeat=2)]


def ints(values, scale):
    return np.rint(np.asarray(values) * scale).astype(int)


def hot(size, *which):
    return [int(k in which) for k in range(size)]


def income(g, s, seat):
    """What the well guests of a table bring in 36 rolls."""
    total = np.zeros(4)
    for roll in ROLLS:
        place = NUMBERS.get(roll, -1)
        if place >= 0 and s.table[seat, place] >= 0 and not s.token[seat, place]:
            total += g.rules[0].guest[s.table[seat, place]].reward
    return total / 36


class Mission:
    """A seat's mission, and what is lacking for it: for its table, with one guest more, with one guest fewer."""

    def __init__(self, g, s, seat):
        self.rules, self.mission = g.rules[0], int(s.mission[seat])
        self.table = {int(guest) for guest in s.table[seat] if guest >= 0}
        self.now = self.lacking(self.table)

    def lacking(self, guests):
        return (
            min(9, int(mission_gap(self.rules, self.mission, sum(1 << k for k in guests)))) if self.mission >= 0 else 0
        )

    def reachable(self, guests):
        return self.mission < 0 or self.lacking(guests) <= 8 - len(guests)

    def with_each(self, guests):
        """Rows of a gap slice; zeros where there is no guest."""
        for guest in map(int, guests):
            changed = self.table ^ {guest}
            yield [(self.lacking(changed) - self.now) / 8, self.reachable(changed)] if guest >= 0 else [0, 0]


def check_derived(g, s, seat, seen):
    """What is worked out for a seat: income of all tables, what its hand lacks, what its mission lacks."""
    order = [(seat + k) % g.num_players for k in range(g.num_players)]
    assert np.allclose(seen["income"], [income(g, s, p) for p in order], atol=1e-6)
    lacking = [np.maximum(0, g.rules[0].guest[k].cost - s.hand[seat]).sum() if k >= 0 else 0 for k in s.list]
    assert ints(seen["list_own"][:, 0], 9).tolist() == lacking
    assert seen["list_own"][:, 1].tolist() == [k >= 0 and not n for k, n in zip(s.list, lacking, strict=True)]
    mine = Mission(g, s, seat)
    assert seen["mission"].tolist() == hot(10, mine.mission)
    assert seen["mission_own"].tolist() == [mine.now / 8, mine.reachable(mine.table)]
    for name, guests in (("list", s.list), ("draft", s.draft[: 2 * g.num_players]), ("table", s.table[seat])):
        assert seen[f"gap_{name}"].tolist() == list(mine.with_each(guests)), name


def check_running(g, s, seat, seen):
    """What is being done: cards looked at and played, tokens and guests on their way."""
    n = g.num_players
    mine = s.active == seat
    assert ints(seen["drawn"], 2).tolist() == [int(mine) * int((s.drawn == k).sum()) for k in range(17)]
    assert seen["kept"].tolist() == hot(17, s.kept if mine else -1)
    assert ints(seen["known"], 17).tolist() == [s.dropped + 1, s.sure + 1]
    assert seen["playing"].tolist() == hot(17, s.playing)
    assert (seen["clock"][5] == 1) == (s.kept >= 0)
    for name, whom in (("partner", s.partner), ("target", s.target)):
        assert seen[name].tolist() == hot(n, (whom - seat) % n if whom >= 0 else -1)
    assert seen["token_from"][:n].tolist() == hot(n, (s.from_player - seat) % n if s.from_player >= 0 else -1)
    assert seen["token_from"][n:].tolist() == hot(8, s.from_seat)
    assert ints(seen["refused"][:, 0], 7).tolist() == [(p - seat) % n if p >= 0 else 0 for p in s.refused_by]
    assert seen["lifted"][:, 1].tolist() == s.lifted_token.tolist()
    assert seen["removed"].tolist() == [s.removals]
    for guests, faces in ((s.table[seat], seen["table"][0]), (s.draft[: 2 * n], seen["draft"])):
        rewards = [g.rules[0].guest[k].reward.tolist() if k >= 0 else [0] * 4 for k in guests]
        assert ints(faces[:, 1:5], 2).tolist() == rewards


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
    assert round(float(seen["offer"][8]) * 3) == s.offers
    assert (ints(seen["refused"][:, 1], 60) - 1).tolist() == s.refused.tolist()
    assert ints(seen["pending"][0], 62) - 1 == s.pending
    assert (ints(seen["lifted"][:, 0], 62) - 1).tolist() == s.lifted.tolist()


@pytest.mark.parametrize("options", [{}, {"missions": "janeite", "trades": "wide", "play_on": True}])
@pytest.mark.parametrize("players", [2, 4, 7])
def test_decoder(players, options):
    g = game(players, **options)
    moves = 0
    for states, _, _ in walk(g, 12, None if JIT else 40):
        moves += 1
        if moves % (4 * players if JIT else 8) == 0:  # each time for every seat
            check_all(g, states)
    assert moves > (100 if JIT else 30)


def check_all(g, states):
    for seat in range(g.num_players):
        seen = g.layout.split(g.observe(states, seat)[0])
        for part in (check, check_derived, check_running):
            part(g, states[0], seat, seen)


MIDST = {  # the card kept and what is done; every position on the way is read by every seat
    "Wild asset": [Action.PLAY, asset("B"), partner(1), item("W", "T"), Action.DECLINE, partner(2), item("W", "H"), Action.ACCEPT, Action.REMOVE, at_seat(9)],
    "Remove a guest": [Action.PLAY, player(1), at_seat(8)],
    "Indisposed": [Action.PLAY, player(1), at_seat(12), player(0)],
    "Rearrange guests": [Action.PLAY, at_seat(12), at_seat(2)],
    "Steal an improvement": [Action.PLAY, asset("T")],
    "Hand limit": [Action.PLAY, asset("W")],
}  # fmt: skip


@pytest.mark.parametrize("card", MIDST)
def test_every_feature_in_the_midst_of_a_turn(card):
    g = game(3, missions="janeite")
    states = main_phase(
        g,
        hands=["WWWBBH", "WTTT", "HHB"],
        tables=[
            {6: "Miss Emma Woodhouse", 9: "Mr. Bennet"},
            {5: "Miss Fanny Price", 8: "Mr. Elton", 12: "Miss Bates"},
            {2: "Colonel Brandon"},
        ],
        shown=["Sir James Martin", "Mr. Fitzwilliam Darcy", "Miss Anne Elliot"],
        tokens=[(1, 5), (1, 12), (0, 6)],
        improvements=[(1, "Improvement: wit on a 7"), (1, "Improvement: three for one")],
        missions=(1, 2, 3),
        kept=card,
    )
    check_all(g, states)
    for action in MIDST[card]:
        assert action in legal(g, states)
        play(g, states, action)
        check_all(g, states)
    assert states[0].phase == Phase.MAIN


def test_finishers_and_missions_ruled_out_are_seen_by_all():
    g = game(3, missions="janeite", play_on=True)
    states = main_phase(g, hands=["W", "", "H"], tables=[{}, {6: "Mr. Bennet"}], missions=(2, 1, 3), kept="Wild asset")
    s = states[0]
    s.out[1], s.finish[1], s.finished = 1, 0, 1
    s.excluded[0], s.excluded[2] = 1 << 0, 1 << 4 | 1 << 9  # the first and the last mission, too
    check_all(g, states)
    seen = g.layout.split(g.observe(states, 2)[0])
    assert seen["out"].tolist() == [0, 0, 1]
    assert ints(seen["finish"], 7).tolist() == [0, 0, 1]
    assert seen["excluded"].tolist() == [hot(10, 0), hot(10)]
    assert g.layout.split(g.observe(states, 1)[0])["excluded"].tolist() == [hot(10, 4, 9), hot(10, 0)]


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
