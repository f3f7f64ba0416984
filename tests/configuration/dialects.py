"""Texts of every product that has a table, and words for its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from fabric.configuration import Dialect, Line, Node, Section
from tests.platforms import subnets
from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, product, texts
from tests.platforms.sites import merged
from tests.platforms.subnets import SINGLE, TENANTED, TORUS, known, tenants


def _has_table(name: str) -> bool:
    """While products get their tables one after the other."""
    try:
        product(name)
    except (ImportError, TypeError):
        return False
    return True


PRODUCTS = tuple(name for name in MODELS if _has_table(name))
"""Of switches."""
MANAGERS = ("opensm", "ufm")
"""Of subnet managers."""
TABLES = (*PRODUCTS, *MANAGERS)
SUBNETS = (TENANTED, TORUS, SINGLE, known(), merged(TENANTED, tenants("{blue: null, red: {hosts: [h-0-3]}}")))
EXAMPLES = ("two tiers", "three tiers", "vlan gateways", "border router", "snmpv3", "bgp password", "tacacs")


def dialect(name: str) -> Dialect:
    """That of a product."""
    return product(name).dialect()


@cache
def managed(name: str) -> tuple[str, ...]:
    """What a subnet manager has for some subnets."""
    return tuple(subnets.printed(subnets.manager(name, words)) for words in SUBNETS)


@cache
def printed(name: str, feature: str) -> tuple[str, ...]:
    """What a product prints for the switches of the shared site with a feature; nothing if it cannot say that."""
    if not FEATURES[feature].able(capabilities(name)):
        return ()
    return tuple(text for _, text in texts(devices(name, feature)))


def examples(name: str) -> list[str]:
    """A leaf and a spine for each feature, or a manager for each subnet, with references to secrets."""
    if name in MANAGERS:
        return list(managed(name))
    found = (printed(name, feature) for feature in EXAMPLES)
    return [text for one in found if one for text in (one[0], one[-1])]


def tree(name: str, text: str) -> dict[str, Node]:
    """All that a text says, defaults too."""
    known = dialect(name)
    return known.tree(known.pieces(text).values(), defaults=True)


def said(nodes: Iterable[Node], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every line with those above it."""
    for node in nodes:
        yield (*above, node.text)
        yield from said(node.below.values(), (*above, node.text))


def settings(nodes: Iterable[Node], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The same, but for what stands in texts."""
    for node in nodes:
        yield (*above, node.text)
        if node.statement is None or not node.statement.is_free:
            yield from settings(node.below.values(), (*above, node.text))


def without(nodes: Iterable[Node], path: tuple[str, ...]) -> list[Node]:
    """The same without one line and what is below it; without lines that only held it."""
    found = []
    for node in nodes:
        if (node.text,) == path:
            continue
        if node.text == path[0]:
            below = {one.key: one for one in without(node.below.values(), path[1:])}
            node = Node(node.key, node.text, node.number, node.statement, node.parts, below, node.raw)  # noqa: PLW2901
        found.append(node)
    return found


def twice(lines: Iterable[Line], section: Section | None) -> Iterator[str]:
    """Lines that set what another one of their place sets, and say something else."""
    seen: dict[str, str] = {}
    for line in lines:
        known = section.find(line.text) if section is not None else None
        key = line.text if known is None else known.line.key
        expands = known is not None and known.statement.expands is not None
        if seen.setdefault(key, line.text) != line.text and not expands:
            yield f"{seen[key]!r} and {line.text!r}"
        if known is not None and not known.statement.is_free:
            yield from twice(line.below, known.statement.below)


def implied(nodes: dict[str, Node]) -> set[str]:
    """Lines that say a default because of another line beside them."""
    found = set()
    for node in nodes.values():
        found |= {node.statement.implies} if node.statement is not None else set()
        found |= implied(node.below)
    return found
