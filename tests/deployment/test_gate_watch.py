"""What closes a gate, and how long it looks: each thing that a device tells, with and without a purpose behind it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.deployment import Pace, State, Thresholds
from fabric.deployment.events import DeviceStepped, Event
from fabric.deployment.gates.judge import missing, worse
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.site_commands import CommandsAsked, check_programs, complaints
from fabric.deployment.gates.snapshot import Snapshot
from fabric.diagnostics import Refused
from fabric.planning import Impact
from fabric.platforms.device_state import BgpSession, PortState
from tests.deployment.conftest import Clock, Network

PEER, PORT = "10.0.0.1", "p1"
SOUND = Snapshot(
    {PEER: BgpSession(is_up=True, received={"ipv4": 100}, installed={"ipv4": 90}, hold_s=9)},
    frozenset({(PORT, "spine-0-0", "p7")}),
    {
        PORT: PortState(
            is_up=True, speed_mbps=400_000, fec="rs544", errors=5, discards=7, marked=2, pause_sent={3: 11}
        )
    },
    {"10.255.0.9/32": 4, "10.255.0.8/32": 4},
)


def session(**changed: Any) -> Snapshot:
    known = msgspec.structs.replace(SOUND.sessions[PEER], **changed)
    return msgspec.structs.replace(SOUND, sessions={PEER: known})


def port(**changed: Any) -> Snapshot:
    return msgspec.structs.replace(SOUND, ports={PORT: msgspec.structs.replace(SOUND.ports[PORT], **changed)})


def widths(**changed: Any) -> Snapshot:
    return msgspec.structs.replace(SOUND, widths={"10.255.0.9/32": 4, "10.255.0.8/32": 4} | changed)


CLOSED = {
    "a session is down": (session(is_up=False), "BGP session with 10.0.0.1: is down"),
    "a session is gone": (
        msgspec.structs.replace(SOUND, sessions={}),
        "BGP session with 10.0.0.1: is down",
    ),
    "a neighbour is not seen": (
        msgspec.structs.replace(SOUND, neighbors=frozenset()),
        "LLDP does not see spine-0-0 p7 any more",
    ),
    "another neighbour is seen": (
        msgspec.structs.replace(SOUND, neighbors=frozenset({(PORT, "spine-0-1", "p7")})),
        "LLDP does not see spine-0-0 p7 any more",
    ),
    "a port is down": (port(is_up=False), "leaf p1: is down"),
    "a port is gone": (msgspec.structs.replace(SOUND, ports={}), "leaf p1: is down"),
    "a port is slower": (port(speed_mbps=200_000), "runs at 200,000 Mbit/s, before at 400,000"),
    "a port corrects otherwise": (port(fec="fc"), "error correction is fc, before rs544"),
    "fewer prefixes are sent": (session(received={"ipv4": 99}), "99 prefixes of ipv4 are sent, before 100"),
    "none of a family is sent": (session(received={}), "0 prefixes of ipv4 are sent, before 100"),
    "fewer prefixes are accepted": (
        session(installed={"ipv4": 1}),
        "1 prefix of ipv4 is accepted, before 90",
    ),
    "a route has fewer next hops": (
        widths(**{"10.255.0.8/32": 3}),
        "route to 10.255.0.8/32: has 3 next hops, before 4",
    ),
    "a route is gone": (
        msgspec.structs.replace(SOUND, widths={"10.255.0.8/32": 4}),
        "route to 10.255.0.9/32: is gone",
    ),
}


def judged(now: Snapshot, *purposes: Purpose, thresholds: Thresholds | None = None) -> tuple[str, ...]:
    known = {purpose.device: purpose for purpose in purposes}
    return missing("leaf", SOUND, now, known, thresholds or Thresholds())


def test_a_device_that_says_what_it_said_has_nothing_wrong() -> None:
    assert judged(SOUND) == ()
    assert worse("leaf", SOUND, SOUND, Thresholds()) == ()


@pytest.mark.parametrize("what", CLOSED)
def test_whatever_is_not_as_before_closes_the_gate_and_is_named(what: str) -> None:
    now, words = CLOSED[what]
    complaints_ = judged(now)

    assert len(complaints_) == 1
    assert complaints_[0].startswith("leaf")
    assert words in complaints_[0]


@pytest.mark.parametrize(
    ("now", "purpose"),
    [
        (session(is_up=False), Purpose("leaf", everything=True)),
        (session(is_up=False), Purpose("leaf", sessions=frozenset({PEER}))),
        (session(is_up=False), Purpose("spine-0-0", addresses=frozenset({PEER}))),
        (port(is_up=False), Purpose("leaf", ports=frozenset({PORT}))),
        (port(is_up=False), Purpose("spine-0-0", ports=frozenset({"p7"}))),
        (port(speed_mbps=200_000), Purpose("leaf", retimed=frozenset({PORT}))),
        (CLOSED["a neighbour is not seen"][0], Purpose("leaf", ports=frozenset({PORT}))),
        (CLOSED["a neighbour is not seen"][0], Purpose("spine-0-0", ports=frozenset({"p7"}))),
        (CLOSED["another neighbour is seen"][0], Purpose("other", former="spine-0-0")),
        (CLOSED["a route is gone"][0], Purpose("spine-0-0", ports=frozenset({"p9"}))),
        (session(received={}), Purpose("spine-0-0", everything=True)),
    ],
)
def test_what_a_wave_takes_down_on_purpose_does_not_close_it(now: Snapshot, purpose: Purpose) -> None:
    assert judged(now, purpose) == ()


def test_an_entry_that_was_older_than_its_cable_may_end() -> None:
    """At a port without a link, or beside the neighbour who is there now: a cable was cut, or moved, before."""
    moved = (PORT, "spine-0-1", "p9")
    cut = port(is_up=False)
    two = msgspec.structs.replace(SOUND, neighbors=SOUND.neighbors | {moved})
    none_now = msgspec.structs.replace(cut, neighbors=frozenset())

    assert missing("leaf", cut, none_now, {}, Thresholds()) == ()
    assert missing("leaf", two, SOUND, {}, Thresholds()) == ()
    for now in (none_now, msgspec.structs.replace(SOUND, neighbors=frozenset())):
        assert any("LLDP does not see" in text for text in missing("leaf", two, now, {}, Thresholds()))


@pytest.mark.parametrize(("percent", "is_open"), [(0, False), (9, False), (10, True), (None, True)])
def test_so_many_prefixes_may_be_missing_as_the_intent_allows(
    percent: float | None, *, is_open: bool
) -> None:
    now = session(received={"ipv4": 90}, installed={"ipv4": 81})

    assert (judged(now, thresholds=Thresholds(lost_prefixes_percent=percent)) == ()) is is_open


COUNTED = {
    "errors": (port(errors=9), "4 frames with errors"),
    "discards": (port(discards=11), "4 packets dropped"),
    "marked": (port(marked=6), "4 packets marked with ECN"),
    "pause_frames": (port(pause_sent={3: 13, 4: 2}), "4 PFC frames"),
}


@pytest.mark.parametrize("counter", COUNTED)
@pytest.mark.parametrize(("allowed", "is_open"), [(3, False), (4, True), (None, True)])
def test_counters_may_grow_as_far_as_the_intent_allows(
    counter: str, allowed: int | None, *, is_open: bool
) -> None:
    now, words = COUNTED[counter]
    told = worse("leaf", SOUND, now, Thresholds(**{"errors": None, counter: allowed}))

    assert (told == ()) is is_open
    assert is_open or words in told[0]


def test_errors_close_the_gate_where_the_intent_says_nothing() -> None:
    assert worse("leaf", SOUND, port(errors=6), Thresholds())


@pytest.mark.parametrize(
    ("purpose", "seen", "seconds"),
    [
        (Purpose("leaf"), SOUND, 0),
        (Purpose("leaf", touches_sessions=True), SOUND, 30),
        (Purpose("leaf", touches_sessions=True), session(hold_s=180), 180),
        (Purpose("leaf", touches_sessions=True), session(is_up=False), 0),
        (Purpose("leaf", touches_lldp=True), SOUND, 121),
        (Purpose("leaf", touches_lldp=True), msgspec.structs.replace(SOUND, neighbors=frozenset()), 0),
    ],
)
def test_the_gate_watches_as_long_as_what_is_touched_may_look_sound(
    purpose: Purpose, seen: Snapshot, seconds: float
) -> None:
    assert purpose.watch_s(seen, Thresholds(hold_s=30)) == seconds
    assert purpose.watch_s(seen, Thresholds(hold_s=30, watch_s=500)) == 500


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    made.drive_waves(monkeypatch)
    return made


SLOW = Pace(revert_in_s=200, gate_timeout_s=40, gate_poll_s=2)
NAMES = ("leaf-0-0-0",)


def test_what_dies_late_is_taken_back(
    applied: Network, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: a session that dies by its hold time 9 s after the commit was confirmed."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", *NAMES)
    box = applied.box("leaf-0-0-0")
    with box.state() as state:
        state["ports"] = {"p1": {"is_up": True}}
    slept = clock.sleep

    def sleep(seconds: float) -> None:
        slept(seconds)
        if clock.now > 9:
            with box.state() as state:
                state["ports"] = {"p1": {"is_up": False}}

    monkeypatch.setattr(clock, "sleep", sleep)
    result = applied.apply(applied.plan(), pace=SLOW, thresholds=Thresholds(watch_s=20))

    assert result.in_state(State.REVERTED) == NAMES
    assert "leaf-0-0-0 p1: is down" in result.waves[0].reason


@pytest.mark.usefixtures("clock")
def test_a_timer_that_leaves_no_time_to_watch_is_told_before_anything_is_pushed(applied: Network) -> None:
    """Of a hold time that only the device knows: it has negotiated it with a neighbour that is not ours."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", *NAMES)
    made, texts = applied.plan()
    devices = tuple(msgspec.structs.replace(device, impact=Impact.HITLESS) for device in made.devices)
    with applied.box(*NAMES).state() as state:
        state["hold_s"] = 180
    result = applied.apply((msgspec.structs.replace(made, devices=devices), texts), pace=SLOW)

    assert result.outcome == "failed"
    assert "a timer of 200 s is too short" in result.waves[0].reason
    assert "--timer 211s" in result.waves[0].reason
    stepped = [event.state for event in applied.events if isinstance(event, DeviceStepped)]
    assert State.COMMITTED not in stepped


