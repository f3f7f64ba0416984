"""A spine is drained while hosts send: its traffic leaves before the wave is confirmed, or the drain is taken back."""

from __future__ import annotations

import sys
import time

import msgspec
import pytest

from fabric import api, planning
from fabric.cli.open_lab import folder_of_lab, lab_secrets, lab_site, lab_workplace
from fabric.deployment import Pace, State
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.gates.snapshot import snapshot
from fabric.deployment.gates.traffic import traffic
from fabric.lab import down, up
from fabric.lab.protocol import namespace
from fabric.lab.traffic import Traffic, flows_between_hosts, losses
from fabric.planning.drains import fabric_ports
from fabric.platforms.registry import platform
from tests.lab.labs import SMALL, needed_lab
from tests.programs import start
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

PACE = Pace(revert_in_s=120, gate_timeout_s=40, gate_poll_s=0.5, counters_s=2)
IMPATIENT = msgspec.structs.replace(PACE, gate_timeout_s=6)
SPINE = "spine-0"
DRAINED = "drained: [{device: spine-0, reason: swap the fan, owner: ops, expires: '2099-01-01'}]\n"
SENDER = """
import socket, sys, time
made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(32)]
while True:
    for one in made:
        try:
            one.sendto(bytes(1200), (sys.argv[1], 9))
        except OSError:
            pass
    time.sleep(0.01)
"""
"""Many flows, so that each spine carries some: of several Mbit/s, which no keep-alive is."""


def site_of(folder, state=""):
    routing = "{bgp: {password: env:BGP, keepalive: 1s, hold: 3s}}"
    model, product = "arista-7060x6-64pe", "eos"
    text = SMALL.format(leaves=1, spines=2, family="ipv4", routing=routing, platform=product, model=model)
    (folder / "site.yaml").write_text(text + "deployment: {gate: {drained_below: 1M}}\n")
    (folder / "state.yaml").write_text(state or "drained: []\n")
    return api.compile(folder)


@pytest.fixture
def running(tmp_path):
    """The folder of a site, and its lab."""
    needed_lab()
    site = site_of(tmp_path)
    lab = up(site.devices, folder_of_lab(tmp_path), configured=True, value_of=lab_secrets(tmp_path))
    lab.wait_for_sessions(PATIENCE_S)
    yield tmp_path, lab
    down(folder_of_lab(tmp_path))


def sending(lab, box, address):
    """Packets from a box to an address, until it is left."""
    enter = f"--net={namespace(lab.pid(box))}"
    return start("nsenter", enter, sys.executable, "-c", SENDER, str(address))


def carried_mbps(lab, site):
    """The busiest port of the spine towards the leaves."""
    readings = []
    for _ in range(2):
        with Connection(lab.targets[SPINE], platform("frr")) as device:
            readings.append(
                msgspec.structs.replace(snapshot(device, platform("frr")), read_s=time.monotonic())
            )
    return traffic(*readings, fabric_ports(site.devices[SPINE])).mbps


def applied(folder, lab, state, pace):
    site = lab_site(site_of(folder, state), lab)
    place = lab_workplace(site, lab)
    plan, texts = api.plan(site, place, adopt=True)
    planning.save(plan, texts, folder / "plan")
    return api.apply(folder / "plan", site, place, pace=pace)


def test_traffic_leaves_a_spine_that_is_drained_and_no_packet_is_lost(running):
    folder, lab = running
    site = lab_site(site_of(folder), lab)
    flows = flows_between_hosts(site.devices)
    sender = sending(lab, flows[0].source, flows[0].target_address)
    try:
        until(lambda: carried_mbps(lab, site) > 1, PATIENCE_S, "traffic over the spine")
        with Traffic(lab, flows) as measured:
            result = applied(folder, lab, DRAINED, PACE)
        now_mbps = carried_mbps(lab, site)
    finally:
        sender.kill()
        sender.wait()

    assert ["done", ""] == [result.outcome, result.waves[0].reason]
    assert [] == list(losses(measured.results))
    assert now_mbps < 1


def test_a_spine_that_somebody_goes_on_using_is_not_drained(running):
    """Packets to the spine itself: no route leads them elsewhere."""
    folder, lab = running
    site = lab_site(site_of(folder), lab)
    port = next(port for port in site.devices[SPINE].ports if port.addresses)
    before = lab.output(SPINE, "vtysh", "-c", "show running-config")
    sender = sending(lab, port.peer, port.addresses[0].ip)
    try:
        until(lambda: carried_mbps(lab, site) > 1, PATIENCE_S, "traffic to the spine")
        result = applied(folder, lab, DRAINED, IMPATIENT)
    finally:
        sender.kill()
        sender.wait()

    assert (SPINE,) == result.in_state(State.REVERTED)
    assert f"{port.name}: still carries" in result.waves[0].reason
    assert before == lab.output(SPINE, "vtysh", "-c", "show running-config")
