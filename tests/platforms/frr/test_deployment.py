"""From an intent to eight real switches: plan, apply, gate, confirmation, drift, and a wrong AS number that reverts."""

from __future__ import annotations

import re

import pytest

from fabric import api, planning
from fabric.deployment import Pace, Workplace
from fabric.diagnostics import Refused
from fabric.lab import Lab, made_up
from fabric.platforms.base import Trust
from fabric.platforms.frr.session import FrrDriver
from tests.lab.labs import needed_lab
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

SITE = """
site: frr-lab
units: 2
hosts:
  gpu: {{per_unit: 1, gpus: 2, nics: {{compute: {{count: 2, ports: 2, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: 1}}
    planes: {{count: 2, meet_at: spine}}
    pods: {{units: 2}}
    addressing: {{family: ipv4}}
    routing: {{bgp: {{password: env:BGP, keepalive: 1s, hold: 3s}}, max_paths: {paths}}}
    tiers:
      leaf: {{model: nvidia-sn5600, platform: frr}}
      spine: {{model: nvidia-sn5600, platform: frr, count: 2}}
      superspine: {{model: nvidia-sn5600, platform: frr, count: 2, groups: 1}}
    lossless: null
overrides: [{overrides}]
services: {{lldp: false, management: {{vrf: default}}}}
"""
PACE = Pace(revert_in_s=90, gate_timeout_s=20, gate_poll_s=0.5)
DONE = "done"
LEAF = "leaf-0-0-0"


