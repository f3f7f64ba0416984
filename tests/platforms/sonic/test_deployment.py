"""From an intent to a sandbox of SONiC switches: plan, apply, nothing to do, rollback, and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabric import api, planning
from fabric.compiler import Compiled
from fabric.deployment import Pace, Workplace
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.ports import free_port

USER, PASSWORD = "netops", "L0GIN-planted"
SITE = """
site: mixed
units: 2
hosts:
  gpu: {{per_unit: 1, gpus: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: 1}}
    pods: {{units: 2}}
    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: sonic{release}}}
      spine: {{model: arista-7060x6-64pe, platform: {spine}, count: 2}}
services:
  ntp: {{servers: [{server}]}}
"""
PACE = Pace(revert_in_s=60, gate_timeout_s=5, gate_poll_s=0.2)
OLD, NEW = "192.0.2.1", "192.0.2.2"


class Site:
    """The site's folder and its sandbox."""

    def __init__(self, folder: Path, words: dict[str, str]) -> None:
        self.folder, self._words = folder, words
        specs = emulated_switches(self.compiled(OLD).devices.values(), lambda _name: (USER, PASSWORD))
        self.sandbox = Sandbox(specs, port=free_port())

    def compiled(self, server: str) -> Compiled:
        """The site with a time server."""
        (self.folder / "site.yaml").write_text(SITE.format(server=server, **self._words))
        return api.compile(self.folder)

    @property
    def place(self) -> Workplace:
        return Workplace(folder=self.folder, replaced=self.sandbox.targets, timeout_s=60)

    def planned(self, server: str, **options: Any) -> tuple[Compiled, set[str]]:
        """What a plan for a time server would change; it is saved."""
        compiled = self.compiled(server)
        plan, texts = api.plan(compiled, self.place, **options)
        planning.save(plan, texts, self.folder / "plan")
        return compiled, {device.device for device in plan.changed}

    def apply(self, compiled: Compiled, *allow: str) -> str:
        return api.apply(self.folder / "plan", compiled, self.place, allow=allow, pace=PACE).outcome

    def count(self, server: str) -> int:
        return sum(f'"{server}"' in self.sandbox.running_config(name) for name in self.sandbox.targets)


MODES = {
    "our frr.conf": {"release": "", "spine": "sonic"},
    "frrcfgd": {"release": ", release: 202511-frrcfgd", "spine": "sonic, release: 202511-frrcfgd"},
}


@pytest.fixture(name="site", params=MODES)
def _site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path, MODES[request.param])
    with site.sandbox:
        first, changed = site.planned(OLD, adopt=True)
        assert set(site.sandbox.targets) == changed
        assert "done" == site.apply(first, "lockout:*", "isolating")
        yield site


def test_new_switches_are_configured_changed_and_left_alone(site: Site) -> None:
    assert site.planned(OLD)[1] == set()
    compiled, changed = site.planned(NEW)

    assert set(site.sandbox.targets) == changed
    assert "done" == site.apply(compiled)
    assert len(changed) == site.count(NEW)
    assert site.planned(NEW)[1] == set()
