"""Hosts that a change leaves without a path stay out of service until another one gives them a path again."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.deployment.events import (
    CordonFailed,
    DeviceStepped,
    Event,
    HostsCutOff,
    HostsNotKnown,
    PartFinished,
    WaveFinished,
)
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.site_lock import Holder, under_way
from fabric.deployment.unlock import give_up, left_behind
from fabric.deployment.waves import bring_back, cordoned, soaking
from fabric.devices.model import LinkRole
from fabric.planning.cut_off.without_path import rails_without_path
from fabric.planning.impact import OUT_OF_SIGHT
from fabric.planning.model import Impact
from fabric.platforms.base import Facts
from fabric.platforms.emulation import PortFault
from fabric.platforms.registry import platform
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import LEAF, SPINE, Words, compiled, printed, services, state
from tests.platforms.sites import site as of_site
from tests.verification.ethernet.played import configure

HOOK = """#!/bin/sh
printf '{"what": "%s", "told": %s}\\n' "$1" "$(cat)" >> called
"""
CORDON = of_site("deployment: {cordon: {before: ./hook before, after: ./hook after}}")
OTHER_SERVER = services("ntp: {servers: [192.0.2.99]}")
SPINES = ("spine-0", "spine-1")
OUT = "reason: swap the fan, owner: ops, expires: '2099-01-01'"


@pytest.fixture(autouse=True)
def nothing_called(request: pytest.FixtureRequest) -> None:
    """What an earlier test has left is not this one's."""
    if "made" in request.fixturenames:
        calls(request.getfixturevalue("made"))


def drained(*devices: str, mode: str = "shut") -> Words:
    return state(f"drained: [{', '.join(f'{{device: {name}, mode: {mode}, {OUT}}}' for name in devices)}]")


