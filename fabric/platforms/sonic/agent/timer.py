"""The timer that takes a change back: a transient timer of systemd, which SONiC always has.

It is armed before the first row is changed; it outlives the SSH connection and `config reload`, as it is not part of
that command's target. A restart ends it, and needs none: see the package. While FRR's own file holds what waits, a
unit that runs before its container puts the old one back.
"""

from __future__ import annotations

from fabric.platforms.sonic.agent.machine import NAME, STATE, Machine, Refused, last_line

PROGRAM = f"{STATE}/agent.py"
PYTHON = ("/usr/bin/python3", "-I", "-X", "utf8")
UNIT = f"{NAME}-restore.service"
UNIT_FILE = f"/etc/systemd/system/{UNIT}"
UNIT_TEXT = f"""[Unit]
Description=Put back the frr.conf of a change that was not confirmed
ConditionPathExistsGlob={STATE}/pending-*.json
Before=bgp.service

[Service]
Type=oneshot
ExecStart={" ".join(PYTHON)} {PROGRAM} {NAME} boot

[Install]
WantedBy=multi-user.target
"""


TIMER, GUARD = "timer", "guard"
"""The timer that was asked for, and the one while the change is being made."""


def armed(machine: Machine, token: str, seconds: float, kind: str = TIMER) -> None:
    """Start a timer of a change."""
    options = (f"--on-active={max(seconds, 0.1):.1f}s", "--timer-property=AccuracySec=100ms", "--collect")
    words = (f"--unit={_unit(token, kind)}", *options, *PYTHON, PROGRAM, NAME, kind, token)
    done = machine.execute("systemd-run", *words)
    if done.status:
        raise Refused("commit", f"systemd-run: {last_line(done.err)}")


def _unit(token: str, kind: str) -> str:
    return f"{NAME}-{kind}-{token}"


def disarmed(machine: Machine, token: str, *kinds: str) -> None:
    """Stop timers. One that has begun finds that nothing waits any more, and ends by itself."""
    for kind in kinds or (TIMER, GUARD):
        machine.execute("systemctl", "stop", f"{_unit(token, kind)}.timer")


def is_alive(machine: Machine, token: str) -> bool:
    """Whether the timer that was asked for counts."""
    return machine.execute("systemctl", "is-active", "--quiet", f"{_unit(token, TIMER)}.timer").status == 0


def guard_boot(machine: Machine) -> None:
    """From now on a start of the machine puts the old frr.conf back first."""
    machine.write(UNIT_FILE, UNIT_TEXT)
    done = machine.execute("systemctl", "enable", UNIT)
    if done.status:
        raise Refused("commit", f"systemctl enable: {last_line(done.err)}")


def unguard_boot(machine: Machine) -> None:
    """No more."""
    if machine.read(UNIT_FILE) is not None:
        machine.execute("systemctl", "disable", UNIT)
        machine.remove(UNIT_FILE)
