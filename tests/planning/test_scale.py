"""A plan of twice the devices takes at most 2.5 times the work, and a bounded number of bytes for each more."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fabric.planning import Plan, Texts, plan, save
from fabric.planning.ownership import basis, candidate, packed
from tests.planning.toy import PLATFORM, Site, applied, observed, options, planned, pod
from tests.work import LINEAR, growth

BYTES_A_DEVICE = 1200
"""Of `plan.json`, where every device has one and the same line to change."""


def changed(units: int) -> tuple[Site, tuple[Plan, Texts]]:
    """A site, and the plan of one line on each of its devices."""
    site = pod(units=units)
    return site, planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), site.texts)


def test_an_equal_change_takes_a_bounded_number_of_bytes_a_device(tmp_path: Path) -> None:
    size: dict[int, int] = {}
    for units in (8, 16, 32):
        site, made = changed(units)
        save(*made, tmp_path / str(units))
        size[len(site.switches)] = (tmp_path / str(units) / "plan.json").stat().st_size
        assert len(made[0].changed) == len(site.switches)

    few, some, many = sorted(size)
    assert size[some] - size[few] <= (some - few) * BYTES_A_DEVICE
    assert size[many] - size[some] <= (many - some) * BYTES_A_DEVICE


@pytest.mark.parametrize("is_changed", [True, False])
def test_work_grows_as_the_number_of_devices(*, is_changed: bool) -> None:
    sites = {units: pod(units=units) for units in (8, 16)}
    intended = {
        units: site.edited("ntp 192.0.2.9", "ntp 192.0.2.10") if is_changed else site
        for units, site in sites.items()
    }

    assert growth(lambda units: planned(intended[units], sites[units].texts), 8) <= LINEAR


def test_what_the_observer_has_found_out_changes_no_plan(site: Site) -> None:
    """What is to be pushed to a device, for these texts of ours; for others of ours it says nothing."""
    was = applied(site.texts)
    new = site.edited("ntp 192.0.2.9", "ntp 192.0.2.10")
    foreign = {name: f"{text}ntp 192.0.2.99\n" for name, text in site.texts.items()}
    artifacts, known = new.artifacts(), options(last_applied=was)
    bases = {name: basis(artifacts[name].text, was[name].text) for name in site.texts}
    others = dict.fromkeys(bases, basis("another", None))
    merged = {
        name: packed(candidate(PLATFORM, artifacts[name].text, foreign[name], was[name].text))
        for name in site.texts
    }
    for running, about, what in (
        (site.texts, bases, {}),
        (foreign, others, {}),
        (foreign, bases, merged),
        (site.texts, others, merged),
    ):
        seen = observed(running)
        told = {
            name: msgspec.structs.replace(o, merged_for=about[name], merged=what.get(name, b""))
            for name, o in seen.items()
        }
        plans = [
            plan(artifacts, observations, switches=new.switches, options=known)
            for observations in (seen, told)
        ]

        assert plans[0][0] == plans[1][0]
        assert dict(plans[0][1]) == dict(plans[1][1])
        assert all(d.kept_lines == (running is foreign) for d in plans[0][0].devices)
