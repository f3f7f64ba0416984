"""A plan says what each wave that interrupts traffic costs."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import msgspec
import numpy as np
import pytest

from fabric import api
from fabric.cli.printing.styled_lines import text_of
from fabric.cli.views.plan import wave_line
from fabric.compiler import open_site
from fabric.devices.model import SubnetManager
from fabric.failures import Placement, fabrics, without_switches
from fabric.failures.components import failures_of
from fabric.failures.effects import effects_of
from fabric.intent.state import Drained
from fabric.operations.wave_costs import out_of_service, with_costs
from fabric.planning import PlanOptions
from fabric.planning.model import Action, Change, DevicePlan, Impact, Plan, Scope, Wave
from fabric.planning.options import LastApplied
from tests.analysis.sites import intent
from tests.failures.test_singles import SMALL
from tests.topology.builders import REFERENCE


@pytest.mark.parametrize("name", SMALL)
def test_what_a_switch_costs_is_what_its_failure_does(name: str) -> None:
    site = open_site(REFERENCE / name)
    (fabric,) = fabrics(site.intent, site.topology, site.derivable)
    for failures in failures_of(fabric.graph, Placement()):
        if failures.kind in ("leaf", "spine"):
            effects = effects_of(fabric.network, failures.count, *failures.entries())
            groups = [(failures.name(number),) for number in range(failures.count)]

            left = without_switches(site.intent, site.topology, site.derivable, groups)

            assert np.allclose(effects.scattered_percent, left, atol=0.005)


def _each(given: dict[str, Impact | tuple[Impact, ...]]) -> dict[str, tuple[Impact, ...]]:
    return {name: one if isinstance(one, tuple) else (one,) for name, one in given.items()}


def plan_of(given: dict[str, Impact | tuple[Impact, ...]], *waves: Wave) -> Plan:
    devices = [
        DevicePlan(
            device=name,
            platform="eos",
            network="compute",
            role="spine",
            group=0,
            plane=0,
            action=Action.UPDATE,
            impact=impact,
            changes=tuple(Change("x", "~", each, Scope(whole_device=True), "") for each in impacts),
            intended="x",
            observed="x",
        )
        for name, impacts in _each(given).items()
        for impact in [max(impacts, key=lambda one: one.rank)]
    ]
    return msgspec.convert(
        {
            "site": "lab-8",
            "created": "2026-11-24T00:00:00Z",
            "program": "0",
            "intent": "x",
            "mode": "offline",
            "adopt": False,
            "groups": (),
            "devices": [msgspec.to_builtins(device) for device in devices],
            "waves": [msgspec.to_builtins(wave) for wave in waves],
        },
        Plan,
    )


def wave(number: int, *names: str, in_turn: bool = False) -> Wave:
    return Wave(number, names, Impact.FLAP, canary=False, reason="", in_turn=in_turn)


def test_only_waves_that_interrupt_traffic_have_a_cost() -> None:
    site = open_site(Path(REFERENCE / "lab-8"))
    spines = {"spine-0-0": Impact.FLAP, "spine-0-1": Impact.BUFFER, "spine-1-0": Impact.RELOAD}
    plan = plan_of(
        spines,
        wave(1, "spine-0-1"),
        wave(2, "spine-0-0", "spine-0-1"),
        wave(3, "spine-0-0", "spine-1-0"),
        wave(4, "spine-0-0", "spine-1-0", in_turn=True),
    )

    costs = [each.allreduce_percent for each in with_costs(site, plan).waves]

    assert costs == [None, 50, 50, 50]
    assert text_of(wave_line(with_costs(site, plan).waves[1], plan.wave_impacts[2])).endswith(
        "AllReduce at 50 %"
    )
    assert "AllReduce" not in text_of(wave_line(plan.waves[0], plan.wave_impacts[1]))


@pytest.mark.parametrize(("network", "cost"), [("compute", 50), ("storage", None)])
def test_a_wave_of_a_network_that_carries_no_collective_has_no_cost(network: str, cost: float | None) -> None:
    site = open_site(Path(REFERENCE / "lab-8"))
    plan = plan_of({"spine-0-0": Impact.FLAP}, wave(1, "spine-0-0"))
    moved = tuple(msgspec.structs.replace(device, network=network) for device in plan.devices)

    made = with_costs(site, msgspec.structs.replace(plan, devices=moved))

    assert made.waves[0].allreduce_percent == cost


def test_both_ends_of_links_cost_what_the_links_carry() -> None:
    """Leaves of which only the sessions to one spine are built anew go on over the others."""
    site = open_site(Path(REFERENCE / "lab-8"))
    leaves = [name for name, device in site.devices.items() if device.role == "leaf"]
    names = ("spine-0-0", *leaves)
    plan = plan_of(dict.fromkeys(names, Impact.FLAP), wave(1, *names))
    own = Change("x", "~", Impact.FLAP, Scope(ports=("p",), peers=("spine-0-0",)), "")
    more = Change("x", "~", Impact.FLAP, Scope(ports=("q",), peers=("spine-0-1",)), "")

    def cost(*changes: Change, together: bool) -> float | None:
        devices = tuple(
            msgspec.structs.replace(device, changes=changes) if device.device in leaves else device
            for device in plan.devices
        )
        waves = tuple(msgspec.structs.replace(wave, together=together) for wave in plan.waves)
        changed = msgspec.structs.replace(plan, devices=devices, waves=waves)
        return with_costs(site, changed).waves[0].allreduce_percent

    assert cost(own, together=True) == 50
    assert cost(own, more, together=True) == 0
    assert cost(own, together=False) == 0


PODS = """
site: pods
units: 4
hosts: {gpu: {model: dgx-h100, per_unit: 8}}
networks:
  compute:
    rails: {leaves: 1}
    pods: {units: 2}
    tiers:
      leaf: {model: arista-7060x6-64pe, platform: eos}
      spine: {model: arista-7060x6-64pe, platform: eos}
      superspine: {model: arista-7060x6-64pe, platform: eos}
