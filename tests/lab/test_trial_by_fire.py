"""Changes of a running lab, planned ones and bad ones, while packets go over all rails and planes.

What a plan cannot know is planted into its text, as if the compiler had a fault: then the gate is all there is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from fabric import __version__, api, deployment, planning
from fabric.cli.open_lab import LabSite, LabWorkplace, folder_of_lab, lab_secrets, lab_site, lab_workplace
from fabric.deployment import Pace, State
from fabric.lab import RunningLab, down, up
from fabric.lab.traffic import Flow, Traffic, flows_between_hosts, losses, ping
from fabric.planning.texts import digest
from tests.deployment.played_site import ended
from tests.lab.labs import needed_lab
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

SITE = """
site: trial
units: 2
hosts:
  gpu: {{per_unit: 1, gpus: 2, nics: {{compute: {{count: 2, ports: 2, speed: 400G}}}}}}
networks:
  compute:
    planes: {{count: 2}}
    rails: {{leaves: 1}}
    addressing: {{loopback_pool: {loopbacks}, fabric_pool: {links}}}
    routing: {{bgp: {{keepalive: 1s, hold: 3s}}, bfd: {{interval: 300ms, multiplier: 3}}}}
    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: eos}}
      spine: {{model: arista-7060x6-64pe, platform: eos, count: 2}}
    lossless: null
services: {{lldp: true}}
deployment: {{gate: {{settle: 20s, commands: {commands}}}}}
"""
LOOPBACKS, OTHERS = "10.255.0.0/16", "10.254.0.0/16"
LINKS, OTHER_LINKS = "10.128.0.0/12", "10.64.0.0/12"
PACE = Pace(revert_in_s=120, gate_timeout_s=20, gate_poll_s=0.5)
LEAF, ITS_SPINE = "leaf-0-0-0", "spine-0-0"


class Trial(NamedTuple):
    """A lab that carries traffic, and the folder of its site."""

    folder: Path
    lab: RunningLab

    def site(
        self,
        *,
        loopbacks: str = LOOPBACKS,
        links: str = LINKS,
        commands: tuple[str, ...] = (),
        drained: str = "",
    ) -> LabSite:
        text = SITE.format(loopbacks=loopbacks, links=links, commands=json.dumps(commands))
        (self.folder / "site.yaml").write_text(text)
        why = {"reason": "trial", "owner": "netops", "expires": "2999-01-01"}
        state = {"drained": [{"device": drained, "mode": "graceful", **why}] if drained else []}
        (self.folder / "state.yaml").write_text(json.dumps(state))
        return lab_site(api.compile(self.folder), self.lab)

    def place(self, site: LabSite) -> LabWorkplace:
        return lab_workplace(site, self.lab)

    def flows(self, site: LabSite) -> tuple[Flow, ...]:
        """All pairs of NICs of each plane; answered, before anything is tried."""
        flows = flows_between_hosts(site.devices, all_pairs=True, across_rails=True)
        until(lambda: all(answer.is_answered for answer in ping(self.lab, flows)), PATIENCE_S, "every pair")
        return flows

    def save(self, made: tuple[planning.Plan, planning.Texts]) -> Path:
        planning.save(*made, self.folder / "plan")
        return self.folder / "plan"

    def running(self) -> dict[str, str]:
        """What every switch runs: its routing, and its ports with their MTU."""
        words = "vtysh -c 'show running-config'; ip -br address; ip -o link | grep -o '^.* mtu [0-9]*'"
        return {name: self.lab.output(name, "sh", "-c", words) for name in self.lab.switches}

    def routes(self) -> dict[str, list[str]]:
        """Every prefix of every switch with its next hops."""
        return {
            name: sorted(
                f"{prefix} {hop.get('ip', hop.get('interfaceName'))}"
                for prefix, entries in json.loads(
                    self.lab.output(name, "vtysh", "-c", "show ip route json")
                ).items()
                for hop in entries[0]["nexthops"]
                if hop.get("active")
            )
            for name in self.lab.switches
        }


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Iterator[Trial]:
    needed_lab()
    folder = tmp_path_factory.mktemp("trial")
    (folder / "site.yaml").write_text(SITE.format(loopbacks=LOOPBACKS, links=LINKS, commands="[]"))
    devices, where = api.compile(folder).devices, folder_of_lab(folder)
    yield Trial(folder, up(devices, where, configured=True, value_of=lab_secrets(folder)))
    down(where)


@pytest.fixture
def trial(shared) -> Trial:
    """The lab as it was in the beginning, whatever a test before has left."""
    shared.lab.wait_for_sessions(PATIENCE_S)
    site = shared.site()
    place = shared.place(site)
    while (made := api.plan(site, place, adopt=True))[0].changed:
        assert "done" == api.apply(shared.save(made), site, place, pace=PACE, allow=["isolating"]).outcome
        shared.lab.wait_for_sessions(PATIENCE_S)
    return shared


def test_a_plane_that_changes_costs_the_other_one_no_packet(trial):
    """New router ids end every session of the plane's switches, wave by wave."""
    site = trial.site(loopbacks=OTHERS)
    place, flows = trial.place(site), trial.flows(site)
    plane = api.targeted(site, ["plane:0"])
    saved = trial.save(api.plan(site, place, adopt=True, only=plane))

    with Traffic(trial.lab, flows) as traffic:
        result = api.apply(saved, site, place, pace=PACE, allow=["isolating"])

    assert "done" == ended(result)
    assert 0 == sum(flow.lost for flow in traffic.results if flow.flow.plane == 1), list(
        losses(traffic.results)
    )
    assert all(flow.sent for flow in traffic.results)


