"""`fabric verify --lab`: real FRR, lldpd and kernels say what is plugged where, and what is broken."""

from __future__ import annotations

import json

import pytest

from fabric.cli import main
from fabric.cli.open_lab import folder_of_lab
from fabric.lab import Fault, RunningLab, down
from fabric.lab.faults import clear, inject
from tests.lab.labs import SMALL, needed_lab
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

SITE = SMALL.format(
    leaves=2,
    spines=2,
    family="ipv4",
    routing="{bgp: {keepalive: 1s, hold: 3s}}",
    platform="eos",
    model="arista-7060x6-64pe",
)


@pytest.fixture
def verify(tmp_path, monkeypatch, capsys):
    """The ids of the findings of a lab that runs what was compiled, and the lab."""
    needed_lab()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.yaml").write_text(SITE)
    assert 0 == main(["lab", "up", "--configured"])
    lab = RunningLab(folder_of_lab(tmp_path))
    lab.wait_for_sessions(PATIENCE_S)

    def ids():
        capsys.readouterr()
        main(["verify", "--lab", "--format", "json"])
        return [finding["id"] for finding in json.loads(capsys.readouterr().out)["findings"]]

    yield ids, lab
    down(folder_of_lab(tmp_path))


def shown(ids, expected):
    """Wait until these findings are there, and no other."""
    seen = []

    def is_shown():
        seen[:] = ids()
        return seen == expected

    until(is_shown, PATIENCE_S, lambda: f"{expected}, not {seen}")


def port_of(lab, box, other):
    return next(
        port
        for cable in lab.state.cables
        for name, port in cable.ends
        if name == box and other in (cable.a, cable.b)
    )


def test_a_lab_as_built_has_no_finding_and_each_fault_is_told_by_its_name(verify):
    ids, lab = verify
    up, down_port = port_of(lab, "leaf-0-0", "spine-0"), port_of(lab, "leaf-0-1", "spine-0")
    nic = port_of(lab, "leaf-0-0", "gpu-0-0")
    shown(ids, [])

    inject(lab, Fault(kind="swapped", box="leaf-0-0", port=up, other_box="leaf-0-1", other_port=down_port))
    shown(ids, [f"swapped:leaf-0-0:{up}+leaf-0-1:{down_port}"])
    clear(lab)
    shown(ids, [])

    other_nic = port_of(lab, "leaf-0-1", "gpu-0-0")
    swap = Fault(kind="swapped", box="leaf-0-0", port=nic, other_box="leaf-0-1", other_port=other_nic)
    inject(lab, swap)
    shown(ids, ["wrong-rail:gpu-0-0:nic0+gpu-0-0:nic1"])
    clear(lab)
    shown(ids, [])

    lab.output("leaf-0-0", "ip", "link", "set", nic, "mtu", "1500")
    shown(ids, [f"mtu:leaf-0-0:{nic}"])
    lab.output("leaf-0-0", "ip", "link", "set", nic, "mtu", "9000")

    inject(lab, Fault(kind="down", box="leaf-0-0", port=up))
    shown(ids, [f"missing:leaf-0-0:{up}"])
    clear(lab)
    shown(ids, [])

    asn = lab.output("leaf-0-0", "vtysh", "-c", "show bgp summary json")
    number = next(iter(json.loads(asn).values()))["as"]
    narrow = ("configure terminal", f"router bgp {number}", "address-family ipv4 unicast", "maximum-paths 1")
    lab.output("leaf-0-0", "vtysh", *(word for line in narrow for word in ("-c", line)))
    shown(ids, ["narrow:leaf-0-0"])
