"""The scripts that set and verify NICs, run against a false `/sys` and tools that keep what they are told."""

from __future__ import annotations

import copy
import marshal
import os
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.platforms.host.hosts import MIXED, ONE, SPRAYED, files, host
from tests.platforms.sites import network
from tests.programs import ANY, run

STANDIN = f"import sys\nsys.path.append({str(Path(__file__).parent)!r})\nimport standin\nstandin.main()\n"
"""Imported, and so compiled once."""


class Machine:
    """A host with one script and false hardware."""

    def __init__(self, folder: Path, of=MIXED) -> None:  # the words of its intent
        self.root, self.tools = folder / "root", folder / "tools"
        self.tools.mkdir(parents=True)
        for name in ("mlnx_qos", "mlxreg", "nicctl", "dcb", "ethtool"):
            program = self.tools / name
            program.write_text(f"#!{sys.executable} -IS\n{STANDIN}")
            program.chmod(0o755)
        for number, one in enumerate(host(*of).ports):
            self._hardware(one.system.interface, one.system.rdma, number)
        for name in ("arp_ignore", "arp_announce", "rp_filter"):
            self.file(self.root / "proc/sys/net/ipv4/conf/all" / name, "1" if name == "arp_ignore" else "2")
        made = files(*of)
        self.file(self.root / "etc/fabric/environment", made["etc/fabric/environment"])
        self.script, self.verifier = folder / "fabric-roce-qos", folder / "fabric-roce-verify"
        for path in (self.script, self.verifier):
            path.write_text(made[f"usr/local/sbin/{path.name}"])
            path.chmod(0o755)

    def copied(self, folder: Path) -> Machine:
        """The same host, to meddle with."""
        shutil.copytree(self.root.parent, folder, symlinks=True)
        twin = copy.copy(self)
        for name in ("root", "tools", "script", "verifier"):
            setattr(twin, name, folder / getattr(self, name).name)
        return twin

    def _hardware(self, interface: str, rdma: str, number: int) -> None:
        net = self.root / "sys/class/net" / interface
        for name in ("roce_np/enable/3", "roce_rp/enable/3", "roce_rp/rpg_ai_rate", "roce_np/cnp_dscp"):
            self.file(net / "ecn" / name, "0")
        self.file(net / "ecn/roce_np/cnp_802p_prio", "7")
        self.file(net / "mtu", "9000")
        card = self.root / f"sys/devices/pci0000:00/0000:{0x1C + number:02x}:00.0"
        card.mkdir(parents=True)
        (net / "device").symlink_to(card)
        self.file(self.root / "sys/class/infiniband" / rdma / "tc/1/traffic_class", "Global tclass=0")
        ports = self.root / "sys/kernel/config/rdma_cm" / rdma / "ports/1"
        self.file(ports / "default_roce_mode", "IB/RoCE v1")
        self.file(ports / "default_roce_tos", "0")

    @staticmethod
    def file(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")

    def run(self) -> CompletedProcess[str]:
        (self.tools / "changes").write_text("")
        return self._bash(self.script)

    def verify(self, *subjects: str) -> list[str]:
        """What is not as declared; the exit code must say the same."""
        done = self._bash(self.verifier, *subjects)
        found = done.stdout.splitlines()
        assert (int(bool(found)), "") == (done.returncode, done.stderr)
        return found

    def verify_all(self) -> list[str]:
        """The whole result, with the line that says whose it is."""
        *found, last = self.report().stdout.splitlines()
        assert found == self.verify()
        return [*found, last]

    def report(self) -> CompletedProcess[str]:
        return self._bash(self.verifier, "--report")

    def _bash(self, *words: str | Path) -> CompletedProcess[str]:
        own = {
            "PATH": f"{self.tools}:/usr/bin:/bin",
            "FABRIC_ROOT": str(self.root),
            "FABRIC_VERIFY": str(self.verifier),
            "FABRIC_PATIENCE": "2",
            "STANDIN": str(self.tools),
        }
        return run("bash", *words, exits=ANY, env=os.environ | own)

    def meddle(self, **changes: object) -> None:
        """Change what the tools keep, as somebody else would."""
        state = self.state
        for subject, values in changes.items():
            state[subject] |= values
        (self.tools / "state").write_bytes(marshal.dumps(state))

    @property
    def changes(self) -> list[str]:
        return (self.tools / "changes").read_text().splitlines()

    @property
    def state(self) -> dict[str, dict[str, object]]:
        return marshal.loads((self.tools / "state").read_bytes())  # noqa: S302  # of our stand-in

    def sys(self, path: str) -> str:
        return (self.root / "sys" / path).read_text().strip()

    @property
    def written(self) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in self.root.rglob("*") if path.is_file()}


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(scope="module")
def once(tmp_path_factory) -> Machine:
    machine = Machine(tmp_path_factory.mktemp("machine"))
    machine.run()
    return machine