@pytest.fixture(scope="module", params=PLAYED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    with played_site(tmp_path_factory.mktemp("site"), request.param) as running:
        hook = running.folder / "hook"
        hook.write_text(HOOK)
        hook.chmod(stat.S_IRWXU)
        assert ended(running.apply(CORDON)) in ("done", "nothing")
        yield running


def killed(*_: object) -> str:
    """Instead of what a run comes to: it ends there."""
    raise KeyboardInterrupt


def calls(made: PlayedSite) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What was called since: the program, its hosts, and those that are told to have no path."""
    file = made.folder / "called"
    found: list[dict[str, Any]] = []
    if file.exists():
        found = [json.loads(line) for line in file.read_text().splitlines()]
        file.unlink()
    return [(c["what"], tuple(c["told"]["hosts"]), tuple(c["told"].get("cut_off", ()))) for c in found]


def hosts_of(made: PlayedSite, leaf: str) -> tuple[str, ...]:
    ports = made.compiled(CORDON).devices[leaf].ports
    return tuple(sorted({port.peer for port in ports if port.role is LinkRole.HOST}))


@pytest.mark.covering(most=1, apart=True)
def test_hosts_come_back_with_the_run_that_gives_them_a_path(made: PlayedSite) -> None:
    hosts = hosts_of(made, LEAF)
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    assert calls(made) == [("before", hosts, ())]
    assert [hosts] == [event.hosts for event in made.of(HostsCutOff)]

    for words, end in (((), "nothing"), ((OTHER_SERVER,), "done")):
        assert ended(made.apply(CORDON, drained(LEAF), *words)) == end
        assert calls(made) == []
        assert [hosts] == [event.hosts for event in made.of(HostsCutOff)]

    assert ended(made.apply(CORDON, OTHER_SERVER)) == "done"
    assert calls(made) == [("after", hosts, ())]
    assert ended(made.apply(CORDON)) == "done"
    assert calls(made) == []


@pytest.mark.covering(most=1, apart=True)
def test_hosts_that_a_program_has_failed_to_bring_back_are_named(made: PlayedSite) -> None:
    """By the run that has tried, in the journal too: no other one will, and nothing else names them."""
    hosts, journal = hosts_of(made, LEAF), made.place.journal()
    out = made.apply(CORDON, drained(LEAF)).run
    failing = of_site("deployment: {cordon: {before: ./hook before, after: sh -c 'exit 3'}}")
    back = made.apply(failing)
    (failed,) = made.of(CordonFailed)
    (remark,) = journal.remarks(back.run)

    assert (back.outcome, failed.hosts, failed.since) == ("failed", hosts, out)
    for told in (failed.reason, ended(back), remark.reason):
        assert (
            f"exit code 3; it is not run for them again, so see whether they are in service: {hosts[0]}, "
            in told
        )
    assert f"wave 1 of run {out}: " in ended(back)
    assert ended(made.apply(CORDON)) == "nothing"
    assert [what for what, *_ in calls(made)] == ["before"]


@pytest.mark.covering(most=1, apart=True)
def test_hosts_come_back_with_the_rollback(made: PlayedSite) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    result = api.rollback(
        made.compiled(CORDON, drained(LEAF)), made.place, allow=("isolating", "lockout:*"), pace=PACE
    )

    assert ended(result) == "done"
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]
    assert ended(made.apply(CORDON)) in ("done", "nothing")


@pytest.mark.covering(most=1, apart=True)
def test_hosts_stay_out_where_what_gives_them_a_path_breaks(made: PlayedSite) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    compiled, _ = made.planned(CORDON)
    soaks = msgspec.structs.replace(PACE, soak_s=2, gate_timeout_s=1)

    def breaks(event: Event) -> None:
        if isinstance(event, WaveFinished) and event.state == "done":
            made.sandbox.set_faults(LEAF, ports={"*": PortFault(down=True)})

    result = api.apply(
        made.folder / "plan", compiled, made.place, allow=("isolating",), pace=soaks, on_event=breaks
    )
    assert result.outcome == "failed"
    assert calls(made) == []
    impatient = msgspec.structs.replace(PACE, gate_timeout_s=1)
    assert ended(made.apply(CORDON, pace=impatient)) == "nothing"
    assert calls(made) == []
    assert [hosts_of(made, LEAF)] == [event.hosts for event in made.of(HostsCutOff)]
    made.sandbox.clear_faults(LEAF)
    made.sandbox.advance(60)
    assert ended(made.apply(CORDON, OTHER_SERVER)) == "done"
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]
    assert ended(made.apply(CORDON)) == "done"


@pytest.mark.covering(most=1, apart=True)
def test_hosts_stay_out_where_the_rollback_that_gives_them_a_path_breaks(made: PlayedSite) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    soaks = msgspec.structs.replace(PACE, soak_s=2, gate_timeout_s=1)

    def breaks(event: Event) -> None:
        if isinstance(event, WaveFinished) and event.state == "done":
            made.sandbox.set_faults(LEAF, ports={"*": PortFault(down=True)})

    compiled = made.compiled(CORDON, drained(LEAF))
    result = api.rollback(compiled, made.place, allow=("isolating", "lockout:*"), pace=soaks, on_event=breaks)
    assert result.outcome == "failed"
    assert calls(made) == []
    made.sandbox.clear_faults(LEAF)
    made.sandbox.advance(60)
    assert ended(made.apply(CORDON)) in ("done", "nothing")
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]


@pytest.mark.covering(most=1, apart=True)
def test_hosts_stay_out_where_what_gives_them_a_path_dies_while_nobody_watches(
    made: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is killed while its last wave soaks: who goes on with it looks at sessions as the run would have."""
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    out = made.compiled(CORDON, drained(*SPINES)).devices
    compiled, _ = made.planned(CORDON)
    soaks = msgspec.structs.replace(PACE, soak_s=0.5, gate_timeout_s=2)
    with monkeypatch.context() as patched:
        patched.setattr(soaking, "soak", killed)
        with pytest.raises(KeyboardInterrupt):
            made.carry_out(compiled, pace=soaks)
    configure(out, made.sandbox, SPINES)
    made.sandbox.advance(60)
    result = api.resume(compiled, made.place, allow=("isolating",), pace=soaks)

    assert result.outcome == "failed"
    assert f"{LEAF}: goes back into service, and no session with spine-0, spine-1 is up" in ended(result)
    assert calls(made) == []
    configure(compiled.devices, made.sandbox, SPINES, before=out)
    made.sandbox.advance(60)
    seen: list[Holder | None] = []
    name, journal, runs_after = compiled.intent.site.site, made.place.journal(), bring_back._run_after

    def looks(*words: Any) -> str:
        seen.append(under_way(journal, name))
        return runs_after(*words)

    monkeypatch.setattr(bring_back, "_run_after", looks)
    assert ended(made.apply(CORDON)) == "nothing"
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]
    assert all(seen), "somebody else may change the site while its hosts come back"
    assert under_way(journal, name) is None


