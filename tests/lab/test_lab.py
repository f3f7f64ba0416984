"""A lab plays a site as intended, whatever its products, reachable by SSH, and leaves nothing behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabric.lab.lower_to_lab import lab_product, lab_switches, switches_of
from tests.lab.labs import needed_lab, processes_in, small_lab, small_site
from tests.programs import ANY, run
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def lab():
    """Four switches that are what another product's site intends, with their hosts."""
    with small_lab(small_site(leaves=1), configured=True) as lab:
        lab.wait_for_sessions(PATIENCE_S)
        yield lab


def ssh(lab, name, *words, exits=0):
    access = lab.access(name)
    options = [f"UserKnownHostsFile={lab.known_hosts}", "BatchMode=yes", "StrictHostKeyChecking=yes"]
    given = [word for option in options for word in ("-o", option)]
    target = f"{access.username}@{access.address}"
    return run("ssh", *given, "-i", access.key_file, "-p", str(access.port), target, *words, exits=exits)


def test_every_box_answers_by_ssh_as_itself(lab):
    names = [*lab.switches, *lab.hosts]

    assert names
    assert names == [ssh(lab, name, "hostname").stdout.strip() for name in names]


def test_a_key_that_is_not_the_labs_is_refused(lab, tmp_path):
    other = tmp_path / "other"
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other)
    target = f"root@{lab.access(lab.switches[0]).address}"
    options = (
        "-o",
        f"UserKnownHostsFile={lab.known_hosts}",
        "-o",
        "BatchMode=yes",
        "-o",
        "IdentitiesOnly=yes",
    )

    assert "Permission denied" in run("ssh", *options, "-i", other, target, "true", exits=255).stderr


def test_the_sessions_are_those_of_the_intent(lab):
    intended = {
        switch.name: {neighbor.key for neighbor in switch.routing.neighbors}
        for switch in lab_switches(small_site(leaves=1), {}).values()
    }

    assert intended == {name: {session.neighbor for session in lab.sessions(name)} for name in lab.switches}
    assert all(session.is_up for name in lab.switches for session in lab.sessions(name))


def test_routing_goes_before_what_else_this_machine_does_and_not_before_its_kernel(lab):
    """Sessions of a lab stay up on a busy machine, where it lets programs have that."""
    for name in lab.switches:
        first = lab.output(name, "nice", "-n", "-10", "nice").strip()
        numbers = lab.output(name, "pgrep", "-f", "/usr/lib/frr/(bgpd|bfdd|zebra)").split()
        told = [lab.output(name, "ps", "-o", "cls=,ni=", "-p", number).split() for number in numbers]

        assert told == 3 * [["TS", first]]


def test_lldp_sees_every_cable_at_both_ends(lab):
    ends = {end: cable.other_end(*end) for cable in lab.state.cables for end in cable.ends}

    def seen():
        return {
            (name, port): neighbor
            for name in lab.state.boxes
            for port, neighbor in lab.neighbors(name).items()
        }

    until(lambda: seen() == ends, PATIENCE_S, "lldp")
    assert ends


def test_a_box_cannot_write_to_this_machine(lab, tmp_path):
    name, marker = lab.switches[0], Path("/etc/lab-marker")

    assert lab.run(name, "touch", str(marker)).returncode == 0
    assert not marker.exists()
    assert (
        lab.run(name, "touch", str(tmp_path / "marker")).returncode != 0 or not (tmp_path / "marker").exists()
    )
    assert lab.run(name, "touch", "/usr/marker").returncode != 0


def test_provisioning_leaves_no_session_and_every_cabled_port_up():
    with small_lab() as lab:
        name = lab.switches[0]
        ports = {cable.a_port for cable in lab.state.cables if cable.a == name}
        links = json.loads(lab.output(name, "ip", "-j", "link", "show"))

        assert () == lab.sessions(name)
        assert ports
        assert ports <= {link["ifname"] for link in links if "UP" in link["flags"]}


def test_two_labs_run_side_by_side_and_leave_nothing(limits_stay):
    needed_lab()
    before = (mounts(), namespaces(), limits())
    with small_lab(hosts=False) as one, small_lab(hosts=False) as two:
        labs = [one.state.process.pid, two.state.process.pid]
        running = [pid for lab in labs for pid in processes_in(lab)]
        addresses = {lab.access(name).address for lab in (one, two) for name in lab.switches}

        assert len(addresses) == len(one.switches) + len(two.switches)
        assert len(running) > 2 * len(one.switches) * len(lab_product().box.daemons)
        assert two.output(two.switches[0], "hostname").strip() == two.switches[0]
        assert mounts() == before[0]
        assert {lab.state.interface_index for lab in (one, two)} <= interfaces()
    assert [] == [pid for pid in running if Path(f"/proc/{pid}").exists()]
    assert before == (mounts(), namespaces(), limits())
    assert not {lab.state.interface_index for lab in (one, two)} & interfaces()


def mounts():
    return sorted(Path("/proc/self/mountinfo").read_text().splitlines())


def namespaces():
    return run("ip", "netns", "list", exits=ANY).stdout


def interfaces():
    """By the numbers of the kernel, which gives each once: labs of others come and go."""
    return {link["ifindex"] for link in json.loads(run("ip", "-j", "link", "show").stdout)}


def limits():
    return [path.read_text() for path in sorted(Path("/proc/sys/net").glob("ipv?/neigh/default/gc_thresh?"))]


def test_the_hosts_of_a_site_have_a_nic_a_rail(lab):
    hosts = small_site(leaves=1).hosts

    assert set(hosts) == set(lab.hosts)
    for name, host in hosts.items():
        shown = json.loads(lab.output(name, "ip", "-j", "-4", "addr", "show"))
        own = {f"{row['local']}/{row['prefixlen']}" for link in shown for row in link["addr_info"]}
        assert {str(address) for port in host.ports for address in port.addresses} <= own


def test_a_lab_has_every_switch_of_the_site(lab):
    assert [switch.name for switch in switches_of(small_site(leaves=1))] == list(lab.switches)
