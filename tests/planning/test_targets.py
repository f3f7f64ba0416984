"""A plan for chosen devices: those that were meant, on every product and shape; what is coupled stays together."""

from __future__ import annotations

import json
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import pytest

from fabric import api, planning
from fabric.cli import main
from fabric.compiler import open_site
from fabric.devices.model import LinkRole
from fabric.diagnostics import Refused
from fabric.planning.codes import COUPLED, NO_SUCH_TARGET, TARGETS_APART
from tests.analysis.sites import SHAPES, intent, made
from tests.analysis.test_separated import ADMIN
from tests.infiniband.sites import SMALL_HARDWARE, TINY
from tests.platforms.everywhere import MODELS
from tests.topology.builders import REFERENCE

BEFORE = {"services": {"users": {"netops": ADMIN}}}
AFTER = {
    "services": {**BEFORE["services"], "ntp": {"servers": ["192.0.2.9"]}},
    "overrides": [
        {"device": name, "max_paths": 3}
        for name in ("spine-0", "spine-1", *(f"leaf-{unit}-{rail}" for unit in range(4) for rail in range(2)))
    ],
}
Plan = dict[str, Any]


@pytest.fixture
def plan(tmp_path, capsys) -> Callable[..., Plan]:
    """What `fabric plan --target …` saves for a site that runs what another intent says."""

    def planned(old: dict[str, Any], new: dict[str, Any], *targets: str) -> Plan:
        (tmp_path / "b").mkdir(exist_ok=True)
        (tmp_path / "site.yaml").write_text(json.dumps(old))
        for name, artifact in api.compile(tmp_path).artifacts.items():
            (tmp_path / "b" / f"{name}.cfg").write_text(artifact.text)
        (tmp_path / "site.yaml").write_text(json.dumps(new))
        options = [word for target in targets for word in ("--target", target)]
        code = main(["plan", "--offline", str(tmp_path / "b"), "-C", str(tmp_path), "--no-color", *options])
        printed = capsys.readouterr()
        if code == 1 and NO_SUCH_TARGET.code in printed.err:
            raise Refused(printed.err)
        return json.loads((tmp_path / ".fabric" / "plan" / "plan.json").read_text())

    return planned


def findings(plan: Plan, code: str) -> list[dict[str, Any]]:
    return [finding for finding in plan["diagnostics"] if finding["code"] == code]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_target_chooses_what_has_its_value_and_nothing_else(shape):
    devices = made(intent(shape)).devices
    for kind in ("rail", "plane", "unit", "role"):
        values = {getattr(device, kind) for device in devices.values()} - {-1}
        for value in values:
            chosen = planning.chosen((f"{kind}:{value}",), devices, {})

            assert {d.name for d in devices.values() if getattr(d, kind) == value} == chosen
        for pattern in ("*", "[0]", "?"):
            hit = {d.name for d in devices.values() if fnmatchcase(str(getattr(d, kind)), pattern)}
            hit = {name for name in hit if getattr(devices[name], kind) != -1}
            if hit:
                assert hit == planning.chosen((f"{kind}:{pattern}",), devices, {})


def test_a_leaf_is_chosen_by_each_rail_that_it_carries():
    devices = open_site(REFERENCE / "lab-8").devices
    leaves = {device.name for device in devices.values() if device.role == "leaf"}
    rails = {port.rail for name in leaves for port in devices[name].ports if port.role is LinkRole.HOST}
    assert len(rails) > 1

    for rail in rails:
        carry = {name for name in leaves if any(port.rail == rail for port in devices[name].ports)}
        assert planning.chosen((f"rail:{rail}",), devices, {}) & leaves == carry


def test_targets_are_united_and_a_tag_chooses_the_switches_of_its_hosts():
    devices = made(intent("two tiers")).devices
    tags = {"gpu-0-0": ("red",), "gpu-1-0": ("blue",)}

    assert {"leaf-0-0", "leaf-0-1"} == planning.chosen(("tag:red",), devices, tags)
    assert {"leaf-0-0", "leaf-0-1", "leaf-1-0", "leaf-1-1"} == planning.chosen(("tag:*",), devices, tags)
    both = planning.chosen(("spine-*", "device:leaf-0-0", "tag:red"), devices, tags)
    assert {"spine-0", "spine-1", "leaf-0-0", "leaf-0-1"} == both
    assert frozenset() == planning.chosen((), devices, tags)


