"""Components files of one's own: other numbers, and decks with abilities drawn at random."""

from __future__ import annotations

import json
import random

from banquet_envs.core.spec import member_names
from banquet_envs.games.surrealist_dinner_party.components import (
    ALLOWED_TARGETS,
    COLOUR_NAMES,
    KIND_NAMES,
    NEEDS_TOKENS,
    Trigger,
)

from .table import box

ALLOWED = {kind.name.lower(): [t.name.lower() for t in targets] for kind, targets in ALLOWED_TARGETS.items()}


def toml(value):
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + " }"
    return json.dumps(value)


def ability(rng):
    """An ability drawn at random among all that a components file may hold."""
    trigger = rng.choice(member_names(Trigger))
    kind = "refuse" if trigger == "would_receive" else rng.choice([k for k in ALLOWED if k != "refuse"])
    targets = [t for t in ALLOWED[kind] if t != "other_neighbour" or trigger == "social"]
    one = {"trigger": trigger, "kind": kind, "target": rng.choice(targets)}
    one["count"] = 1 if kind in ("swap", "send_home", "refuse") else rng.randint(1, 6)
    if kind in [k.name.lower() for k in NEEDS_TOKENS]:
        one["tokens"] = rng.sample(KIND_NAMES, rng.randint(1, 5))
        if trigger == "social" and kind == "give" and rng.random() < 0.5:
            one["tokens"] = ["same"]
    if trigger in ("receives", "neighbour_receives", "would_receive"):
        one["trigger_tokens"] = rng.sample(KIND_NAMES, rng.randint(1, 5))
    if rng.random() < 0.3:
        one["source"] = "opponent"
    if rng.random() < 0.2:
        one["condition"] = {"kind": "most", "any_of": rng.sample(KIND_NAMES, 2)}
    elif trigger == "door" and rng.random() < 0.2:
        one["condition"] = {"kind": "content"}
    return one


def write_deck(
    folder, guests=30, hand_size=6, seats=3, bonus=2, points=1, uses=1, menu=None, shuffled=None, abilities=None
):
    """A components file in `folder`.

    With `shuffled` (a seed) all appetites and abilities are random; `abilities` gives single guests, by id, others.
    """
    data = box()
    rng = random.Random(shuffled)
    lines = ["format = 1", "[tokens]", f"kinds = {toml(list(KIND_NAMES))}", "[rules]"]
    numbers = {
        "hand_size": hand_size, "seats_per_player": seats, "points_per_token": points, "perfectly_content_bonus": bonus,
        "plate_uses_per_course": uses, "faux_pas_dealt": 2, "faux_pas_kept_min": 1, "faux_pas_kept_max": 2,
    }  # fmt: skip
    lines += [f"{k} = {v}" for k, v in numbers.items()]
    for k, course in enumerate(data["courses"]):
        lines += ["[[courses]]", f"order = {k + 1}", f"name = {toml(course['name'])}"]
        lines += [f"players_{n} = {toml((menu or {}).get(k) or course[f'players_{n}'])}" for n in (2, 3, 4)]
    for g in range(guests):
        entry = data["guests"][g % 30]
        appetites, one, icon = entry["appetites"], entry["ability"], entry["icon"]
        if shuffled is not None:
            one = ability(rng)
            appetites = rng.choices(COLOUR_NAMES, k=rng.randint(1, 6))
        one = (abilities or {}).get(entry["id"], one)
        if shuffled is not None or entry["id"] in (abilities or {}):
            icon = one["trigger"] if one["trigger"] in ("plate", "door") else "none"
        lines += ["[[guests]]", f'id = "guest_{g}"', f"name = {toml(entry['name'])}", f"appetites = {toml(appetites)}"]
        lines += [f"icon = {toml(icon)}", f"ability = {toml(one)}"]
    for card in data["faux_pas"]:
        lines.append("[[faux_pas]]")
        lines += [
            f"{k} = {toml(card[k])}" for k in ("id", "name", "when", "kind", "tokens", "count", "points") if k in card
        ]
    file = folder / f"deck_{guests}_{shuffled}.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file