@pytest.mark.covering(most=1, apart=True)
def test_hosts_of_both_halves_of_a_wave_that_was_interrupted_come_back(made: PlayedSite) -> None:
    leaves = [name for name, switch in made.compiled(CORDON).devices.items() if switch.role == "leaf"]
    compiled, plan = made.planned(CORDON, drained(*leaves))
    wide = next(wave for wave in plan.waves if len(wave.devices) > 1)
    one_by_one = msgspec.structs.replace(PACE, batch=1)

    def half_way(event: Event) -> None:
        if isinstance(event, PartFinished) and event.wave == wide.number:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made.carry_out(compiled, pace=one_by_one, on_event=half_way)
    assert api.resume(compiled, made.place, allow=("isolating",), pace=one_by_one).outcome == "done"
    everybody = {host for leaf in leaves for host in hosts_of(made, leaf)}
    owed = made.place.journal().cordoned_by_run(compiled.intent.site.site)
    assert {host for waves in owed.values() for wave in waves.values() for host in wave.hosts} == everybody
    calls(made)

    assert ended(made.apply(CORDON)) == "done"
    assert {host for what, hosts, _ in calls(made) if what == "after" for host in hosts} == everybody
    assert not made.place.journal().cordoned_by_run(compiled.intent.site.site)


@pytest.mark.covering(most=1, apart=True)
def test_hosts_come_back_though_the_run_that_took_them_out_was_killed_and_given_up(
    made: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, _ = made.planned(CORDON, drained(LEAF))
    with monkeypatch.context() as patched:
        patched.setattr(cordoned, "bring_back_wave", killed)
        with pytest.raises(KeyboardInterrupt):
            made.carry_out(compiled)
    name, journal = compiled.intent.site.site, made.place.journal()
    run = journal.unfinished(name)
    assert run is not None
    left = left_behind(journal, name, run.id)
    assert left.cordoned == (LEAF,)
    give_up(journal, left)
    assert calls(made) == [("before", hosts_of(made, LEAF), ())]

    assert ended(made.apply(CORDON, drained(LEAF))) == "nothing"
    assert calls(made) == []
    assert ended(made.apply(CORDON)) == "done"
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]


@pytest.mark.covering(most=1, apart=True)
def test_hosts_stay_out_while_nobody_knows_what_their_leaf_runs(made: PlayedSite) -> None:
    """It does not answer any more: its timer takes the drain back, or the confirmation has arrived after all."""
    compiled, _ = made.planned(CORDON, drained(LEAF))

    def vanishes(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state is State.COMMITTED:
            made.sandbox.set_faults(LEAF, refuse=True)

    pace = msgspec.structs.replace(PACE, revert_in_s=60, gate_timeout_s=2)
    result = api.apply(
        made.folder / "plan", compiled, made.place, allow=("isolating",), pace=pace, on_event=vanishes
    )
    assert result.outcome == "failed"
    assert [what for what, _, _ in calls(made)] == ["before"]
    made.sandbox.clear_faults(LEAF)
    made.sandbox.advance(120)
    assert ended(made.apply(CORDON)) in ("done", "nothing")
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]


@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_whose_cables_are_dead_does_not_go_back_into_service(made: PlayedSite) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    made.sandbox.set_faults(LEAF, ports={"*": PortFault(down=True)})
    made.sandbox.advance(60)
    compiled, _ = made.planned(CORDON)
    result = made.carry_out(compiled, pace=msgspec.structs.replace(PACE, gate_timeout_s=2))

    assert result.outcome == "failed"
    assert f"{LEAF}: goes back into service, and no session with spine-0, spine-1 is up" in ended(result)
    assert calls(made) == []
    made.sandbox.clear_faults(LEAF)
    made.sandbox.advance(60)
    assert ended(made.apply(CORDON)) == "done"
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]


@pytest.mark.covering(most=1, apart=True)
def test_a_fabric_that_is_drained_as_a_whole_goes_back_into_service_switch_by_switch(
    made: PlayedSite,
) -> None:
    """Of the first nobody can say that its sessions come up: the others are out of service still."""
    switches = [name for name, one in made.compiled(CORDON).devices.items() if one.role in ("leaf", "spine")]
    assert ended(made.apply(CORDON, drained(*switches))) == "done"
    assert ended(made.apply(CORDON)) == "done"
    calls(made)


@pytest.mark.covering(most=1, apart=True)
def test_hosts_that_nobody_brings_back_any_more_are_told(made: PlayedSite) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    result = made.apply()

    assert "the intent names no `after` any more" in ended(result)
    assert ended(made.apply(CORDON)) in ("done", "nothing")
    assert calls(made) == []