@pytest.mark.parametrize(
    "word",
    [
        "leaf-9",
        "rail:7",
        "rail:-1",
        "plane:3",
        "unit:",
        "role:core",
        "tag:red",
        "rack:1",
        "",
        "rail",
        "leaf-0-0 ",
        ":",
    ],
)
def test_a_target_that_matches_nothing_is_refused_and_says_what_there_is(plan, word):
    value = intent("two tiers")

    with pytest.raises(Refused, match=f"{NO_SUCH_TARGET.code}: .*{word!r}"):
        plan(value, value, "leaf-0-0", word)


@pytest.mark.parametrize("platform", MODELS)
def test_a_plan_for_a_rail_changes_that_rail_alone(plan, platform):
    value = intent("two tiers", platform=platform, model=MODELS[platform])
    saved = plan({**value, **BEFORE}, {**value, **AFTER}, "rail:1")

    assert {f"leaf-{unit}-1" for unit in range(4)} == {device["device"] for device in saved["devices"]}
    assert {d["device"] for d in saved["devices"]} == {n for wave in saved["waves"] for n in wave["devices"]}
    assert not findings(saved, TARGETS_APART.code)


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("platform", MODELS)
def test_a_target_that_takes_both_ends_apart_names_the_other_end_until_it_is_chosen(plan, platform):
    old = intent("two tiers", platform=platform, model=MODELS[platform], **BEFORE)
    new = intent("two tiers", platform=platform, model=MODELS[platform], policy="rfc7938", **BEFORE)
    chosen, saved = ["leaf-0-0"], plan(old, new, "leaf-0-0")
    assert findings(saved, TARGETS_APART.code)
    while apart := findings(saved, TARGETS_APART.code):
        end = apart[0]["hint"].strip("`").split()[-1]
        assert apart[0]["severity"] == "error"
        assert end not in chosen
        chosen.append(end)
        saved = plan(old, new, *chosen)

    assert set(chosen) == {d["device"] for d in plan(old, new)["devices"] if d["action"] != "nothing"}
    assert not findings(saved, COUPLED.code)
    assert set(chosen) == {name for wave in saved["waves"] if wave["together"] for name in wave["devices"]}


@pytest.mark.parametrize("platform", MODELS)
@pytest.mark.parametrize("target", ["rail:0", "unit:2", "spine-*", "leaf-3-1"])
def test_a_saved_plan_narrowed_is_the_plan_for_the_targets(plan, tmp_path, platform, target):
    value = intent("two tiers", platform=platform, model=MODELS[platform])
    plan({**value, **BEFORE}, {**value, **AFTER})
    whole, _ = planning.load(tmp_path / ".fabric" / "plan")
    names = planning.chosen((target,), made(value).devices, {})
    part = planning.narrowed(whole, names)

    assert names == {device.device for device in part.devices}
    assert sorted(names) == sorted(name for wave in part.waves for name in wave.devices)
    assert list(range(1, len(part.waves) + 1)) == [wave.number for wave in part.waves]
    assert 1 == len(part.waves[0].devices)
    assert part.waves[0].canary
    assert {name for group in part.groups for name in group.devices} == names
    assert {group.diff for group in part.groups} <= {device.diff for device in part.devices}


def test_a_saved_plan_that_does_not_change_the_targets_is_refused(plan, tmp_path):
    value = intent("two tiers")
    plan({**value, **BEFORE}, {**value, **AFTER}, "rail:1")
    whole, _ = planning.load(tmp_path / ".fabric" / "plan")

    with pytest.raises(Refused, match=f"{NO_SUCH_TARGET.code}: none of the targets changes"):
        planning.narrowed(whole, {"leaf-0-0", "spine-0"})


def test_managers_of_a_subnet_are_not_taken_apart(tmp_path):
    for name, body in {"site.yaml": TINY, **SMALL_HARDWARE}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(body)
    devices = api.compile(tmp_path).devices
    first, second = (name for name, device in devices.items() if device.role == "subnet_manager")

    with pytest.raises(
        Refused, match=f"{TARGETS_APART.code}: {second} and {first} manage one subnet"
    ) as refusal:
        planning.chosen((first,), devices, {})
    assert f"`--target {second}`" in str(refusal.value.hint)
    assert {first, second} == planning.chosen(("role:subnet_manager",), devices, {})
