"""What is refused: each with place, numbers and way out."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.model import HostPort, NicFacts
from fabric.diagnostics import Invalid, Report
from tests.platforms.host.hosts import FOUR, changed, files, host, named, nic, port, printed, queueing


def one(facts: NicFacts, at: HostPort | None = None, **system):
    return named(host(at or port(0), **system), facts)


def two(first: HostPort, second: HostPort, kind: str):
    return named(host(first, second), nic(0, kind=kind), nic(1, kind=kind))


BAD = {
    "FAB590": one(nic(0, kind="bnxt")),
    "FAB591": one(nic(0), port(0, queueing=queueing(priority=6))),
    "FAB593": one(nic(0), port(0, queueing=queueing(share=20))),
    "FAB594": one(nic(0), port(0, queueing=queueing(is_rest=False))),
    "FAB596": one(nic(0), port(0, addresses=())),
    "FAB598": one(nic(0, dcqcn=(("rpg_ai_rat", 5),))),
    "FAB599": two(port(0), port(1, queueing=queueing(cnp=46)), "pollara"),
}


@pytest.mark.parametrize("number", BAD)
def test_it_is_refused_with_a_way_out(number):
    with pytest.raises(Invalid) as refused:
        files(BAD[number])

    assert [number] == [d.code for d in refused.value.diagnostics if d.is_error]
    assert all(d.hint for d in refused.value.diagnostics)


def test_a_port_that_is_called_like_a_bond_is_refused():
    bonded = changed(host(port(0), port(0, port=1)), bonded=True)

    with pytest.raises(Invalid, match="FAB596"):
        files(named(bonded, nic(0, interface="bond0"), nic(0, interface="bond1")))


def test_tables_of_linux_are_not_given_to_rails():
    with pytest.raises(Invalid, match="254") as refused:
        files(one(nic(0), first_table=254))

    assert ["FAB596"] == [d.code for d in refused.value.diagnostics]


def test_in_kernel_dcb_warns_of_what_it_cannot_set():
    report = Report()
    printed(one(nic(0, kind="dcb")), report)

    assert ["FAB595"] == [d.code for d in report]


def test_a_bnxt_in_the_hands_of_an_operator_is_fine():
    own = files(one(nic(0, kind="bnxt"), owner="operator"))

    assert "etc/fabric/expected.json" in own
    assert "usr/local/sbin/fabric-roce-verify" not in own


def test_several_paths_are_written_onto_nics_that_can_be_told():
    sprayed = changed(FOUR, load_balancing="per_packet")
    own = files(sprayed)

    assert "NCCL_IB_ADAPTIVE_ROUTING=1" in own["etc/nccl.conf"].splitlines()
    assert 4 == own["usr/local/sbin/fabric-roce-qos"].count("\n  several_paths rail")


def test_flowlets_need_nothing_written():
    own = files(changed(FOUR, load_balancing="flowlet"))

    assert "several_paths rail" not in own["usr/local/sbin/fabric-roce-qos"]
    assert "NCCL_IB_ADAPTIVE_ROUTING" not in own["etc/nccl.conf"]


def test_several_paths_warn_of_nics_that_cannot_be_told():
    report = Report()
    sprayed = msgspec.structs.replace(port(0), load_balancing="per_packet")
    printed(one(nic(0, kind="pollara", rdma="ionic_0"), sprayed), report)

    assert ["FAB597"] == [d.code for d in report]
