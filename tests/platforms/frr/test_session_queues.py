"""What the kernel prints of a port, made from what the port is to do, comes back as that; every deviation is seen."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from fabric.devices.model import Switch
from fabric.intent.inventory import Inventory
from fabric.platforms.device_state import DeviceAnswers, PortQueues
from fabric.platforms.facts import ClassFacts, Facts
from fabric.platforms.frr.agent import state
from fabric.platforms.frr.session_queues import REPORTS, port_queues
from fabric.platforms.registry import platform
from fabric.verification.ethernet import Evidence, PlannedNetwork, verify_network
from tests.platforms.sites import compiled
from tests.platforms.sites import printed as text_of

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


EVEN = {"kind": "ets", "handle": "1:", "options": {"bands": 8, "strict": 0, "quanta": [12_000] * 8}}
DEVIATIONS: dict[str, tuple[str, str, Any]] = {
    "pfc_priorities": ("pfc", "pfc", {"prio_pfc": [False] * 8}),
    "has_pfc": ("pfc", "pfc", {"prio_pfc": [False] * 8}),
    "ecn": ("ecn", "qdisc", None),
    "shares": ("scheduling", "qdisc", None),
    "dscp_to_traffic_class": ("dscp", "app", {"default_prio": [5]}),
}
"""By what the product tells: the finding, the program, and what it prints; None: shares that are even, no curve."""


def found(port: tuple[Facts, dict[int, ClassFacts]], **more: Any) -> dict[str, str]:
    """What `fabric verify` finds of the queues of a leaf, one of whose ports prints this."""
    devices = compiled("frr")
    switches = [each for name in devices if isinstance(each := devices[name], Switch)]
    plan = PlannedNetwork("compute", switches, (devices.hosts[name] for name in devices.hosts), Inventory())
    (own, _) = end = next(
        end for end, far in plan.cables.items() if end in plan.ports and far not in plan.ports
    )
    queues = {end[1]: queues_of(printed(*port, **more))}
    answers = {
        own: DeviceAnswers(device=own, when=datetime.now(UTC), running=text_of(devices[own]), queues=queues)
    }
    verdict = verify_network(plan, Evidence(answers=answers), None)
    return {each.id.partition(":")[0]: each.text for each in verdict.findings if each.section == "queues"}


def test_a_port_as_configured_has_no_finding_and_every_deviation_one(port):
    assert set(REPORTS) == set(DEVIATIONS)
    assert {} == found(port)
    for kind, program, answer in DEVIATIONS.values():
        texts = found(port, **{program: [EVEN] if answer is None else answer})

        assert kind in texts
        assert set(texts) <= ({"ecn", "scheduling"} if program == "qdisc" else {kind})
        assert "swp" in texts[kind]
        assert "the device reports" in texts[kind]
        assert "configured is" in texts[kind]


def test_a_port_whose_driver_knows_no_queues_tells_nothing():
    """Real `dcb` and `tc`, on the ports of this machine: none of them is offloaded to a switch."""
    told = port_queues(state.queues())

    assert all(queues.ecn is None and queues.shares is None for queues in told.values())
    assert {} == port_queues(
        {"swp1": {"pfc": "", "app": "", "qdisc": '[{"kind": "noqueue", "options": {}}]'}}
    )