class Site:
    """The site's folder, and its lab."""

    def __init__(self, folder, lab):
        self.folder, self.lab, self.place = folder, lab, Workplace(folder=folder)
        lines = [f"  {name}: {{address: {lab.box(name).address}/20}}" for name in lab.switches]
        key_file = lab.access(lab.switches[0]).key_file
        head = (
            "default_credentials: ops",
            f"credentials: {{ops: {{username: root, key_file: {key_file}}}}}",
            f"proof: {{known_hosts: {lab.known_hosts}}}",
            "devices:",
        )
        (folder / "inventory.yaml").write_text("\n".join((*head, *lines, "")))

    def compiled(self, paths=16, overrides=""):
        """The site with some of its words changed."""
        (self.folder / "site.yaml").write_text(SITE.format(paths=paths, overrides=overrides))
        return api.compile(self.folder)

    def plan(self, compiled, **options):
        """A plan, saved."""
        plan, texts = api.plan(compiled, self.place, **options)
        planning.save(plan, texts, self.folder / "plan")
        return plan

    def apply(self, compiled, allow=()):
        """Carry out what was planned last."""
        return api.apply(self.folder / "plan", compiled, self.place, allow=allow, pace=PACE)

    def count(self, line):
        """Switches that run a line."""
        shown = (self.lab.output(name, "vtysh", "-c", "show running-config") for name in self.lab.switches)
        return sum(line in text.splitlines() for text in shown)

    def are_all_up(self):
        """Whether every session of every switch is up."""
        states = [session.is_up for name in self.lab.switches for session in self.lab.sessions(name)]
        return bool(states) and all(states)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Eight switches that run what the site wants."""
    needed_lab()
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BGP", made_up("env:BGP"))
        (folder / "site.yaml").write_text(SITE.format(paths=4, overrides=""))
        with Lab(api.compile(folder).devices, configured=True) as lab:
            lab.wait_for_sessions(PATIENCE_S)
            site = Site(folder, lab)
            assert [] == list(site.plan(site.compiled(paths=4)).changed)
            compiled = site.compiled()
            assert 8 == len(site.plan(compiled, adopt=True).changed)
            assert DONE == site.apply(compiled).outcome
            yield site


def test_a_change_reaches_every_switch_and_stays(site):
    compiled = site.compiled(paths=8)
    plan = site.plan(compiled)

    assert set(site.lab.switches) == {device.device for device in plan.changed}
    assert 0 == site.count("  maximum-paths 8")
    assert DONE == site.apply(compiled).outcome
    assert 8 == site.count("  maximum-paths 8")
    assert [] == list(site.plan(compiled).changed)
    for name in site.lab.switches:
        assert "maximum-paths 8" in site.lab.output(name, "cat", "/etc/frr/frr.conf")
        assert "" == site.lab.output(name, "ls", "/var/lib/fabric-frr/candidates")


def test_a_switch_tells_its_neighbours_sessions_routes_and_ports(site):
    until(site.are_all_up, PATIENCE_S, "all sessions")
    switch = site.compiled().devices[LEAF]
    cables = {
        port.name: (port.peer, port.peer_port) for port in switch.ports if port.peer.startswith("spine")
    }
    access = site.lab.access(LEAF)
    options = {"key_file": access.key_file, "trust": Trust(known_hosts=str(site.lab.known_hosts))}
    driver = FrrDriver(access.address, "root", "", optional_args=options)
    driver.open()

    def seen():
        rows = driver.get_lldp_neighbors()
        return {port: (row["hostname"], row["port"]) for port in cables for row in rows.get(port, ())}

    until(lambda: seen() == cables, PATIENCE_S, "lldpd")
    sessions, states = driver.get_bgp_sessions(), driver.get_port_states()
    assert {neighbor.key for neighbor in switch.routing.neighbors} == set(sessions)
    for session in sessions.values():
        assert (True, 3.0) == (session.is_up, session.hold_s)
        assert session.remote_asn in {neighbor.remote_asn for neighbor in switch.routing.neighbors}
        assert session.received["ipv4"] >= session.installed["ipv4"] > 0
    assert len(sessions) == max(driver.get_route_widths().values())
    assert all(
        states[port].is_up and states[port].received_bytes and states[port].mtu_bytes for port in cables
    )
    assert LEAF == driver.get_facts()["hostname"]
    assert set(sessions) == set(driver.get_bgp_neighbors()["global"]["peers"])
    driver.close()


def test_a_line_that_somebody_types_is_drift_with_his_line(site):
    typed = "ip prefix-list TYPED seq 5 permit 203.0.113.0/24"
    compiled = site.compiled(paths=8)
    before = api.drift(compiled, site.place)
    site.lab.output(LEAF, "vtysh", "-c", "configure terminal", "-c", typed)
    drift = api.drift(compiled, site.place)
    site.lab.output(LEAF, "vtysh", "-c", "configure terminal", "-c", f"no {typed}")

    assert (False, True) == ("TYPED" in str(before), "TYPED" in str(drift))
    assert LEAF in str(drift)


def test_a_password_that_somebody_changes_is_planned_though_no_text_shows_it(site):
    compiled = site.compiled(paths=16)
    if site.plan(compiled).changed:  # another test of this worker was here
        assert DONE == site.apply(compiled).outcome
    running = site.lab.output(LEAF, "vtysh", "-c", "show running-config")
    group = re.findall(r"(?m)^ neighbor (\S+) password", running)[0]
    types = (
        LEAF,
        "vtysh",
        "-c",
        "configure terminal",
        "-c",
        f"router bgp {compiled.devices[LEAF].routing.asn}",
        "-c",
    )
    before = site.plan(compiled)
    site.lab.output(*types, f"neighbor {group} password another")
    plan = site.plan(compiled)
    site.lab.output(*types, f"neighbor {group} password {made_up('env:BGP')}")

    assert ([], [LEAF]) == (list(before.changed), [device.device for device in plan.changed])
    assert "another" not in (site.folder / "plan/plan.json").read_text()
    assert [] == list(site.plan(compiled).changed)


def test_a_wrong_as_number_at_one_end_is_not_even_begun(site):
    wrong = site.compiled(paths=8, overrides=f"{{device: {LEAF}, asn: 4200009999, reason: planted}}")
    site.plan(wrong, only=[LEAF])

    with pytest.raises(Refused, match="AS number"):
        site.apply(wrong, allow={"isolating", "lockout:*"})


def test_a_wrong_as_number_reverts_with_every_session_back(site, monkeypatch):
    until(site.are_all_up, PATIENCE_S, "all sessions")
    before = site.lab.output(LEAF, "vtysh", "-c", "show running-config")
    load = FrrDriver.load_replace_candidate

    def with_a_wrong_number(driver, filename=None, config=None):
        """What a fault of ours would do: the text that is pushed is not the one that was checked."""
        load(driver, config=re.sub(r"(?m)^( neighbor \S+ remote-as) \d+$", r"\1 65123", config))

    compiled = site.compiled(paths=12)
    plan = site.plan(compiled, only=[LEAF])
    monkeypatch.setattr(FrrDriver, "load_replace_candidate", with_a_wrong_number)
    result = site.apply(compiled)

    assert [LEAF] == [device.device for device in plan.changed]
    assert ("failed", ["reverted"]) == (result.outcome, [wave.state for wave in result.waves])
    until(site.are_all_up, PATIENCE_S, "all sessions")
    assert before == site.lab.output(LEAF, "vtysh", "-c", "show running-config")