@pytest.fixture
def settled(once, tmp_path) -> Machine:
    """A host on which the script has run."""
    return once.copied(tmp_path / "copy")


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


def test_a_second_run_changes_nothing(settled):
    assert settled.changes
    before = settled.written

    done = settled.run()

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    assert [] == settled.changes
    assert before == settled.written


def test_what_somebody_else_changed_is_put_back(settled):
    settled.meddle(rail0={"pfc": "0,0,0,0,0,1,0,0"})
    settled.file(settled.root / "sys/class/net/rail1/ecn/roce_np/cnp_dscp", "46")

    done = settled.run()

    assert (0, "") == (done.returncode, done.stderr)
    assert "0,0,0,1,0,0,0,0" == settled.state["rail0"]["pfc"]
    assert "48" == settled.sys("class/net/rail1/ecn/roce_np/cnp_dscp")
    assert not [line for line in settled.changes if "rail0" not in line]


def test_a_pause_that_nobody_declared_is_taken_away(settled):
    settled.meddle(nicctl={"no-drop": [0, 3, 5]})

    done = settled.run()

    assert (0, [3]) == (done.returncode, settled.state["nicctl"]["no-drop"])
    assert 2 == sum("--no-drop disable" in line for line in settled.changes)


def test_a_missing_tool_fails_loudly_and_again_at_the_next_run(machine):
    (machine.tools / "nicctl").unlink()

    first, second = machine.run(), machine.run()

    assert (1, 1) == (first.returncode, second.returncode)
    assert "FAILED: nicctl update qos" in second.stderr
    assert "nicctl: number of cards is 0, declared at least one" in second.stderr


def test_a_tool_that_says_yes_and_does_nothing_is_found_out(machine):
    (machine.tools / "dcb").write_text("#!/bin/sh\nexit 0\n")

    done = machine.run()

    assert 1 == done.returncode
    assert "rail3: PFC of priority is not readable, declared 0:off 1:off 2:off 3:on" in done.stderr


def test_a_file_that_the_driver_makes_a_moment_later_is_waited_for(machine):
    late = machine.root / "sys/class/infiniband/mlx5_0/tc/1/traffic_class"
    late.rename(late.with_name("later"))
    # The driver is ready when the script has slept once.
    waited = machine.tools / "sleep"
    waited.write_text(f"#!/bin/sh\nmv {late.with_name('later')} {late}\n")
    waited.chmod(0o755)

    done = machine.run()

    assert (0, "") == (done.returncode, done.stderr)
    assert "106" == late.read_text().strip()


def test_a_driver_without_congestion_control_files_fails_loudly(machine):
    (machine.root / "sys/class/net/rail0/ecn/roce_np/cnp_dscp").unlink()

    done = machine.run()

    assert 1 == done.returncode
    assert "cnp_dscp" in done.stderr


def test_a_lossy_policy_pauses_nothing(tmp_path):
    machine = Machine(tmp_path, (*ONE, network("lossless: roce-lossy")))

    assert 0 == machine.run().returncode
    assert "0,0,0,0,0,0,0,0" == machine.state["rail0"]["pfc"]


def test_several_paths_are_set_and_verified(tmp_path):
    machine = Machine(tmp_path, SPRAYED)
    before = machine.verify("rail1/qos")

    assert 0 == machine.run().returncode
    assert "rail1: adaptive routing is 0x00000000, declared 0x00000001" in before
    assert [] == machine.verify()
    assert {"0000:1c:00.0", "0000:1d:00.0"} == {
        line.split()[2] for line in machine.changes if "mlxreg" in line
    }


def test_what_is_as_declared_is_not_named(settled):

    assert [] == settled.verify()


def test_a_fresh_host_has_everything_to_be_named(machine):
    found = machine.verify()

    assert {"rail0", "rail1", "rail2", "rail3", "card", "port", "ionic_0"} <= {
        line.split()[0].rstrip(":") for line in found
    }


