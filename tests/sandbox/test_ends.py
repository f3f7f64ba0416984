"""Whether links and sessions are up follows from both ends, whatever products they are."""

from __future__ import annotations

import msgspec
import pytest

from fabric.platforms.emulation import HOST, LinkEnd, SessionEnd, link_fault, session_fault

PORT = LinkEnd(enabled=True, speed_mbps=400_000, fec="reed-solomon")
OURS = SessionEnd(
    local_asn=1, remote_asn=((2, 2),), router_id="1.1.1.1", families=frozenset({4, 6}), password="x"
)
THEIRS = SessionEnd(
    local_asn=2, remote_asn=((1, 1),), router_id="2.2.2.2", families=frozenset({4}), password="x"
)


def test_equal_ends_have_carrier():
    assert "" == link_fault(PORT, PORT)


def test_a_host_is_always_on():
    assert "" == link_fault(PORT, HOST) == link_fault(HOST, PORT)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"enabled": False}, "shut"),
        ({"speed_mbps": 800_000}, "speeds differ"),
        ({"fec": "fire-code"}, "error corrections differ"),
    ],
)
def test_a_link_is_down_if_the_ends_differ(change, fault):
    other = msgspec.structs.replace(PORT, **change)

    assert fault == link_fault(PORT, other) == link_fault(other, PORT)


def test_a_session_is_up_if_both_ends_agree():
    assert "" == session_fault(OURS, THEIRS) == session_fault(THEIRS, OURS)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"local_asn": 3}, "wrong AS number"),
        ({"remote_asn": ((5, 9),)}, "wrong AS number"),
        ({"password": None}, "passwords differ"),
        ({"families": frozenset()}, "no address family in common"),
        ({"shutdown": True}, "no such neighbour there"),
    ],
)
def test_a_session_is_down_if_the_ends_disagree(change, fault):
    assert fault == session_fault(OURS, msgspec.structs.replace(THEIRS, **change))


def test_a_session_with_nobody_is_down():
    assert "no such neighbour there" == session_fault(OURS, None)


def test_a_range_of_as_numbers_takes_each_of_them():
    ranged = msgspec.structs.replace(OURS, remote_asn=((2, 9),))

    assert "" == session_fault(ranged, THEIRS)


def test_a_device_does_not_tell_its_password():
    from tests.sandbox.played import devices

    assert "correct horse" not in repr(devices(1))