@pytest.mark.covering(most=1, apart=True)
def test_hosts_are_owed_until_the_program_that_brings_them_back_is_there(made: PlayedSite) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    hook, away = made.folder / "hook", made.folder / "away"
    hook.rename(away)
    for words in ((), (OTHER_SERVER,)):
        result = made.apply(CORDON, *words)
        assert result.outcome == "failed"
        (failed,) = made.of(CordonFailed)
        assert "does not run" in failed.reason
        assert hosts_of(made, LEAF)[0] in failed.reason
    away.rename(hook)
    assert ended(made.apply(CORDON)) == "done"
    assert calls(made) == [("after", hosts_of(made, LEAF), ())]


@pytest.mark.covering(most=1, apart=True)
def test_hosts_come_back_though_the_run_that_gave_them_a_path_was_killed_and_given_up(
    made: PlayedSite,
) -> None:
    assert ended(made.apply(CORDON, drained(LEAF))) == "done"
    calls(made)
    compiled, _ = made.planned(CORDON)

    def killed(event: Event) -> None:
        if isinstance(event, WaveFinished):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.apply(
            made.folder / "plan", compiled, made.place, allow=("isolating",), pace=PACE, on_event=killed
        )
    name, journal = compiled.intent.site.site, made.place.journal()
    run = journal.unfinished(name)
    assert run is not None
    left = left_behind(journal, name, run.id)
    assert left.without_path == hosts_of(made, LEAF)
    give_up(journal, left)
    calls(made)
    result = made.apply(CORDON)

    assert (result.outcome, calls(made)) == ("nothing", [("after", hosts_of(made, LEAF), ())])
    assert not journal.cordoned_by_run(name)
    assert made.apply(CORDON).outcome == "nothing"
    assert calls(made) == []


@pytest.mark.covering(most=1, apart=True)
def test_hosts_that_leave_the_intent_while_they_are_out_of_service_are_told(made: PlayedSite) -> None:
    leaf = "leaf-1-0"
    assert ended(made.apply(CORDON, drained(leaf))) == "done"
    calls(made)
    assert ended(made.apply(CORDON, of_site("hosts: {gpu: {last_unit: 2}}"))) == "done"

    assert calls(made)[-1] == ("after", ("gpu-1-0", "gpu-1-1"), ())
    assert [("gpu-1-2", "gpu-1-3")] == [event.hosts for event in made.of(HostsNotKnown)]
    compiled, plan = made.planned(CORDON)
    assert ended(made.carry_out(compiled)) == "done"
    # Some products stop all ports of a leaf to set up buffers for more of them: its hosts are drained for that.
    isolating = [wave for wave in plan.waves if wave.impact is Impact.ISOLATING]
    assert [what for what, *_ in calls(made)] == ["before", "after"] * len(isolating)


@pytest.mark.covering(most=1, apart=True)
def test_some_hosts_come_back_and_others_later(made: PlayedSite) -> None:
    other = "leaf-1-0"
    assert ended(made.apply(CORDON, drained(LEAF, other))) == "done"
    owed = {host for what, hosts, _ in calls(made) if what == "before" for host in hosts}
    assert owed == {*hosts_of(made, LEAF), *hosts_of(made, other)}

    assert ended(made.apply(CORDON, drained(other))) == "done"
    assert [set(hosts) for _, hosts, _ in calls(made)] == [set(hosts_of(made, LEAF))]
    assert ended(made.apply(CORDON)) == "done"
    assert [set(hosts) for _, hosts, _ in calls(made)] == [set(hosts_of(made, other))]


@pytest.mark.covering(most=1, apart=True)
@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.parametrize("by", ["configuration", "journal", "intent"])
def test_who_has_no_path_is_who_reaches_no_other_leaf(product: str, by: str) -> None:
    whole = compiled(product)
    leaves = [name for name, switch in whole.items() if switch.role == "leaf"]
    spines = [name for name, switch in whole.items() if switch.role == "spine"]
    behind = {
        leaf: {port.peer for port in whole[leaf].ports if port.role is LinkRole.HOST} for leaf in leaves
    }
    assert LEAF in leaves
    assert SPINE in spines
    cases = {
        (): set(),
        (LEAF,): behind[LEAF],
        tuple(spines[1:]): set(),
        tuple(spines): set().union(*behind.values()),
        tuple(leaves): set().union(*behind.values()),
    }
    for out, cut_off in cases.items():
        changed = compiled(product, drained(*out)) if out else whole

        def running(name: str, changed: Any = changed, out: Any = out) -> Facts | None:
            if by == "intent":
                return None
            if by == "journal" and name in out:
                return OUT_OF_SIGHT
            return platform(product).read(printed(changed[name])).facts

        switches = changed if by == "intent" else whole
        rails = rails_without_path(switches, running)
        assert {host for host, without in rails.items() if without} == cut_off
        assert set().union(*behind.values()) == rails.keys()
