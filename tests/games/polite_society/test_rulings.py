"""Each numbered ruling of README.md; expected values by hand. Cards have their own file, missions too."""

import itertools
from collections import Counter

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.games.polite_society.state import Action, Phase, Where
from tests.games.polite_society.build import (
    asset,
    bank,
    buy,
    card,
    game,
    guest,
    item,
    legal,
    letters,
    main_phase,
    names,
    partner,
    play,
    player,
    rolled,
    seat,
    until,
)
from tests.sizes import many

SEVEN = (
    "Mr. Elton", "Mr. Bennet", "Mrs. Bennet", "Miss Bates", "Mr. Woodhouse", "Mrs. Norris", "Lady Bertram",
)  # fmt: skip
FULL = dict(zip((2, 4, 5, 6, 8, 9, 10), SEVEN, strict=True))


def test_ruling_01_setup_order_is_uniform_and_the_first_begins_clockwise():
    """1,200 games of three: 6 orders of about 200; 5 degrees of freedom, 0.1 % point 20.5."""
    g = game(3)
    states = g.reset(1200, 9)
    orders = Counter(map(tuple, states.draft_order[:, :3].tolist()))
    assert set(orders) == set(itertools.permutations(range(3)))
    assert sum((n - 200) ** 2 / 200 for n in orders.values()) < 20.5
    assert (states.first == states.draft_order[:, 0]).all()
    one = main_phase(g, active=1)
    assert play(g, one, Action.END).active == 2
    one = main_phase(g, active=2)
    assert play(g, one, Action.END).active == 0


def test_ruling_02_the_last_pick_is_forced_its_seat_is_not():
    g = game(2)
    states = g.reset(1, 3)
    phases = []
    while states[0].turns == 0:
        phases.append(int(states[0].phase))
        g.step(states, [max(legal(g, states))])
    assert phases == [Phase.DRAFT, Phase.DRAFT_SEAT] * 3 + [Phase.DRAFT_SEAT]
    assert states[0].draft.max() == -1


def test_ruling_03_a_bought_slot_stays_empty_until_the_next_turn():
    g = game(2)
    states = main_phase(g, hands=["WWB", ""], shown=["Sir James Martin", "Miss Bates"], kept="Wild asset")
    s = play(g, states, buy(states, "Sir James Martin"), seat(5))
    assert s.list.tolist() == [-1, guest("Miss Bates"), -1, -1]
    after = until(g, states, Action.END, lambda s: s.dice.sum() != 7)[0]
    assert (after.list >= 0).all()
    assert after.list[1] == guest("Miss Bates")


def test_ruling_04_a_seven_renews_the_list_and_pays_all_improvements_but_no_guest():
    g = game(3)
    states = main_phase(
        g,
        hands=["", "", ""],
        tables=[{n: "Mr. Darcy".replace("Mr. Darcy", "Mr. Fitzwilliam Darcy")} if n == 6 else {} for n in (6, 8, 9)],
        shown=["Sir James Martin", "Miss Bates"],
        improvements=[
            (0, "Improvement: wealth on a 7"),
            (2, "Improvement: wit on a 7"),
            (2, "Improvement: heart on a 7"),
        ],
    )
    s = until(g, states, Action.END, rolled(7))[0]
    assert [letters(s.hand[p]) for p in range(3)] == ["W", "", "HT"]
    assert s.where[guest("Miss Bates")] == Where.DISCARDED
    assert s.where[guest("Sir James Martin")] == Where.DISCARDED
    assert (s.list >= 0).sum() == 4
    assert s.phase == Phase.KEEP  # the action cards follow as usual


def test_ruling_05_one_of_two_cards_is_kept_the_other_discarded_at_once():
    g = game(2)
    states = main_phase(g, hands=["WHBT", ""], shown=["Mr. Elton"])
    states = until(g, states, Action.END, lambda s: s.drawn[0] != s.drawn[1])
    s = states[0]
    first, second = int(s.drawn[0]), int(s.drawn[1])
    assert legal(g, states) == {Action.KEEP, Action.KEEP + 1}
    s = play(g, states, Action.KEEP + 1)
    assert (s.kept, s.dropped, s.discard[first]) == (second, first, 1)
    assert s.discard[second] == (first == second)


