"""A rollback is a plan like any other: shown as it is done, allowed by name, and true of what the devices run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest

from fabric.cli.views.plan import plan_lines
from fabric.deployment import PlannedRollback, Result, State, apply, codes, plan_rollback, rollback
from fabric.deployment.events import DeviceStepped, Event
from fabric.deployment.permissions import check_words
from fabric.deployment.taking_back.rollback import check_as_left
from fabric.diagnostics import Refused
from fabric.planning import Impact, Plan, PlanOptions
from tests.deployment.conftest import Network, apply_options, killed

CHANGES = {
    "a server": ("ntp 192.0.2.9", "ntp 192.0.2.10"),
    "descriptions of links": ("description spine", "description up"),
    "an MTU of every port": ("mtu 9000", "mtu 4000"),
    "a queue": ("queue 3 priority 3", "queue 4 priority 3"),
    "management access": ("way-in 192.0.2.", "way-in 198.51.100."),
}
EVERYTHING = frozenset({"isolating", "lockout:*"})


def planned(network: Network, number: int | None = None) -> PlannedRollback:
    options = PlanOptions(
        site="lab", program="0.1.0", intent="i" * 64, created=datetime.now(UTC), ownership="full"
    )
    site = network.site
    return plan_rollback(
        "lab",
        number,
        journal=network.journal,
        artifacts=site.artifacts(),
        switches=site.switches,
        options=options,
    )


def carried_out(network: Network, back: PlannedRollback, *allow: str) -> Result:
    return rollback(
        "lab",
        back.run.id,
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(allow=frozenset(allow)),
        planned=back.plan,
    )


def changed(network: Network, change: str) -> Network:
    network.edit(*CHANGES[change])
    plan, texts = network.plan(phased=False)
    quiet = msgspec.structs.replace(plan, couplings=(), diagnostics=())
    assert network.apply((quiet, texts), allow=EVERYTHING).outcome == "done"
    return network


@pytest.mark.parametrize("change", CHANGES)
def test_a_rollback_shows_the_diff_of_the_opposite_change(applied: Network, change: str) -> None:
    """Its law: what it shows is what a plan back would show, device by device, and it is what it does."""
    before = {name: box.running for name, box in applied.boxes().items()}
    changed(applied, change)
    back = planned(applied)
    applied.edit(*reversed(CHANGES[change]))
    forwards, texts = applied.plan(phased=False)

    shown = {d.device: (back.texts[d.diff], d.impact, d.changes) for d in back.plan.changed}
    assert {d.device: (texts[d.diff], d.impact, d.changes) for d in forwards.changed} == shown
    assert [wave.devices for wave in forwards.waves] == [wave.devices for wave in back.plan.waves]

    needs_allow = {d.impact for d in back.plan.changed} & {Impact.ISOLATING, Impact.LOCKOUT}
    if needs_allow:
        with pytest.raises(Refused, match="FAB713"):
            carried_out(applied, msgspec.structs.replace(back, plan=_quiet(back)))
    result = carried_out(applied, msgspec.structs.replace(back, plan=_quiet(back)), *EVERYTHING)
    assert result.outcome == "done"
    assert [tuple(d.device for d in wave.devices) for wave in result.waves] == [
        tuple(sorted(wave.devices)) for wave in back.plan.waves
    ]
    assert {name: box.running for name, box in applied.boxes().items()} == before


def _quiet(back: PlannedRollback) -> Plan:
    """The toy fabric's couplings are left out, as they were when the change was made."""
    return msgspec.structs.replace(back.plan, couplings=(), diagnostics=())


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_ours_is_ours_again_whatever_stood_beside_it(applied: Network, change: str) -> None:
    """Its law: a line that somebody has typed changes neither what is ours nor who was applied."""
    ours = {name: known.text for name, known in applied.journal.applied("lab").items()}
    for box in applied.boxes().values():
        box.change(lambda text: text + "ntp 192.0.2.66\n")
    before = {name: without_comments(box.running) for name, box in applied.boxes().items()}
    changed(applied, change)
    back = planned(applied)

    result = carried_out(applied, msgspec.structs.replace(back, plan=_quiet(back)), *EVERYTHING)
    assert result.outcome == "done"
    assert {name: without_comments(box.running) for name, box in applied.boxes().items()} == before
    assert {name: known.text for name, known in applied.journal.applied("lab").items()} == ours


