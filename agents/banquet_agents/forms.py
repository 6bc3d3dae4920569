"""Files of ours that come back from outside (plans, suites, cards, run folders): held against their declared form.

A form is a dataclass whose annotations say kinds and ranges; pydantic does the work. Valid JSON or TOML of another kind is an
OptionError of one line that names the entry.
"""

from __future__ import annotations

import functools
import json
from typing import Any, TypeVar

from banquet_envs.core.errors import OptionError

Form = TypeVar("Form")


def read_json(kind: type[Form], text: str | bytes, where: str) -> Form:
    """A `kind` from JSON.

    Args:
        kind: a dataclass, or anything else that pydantic takes.
        text: the file's content.
        where: what the content is, for messages: "runs/x: the plan".

    Raises:
        OptionError: no JSON, an entry that is missing, unknown, of another kind or out of range.
    """
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_json(text, strict=True)  # type: ignore[arg-type, no-any-return]
    except ValidationError as error:
        raise OptionError(f"{where}: {_first(error.errors(include_url=False))}") from None
    except RecursionError:
        raise OptionError(f"{where}: nested too deeply") from None


@functools.cache
def _adapter(kind: Any) -> Any:
    """pydantic's reader of a kind, built once."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def read_table(kind: type[Form], table: Any, where: str) -> Form:
    """A `kind` from plain values, such as a TOML file holds; see `read_json`."""
    try:
        text = json.dumps(table, default=_no_json)
    except (TypeError, ValueError, RecursionError) as error:
        raise OptionError(f"{where}: {error}") from None
    return read_json(kind, text, where)


def _no_json(value: Any) -> Any:
    raise TypeError(f"a {type(value).__name__} ({value}) stands where none can be")


def _first(errors: list[Any]) -> str:
    """The first thing that is wrong, in words."""
    found = errors[0]
    place = ".".join(str(part) for part in found["loc"])
    message = found["msg"][0].lower() + found["msg"][1:]
    if found["type"] == "missing":
        return f"entry {place!r} is missing"
    if found["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"unknown entry {place!r}"
    shown = repr(found["input"])
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return f"entry {place!r}: {message}; found {shown}" if place else f"{message}; found {shown}"
