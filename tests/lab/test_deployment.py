"""A site of another product is planned and applied on its lab, while the hosts' packages go on."""

from __future__ import annotations

import pytest

from fabric import api, planning
from fabric.cli.open_lab import folder_of_lab, lab_secrets, lab_site, lab_workplace
from fabric.deployment import Pace
from fabric.lab import down, up
from fabric.lab.traffic import Traffic, flows_between_hosts, losses, ping
from tests.lab.labs import SMALL, needed_lab
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

PACE = Pace(revert_in_s=120, gate_timeout_s=60, gate_poll_s=0.5)


def write_site(folder, paths):
    routing = f"{{bgp: {{password: env:BGP, keepalive: 1s, hold: 3s}}, max_paths: {paths}}}"
    model, platform = "arista-7060x6-64pe", "eos"
    text = SMALL.format(leaves=1, spines=2, family="ipv4", routing=routing, platform=platform, model=model)
    (folder / "site.yaml").write_text(text)
    return api.compile(folder)


@pytest.fixture
def running(tmp_path):
    """The folder of a site, and its lab."""
    needed_lab()
    site = write_site(tmp_path, 8)
    lab = up(site.devices, folder_of_lab(tmp_path), configured=True, value_of=lab_secrets(tmp_path))
    lab.wait_for_sessions(PATIENCE_S)
    yield tmp_path, lab
    down(folder_of_lab(tmp_path))


def test_a_change_of_the_intent_reaches_the_lab_and_no_packet_is_lost(running):
    folder, lab = running
    site = lab_site(write_site(folder, 8), lab)
    place = lab_workplace(site, lab)

    assert [] == list(api.plan(site, place)[0].changed)

    changed = lab_site(write_site(folder, 16), lab)
    plan, texts = api.plan(changed, place, adopt=True)
    planning.save(plan, texts, folder / "plan")

    assert set(lab.switches) == {device.device for device in plan.changed}
    flows = flows_between_hosts(changed.devices)
    until(lambda: all(answer.is_answered for answer in ping(lab, flows)), PATIENCE_S, "every rail")
    with Traffic(lab, flows) as traffic:
        result = api.apply(folder / "plan", changed, place, pace=PACE)

    assert "done" == result.outcome
    assert [] == list(losses(traffic.results))
    assert [] == list(api.plan(changed, place)[0].changed)
    shown = {lab.output(name, "vtysh", "-c", "show running-config") for name in lab.switches}
    assert all("maximum-paths 16" in text for text in shown)