def test_ruling_06_the_card_is_optional_and_discarded_at_the_end():
    g = game(2)
    states = main_phase(g, hands=["", "W"], kept="Improvement: wit on a 7")
    assert {Action.PLAY, Action.END} <= legal(g, states)
    s = play(g, states, Action.END)
    assert s.discard[card("Improvement: wit on a 7")] == 1
    assert s.improvement.sum() == 0


def test_ruling_06_switch_mandatory():
    g = game(2, mandatory_card=True)
    states = main_phase(g, hands=["", "W"], kept="Wild asset")
    assert Action.END not in legal(g, states)
    assert Action.PLAY in legal(g, states)
    states = main_phase(g, hands=["W", ""], kept="Steal an asset")  # nobody to steal from
    assert Action.END in legal(g, states)
    assert Action.PLAY not in legal(g, states)


def test_ruling_07_nothing_but_the_choice_of_card_before_the_main_phase():
    g = game(2)
    states = main_phase(g, hands=["WWWWW", "WWWWW"], shown=["Sir James Martin"])
    g.step(states, [Action.END])
    assert legal(g, states) <= {Action.KEEP, Action.KEEP + 1}


def test_ruling_08_any_number_of_purchases_but_not_with_a_full_table():
    g = game(2, missions="janeite")
    states = main_phase(
        g,
        hands=["WWWWBBBBTT", ""],
        tables=[{n: FULL[n] for n in (2, 4, 5, 6, 8, 9)}, {}],
        shown=["Sir James Martin", "Mrs. Augusta Elton", "Mr. George Wickham"],
        missions=(1, 2),  # two heroines: not met
        kept="Wild asset",
    )
    play(g, states, buy(states, "Sir James Martin"), seat(10))
    s = play(g, states, buy(states, "Mrs. Augusta Elton"))
    assert s.points[0] == 8
    assert not s.over
    assert buy(states, "Mr. George Wickham") not in legal(g, states)  # affordable, but no seat


@pytest.mark.parametrize(("held", "left"), [("WHT", "WT"), ("WT", "WT"), ("HHT", "T"), ("HHHT", "HT"), ("", "")])
def test_ruling_09_losses_are_paid_as_far_as_held(held, left):
    """Mrs. Norris takes 2 heart."""
    g = game(2)
    states = main_phase(g, hands=[held, ""], tables=[{6: "Mrs. Norris"}, {}])
    assert letters(until(g, states, Action.END, rolled(6))[0].hand[0]) == left


def test_ruling_09_each_asset_is_paid_by_itself():
    """Mr. John Thorpe takes 1 beauty and 1 wit; there is only wit."""
    g = game(2)
    states = main_phase(g, hands=["WTT", ""], tables=[{6: "Mr. John Thorpe"}, {}])
    assert letters(until(g, states, Action.END, rolled(6))[0].hand[0]) == "WT"


def test_ruling_10_losses_first_then_clockwise_from_the_active_player():
    """One heart in the bank; seat 2 returns one, so two are there: for seat 1 (active) and seat 2, not for seat 0."""
    g = game(4)
    states = main_phase(
        g,
        hands=["", "", "H", ""],
        tables=[{6: "Mrs. Weston"}, {6: "Miss Jane Bennet"}, {}, {6: "Miss Lydia Bennet"}],
    )
    states[0].table[2] = states[0].table[3]
    states[0].table[3] = -1
    states[0].bank[1] = 1
    s = until(g, states, Action.END, rolled(6))[0]
    assert s.active == 1
    assert [letters(s.hand[p]) for p in range(4)] == ["H", "HB", "", ""]
    assert s.bank[1] == 0
    states[0].bank[1] = 0
    s = until(g, states, Action.END, rolled(6))[0]
    assert [letters(s.hand[p]) for p in range(4)] == ["", "HB", "", ""]