OVERRIDES = {
    "rail0: trust is pcp, declared dscp": {"rail0": {"trust": "pcp"}},
    "rail1: PFC of priority 5 is 1, declared 0": {"rail1": {"pfc": "1,1,1,1,1,1,1,1"}},
    "rail0: bandwidth of class 3 is 10, declared 50": {"rail0": {"tcbw": "90,0,0,10,0,0,0,0"}},
    "rail0: priority of DSCP 26 is 0, declared 3": {"rail0": {"dscp": [0] * 64}},
    "rail0: scheduling of class 6 is ets, declared strict": {
        "rail0": {"tsa": "ets,ets,ets,ets,ets,ets,ets,ets"}
    },
    "rail3: priority of DSCP 48 is 7, declared 6": {"rail3": {"app": {"dscp-prio": ["26:3", "48:7"]}}},
    "card 0000:f6:00.0: priority of DSCP 24 is 0, declared 3": {"nicctl": {"dscp": [0] * 64}},
    "rail0: cable length is 100, declared 5": {"rail0": {"cable_len": "100"}},
    "card 0000:f6:00.0: no-drop priorities is none, declared 3": {"nicctl": {"no-drop": []}},
    "card 0000:f6:00.0: classification is PCP, declared DSCP": {"nicctl": {"classification-type": "pcp"}},
    "card 0000:f6:00.0: scheduling is 3:dwrr:99:N/A, declared 0:dwrr:50:N/A,3:dwrr:50:N/A,6:strict:N/A:10": {
        "nicctl": {"scheduling": [[3, "DWRR", "99", "N/A"]]}
    },
    "port 04908132-5d88-4242-4242-000011010000: pauses heeded is disabled, declared enabled": {
        "nicctl": {"rx-pause": "disable"}
    },
    "ionic_0: DSCP value used for CNP is 46, declared 48": {
        "nicctl": {"dcqcn": {"ionic_0": {"DSCP value used for CNP": "46"}}}
    },
    "rail3: PFC of priority 3 is not readable, declared on": {"rail3": {"pfc": {"prio-pfc": ["0:off"]}}},
}


@pytest.mark.parametrize("named_so", OVERRIDES)
def test_an_override_is_named(settled, named_so):
    settled.meddle(**OVERRIDES[named_so])

    assert named_so in settled.verify()


@pytest.mark.parametrize(
    ("path", "value", "named_so"),
    [
        ("sys/class/net/rail0/ecn/roce_np/cnp_dscp", "46", "rail0: DSCP of notifications is 46, declared 48"),
        ("sys/class/net/rail0/ecn/roce_rp/enable/3", "0", "rail0: notifications heeded is 0, declared 1"),
        ("sys/class/net/rail2/mtu", "1500", "rail2: MTU is 1500, declared 9000"),
        (
            "sys/class/infiniband/mlx5_1/tc/1/traffic_class",
            "Global tclass=0",
            "rail1: ToS is 0, declared 106",
        ),
        (
            "sys/kernel/config/rdma_cm/ionic_0/ports/1/default_roce_tos",
            "0",
            "rail2: ToS of connections is 0, declared 106",
        ),
        ("proc/sys/net/ipv4/conf/all/rp_filter", "1", "sysctl: rp_filter is 1, declared 2"),
    ],
)
def test_an_override_in_a_file_is_named_alone(settled, path, value, named_so):
    settled.file(settled.root / path, value)

    assert [named_so] == settled.verify()


def test_an_override_is_named_by_its_number_and_alone(settled):
    settled.meddle(rail0={"pfc": "0,0,0,1,0,1,0,0"})

    assert ["rail0: PFC of priority 5 is 1, declared 0"] == settled.verify()


def test_a_tool_that_is_gone_is_one_line_for_each_list(settled):
    (settled.tools / "mlnx_qos").unlink()

    assert "rail0: PFC of priority is not readable, declared 0,0,0,1,0,0,0,0" in settled.verify("rail0/qos")
    assert 7 == len(settled.verify("rail0/qos"))


def test_a_report_says_whose_it_is_and_there_is_none_without(settled):
    environment = settled.root / "etc/fabric/environment"

    assert f"# fabric-roce-verify of {host(*MIXED).name}: " in settled.verify_all()[-1]
    environment.unlink()
    refused = settled.report()

    assert (2, "") == (refused.returncode, refused.stdout)
    assert "/etc/fabric/environment does not say FABRIC_HOST" in refused.stderr


def test_one_subject_is_verified_alone(settled):
    settled.meddle(rail0={"trust": "pcp"})

    assert ([], 1) == (settled.verify("rail1"), len(settled.verify("rail0/qos")))
