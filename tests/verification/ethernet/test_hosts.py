"""What a host's own program finds is joined with the switch's end: the program runs, its result is read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Refused
from fabric.intent.inventory import DeviceFacts, HostFacts, Inventory
from fabric.platforms.device_state import DeviceAnswers, PortQueues
from fabric.verification.ethernet import Evidence, PlannedNetwork, read_host_results, verify_network
from fabric.verification.finding import Finding
from tests.platforms.host.hosts import MIXED, NAME, ONE, nics, texts
from tests.platforms.host.test_script import Machine
from tests.platforms.sites import derived, printed

DCB = (*ONE, nics("kind: dcb"))
RACKS = Inventory(devices={"leaf-0-0": DeviceFacts(rack="R12")}, hosts={NAME: HostFacts(rack="R07")})


class Pair:
    """A host with its stand-ins for tools, set up as declared, and the switches as they are printed."""

    def __init__(self, folder: Path, of: tuple) -> None:  # the words of an intent
        self.devices: Devices = derived(texts(*of))
        self.machine, self.folder = Machine(folder / "host", of), folder / "results"
        self.machine.run()
        self.folder.mkdir()
        self.queues: dict[str, PortQueues] = {}

    @property
    def leaf(self) -> tuple[str, str]:
        """Where NIC 0 is plugged in."""
        port = self.devices.hosts[NAME].ports[0]
        return port.peer, port.peer_port

    def findings(self) -> list[Finding]:
        """Of queues and hosts. Nothing is known of links and sessions."""
        (self.folder / "a").write_text("".join(f"{line}\n" for line in self.machine.verify_all()))
        results, unread = read_host_results(self.folder, frozenset(self.devices.hosts))
        assert () == unread
        switches = [each for name in self.devices if isinstance(each := self.devices[name], Switch)]
        answers = {
            switch.name: DeviceAnswers(
                device=switch.name,
                when=datetime.now(UTC),
                running=printed(switch),
                queues=self.queues if switch.name == self.leaf[0] else {},
            )
            for switch in switches
        }
        hosts = [self.devices.hosts[name] for name in self.devices.hosts]
        plan = PlannedNetwork("compute", switches, hosts, RACKS)
        verdict = verify_network(plan, Evidence(answers=answers, hosts=results), None)
        assert results[NAME].looked_at > 100
        assert any(seen.section == "hosts" for seen in verdict.seen)
        return [finding for finding in verdict.findings if finding.section in ("queues", "hosts")]


@pytest.fixture(params=[MIXED, DCB], ids=["mlx5", "dcb"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Pair:
    return Pair(tmp_path, request.param)


def test_a_host_that_is_set_up_as_declared_has_no_finding(pair):
    assert [] == pair.findings()


def off(pair: Pair) -> None:
    """PFC of the NIC's only paused priority is off."""
    state = pair.machine.state["rail0"]
    pair.machine.meddle(
        rail0={"pfc": {"prio-pfc": [f"{n}:off" for n in range(8)]}}
        if "app" in state
        else {"pfc": "0,0,0,0,0,0,0,0"}
    )


def test_a_nic_that_does_not_pause_is_told_with_what_its_switch_does(pair):
    off(pair)
    leaf, port = pair.leaf

    (found,) = pair.findings()

    assert f"host-end:{NAME}:nic0" == found.id
    assert f"{NAME} nic0 (rack R07) and {leaf} {port} (rack R12): " in found.text
    assert "PFC of priority 3 is off at the NIC and on at the switch, declared on" in found.text
    assert (NAME, leaf) == found.subjects


def test_where_both_ends_do_not_pause_the_link_is_one_finding_with_both(pair):
    off(pair)
    _, port = pair.leaf
    pair.queues = {port: PortQueues(pfc_priorities=())}

    (found,) = pair.findings()

    assert f"host-end:{NAME}:nic0" == found.id
    assert "PFC of priority 3 is off at the NIC and off at the switch, declared on" in found.text


def test_where_the_switch_alone_does_not_pause_its_own_end_is_told(pair):
    leaf, port = pair.leaf
    pair.queues = {port: PortQueues(pfc_priorities=())}

    (found,) = pair.findings()

    assert f"pfc:{leaf}:{port}" == found.id
    assert f"towards {NAME} nic0" in found.text


def test_smaller_packets_at_the_nic_are_told_with_those_of_the_switch(pair):
    pair.machine.file(pair.machine.root / "sys/class/net/rail0/mtu", "1500")

    (found,) = pair.findings()

    assert "MTU is 1500 at the NIC and 9000 at the switch, declared 9000" in found.text


def test_what_is_of_no_nic_is_of_the_host(pair):
    pair.machine.file(pair.machine.root / "proc/sys/net/ipv4/conf/all/arp_ignore", "0")

    (found,) = pair.findings()

    assert (f"host-setting:{NAME}", f"{NAME} (rack R07): sysctl: arp_ignore is 0, declared 1") == (
        found.id,
        found.text,
    )


WHOLE = f"rail0: MTU is 1500, declared 9000\n# fabric-roce-verify of {NAME}: 120 settings\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        WHOLE.partition("#")[0],
        WHOLE.replace(NAME, "stranger"),
        WHOLE.replace("declared", "should be"),
        WHOLE.replace("rail0", "\x1b[2Jrail0") + "more",
        "\x00\xff" * 1000,
    ],
    ids=["empty", "cut short", "of another host", "of another program", "not ended", "binary"],
)
def test_a_file_that_is_no_whole_result_is_named_and_not_taken_for_one(tmp_path, text):
    (tmp_path / "whole").write_text(WHOLE)
    (tmp_path / "wrong").write_text(text)

    results, unread = read_host_results(tmp_path, {NAME})

    assert ({NAME}, ("wrong",)) == (set(results), unread)


def nothing(folder: Path) -> Path:
    return folder / "nothing"


def no_results(folder: Path) -> Path:
    (folder / "README").write_text("results")
    return folder


@pytest.mark.parametrize("make", [nothing, no_results], ids=["no folder", "no result"])
def test_a_folder_without_results_is_refused(tmp_path, make: Callable[[Path], Path]):
    with pytest.raises(Refused):
        read_host_results(make(tmp_path), {NAME})