def without_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("!")]


def test_links_whose_ends_must_change_together_go_back_in_one_wave(applied: Network) -> None:
    changed(applied, "an MTU of every port")
    back = planned(applied)

    assert back.plan.couplings
    assert [finding.code for finding in back.plan.diagnostics if finding.is_error] == []
    assert [sorted(applied.boxes())] == [sorted(wave.devices) for wave in back.plan.waves if wave.together]
    assert carried_out(applied, back, *EVERYTHING).outcome == "done"


def test_links_change_phase_by_phase_and_each_phase_can_be_taken_back(applied: Network) -> None:
    """A phase is a run like any other, and the next one follows from what runs."""
    applied.edit("mtu 9000", "mtu 4000")
    waves: list[list[bool]] = []
    while (plan := applied.plan())[0].changed:
        before = {name: box.running for name, box in applied.boxes().items()}
        assert applied.apply(plan, allow=EVERYTHING).outcome == "done"
        assert carried_out(applied, planned(applied), *EVERYTHING).outcome == "done"
        assert {name: box.running for name, box in applied.boxes().items()} == before
        assert applied.apply(plan, allow=EVERYTHING).outcome == "done"
        waves.append([wave.together for wave in plan[0].waves])

    *before, last = (run.id for run in reversed(applied.journal.runs("lab")) if run.kind == "apply")
    stand = tuple(reversed(before))[1::2]  # each phase was applied, taken back and applied again
    assert stand[:-1] == planned(applied, last).before
    assert [[True], [True]] == waves[:2]
    assert not any(together for phase in waves[2:] for together in phase)
    assert not [name for name, box in applied.boxes().items() if "mtu 9000" in box.running]


def test_the_plan_of_an_adoption_taken_back_needs_to_be_allowed(make: Callable[..., Network]) -> None:
    network = make(lambda _name, text: text.replace("<secret:env:NETOPS>", "old").replace("ntp", "banner"))
    network.apply(allow=EVERYTHING)
    back = planned(network)

    assert len(back.plan.changed) == len(network.site.switches)
    assert all("-ntp 192.0.2.9" in back.texts[device.diff] for device in back.plan.changed)
    assert carried_out(network, back, *EVERYTHING).outcome == "done"
    assert network.journal.applied("lab") == {}


def test_the_plan_for_a_killed_run_shows_what_it_has_confirmed(applied: Network) -> None:
    before = {name: box.running for name, box in applied.boxes().items()}
    applied.edit(*CHANGES["a server"])
    killed(applied, applied.plan(), "confirmed", 3)
    confirmed = {
        step.job.device
        for step in applied.journal.steps(2)
        if step.state in (State.CONFIRMED, State.COMMITTED)
    }
    back = planned(applied)

    assert {device.device for device in back.plan.changed} == confirmed
    assert carried_out(applied, back).outcome == "done"
    assert {name: box.running for name, box in applied.boxes().items()} == before


def test_what_somebody_has_changed_since_is_told_before_anybody_is_asked(applied: Network) -> None:
    changed(applied, "a server")
    record = planned(applied).run

    def look() -> None:
        targets, journal = applied.targets(), applied.journal
        check_as_left(record, targets=targets, journal=journal, options=apply_options())

    look()
    commits = {name: box.log.count("commit") for name, box in applied.boxes().items()}

    applied.box("spine-0-0").fail("load")
    with pytest.raises(Refused, match="FAB736: spine-0-0: load: ") as refused:
        look()
    assert refused.value.hint == codes.NOT_ACCEPTED.fix
    applied.box("spine-0-0").fail("open")
    with pytest.raises(Refused, match="FAB724: spine-0-0: connecting: ") as refused:
        look()
    assert "bring them back" in str(refused.value.hint)
    applied.box("spine-0-0").fail()
    applied.box("leaf-0-0-0").change(lambda text: text + "ntp 192.0.2.66\n")
    with pytest.raises(Refused, match="FAB724: changed since run 2: leaf-0-0-0"):
        look()
    assert {name: box.log.count("commit") for name, box in applied.boxes().items()} == commits


