"""Write everything in the docs that is generated from the code: `python docs/generate.py` (or `make docs`).

`--check` changes nothing and exits with 1 when something is stale; the tests call it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from banquet_envs import game_spec, list_games, make_game
from banquet_envs.core.rewards import SCHEMES
from banquet_envs.envs import environment_id
from banquet_envs.testing.golden import golden_configuration, playthrough
from banquet_envs.testing.play import walk
from banquet_envs.words import state_schema

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden"
SCHEMAS = ROOT / "docs" / "schemas"
PICTURES = ROOT / "docs" / "images"
PACKAGES = ("banquet_envs", "agents/banquet_agents", "agents/banquet_words", "training/banquet_training")
FRONTS = (
    "banquet_envs",
    "banquet_envs.core",
    "banquet_envs.core.state",
    "banquet_envs.envs",
    "banquet_envs.testing",
    "banquet_agents",
    "banquet_agents.arena",
    "banquet_training",
)
"""The modules whose `__all__` users may rely on."""


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
    text = between(file.read_text(), "card", card(name))
    text = between(text, "options", options_table(name))
    text = between(text, "actions", most.action_layout.markdown("action"))
    width = f"{game.observation_size} features with {game.num_players} players."
    return file, between(text, "observation", game.layout.markdown("feature") + "\n\n" + width)


def card(name: str) -> str:
    """A game at a glance: picture, spaces, rewards, ids, and the lines to copy."""
    spec = game_spec(name)
    fewest, most = make_game(name, max(2, spec.min_players)), make_game(name, **_largest_variant(name))
    solo = ", `" + environment_id(name, spec.version, solo=True) + "`" if spec.min_players == 1 else ""
    facts = fewest.facts
    information = [word for word in ("simultaneous", "chance") if getattr(facts, word)]
    rows = {
        "players": f"{spec.min_players} to {spec.max_players}",
        "PettingZoo": f"`from banquet_envs import {name}_{spec.version}`",
        "Gymnasium": f"`{environment_id(name, spec.version)}`{solo}",
        "observation": f"`Box(-2, 2, ({fewest.observation_size},), float32)` with {fewest.num_players} players, and `action_mask`",
        "actions": f"`Discrete({fewest.num_actions})` with {fewest.num_players} players"
        + (f", {most.num_actions} at most" if most.num_actions > fewest.num_actions else ""),
        "rewards": f"{', '.join(f'`{s}`' for s in SCHEMES)} (points x {facts.points_scale:.3g}): [reward schemes]"
        "(../../../docs/episode.md#reward-schemes)",
        "information": ", ".join(["hidden" if facts.hidden_information else "open", *information]),
        "longest game": f"{facts.longest_game:,} decisions with {fewest.num_players} players",
        "tests in an agent": spec.tests_in_an_agent,
        "version": f"`{spec.version}`, {spec.state_of_completion}; [changelog](../../../CHANGELOG.md)",
    }
    return "\n".join(
        [
            f"![A position of {spec.title}](../../../docs/images/{name}.svg)",
            "",
            "| | |",
            "| --- | --- |",
            *(f"| {key} | {value} |" for key, value in rows.items()),
            "",
            "```python",
            f"from banquet_envs import {name}_{spec.version}",
            "",
            f"env = {name}_{spec.version}.env(players={fewest.num_players})",
            "env.reset(seed=1)",
            "for agent in env.agent_iter():",
            "    observation, reward, terminated, truncated, info = env.last()",
            "    done = terminated or truncated",
            '    env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))',
            "```",
            "",
            f"![A game of {spec.title} between its strongest scripted agents](../../../docs/images/{name}.gif)",
        ]
    )


def picture(name: str) -> str:
    """An SVG: all that is on the table in the middle of a random game."""
    game = make_game(name, max(2, game_spec(name).min_players))
    plies = [int(states.ply[0]) for states, _, _ in walk(game, 1)]
    states, _, _ = next(position for position in walk(game, 1) if position[0].ply[0] >= plies[len(plies) // 2])
    return game.draw(states[0])


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


def sentence(docstring: str | None) -> str:
    """The first sentence of a docstring, on one line."""
    first = " ".join((docstring or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`])", first)[0].rstrip(".:")


def front(name: str) -> tuple[ModuleType, dict[str, Any]]:
    """A public module, and what it exports by name; modules and version strings aside."""
    module = importlib.import_module(name)
    exported = {key: getattr(module, key) for key in module.__all__}
    return module, {
        key: value for key, value in exported.items() if not inspect.ismodule(value) and key != "__version__"
    }


def public_page() -> str:
    """The list of everything public."""
    lines = []
    for name in FRONTS:
        module, exported = front(name)
        lines += [f"## {name}", "", sentence(module.__doc__) + ".", "", "| name | what |", "| --- | --- |"]
        for key, value in sorted(exported.items()):
            lines.append(f"| `{key}` | {_what(module, key, value)} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def _what(module: ModuleType, key: str, value: Any) -> str:
    """One line on an exported name; what is neither class nor function is described below its assignment."""
    return sentence(value.__doc__ if kind(value) else _said_below(module, key))


def kind(value: Any) -> str:
    """`class` or `function`; empty for anything else, such as a constant or a type's other name."""
    if inspect.isclass(value):
        return "" if value is Any else "class"
    return "function" if inspect.isroutine(value) or hasattr(value, "py_func") else ""


