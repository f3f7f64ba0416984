"""What all sessions of a switch stand on: its router id and its AS number. A change of either is at least a flap."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from fabric.configuration import Line, compare
from fabric.configuration.impacts import rank
from fabric.devices.model import Switch
from fabric.planning.judging import judged
from fabric.planning.texts import masked
from tests.configuration.dialects import PRODUCTS, dialect, said, tree, without
from tests.platforms.everywhere import FEATURES, capabilities, devices, texts

ROUTER_ID = re.compile(r"router[-_ ]id")
OWN_NUMBER = re.compile(r"router bgp|^autonomous-system|^local_asn|^bgp_asn|^autonomous_system")
SITES = ("two tiers", "unnumbered", "dual stack")


def switches(name: str) -> Iterator[tuple[Switch, str]]:
    for feature in SITES:
        if FEATURES[feature].able(capabilities(name)):
            for switch, text in list(texts(devices(name, feature)))[::3]:
                yield switch, masked(dialect(name).plain(text))


def impact(name: str, switch: Switch, old: str, new: str) -> int:
    """The rank of the worst that a plan says of going from one text to the other."""
    changes = judged(compare(dialect(name), switch.name, old, new).changes, switch)
    return max((rank(change.impact.value) for change in changes), default=-1)


def lines_with(name: str, text: str, form: re.Pattern[str], value: str) -> list[tuple[str, ...]]:
    return [
        path
        for path in said(tree(name, text).values())
        if form.search(path[-1]) and value in re.split(r"[^\w.]+", path[-1])
    ]


def replaced(lines: list[Line], path: tuple[str, ...], old: str, new: str) -> list[Line]:
    """The lines with a value of one of them replaced."""
    return [
        line
        if line.text != path[0]
        else Line(
            line.text if len(path) > 1 else line.text.replace(old, new),
            line.number,
            replaced(line.below, path[1:], old, new) if len(path) > 1 else line.below,
            _raw(line.raw, old, new) if len(path) == 1 else line.raw,
        )
        for line in lines
    ]


def _raw(raw: object, old: str, new: str) -> object:
    """What a syntax of documents keeps of a line, with its value replaced."""
    value = getattr(raw, "value", None)
    if value is None:
        return raw
    kind = type(value)
    return raw._replace(value=kind(new) if str(value) == old else value)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_router_id_added_removed_or_changed_builds_sessions_anew(name: str) -> None:
    for switch, text in switches(name):
        known, own = dialect(name), str(switch.routing.router_id)
        found = lines_with(name, text, ROUTER_ID, own)
        assert found, "no line says the router id"
        nodes = list(tree(name, text).values())
        for path in found:
            shorter = known.plain(known.written(without(nodes, path)))
            other = known.plain(
                known.syntax.written(replaced([n.line() for n in nodes], path, own, "192.0.2.77"))
            )
            assert impact(name, switch, text, shorter) >= rank("flap"), ("removed", path)
            assert impact(name, switch, shorter, text) >= rank("flap"), ("added", path)
            assert impact(name, switch, text, other) >= rank("flap"), ("changed", path)


@pytest.mark.parametrize("name", PRODUCTS)
def test_another_as_number_builds_sessions_anew(name: str) -> None:
    for switch, text in switches(name):
        known, own = dialect(name), str(switch.routing.asn)
        found = lines_with(name, text, OWN_NUMBER, own)
        assert found, "no line says the AS number"
        for path in found:
            lines = [node.line() for node in tree(name, text).values()]
            other = known.plain(known.syntax.written(replaced(lines, path, own, "64999")))
            assert impact(name, switch, text, other) >= rank("flap"), path


@pytest.mark.parametrize("name", PRODUCTS)
def test_what_nobody_knows_beside_the_router_id_is_no_less(name: str) -> None:
    """Another address family of all neighbours, a confederation, a cluster: nobody can say that sessions stay."""
    for switch, text in switches(name):
        known = dialect(name)
        lines = [node.line() for node in tree(name, text).values()]
        path = lines_with(name, text, ROUTER_ID, str(switch.routing.router_id))[-1]
        planted = known.plain(known.syntax.written(_beside(lines, path)))
        assert impact(name, switch, text, planted) >= rank("flap"), path


def _beside(lines: list[Line], path: tuple[str, ...]) -> list[Line]:
    if len(path) == 1:
        (line,) = (line for line in lines if line.text == path[0])
        key, value = "zq-unknown", "7"
        raw = line.raw._replace(key=key, value=value) if hasattr(line.raw, "_replace") else line.raw
        return [*lines, Line(f"{key} {value}", line.number, [], raw)]
    return [
        line
        if line.text != path[0]
        else Line(line.text, line.number, _beside(line.below, path[1:]), line.raw)
        for line in lines
    ]