def test_ruling_10_bank_trades_and_cards_take_only_what_is_there():
    g = game(2)
    states = main_phase(g, hands=["WWWWT", ""], kept="Two wit")
    states[0].bank[3] = 0
    assert bank("W", "T") not in legal(g, states)
    assert bank("W", "H") in legal(g, states)
    assert Action.PLAY not in legal(g, states)
    states[0].bank[3] = 1
    assert letters(play(g, states, Action.PLAY).hand[0]) == "WWWWTT"


def test_ruling_10_switch_unlimited():
    g = game(2, limited_bank=False)
    states = main_phase(g, hands=["", ""], kept="Two wit")
    states[0].bank[3] = 0
    s = play(g, states, Action.PLAY)
    assert letters(s.hand[0]) == "TT"
    assert s.bank[3] == -2


def test_ruling_11_a_combined_seat_holds_one_guest():
    g = game(2)
    states = main_phase(g, hands=["WWB", ""], tables=[{2: "Mr. Elton"}, {}], shown=["Sir James Martin"])
    play(g, states, buy(states, "Sir James Martin"))
    assert len(legal(g, states)) == 7


def test_ruling_14_the_theft_is_uniform_over_cards():
    """A hand of WWHT: wealth half the time; 2 degrees of freedom, 0.1 % point 13.8."""
    g = game(2)
    states = main_phase(g, hands=["", "WWHT"], kept="Steal an asset")
    many = np.repeat(states, 2000).view(np.recarray)
    many["rng"] = np.arange(1, 2001) * 104729
    g.step(many, np.full(2000, Action.PLAY))  # one opponent: not asked whom
    stolen = many.hand[:, 0].sum(axis=0)
    assert stolen[2] == 0
    expected = np.array([1000, 500, 500])
    assert ((stolen[[0, 1, 3]] - expected) ** 2 / expected).sum() < 13.8


def test_ruling_22_an_exhausted_action_pile_is_made_of_the_discards_card_by_card():
    g = game(2)
    states = main_phase(g, hands=["W", "W"])
    s = states[0]
    s.discard[:] = s.deck
    s.deck[:] = 0
    s.deck[card("Wild asset")] = 1
    s.discard[card("Wild asset")] -= 1
    g.step(states, [Action.END])
    s = states[0]
    assert card("Wild asset") in s.drawn
    assert s.sure == card("Wild asset")  # everybody knew the last card
    assert s.discard.sum() == 0
    assert s.deck.sum() == 48


def test_ruling_22_an_exhausted_guest_pile_is_made_of_the_discards():
    g = game(7)
    states = main_phase(g, shown=["Miss Bates"])
    s = states[0]
    pile = np.flatnonzero(s.where[:60] == Where.PILE)
    s.where[pile[2:]] = Where.DISCARDED  # two left, three slots to fill
    s = until(g, states, Action.END, lambda s: s.dice.sum() != 7)[0]
    assert (s.list >= 0).all()
    assert set(pile[:2]) <= set(s.list.tolist())
    assert (s.where[:60] == Where.DISCARDED).sum() == 0
    assert (s.where[:60] == Where.PILE).sum() == 56


def test_ruling_22_no_draw_fails_with_fifty_six_guests_seated():
    """Seven full tables would leave four for the list; with one seat free, one more for Add a guest."""
    g = game(7, missions="social_butterfly")
    states = main_phase(g, kept="Add a guest", missions=range(1, 8))
    s = states[0]
    s.table[:, :] = np.arange(56).reshape(7, 8)
    s.table[0, 3] = -1
    s.where[:56], s.points[:] = Where.SEATED, 8
    s.where[3], s.points[0] = Where.DISCARDED, 7
    s.list[:] = range(56, 60)
    s.where[56:60] = Where.SHOWN
    after = until(g, states, Action.PLAY, lambda s: s.add_dice.sum() == 6)[0]
    assert after.table[0, 3] == 3
    again = until(g, states, Action.END, rolled(7))[0]
    assert (again.list >= 0).all()


