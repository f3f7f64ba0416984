"""Planes that are subnets of their own: the same as networks written by hand, and real OpenSMs manage each."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from fabric import api
from fabric.cli import main
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from tests.infiniband.hosts import MKEY, SAKEY
from tests.infiniband.simulator import QUICK_HANDOVER, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL_HARDWARE, compiled
from tests.infiniband.verdicts import verdict
from tests.ports import free_port
from tests.programs import needed_programs

SITE = """site: planes
units: {units}
capacity: {{units: 4}}
hosts: {{gpu: {{gpus: 2, per_unit: 4, nics: {{compute: {nics}}}}}}}
networks:
  compute:
    technology: infiniband
    planes: {{count: 2, subnets: separate}}
    infiniband:
      keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}
      managers:
        - {{attachment: sm-a, priority: 14}}
        - {{attachment: sm-b, priority: 13, plane: 0}}
        - {{host: gpu-1-3, priority: 13, plane: 1}}
    tiers:
      leaf: {{model: small-16, reserved_ports: 3, up: {{ports: 4}}, max_oversubscription: "3:1"}}
      spine: {{model: small-16, count: 2}}
attachments:
  sm-a: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 0}}}}
  sm-b: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1, planes: [0]}}}}
  nas: {{network: compute, kind: storage, links: 1, speed: 400G, to: {{unit: 0}}}}
tenants:
  red: {{hosts: [gpu-0-0, gpu-0-1, gpu-1-1], partition: {{pkey: "0x1001"}}}}
  blue: {{hosts: [gpu-0-2, gpu-1-2], networks: [compute], partition: {{pkey: "0x1002"}}}}
  files: {{attachments: [nas], partition: {{pkey: "0x2001", limited: {{hosts: [gpu-0-0, gpu-0-2]}}}}}}
"""
NETWORK = """  compute-p{plane}:
    technology: infiniband
    infiniband:
      prefix: "0xfec000000000000{plane}"
      keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}
      managers: {managers}
    tiers:
      leaf: {{model: small-16, reserved_ports: 3, up: {{ports: 4}}, max_oversubscription: "3:1"}}
      spine: {{model: small-16, count: 2}}
"""
BY_HAND = (
    """site: planes
units: 2
capacity: {units: 4}
hosts:
  gpu: {gpus: 2, per_unit: 4, nics: {compute-p0: {count: 1, speed: 400G}, compute-p1: {count: 1, speed: 400G}}}
networks:
"""
    + NETWORK.format(
        plane=0, managers="[{attachment: sm-a-p0, priority: 14}, {attachment: sm-b, priority: 13}]"
    )
    + NETWORK.format(plane=1, managers="[{attachment: sm-a-p1, priority: 14}, {host: gpu-1-3, priority: 13}]")
    + """attachments:
  sm-a-p0: {network: compute-p0, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0}}
  sm-a-p1: {network: compute-p1, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0}}
  sm-b: {network: compute-p0, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 1}}
  nas-p0: {network: compute-p0, kind: storage, links: 1, speed: 400G, to: {unit: 0}}
  nas-p1: {network: compute-p1, kind: storage, links: 1, speed: 400G, to: {unit: 0}}
tenants:
  red: {hosts: [gpu-0-0, gpu-0-1, gpu-1-1], partition: {pkey: "0x1001"}}
  blue: {hosts: [gpu-0-2, gpu-1-2], partition: {pkey: "0x1002"}}
  files: {attachments: [nas-p0, nas-p1], partition: {pkey: "0x2001", limited: {hosts: [gpu-0-0, gpu-0-2]}}}
