"""Pings and flows see what the fabric does: whole, everything arrives; cut, exactly the cut plane loses."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabric import compiler
from fabric.devices.model import Switch
from fabric.diagnostics import Refused
from fabric.lab import Fault, clear, inject
from fabric.lab.traffic import Traffic, flows_between_hosts, losses, ping
from fabric.lab.traffic_agent import Received
from fabric.resources import resource
from tests.lab.labs import QUICK, needed_lab, small_lab, small_site
from tests.programs import run, start
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def devices():
    """Two planes of two units: eight switches of another product."""
    return compiler.compile(resource("inventories") / "reference" / "lab-8").devices


@pytest.fixture(scope="module")
def shared(devices):
    with small_lab(devices, configured=True) as lab:
        yield lab


@pytest.fixture
def lab(shared, devices):
    shared.wait_for_sessions(PATIENCE_S)
    flows = flows_between_hosts(devices, all_pairs=True, across_rails=True)
    until(lambda: all(answer.is_answered for answer in ping(shared, flows)), PATIENCE_S, "every pair")
    yield shared
    clear(shared)


def leaf_of(devices, plane):
    return next(
        switch.name
        for switch in devices.values()
        if isinstance(switch, Switch) and (switch.role, switch.plane) == ("leaf", plane)
    )


def test_every_nic_reaches_every_other_of_its_plane(lab, devices):
    flows = flows_between_hosts(devices, all_pairs=True, across_rails=True)
    hosts, rails, planes = len(devices.hosts), 2, 2

    assert hosts * (hosts - 1) * rails * rails * planes == len(flows)
    assert all(answer.is_answered for answer in ping(lab, flows))


def test_a_dead_leaf_silences_its_own_hosts_on_its_own_plane(lab, devices):
    name = leaf_of(devices, 0)
    cut = {
        (host.name, port.plane) for host in devices.hosts.values() for port in host.ports if port.peer == name
    }
    flows = flows_between_hosts(devices, all_pairs=True)
    inject(lab, Fault(kind="down", box=name))
    silent = {answer.flow for answer in ping(lab, flows, timeout_s=1) if not answer.is_answered}

    assert cut
    assert silent == {flow for flow in flows if {(flow.source, flow.plane), (flow.target, flow.plane)} & cut}


def test_flows_lose_nothing_while_nothing_happens(lab, devices):
    with Traffic(lab, flows_between_hosts(devices)) as traffic:
        time.sleep(1)

    assert [] == list(losses(traffic.results))
    assert all(result.sent > 20 for result in traffic.results)
    assert {0.0} == {result.longest_silence_ms for result in traffic.results}


def test_a_leaf_that_goes_down_costs_its_plane_and_no_other(lab, devices):
    with Traffic(lab, flows_between_hosts(devices)) as traffic:
        began = time.monotonic()
        inject(lab, Fault(kind="down", box=leaf_of(devices, 1)))
        time.sleep(1)
    lossy = list(losses(traffic.results))

    assert {1} == {result.flow.plane for result in lossy}
    assert all(result.silent_from_s >= began - 1 for result in lossy)
    assert lossy[0].longest_silence_ms >= 500
    assert lossy[0].longest_silence_ms == max(result.longest_silence_ms for result in traffic.results)


def test_traffic_in_a_host_that_is_not_there_is_refused(lab, devices):
    flow = flows_between_hosts(devices)[0]._replace(source="gpu-99")
    with pytest.raises(Refused, match="gpu-99"), Traffic(lab, [flow]):
        pass


def test_traffic_that_ends_at_once_ends(lab, devices):
    with Traffic(lab, flows_between_hosts(devices)) as traffic:
        pass

    assert len(traffic.flows) == len(traffic.results)


def test_what_counts_ends_with_who_asked(lab, devices):
    counting = f"{lab.folder} {lab.hosts[0]}"
    script = (
        "import sys; from pathlib import Path; from fabric.lab import RunningLab; from fabric.lab import traffic;"
        "lab = RunningLab(Path(sys.argv[1])); flow = traffic.Flow(*[sys.argv[2]] * 2, '', 0, 0, *['127.0.0.1'] * 2);"
        "busy = traffic.Traffic(lab, [flow]).__enter__(); print(busy._agents[sys.argv[2]].child.pid, flush=True);"
        "sys.stdin.read()"
    )
    asking = start(
        sys.executable, "-c", script, *counting.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    folder = Path("/proc") / asking.stdout.readline().decode().strip()

    assert b"traffic_agent" in (folder / "cmdline").read_bytes()
    asking.kill()
    asking.communicate()
    until(lambda: not is_alive(folder), PATIENCE_S, "its end")


def is_alive(folder):
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_ping_by_command(tmp_path):
    needed_lab()
    site = resource("inventories") / "reference" / "lab-8"
    for name in ("site.yaml", "inventory.yaml", "fabric.lock"):
        (tmp_path / name).write_text((site / name).read_text())
    fabric = (sys.executable, "-m", "fabric")
    run(*fabric, "lab", "up", "--configured", "-C", tmp_path)
    try:

        def answer(exits):
            done = run(*fabric, "lab", "ping", "--format", "json", "-C", tmp_path, exits=exits)
            return json.loads(done.stdout)

        until(lambda: answer((0, 1))["answered"] == 32, PATIENCE_S, "all rails")
        assert 32 == answer(0)["sent"]
        run(*fabric, "lab", "fault", "leaf-0-0-0", "--down", "-C", tmp_path)
        assert answer(1)["answered"] < 32
    finally:
        run(*fabric, "lab", "down", "-C", tmp_path)


@pytest.mark.parametrize(
    ("sequences", "silence_s"),
    [((0, 1, 2, 3), 0), ((0, 1, 5, 6), 4), ((0, 3, 4, 9), 5), ((0, 2, 1, 3), 2), ((), 0)],
)
def test_silence_is_between_packets_that_came_with_lost_ones_between(sequences, silence_s):
    received = Received()
    for sequence in sequences:
        received.take(sequence, float(sequence))

    assert silence_s == received.silence_s


def test_the_small_site_has_a_nic_a_rail():
    flows = flows_between_hosts(small_site(routing=QUICK))

    assert {0, 1} == {flow.rail for flow in flows}
