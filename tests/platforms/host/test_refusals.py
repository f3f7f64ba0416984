"""What is refused: each with place, numbers and way out."""

from __future__ import annotations

import msgspec
import pytest

from fabric.diagnostics import Invalid, Report
from fabric.platforms.host import host_files
from tests.platforms.host.hosts import FOUR, NICS, files, host, nic, port, queueing, render, settings

ONE = host(port(0))
BAD = {
    "FAB590": (ONE, settings(nic(0), kind="bnxt")),
    "FAB591": (host(port(0, queueing=queueing(priority=6))), settings(nic(0))),
    "FAB592": (ONE, settings()),
    "FAB593": (host(port(0, queueing=queueing(share=20))), settings(nic(0))),
    "FAB594": (host(port(0, queueing=queueing(is_rest=False))), settings(nic(0))),
    "FAB596": (host(port(0, addresses=())), settings(nic(0))),
    "FAB597": (ONE, settings(nic(0), adaptive_routing=True)),
    "FAB598": (ONE, settings(nic(0), dcqcn={"rpg_ai_rat": 5})),
    "FAB599": (host(port(0), port(1, queueing=queueing(cnp=46))), settings(nic(0), nic(1), kind="pollara")),
}


@pytest.mark.parametrize("number", BAD)
def test_it_is_refused_with_a_way_out(number):
    with pytest.raises(Invalid) as refused:
        files(*BAD[number])

    assert [number] == [d.code for d in refused.value.diagnostics if d.is_error]
    assert all(d.hint for d in refused.value.diagnostics)


def test_in_kernel_dcb_warns_of_what_it_cannot_set():
    report = Report()
    host_files(ONE, settings(nic(0), kind="dcb"), render, report)

    assert ["FAB595"] == [d.code for d in report]


def test_a_bnxt_in_the_hands_of_an_operator_is_fine():
    own = files(ONE, settings(nic(0), kind="bnxt", owner="operator"))

    assert "etc/fabric/expected.json" in own


def test_adaptive_routing_is_written_where_every_nic_places_packets_out_of_order():
    ordered = tuple(msgspec.structs.replace(one, out_of_order=True) for one in NICS)

    own = files(FOUR, settings(*ordered, adaptive_routing=True))

    assert "NCCL_IB_ADAPTIVE_ROUTING=1" in own["etc/nccl.conf"].splitlines()