def test_ruling_22_with_fewer_cards_the_list_is_short_and_add_a_guest_does_nothing(tmp_path):
    from banquet_envs import make_game

    text = game(2).components.read_text()
    start, end = text.index("[[guest]]\nid = 9\n"), text.index("# Couples, by guest id")
    small = text[:start] + text[end:]
    couples = small.index("[[couple]]"), small.index("# ------", small.index("[[couple]]"))
    file = tmp_path / "small.toml"
    file.write_text(small[: couples[0]] + small[couples[1] :])
    g = make_game("polite_society", players=2, components=file)
    states = main_phase(g, hands=["WHBT", "W"], kept="Add a guest")
    s = states[0]
    s.where[:8], s.list[:] = Where.SHOWN, range(4)
    s.where[4:8] = Where.SEATED
    s.table[1, :4], s.points[1] = range(4, 8), 4
    after = until(g, states, Action.PLAY, lambda s: s.add_dice.sum() == 6)[0]
    assert after.points[0] == 0
    s.list[2:] = -1
    s.where[2:4] = Where.SEATED
    s.table[1, 4:6], s.points[1] = (2, 3), 6
    after = until(g, states, Action.END, lambda s: s.dice.sum() != 7)[0]
    assert (after.list >= 0).sum() == 2


def test_ruling_23_the_game_stops_at_the_eighth_guest():
    g = game(3)
    states = main_phase(g, hands=["WWB", "", ""], tables=[FULL, {}, {}], shown=["Sir James Martin"])
    s = play(g, states, buy(states, "Sir James Martin"))
    assert s.over
    assert not s.capped


def test_ruling_24_losers_are_equal():
    g = game(3)
    states = main_phase(
        g, hands=["WWB", "WHBT", ""], tables=[FULL, {6: "Mr. Henry Tilney"}, {}], shown=["Sir James Martin"]
    )
    assert play(g, states, buy(states, "Sir James Martin")).place[:3].tolist() == [0, 1, 1]


def test_ruling_31_the_cap_finishes_the_round_and_ranks_by_guests_then_cards():
    g = game(4)
    states = main_phase(
        g,
        hands=["W", "WW", "WW", "WWWWW"],
        tables=[{6: "Mr. Bennet"}, {4: "Mrs. Bennet"}, {4: "Miss Bates"}, {}],
        active=2,
    )
    s = states[0]
    s.turns = 240  # but seat 3 has not had its turn in this round, which seat 0 began
    tried = until(g, states, Action.END, lambda s: s.dice.sum() == 12)
    assert not tried[0].over
    assert (tried[0].active, tried[0].turns) == (3, 241)
    play(g, tried, min(legal(g, tried)))
    s = play(g, tried, Action.END)
    assert s.over
    assert s.capped
    assert s.place[:4].tolist() == [2, 0, 0, 3]
    assert s.points[:4].tolist() == [1, 1, 1, 0]


def test_ruling_31_caps():
    assert game(4).rules[0].max_turns == 240
    assert game(4, missions="janeite").rules[0].max_turns == 360


@pytest.mark.parametrize("players", [2, 4, 7] if JIT else [2])
@pytest.mark.parametrize("level", ["social_butterfly", "janeite"] if JIT else ["janeite"])
def test_ruling_31_random_play_with_missions_ends_at_the_cap(players, level):
    from banquet_envs.testing.play import play as play_all

    g = game(players, missions=level)
    states = play_all(g, many(20, 1), 5)
    assert states.over.all()
    assert states.capped.mean() > 0.9
    capped = records.take(states, states.capped)
    assert (capped.turns >= 360).all()
    assert (capped.turns < 360 + players).all()
    guests = (capped.table[:, :players] >= 0).sum(axis=2) * 1000 + capped.hand[:, :players].sum(axis=2)
    for row, key in enumerate(guests):
        assert capped.place[row, :players].tolist() == [int((key > k).sum()) for k in key]