@pytest.mark.parametrize(("command", "outcome"), [("true", "done"), ("false", "failed")])
def test_a_program_of_the_site_has_a_say(applied: Network, clock: Clock, command: str, outcome: str) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", *NAMES)
    result = applied.apply(applied.plan(), pace=SLOW, thresholds=Thresholds(commands=(command,)))

    assert result.outcome == outcome
    assert clock.now < SLOW.revert_in_s


def test_a_device_whose_timer_has_fired_is_told_as_that(applied: Network, clock: Clock) -> None:
    """Not line by line, as if somebody had typed what it runs."""
    before = applied.box("leaf-0-0-0").running
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")

    class Events(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, DeviceStepped) and event.state is State.COMMITTED:
                applied.box("leaf-0-0-0").change(lambda _: before)

    applied.events = Events()
    result = applied.apply(applied.plan(), pace=SLOW)

    back = "its own timer, or somebody, has taken the change back"
    assert result.waves[0].reason.startswith(f"leaf-0-0-0: runs what it ran before: {back}")
    assert clock.now < SLOW.revert_in_s


@pytest.mark.parametrize("command", ["./nowhere", "no-such-program --x", 'echo "', "./text"])
def test_a_program_that_cannot_run_is_missed_before_anything_is_pushed(
    applied: Network, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("no program")
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", *NAMES)
    applied.events.clear()
    with pytest.raises(Refused, match="FAB742"):
        applied.apply(applied.plan(), pace=SLOW, thresholds=Thresholds(commands=("true", command)))

    assert applied.events == []


@pytest.mark.parametrize("folder", [".", "site", "absolute"])
def test_a_program_of_the_site_is_found_from_wherever_the_site_is_named(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    for program in (site / "check", elsewhere / "only-in-path"):
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(elsewhere), prepend=os.pathsep)
    monkeypatch.chdir(site if folder == "." else tmp_path)
    named = site if folder == "absolute" else Path(folder)

    check_programs(("./check", "only-in-path"), named)
    with pytest.raises(Refused, match="FAB742"):
        check_programs(("./only-in-path",), named)
    with pytest.raises(Refused, match="FAB742"):
        check_programs(("check",), named)


def test_a_program_hears_which_wave_it_is_about_and_is_told_in_printable_words(tmp_path: Path) -> None:
    program = tmp_path / "check"
    program.write_text('#!/bin/sh\nprintf "\\033[2J$FABRIC_DEVICES in $PWD"; exit 3\n')
    program.chmod(0o755)

    def asked(command: str) -> CommandsAsked:
        return CommandsAsked(
            commands=(command,), folder=tmp_path, about={"devices": "leaf-1 leaf-2"}, hide=str
        )

    (told,) = complaints(asked("./check"))
    assert told == f"`./check`: exit code 3: ?[2Jleaf-1 leaf-2 in {tmp_path}"
    assert complaints(asked("./nowhere")) != ()
    assert complaints(asked('echo "')) != ()
