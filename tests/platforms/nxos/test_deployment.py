"""From an intent to a sandbox of NX-OS switches: plan, apply, nothing to do, rollback."""

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
site: cisco
units: 2
hosts:
  gpu: {{per_unit: 1, gpus: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    tiers:
      leaf: {{model: cisco-n9364e-sg2, platform: nxos, up: {{speed: 800G}}}}
      spine: {{model: cisco-n9364e-sg2, platform: nxos, count: 2}}
services:
  ntp: {{servers: [{server}]}}
  users: {{netops: {{role: admin, password_hash_sha256: {hash}}}}}
"""
HASH = "$5$benchbench$yRpjd7MlDBTU2Nc3DHnvIItVr5cx.3OtHdlAQKmyno7"
PACE = Pace(revert_in_s=60, gate_timeout_s=5, gate_poll_s=0.2)
OLD, NEW = "192.0.2.1", "192.0.2.2"


class Site:
    """The site's folder and its sandbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        specs = emulated_switches(self.compiled(OLD).devices.values(), lambda _name: (USER, PASSWORD))
        self.sandbox = Sandbox(specs, port=free_port())

    def compiled(self, server: str) -> Compiled:
        (self.folder / "site.yaml").write_text(SITE.format(server=server, hash=HASH))
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
        line = f"ntp server {server} "
        return sum(line in self.sandbox.running_config(name) for name in self.sandbox.targets)


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    with site.sandbox:
        first, changed = site.planned(OLD, adopt=True)
        assert set(site.sandbox.targets) == changed
        assert "done" == site.apply(first, "lockout:*", "isolating")
        yield site


def test_new_switches_are_configured_changed_left_alone_and_taken_back(site: Site) -> None:
    assert site.planned(OLD)[1] == set()
    compiled, changed = site.planned(NEW)

    assert set(site.sandbox.targets) == changed
    assert "done" == site.apply(compiled)
    assert len(changed) == site.count(NEW)
    assert site.planned(NEW)[1] == set()

    assert "done" == api.rollback(site.compiled(NEW), site.place, pace=PACE).outcome
    assert len(changed) == site.count(OLD)
    assert site.planned(OLD)[1] == set()


def test_a_line_typed_by_hand_is_carried_along_and_nxapi_stays(site: Site) -> None:
    site.sandbox.drift("leaf-0-0", "no password strength-check")
    compiled, _ = site.planned(NEW)
    site.apply(compiled)
    text = site.sandbox.running_config("leaf-0-0")

    assert "no password strength-check\n" in text
    assert "feature nxapi\n" in text
    assert len(site.sandbox.targets) == site.count(NEW)
