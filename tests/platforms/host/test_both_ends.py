"""A law: whatever the policy, a NIC and the switch at its cable put each code point into the same class."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import api
from fabric.diagnostics import Invalid
from tests.platforms.host.hosts import NAME, ONE, lossless, texts
from tests.platforms.sites import derived
from tests.platforms.strategies import shares

Classes = dict[str, dict[str, Any]]


@st.composite
def policies(draw: st.DrawFn) -> dict[str, Any]:
    """Two to eight classes in any places, none of them of the same place; RDMA in one or two, the rest in the last."""
    count = draw(st.integers(2, 8))
    points = draw(st.lists(st.integers(0, 63), min_size=count, max_size=30, unique=True))
    numbers, queues, priorities = (draw(st.permutations(range(8))) for _ in range(3))
    classes: Classes = {
        f"c{i}": {
            "dscp": points[i :: count - 1] if i < count - 1 else "rest",
            "traffic_class": numbers[i],
            "queue": queues[i],
        }
        for i in range(count)
    }
    few = list(classes.values())
    weighted = draw(st.integers(1, count))
    for one, share in zip(few, draw(shares(weighted)), strict=False):
        one["share"] = share
    for one in few[weighted:]:
        one |= {"strict": True, "max_rate": 1}
    for one, priority in zip(few[: draw(st.integers(1, min(2, count - 1)))], priorities, strict=False):
        one["ecn"] = "auto"
        if draw(st.booleans()):
            one["priority"] = priority
    for one in few:
        if draw(st.booleans()):
            one["ecn"] = "auto"
    lossy = [name for name, one in classes.items() if "priority" not in one]
    order = draw(st.permutations(list(classes)))
    return {
        "classes": {name: classes[name] for name in order},
        "cnp": draw(st.sampled_from(lossy)),
        "watchdog": "none",
    }


def clash(classes: Classes) -> bool:
    """Whether a NIC would have two classes in one priority."""
    numbers = [one.get("priority", one["traffic_class"]) for one in classes.values()]
    return len(set(numbers)) < len(numbers)


@given(policies())
def test_a_code_point_has_the_switchs_queue_pause_and_share(policy):
    found = derived(texts(*ONE, lossless(json.dumps(policy))))
    if clash(policy["classes"]):
        with pytest.raises(Invalid, match="FAB591"):
            api.render_hosts(found)[NAME]
        return
    own = {file.path: file.text for file in api.render_hosts(found)[NAME].files}
    maps = json.loads(own["etc/fabric/expected.json"])["rail0"]
    [port] = found.hosts[NAME].ports
    [leaf] = [one.queueing for one in found[port.peer].ports if one.name == port.peer_port]

    in_step(maps, leaf)
    in_its_class(maps, policy)


def in_step(maps, leaf):
    """The switch's own queueing at the NIC."""
    assert set(range(64)) == {point for one in leaf.classes for point in one.dscp}
    for one in leaf.classes:
        for point in one.dscp:
            priority = maps["dscp_to_priority"][point]
            own = maps["priority_to_class"][priority]
            assert one.queue == own
            assert (one.priority is not None) == bool(maps["pfc"][priority])
            assert ("strict" if one.strict else "ets") == maps["algorithms"][own]
            assert (one.share_percent or 0) == maps["bandwidth_percent"][own]


def in_its_class(maps, policy):
    """What is sent, in the class that it is meant for: RDMA in that of notifications only where no other is left."""
    classes: Classes = policy["classes"]
    of = {point: name for name, one in classes.items() for point in one["dscp"] if one["dscp"] != "rest"}
    last = next(name for name, one in classes.items() if one["dscp"] == "rest")
    marked = {name for name, one in classes.items() if "ecn" in one and name != last}
    paused = {name for name, one in classes.items() if "priority" in one}

    assert of[maps["roce_dscp"]] in (paused or marked - {policy["cnp"]} or marked)
    assert policy["cnp"] == of.get(maps["cnp_dscp"], last)
    assert maps["roce_dscp"] * 4 + 2 == maps["roce_tos"]
    assert maps["roce_priority"] == maps["dscp_to_priority"][maps["roce_dscp"]]
