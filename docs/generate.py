"""Write everything in the docs that is generated from the code: `python docs/generate.py` (or `make docs`).

`--check` changes nothing and exits with 1 when something is stale; the tests call it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from banquet_envs import game_spec, list_games, make_game
from banquet_envs.testing.golden import golden_configuration, playthrough
from banquet_envs.words import state_schema

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden"
SCHEMAS = ROOT / "docs" / "schemas"


def between(text: str, name: str, content: str) -> str:
    """`text` with `content` between <!-- name --> and <!-- /name -->."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    return pattern.sub(lambda m: m.group(1) + "\n" + content + "\n\n" + m.group(2), text)


def game_readme(name: str) -> tuple[Path, str]:
    """A game's README with fresh action and observation tables."""
    spec = game_spec(name)
    file = spec.folder / "README.md"
    game = make_game(name, max(2, spec.min_players))
    most = make_game(name, **_largest_variant(name))
    text = between(file.read_text(), "options", options_table(name))
    text = between(text, "actions", most.action_layout.markdown("action"))
    width = f"{game.observation_size} features with {game.num_players} players."
    return file, between(text, "observation", game.layout.markdown("feature") + "\n\n" + width)


def options_table(name: str) -> str:
    """The options of a game, the default in bold."""
    spec = game_spec(name)
    least, most = spec.min_players, spec.max_players
    lines = [
        "| option | values | what |",
        "| --- | --- | --- |",
        f"| `players` | {least} to {most}, **{most}** | seats |",
    ]
    for option in spec.options:
        values = ", ".join(f"**`{v!r}`**" if v == option.default else f"`{v!r}`" for v in option.choices)
        lines.append(f"| `{option.name}` | {values} | {option.text} |")
    lines.append(
        "| `reward` | **`'win'`**, `'place'`, `'points'` | what a step pays (`banquet_envs/core/rewards.py`) |"
    )
    lines.append("| `components` | a TOML file | component data in place of the shipped `components.toml` |")
    return "\n".join(lines)


def _largest_variant(name: str) -> dict:
    """The variant with the most actions, so that the action table shows all of them."""
    spec = game_spec(name)
    options = [dict(v) for v in spec.variants]
    best, found = -1, {}
    for variant in options:
        for players in (spec.max_players, spec.min_players):
            try:
                size = make_game(name, players, **variant).num_actions
            except ValueError:
                continue
            if size > best:
                best, found = size, {"players": players, **variant}
    return found


def games_table() -> str:
    """The table of games in the README."""
    lines = ["| game | players | observation | actions | information | tests in an agent | state |",
             "| --- | --- | ---: | ---: | --- | --- | --- |"]  # fmt: skip
    for name in list_games():
        spec = game_spec(name)
        game = make_game(name, max(2, spec.min_players))
        hidden = "hidden" if game.facts.hidden_information else "open"
        extra = ", simultaneous" if game.facts.simultaneous else ""
        extra += ", chance" if game.facts.chance else ""
        link = f"[{spec.title}](banquet_envs/games/{name}/README.md)"
        lines.append(
            f"| {link} `{name}` | {spec.min_players}–{spec.max_players} | {game.observation_size} | {game.num_actions} |"
            f" {hidden}{extra} | {spec.tests_in_an_agent} | {spec.state_of_completion} |"
        )
    return "\n".join([*lines, "", "Observation width and actions are those of two players."])


def everything(golden: bool = True) -> dict[Path, str]:
    """Every generated file with its fresh content; a test of its own plays the golden playthroughs."""
    readme = ROOT / "README.md"
    files = {readme: between(readme.read_text(), "games", games_table())}
    for name in list_games():
        file, text = game_readme(name)
        files[file] = text
        schema = state_schema(make_game(name, max(2, game_spec(name).min_players)))
        files[SCHEMAS / f"{name}.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        if golden:
            files[GOLDEN / f"{name}.txt"] = playthrough(golden_configuration(name))
    return files


def main() -> int:
    """Write, or with --check compare."""
    stale = []
    for file, text in everything(golden="--check" not in sys.argv).items():
        if not file.exists() or file.read_text() != text:
            stale.append(str(file.relative_to(ROOT)))
            if "--check" not in sys.argv:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
    print("\n".join(f"{'stale' if '--check' in sys.argv else 'written'}: {f}" for f in stale) or "all fresh")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    raise SystemExit(main())
