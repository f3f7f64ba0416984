"""A law: whatever the policy, a NIC and the switch at its cable put each code point into the same class."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fabric.devices.model import Host
from fabric.qos.model import ClassQueueing, PortQueueing
from tests.platforms.host.hosts import files, host, named, nic, port, queue, queueing


@st.composite
def policies(draw: st.DrawFn) -> PortQueueing:
    """Three to eight classes in any places; one of them RoCE, one CNP, one the rest."""
    count = draw(st.integers(3, 8))
    numbers = draw(st.permutations(range(8)))[:count]
    queues = draw(st.permutations(range(8)))[:count]
    points = draw(st.lists(st.integers(0, 63), min_size=count, max_size=30, unique=True))
    owned = [tuple(points[index :: count - 1]) for index in range(count - 1)]
    rest = tuple(sorted(set(range(64)) - set(points)))
    shares = draw(st.integers(1, 99))
    base = queueing()
    marking = base.classes[1].ecn
    lossless = draw(st.booleans())
    plain = [queue(f"c{n}", (), n) for n in numbers]
    changed: list[ClassQueueing] = []
    for index, one in enumerate(plain):
        values = {"queue": queues[index], "dscp": owned[index] if index < count - 1 else rest, "strict": True}
        if index == 0:
            values |= {"strict": False, "share_percent": shares, "ecn": marking}
            values["priority"] = one.traffic_class if lossless else None
        elif index == 1:
            values["is_cnp"] = True
        elif index == count - 1:
            values |= {"strict": False, "share_percent": 100 - shares, "is_rest": True}
        changed.append(msgspec.structs.replace(one, **values))
    classes = tuple(sorted(changed, key=lambda one: one.traffic_class))
    return msgspec.structs.replace(base, classes=classes)


def at(policy: PortQueueing) -> Host:
    return named(host(port(0, queueing=policy)), nic(0))


@given(policies())
def test_a_code_point_has_the_switchs_queue_pause_and_share(policy):
    maps = json.loads(files(at(policy))["etc/fabric/expected.json"])["rail0"]

    for one in policy.classes:
        for point in one.dscp:
            priority = maps["dscp_to_priority"][point]
            own = maps["priority_to_class"][priority]
            assert one.queue == own
            assert (one.priority is not None) == bool(maps["pfc"][priority])
            assert ("strict" if one.strict else "ets") == maps["algorithms"][own]
            assert (one.share_percent or 0) == maps["bandwidth_percent"][own]


@given(policies())
def test_what_is_sent_is_in_the_class_it_is_meant_for(policy):
    maps = json.loads(files(at(policy))["etc/fabric/expected.json"])["rail0"]
    of = {point: one for one in policy.classes for point in one.dscp}

    assert of[maps["roce_dscp"]].ecn is not None
    assert of[maps["cnp_dscp"]].is_cnp
    assert maps["roce_dscp"] * 4 + 2 == maps["roce_tos"]
    assert maps["roce_priority"] == maps["dscp_to_priority"][maps["roce_dscp"]]
