"""The places that the code writes down, read from its source: what `Origin((...))` and `.child(...)` name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fabric.intent.schema_files import DOCUMENTS
from tests.places import Step, everywhere, led_to, schema_name, whole

OF_A_SWITCH = ("networks", None, "tiers", None)
"""What `Switch.origin` is: the tier that describes it."""


class Literal(NamedTuple):
    """A place as far as the source says it."""

    document: str | None
    """None: the source does not say."""
    path: tuple[Step, ...]
    is_whole: bool
    """Whether the path begins at the root of its document."""


NAMES_ONE = re.compile(r"\borigin\b|\bOrigin\(|\.child\(")
"""What stands in every module that names a place: the others need not be parsed."""


@cache
def named(source: str) -> tuple[tuple[int, Literal], ...]:
    """Every place that a module names, with its line."""
    functions = (
        node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.FunctionDef, ast.Module))
    )
    return tuple(place for function in functions for place in _of_body(function))


def _of_body(function: ast.FunctionDef | ast.Module) -> Iterator[tuple[int, Literal]]:
    known: dict[str, Literal | None] = {}
    done: set[ast.AST] = set()
    for node in _own(function):
        if isinstance(node, ast.Assign):
            inside = set(ast.walk(node.value))
            yield from _calls(inside, known)
            done |= inside
            for target, found in [(target, _place(value, known)) for target, value in _pairs(node)]:
                known[target] = found if known.get(target, found) == found else None
        elif node not in done:
            yield from _calls([node], known)


def _calls(nodes: Iterable[ast.AST], known: Mapping[str, Literal | None]) -> Iterator[tuple[int, Literal]]:
    for node in nodes:
        if isinstance(node, ast.Call) and (found := _place(node, known)):
            yield node.lineno, found


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function in the order of the source, without those of functions inside it."""
    for node in ast.iter_child_nodes(function):
        yield node
        if not isinstance(node, ast.FunctionDef):
            yield from _own(node)


def _pairs(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield ast.unparse(one), other
    else:
        yield ast.unparse(target), value


def _place(node: ast.expr, known: Mapping[str, Literal | None]) -> Literal | None:
    """What an expression names as a place; None: it names none, or does not say which."""
    match node:
        case ast.Attribute() if ast.unparse(node).removeprefix("self.") == "switch.origin":
            return Literal("intent", OF_A_SWITCH, is_whole=True)
        case ast.Name():
            return known.get(node.id)
        case ast.Call(func=ast.Name("Origin"), args=[ast.Tuple(steps), *documents]) if _is_plain(steps):
            return Literal(_document(documents), tuple(map(_step, steps)), is_whole=True)
        case ast.Call(func=ast.Attribute(around, "child"), args=steps) if _is_plain(steps):
            found = _place(around, known) or Literal(None, (), is_whole=False)
            return found._replace(path=found.path + tuple(map(_step, steps)))
    return None


def _is_plain(steps: Iterable[ast.expr]) -> bool:
    return not any(isinstance(one, ast.Starred) for one in steps)


def _document(written: Sequence[ast.expr]) -> str | None:
    """The kind of document that an `Origin` names: `policy` of `policy:roce`."""
    match written:
        case []:
            return "intent"
        case [ast.Constant(str(name))] | [ast.JoinedStr([ast.Constant(str(name)), *_])]:
            return name.partition(":")[0]
    return None


def _step(node: ast.expr) -> Step:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)) else None


def is_allowed(place: Literal) -> bool:
    """Whether some schema has such a place."""
    names = [schema_name(place.document)] if place.document else list(DOCUMENTS)
    names = ["switch", "host"] if place.document == "hardware" else names
    return names == [None] or any(
        led_to(name, [whole()[name]] if place.is_whole else everywhere(name), place.path, is_code=True)
        for name in names
        if name
    )


@cache
def named_in(root: Path) -> tuple[tuple[Path, int, Literal], ...]:
    """Every place that a package names, with its module and line."""
    return tuple(
        (path, line, place)
        for path in sorted(root.rglob("*.py"))
        if NAMES_ONE.search(text := path.read_text())
        for line, place in named(text)
    )


def strays(root: Path) -> list[str]:
    """The places in a package that no schema has."""
    return [
        f"{path.relative_to(root)}:{line}: {place.document}: {'.'.join(str(s or '*') for s in place.path)}"
        for path, line, place in named_in(root)
        if not is_allowed(place)
    ]