"""
)
SHARES = ("{count: 2, speed: 400G}", "{count: 1, ports: 2, speed: 400G}")
"""Two HCAs, one for each plane; or one with a port for each."""
MANAGERS = {"compute-p0": ["sm-a-p0", "sm-b"], "compute-p1": ["sm-a-p1", "gpu-1-3"]}
"""By network, the master first."""


def site(units: int = 2, nics: str = SHARES[0]) -> str:
    return SITE.format(units=units, nics=nics)


def written(folder: Path, text: str) -> Path:
    for name, content in ({"site.yaml": text} | SMALL_HARDWARE).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def subnets(text: str) -> dict[str, Subnet]:
    return {manager.network: manager.subnet for manager, _ in compiled(text, SMALL_HARDWARE).values()}


@pytest.mark.parametrize("nics", SHARES)
def test_planes_are_what_networks_written_by_hand_are(nics):
    planes, by_hand = compiled(site(nics=nics), SMALL_HARDWARE), compiled(BY_HAND, SMALL_HARDWARE)

    assert {name: text for name, (_, text) in planes.items()} == {
        name: text for name, (_, text) in by_hand.items()
    }
    assert {manager.subnet.network for manager, _ in planes.values()} == MANAGERS.keys()


def test_each_plane_is_a_subnet_of_its_own():
    made = subnets(site())
    first, second = made["compute-p0"], made["compute-p1"]

    assert (first.prefix, second.prefix) == (0xFEC0_0000_0000_0000, 0xFEC0_0000_0000_0001)
    for one in (first, second):
        hosts = [end.host for end in one.ends if end.kind.value in ("compute", "subnet_manager")]
        assert {f"gpu-{unit}-{n}" for unit in (0, 1) for n in range(4)} <= set(hosts)
        assert len(one.ends) == len({end.lid for end in one.ends})
        assert {partition.pkey for partition in one.partitions} == {0x1001, 0x1002, 0x2001}
    guids = [s.guid for one in made.values() for s in one.switches]
    guids += [e.port_guid for one in made.values() for e in one.ends]
    assert len(guids) == len(set(guids))
    for name, managers in MANAGERS.items():
        found = [m for m, _ in compiled(site(), SMALL_HARDWARE).values() if m.network == name]
        assert managers == [m.name for m in sorted(found, key=lambda m: -m.priority)]


@pytest.mark.parametrize("units", [3, 4])
def test_growth_moves_nothing_in_any_plane(tmp_path, monkeypatch, units):
    monkeypatch.setenv("MKEY", MKEY)
    monkeypatch.setenv("SAKEY", SAKEY)
    folder = written(tmp_path, site())
    assert main(["compile", "-C", str(folder)]) == 0  # writes the lock

    def state() -> set[object]:
        devices = api.compile(folder).devices.values()
        found: set[object] = set()
        for one in (d.subnet for d in devices if isinstance(d, SubnetManager)):
            found |= {(one.network, s.name, s.guid, s.lid) for s in one.switches}
            found |= {(one.network, e.name, e.node_guid, e.lid) for e in one.ends}
            found |= {(one.network, link) for link in one.links}
        return found

    before = state()
    (folder / "site.yaml").write_text(site(units))

    assert before < state()
    assert main(["compile", "-C", str(folder), "--locked"]) == 0


def test_a_finding_in_a_plane_is_shown_where_the_network_is_written(tmp_path, capsys):
    folder = written(tmp_path, site().replace("up: {ports: 4}", "up: {ports: 40}"))

    assert main(["validate", "-C", str(folder)]) == 1
    line = next(n for n, text in enumerate(site().splitlines(), 1) if "spine:" in text)
    assert f"site.yaml:{line}:" in capsys.readouterr().out


@pytest.mark.live
def test_real_managers_sweep_both_planes_and_neither_knows_the_other(tmp_path):
    need_tools()
    made = compiled(site(), SMALL_HARDWARE)
    with ExitStack() as stack:
        for network, (master, standby) in MANAGERS.items():
            subnet = made[master][0].subnet
            simulator = stack.enter_context(Simulator(subnet, tmp_path / network))
            stack.enter_context(Manager(simulator, *made[master], QUICK_HANDOVER)).wait()
            stack.enter_context(Manager(simulator, *made[standby], QUICK_HANDOVER)).stands_by()

            assert () == verdict(subnet, simulator).findings
            prefixes = re.findall(r"GidPrefix:\.+(0x\w+)", simulator.tool("smpquery", "portinfo", "1", "0"))
            assert [int(prefix, 16) for prefix in prefixes] == [subnet.prefix]


@pytest.mark.live
def test_plan_apply_and_drift_reach_the_managers_of_both_planes(tmp_path, monkeypatch, capsys):
    """In the sandbox: two simulated subnets, four managers' hosts."""
    need_tools()
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")
    monkeypatch.setenv("MKEY", MKEY)
    monkeypatch.setenv("SAKEY", SAKEY)
    monkeypatch.chdir(written(tmp_path, site()))
    try:
        assert main(["sandbox", "up", "--port", str(free_port())]) == 0
        assert main(["plan", "--sandbox", "--adopt"]) == 2
        assert main(["apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "isolating"]) == 0
        assert main(["plan", "--sandbox"]) == 0, capsys.readouterr()
        main(["drift", "--sandbox"])  # OpenSM may hand over later, which is told
    finally:
        main(["sandbox", "down"])
    assert "4 devices: 0 drifted, 4 as applied" in capsys.readouterr().err
