"""A switch that is replaced by one of another product: what was applied to the old one is nothing to the new one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabric import api
from fabric.devices.model import Device
from fabric.diagnostics import Refused
from fabric.planning.model import Action
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import PASSWORD, USERNAME
from tests.deployment.played_site import PLAYED, PlayedSite, ended, played_site
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import Words, override, services
from tests.ports import free_port

LEAF = "leaf-0-0"
TIME = services("ntp: {servers: [192.0.2.77]}")
PAIRS = list(zip(PLAYED, [*PLAYED[1:], PLAYED[0]], strict=True))


def swap(product: str) -> Words:
    return override(f"[{{device: {LEAF}, model: {MODELS[product]}, platform: {product}}}]")


@pytest.fixture(params=PAIRS, ids="-".join)
def swapped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site that was applied twice, of which a leaf is another switch now."""
    old, new = request.param
    with played_site(tmp_path_factory.mktemp("site"), old) as site:
        for words in ((), (TIME,)):
            compiled, plan = site.planned(*words)
            if plan.changed:
                assert ended(site.carry_out(compiled)) == "done"
            else:
                api.apply(site.folder / "plan", compiled, site.place)
    devices: dict[str, Device] = dict(site.compiled(TIME, swap(new)).devices)
    specs = emulated_switches(devices.values(), lambda _name: (USERNAME, PASSWORD))
    with Sandbox(specs, port=free_port()) as site.sandbox:
        yield site


@pytest.mark.covering(most=1, apart=True)
def test_it_is_adopted_as_any_other_and_no_run_of_before_is_taken_back(swapped: PlayedSite) -> None:
    compiled = swapped.compiled(TIME, swap(new_product(swapped)))

    drift = api.drift(compiled, swapped.place)
    with pytest.raises(Refused, match=r"FAB723.*is another switch"):
        api.plan_rollback(compiled, swapped.place)
    made, texts = api.plan(compiled, swapped.place, adopt=True)

    assert LEAF not in {one.device for one in drift.drifted}
    assert {d.device: d.action for d in made.changed}[LEAF] is Action.ADOPT
    assert texts


def new_product(site: PlayedSite) -> str:
    return dict(PAIRS)[site.product]
