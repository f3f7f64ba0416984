"""A drain is done with BGP sessions: a switch that has none is not taken for drained, by anybody."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from fabric.devices import codes
from fabric.diagnostics import Invalid
from fabric.graph import graphs
from fabric.intent.state import Drained
from tests.analysis.sites import SHAPES, made
from tests.analysis.test_separated import WHY, attached


@pytest.mark.parametrize("shape", SHAPES)
def test_exactly_a_switch_without_sessions_cannot_be_drained_and_is_not_out(shape):
    draw = random.Random(shape)  # noqa: S311  # cases, no secrets
    for value in (attached(shape, draw), attached(shape, draw)):
        site = made(value)
        net = site.topology.networks["compute"]
        cabled = {one.name for one in site.devices.values() if any(port.peer for port in one.ports)}
        can = {
            one.name: bool(one.routing.neighbors) or one.name not in cabled for one in site.devices.values()
        }
        names = [net.names[node] for node in net.switches]
        state = {
            "drained": [{"device": name, "mode": draw.choice(["graceful", "shut"]), **WHY} for name in names]
        }
        entries = msgspec.convert(state["drained"], tuple[Drained, ...])
        intent = msgspec.structs.replace(
            site.intent, state=msgspec.structs.replace(site.intent.state, drained=entries)
        )
        graph = graphs(site.topology, None, intent)["compute"]
        out = {net.names[node] for node in net.switches if not graph.carries[_at(graph, node)].any()}

        assert out == {name for name, is_drainable in can.items() if is_drainable}
        assert refused(value, state) == [name for name, is_drainable in can.items() if not is_drainable]


def refused(value, state) -> list[str]:
    """The drained switches that the site is refused for."""
    try:
        site = made(value, state)
    except Invalid as error:
        found = [one for one in error.diagnostics if one.code == codes.DRAINS_NO_SESSION.code]
        assert all(one.origin.path[::2] == ("drained", "device") for one in found)
        return [one.value for one in found]
    assert {one.name for one in site.devices.values()} == {
        one.name for one in site.devices.values() if one.drained
    }
    return []


def _at(graph, node: int):
    return np.flatnonzero((graph.lower == node) | (graph.upper == node))