def test_what_a_later_run_has_changed_is_told_with_that_run(applied: Network) -> None:
    changed(applied, "a server")
    changed(applied, "a queue")
    applied.box("leaf-0-0-0").change(lambda text: text + "ntp 192.0.2.66\n")

    with pytest.raises(
        Refused, match=r"FAB724: changed since run 2: leaf-0-0-0, .* \(by run 3\)$"
    ) as refused:
        carried_out(applied, planned(applied, 2), *EVERYTHING)

    assert "the last first: `fabric rollback 3`" in (refused.value.hint or "")
    with pytest.raises(Refused, match=r"FAB724: changed since run 3: leaf-0-0-0$"):
        carried_out(applied, planned(applied, 3), *EVERYTHING)


def test_a_rollback_that_drains_every_stand_in_again_needs_to_be_allowed(applied: Network) -> None:
    """Each spine alone is not the only one of its group: all of them together are."""
    drain(applied, *SPINES)
    drain(applied)
    back = planned(applied)

    assert impacts(back) == dict.fromkeys(SPINES, Impact.ISOLATING)


def test_a_rollback_counts_on_what_it_brings_back(applied: Network) -> None:
    """Of two spines the other one was drained, and is again: that of now carries traffic by then."""
    drain(applied, SPINES[0])
    drain(applied, SPINES[1])
    back = planned(applied)

    assert impacts(back).keys() == {*SPINES}
    assert Impact.ISOLATING not in impacts(back).values()


SPINES = ("spine-0-0", "spine-0-1")


def drain(network: Network, *names: str) -> None:
    """Have just these spines out of service."""
    switches, sessions = network.site.switches, {}
    for name in SPINES:
        asn = network.site.texts[name].partition("bgp ")[2].split()[0]
        is_out = asn.startswith("9")
        if is_out is not (name in names):
            sessions[name] = f"bgp {asn}", f"bgp {asn.removeprefix('9') if is_out else f'9{asn}'}"
    changed = {name: msgspec.structs.replace(switches[name], drained=name in names) for name in SPINES}
    network.site = msgspec.structs.replace(network.site, switches={**switches, **changed})
    for name, (old, new) in sessions.items():
        network.edit(old, new, name)
    plan, texts = network.plan()
    devices = tuple(msgspec.structs.replace(one, drained=one.device in names) for one in plan.devices)
    quiet = msgspec.structs.replace(plan, couplings=(), diagnostics=(), devices=devices)
    assert network.apply((quiet, texts), allow=EVERYTHING).outcome == "done"


def impacts(back: PlannedRollback) -> dict[str, Impact]:
    """Of what it changes."""
    return {device.device: device.impact for device in back.plan.changed}


def _interrupted(network: Network) -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state == State.COMMITTED:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply(
            network.plan(phased=False),
            targets=network.targets(),
            journal=network.journal,
            options=apply_options(),
            on_event=interrupt,
        )


def _refused_by_a_device(network: Network) -> None:
    network.box("leaf-0-0-0").fail("commit")
    assert network.apply(network.plan(phased=False)).outcome == "failed"


TAKEN_BACK = {"interrupted": _interrupted, "refused by a device": _refused_by_a_device}


@pytest.mark.parametrize("end", TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_of_a_run_that_took_itself_back_a_rollback_says_so_and_claims_nothing_of_the_intent(
    applied: Network, end: Callable[[Network], None]
) -> None:
    number = applied.journal.run("lab").id + 1
    before = {name: box.running for name, box in applied.boxes().items()}
    applied.edit(*CHANGES["a server"], "leaf-0-0-0")
    end(applied)
    back = planned(applied, number)
    text = "\n".join(map(str, plan_lines(back.plan, back.texts.__getitem__, if_nothing=back.without_changes)))

    assert {name: box.running for name, box in applied.boxes().items()} == before
    assert back.plan.changed == ()
    assert f"Nothing is left of run {number} on any device." in text
    assert "intent" not in text
    check_words(("isolating", "isolating:leaf-0-0-0", "lockout:*"), (one.device for one in back.plan.devices))
    assert applied.plan(phased=False)[0].changed  # the network does not match it


def test_of_a_run_that_was_killed_a_rollback_names_what_waits_unconfirmed(applied: Network) -> None:
    number = applied.journal.run("lab").id + 1
    applied.edit(*CHANGES["a server"], "leaf-0-0-0")
    killed(applied, applied.plan(phased=False), State.COMMITTED, 1)
    back = planned(applied, number)

    assert (
        back.without_changes
        == f"Nothing of run {number} is confirmed. What it has left on leaf-0-0-0 is taken back."
    )
