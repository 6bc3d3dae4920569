"""Positions built by hand: a table on which the tests lay pieces, deal cards and play single steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_agents.registry import make_agent
from banquet_envs import make_game
from banquet_envs.core.compile import JIT
from banquet_envs.core.state import copy, put, take
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, ITEM_NAMES, PIECES, TOQUE
from banquet_envs.games.banquet_royal.display import space_name
from banquet_envs.games.banquet_royal.state import CLOSED, EMPTY, Action, Phase, Seen

SALAD, FRUIT, PUDDING, BURGER = range(DISHES)


class Table:  # what is built need not be a position of play: the tests of records use games that were played
    """A game after the opening, seat 0 to move, with an empty board."""

    def __init__(self, players: int = 3, seed: int = 1, components: Any = None, **options: Any) -> None:
        self.game = make_game("banquet_royal", players=players, components=components, **options)
        self.rules = self.game.rules[0]
        self.states = self.game.reset(1, seed)
        self.state = self.states[0]
        if not options.get("etiquette"):
            while self.state.phase != Phase.TAKE:
                self.act(Action.MEMORISE)
        self.turn(0)

    def turn(self, seat: int) -> None:
        """Make it the beginning of a turn of `seat`."""
        self.state.player = self.state.first = seat
        self.state.phase, self.state.placed, self.state.scored = Phase.TAKE, -1, 0

    # ------------------------------------------------------------ building

    def space(self, name: str) -> int:
        return [space_name(self.rules, x) for x in range(CELLS)].index(name)

    def put(self, name: str, piece: str, seat: int = 0) -> None:
        """A dish from the kitchen, or a toque of `seat`, on a space."""
        x, kind = self.space(name), ITEM_NAMES.index(piece)
        assert self.state.board[x] == EMPTY
        self.state.board[x] = kind
        if kind == TOQUE:
            self.state.owner[x] = seat
            self.state.toques[seat] -= 1
        else:
            self.state.kitchen[kind] -= 1
        self._taken(x)

    def _taken(self, x: int) -> None:
        self.state.order[x] = -1
        self.state.free -= 1
        for y in self.rules.near[x, : self.rules.degree[x]]:
            self.state.reach[y] = 1

    def close(self, name: str) -> None:
        """A spot that stays empty for good."""
        x = self.space(name)
        self.state.order[x], self.state.board[x] = -1, CLOSED
        self.state.free -= 1

    def fill_all_but(self, *names: str) -> None:
        """Dishes on all other free spaces, in turn salad, fruit salad, pudding, burger; cloches there go."""
        kind = 0
        for x in range(CELLS):
            if space_name(self.rules, x) not in names and self.state.board[x] == EMPTY:
                self.state.board[x] = kind % DISHES
                self.state.kitchen[kind % DISHES] -= 1
                self._taken(x)
                kind += 1

    def order(self, name: str, dish: str) -> None:
        """The token under the cloche on a space, exchanged for an unused one or one under another cloche."""
        x, kind = self.space(name), ITEM_NAMES.index(dish)
        old = int(self.state.order[x])
        if old == kind:
            return
        others = [y for y in range(CELLS) if self.state.order[y] == kind]
        if self.state.tokens[kind] > 0:
            self.state.tokens[kind] -= 1
            if old >= 0:
                self.state.tokens[old] += 1
        else:
            self.state.order[others[0]] = old
        self.state.order[x] = kind

    def run_out(self, dish: str) -> None:
        """The kitchen has none of this dish left."""
        self.state.kitchen[ITEM_NAMES.index(dish)] = 0

    def card(self, items: str) -> int:
        """The number of a menu, items written "salad burger pudding" as on the card."""
        wanted = [ITEM_NAMES.index(i) for i in items.split()]
        return [list(s) for s in self.rules.symbol[: self.rules.menus]].index(wanted)

    def deal(self, seat: int, items: str) -> int:
        """Give the seat this menu in the slot of its value, in exchange for the card there; returns the slot."""
        card = self.card(items)
        slot = int(self.rules.value[card]) - 1
        for cards in (self.state.deck, self.state.hand):
            for at in np.argwhere(cards == card):
                cards[tuple(at)] = self.state.hand[seat, slot]
        self.state.hand[seat, slot] = card
        return slot

    def validated(self, seat: int, *values: int) -> list[int]:
        """Take menus of these values from the decks and lay them validated before the seat."""
        found = []
        for value in values:
            self.state.deck_size[value - 1] -= 1
            card = int(self.state.deck[value - 1, self.state.deck_size[value - 1]])
            self.state.deck[value - 1, self.state.deck_size[value - 1]] = EMPTY
            self.state.seen[card] = Seen.VALIDATED + seat
            self.state.points[seat] += value
            found.append(card)
        return found

    def empty_deck(self, value: int, keep: int = 0, seat: int = 1) -> None:
        """All but `keep` cards of a deck lie validated before `seat` (whose points do not count them)."""
        while self.state.deck_size[value - 1] > keep:
            self.validated(seat, value)
            self.state.points[seat] -= value

    def pile(self, value: int) -> list[int]:
        return [
            c for c in range(self.rules.menus) if self.state.seen[c] == Seen.ON_PILE and self.rules.value[c] == value
        ]

    def hidden(self, value: int) -> list[int]:
        return [
            c for c in range(self.rules.menus) if self.state.seen[c] == Seen.HIDDEN and self.rules.value[c] == value
        ]

    # ------------------------------------------------------------ playing

    def legal(self) -> set[int]:
        return set(np.flatnonzero(self.game.legal_actions(self.states)[0]).tolist())

    def act(self, action: int) -> None:
        self.game.step(self.states, [action])

    def place(self, name: str, piece: str) -> int:
        return Action.PLACE + self.space(name) * PIECES + ITEM_NAMES.index(piece)

    def announce(self, name: str, dish: str) -> int:
        return Action.ANNOUNCE + self.space(name) * DISHES + ITEM_NAMES.index(dish)

    def can_place(self, name: str) -> bool:
        return any(self.place(name, piece) in self.legal() for piece in ITEM_NAMES)

    def can_announce(self, name: str) -> bool:
        return all(self.announce(name, dish) in self.legal() for dish in ITEM_NAMES[:DISHES])

    def lay_all_but_one(self, card: int, last: int = 2, backwards: bool = False, seat: int = 0) -> int:
        """Two items of a menu on E1, E2, E3; the action by which the third completes it. The toque there is the seat's."""
        items = [ITEM_NAMES[k] for k in self.rules.symbol[card]][:: -1 if backwards else 1]
        for k, name in enumerate(("E1", "E2", "E3")):
            if k != last:
                self.put(name, items[k], seat)
        return self.place(("E1", "E2", "E3")[last], items[last])

    def scorable(self) -> list[int]:
        return [s for s in range(HAND) if Action.SCORE + s in self.legal()]


__all__ = ["BURGER", "FRUIT", "PUDDING", "SALAD", "Table", "play_out"]


def play_out(game: Any, n: int, seed: int, look: Any = None) -> np.recarray:
    """Play `n` games to the end, each decision random or greedy by a coin; `look(before, actions, after)` may watch.

    In plain Python all of it is random: there the agent would take most of the time.
    """
    states = game.reset(n, seed)
    agents = [make_agent(game, name) for name in ("random", "greedy" if JIT else "random")]
    rng = np.random.default_rng(seed)
    live = np.arange(n)
    while len(live):
        now = take(states, live)
        chosen = np.where(rng.random(len(live)) < 0.5, agents[0].act(now), agents[1].act(now))
        after = copy(now)
        game.step_trusted(after, chosen)
        if look is not None:
            look(now, chosen, after)
        put(states, live, after)
        live = live[~after.over]
    return states
