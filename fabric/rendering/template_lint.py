"""What a template may not contain: templates print, they do not think."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

from fabric.diagnostics import Diagnostic, Origin
from fabric.rendering import codes

FORBIDDEN: tuple[tuple[type[nodes.Node], str], ...] = (
    (nodes.BinExpr, "arithmetic"),
    (nodes.Concat, "joining texts"),
    (nodes.Macro, "a macro: a call per port is four times slower"),
    (nodes.CallBlock, "a call block"),
    (nodes.AssignBlock, "a variable"),
    (nodes.CondExpr, "a decision inside an expression"),
)
ALLOWED_FILTERS = frozenset({"tojson", "join", "indent"})


def lint_templates(folder: Path) -> tuple[Diagnostic, ...]:
    """Findings on every template below a folder: logic, includes inside loops, filters beyond printing."""
    environment = Environment(autoescape=False)  # noqa: S701  # parsed, never rendered
    return tuple(
        finding
        for path in sorted(folder.rglob("*.j2"))
        for finding in _lint(
            environment.parse(path.read_text(encoding="utf-8")), str(path.relative_to(folder))
        )
    )


def _lint(tree: nodes.Template, name: str) -> Iterator[Diagnostic]:
    for line, what in (*_forbidden(tree), *_in_loops(tree), *_thoughts(tree)):
        hint = "put the thought into `lower`, and print its result"
        yield codes.FORBIDDEN.at(Origin((name, line), "template"), f"{name}:{line}: {what}", hint=hint)


def _forbidden(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for kind, what in FORBIDDEN:
        for node in tree.find_all(kind):
            if not isinstance(node, nodes.And | nodes.Or):
                yield node.lineno, what


def _in_loops(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for loop in tree.find_all(nodes.For):
        for include in loop.find_all(nodes.Include):
            yield include.lineno, "an include inside a loop"


def _thoughts(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for assign in tree.find_all(nodes.Assign):
        if not isinstance(assign.node, nodes.Getattr):  # a short name for a part of the model is no thought
            yield assign.lineno, "a variable"
    for node in tree.find_all(nodes.Filter):
        if node.name not in ALLOWED_FILTERS:
            yield node.lineno, f"the filter {node.name!r}"
    for call in tree.find_all(nodes.Call):
        yield call.lineno, "a call"
