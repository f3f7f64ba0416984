"""What a plan tells of lines of others on settled devices is found out once, and kept with what was printed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fabric import api
from fabric.devices.model import Device
from fabric.planning import LastApplied, Plan, Texts, plan
from fabric.planning import settled as settled_devices
from fabric.planning.texts import digest, masked
from fabric.platforms.registry import platform
from fabric.rendering import Artifacts, read_records, write_records
from tests.planning.toy import observation, options

THEIRS = "ip host theirs.example 192.0.2.77"
OTHER = "ip host other.example 192.0.2.78"


def planned(artifacts: Artifacts, foreign: str, **changed: object) -> tuple[Plan, Texts]:
    """The plan of devices that run our texts, as they were applied, and lines of others."""
    seen, last = {}, {}
    for name in artifacts:
        dialect, artifact = platform(artifacts.record(name).platform).dialect(), artifacts[name]
        ours = masked(dialect.plain(artifact.text))
        runs = f"{foreign}\n{ours}"
        says = "" if changed.get("ownership") is None else None  # a product that compares for us, or none
        seen[name] = msgspec.structs.replace(observation(name, runs, says), digest=digest(runs))
        last[name] = LastApplied(artifact.digest, ours, digest(runs), has_foreign=True)
    switches = changed.pop("switches", artifacts.devices)
    return plan(artifacts, seen, switches=switches, options=options(last_applied=last, **changed))  # type: ignore[arg-type]


@pytest.fixture
def artifacts(tmp_path: Path) -> Artifacts:
    (tmp_path / "site.yaml").write_text(SITE, encoding="utf-8")
    return api.compile(tmp_path).artifacts


SITE = """
site: settled
units: 2
hosts:
  gpu: {per_unit: 4, gpus: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    tiers:
      leaf: {model: arista-7060dx4-32, platform: eos}
      spine: {model: arista-7060dx4-32, platform: eos}
"""


def test_the_second_plan_is_the_first_without_reading_a_text(
    artifacts: Artifacts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = planned(artifacts, THEIRS)
    write_records(tmp_path / "records", artifacts.records.items())
    kept = read_records(tmp_path / "records")
    for name in artifacts:
        assert artifacts[name].digest == kept[name].digest  # what is printed once more keeps what is known
    monkeypatch.setattr(settled_devices, "foreign", None)
    second, _ = planned(artifacts, THEIRS)

    assert artifacts.is_new
    assert {1} == {device.kept_lines for device in first.devices}
    assert first == second
    assert kept == artifacts.records
    assert all(record.foreign is not None for record in kept.values())


class Underived(dict[str, Device]):
    """The devices of a site, of which none may be looked at."""

    def __getitem__(self, name: str) -> Device:
        raise AssertionError(name)


def test_no_device_is_derived_where_nothing_changes(artifacts: Artifacts) -> None:
    """A large site is planned often, and mostly to nothing. Lines of others are told with the place of their device."""
    first, _ = planned(artifacts, "!")
    second, _ = planned(artifacts, "!", switches=Underived(artifacts.devices))

    assert not first.changed
    assert first == second


def test_of_anything_else_that_runs_it_is_found_out_anew(artifacts: Artifacts) -> None:
    planned(artifacts, THEIRS)
    one, _ = planned(artifacts, f"{THEIRS}\n{OTHER}")
    none, _ = planned(artifacts, "!")

    assert {2} == {device.kept_lines for device in one.devices}
    assert {0} == {device.kept_lines for device in none.devices}


def test_what_was_kept_for_another_text_of_ours_is_not_kept_on(artifacts: Artifacts) -> None:
    planned(artifacts, THEIRS)
    name = next(iter(artifacts))
    known = artifacts.record(name)
    artifacts._remember(name, msgspec.structs.replace(known, fingerprint="another", foreign=None))

    assert known.foreign is not None
    assert artifacts.records[name].foreign is None


def test_lines_of_others_are_removed_where_everything_is_ours(artifacts: Artifacts) -> None:
    """They were carried along by the last apply, so the text of the intent is not all that runs."""
    plan, _ = planned(artifacts, THEIRS, ownership="full")

    assert {device.device for device in plan.changed} == set(artifacts)
