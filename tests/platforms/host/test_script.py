"""The QoS script, run against a false `/sys` and tools that keep what they are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.platforms.host.hosts import FOUR, files, host, nic, port, queueing, settings

STANDIN = Path(__file__).with_name("standin.py")
MIXED = settings(
    nic(0), nic(1), nic(2, kind="pollara", rdma="ionic_0"), nic(3, kind="dcb"), dcqcn={"rpg_ai_rate": 5}
)


class Machine:
    """A host with one script and false hardware."""

    def __init__(self, folder: Path, of=FOUR, own=MIXED) -> None:
        self.root, self.tools = folder / "root", folder / "tools"
        self.tools.mkdir(parents=True)
        for name in ("mlnx_qos", "nicctl", "dcb", "ethtool"):
            program = self.tools / name
            program.write_text(f"#!{sys.executable}\n{STANDIN.read_text()}")
            program.chmod(0o755)
        for one in own.nics:
            self._hardware(one.interface, one.rdma)
        self.script = folder / "fabric-roce-qos"
        self.script.write_text(files(of, own)["usr/local/sbin/fabric-roce-qos"])

    def _hardware(self, interface: str, rdma: str) -> None:
        ecn = self.root / "sys/class/net" / interface / "ecn"
        for name in ("roce_np/enable/3", "roce_rp/enable/3", "roce_rp/rpg_ai_rate", "roce_np/cnp_dscp"):
            self.file(ecn / name, "0")
        self.file(ecn / "roce_np/cnp_802p_prio", "7")
        self.file(self.root / "sys/class/infiniband" / rdma / "tc/1/traffic_class", "Global tclass=0")
        ports = self.root / "sys/kernel/config/rdma_cm" / rdma / "ports/1"
        self.file(ports / "default_roce_mode", "IB/RoCE v1")
        self.file(ports / "default_roce_tos", "0")

    @staticmethod
    def file(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")

    def run(self) -> subprocess.CompletedProcess[str]:
        path = f"{self.tools}:/usr/bin:/bin"
        environment = {**os.environ, "PATH": path, "FABRIC_ROOT": str(self.root), "STANDIN": str(self.tools)}
        (self.tools / "changes").write_text("")
        return subprocess.run(
            ["bash", self.script], env=environment, capture_output=True, text=True, check=False, timeout=60
        )

    @property
    def changes(self) -> list[str]:
        return (self.tools / "changes").read_text().splitlines()

    @property
    def state(self) -> dict[str, dict[str, object]]:
        return json.loads((self.tools / "state.json").read_text())

    def sys(self, path: str) -> str:
        return (self.root / "sys" / path).read_text().strip()

    @property
    def written(self) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in self.root.rglob("*") if path.is_file()}


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_the_nics_end_up_with_the_classes_of_the_switch(machine):
    done = machine.run()

    assert (0, "") == (done.returncode, done.stderr)
    rail = machine.state["rail0"]
    assert ("dscp", "0,0,0,1,0,0,0,0", "0,0,0,3,0,0,6,0") == (rail["trust"], rail["pfc"], rail["prio_tc"])
    assert "5" == rail["cable_len"]
    assert {24: 3, 26: 3, 48: 6} == {point: p for point, p in enumerate(rail["dscp"]) if p}
    assert "106" == machine.sys("class/infiniband/mlx5_0/tc/1/traffic_class")
    assert "RoCE v2" == machine.sys("kernel/config/rdma_cm/mlx5_1/ports/1/default_roce_mode")
    assert ("48", "6") == tuple(
        machine.sys(f"class/net/rail1/ecn/roce_np/cnp_{n}") for n in ("dscp", "802p_prio")
    )
    assert "5" == machine.sys("class/net/rail0/ecn/roce_rp/rpg_ai_rate")
    assert any(line.endswith("--cnp-dscp 48") for line in machine.changes)
    assert any("dcb pfc set dev rail3" in line and "3:on" in line for line in machine.changes)


def test_a_second_run_changes_nothing(machine):
    machine.run()
    assert machine.changes
    before = machine.written

    done = machine.run()

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    assert [] == machine.changes
    assert before == machine.written


def test_what_somebody_else_changed_is_put_back(machine):
    machine.run()
    state = machine.state
    state["rail0"]["pfc"] = "0,0,0,0,0,1,0,0"
    (machine.tools / "state.json").write_text(json.dumps(state))
    machine.file(machine.root / "sys/class/net/rail1/ecn/roce_np/cnp_dscp", "46")

    done = machine.run()

    assert 0 == done.returncode
    assert "0,0,0,1,0,0,0,0" == machine.state["rail0"]["pfc"]
    assert "48" == machine.sys("class/net/rail1/ecn/roce_np/cnp_dscp")
    assert not [line for line in machine.changes if "rail0" not in line]


def test_a_missing_tool_fails_loudly_and_again_at_the_next_run(machine):
    (machine.tools / "nicctl").unlink()

    first, second = machine.run(), machine.run()

    assert (1, 1) == (first.returncode, second.returncode)
    assert "FAILED: nicctl update qos" in second.stderr


def test_a_driver_without_congestion_control_files_fails_loudly(machine):
    (machine.root / "sys/class/net/rail0/ecn/roce_np/cnp_dscp").unlink()

    done = machine.run()

    assert 1 == done.returncode
    assert "cnp_dscp" in done.stderr


def test_a_lossy_policy_pauses_nothing(tmp_path):
    machine = Machine(tmp_path, host(port(0, queueing=queueing(priority=None))), settings(nic(0)))

    assert 0 == machine.run().returncode
    assert "0,0,0,0,0,0,0,0" == machine.state["rail0"]["pfc"]
