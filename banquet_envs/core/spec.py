"""What a game supplies: rules, facts, words. `core` knows games only through this."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.components import Entries, member_names
from banquet_envs.core.errors import OptionError
from banquet_envs.core.layout import Layout
from banquet_envs.core.state import Field, packed

__all__ = ["Entries", "Facts", "GameSpec", "Option", "Wording", "member_names", "rules_dtype"]


def rules_dtype(fields: Sequence[Field], features: Sequence[str] = ()) -> np.dtype:
    """The dtype of a game's RULES record: `players` (int32), then the game's switches and tables.

    Everything that does not change during a game lives there, so one compilation serves every option and every deck.

    Args:
        fields: NumPy field descriptions (see `packed`).
        features: the names of all slices of the observation, if `observe` is to write by them: the record then has
            `at`, with an int32 for each: where the slice begins (`out[rules.at.clock + 1]`). `Game` fills it in from the
            layout.
    """
    at = [("at", packed([(name, np.int32) for name in features]))] if features else []
    return packed([("players", np.int32), *at, *fields])


@dataclass(frozen=True)
class Option:
    """A switch of `make_game`.

    Attributes:
        name: the keyword.
        default: its value when not given.
        choices: every allowed value.
        text: one line on what it changes, with the rulebook section.
    """

    name: str
    default: Any
    choices: tuple[Any, ...]
    text: str


@dataclass(frozen=True)
class Facts:
    """Declared properties of a game under given options; the conformance suite holds them against random play.

    Attributes:
        longest_game: no game takes more decisions than this.
        points_min, points_max: bounds of a seat's points at any time.
        points_scale: factor from points to rewards of about unit size (reward schemes `points` and solo).
        hidden_information: some seat may know what another may not.
        chance: dice, shuffles or draws after setup.
        simultaneous: some decisions are hidden until every seat has made its own.
        can_be_capped: an engine guard can end the game; it ranks and pays, so that is a termination, told as `capped`.
    """

    longest_game: int
    points_min: int
    points_max: int
    points_scale: float
    hidden_information: bool
    chance: bool
    simultaneous: bool
    can_be_capped: bool = False


@dataclass(frozen=True)
class Wording:
    """A game told to somebody who only reads: its rules, its moves, its positions as plain data. All plain Python.

    Attributes:
        rules_text: `(rules) -> str`: how the game is played with these options and components, complete enough to play.
        move_forms: `(rules) -> texts`: how `action_text` words moves, one form each, what varies in <angle brackets>.
        state_json: `(rules, state, player) -> state_type`: what `player` may know, as plain data (None: everything).
        state_type: the TypedDict of it, from which the JSON schema is made.
        public_text: `(rules, state, action) -> str`: the action as those see it who do not take it, for games with
            decisions that stay hidden; `action_text` when not given.
    """

    rules_text: Callable[[Any], str]
    move_forms: Callable[[Any], Sequence[str]]
    state_json: Callable[[Any, Any, int | None], Any]
    state_type: type
    public_text: Callable[[Any, Any, int], str] | None = None


@dataclass(frozen=True)
class GameSpec:
    """A rule set. Everything compiled takes `(state, rules, ...)` and changes one record in place.

    Attributes:
        name: the id used by `make_game`, such as "great_evening_banquet".
        title: the printed name.
        version: rules version, bumped with any change to observations, masks, rewards, rules or seeding.
        min_players, max_players: seats.
        state: dtype of a game in progress (core/state.py).
        rules: dtype of everything that stays fixed during a game.
        setup: `setup(state, rules)` on a record whose shared fields are set and whose own fields are zero.
        legal_actions: `legal_actions(state, rules, mask)`; `mask` arrives all False.
        apply: `apply(state, rules, action)`, on to the next real decision or the end.
        observe: `observe(state, rules, player, out)`; `out` arrives all zero.
        determinize: `determinize(state, rules, player)`; the random stream and the seed have been replaced before.
        make_rules: `(players, options, components) -> rules` record; raises ComponentsError.
        actions: `actions(rules) -> Layout` of the action numbers.
        observation: `observation(rules) -> Layout` of the observation vector.
        facts: `facts(rules) -> Facts`.
        action_text: `(rules, state, action) -> str`: the action in the game's own terms.
        describe: `(rules, state, player) -> str`: all that `player` may know (None: everything).
        draw: `(rules, state, player) -> str`: an SVG of the position as `player` may see it (None: everything).
        pieces: `(rules, state) -> dict` name -> count array; conserved over the whole game.
        components: the TOML file with the box's data.
        folder: the game's own folder; every source in it is part of the compilation fingerprint.
        options: switches beside `players`, `reward` and `components`.
        variants: option sets that the conformance suite plays at every player count.
        tests_in_an_agent: one line on what the game demands.
        state_of_completion: "complete", or what is missing, for the table of games.
        asked_anyway: names of action slices that are asked although nothing else is legal, to show something.
        rare: names of slices of the observation and of the actions that random games hardly ever reach: the conformance suite
            does not ask to see them used, so the game's own tests have to.
        bounds: `bounds(rules) -> {field: (low, high)}` for every field of the game's own: inclusive, numbers or arrays
            that broadcast to the field. Every record that is reached by play lies within them; records from outside are
            held against them before any kernel sees them.
        invariants: `(rules, state) -> str`: what is wrong with a record that lies within its bounds and holds the right
            pieces ("" when it is sound): counts that must fit, blanks, the order of kept lists. Plain Python. Play never
            breaks them, and no kernel reads or writes outside its arrays on a record that keeps them.
        place: `(rules, state, action) -> str`: where on the picture the action of the seat to move belongs: a `data-place` of
            `draw` (core/picture.py), "" where there is none. It is made from what that seat may know. None: no places.
        extra_sources: files or folders outside `folder` that the rules import, for the compilation fingerprint.
        words: what readers of words are told beside actions and positions (banquet_envs/words); None: nothing.
    """

    name: str
    title: str
    version: str
    min_players: int
    max_players: int
    state: np.dtype
    rules: np.dtype
    setup: Callable[..., Any]
    legal_actions: Callable[..., Any]
    apply: Callable[..., Any]
    observe: Callable[..., Any]
    determinize: Callable[..., Any]
    make_rules: Callable[[int, Mapping[str, Any], Mapping[str, Any]], np.ndarray]
    actions: Callable[[Any], Layout]
    observation: Callable[[Any], Layout]
    facts: Callable[[Any], Facts]
    action_text: Callable[[Any, Any, int], str]
    describe: Callable[[Any, Any, int | None], str]
    draw: Callable[[Any, Any, int | None], str]
    pieces: Callable[[Any, Any], Mapping[str, np.ndarray]]
    components: Path
    folder: Path
    options: tuple[Option, ...] = ()
    variants: tuple[Mapping[str, Any], ...] = ({},)
    tests_in_an_agent: str = ""
    state_of_completion: str = "complete"
    asked_anyway: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    bounds: Callable[[Any], Mapping[str, tuple[Any, Any]]] | None = None
    invariants: Callable[[Any, Any], str] | None = None
    place: Callable[[Any, Any, int], str] | None = None
    extra_sources: tuple[Path, ...] = field(default=())
    words: Wording | None = None

    def player_counts(self) -> range:
        """Every allowed number of players."""
        return range(self.min_players, self.max_players + 1)

    def namespace(self, **more: Any) -> dict[str, Any]:
        """What the global names of kernel templates stand for, for `Kernels`; `more` adds some."""
        return {
            "STATE": self.state,
            "RULES": self.rules,
            "setup": self.setup,
            "legal_actions": self.legal_actions,
            "apply": self.apply,
            "observe_into": self.observe,
            "resample": self.determinize,
            **more,
        }

    def checked_options(self, players: int, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with defaults filled in.

        Raises:
            OptionError: an unknown option, a value that is not allowed, or a wrong number of players.
        """
        if (
            not isinstance(players, int | np.integer)
            or isinstance(players, bool)
            or players not in self.player_counts()
        ):
            raise OptionError(
                f"{self.name}: players={players!r} is not allowed; choose {self.min_players} to {self.max_players}"
            )
        known = {o.name: o for o in self.options}
        for name, value in given.items():
            if name not in known:
                raise OptionError(f"{self.name}: unknown option {name!r}; it has {', '.join(sorted(known)) or 'none'}")
            allowed = known[name].choices
            if not any(type(value) is type(c) and value == c for c in allowed):
                raise OptionError(f"{self.name}: {name}={value!r} is not allowed; choose one of {list(allowed)}")
        return {o.name: given.get(o.name, o.default) for o in self.options}
