"""A cabling that was found as designed is told with the digest by which it may be enforced."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.infiniband.model import cabling_digest
from fabric.verification.infiniband.reading.evidence import Evidence
from fabric.verification.infiniband.verify_subnet import verify_subnet
from tests.verification.infiniband.planting import found, link_of, superpod, swapped


@pytest.fixture(scope="module")
def subnet():
    return superpod()


def approved(subnet, planted) -> list[str]:
    told = verify_subnet(subnet, Evidence(found(planted))).seen
    return [one.text for one in told if "enforce_cabling" in one.text]


def test_the_digest_of_a_clean_cabling_is_told(subnet):
    assert approved(subnet, subnet) == [
        f"as designed; `enforce_cabling: {cabling_digest(subnet)}` stands for it"
    ]


def test_a_cabling_with_a_fault_is_given_none(subnet):
    planted = swapped(subnet, link_of(subnet, "dgx-0-03", 2), link_of(subnet, "dgx-0-05", 2))

    assert approved(subnet, planted) == []
    assert cabling_digest(planted) != cabling_digest(subnet)


def test_lids_are_compared_only_where_they_are_planned(subnet):
    seen = found(subnet)
    moved = msgspec.structs.replace(seen, lids={end: lid + 1000 for end, lid in seen.lids.items()})
    given = msgspec.structs.replace(subnet, lids_planned=False)

    assert ["lid"] == [one.kind for one in verify_subnet(subnet, Evidence(moved)).findings]
    assert () == verify_subnet(given, Evidence(moved)).findings
    assert len(approved(given, given)) == 1
