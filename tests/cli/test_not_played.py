"""What the sandbox does not play is named when it starts, and by every command that would ask it."""

from __future__ import annotations

import json

import pytest

from fabric import sandbox
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.platforms.registry import platform
from tests.ports import free_port

SITE = """
site: mix
units: 2
hosts:
  gpu: {per_unit: 2, gpus: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    lossless: roce-lossless-no-watchdog
    tiers:
      leaf: {model: LEAF}
      spine: {model: SPINE, count: 2}
"""
EOS, FRR = "arista-7060x6-64pe", "nvidia-sn5600, platform: frr"


@pytest.mark.parametrize(("leaf", "spine"), [(EOS, EOS), (EOS, FRR), (FRR, FRR)], ids=["all", "some", "none"])
def test_exactly_what_has_no_emulator_is_said_to_be_not_played(fabric, site, leaf, spine):
    site.joinpath("site.yaml").write_text(SITE.replace("LEAF", leaf).replace("SPINE", spine))
    facts = {"leaf": ("leaf-0-0", leaf), "spine": ("spine-0", spine)}
    missing = [
        name for name, model in facts.values() if not platform("frr" if model is FRR else "eos").emulator
    ]

    try:
        up = fabric("sandbox", "up", "--port", free_port())
        again = fabric("sandbox", "up")
        plan = fabric("plan", "--sandbox", "--adopt", "--format", "json")
        skipping = fabric("plan", "--sandbox", "--adopt", "--skip-unreachable")
    finally:
        sandbox.down(folder_of_sandbox(site))

    for said in (up, again):
        words = " ".join(said.err.split())
        assert [name for name, _ in facts.values() if name in words] == missing, words
        assert ("no emulator of FRR on Linux" in words) == bool(missing)
    assert ("--adopt --skip-unreachable" in up.err) == (0 < len(missing) < len(facts))
    unobserved = [one for one in json.loads(plan.out)["plan"]["diagnostics"] if one["code"] == "FAB605"]
    assert {one["rule"] for one in unobserved} <= {"the sandbox does not play FRR on Linux"}
    assert all("`fabric lab up`" in one["hint"] for one in unobserved)
    assert [any(name in one["subjects"] for one in unobserved) for name, _ in facts.values()] == [
        name in missing for name, _ in facts.values()
    ]
    assert plan.code == (1 if missing else 2)
    assert skipping.code == (2 if len(missing) < len(facts) else skipping.code)
