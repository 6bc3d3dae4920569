"""Faults in rules: one small textual change in a function under `@rule`, such as `<` for `<=`."""

from __future__ import annotations

import ast
import bisect
import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LEFT_OUT = {"__init__.py", "display.py", "words.py", "observation.py", "state.py", "components.py"}
"""Files of a game's folder that hold no rules, and `observation.py`, which is asked for by name."""
PER_FUNCTION = 2
COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}


@dataclass(frozen=True)
class Fault:
    """One change of a source file.

    Attributes:
        file: path below the game's folder.
        function: name of the function that is changed.
        line: where, from 1.
        before, after: the changed line, stripped: they name the fault in `equivalent.toml`.
        change: the bytes from, to, of the file that are replaced, and by what.
    """

    file: str
    function: str
    line: int
    before: str
    after: str
    change: tuple[int, int, str]

    def planted(self, text: str) -> str:
        """The file's text with the fault."""
        lo, hi, new = self.change
        data = text.encode()
        return (data[:lo] + new.encode() + data[hi:]).decode()

    def key(self) -> tuple[str, str, str, str]:
        """What stays the same when other lines of the file are edited."""
        return self.file, self.function, self.before, self.after


class _Source:
    """A file's text, in which the span of a syntax node can be replaced."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self._starts = [0]
        for line in self.data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def begin(self, node: ast.AST) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.AST) -> int:
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        return self.data[self.begin(node) : self.end(node)].decode()

    def fault(self, file: str, function: str, change: tuple[int, int, str]) -> Fault:
        """The fault that replaces bytes lo..hi; its lines are those where the change begins."""
        lo, hi, new = change
        line = bisect.bisect_right(self._starts, lo) - 1
        start = self._starts[line]
        rest = self.data[hi : self.data.index(b"\n", hi)]
        before = self.data[start : self._starts[line + 1]].decode().strip()
        after = (self.data[start:lo] + new.encode() + rest).decode().splitlines()[0].strip()
        return Fault(file, function, line + 1, before, after, change)


def _between(source: _Source, left: ast.AST, right: ast.AST, old: str, new: str) -> tuple[int, int, str]:
    """The operator that stands between two operands."""
    lo = source.data.index(old.encode(), source.end(left), source.begin(right))
    return lo, lo + len(old), new


def _names(function: ast.FunctionDef) -> set[str]:
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {a.arg for a in function.args.args}


def _operators(source: _Source, node: ast.AST) -> Iterator[tuple[int, int, str]]:
    """Comparisons, sums, and/or, not."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
        kind = type(node.ops[0])
        yield _between(source, node.left, node.comparators[0], signs[kind], COMPARISONS[kind])
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        old, new = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
        yield _between(source, node.left, node.right, old, new)
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
        old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
        yield _between(source, node.target, node.value, old, new)
    elif isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield _between(source, left, right, old, new)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield source.begin(node), source.end(node), f"({source.text(node.operand)})"


def _values(source: _Source, node: ast.AST, names: set[str], fields: set[str]) -> Iterator[tuple[int, int, str]]:
    """Whole numbers, ranges, one seat for another."""
    lo, hi = (source.begin(node), source.end(node)) if hasattr(node, "lineno") else (0, 0)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield lo, hi, str(node.value + 1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        last = node.args[min(1, len(node.args) - 1)]
        yield source.begin(last), source.end(last), f"{source.text(last)} - 1"
    elif isinstance(node, ast.Name) and node.id == "seat" and isinstance(node.ctx, ast.Load) and "state" in names:
        yield lo, hi, "state.player"
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        whole = source.text(node)
        if whole in ("state.player", "state.active"):
            other = {"player": "active", "active": "player"}[node.attr]
            if other in fields:
                yield lo, hi, f"state.{other}"
            if "seat" in names:
                yield lo, hi, "seat"


def _statements(source: _Source, node: ast.AST) -> Iterator[tuple[int, int, str]]:
    """Swapped branches, statements left out. Assignments to local names stay: without them nothing runs at all."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield source.begin(node.test), source.end(node.test), f"not ({source.text(node.test)})"
    out = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    out = out or isinstance(node, ast.Break | ast.Continue | ast.AugAssign)
    out = out or (isinstance(node, ast.Return) and node.value is None)
    out = out or (isinstance(node, ast.Assign) and not any(isinstance(t, ast.Name) for t in node.targets))
    if out:
        yield source.begin(node), source.end(node), "pass"


def faults_of(file: Path, name: str, fields: set[str]) -> list[Fault]:
    """Every fault of every function under `@rule` of a file."""
    source = _Source(file.read_text())
    found = {}
    for function in ast.walk(ast.parse(source.data)):
        if not isinstance(function, ast.FunctionDef):
            continue
        if not any(isinstance(d, ast.Name) and d.id == "rule" for d in function.decorator_list):
            continue
        names = _names(function)
        for statement in function.body:
            for node in ast.walk(statement):
                changes = [*_operators(source, node), *_values(source, node, names, fields), *_statements(source, node)]
                for change in changes:
                    fault = source.fault(name, function.name, change)
                    found[fault.key()] = fault
    return list(found.values())


def chosen(folder: Path, seed: int, n: int, files: tuple[str, ...] = ()) -> list[Fault]:
    """`n` faults of a game, few in any one function.

    Each fault has its own lot, which depends on the seed and its own text only: an edited line changes little else in
    what is chosen.
    """
    fields = {"player"} | ({"active"} if '"active"' in (folder / "state.py").read_text() else set())
    everything = []
    for file in sorted(folder.glob("*.py")):
        if file.name in files or (not files and file.name not in LEFT_OUT):
            everything += faults_of(file, file.name, fields)
    everything.sort(key=lambda f: hashlib.sha256(repr((seed, *f.key())).encode()).digest())
    picked: list[Fault] = []
    for most in range(PER_FUNCTION, 100):
        planted = Counter((f.file, f.function) for f in picked)
        left = []
        for fault in everything:
            place = fault.file, fault.function
            if len(picked) < n and planted[place] < most:
                picked.append(fault)
                planted[place] += 1
            else:
                left.append(fault)
        everything = left
        if len(picked) == n or not everything:
            break
    random.Random(seed).shuffle(picked)
    return picked
