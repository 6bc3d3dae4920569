"""The trained policies that come with the package: `policy:reference` plays as the one that was made for a game."""

from __future__ import annotations

from pathlib import Path

from banquet_agents.policy import CARD, layout_hash, read_card
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game

SHIPPED = Path(__file__).parent / "reference"
"""A policy folder each, called after the game, its players and the options that differ from the defaults."""


def reference_name(game: Game) -> str:
    """The folder's name: `great_evening_banquet-1p-expert=true`."""
    defaults = {option.name: option.default for option in game.spec.options}
    chosen = [f"{k}={str(v).lower()}" for k, v in sorted(game.options.items()) if v != defaults[k]]
    return "-".join([game.name, f"{game.num_players}p", *chosen])


def reference_policies(game: str | None = None) -> list[Path]:
    """The shipped policy folders, all or those for a game, by name."""
    return sorted(card.parent for card in SHIPPED.glob(f"{game or '*'}-*/{CARD}"))


def _fitting(game: Game) -> Path | None:
    """The folder of the policy for a game: made with its options, or else with others that look and act the same."""
    folders, layout = reference_policies(game.name), layout_hash(game)
    for folder in sorted(folders, key=lambda folder: folder.name != reference_name(game)):
        card, _ = read_card(folder)
        if card["players"] == game.num_players and card["layout"] == layout:
            return folder
    return None


def has_reference(game: Game) -> bool:
    """Whether `policy:reference` plays this game."""
    return _fitting(game) is not None


def find_reference(game: Game) -> Path:
    """The folder of the policy for a game.

    Raises:
        OptionError: there is none; the message names those that there are.
    """
    folder = _fitting(game)
    if folder is None:
        known = ", ".join(folder.name for folder in reference_policies()) or "none"
        raise OptionError(f"policy:reference: there is none for {reference_name(game)}; there are: {known}")
    return folder
