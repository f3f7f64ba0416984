"""From an intent to a sandbox of Junos leaves and EOS spines: plan, apply, gate, and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabric import api, planning
from fabric.compiler import Compiled
from fabric.deployment import Pace, Workplace
from fabric.platforms.sha512crypt import sha512_crypt
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
      leaf: {{model: juniper-qfx5240-64od, platform: junos}}
      spine: {{model: arista-7060x6-64pe, platform: eos, count: 2}}
services:
  ntp: {{servers: [{server}]}}
  users: {{netops: {{role: admin, password_hash: "{hash}"}}}}
"""
HASH = sha512_crypt(PASSWORD, "benchbench")
PACE = Pace(revert_in_s=60, gate_timeout_s=5, gate_poll_s=0.2)


class Site:
    """The site's folder and its sandbox."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.folder, self.sandbox = folder, sandbox
        self.place = Workplace(folder=folder, replaced=sandbox.targets, timeout_s=20)

    def planned(self, server: str, **options: Any) -> tuple[Compiled, set[str]]:
        """What a plan for another time server would change; it is saved."""
        compiled = compiled_site(self.folder, server)
        plan, texts = api.plan(compiled, self.place, **options)
        planning.save(plan, texts, self.folder / "plan")
        return compiled, {device.device for device in plan.changed}

    def apply(self, compiled: Compiled, *allow: str) -> str:
        return api.apply(self.folder / "plan", compiled, self.place, allow=allow, pace=PACE).outcome

    def count(self, server: str) -> int:
        return sum(server in self.sandbox.running_config(name) for name in self.sandbox.targets)


def compiled_site(folder: Path, server: str) -> Compiled:
    (folder / "site.yaml").write_text(SITE.format(server=server, hash=HASH))
    return api.compile(folder)


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[Site]:
    compiled = compiled_site(tmp_path, "192.0.2.1")
    specs = emulated_switches(compiled.devices.values(), lambda _name: (USER, PASSWORD))
    with Sandbox(specs, port=free_port()) as sandbox:
        site = Site(tmp_path, sandbox)
        first, changed = site.planned("192.0.2.1", adopt=True)
        assert set(sandbox.targets) == changed
        assert "done" == site.apply(first, "lockout:*")
        yield site


def test_a_mixed_site_goes_from_fresh_switches_to_a_change_to_nothing_to_do(site: Site) -> None:
    compiled, changed = site.planned("192.0.2.2")

    assert set(site.sandbox.targets) == changed
    assert "done" == site.apply(compiled)
    assert len(changed) == site.count("192.0.2.2")
    _, changed = site.planned("192.0.2.2")
    assert set() == changed


@pytest.mark.parametrize("fault", [{"fail_commit": True}, {"die_in_commit": "before"}])
def test_a_leaf_that_does_not_commit_runs_what_it_ran(site: Site, fault: dict[str, Any]) -> None:
    compiled, changed = site.planned("192.0.2.2")
    leaf = min(name for name in changed if name.startswith("leaf"))
    site.sandbox.set_faults(leaf, **fault)

    assert "done" != site.apply(compiled)
    site.sandbox.clear_faults(leaf)
    site.sandbox.advance(PACE.revert_in_s + 1)
    running = site.sandbox.running_config(leaf)
    assert "server 192.0.2.1 " in running
    assert "192.0.2.2" not in running
