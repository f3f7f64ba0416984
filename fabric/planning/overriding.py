"""Settings of others that stand in what is ours: they may do away with what the intent says.

`neighbor UP shutdown` below a session of ours, an access list on a port of ours, an entry of a policy of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from fabric.configuration import Difference, Foreign, Node, Statement, rank
from fabric.planning.judging import access_of, effect_of

SUBJECT = re.compile(r"<([a-z_0-9]+)")
"""A part of a pattern that says what a line is about."""
THINGS = frozenset(("group", "peer", "port"))
"""Parts that name a thing wherever they stand."""
PLACES = frozenset(("vrf", "vrf_name", "table", "context", "instance"))
"""Parts that say in which table of routes things are."""
SLOTS = frozenset(("direction",))
"""Parts that say which of the few places of what they stand in a setting takes: `route-map NAME out`."""


def overriding(foreign: Iterable[Foreign]) -> tuple[str, ...]:
    """Each such setting with those that it stands in: `interface Ethernet1/1: ip access-group X in`."""
    return tuple(_shown(setting) for setting in foreign if _may_override(setting))


def _shown(setting: Foreign) -> str:
    above = [node.text for node in setting.above if not _is_container(node)]
    return f"{' '.join(above)}: {setting.node.text}" if above else setting.node.text


def _may_override(setting: Foreign) -> bool:
    if any(
        node.statement is not None and node.statement.overrides for node in (*setting.above, setting.node)
    ):
        return not _is_default_route(setting)
    if not _is_inside(setting) and not _is_part_of_ours(setting.node, setting.beside.values()):
        return False
    line = Difference(setting.above, None, setting.node)
    return (
        setting.node.statement is None
        or rank(effect_of(line, frozenset()).impact) > rank("none")
        or access_of(line) != "none"
    )


def _is_inside(setting: Foreign) -> bool:
    """Whether a setting stands in one of ours and is about it: not another session below the same instance."""
    if all(map(_is_container, setting.above)):
        return _is_of_all(setting)
    named = {(part, setting.node.parts[part]) for part in THINGS & setting.node.parts.keys()}
    if named:
        return bool(named & set(_things((*setting.above, *setting.beside.values()))))
    if any(map(_is_named, setting.above)):
        return True  # an entry of a policy, whatever else a session, a group or a port has
    statement = setting.node.statement
    is_thing = statement is not None and bool(_subjects(statement))
    return not is_thing or (statement is not None and statement.order_counts)


def _is_named(node: Node) -> bool:
    """Whether a line begins a thing of its own: a session, a port, a policy. In a VRF are things of others as well."""
    if node.statement is None or node.statement.is_container:
        return False
    return not PLACES.issuperset(_subjects(node.statement))


def _is_default_route(setting: Foreign) -> bool:
    """Every route that BGP brings is more specific."""
    parts = {name: part for node in (*setting.above, setting.node) for name, part in node.parts.items()}
    return parts.get("prefix", "").endswith("/0")


def _is_of_all(setting: Foreign) -> bool:
    """Whether it holds for all that a container has, of which something is ours: `graceful-shutdown` of `bgp`."""
    statement = setting.node.statement
    is_known = statement is not None and statement.effect is not None and not _subjects(statement)
    return is_known and bool(setting.above and setting.beside)


def _subjects(statement: Statement) -> list[str]:
    """The parts of a pattern that say what a line is about, and not in which of few places it stands."""
    return [name for name in SUBJECT.findall(statement.pattern) if name not in SLOTS]


def _things(nodes: Iterable[Node]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        yield from ((part, node.parts[part]) for part in THINGS & node.parts.keys())


def _is_part_of_ours(node: Node, ours: Iterable[Node]) -> bool:
    """Whether a line is one more of a list of ours: all that says what it is about but for the last is the same."""
    subject = _list(node.statement, node.parts) if node.statement is not None else None
    return subject is not None and any(
        other.statement is node.statement and _list(other.statement, other.parts) == subject
        for other in ours
        if other.statement is not None
    )


def _list(statement: Statement, parts: Mapping[str, str]) -> tuple[str, ...] | None:
    """What the list is called whose entry a line is; None if it is none."""
    subjects = SUBJECT.findall(statement.pattern)
    return tuple(parts.get(name, "") for name in subjects[:-1]) if len(subjects) > 1 else None


def _is_container(node: Node) -> bool:
    return node.statement is not None and node.statement.is_container
