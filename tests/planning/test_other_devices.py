"""What is meant for one device is done to no other that answers in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.planning.codes import OTHER_DEVICE
from fabric.planning.model import Plan
from tests.planning.phased import Network, compiled_site
from tests.platforms.everywhere import MODELS


@pytest.mark.parametrize("product", MODELS)
def test_switches_whose_addresses_are_exchanged_are_not_taken_for_each_other(
    tmp_path: Path, product: str
) -> None:
    site = compiled_site(tmp_path / "site", product)
    network = Network.of(site)
    a, b = network.running["spine-0"], network.running["spine-1"]
    network.running |= {"spine-0": b, "spine-1": a}
    made, _ = network.planned(site)

    assert named(made) == {"spine-0", "spine-1"}
    assert any(f.is_error and "spine-0 calls itself spine-1" in f.rule for f in made.diagnostics)


@pytest.mark.parametrize("product", MODELS)
def test_a_switch_under_another_name_is_named_by_the_plan(tmp_path: Path, product: str) -> None:
    """One that no other device of the site has: it is new, or was called so by hand."""
    site = compiled_site(tmp_path / "site", product)
    network = Network.of(site)
    network.running["spine-0"] = network.running["spine-0"].replace("spine-0", "localhost")
    made, _ = network.planned(site)

    assert [device.device for device in made.changed] == ["spine-0"]
    assert named(made) == set()


def named(plan: Plan) -> set[str]:
    return {name for f in plan.diagnostics if f.code == OTHER_DEVICE.code for name in f.subjects}
