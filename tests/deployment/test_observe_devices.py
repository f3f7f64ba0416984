"""What the network runs, online and from a folder, and where it left what was applied."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.deployment import ObserveOptions, SecretSource, drift, observe, observe_folder, targets
from fabric.deployment.change_names import change_name
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.events import DeviceObserved
from fabric.deployment.observing.observe_devices import safe_diff
from fabric.diagnostics import Invalid, Refused
from fabric.intent.inventory import Credentials, DeviceFacts, Inventory
from fabric.planning import Action, plan
from fabric.platforms.registry import platform
from fabric.rendering import RenderRecord
from fabric.rendering.render import record_of
from tests.deployment.conftest import ENVIRON, SOURCE, AtOnce, Network
from tests.planning.toy import NOW, PLATFORM, Site, canonical, digest, masked, options, pod


def cards(site: Site) -> Callable[[str], RenderRecord]:
    artifacts = site.artifacts()
    return lambda name: record_of(site.switches[name], artifacts[name])


def test_online_a_device_tells_its_own_diff(applied: Network) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")
    seen = applied.observe()

    assert seen["leaf-0-0-0"].device_diff == "-ntp 192.0.2.9\n+ntp 192.0.2.10"
    assert seen["leaf-0-0-1"].device_diff == ""
    assert seen["leaf-0-0-0"].source == "device"


def test_a_line_of_a_diff_that_nobody_knows_is_masked_whole() -> None:
    diff = "@@ -1 +1 @@\n-user x secret HUNTER2\n+weird HUNTER2 form\n ntp 192.0.2.9"
    known = "ntp 192.0.2.9\nuser x secret <masked>\n"

    assert safe_diff(PLATFORM, diff, known, known).splitlines() == [
        "@@ -1 +1 @@",
        "-user x secret <masked>",
        "+<masked>",
        " ntp 192.0.2.9",
    ]


@pytest.fixture
def backup(tmp_path: Path) -> tuple[Path, Site]:
    site = pod()
    (tmp_path / "configs").mkdir()
    for name, text in site.texts.items():
        (tmp_path / "configs" / f"{name}.cfg").write_text(text.replace("<secret:env:NETOPS>", "HUNTER2"))
    return tmp_path, site


def test_offline_equals_online(backup: tuple[Path, Site], applied: Network) -> None:
    folder, site = backup
    target = site.edited("ntp 192.0.2.9", "ntp 192.0.2.10")
    seen = observe_folder(folder, site.switches, cards(target), target.artifacts().__getitem__)
    known = options(mode="offline", last_applied=applied.journal.last_applied("lab"))
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    offline, texts = plan(target.artifacts(), seen, switches=site.switches, options=known)
    online, others = applied.plan()

    assert [d.changes for d in offline.changed] == [d.changes for d in online.changed]
    assert [texts[d.diff] for d in offline.changed] == [others[d.diff] for d in online.changed]
    assert [w.devices for w in offline.waves] == [w.devices for w in online.waves]


@pytest.mark.parametrize("layout", ["configs/{}.cfg", "{}.cfg", "{}", "{}.txt"])
def test_a_backup_is_found_however_it_is_laid_out(tmp_path: Path, layout: str) -> None:
    site = pod()
    for name, text in site.texts.items():
        path = tmp_path / layout.format(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    seen = observe_folder(tmp_path, site.switches, cards(site), site.artifacts().__getitem__)

    assert {observation.source for observation in seen.values()} == {"folder"}
    assert plan(site.artifacts(), seen, switches=site.switches, options=options())[0].changed == ()


def test_a_device_without_a_backup_is_all_new(backup: tuple[Path, Site]) -> None:
    folder, site = backup
    (folder / "configs" / "leaf-0-0-0.cfg").unlink()
    seen = observe_folder(folder, site.switches, cards(site), site.artifacts().__getitem__)
    made, _ = plan(site.artifacts(), seen, switches=site.switches, options=options(last_applied=None))

    assert seen["leaf-0-0-0"].source == "nothing"
    assert [(d.device, d.action) for d in made.changed] == [("leaf-0-0-0", Action.NEW)]
    assert {change.action for change in made.changed[0].changes} == {"+"}
    assert [(f.code, f.subjects, f.is_error) for f in made.diagnostics] == [
        ("FAB641", ("leaf-0-0-0",), False)
    ]


def test_a_backup_that_is_missing_of_a_device_that_we_applied_makes_it_no_new_one(
    backup: tuple[Path, Site], applied: Network
) -> None:
    folder, site = backup
    (folder / "configs" / "leaf-0-0-0.cfg").unlink()
    seen = observe_folder(folder, site.switches, cards(site), site.artifacts().__getitem__)
    known = options(mode="offline", last_applied=applied.journal.last_applied("lab"))
    made, _ = plan(site.artifacts(), seen, switches=site.switches, options=known)

    assert [(d.device, d.action) for d in made.changed] == [("leaf-0-0-0", Action.UPDATE)]
    assert [(f.code, f.rule) for f in made.diagnostics] == [
        ("FAB641", "applied before, and no saved configuration of it: planned as an empty switch")
    ]


def test_drift_is_what_nobody_applied(applied: Network) -> None:
    for name in ("leaf-0-0-0", "leaf-0-1-0"):
        applied.box(name).change(lambda text: text.replace("ntp 192.0.2.9", "ntp 192.0.2.66"))
    applied.box("spine-0-0").change(lambda text: text.replace("mtu 9000", "mtu 1500", 1))
    found = drift(applied.observe(), applied.journal.last_applied("lab"), lambda _name: "toy")

    assert [(d.device, d.blocks) for d in found.drifted] == [
        ("leaf-0-0-0", ("ntp",)),
        ("leaf-0-1-0", ("ntp",)),
        ("spine-0-0", ("interface p1",)),
    ]
    assert found.groups == (("leaf-0-0-0", "leaf-0-1-0"), ("spine-0-0",))
    assert "-ntp 192.0.2.9\n" in found.drifted[0].diff
    assert found.unchanged == ("leaf-0-0-1", "leaf-0-1-1", "spine-0-1")


def test_what_was_never_applied_has_no_drift(network: Network) -> None:
    found = drift(network.observe(), network.journal.last_applied("lab"), lambda _name: "toy")

    assert (found.drifted, len(found.never_applied)) == ((), 6)


def test_targets_come_from_the_inventory() -> None:
    inventory = Inventory(
        credentials={"ops": Credentials(username="netops", password="env:PASS")},
        default_credentials="ops",
        devices={"leaf1": DeviceFacts(address="192.0.2.11/24", port=8443)},
    )
    found = targets(inventory, ["leaf1"], SecretSource(environ={"PASS": "HUNTER2"}))

    made = found["leaf1"]
    assert (made.address, made.port, made.username, made.password) == (
        "192.0.2.11",
        8443,
        "netops",
        "HUNTER2",
    )
    assert "HUNTER2" not in repr(found)


def test_everything_that_an_inventory_lacks_is_told_at_once() -> None:
    inventory = Inventory(
        credentials={"ops": Credentials(username="netops", password="env:PASS")},
        devices={
            "leaf1": DeviceFacts(credentials="ops"),
            "leaf2": DeviceFacts(address="192.0.2.12/24"),
            "leaf3": DeviceFacts(address="192.0.2.13/24", credentials="ops"),
        },
    )
    with pytest.raises(Invalid) as caught:
        targets(inventory, ["leaf1", "leaf2", "leaf3"], SecretSource(environ={}))

    assert [(d.code, str(d.origin)) for d in caught.value.diagnostics] == [
        ("FAB703", "devices.leaf1"),
        ("FAB704", "devices.leaf2"),
        ("FAB701", "env:PASS"),
    ]


def test_who_does_not_answer_is_told_at_once_and_again_by_drift(applied: Network) -> None:
    events: list[DeviceObserved] = []
    applied.box("spine-0-1").fail("open")
    seen = observe(
        applied.targets(),
        applied.site.artifacts(),
        lambda _name: "toy",
        options=ObserveOptions(source=SOURCE),
        executor=AtOnce(),
        on_event=events.append,  # type: ignore[arg-type]
    )
    found = drift(seen, applied.journal.last_applied("lab"), lambda _name: "toy")

    assert [(e.device, e.reached, bool(e.reason)) for e in events] == [
        (name, name != "spine-0-1", name == "spine-0-1") for name in applied.site.switches
    ]
    assert {"spine-0-1": events[-1].reason} == seen.unreachable == found.unreachable
    assert events[-1].reason.startswith("connecting: ")
    assert [*seen] == [name for name in applied.site.switches if name != "spine-0-1"]


def test_devices_that_drift_alike_come_together_the_largest_group_first(applied: Network) -> None:
    """Alike is what differs by its own name and numbers only."""
    for name in ("leaf-0-0-0", "leaf-0-1-1", "leaf-0-1-0"):
        applied.box(name).change(lambda text, name=name: text + f"banner {name}\n")  # type: ignore[misc]
    for name in ("spine-0-0", "spine-0-1"):
        applied.box(name).change(lambda text: text.replace("mtu 9000", "mtu 1500", 1))
    found = drift(applied.observe(), applied.journal.last_applied("lab"), lambda _name: "toy")

    assert found.groups == (("leaf-0-0-0", "leaf-0-1-0", "leaf-0-1-1"), ("spine-0-0", "spine-0-1"))
    assert found.drifted[-1].diff.splitlines()[:2] == ["--- spine-0-1 applied", "+++ spine-0-1 running"]
    assert found.unchanged == ("leaf-0-0-1",)


def test_an_edited_backup_is_read_with_its_time_and_one_that_is_as_compiled_is_not(tmp_path: Path) -> None:
    site = pod(units=1)
    for name, text in site.texts.items():
        (tmp_path / f"{name}.txt").write_text(text + ("ntp 192.0.2.66\n" if name == "leaf-0-0-0" else ""))
        os.utime(tmp_path / f"{name}.txt", (NOW.timestamp(), NOW.timestamp()))
    seen = observe_folder(tmp_path, site.switches, cards(site), site.artifacts().__getitem__)
    edited = seen.pop("leaf-0-0-0")
    text = canonical(site.texts["leaf-0-0-0"] + "ntp 192.0.2.66\n")

    assert (edited.source, edited.when, edited.matches) == ("folder", NOW, False)
    assert (edited.text, edited.digest) == (masked(text), digest(masked(text)))
    for name, same in seen.items():
        assert (same.source, same.when, same.matches, same.text) == ("folder", NOW, True, "")
        assert same.digest == site.artifacts()[name].digest


def test_a_backup_that_goes_while_it_is_read_counts_as_none(tmp_path: Path) -> None:
    site = pod(units=1)
    first, *_, last = site.switches
    for name, text in site.texts.items():
        (tmp_path / name).write_text(text + "ntp 192.0.2.66\n")
    record = cards(site)

    def removing(name: str) -> RenderRecord:
        if name == last:
            (tmp_path / first).unlink(missing_ok=True)
        return record(name)

    seen = observe_folder(tmp_path, site.switches, removing, site.artifacts().__getitem__)

    assert (seen[first].device, seen[first].source, seen[first].text) == (first, "nothing", "")
    assert seen[last].source == "folder"


def test_an_empty_backup_is_refused_with_its_place(tmp_path: Path) -> None:
    site = pod(units=1)
    for name, text in site.texts.items():
        (tmp_path / name).write_text("" if name == "leaf-0-0-0" else text)
    with pytest.raises(Invalid) as refused:
        observe_folder(tmp_path, site.switches, cards(site), site.artifacts().__getitem__)

    (found,) = refused.value.diagnostics
    assert found.rule == "this is not the saved configuration of leaf-0-0-0: it is empty"
    assert (found.origin.document, found.origin.path) == ("backup", (str(tmp_path / "leaf-0-0-0"),))
    assert (found.subjects, found.value) == (("leaf-0-0-0",), "0 characters")
    assert found.hint == (
        "save it there again; if leaf-0-0-0 is a new device, remove its files from the folder"
    )


def test_of_two_files_of_a_device_the_first_by_name_counts(tmp_path: Path) -> None:
    site = pod(units=1)
    for name, text in site.texts.items():
        (tmp_path / f"{name}.cfg").write_text(text)
        (tmp_path / f"{name}.txt").write_text(text + "ntp 192.0.2.66\n")
    seen = observe_folder(tmp_path, site.switches, cards(site), site.artifacts().__getitem__)

    assert {observation.matches for observation in seen.values()} == {True}


@pytest.mark.parametrize("change", ["", "ntp 192.0.2.66"])
def test_a_plan_tells_whose_commit_waits_also_where_nothing_else_differs(
    applied: Network, change: str
) -> None:
    """Seen: "No changes", while a timer was about to bring back something else, or while something else ran."""
    box, target = applied.box("leaf-0-0-0"), applied.targets()["leaf-0-0-0"]
    intended = applied.site.texts["leaf-0-0-0"].replace("<secret:env:NETOPS>", ENVIRON["NETOPS"])
    with Connection(target, platform("toy")) as device:
        device.stage(
            intended.replace("ntp 192.0.2.9", change or "ntp 192.0.2.9"), "fabric-9.1-00000000-1-abcd-bob"
        )
        device.commit(500, lambda _running: True)
    plan, _ = saved = applied.plan()

    (finding,) = [finding for finding in plan.diagnostics if finding.code == "FAB643"]
    assert finding.is_error
    assert finding.subjects == ("leaf-0-0-0",)
    assert [device.device for device in plan.changed] == (["leaf-0-0-0"] if change else [])
    assert [finding for finding in plan.diagnostics if finding.code == "FAB606"] == []
    who = "fabric-9.1-00000000-1-abcd-bob of netops, which goes back by itself in"
    assert re.fullmatch(rf"{re.escape(who)} \d+ s", finding.rule)
    with pytest.raises(Refused, match="FAB711: FAB643"):
        applied.apply(saved)
    assert box.is_pending


def test_only_devices_that_are_not_as_the_last_apply_left_them_are_given_a_candidate(
    applied: Network,
) -> None:
    before = {name: len(box.log) for name, box in applied.boxes().items()}
    applied.box("leaf-0-1-1").change(lambda text: text + "ntp 192.0.2.66\n")
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")
    applied.plan()

    loaded = {name for name, box in applied.boxes().items() if "load" in box.log[before[name] :]}
    assert loaded == {"leaf-0-0-0", "leaf-0-1-1"}


def test_a_candidate_of_a_killed_plan_is_cleaned_up_and_that_of_another_person_is_named(
    applied: Network,
) -> None:
    """Seen: a killed plan left a session that locked later plans for a day."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    mine = change_name("plan").replace(f"-{os.getpid()}-", "-4194305-")  # no process has such a number
    for name, left in (("leaf-0-0-0", mine), ("leaf-0-1-0", "fabric-plan-ffffffff-1-abcd-bob.elsewhere")):
        with applied.box(name).state() as state:
            state["sessions"] = {left: "half a text"}
    plan, _ = applied.plan()

    silent = [finding for finding in plan.diagnostics if finding.code == "FAB605"]
    assert [finding.subjects for finding in silent] == [("leaf-0-1-0",)]
    assert "bob.elsewhere" in silent[0].rule
    with applied.box("leaf-0-0-0").state() as state:
        assert state["sessions"] == {}