def _said_below(module: ModuleType, key: str) -> str:
    """The text that follows an assignment in the module, or in the module that it was imported from."""
    body = ast.parse(inspect.getsource(module)).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        if any(isinstance(t, ast.Name) and t.id == key for t in targets):
            text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            return str(following.value.value) if text else ""
        if isinstance(statement, ast.ImportFrom) and key in [a.name for a in statement.names]:
            return _said_below(importlib.import_module(str(statement.module)), key)
    return ""


def tree() -> str:
    """The three packages, file by file, with what each file says of itself."""
    lines = []
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py"), key=lambda f: (f.parent, f.name)):
            said = sentence(ast.get_docstring(ast.parse(file.read_text())))
            depth = "    " * len(file.relative_to(ROOT / package).parents)
            if file.name == "__init__.py":
                lines.append(
                    f"{depth[4:]}{file.parent.relative_to(ROOT) if depth == '    ' else file.parent.name}/: {said}"
                )
            elif said:
                lines.append(f"{depth}{file.name}: {said}")
    return "\n".join(["```text", *lines, "```"])


def guides() -> str:
    """The part of the site's table of contents for pages that docs/index.md does not name itself."""
    index = between((ROOT / "docs" / "index.md").read_text(), "guides", "").splitlines()
    pages = sorted(file.stem for file in (ROOT / "docs").glob("*.md") if file.stem not in [*index, "index"])
    pages += ["../agents/README"] * (ROOT / "agents" / "README.md").exists()
    return "\n".join(["```{toctree}", ":caption: Guides", ":maxdepth: 1", "", *pages, "```"])


def citation() -> str:
    """BibTeX for CITATION.cff."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    authors = " and ".join("{" + author["name"] + "}" for author in cited["authors"])
    return "\n".join(
        [
            "```bibtex",
            "@software{banquet_envs,",
            f"  title = {{{cited['title']}}},",
            f"  author = {{{authors}}},",
            f"  version = {{{cited['version']}}},",
            f"  license = {{{cited['license']}}},",
            "}",
            "```",
        ]
    )


def everything(golden: bool = True) -> dict[Path, str]:
    """Every generated file with its fresh content; a test of its own plays the golden playthroughs."""
    readme = ROOT / "README.md"
    files = {readme: between(readme.read_text(), "games", games_table())}
    for page, name, content in (
        ("CONTRIBUTING.md", "tree", tree()),
        ("docs/api.md", "public", public_page()),
        ("docs/cite.md", "bibtex", citation()),
        ("docs/index.md", "guides", guides()),
    ):
        files[ROOT / page] = between((ROOT / page).read_text(), name, content)
    for name in list_games():
        file, text = game_readme(name)
        files[file] = text
        schema = state_schema(make_game(name, max(2, game_spec(name).min_players)))
        files[SCHEMAS / f"{name}.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        files[PICTURES / f"{name}.svg"] = picture(name)
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