def test_ruling_31_the_cap_ends_the_game_in_the_training_step_too():
    g = game(2)
    states = main_phase(g, hands=["W", ""], active=1, kept="Wild asset")
    states[0].turns = 240
    buffers = g.buffers(1)
    g.advance(states, np.array([Action.END]), buffers, restart=False)
    assert buffers.terminated[0]
    assert buffers.capped[0]
    assert buffers.rewards[0].tolist() == [1, -1]


def test_ruling_34_a_begun_action_is_finished_first():
    g = game(3)
    states = main_phase(g, hands=["WWWWWWHH", "W", "W"], shown=["Sir James Martin"], kept="Hand limit")
    play(g, states, Action.PLAY)
    assert legal(g, states) == {asset("W"), asset("H")}  # no trade, no purchase between the discards
    states = main_phase(g, hands=["WWWWWWHH", "W", "W"], kept="Hand limit")
    play(g, states, partner(1))
    assert all(Action.ITEM <= a < Action.PLAY for a in legal(g, states))


def test_ruling_37_playing_on_for_places():
    g = game(3, play_on=True)
    other = dict(zip((2, 4, 5, 6, 8, 9, 10), (
        "Miss Lucy Steele", "Mr. Tom Bertram", "Mr. John Thorpe", "Mrs. Fanny Dashwood", "Miss Isabella Thorpe",
        "Mr. George Wickham", "Mrs. Augusta Elton",
    ), strict=True))  # fmt: skip
    states = main_phase(
        g,
        hands=["WWBHH", "WWWBBT", "W"],
        tables=[FULL, other, {}],
        tokens=[(0, 6)],
        shown=["Sir James Martin", "Miss Lydia Bennet"],
        kept="Wild asset",
    )
    states = until(g, states, buy(states, "Sir James Martin"), lambda s: s.dice.sum() == 12)
    s = states[0]
    assert not s.over
    assert (s.active, s.out[0], s.finish[0]) == (1, 1, 0)
    assert s.hand[0].sum() == 0  # to the bank
    assert s.discard[card("Wild asset")] + s.deck[card("Wild asset")] + (s.drawn == card("Wild asset")).sum() == 5
    assert s.points[0] == 8  # the guests stay
    assert s.place.max() == -1
    # a finisher is paid nothing, cannot be offered a trade, and is chosen only to move a token off
    s.phase, s.kept, s.drawn[:] = Phase.MAIN, card("Indisposed"), -1
    assert partner(2) not in legal(g, states)
    play(g, states, Action.PLAY)
    assert player(2) in legal(g, states)  # seat 0's token may be moved
    play(g, states, player(2))  # one token there: its seat is not asked
    assert player(2) not in legal(g, states)
    # seat 1 finishes second: one is left, the game ends
    states = main_phase(g, hands=["", "WWWBBT", "W"], tables=[FULL, other, {}], shown=["Miss Lydia Bennet"], active=1)
    s = states[0]
    s.table[0, 7], s.points[0], s.out[0], s.finish[0], s.finished = guest("Sir James Martin"), 8, 1, 0, 1
    s = play(g, states, buy(states, "Miss Lydia Bennet"))
    assert s.over
    assert s.place[:3].tolist() == [0, 1, 2]


def test_ruling_37_at_the_cap_finishers_come_first():
    g = game(3, play_on=True)
    states = main_phase(g, hands=["", "W", "WW"], tables=[{}, {6: "Miss Bates"}, {4: "Mr. Bennet"}], active=2)
    s = states[0]
    s.out[0], s.finish[0], s.finished, s.turns = 1, 0, 1, 240
    s = play(g, states, Action.END)
    assert s.capped
    assert s.place[:3].tolist() == [0, 2, 1]


# ---------------------------------------------------------------- player trades (ruling 26 and the notes' section on them)


