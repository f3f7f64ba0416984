"""What stands between the waves of a run: windows, soaking, smaller steps, and what is asked of others."""

from __future__ import annotations

import gc
import json
import os
import re
import stat
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from fabric import api
from fabric.cli.printing.styled_lines import text_of
from fabric.cli.views.apply_events import event_lines
from fabric.deployment import Cordon, Pace, Result, SecretSource, State, Window, apply, moments, resume
from fabric.deployment.between_waves import soak as soaking
from fabric.deployment.between_waves.windows import next_opening, open_until
from fabric.deployment.events import (
    CordonFailed,
    DeviceStepped,
    Event,
    PartFinished,
    WaveFinished,
    WaveSoaks,
    WaveStarted,
)
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.gates.watch import Gate
from fabric.deployment.jobs import Job
from fabric.diagnostics import Invalid, JournalFailed, Refused
from fabric.operations.apply_options import check_window
from fabric.planning.model import Change, Impact, Scope
from tests.deployment.conftest import ENVIRON, FAST, Clock, Network, apply_options
from tests.intent.samples import SITE

BERLIN = ZoneInfo("Europe/Berlin")
SATURDAY_NIGHT = Window(days=frozenset({5}), begins=time(22), ends=time(4), zone=BERLIN)
EVERY_DAY = frozenset(range(7))


@pytest.mark.parametrize("month", [1, 7])
def test_a_window_over_midnight_is_open_by_its_own_clock_in_summer_and_winter(month: int) -> None:
    saturday = next(
        day for n in range(1, 8) if (day := datetime(2026, month, n, tzinfo=BERLIN)).weekday() == 5
    )

    def at(hours: float) -> datetime:
        return (saturday + timedelta(hours=hours)).astimezone(UTC)

    assert [open_until([SATURDAY_NIGHT], at(h)) for h in (21.9, 28, 2)] == [None, None, None]
    assert {open_until([SATURDAY_NIGHT], at(h)) for h in (22, 24, 27.9)} == {at(28)}
    assert next_opening([SATURDAY_NIGHT], at(21)) == at(22)
    assert next_opening([SATURDAY_NIGHT], at(23)) == at(22 + 7 * 24)


def test_a_window_that_ends_when_it_begins_lasts_a_day() -> None:
    always = Window(days=EVERY_DAY, begins=time(0), ends=time(0), zone=UTC)
    moments_of_a_week = [datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=7 * n) for n in range(24)]

    assert all(open_until([always], moment) for moment in moments_of_a_week)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize(("begins", "ends"), [("02:30", "03:00"), ("01:30", "02:30"), ("02:15", "02:45")])
def test_a_window_opens_when_it_says_also_where_clocks_are_changed(zone: str, begins: str, ends: str) -> None:
    window = Window(
        days=frozenset({6}),
        begins=time.fromisoformat(begins),
        ends=time.fromisoformat(ends),
        zone=ZoneInfo(zone),
    )
    for week in range(53):
        moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(weeks=week)
        opens = next_opening([window], moment)
        closes = open_until([window], opens)

        assert closes is not None
        assert opens < closes <= opens + timedelta(hours=2)


@pytest.mark.parametrize(
    ("zone", "day"),
    [("Europe/Berlin", (3, 29)), ("America/New_York", (3, 8)), ("Australia/Lord_Howe", (10, 4))],
)
@pytest.mark.parametrize(
    ("begins", "ends"), [("02:30", "04:00"), ("01:00", "02:30"), ("02:05", "02:25"), ("02:00", "03:00")]
)
def test_where_clocks_are_put_forward_it_is_open_at_its_hours_alone(
    zone: str, day: tuple[int, int], begins: str, ends: str
) -> None:
    """An hour that is skipped does not move the window to one that nobody has named."""
    window = Window(
        days=EVERY_DAY, begins=time.fromisoformat(begins), ends=time.fromisoformat(ends), zone=ZoneInfo(zone)
    )
    first = datetime(2026, *day, tzinfo=window.zone).astimezone(UTC)
    for minutes in range(0, 24 * 60, 5):
        moment = first + timedelta(minutes=minutes)
        local = moment.astimezone(window.zone).time()

        assert (open_until([window], moment) is not None) == (window.begins <= local < window.ends)


