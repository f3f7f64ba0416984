"""What managers say of themselves against the intent, for every state that two managers can be in."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from fabric.verification.finding import Finding
from fabric.verification.infiniband import Planned, planned_managers, verify_subnet
from fabric.verification.infiniband.reading.evidence import Evidence, evidence_of
from tests.infiniband.sites import SMALL_HARDWARE, TINY, compiled
from tests.verification.infiniband.planting import found

SITE = compiled(TINY, SMALL_HARDWARE)
FIRST, SECOND = (SITE[name][0] for name in ("sm-1", "sm-2"))
SUBNET = FIRST.subnet
PLANNED = planned_managers((FIRST, SECOND), shared=False)
LID = {end.host: end.lid for end in SUBNET.ends if end.host in SITE}
STATES = {0: "NOTACTIVE", 1: "DISCOVERING", 2: "STANDBY", 3: "MASTER"}


def answer(name: str, state: int, priority: int | None = None, guid: int | None = None, lid: int = 0) -> str:
    """One call of sminfo, and what it prints."""
    manager = SITE.get(name, (FIRST,))[0]
    at = lid or LID[name]
    said = f"sm guid {manager.port_guid if guid is None else guid:#x}, activity count 949"
    many = manager.priority if priority is None else priority
    return f"# sminfo lid {at}\nsminfo: sm lid {at} {said} priority {many} state {state} SMINFO_{STATES[state]}\n"


def silence(name: str) -> str:
    return f"# sminfo lid {LID[name]}\n"


def kinds(*texts: str, planned: tuple[Planned, ...] = PLANNED, discovered: bool = True) -> dict[str, Finding]:
    """Findings about managers by id."""
    evidence = evidence_of({str(number): text for number, text in enumerate(texts)})
    if discovered:
        evidence = msgspec.structs.replace(evidence, discovered=found(SUBNET))
    verdict = verify_subnet(SUBNET, evidence, managers=planned)
    return {one.id: one for one in verdict.findings if one.section == "managers"}


@pytest.mark.parametrize("discovered", [True, False])
@pytest.mark.parametrize(("first", "second"), list(product([None, 0, 1, 2, 3], repeat=2)))
def test_nothing_is_found_in_the_planned_state_alone(first, second, discovered):
    """Every pair of states; a manager that is discovering is on its way, as long as the other one is the master."""
    texts = [
        silence(name) if state is None else answer(name, state)
        for name, state in (("sm-1", first), ("sm-2", second))
    ]

    said = kinds(*texts, discovered=discovered)

    assert (said == {}) == ((first, second) in {(3, 2), (3, 1)})
    assert ("no-master" in said) == (3 not in (first, second))
    assert ("two-masters:sm-1+sm-2" in said) == ((first, second) == (3, 3))
    assert ("wrong-master:sm-2" in said) == (second == 3 and first in (0, 1, 2))
    for name, state in (("sm-1", first), ("sm-2", second)):
        assert (f"dead-manager:{name}" in said) == (state in (None, 0))


def test_a_manager_that_is_not_among_the_ports_that_have_one_is_dead_without_a_question():
    listed = (
        f"IsSM ports\nPortInfoRecord dump:\n\t\tEndPortLid..............{LID['sm-1']}\n\nIsSMdisabled ports\n"
    )

    assert {"dead-manager:sm-2"} == kinds(listed, answer("sm-1", 3)).keys()
    assert {} == kinds(listed, answer("sm-1", 3), answer("sm-2", 2))


def test_of_who_was_not_asked_nothing_is_said_but_that():
    verdict = verify_subnet(SUBNET, evidence_of({"sminfo": answer("sm-1", 3)}), managers=PLANNED)
    told = [one.text for one in verdict.not_seen if one.section == "managers"]

    assert () == verdict.findings
    assert ["sm-2: no `sminfo LID` of its port"] == told[:1]
    assert "strangers" in told[1]


def test_nobody_was_asked_is_said():
    told = [one.text for one in verify_subnet(SUBNET, Evidence(), managers=PLANNED).not_seen]

    assert "no answers of subnet managers (`saquery -s`, `sminfo`)" in told


def test_a_switch_that_manages_is_a_stranger_with_its_name():
    spine = next(switch for switch in SUBNET.switches if switch.role == "spine")
    said = kinds(answer("sm-1", 3), answer("sm-2", 2), answer("", 2, 5, spine.guid, spine.lid))

    (one,) = said.values()
    assert one.kind == "stranger-manager"
    assert f"runs at {spine.name} port 0, with priority 5, and stands by" in one.text


def test_the_port_of_a_dead_host_is_told_by_its_cable_and_not_as_a_manager():
    end = next(end for end in SUBNET.ends if end.host == "sm-2")
    seen = found(SUBNET)
    links = {at: link for at, link in seen.links.items() if end.node_guid not in (at[0], link.peer[0])}
    evidence = evidence_of({"a": answer("sm-1", 3), "b": silence("sm-2")})
    dark = msgspec.structs.replace(evidence, discovered=msgspec.structs.replace(seen, links=links))

    verdict = verify_subnet(SUBNET, dark, managers=PLANNED)

    assert [] == [one for one in verdict.findings if one.section == "managers"]
    assert any("the port of sm-2 has no link" in one.text for one in verdict.seen)
    assert any("sm-2" in one.text for one in verdict.findings)


def test_a_product_that_chooses_its_master_itself_may_have_either():
    shared = planned_managers((FIRST,), shared=True)

    assert ["sm-1", "sm-2"] == [one.name for one in shared]
    for name in LID:
        assert {} == kinds(answer(name, 3, 15), planned=shared)
    assert {"no-master"} == kinds(silence("sm-1"), silence("sm-2"), planned=shared).keys()
    stranger = next(end for end in SUBNET.ends if end.host not in SITE)
    strange = answer("", 3, 15, stranger.port_guid, stranger.lid)
    assert {"stranger-manager"} == {one.kind for one in kinds(strange, planned=shared).values()}


def test_a_port_that_names_a_master_that_does_not_answer_is_told_beside_the_one_that_works():
    lost = "# sminfo lid 0\n"
    works = answer("sm-1", 3) + answer("sm-2", 2)

    assert "lost-master:sm-1" in kinds(lost + works)
    assert "lost-master:sm-1" not in kinds(
        lost + works.partition("\n")[2]
    )  # who is asked at LID 0 has answered
    assert "no-master" in kinds(lost + silence("sm-1") + silence("sm-2"))
