"""Laws of planning over random fabrics and random edits."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.planning import Plan, summary
from fabric.planning.texts import masked
from tests.planning.toy import Site, applied, canonical, planned, pod

EDITS = (
    ("ntp 192.0.2.9", "ntp 192.0.2.10"),
    ("   mtu 9000", "   mtu 4000"),
    ("queue 3 priority 3", "queue 3 priority 4"),
    ("   profile roce\n", ""),
    ("description host", "description gpu"),
    ("bgp ", "bgp 9"),
    ("interface p102", "interface p103"),
    ("user netops", "user someone"),
)
FOREIGN = ("foreign tap\n   mirror p1\n      deep\n", "ntp 192.0.2.66\n", "banner secret T4P\n", "")


@st.composite
def sites(draw: st.DrawFn) -> Site:
    return pod(
        units=draw(st.integers(1, 2)),
        rails=draw(st.integers(1, 3)),
        planes=draw(st.integers(1, 2)),
        spines=draw(st.integers(1, 2)),
        hosts=draw(st.integers(1, 2)),
    )


@st.composite
def edited(draw: st.DrawFn, site: Site) -> Site:
    for name in draw(st.lists(st.sampled_from(sorted(site.texts)), unique=True)):
        for old, new in draw(st.lists(st.sampled_from(EDITS), max_size=3, unique=True)):
            site = site.edited(old, new, name)
    return site


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_plan_to_what_runs_is_empty(data: st.DataObject) -> None:
    site = data.draw(edited(data.draw(sites())))
    made, texts = planned(site, site.texts)

    assert (made.changed, made.waves, made.couplings, dict(texts)) == ((), (), (), {})


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_after_the_candidates_run_the_plan_is_empty(data: st.DataObject) -> None:
    before = data.draw(sites())
    after = data.draw(edited(before))
    extra = data.draw(st.sampled_from(FOREIGN))
    running = {name: text + extra for name, text in before.texts.items()}
    made, texts = planned(after, running, last_applied=applied(before.texts))
    then = running | {device.device: texts[device.candidate] for device in made.changed}
    again, _ = planned(after, then, last_applied=applied(after.texts))

    assert again.changed == ()
    assert all(masked(canonical(extra)) in masked(canonical(text)) for text in then.values())


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_change_of_one_rail_plans_no_change_in_another(data: st.DataObject) -> None:
    site = data.draw(sites())
    rail = data.draw(st.integers(0, max(switch.rail for switch in site.switches.values())))
    names = [name for name, switch in site.switches.items() if switch.rail == rail]
    made, _ = planned(site.edited("description host", "description gpu", *names), site.texts)

    assert {site.switches[device.device].rail for device in made.changed} == {rail}


@given(st.data())
@settings(max_examples=40)
def test_devices_are_one_group_if_they_change_alike(data: st.DataObject) -> None:
    before = data.draw(sites())
    made, _ = planned(data.draw(edited(before)), before.texts)
    group = {name: n for n, members in enumerate(made.groups) for name in members.devices}
    for one, other in combinations(made.changed, 2):
        alike = [
            (device.role, [(change.what, change.action, change.impact) for change in device.changes])
            for device in (one, other)
        ]

        assert alike[0] == alike[1] or group[one.device] != group[other.device]


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_every_changed_device_has_its_wave_its_group_and_its_reasons(data: st.DataObject) -> None:
    before = data.draw(sites())
    made, texts = planned(data.draw(edited(before)), before.texts)
    names = sorted(device.device for device in made.changed)

    assert sorted(name for wave in made.waves for name in wave.devices) == names
    assert sorted(name for group in made.groups for name in group.devices) == names
    assert summary(made).changed == len(names)
    assert all(device.changes and texts[device.diff] and texts[device.candidate] for device in made.changed)
    assert all(
        change.reason for device in made.changed for change in device.changes if change.impact != "hitless"
    )
    assert _diffs_apply(made, texts, before)


def _diffs_apply(made: Plan, texts: object, before: Site) -> bool:
    """A diff holds exactly the lines that go and come."""
    for device in made.changed:
        old = canonical(before.texts[device.device]).splitlines()
        lines = texts[device.diff].splitlines()[2:]  # type: ignore[index]
        gone = [line[1:] for line in lines if line.startswith("-")]
        kept = sorted(old)
        for line in gone:
            kept.remove(line if line in kept else line.replace("<masked>", "<secret:env:NETOPS>"))
        come = [line[1:] for line in lines if line.startswith("+")]
        new = sorted(masked(canonical(texts[device.candidate])).splitlines())  # type: ignore[index]
        if sorted(masked(line) for line in kept + come) != new:
            return False
    return True
