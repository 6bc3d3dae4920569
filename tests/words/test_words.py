"""Games in words: rules, positions, moves there and back, what stays hidden, JSON and its schema."""

import json
import re

import jsonschema
import numpy as np
import pytest

from banquet_envs import IllegalActionError, OptionError, make_game
from banquet_envs.core import state as records
from banquet_envs.testing import configurations
from banquet_envs.testing.play import snapshots, walk
from banquet_envs.words import (
    History,
    action_texts,
    history_text,
    parse_action,
    rules_text,
    state_json,
    state_schema,
    state_text,
)
from tests.shipped import SHIPPED
from tests.test_conformance import ALL

LAST = 250  # decisions of a game that are followed: all of most, the beginning of very long ones


def pattern(form):
    """A form of move as a regular expression."""
    return re.compile(".+".join(re.escape(part) for part in re.split(r"<[^>]*>", form)))


def fits(form, text):
    return pattern(form).fullmatch(text) is not None


@pytest.mark.parametrize("configuration", ALL)
def test_moves_go_there_and_back(configuration):
    """Every legal action has words of its own, in a form that the rules tell, and is found again by them."""
    game = configuration.make()
    forms = [pattern(form) for form in game.spec.words.move_forms(game.rules[0])]
    for states, mask, action in walk(game, 1, LAST):
        record = states[0]
        texts = action_texts(game, record)
        assert list(texts.values()) == np.flatnonzero(mask).tolist()
        assert all(game.action_text(record, a) == text for text, a in texts.items()), "a text had to be numbered"
        said = game.action_text(record, action)
        assert parse_action(game, record, f"  {said.upper()}\n".replace(" ", "  ")) == action
        unknown = [text for text in texts if not any(form.fullmatch(text) for form in forms)]
        assert not unknown, f"in no form that the rules tell: {unknown[0]}"


