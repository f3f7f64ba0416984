"""Whoever loses all paths, by whatever means, is told as `isolating`: on every product, by the fabric afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fabric import api, planning
from fabric.cli import main
from fabric.configuration import Dialect
from fabric.planning import Observation, PlanOptions
from fabric.planning.codes import ISOLATING
from fabric.planning.options import LastApplied
from fabric.planning.texts import digest
from fabric.platforms import registry
from tests.analysis.sites import intent, made
from tests.analysis.test_separated import ADMIN, WHY
from tests.platforms.everywhere import MODELS

State = dict[str, Any]
Planned = dict[str, dict[str, Any]]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SPINES = ("spine-0", "spine-1")
LEAVES = tuple(f"leaf-{unit}-{rail}" for unit in range(4) for rail in range(2))


@pytest.fixture
def waves() -> list[list[str]]:
    """The names of the devices, wave by wave, of what was planned last."""
    return []


@pytest.fixture
def plan(tmp_path, capsys, waves) -> Callable[..., Planned]:
    """The devices that change, by name, from one intent and state to another one."""

    def planned(
        old: State,
        new: State,
        before: State | None = None,
        after: State | None = None,
        *,
        target: str = "*",
    ) -> Planned:
        (tmp_path / "b").mkdir()
        write(old, before or {})
        compiled = api.compile(tmp_path)
        for name in compiled.devices:
            (tmp_path / "b" / f"{name}.cfg").write_text(compiled.artifacts[name].text)
        write(new, after or {})
        options = [] if target == "*" else ["--target", target]
        main(["plan", "--offline", str(tmp_path / "b"), "-C", str(tmp_path), "--no-color", *options])
        capsys.readouterr()
        saved = json.loads((tmp_path / ".fabric" / "plan" / "plan.json").read_text())
        isolating = {d["device"] for d in saved["devices"] if d["impact"] == "isolating"}
        named = [f for f in saved["diagnostics"] if f["code"] == ISOLATING.code]
        assert isolating == {name for finding in named for name in finding["subjects"]}
        waves[:] = [wave["devices"] for wave in saved["waves"]]
        return {d["device"]: d for d in saved["devices"] if d["action"] != "nothing"}

    def write(value: State, state: State) -> None:
        (tmp_path / "site.yaml").write_text(json.dumps(value))
        (tmp_path / "state.yaml").write_text(json.dumps(state))

    return planned


def site(platform: str, shape: str = "two tiers", **more: Any) -> State:
    value = intent(shape, platform=platform, model=MODELS[platform], **more)
    return {**value, "services": {"users": {"netops": ADMIN}}}


def drain(*names: str, mode: str = "shut") -> State:
    return {"drained": [{"device": name, "mode": mode, **WHY} for name in names]}


def isolating(planned: Planned) -> set[str]:
    return {name for name, device in planned.items() if device["impact"] == "isolating"}


def reasons(device: dict[str, Any]) -> str:
    return " ".join(change["reason"] for change in device["changes"] if change["impact"] == "isolating")


@pytest.mark.parametrize("platform", MODELS)
def test_draining_every_switch_isolates_every_switch(plan, platform):
    value = site(platform)
    planned = plan(value, value, after=drain(*SPINES, *LEAVES))

    assert {*SPINES, *LEAVES} == isolating(planned)
    assert "the only path of gpu-" in reasons(planned["leaf-0-0"])
    assert "the only path between leaf-0-0 and leaf-0-1" in reasons(planned["spine-0"])


@pytest.mark.parametrize("old", SPINES)
@pytest.mark.parametrize("was", ["shut", "graceful"])
@pytest.mark.parametrize("mode", ["shut", "graceful"])
@pytest.mark.parametrize("platform", MODELS)
def test_who_takes_over_is_back_before_the_other_one_is_drained(plan, waves, platform, mode, was, old):
    value, (new,) = site(platform), set(SPINES) - {old}
    planned = plan(value, value, drain(old, mode=was), drain(new, mode=mode))

    order = [name for wave in waves for name in wave if name in SPINES]
    assert [old, new] == order
    assert new not in isolating(planned)
    away = {old}
    for wave in waves:  # and so somebody carries the traffic during every wave
        assert set(SPINES) != away | set(wave), waves
        away = away - set(wave) | ({new} & set(wave))


@pytest.mark.parametrize("platform", MODELS)
def test_a_stand_in_that_is_not_asked_for_counts_as_it_is_saved(plan, platform):
    """Beside a drain that the folder has, and whose end nobody carries out here, another one takes the last path."""
    value = site(platform)

    assert isolating(plan(value, value, drain("spine-0"), drain("spine-1"), target="spine-1")) == {"spine-1"}


@pytest.mark.parametrize("platform", MODELS)
def test_a_stand_in_that_is_saved_in_service_counts(plan, platform):
    value = site(platform)

    assert isolating(plan(value, value, {}, drain("spine-1"), target="spine-1")) == set()


@pytest.mark.parametrize("platform", MODELS)
def test_another_pool_of_hosts_cuts_off_the_leaves_that_are_not_asked_for(plan, platform):
    """They are saved with the former one, and go on announcing it."""
    value = site(platform)
    network = value["networks"]["compute"]
    pool = {**network.get("addressing", {}), "host_pool": "172.16.0.0/12"}
    moved = {**value, "networks": {"compute": {**network, "addressing": pool}}}

    assert isolating(plan(value, moved, target="role:spine")) == set(SPINES)


@pytest.mark.parametrize("platform", MODELS)
def test_draining_the_only_leaf_of_a_rail_isolates_its_hosts(plan, platform):
    value = site(platform)

    assert {"leaf-0-0"} == isolating(plan(value, value, after=drain("leaf-0-0")))


@pytest.mark.parametrize("platform", MODELS)
def test_what_is_drained_already_isolates_nobody(plan, platform):
    value = site(platform)
    port = next(p.name for p in made(value).devices["leaf-0-0"].ports if p.peer.startswith("gpu"))
    changed = {**value, "overrides": [{"device": "leaf-0-0", "shutdown_ports": [port]}]}
    planned = plan(value, changed, drain("leaf-0-0"), drain("leaf-0-0"))

    assert "leaf-0-0" in planned
    assert "leaf-0-0" not in isolating(planned)


@pytest.mark.parametrize("platform", MODELS)
def test_who_comes_back_into_service_isolates_nobody(plan, platform):
    value = site(platform)
    planned = plan(value, value, before=drain(*SPINES, *LEAVES))

    assert {*SPINES, *LEAVES} == set(planned)
    assert set() == isolating(planned)


@pytest.mark.parametrize("platform", MODELS)
def test_a_change_of_what_is_out_of_service_isolates_nobody(plan, platform):
    value, away = site(platform), drain(*SPINES)
    ports = [p.name for p in made(value).devices["spine-0"].ports if p.peer]
    planned = plan(
        value, {**value, "overrides": [{"device": "spine-0", "shutdown_ports": ports}]}, away, away
    )

    assert "spine-0" not in isolating(planned)
    assert "spine-0" in planned


@pytest.mark.parametrize("there", ["out", "in", "silent", "unknown"])
@pytest.mark.parametrize("platform", MODELS)
def test_a_stand_in_that_is_not_planned_counts_as_it_runs(tmp_path, platform, there):
    """Its return is in the intent, and nobody carries that out here."""
    value = site(platform)
    before = compiled(tmp_path / "before", value, drain("spine-0") if there == "out" else {})
    after = compiled(tmp_path / "after", value, drain("spine-1"))
    ran = {name: platform_of(before, name).plain(before.artifacts[name].text) for name in SPINES}
    applied = {} if there == "unknown" else {"spine-0": last_applied(before, "spine-0", ran["spine-0"])}
    seen = Observation(
        device="spine-1", source="device", when=NOW, text=ran["spine-1"], digest=digest(ran["spine-1"])
    )
    options = PlanOptions(
        site=after.intent.site.site,
        program="test",
        intent="",
        created=NOW,
        last_applied=applied,
        unreachable={"spine-0": "no answer"} if there == "silent" else {},
        only=frozenset({"spine-1"}),
    )
    made_plan, _ = planning.plan(after.artifacts, {"spine-1": seen}, switches=after.devices, options=options)

    (spine,) = made_plan.changed
    assert (spine.impact == "isolating") == (there in ("out", "silent")), spine.changes


def compiled(folder: Path, value: State, state: State) -> api.Compiled:
    folder.mkdir()
    (folder / "site.yaml").write_text(json.dumps(value))
    (folder / "state.yaml").write_text(json.dumps(state))
    return api.compile(folder)


def platform_of(site: api.Compiled, name: str) -> Dialect:
    return registry.platform(site.platform_of(name)).dialect()


def last_applied(site: api.Compiled, name: str, text: str) -> LastApplied:
    return LastApplied(site.artifacts[name].digest, text, digest(text), drained=site.devices[name].drained)


@pytest.mark.parametrize("platform", MODELS)
def test_prefixes_of_hosts_that_are_withdrawn_isolate_them(plan, platform):
    value = site(platform)
    network = value["networks"]["compute"]
    silent = {**value, "networks": {"compute": {**network, "routing": {"advertise_host_links": "none"}}}}
    planned = plan(value, silent)

    assert set(LEAVES) == isolating(planned)
    assert "withdrawn from BGP" in reasons(planned["leaf-0-0"])


def test_prefixes_that_were_never_advertised_are_not_withdrawn(plan):
    value = site("eos")
    network = value["networks"]["compute"]
    silent = {**value, "networks": {"compute": {**network, "routing": {"advertise_host_links": "none"}}}}
    planned = plan(silent, {**silent, "services": {**silent["services"], "ntp": {"servers": ["192.0.2.9"]}}})

    assert planned
    assert set() == isolating(planned)


@pytest.mark.parametrize("platform", MODELS)
def test_opening_ports_that_are_shut_disturbs_nobody(plan, platform):
    value = site(platform)
    shut = {**value, "overrides": [{"device": "leaf-0-0", "shutdown_ports": ports(value, "spine-1")}]}
    planned = plan(shut, value)

    changes = [c for c in planned["leaf-0-0"]["changes"] if c["scope"]["ports"]]
    assert {c["impact"] for c in changes} <= {"none", "hitless"}, changes


def ports(value: State, peer: str) -> list[str]:
    return [port.name for port in made(value).devices["leaf-0-0"].ports if port.peer == peer]


@pytest.mark.parametrize("mode", ["shut", "graceful"])
@pytest.mark.parametrize("platform", MODELS)
def test_what_goes_back_into_service_goes_first_whatever_else_changes(tmp_path, platform, mode):
    """Neither a canary nor its place in the network lets another one go before it."""
    value = site(platform)
    timers = {"routing": {"bgp": {"keepalive": "2s", "hold": "6s"}}}
    network = {**value["networks"]["compute"], **timers}
    before = compiled(tmp_path / "before", value, drain("spine-1", mode=mode))
    after = compiled(tmp_path / "after", {**value, "networks": {"compute": network}}, {})
    ran = {name: platform_of(before, name).plain(before.artifacts[name].text) for name in after.devices}
    seen = {
        name: Observation(device=name, source="device", when=NOW, text=text, digest=digest(text))
        for name, text in ran.items()
    }
    options = PlanOptions(
        site=after.intent.site.site,
        program="test",
        intent="",
        created=NOW,
        last_applied={name: last_applied(before, name, text) for name, text in ran.items()},
    )
    made_plan, _ = planning.plan(after.artifacts, seen, switches=after.devices, options=options)

    order = {name: wave.number for wave in made_plan.waves for name in wave.devices}
    assert order["spine-1"] < min(order[name] for name in ("spine-0", *LEAVES))


@pytest.mark.parametrize("platform", MODELS)
def test_two_leaves_of_two_planes_may_be_all_that_two_units_have_in_common(plan, platform):
    """Each host keeps a path to a leaf, and no two of the two units one to each other."""
    value = site(platform, "planes")
    across = ("leaf-0-0-0", "leaf-1-1-0")

    assert isolating(plan(value, value, after=drain(*across))) == {*across}


@pytest.mark.parametrize("platform", MODELS)
def test_two_leaves_of_a_plane_take_nothing_that_the_other_plane_has_not(plan, platform):
    value = site(platform, "planes")

    assert isolating(plan(value, value, after=drain("leaf-0-0-0", "leaf-0-1-0"))) == set()


@pytest.mark.parametrize("platform", MODELS)
def test_what_only_interrupts_counts_too_while_a_leaf_of_another_plane_is_out(plan, platform):
    value = site(platform, "planes")
    network = {**value["networks"]["compute"], "routing": {"bgp": {"keepalive": "2s", "hold": "6s"}}}
    out = drain("leaf-1-1-0")
    found = isolating(plan(value, {**value, "networks": {"compute": network}}, out, out))

    assert found == {"leaf-0-0-0", "leaf-0-2-0", "leaf-0-3-0"} | {"leaf-0-1-0"}
