"""What the kernel prints of a port, made from what the port is to do, comes back as that; every deviation is seen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fabric.platforms.device_state import PortQueues
from fabric.platforms.facts import ClassFacts, Facts
from fabric.platforms.frr.agent import state
from fabric.platforms.frr.session_queues import REPORTS, port_queues
from fabric.platforms.registry import platform
from tests.platforms.sites import compiled

BANDS = 8


@pytest.fixture(scope="module")
def port() -> tuple[Facts, dict[int, ClassFacts]]:
    """What a port of hosts is to do to packets, after the product's rounding."""
    (name, *_) = devices = compiled("frr")
    facts = platform("frr").port_facts(devices[name])
    bound = next(each.queueing for each in facts.interfaces.values() if each.queueing)
    return facts, dict(facts.profiles[bound])


def printed(facts: Facts, queues: dict[int, ClassFacts], **more: Any) -> dict[str, str]:
    """As `dcb -j` and `tc -j -d` print it."""
    paused = [each.priority for each in queues.values() if each.priority is not None]
    strict = sum(each.strict for each in queues.values()) and BANDS - min(
        n for n, q in queues.items() if q.strict
    )
    quanta = [
        1000 * max(1, queues.get(n, ClassFacts()).share_percent or 0)
        for n in range(BANDS - 1 - strict, -1, -1)
    ]
    red = [
        {
            "kind": "red",
            "handle": f"1{BANDS - number}:",
            "parent": f"1:{BANDS - number}",
            "options": {"limit": 2 * q.ecn[1], "min": q.ecn[0], "max": q.ecn[1], "ecn": None}
            | {"probability": q.ecn[2] / 100},
        }
        for number, q in queues.items()
        if q.ecn
    ]
    answers: dict[str, Any] = {
        "pfc": {"pfc_cap": 8, "prio_pfc": [n in paused for n in range(8)]},
        "app": {
            "default_prio": [0],
            "dscp_prio": [list(pair) for pair in facts.dscp_to_traffic_class.items()],
        },
        "qdisc": [
            {
                "kind": "ets",
                "handle": "1:",
                "root": True,
                "options": {"bands": BANDS, "strict": strict, "quanta": quanta, "priomap": [0] * 16},
            },
            *red,
        ],
    }
    return {name: json.dumps(answer) for name, answer in (answers | more).items()}


def queues_of(answers: dict[str, str]) -> PortQueues:
    return port_queues({"swp1": answers})["swp1"]


def test_what_the_kernel_prints_of_a_port_is_what_it_is_to_do(port):
    facts, queues = port
    told = queues_of(printed(facts, queues))

    paused = tuple(sorted(each.priority for each in queues.values() if each.priority is not None))
    assert (True, paused) == (told.has_pfc, told.pfc_priorities)
    assert {n: each.ecn for n, each in queues.items()} == {n: told.ecn[n] for n in queues}
    assert dict(facts.dscp_to_traffic_class) == told.dscp_to_traffic_class
    assert {n: None if q.strict else q.share_percent for n, q in queues.items()} == {
        n: told.shares[n] for n in queues
    }
    assert set(REPORTS) == {name for name in PortQueues.__struct_fields__ if getattr(told, name) is not None}


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("pfc_priorities", {"pfc": {"prio_pfc": [False] * 8}}),
        (
            "ecn",
            {
                "qdisc": [
                    {
                        "kind": "ets",
                        "handle": "1:",
                        "options": {"bands": 8, "strict": 0, "quanta": [1000] * 8},
                    }
                ]
            },
        ),
        (
            "shares",
            {
                "qdisc": [
                    {
                        "kind": "ets",
                        "handle": "1:",
                        "options": {"bands": 8, "strict": 0, "quanta": [9000] * 8},
                    }
                ]
            },
        ),
        ("dscp_to_traffic_class", {"app": {"default_prio": [5]}}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_deviation_of_anything_is_seen(port, what, more):
    before, after = queues_of(printed(*port)), queues_of(printed(*port, **more))

    assert getattr(before, what) != getattr(after, what)


def test_a_port_whose_driver_knows_no_queues_tells_nothing():
    """Real `dcb` and `tc`, on the ports of this machine: none of them is offloaded to a switch."""
    told = port_queues(state.queues())

    assert all(queues.ecn is None and queues.shares is None for queues in told.values())
    assert {} == port_queues(
        {"swp1": {"pfc": "", "app": "", "qdisc": '[{"kind": "noqueue", "options": {}}]'}}
    )