RARE = {  # forms of moves that random games hardly meet, and why
    "banquet_royal": {"draw from the <number>-point deck"},  # a deck and its discards are used up
    "dinner_party": {  # single guests' abilities
        "remove Hitler from the game", "do not remove Hitler", "use the arrival ability", "reroll all three dice",
    },
    "surrealist_dinner_party": {"use the door ability of <guest>"},  # some of the last departures
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("game", SHIPPED)
def test_every_form_of_move_is_met(game):
    """No form is told that nobody needs: over the configurations each but the rare ones is met in a random game."""
    told, met = set(), set()
    for configuration in configurations(game):
        made = configuration.make()
        forms = set(made.spec.words.move_forms(made.rules[0]))
        told |= forms
        for states, mask, _ in walk(made, 1, 800):
            left = forms - met
            if not left:
                break
            texts = [made.action_text(states[0], action) for action in np.flatnonzero(mask).tolist()]
            met |= {form for form in left if any(fits(form, text) for text in texts)}
    assert told - met <= RARE.get(game, set())
    assert RARE.get(game, set()) <= told


@pytest.mark.parametrize("configuration", ALL)
def test_a_seat_is_told_what_it_may_know_and_no_more(configuration):
    """Text and JSON are the same, bit for bit, after all that the seat cannot know has been resampled."""
    game = configuration.make()
    schema = jsonschema.Draft202012Validator(state_schema(game))
    for moment, (states, _) in enumerate(snapshots(game, 8, 5, LAST)):
        row = records.take(states, np.array([moment % len(states)]))
        for seat in range(game.num_players):
            other = records.copy(row)
            game.determinize(other, seat, moment)
            text, data = state_text(game, row[0], seat), json.dumps(state_json(game, row[0], seat))
            assert state_text(game, other[0], seat) == text
            assert json.dumps(state_json(game, other[0], seat)) == data
            if moment % 8 == 0:
                schema.validate(json.loads(data))


@pytest.mark.parametrize("game", SHIPPED)
def test_json_of_everything_and_of_the_end_keeps_to_the_schema(game):
    made = make_game(game, 2)
    schema = jsonschema.Draft202012Validator(state_schema(made))
    for states, _, _ in walk(made, 3):
        last = states
    schema.validate(json.loads(json.dumps(state_json(made, last[0], None))))
    assert last.over[0]
    assert state_json(made, last[0], 0)["places"]


@pytest.mark.parametrize("game", SHIPPED)
def test_the_schema_refuses_what_is_none(game):
    made = make_game(game, 2)
    data = json.loads(json.dumps(state_json(made, made.reset(1, 1)[0], 0)))
    schema = jsonschema.Draft202012Validator(state_schema(made))
    schema.validate(data)
    for name in data:
        assert not schema.is_valid({k: v for k, v in data.items() if k != name})
    for name in data["position"]:
        assert not schema.is_valid(data | {"position": {k: v for k, v in data["position"].items() if k != name}})


SECRET = {  # where a seat decides in secret, the configuration and how the decision is worded
    "great_evening_banquet": ({}, "seat a guest out of sight", "place"),
    "polite_society": ({}, "keep one of two action cards", "keep"),
    "surrealist_dinner_party": ({"mode": "advanced"}, "choose among the cards dealt, in secret", "draft"),
}


@pytest.mark.parametrize("game", SHIPPED)
def test_history_tells_no_secret(game):
    """Whatever a seat chooses in secret reads the same; all else reads as the seat itself would say it."""
    options, words, part = SECRET.get(game, ({}, "", ""))
    made = make_game(game, 3, **options)
    secret = met = 0
    for states, mask, action in walk(made, 2, LAST):
        public = set()
        for legal in np.flatnonzero(mask).tolist():
            history = History(made)
            history.note(states[0], legal)
            public.add(history.moves[0][1])
        if made.action_layout.find(action)[0].name == part:
            secret += 1
            assert public == {words}
        elif words not in public:
            met += 1
            assert public == set(action_texts(made, states[0]))
    assert met
    assert bool(secret) == bool(part)


def test_history_begins_after_the_own_last_move():
    game = make_game("dinner_party", 3)
    history, told = History(game), []
    for states, _, action in walk(game, 1, 60):
        seat = int(states.player[0])
        text = history_text(history, seat)
        lines = text.splitlines()
        told.append(len(lines))
        assert all(not line.startswith(f"seat {seat}:") for line in lines)
        history.note(states[0], action)
        assert history_text(history, seat) == ""
    assert max(told) > 1


@pytest.mark.parametrize("configuration", ALL)
def test_rules_are_told_in_every_configuration(configuration):
    game = configuration.make()
    text = rules_text(game)
    assert text.startswith(f"{game.spec.title}, {configuration.players} player")
    assert len(text) > 2000
    assert all(form in text for form in game.spec.words.move_forms(game.rules[0]))


@pytest.mark.parametrize("game", SHIPPED)
def test_every_option_changes_the_rules_in_words(game):
    made = make_game(game, 2)
    for option in made.spec.options:
        if option.name == "solo_redraw":  # Solo Mode alone
            texts = {rules_text(make_game(game, 1, solo_redraw=choice)) for choice in option.choices}
        else:
            base = {"missions": "janeite"} if option.name == "removal_losses" else {}
            texts = {rules_text(make_game(game, 2, **base | {option.name: choice})) for choice in option.choices}
        assert len(texts) == len(option.choices), option.name


def test_words_that_are_no_move_are_refused():
    game = make_game("great_evening_banquet", 2)
    record = game.reset(1, 4)[0]
    text = next(iter(action_texts(game, record)))
    with pytest.raises(IllegalActionError, match="no legal move"):
        parse_action(game, record, text + " please")
    with pytest.raises(IllegalActionError):
        parse_action(game, record, "")


def test_names_that_read_the_same_are_numbered():
    """A box of one's own may hold two guests of one name: their moves are still told apart."""
    game = make_game("dinner_party", 2)
    game.rules["guests"]["name"][0, 1:] = game.rules["guests"]["name"][0, 1]
    record = game.reset(1, 4)[0]
    texts = action_texts(game, record)
    assert len(texts) == int(game.legal_actions(np.asarray(record).reshape(1)).sum())
    assert sum("#" in text for text in texts) == len(texts) - 2
    assert [parse_action(game, record, text) for text in texts] == list(texts.values())


def test_a_game_without_words_says_so(monkeypatch):
    import dataclasses

    game = make_game("dinner_party", 2)
    monkeypatch.setattr(game, "spec", dataclasses.replace(game.spec, words=None))
    for ask in (rules_text, state_schema, lambda game: state_json(game, game.reset(1, 1)[0], 0)):
        with pytest.raises(OptionError, match="no rules in words"):
            ask(game)
