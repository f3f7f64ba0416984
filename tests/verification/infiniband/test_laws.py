"""Laws of the comparison: one finding a fault wherever it is, the same ids beside others, no text that breaks it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.diagnostics import Refused
from fabric.verification.infiniband.cables.check_cables import cabling_findings
from fabric.verification.infiniband.reading.discovery import parse_ibnetdiscover
from fabric.verification.infiniband.reading.evidence import evidence_of
from fabric.verification.infiniband.route_audit.audit_routes import audit_routes
from fabric.verification.infiniband.verify_subnet import verify_subnet
from tests.programs import run
from tests.verification.infiniband.planting import cabled, found, superpod, swapped
from tests.verification.infiniband.records import FOLDER, recorded, tiny

SUPERPOD = superpod()
TINY = tiny()
links = st.sampled_from(SUPERPOD.links)
few = settings(max_examples=60, deadline=None)


def told(planted):
    return {one.id for one in cabling_findings(SUPERPOD, found(planted))}


def is_managers(link):
    """Whether nothing could be discovered without this cable."""
    first = next(end.node_guid for end in SUPERPOD.ends if end.host == "sm-1")
    return link.lower == first


@few
@given(one=links)
def test_a_cable_that_is_missing_is_one_finding_wherever_it_is(one):
    if not is_managers(one):
        assert len(told(cabled(SUPERPOD, (one,)))) == 1


@few
@given(one=links, other=links)
def test_two_cables_that_are_swapped_are_one_finding_wherever_they_are(one, other):
    same = (one.upper, one.upper_port) == (other.upper, other.upper_port)

    assert len(told(swapped(SUPERPOD, one, other))) == (0 if same else 1)


@few
@given(chosen=st.lists(links, min_size=4, max_size=4, unique_by=lambda link: (link.lower, link.lower_port)))
def test_two_faults_are_two_findings_with_the_ids_of_each_alone(chosen):
    one, other, third, fourth = chosen
    first, second = swapped(SUPERPOD, one, other), cabled(SUPERPOD, (third,))
    if is_managers(third) or is_managers(one) or is_managers(other):
        return

    both = told(cabled(swapped(SUPERPOD, one, other), (third,)))

    assert both == told(first) | told(second)
    assert both <= told(swapped(cabled(swapped(SUPERPOD, one, other), (third,)), fourth, fourth))


@few
@given(one=links, side=st.booleans(), name=st.text(max_size=12))
def test_a_cable_that_only_one_end_tells_of_is_there_and_names_cannot_write_to_a_terminal(one, side, name):
    seen = found(SUPERPOD)
    end = (one.lower, one.lower_port) if side else (one.upper, one.upper_port)
    torn_links = {at: link for at, link in seen.links.items() if at != end}
    text = f'Ca\t1 "H-00000000000000ff"\t\t# "{name}"'

    assert cabling_findings(SUPERPOD, msgspec.structs.replace(seen, links=torn_links)) == cabling_findings(
        SUPERPOD, seen
    )
    assert all(node.name.isprintable() for node in parse_ibnetdiscover(text).nodes.values())


NAMES = tuple(path.name for path in sorted(FOLDER.iterdir()) if path.suffix != ".md")


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_text_breaks_the_comparison(data):
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    texts = {name: torn(data, recorded(name)) for name in names}
    try:
        verdict = verify_subnet(TINY, evidence_of(texts))
    except Refused:
        return

    assert len({one.id for one in verdict.findings}) == len(verdict.findings)
    assert all(one.text.isprintable() for one in verdict.findings)


def torn(data, text):
    """A text with lines gone, doubled or exchanged, and with other numbers."""
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(lines) - 1))
        what = data.draw(st.sampled_from(("gone", "double", "number", "cut", "noise")))
        if what == "gone":
            del lines[at : at + data.draw(st.integers(1, 20))]
        elif what == "double":
            lines.insert(at, lines[data.draw(st.integers(0, len(lines) - 1))])
        elif what == "number":
            lines[at] = re.sub(r"\d+", str(data.draw(st.integers(0, 70_000))), lines[at], count=1)
        elif what == "cut":
            lines[at] = lines[at][: data.draw(st.integers(0, 30))]
        else:
            lines[at] = data.draw(st.text(max_size=30))
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.parametrize("many", [0, 1, 2])
def test_each_hca_port_has_all_lids_of_its_mask(many):
    """With LMC each port has several LIDs, and pairs count each."""
    from fabric.verification.infiniband.reading.forwarding_tables import ForwardingTables, parse_lfts

    lfts = parse_lfts(recorded("dump_lfts.txt"))
    room = 1 << many
    spread = {guid: bytes(port for port in table for _ in range(room)) for guid, table in lfts.tables.items()}
    ends = tuple(msgspec.structs.replace(end, lid=end.lid * room) for end in TINY.ends)
    subnet = msgspec.structs.replace(TINY, ends=ends, lmc=many)

    audit = audit_routes(subnet, ForwardingTables(spread, {}))

    assert (audit.pairs, audit.unreachable) == (56 * room, 0)


MANY = """
import random
from fabric.verification.infiniband.cables.check_cables import cabling_findings
from tests.verification.infiniband.planting import found, superpod, swapped, without
subnet = planted = superpod()
chosen = random.Random(5)
for _ in range(12):
    planted = swapped(planted, *chosen.sample(planted.links, 2))
planted = without(planted, "spine-2", "leaf-0-4", "dgx-0-07", "dgx-0-09")
print(*cabling_findings(subnet, found(planted)), sep="\\n")
"""


def test_what_is_told_is_the_same_in_every_run():
    root = Path(__file__).parents[3]
    told = [
        run(sys.executable, "-c", MANY, cwd=root, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    ]

    assert told[0] == told[1]
    assert told[0].count("Finding(id='dead-") == 4