def test_ruling_26_the_offer_mask_depends_on_own_cards_and_the_partners_hand_size_only():
    g = game(3)
    masks = []
    for theirs in ("WW", "TT", "HB"):
        states = main_phase(g, hands=["WWH", theirs, ""], kept="Wild asset")
        masks.append((legal(g, states), play(g, states, partner(1)) and legal(g, states)))
    assert masks[0] == masks[1] == masks[2]
    main, menu = masks[0]
    assert partner(1) in main
    assert partner(2) not in main  # no cards
    assert item("W", "T") in menu
    assert item("WW", "T") in menu
    assert item("HH", "T") not in menu
    assert item("W", "TT") in menu
    states = main_phase(g, hands=["WWH", "T", ""], kept="Wild asset")
    play(g, states, partner(1))
    assert item("W", "TT") not in legal(g, states)  # more than the partner's one card


def test_ruling_26_a_partner_without_the_cards_is_asked_all_the_same():
    g = game(3)
    states = main_phase(g, hands=["W", "H", ""], kept="Wild asset")
    s = play(g, states, partner(1), item("W", "T"))
    assert (s.player, s.phase) == (1, Phase.ANSWER)
    assert legal(g, states) == {Action.DECLINE}
    states = main_phase(g, hands=["W", "T", ""], kept="Wild asset")
    play(g, states, partner(1), item("W", "T"))
    assert legal(g, states) == {Action.ACCEPT, Action.DECLINE}


def test_ruling_26_three_offers_a_turn_and_no_repetition():
    g = game(3)
    states = main_phase(g, hands=["WWH", "TT", "TT"], kept="Wild asset")
    play(g, states, partner(1), item("W", "T"), Action.DECLINE, partner(1))
    assert item("W", "T") not in legal(g, states)
    assert item("W", "H") in legal(g, states)
    play(g, states, item("W", "H"), Action.DECLINE, partner(2))
    assert item("W", "T") in legal(g, states)  # refused by the other partner only
    play(g, states, item("W", "T"), Action.ACCEPT)
    assert not any(Action.PARTNER <= a < Action.ITEM for a in legal(g, states))
    assert letters(states[0].hand[0]) == "WHT"


def test_ruling_26_menus():
    assert game(2, trades="off").rules[0].menu == 0
    states = main_phase(game(2, trades="off"), hands=["WWW", "HHH"], kept="Wild asset")
    assert not any(Action.PARTNER <= a < Action.ITEM for a in legal(game(2, trades="off"), states))
    for trades, count in (("standard", 36), ("wide", 60)):
        g = game(2, trades=trades)
        states = main_phase(g, hands=["WWHHBBTT", "WWHHBBTT"], kept="Wild asset")
        play(g, states, partner(1))
        items = legal(g, states)
        assert len(items) == count
        gives, wants = g.rules[0].gives, g.rules[0].wants
        shown = {(tuple(gives[a - Action.ITEM]), tuple(wants[a - Action.ITEM])) for a in items}
        assert len(shown) == count
        for give, want in shown:
            assert 1 <= sum(give) <= 2
            assert 1 <= sum(want) <= 2
            assert not any(x and y for x, y in zip(give, want, strict=True))


def test_ruling_32_nothing_but_offers_could_go_on_for_ever():
    """Bank trades shrink the hand, purchases fill seats, offers are three: no turn takes more decisions than that."""
    g = game(2)
    states = main_phase(g, hands=["W" * 24, "H"], kept="Wild asset")
    taken = 0
    while not states[0].over and states[0].active == 0:
        options = sorted(legal(g, states) - {Action.END})
        if not options:
            break
        g.step(states, [options[0]])
        taken += 1
        assert taken < 60


def test_forced_decisions_are_played_hidden_ones_asked():
    g = game(2)
    states = main_phase(g, hands=["W", "W"], kept="Two heart")
    s = play(g, states, Action.PLAY, partner(1), item("H", "W"), Action.ACCEPT)
    assert s.active == 0  # three cards: an offer is still possible
    states = main_phase(g, hands=["", ""], shown=["Miss Bates"], kept="Improvement: wit on a 7")
    s = play(g, states, Action.PLAY)
    assert s.active == 1  # no card, no asset: the turn ends by itself
    states = main_phase(g, hands=["", "W"], shown=["Miss Bates"], kept="Steal an asset")
    assert legal(g, states) == {Action.PLAY, Action.END}


