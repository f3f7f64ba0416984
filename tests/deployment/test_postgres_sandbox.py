"""The journal in a real PostgreSQL, shared by several machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api, planning
from fabric.deployment import Journal, Workplace
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.ports import free_port

pytestmark = pytest.mark.live

SITE = """site: {name}
units: 1
hosts: {{gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: eos}}
      spine: {{model: arista-7060x6-64pe, platform: eos, count: 2}}
services:
  users: {{fabric: {{role: admin, password_secret: "env:FABRIC_TEST_HASH"}}}}
"""
PASSWORD = "only-for-this-test"


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    from fabric.platforms.eos.emulator.secrets import hashed

    monkeypatch.setenv("FABRIC_TEST_HASH", hashed(PASSWORD))
    (tmp_path / "site.yaml").write_text(SITE.format(name="shared"))
    return tmp_path


def test_an_apply_is_journalled_in_postgresql_and_rolled_back_from_it(site, postgres):
    compiled = api.compile(site)
    with Sandbox(
        emulated_switches(compiled.devices.values(), lambda _name: ("fabric", PASSWORD)), port=free_port()
    ) as sandbox:
        place = Workplace(folder=site, journal_url=postgres, replaced=sandbox.targets)
        made, texts = api.plan(compiled, place, adopt=True)
        planning.save(made, texts, site / "plan")

        applied = api.apply(site / "plan", compiled, place, allow=("lockout:*", "isolating"))
        elsewhere = Journal(postgres)
        again, _ = api.plan(compiled, place)

        assert applied.outcome == "done"
        assert set(elsewhere.applied("shared")) == set(compiled.artifacts)
        assert again.changed == ()
        assert api.rollback(compiled, place, allow=("lockout:*", "isolating")).outcome == "done"
        assert elsewhere.applied("shared") == {}