"""
BETWEEN_PODS = {
    ("superspine-0-0",): 50,  # half of the ways between the two pods
    ("superspine-0-0", "superspine-1-0"): 0,
    ("spine-0-0",): 50,  # half of what leaves of one pod send upward
    ("spine-0-0", "superspine-0-0"): 50,  # the same half: that spine leads over that superspine alone
    ("spine-0-0", "superspine-1-0"): 0,  # no way is left between the pods
}


@pytest.mark.parametrize("names", BETWEEN_PODS)
def test_flows_between_pods_cost_what_superspines_carry(names: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(PODS)
    site = open_site(tmp_path)
    (left,) = without_switches(site.intent, site.topology, site.derivable, [names])

    assert left == BETWEEN_PODS[names]


def test_one_link_between_pods_costs_its_part(tmp_path: Path) -> None:
    """A spine has 64 links of 400G downward and 64 upward: with one of them dead 63/64 of what it gets goes on."""
    (tmp_path / "site.yaml").write_text(PODS)
    site = open_site(tmp_path)
    (fabric,) = fabrics(site.intent, site.topology, site.derivable)
    (links,) = [f for f in failures_of(fabric.graph, Placement()) if f.kind == "spine-superspine link"]

    effects = effects_of(fabric.network, links.count, *links.entries())
    assert {98.4375} == set(effects.scattered_percent.tolist())


def test_managers_of_a_subnet_carry_nothing_and_cost_nothing() -> None:
    """Whom they cut off is another thing, and no percentage of AllReduce says it."""
    site = open_site(REFERENCE / "superpod-h100-1su")
    managers = [name for name, device in site.devices.items() if isinstance(device, SubnetManager)]
    assert managers
    plan = plan_of(dict.fromkeys(managers, Impact.ISOLATING), wave(1, *managers, in_turn=True))

    assert with_costs(site, plan).waves[0].allreduce_percent is None


@pytest.mark.parametrize("beside", Impact)
@pytest.mark.parametrize("worst", Impact)
def test_a_device_costs_what_its_changes_do_to_traffic_whatever_the_worst_word_is(
    worst: Impact, beside: Impact
) -> None:
    """`lockout` is about our own access: alone it interrupts nothing, and it hides nothing that does."""
    site = open_site(Path(REFERENCE / "lab-8"))
    plan = plan_of({"spine-0-0": (worst, beside)}, wave(1, "spine-0-0"))
    interrupts = {worst, beside} & {Impact.FLAP, Impact.RELOAD, Impact.ISOLATING}

    assert with_costs(site, plan).waves[0].allreduce_percent == (50 if interrupts else None)


def test_a_drain_that_only_begins_costs_what_the_switch_carries_until_then() -> None:
    site = open_site(Path(REFERENCE / "lab-8"))
    drain = Drained(reason="a fan", owner="netops", expires="2099-12-31", device="spine-0-0", mode="shut")
    state = msgspec.structs.replace(site.intent.state, drained=(drain,))
    site = replace(site, intent=msgspec.structs.replace(site.intent, state=state))
    plan = plan_of({"spine-0-0": Impact.FLAP}, wave(1, "spine-0-0"))

    def cost(*, was_drained: bool, separates: bool = False) -> float | None:
        options = PlanOptions(
            site="lab-8",
            program="0",
            intent="x",
            created=datetime.now(UTC),
            last_applied={"spine-0-0": LastApplied("x", "", "x", drained=was_drained)},
            separating={"spine-0-0": "cuts leaf-0-0-0 off from leaf-0-1-0"} if separates else {},
        )
        return with_costs(site, plan, out_of_service(site, options)).waves[0].allreduce_percent

    assert cost(was_drained=False) == 50
    assert cost(was_drained=True) == 100
    assert cost(was_drained=True, separates=True) == 50


def test_a_switch_whose_drain_comes_later_carries_what_a_wave_before_it_takes(tmp_path: Path) -> None:
    """One spine comes back, and the other one goes out of service in a later wave."""
    folder = tmp_path / "site"
    copytree(REFERENCE / "lab-8", folder)
    why = {"reason": "a fan", "owner": "netops", "expires": "2099-12-31"}
    drained = [{"device": "spine-1-1", "mode": "shut", **why}]
    (folder / "state.yaml").write_text(json.dumps({"drained": drained}))
    site = api.compile(folder)
    plan = plan_of({"spine-1-0": Impact.FLAP}, wave(1, "spine-1-0"))

    assert with_costs(site, plan).waves[0].allreduce_percent == 50
    assert with_costs(site, plan, {"spine-1-1"}).waves[0].allreduce_percent == 0


def test_switches_that_part_leaves_together_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(json.dumps(intent("pods, one superspine a group", platform="frr")))
    compiled = api.compile(tmp_path)
    spines = [f"spine-{pod}-{column}" for pod in range(2) for column in range(2)]
    tops = ["superspine-0-0", "superspine-1-0"]
    assert {*spines, *tops} <= set(compiled.devices)
    for names, is_parted in {
        ("spine-0-0",): False,
        ("spine-0-0", "spine-1-0"): False,
        ("spine-0-0", "spine-1-1"): True,
        ("superspine-0-0",): False,
        ("superspine-0-0", "superspine-1-0"): True,
        ("superspine-0-0", "spine-0-1"): True,
    }.items():
        given = plan_of(dict.fromkeys(names, Impact.FLAP), wave(1, *names))

        (costly,) = with_costs(compiled, given).waves

        assert (costly.allreduce_percent == 0) == is_parted, names
