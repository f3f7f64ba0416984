"""A run has ended without knowing what a device runs: what the change would have made ours counts as ours there."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fabric.deployment import (
    Journal,
    State,
    adopt,
    drift,
    endings_found,
    lost_journal,
    refresh,
    settle_left,
)
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.left_to_timers import Ending
from fabric.deployment.taking_back.restored_texts import restored
from fabric.deployment.waves import settle_devices
from fabric.diagnostics import DeviceError, Refused
from fabric.planning.model import Impact
from fabric.planning.texts import digest
from fabric.platforms.base import Target
from tests.deployment import conftest
from tests.deployment.conftest import FAST, AtOnce, Network, SecretSource, apply_options
from tests.deployment.test_rollback_plan import carried_out, planned

OLD, NEW = "ntp 192.0.2.9\n", "ntp 192.0.2.10\n"
TYPED = "vrf z login me\n"
EOS, JUNOS = "hostname leaf-0-0\nntp server 192.0.2.1\n", "system {\n    host-name leaf-0-0;\n}\n"


def lost(network: Network, saved: Any, name: str, **changed: Any) -> None:
    """The device keeps a change that it was to take back, and nobody knows."""
    network.box(name).fail("after commit", "rollback")
    result = network.apply(saved, pace=replace(FAST, revert_in_s=3), **changed)
    assert result.in_state(State.LEFT_TO_TIMER) == (name,)
    network.box(name).fail()
    with network.box(name).state() as box:
        box["pending"] = None


def lost_in_canary(network: Network, old: str, new: str) -> str:
    network.edit(old, new)
    saved = network.plan()
    (canary,) = saved[0].waves[0].devices
    lost(network, saved, canary)
    return canary


def typed(network: Network, name: str, text: str = TYPED) -> None:
    network.box(name).change(lambda running: running + text)


def settled(network: Network) -> tuple[Ending, ...]:
    return settle_left("lab", targets=network.targets(), journal=network.journal)


def recorded(network: Network) -> None:
    seen = network.observe()
    found = drift(seen, network.journal.last_applied("lab"), lambda _: "toy")
    where: dict[str, Any] = {"targets": network.targets(), "journal": network.journal}
    assert refresh("lab", found, seen, dict.fromkeys(seen, "toy"), options=apply_options(), **where)


@pytest.mark.parametrize(
    ("added", "edited"),
    [
        ("vrf a login x\n", "vrf a login y\n"),
        ("banner b\n   ours one\n   ours two\n", "banner b\n   ours one\n   ours two\n   and one more\n"),
    ],
)
def test_a_line_that_somebody_has_given_another_value_goes_with_what_is_given_up(
    applied: Network, added: str, edited: str
) -> None:
    name = lost_in_canary(applied, OLD, f"{OLD}{added}")
    applied.box(name).change(lambda text: text.replace(added, edited))
    (ending,) = settled(applied)
    assert ending.state is State.FAILED
    applied.edit(added, "")
    assert applied.apply(applied.plan()).outcome == "done"

    assert not {*edited.splitlines()[:1]} & {*applied.box(name).running.splitlines()}


def test_what_is_there_beside_lines_of_others_is_told_by_every_plan(applied: Network) -> None:
    name = lost_in_canary(applied, OLD, NEW)
    typed(applied, name)

    for _ in range(2):
        (told,) = endings_found(settled(applied))
        assert (told.code, told.subjects) == ("FAB743", (name,))
        assert "may hold some of what run 2 brought: it runs neither" in told.rule


@pytest.mark.parametrize("is_recorded", [True, False])
def test_a_rollback_of_that_alone_is_refused_and_says_why(applied: Network, *, is_recorded: bool) -> None:
    """Also where somebody has written down what runs there."""
    name = lost_in_canary(applied, OLD, NEW)
    typed(applied, name)
    assert endings_found(settled(applied))
    if is_recorded:
        recorded(applied)
        assert endings_found(settled(applied))
    with pytest.raises(Refused, match=f"FAB743: {name}"):
        planned(applied, 2)


def test_a_rollback_of_others_goes_on_without_it(applied: Network) -> None:
    applied.edit(OLD, NEW)
    saved = applied.plan()
    last = saved[0].waves[-1].devices[-1]
    lost(applied, saved, last)
    typed(applied, last)
    (told,) = endings_found(settled(applied))

    assert told.subjects == (last,)
    assert carried_out(applied, planned(applied, 2)).outcome == "done"
    assert NEW in applied.box(last).running
    applied.edit(NEW, OLD)
    assert applied.apply(applied.plan()).outcome == "done"
    assert NEW not in applied.box(last).running
    assert TYPED in applied.box(last).running


def test_what_may_be_ours_says_nothing_of_what_runs(applied: Network) -> None:
    """A neighbour that was lost counts for no path."""
    name = "spine-0-0"
    (line,) = (one for one in applied.site.texts[name].splitlines() if one.startswith("bgp"))
    added = "   neighbor 10.9.9.9 remote-as 65099\n"
    applied.edit(f"{line}\n", f"{line}\n{added}", name)
    lost(applied, applied.plan(), name)
    known = applied.journal.last_applied("lab")[name]

    assert added.strip() not in known.text
    assert added.strip() in known.ours


def test_of_a_change_of_secrets_alone_nobody_says_that_it_is_gone(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "spine-0-0"
    source = SecretSource(environ={"NETOPS": "ANOTHER"})
    monkeypatch.setattr(conftest, "SOURCE", source)
    saved = applied.plan(ignore_secrets=False)
    lost(applied, saved, saved[0].waves[0].devices[0], source=source)
    assert "REHTONA" in applied.box(name).running
    typed(applied, name)
    (ending,) = settled(applied)

    assert ending.state is State.FAILED


def lost_step(journal: Journal, platform: str, text: str) -> None:
    """Of a run that somebody has given up."""
    journal.keep([text, ""])
    key = digest(text)
    job = Job(
        device="leaf-0-0",
        platform=platform,
        wave=1,
        impact=Impact.NONE,
        text=key,
        before=digest(""),
        artifact=key,
        owned=key,
    )
    run = journal.begin(NewRun(site="lab", kind="apply", owner="me", jobs=(job,)))
    journal.start(run)
    journal.mark(run, {"leaf-0-0": State.PUSHING}, session=f"fabric-{run}")
    journal.finish(run, "interrupted")


@pytest.mark.parametrize(("now", "ours"), [("junos", JUNOS), ("eos", EOS), (None, JUNOS), ("srlinux", None)])
def test_of_a_switch_of_another_product_nothing_is_ours(
    tmp_path: Path, now: str | None, ours: str | None
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    lost_step(journal, "eos", EOS)
    lost_step(journal, "junos", JUNOS)
    known = journal.last_applied("lab", lambda _: now).get("leaf-0-0")

    assert (known and known.ours) == ours


def test_whoever_is_adopted_was_told_so(network: Network) -> None:
    """A first apply that was lost, beside lines of others."""
    saved = network.plan(adopt=True)
    (canary,) = saved[0].waves[0].devices
    lost(network, saved, canary)
    typed(network, canary)
    settled(network)
    made, _ = network.plan(adopt=True, last_applied=network.journal.last_applied("lab"))
    told = [name for found in lost_journal(made, network.journal) for name in found.subjects]
    done = adopt(
        made,
        network.site.artifacts(),
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(),
    )

    assert [*done] == told == [canary]
    assert network.journal.unsettled("lab") == {}


@pytest.mark.parametrize("is_typed", [True, False])
def test_whoever_adopts_what_the_intent_says_lets_it_pass(applied: Network, *, is_typed: bool) -> None:
    """Beside lines of others, or where another part of the change was taken away by hand, and from the intent."""
    more = "vrf a login x\n"
    name = lost_in_canary(applied, OLD, f"{NEW}{more}")
    if is_typed:
        typed(applied, name)
    else:
        applied.box(name).change(lambda text: text.replace(more, ""))
        applied.edit(more, "")
        assert applied.apply(applied.plan()).outcome in ("done", "nothing")
    assert endings_found(settled(applied))
    made, _ = applied.plan(adopt=True)
    found = [one for one in lost_journal(made, applied.journal) if name in one.subjects]
    where: dict[str, Any] = {"targets": applied.targets(), "journal": applied.journal}

    assert [one.code for one in found] == ["FAB730"]
    assert name in adopt(made, applied.site.artifacts(), options=apply_options(), **where)
    assert settled(applied) == ()


def kept_step(journal: Journal, platform: str, text: str) -> int:
    """Of a run that ended well."""
    lost_step(journal, platform, text)
    run, step = journal.unsettled("lab")["leaf-0-0"].last
    journal.confirmed(run, "lab", step.job, text)
    return run


SWAPS = [(("eos", EOS), ("junos", JUNOS)), (("junos", JUNOS), ("eos", EOS))]


@pytest.mark.parametrize("is_lost_between", [True, False])
@pytest.mark.parametrize(("old", "new"), SWAPS)
def test_a_rollback_makes_nothing_of_another_product_ours(
    tmp_path: Path, old: tuple[str, str], new: tuple[str, str], *, is_lost_between: bool
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    kept_step(journal, *old)
    if is_lost_between:
        lost_step(journal, *new)
    run = kept_step(journal, *new)
    (back,) = restored(journal, journal.runs("lab")[0], journal.steps(run))

    assert back.ours == (new[1] if is_lost_between else "")


@pytest.mark.parametrize(("old", "new"), SWAPS)
@pytest.mark.parametrize("is_in_site", [True, False])
def test_a_switch_that_was_swapped_is_not_known_by_what_the_old_one_ran(
    tmp_path: Path, old: tuple[str, str], new: tuple[str, str], *, is_in_site: bool
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    kept_step(journal, *old)
    lost_step(journal, *new)
    applied = journal.last_applied("lab", lambda _: new[0] if is_in_site else None)
    known = applied["leaf-0-0"]

    assert (known.text, known.ours, applied.after("leaf-0-0")) == ("", new[1], "")


def test_a_swapped_switch_is_not_asked_for_what_the_old_one_has_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, asked = Journal(tmp_path / "journal.sqlite"), list[str]()
    lost_step(journal, "eos", EOS)
    lost_step(journal, "junos", JUNOS)

    def silent(work: Any) -> Any:
        asked.append(work.job.platform)
        raise DeviceError(work.job.device, "silent")

    monkeypatch.setattr(settle_devices, "left_there", silent)
    target = Target(name="leaf-0-0", address="127.0.0.1", port=1, username="a", password="b")
    for product in ("eos", "junos", "srlinux"):
        settle_left(
            "lab",
            targets={"leaf-0-0": target},
            journal=journal,
            platform_of=lambda _, product=product: product,
            executor=AtOnce(),
        )

    assert asked == ["eos", "junos"]


def test_a_rollback_names_an_earlier_run_that_can_be_taken_back(applied: Network) -> None:
    name = lost_in_canary(applied, OLD, NEW)
    typed(applied, name)
    settled(applied)
    applied.edit(NEW, "ntp 192.0.2.11\n")
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices
    applied.box(canary).fail("commit")
    applied.apply(saved)
    applied.box(canary).fail()
    with pytest.raises(Refused) as refused:
        planned(applied)

    assert "`fabric rollback 2`" not in str(refused.value)


def test_a_device_that_waits_for_a_later_phase_is_not_adopted(applied: Network) -> None:
    """The MTU changes everywhere, link by link; it has lost a line that the intent has no more."""
    before, more = applied.site, "vrf a login x\n"
    applied.edit("mtu 9000", "mtu 9100")
    (name, *_) = applied.plan()[0].held
    applied.site = before
    applied.edit(OLD, OLD + more, name)
    lost(applied, applied.plan(), name)
    typed(applied, name)
    settled(applied)
    applied.site = before
    applied.edit("mtu 9000", "mtu 9100")
    made, _ = saved = applied.plan(adopt=True)
    assert name in made.held
    where: dict[str, Any] = {"targets": applied.targets(), "journal": applied.journal}

    assert lost_journal(made, applied.journal) == ()
    assert adopt(made, applied.site.artifacts(), options=apply_options(), **where) == ()
    assert applied.apply(saved).outcome == "done"
    assert applied.apply(applied.plan()).outcome == "done"
    assert more not in applied.box(name).running
    assert "mtu 9100" in applied.box(name).running


def test_a_device_on_which_a_commit_waits_is_not_adopted(applied: Network) -> None:
    """Its timer may take back what was looked at."""
    journal = Journal(applied.folder.parent / "new.sqlite")
    made, _ = applied.plan(adopt=True, last_applied=journal.last_applied("lab"))
    name = made.devices[0].device
    with applied.box(name).state() as box:
        box["pending"] = {
            "session": "bob",
            "before": box["running"],
            "until": time.time() + 600,
            "user": "bob",
        }
    where: dict[str, Any] = {"targets": applied.targets(), "journal": journal}
    with pytest.raises(Refused, match=f"{name}.*a commit waits there"):
        adopt(made, applied.site.artifacts(), options=apply_options(), **where)