def test_a_spine_that_is_drained_and_comes_back_costs_no_packet(trial):
    for drained in (ITS_SPINE, ""):
        site = trial.site(drained=drained)
        place, flows = trial.place(site), trial.flows(site)
        saved = trial.save(api.plan(site, place, adopt=True, only=api.targeted(site, [ITS_SPINE])))

        with Traffic(trial.lab, flows) as traffic:
            result = api.apply(saved, site, place, pace=PACE, allow=["isolating"])

        assert "done" == ended(result)
        assert [] == list(losses(traffic.results))


class Planted(NamedTuple):
    """A fault in the text of one device."""

    old: str
    new: str
    told: str
    """What the gate says."""


FAULTS = {
    "withdrawn prefixes": Planted("  redistribute connected route-map RM-CONNECTED\n", "", ": is gone"),
    "wrong AS": Planted("remote-as 42000010", "remote-as 42000020", "BGP session with"),
    "wrong MTU": Planted("    mtu 9000\n", "    mtu 1500\n", "Message too long"),
}


def test_the_program_of_the_site_lets_a_good_change_pass(trial):
    """A control; and then the switch runs what the intent says."""
    site = trial.site(loopbacks=OTHERS, commands=(large_packets(trial),))
    place, spine = trial.place(site), api.targeted(site, [ITS_SPINE])
    trial.flows(site)
    saved = trial.save(api.plan(site, place, adopt=True, only=spine))

    assert "done" == api.apply(saved, site, place, pace=PACE, allow=["isolating"]).outcome
    assert [] == list(api.plan(site, place, only=spine)[0].changed)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_change_goes_back_with_every_session_and_route(trial, fault):
    planted = FAULTS[fault]
    site = trial.site(commands=(large_packets(trial),))
    place = trial.place(site)
    trial.flows(site)
    before, routes = trial.running(), trial.routes()
    artifact = site.artifacts[LEAF]
    assert planted.old in artifact.text
    text = artifact.text.replace(planted.old, planted.new)
    bad = msgspec.structs.replace(artifact, text=text, digest=digest(text), files={}, diagnostics=())
    seen = deployment.observe(
        place.targets(site.intent.inventory, [LEAF]),
        {LEAF: bad},
        site.platform_of,
        options=deployment.ObserveOptions(source=place.source),
    )
    assert not seen.unreachable, seen.unreachable
    options = planning.PlanOptions(
        site="trial",
        program=__version__,
        intent=site.digest,
        created=datetime.now(UTC),
        adopt=True,
        ownership="full",
    )
    artifacts = {name: bad if name == LEAF else site.artifacts[name] for name in site.artifacts}
    made = planning.plan(artifacts, seen, switches=site.devices, options=options)
    plan = msgspec.structs.replace(made[0], stand_ins=place.stand_ins, diagnostics=())

    result = api.apply(trial.save((plan, made[1])), site, place, pace=PACE, allow=["isolating"])

    assert "failed" == result.outcome
    assert planted.told in str(result), result
    assert (LEAF,) == result.in_state(State.REVERTED)
    assert before == trial.running()
    until(lambda: routes == trial.routes(), PATIENCE_S, "every route")
    trial.lab.wait_for_sessions(PATIENCE_S)
    trial.flows(site)


def large_packets(trial: Trial) -> str:
    """A program of the site: whether the leaf can send packets of 8,900 bytes to its spines, undivided."""
    path = trial.folder / "large.py"
    path.write_text(
        "import socket\n"
        "for spine in ('10.128.0.0', '10.128.0.2'):\n"
        "    large = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "    large.setsockopt(socket.IPPROTO_IP, 10, 2)  # IP_MTU_DISCOVER: IP_PMTUDISC_DO\n"
        "    large.connect((spine, 9))\n"
        "    large.send(bytes(8872))\n"
    )
    return f"nsenter -t {trial.lab.pid(LEAF)} -n {sys.executable} {path}"


def test_all_links_move_to_another_pool_spine_by_spine(trial):
    """Both ends of a spine's links in one wave; the other plane loses nothing, and in the end all is as intended."""
    site = trial.site(links=OTHER_LINKS)
    place, left = trial.place(site), []
    while (made := api.plan(site, place, adopt=True))[0].changed:
        plan, flows = made[0], trial.flows(site)
        left.append(plan.phases_left)
        planes = {site.devices[device.device].plane for device in plan.changed}
        with Traffic(trial.lab, flows) as traffic:
            result = api.apply(trial.save(made), site, place, pace=PACE, allow=["isolating"])
        assert "done" == ended(result)
        assert {flow.flow.plane for flow in traffic.results if flow.lost} <= planes
        assert 1 == len(planes)
        trial.lab.wait_for_sessions(PATIENCE_S)

    assert 4 == len(left)  # a phase for each spine of both planes
    assert left == sorted(left, reverse=True)