@pytest.mark.parametrize("begins", ["02:30", "22:00"])
@pytest.mark.parametrize("days", ["[]", "[sun]", "[mon, sun]", "[sun, sun]"])
def test_a_window_that_the_intent_takes_opens_some_day(
    days: str, begins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = f'{{days: {days}, begins: "{begins}", ends: "{begins}", zone: Europe/Berlin}}'
    (tmp_path / "site.yaml").write_text(f"{SITE}deployment: {{windows: [{window}]}}\n")
    if days == "[]":
        with pytest.raises(Invalid, match="at least 1 expected"):
            api.compile(tmp_path)
        return
    compiled = api.compile(tmp_path)
    for week in range(53):
        monkeypatch.setattr(
            moments, "now", lambda week=week: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(weeks=week)
        )  # a Thursday
        with pytest.raises(Refused, match=r"the next one opens (?:Mon|Sun) "):
            check_window(compiled)


def open_for(minutes: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Window, Callable[[int], None]]:
    """A window that closes in so many minutes, and a way to let time pass."""
    clock = [datetime(2026, 7, 4, 3, 0, tzinfo=UTC)]
    monkeypatch.setattr(moments, "now", lambda: clock[0])
    ends = (clock[0] + timedelta(minutes=minutes)).time()

    def passes(more: int) -> None:
        clock[0] += timedelta(minutes=more)

    return Window(days=EVERY_DAY, begins=time(1), ends=ends, zone=UTC), passes


def changed(network: Network) -> None:
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")


def test_nothing_begins_outside_a_window_but_for_a_reason(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, passes = open_for(30, monkeypatch)
    changed(applied)
    saved = applied.plan()
    passes(31)

    with pytest.raises(Refused, match=r"FAB729: no maintenance window is open; .* Sun 2026-07-05 01:00 UTC"):
        applied.apply(saved, windows=(window,))
    assert len(applied.journal.runs("lab")) == 1

    assert applied.apply(saved, windows=(window,), now_reason="a fan burns").outcome == "done"
    said = [entry["reason"] for entry in applied.journal.entries(2) if "begun though" in entry["state"]]
    assert said == ["a fan burns"]


def test_a_run_stops_where_its_window_closes_and_is_gone_on_with_in_the_next(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, passes = open_for(30, monkeypatch)
    changed(applied)
    saved = applied.plan()

    def hear(event: Event) -> None:
        if isinstance(event, WaveFinished) and event.wave == 1 and event.state == "done":
            passes(40)

    stopped = apply(
        saved,
        targets=applied.targets(),
        journal=applied.journal,
        options=apply_options(windows=(window,)),
        on_event=hear,
    )

    assert (stopped.outcome, [wave.state for wave in stopped.waves]) == ("stopped", ["done", "not begun"])
    assert "no maintenance window is open" in stopped.waves[1].reason
    assert not any(box.is_pending for box in applied.boxes().values())
    with pytest.raises(Refused, match="FAB729"):
        _resumed(applied, window)
    passes(22 * 60)
    assert _resumed(applied, window).outcome == "done"
    assert applied.plan()[0].changed == ()


def _resumed(network: Network, window: Window) -> Result:
    options = apply_options(windows=(window,))
    return resume("lab", targets=network.targets(), journal=network.journal, options=options)


@pytest.mark.parametrize("most", [1, 2, 5, 256])
def test_no_more_devices_than_allowed_wait_at_once(applied: Network, most: int) -> None:
    changed(applied)
    applied.apply(pace=msgspec.structs.replace(FAST, batch=most))
    waiting: set[str] = set()
    widest = 0
    for event in applied.events:
        if isinstance(event, DeviceStepped):
            (waiting.add if event.state == State.COMMITTED else waiting.discard)(event.device)
            widest = max(widest, len(waiting))

    assert widest == min(most, 5)
    started = [event for event in applied.events if isinstance(event, WaveStarted)]
    parts = [event for event in applied.events if isinstance(event, PartFinished)]
    assert [event.at_once for event in started] == [min(most, len(event.devices)) for event in started]
    for wave in started:
        told = [part for part in parts if part.wave == wave.wave]
        in_parts = wave.devices if most < len(wave.devices) else ()
        assert tuple(name for part in told for name in part.devices) == in_parts
        assert all(part.of == len(in_parts) for part in told)
        assert all(len(part.devices) <= most for part in told)
    assert applied.plan()[0].changed == ()


def test_what_breaks_while_a_wave_soaks_keeps_the_next_from_beginning(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(applied)
    saved = applied.plan()
    clock = Clock()
    monkeypatch.setattr(soaking, "time", clock)
    (canary,) = saved[0].waves[0].devices
    sleep = clock.sleep

    def breaks(seconds: float) -> None:
        sleep(seconds)
        if clock.now > 100:
            applied.box(canary).change(
                lambda text: re.sub(r"   neighbor \S+ remote-as \d+\n", "", text, count=1)
            )

    monkeypatch.setattr(clock, "sleep", breaks)
    pace = Pace(revert_in_s=20, gate_timeout_s=10, gate_poll_s=1, soak_s=600)
    result = applied.apply(saved, pace=pace)

    assert [wave.state for wave in result.waves] == ["done", "not begun"]
    assert result.outcome == "failed"
    assert result.waves[1].reason.startswith(f"after wave 1 was confirmed: {canary}: ")
    assert 100 < clock.now < 130


def test_a_wave_soaks_as_long_as_it_is_asked_to(applied: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(applied)
    clock = Clock()
    monkeypatch.setattr(soaking, "time", clock)
    result = applied.apply(pace=msgspec.structs.replace(FAST, soak_s=600, gate_poll_s=20))

    assert result.outcome == "done"
    assert 1200 <= clock.now < 1210  # after each of two waves
    told = [event for event in applied.events if isinstance(event, WaveSoaks)]
    assert [(event.wave, event.for_s) for event in told] == [(1, 600), (2, 600)]
    assert text_of(next(event_lines(told[0]))) == "  wave 1 soaks for 600 s"


@pytest.mark.parametrize("times", [1, 2])
def test_what_breaks_once_may_come_back_and_what_breaks_again_ends_the_run(
    applied: Network, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    changed(applied)
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices
    clock = Clock()
    monkeypatch.setattr(soaking, "time", clock)
    down = [range(100 * n, 100 * n + 5) for n in range(1, times + 1)]
    sleep = clock.sleep

    def flaps(seconds: float) -> None:
        sleep(seconds)
        applied.box(canary).fail(*(["bgp"] if any(int(clock.now) in when for when in down) else []))

    monkeypatch.setattr(clock, "sleep", flaps)
    pace = Pace(revert_in_s=20, gate_timeout_s=10, gate_poll_s=4, soak_s=250)
    result = applied.apply(saved, pace=pace)

    assert [wave.state for wave in result.waves] == ["done", "done" if times == 1 else "not begun"]
    assert (result.outcome == "done") == (times == 1)
    assert times == 1 or result.waves[1].reason.endswith(", again after it had come back")


def breaking(network: Network, device: str) -> None:
    network.box(device).fail("bgp")


SOAKS = Pace(revert_in_s=20, gate_timeout_s=1, gate_poll_s=0.05, soak_s=3)


def test_a_run_is_done_when_its_last_wave_has_soaked_too(applied: Network) -> None:
    changed(applied)
    saved = applied.plan()
    last = saved[0].waves[-1]

    class Events(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, WaveFinished) and event.wave == last.number and event.state == "done":
                breaking(applied, last.devices[0])
            super().append(event)

    applied.events = Events()
    result = applied.apply(saved, pace=SOAKS)

    assert [wave.state for wave in result.waves] == ["done", "done"]
    assert result.outcome == "failed"
    assert result.waves[-1].reason.startswith(f"after wave {last.number} was confirmed: {last.devices[0]}: ")
    told = [event for event in applied.events if isinstance(event, WaveFinished)][-1]
    assert (told.wave, told.state, told.reason) == (last.number, "failed", result.waves[-1].reason)


def test_what_breaks_on_a_confirmed_step_keeps_the_next_step_from_beginning(applied: Network) -> None:
    changed(applied)
    saved = applied.plan()
    wave = saved[0].waves[-1]
    assert len(wave.devices) > 2

    class Events(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, PartFinished) and event.done == 1 and event.wave == wave.number:
                breaking(applied, wave.devices[0])
            super().append(event)

    applied.events = Events()
    result = applied.apply(saved, pace=msgspec.structs.replace(SOAKS, soak_s=0.5, batch=1))

    assert [wave.state for wave in result.waves] == ["done", "stopped"]
    states = [device.state for device in result.waves[-1].devices]
    assert states == [State.CONFIRMED] + [State.PLANNED] * (len(states) - 1)
    after = f"after a step of wave {wave.number} was confirmed: {wave.devices[0]}: "
    assert result.waves[-1].reason.startswith(after)
    assert result.outcome == "failed"


def test_a_wave_in_steps_stops_where_its_window_closes_and_is_gone_on_with(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(applied)
    saved = applied.plan()
    window, passes = open_for(30, monkeypatch)
    wave = saved[0].waves[-1]

    class Events(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, PartFinished) and event.done == 1 and event.wave == wave.number:
                passes(60)
            super().append(event)

    applied.events = Events()
    pace = msgspec.structs.replace(FAST, batch=1)
    result = applied.apply(saved, pace=pace, windows=(window,))

    assert result.outcome == "stopped"
    assert [wave.state for wave in result.waves] == ["done", "stopped"]
    assert "no maintenance window is open" in result.waves[-1].reason
    states = [device.state for device in result.waves[-1].devices]
    assert states == [State.CONFIRMED] + [State.PLANNED] * (len(states) - 1)

    passes(23 * 60)
    whole = _resumed(applied, window)
    assert whole.outcome == "done"
    assert [(one.number, one.state, len(one.devices)) for one in whole.waves] == [
        (one.number, "done", len(one.devices)) for one in saved[0].waves
    ]
    assert {device.state for device in whole.devices} == {State.CONFIRMED}
    assert applied.plan()[0].changed == ()


def test_a_run_that_is_gone_on_with_tells_what_it_did_not_begin(applied: Network) -> None:
    changed(applied)
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices

    class Events(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, WaveStarted):
                raise KeyboardInterrupt

    applied.events = Events()
    with pytest.raises(KeyboardInterrupt):
        applied.apply(saved, pace=FAST)

    def breaks(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state is State.COMMITTED:
            breaking(applied, canary)

    options = apply_options(pace=msgspec.structs.replace(FAST, gate_timeout_s=0.1))
    result = resume(
        "lab", targets=applied.targets(), journal=applied.journal, options=options, on_event=breaks
    )

    assert result.outcome == "failed"
    assert [wave.state for wave in result.waves] == ["reverted", "not begun"]


def test_a_run_that_is_killed_while_its_last_wave_soaks_soaks_when_it_is_gone_on_with(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(applied)
    saved = applied.plan()
    last = saved[0].waves[-1]
    asked = soaking.soak

    def killed(gates: list[Gate], *words: Any) -> str:
        if {name for gate in gates for name in gate.work} == set(last.devices):
            raise KeyboardInterrupt
        return asked(gates, *words)

    with monkeypatch.context() as patched:
        patched.setattr("fabric.deployment.waves.soaking.soak", killed)
        with pytest.raises(KeyboardInterrupt):
            applied.apply(saved, pace=msgspec.structs.replace(SOAKS, soak_s=0.1))
    options = apply_options(pace=msgspec.structs.replace(SOAKS, soak_s=0.3))
    breaking(applied, last.devices[-1])
    with pytest.raises(Refused, match=last.devices[-1]):
        resume("lab", targets=applied.targets(), journal=applied.journal, options=options)
    applied.box(last.devices[-1]).fail()
    result = resume("lab", targets=applied.targets(), journal=applied.journal, options=options)

    assert result.outcome == "done"
    assert applied.journal.soaking(2) == (0, {})


@pytest.mark.parametrize("how", ["sound", "broken"])
def test_a_run_that_is_killed_while_it_soaks_soaks_when_it_is_gone_on_with(
    applied: Network, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    changed(applied)
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices

    def port_is(*, up: bool) -> None:
        with applied.box(canary).state() as state:
            state["ports"] = {"Ethernet1/1": {"is_up": up}}

    port_is(up=True)

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("fabric.deployment.waves.soaking.soak", killed)
        with pytest.raises(KeyboardInterrupt):
            applied.apply(saved, pace=SOAKS)
    port_is(up=how == "sound")
    clock = Clock()
    monkeypatch.setattr(soaking, "time", clock)
    result = resume(
        "lab",
        targets=applied.targets(),
        journal=applied.journal,
        options=apply_options(pace=msgspec.structs.replace(SOAKS, soak_s=100, gate_poll_s=1)),
    )

    if how == "sound":
        assert result.outcome == "done"
        assert clock.now >= 200
    else:
        assert result.outcome == "failed"
        assert result.waves[-1].state == "not begun"
        assert result.waves[-1].reason == f"after wave 1 was confirmed: {canary} Ethernet1/1: is down"


def test_a_wave_that_does_not_soak_holds_no_more_than_one_of_its_steps(applied: Network) -> None:
    """The gate of a step holds the texts of its devices: all steps together those of the whole fabric."""
    changed(applied)
    held: list[int] = []

    class Events(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, DeviceStepped) and event.state == State.CONFIRMED:
                gc.collect()
                held.append(sum(isinstance(value, Gate) for value in gc.get_objects()))

    applied.events = Events()
    result = applied.apply(pace=msgspec.structs.replace(FAST, batch=1))

    assert len(held) > len(result.waves)
    assert {1} == set(held)


# --- what is asked of others

EXAMPLE = re.compile(r"```python\n(#!/usr/bin/env python3\n.*?)```", re.DOTALL)
SCONTROL = """#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word" >> "$CALLED"; done
echo . >> "$CALLED"
exit "${SCONTROL_EXITS:-0}"
"""


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program of the documentation, and a `scontrol` that writes down how it is called."""
    folder = tmp_path / "programs"
    folder.mkdir()
    page = Path(__file__).parents[2] / "docs" / "change.md"
    for name, text in (("slurm-drain", EXAMPLE.findall(page.read_text())[0]), ("scontrol", SCONTROL)):
        (folder / name).write_text(text)
        (folder / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("CALLED", str(folder / "called"))
    return folder


def isolating(network: Network, cordon: Cordon, **changed: object) -> Result:
    network.edit("mtu 9000", "mtu 4000", "leaf-0-0-0")
    plan, texts = network.plan()
    quiet = msgspec.structs.replace(plan, couplings=(), diagnostics=())
    assert {device.impact for device in plan.changed} == {"isolating"}
    return network.apply((quiet, texts), allow=frozenset({"isolating"}), cordon=cordon, **changed)


def cordon_of(folder: Path) -> Cordon:
    command = folder / "slurm-drain"
    return Cordon(
        before=f"{command} DRAIN",
        after=f"{command} RESUME",
        hosts=lambda names: tuple(f"gpu-{name[5:]}-$(id)" for name in names),
    )


def calls(folder: Path) -> list[list[str]]:
    text = (folder / "called").read_text() if (folder / "called").exists() else ""
    return [call.splitlines() for call in text.split(".\n") if call]


def test_hosts_are_drained_before_they_lose_a_path_and_come_back_after(applied: Network, slurm: Path) -> None:
    result = isolating(applied, cordon_of(slurm))

    assert result.outcome == "done"
    assert calls(slurm) == [
        ["update", "NodeName=gpu-0-0-0-$(id)", "State=DRAIN", "Reason=fabric run 2 wave 1 of lab"],
        ["update", "NodeName=gpu-0-0-0-$(id)", "State=RESUME"],
    ]


def test_a_wave_whose_window_closes_while_its_hosts_are_drained_does_not_begin(
    applied: Network, slurm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program may take an hour. Its hosts come back, and the run waits for the next window."""
    window, passes = open_for(30, monkeypatch)
    before = {name: box.running for name, box in applied.boxes().items()}

    def drained(_devices: object) -> tuple[str, ...]:
        passes(40)
        return ("gpu-0-0",)

    cordon = msgspec.structs.replace(cordon_of(slurm), hosts=drained)
    result = isolating(applied, cordon, windows=(window,))

    assert (result.outcome, result.waves[0].state) == ("stopped", "not begun")
    assert "no maintenance window is open" in result.waves[0].reason
    assert {name: box.running for name, box in applied.boxes().items()} == before
    assert [call[2] for call in calls(slurm)] == ["State=DRAIN", "State=RESUME"]
    left = applied.journal.unfinished("lab")
    assert left is not None
    assert left.state == "stopped"


def test_a_wave_that_isolates_nobody_asks_nobody(applied: Network, slurm: Path) -> None:
    changed(applied)

    assert applied.apply(cordon=cordon_of(slurm)).outcome == "done"
    assert calls(slurm) == []


@pytest.mark.parametrize("isolates", [False, True])
def test_a_wave_in_which_management_may_go_asks_only_if_it_isolates_hosts_too(
    applied: Network,
    slurm: Path,
    isolates: bool,  # noqa: FBT001
) -> None:
    applied.edit("way-in 192.0.2.10/24", "way-in 192.0.2.99/24", "leaf-0-0-0")
    if isolates:
        applied.edit("mtu 9000", "mtu 4000", "leaf-0-0-0")
    plan, texts = applied.plan()
    assert {device.impact for device in plan.changed} == {"lockout"}
    quiet = msgspec.structs.replace(plan, couplings=(), diagnostics=())
    allow = frozenset({"isolating", "lockout:*"})

    assert applied.apply((quiet, texts), allow=allow, cordon=cordon_of(slurm)).outcome == "done"
    assert [call[2] for call in calls(slurm)] == (["State=DRAIN", "State=RESUME"] if isolates else [])


def test_a_job_of_an_older_journal_that_may_isolate_is_announced() -> None:
    """It does not tell whether hosts lose a path beside management access."""
    words = {"device": "a", "platform": "toy", "wave": 1, "text": "", "before": ""}
    old = [Job(impact=impact, **words).may_isolate for impact in Impact]  # type: ignore[arg-type]

    assert [impact for impact, is_so in zip(Impact, old, strict=True) if is_so] == ["isolating", "lockout"]


def test_hosts_that_are_not_drained_lose_nothing(
    applied: Network, slurm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCONTROL_EXITS", "3")
    before = {name: box.running for name, box in applied.boxes().items()}
    result = isolating(applied, cordon_of(slurm))

    assert (result.outcome, result.waves[0].state) == ("failed", "not begun")
    assert "slurm-drain DRAIN`: exit code " in result.waves[0].reason
    assert {name: box.running for name, box in applied.boxes().items()} == before
    assert [call[2] for call in calls(slurm)] == ["State=DRAIN", "State=RESUME"]
    assert any(isinstance(event, CordonFailed) for event in applied.events)


NO_PROGRAM = {
    "no such file": "./nowhere DRAIN",
    "not executable": "./plain DRAIN",
    "no words": "",
    "an open quote": '"./slurm-drain',
    "its shell does not find it": "sh -c nowhere-at-all",
    "its interpreter is missing": "env nowhere-at-all DRAIN",
    "its shell may not run it": "sh -c ./plain",
}


@pytest.mark.parametrize("before", NO_PROGRAM.values(), ids=NO_PROGRAM)
def test_hosts_that_nobody_has_drained_are_not_brought_back(
    applied: Network, slurm: Path, before: str
) -> None:
    """Somebody else may have drained them, and for another reason."""
    (slurm / "plain").touch()
    source = SecretSource(environ=ENVIRON, folder=slurm)
    result = isolating(applied, Cordon(before=before, after="./slurm-drain RESUME"), source=source)

    assert (result.outcome, result.waves[0].state) == ("failed", "not begun")
    assert f"`{before}`: " in result.waves[0].reason
    assert "`after` does not run" in result.waves[0].reason
    assert calls(slurm) == []


@pytest.mark.parametrize("how", ["exit 1", "kill -9 $$", "sleep 1000"])
def test_hosts_that_somebody_began_to_drain_come_back(applied: Network, slurm: Path, how: str) -> None:
    (slurm / "before").write_text(f"#!/bin/sh\n{how}\n")
    (slurm / "before").chmod(stat.S_IRWXU)
    source = SecretSource(environ=ENVIRON, folder=slurm)
    timeout_s = 1 if "sleep" in how else 60
    after = "sh -c 'touch after'"
    result = isolating(applied, Cordon(before="./before", after=after, timeout_s=timeout_s), source=source)

    assert result.waves[0].state == "not begun"
    assert (slurm / "after").exists()


def test_hosts_come_back_after_a_wave_that_was_taken_back(applied: Network, slurm: Path) -> None:
    applied.box("leaf-0-0-0").fail("commit")
    result = isolating(applied, cordon_of(slurm))

    assert result.waves[0].state == "reverted"
    assert [call[2] for call in calls(slurm)] == ["State=DRAIN", "State=RESUME"]


@pytest.mark.parametrize("secret", ["LOGIN-PASSWORD", *ENVIRON.values()])
@pytest.mark.parametrize("behind", [0, 190])
@pytest.mark.parametrize("asked", ["before", "after", "gate"])
def test_a_secret_that_a_program_prints_is_told_to_nobody(
    applied: Network, slurm: Path, asked: str, secret: str, behind: int
) -> None:
    """Not in part either: only the end of a long text is told."""
    (slurm / "talks").write_text(f"#!/bin/sh\necho refused {secret}{'x' * behind} >&2\nexit 3\n")
    (slurm / "talks").chmod(stat.S_IRWXU)
    source = SecretSource(environ=ENVIRON, folder=slurm)
    programs = {"before": "true", "after": "true", asked: "./talks"}
    gate = {"thresholds": Thresholds(commands=("./talks",))} if asked == "gate" else {}
    result = isolating(
        applied, Cordon(before=programs["before"], after=programs["after"]), source=source, **gate
    )

    told = f"{result} {applied.events}"
    written = b"".join(path.read_bytes() for path in applied.folder.parent.glob("journal*"))
    assert "exit code 3: " in told
    assert b"exit code 3: " in written
    assert [part for part in (secret, secret[-8:]) if part in told or part.encode() in written] == []


def test_a_program_gets_json_and_no_shell(applied: Network, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    source = SecretSource(environ=ENVIRON, folder=tmp_path)
    isolating(applied, Cordon(before=f"tee {heard} ; touch {tmp_path}/shell"), source=source)

    assert json.loads(heard.read_text()) == {
        "site": "lab",
        "run": 2,
        "wave": 1,
        "impact": "isolating",
        "impacts": ["isolating"],
        "devices": ["leaf-0-0-0"],
        "hosts": [],
    }


def test_a_program_is_told_what_stands_behind_a_lockout(applied: Network, tmp_path: Path) -> None:
    """`lockout` is the worse word; that hosts lose their path is what the program has to know. So are the events."""
    heard = tmp_path / "heard"
    applied.edit("mtu 9000", "mtu 4000", "leaf-0-0-0")
    plan, texts = applied.plan()
    access = Change("management access", "~", Impact.LOCKOUT, Scope(whole_device=True), "a line is removed")
    devices = tuple(
        msgspec.structs.replace(device, impact=Impact.LOCKOUT, changes=(*device.changes, access))
        if device.changes
        else device
        for device in plan.devices
    )
    both = msgspec.structs.replace(plan, couplings=(), diagnostics=(), devices=devices)
    applied.apply(
        (both, texts),
        allow=frozenset({"isolating", "lockout:leaf-0-0-0"}),
        cordon=Cordon(before=f"tee {heard}"),
        source=SecretSource(environ=ENVIRON, folder=tmp_path),
    )

    told = json.loads(heard.read_text())
    assert (told["impact"], told["impacts"]) == ("lockout", ["lockout", "isolating"])
    assert [event.impacts for event in applied.events if isinstance(event, WaveStarted)] == [
        ("lockout", "isolating")
    ]


def test_hosts_are_named_if_the_journal_is_lost_while_they_are_taken_out_of_service(applied: Network) -> None:
    journal = applied.folder.parent / "journal.sqlite"
    with pytest.raises(JournalFailed, match="hosts behind leaf-0-0-0 may still be cordoned"):
        isolating(applied, Cordon(before=f"mv {journal} {journal}.away", after="true"))

    assert not journal.exists()