@pytest.mark.parametrize("missions", ["off", "janeite"])
@pytest.mark.parametrize("dropped", ["Wild asset", "Steal an asset"])
def test_a_dead_card_ends_the_turn_where_all_know_it_and_the_list_cannot_be_renewed(missions, dropped):
    """Seat 0 has no cards. It draws a Steal an asset, as all know, and a Wild asset, and discards one of the two."""
    g = game(2, missions=missions)
    states = main_phase(g, hands=["", ""], shown=["Miss Bates"], missions=(1, 2) if missions != "off" else ())
    s = states[0]
    s.phase, s.sure, s.drawn[:] = (
        Phase.KEEP,
        card("Steal an asset"),
        sorted((card("Wild asset"), card("Steal an asset"))),
    )
    s.deck[s.drawn] -= 1
    s = play(g, states, Action.KEEP + (s.drawn[0] == card(dropped)))
    if missions != "off":
        assert (s.active, s.phase) == (0, Phase.MAIN)
        assert legal(g, states) == {Action.REFRESH, Action.END} | (
            {Action.PLAY} if dropped == "Steal an asset" else set()
        )
    elif dropped == "Steal an asset":  # what is kept may be anything
        assert legal(g, states) == {Action.PLAY, Action.END}
    else:
        assert s.active == 1


@pytest.mark.parametrize(
    ("hand", "bank", "asked"),
    [("WHBT", "WHBT", False), ("WWW", "WHBT", False), ("WWWW", "WHBT", True), ("TTTTHB", "WHBT", True),
     ("WWWW", "W", False), ("WWWW", "WT", True), ("TTTT", "WT", True)],
)  # fmt: skip
def test_a_turn_goes_on_only_where_the_bank_may_trade(hand, bank, asked):
    """Two players know each other's hands; there is no list, no player trade, and no card any more."""
    g = game(2, trades="off")
    states = main_phase(g, hands=[hand, ""], kept="Improvement: wit on a 7")
    states[0].bank[:] = [20 * (a in bank) for a in "WHBT"]
    assert (play(g, states, Action.PLAY).active == 0) == asked


@pytest.mark.parametrize("name", [names()[0], names()[-1]])
def test_the_first_and_the_last_guest_of_the_file_are_guests_like_any(name):
    g = game(2)
    states = main_phase(g, hands=["WWWWHHHHBBBBTTTT", ""], shown=[name], kept="Wild asset")
    s = play(g, states, buy(states, name), seat(6))
    assert (s.where[guest(name)], s.points[0], s.table[0].max(), s.list.max()) == (Where.SEATED, 1, guest(name), -1)
    one = main_phase(g, hands=["HHBBTTWW", "W"], tables=[{6: name}, {}], active=1)
    held = one[0].hand[0].astype(int)
    paid = until(g, one, Action.END, rolled(6))[0].hand[0] - held
    assert (paid == g.rules[0].guest[guest(name)].reward).all()
    for kept in ("Indisposed", "Rearrange guests", "Remove a guest"):
        one = main_phase(g, hands=["W", "W"], tables=[{6: name}, {}], kept=kept)
        assert Action.PLAY in legal(g, one)
    s = play(g, one, Action.PLAY)  # one guest in all: it goes, unasked
    assert s.where[guest(name)] == Where.DISCARDED
    assert s.points[0] == 0


def test_turn_over_is_never_a_decision():
    g = game(3)
    states = g.reset(many(64), 2)
    rng = np.random.default_rng(1)
    for _ in range(300):
        assert (states.phase != Phase.TURN_OVER).all() or states.over.any()
        mask = g.legal_actions(states)
        keys = rng.random(mask.shape) * mask
        live = np.flatnonzero(~states.over)
        some = records.take(states, live)
        g.step(some, keys.argmax(axis=1)[live])
        records.put(states, live, some)
