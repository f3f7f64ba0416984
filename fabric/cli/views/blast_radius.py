"""What a plan touches, in a few lines before the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fabric.cli.printing.styled_lines import BOLD, PLAIN, Line, line
from fabric.cli.views.plan import IMPACT_STYLES
from fabric.planning.model import DevicePlan, Impact, Plan
from fabric.planning.report import EFFECTS
from fabric.tables.table import DEVICES, WAVES
from fabric.units import counted, noun_of

TOUCHING = frozenset(impact for impact in Impact if Impact.HITLESS.rank < impact.rank < Impact.LOCKOUT.rank)
"""Impacts that cost packets."""


def at_a_time(devices: int) -> str:
    """How many devices change at once."""
    return "one at a time" if devices == 1 else f"{devices:,} at a time"


def blast_radius(plan: Plan, timer_s: int, at_once: int | None = None) -> Iterator[Line]:
    """What a plan touches, before anybody says yes: devices, ports, planes, traffic, and the rollback.

    `at_once`: most devices of a wave that are changed at once; None: all of it are.
    """
    changed = plan.changed
    yield line("This changes the running network:", BOLD)
    yield line(
        f"  devices  {len(changed):,} in {counted(len(plan.waves), WAVES)}: {_roles(changed)}{_parts(plan, at_once)}"
    )
    yield line(f"  ports    {_ports(changed)}")
    yield from _planes(plan)
    words = Counter(impact for device in changed for impact in device.impacts)
    for impact, count in sorted(words.items(), key=lambda row: -row[0].rank):
        yield (
            ("  traffic  ", PLAIN),
            (impact.value, IMPACT_STYLES[impact]),
            (f" on {count:,}: {EFFECTS[impact]}", PLAIN),
        )
    yield line(f"  rollback each device reverts by itself after {timer_s:,} s unless the change is confirmed")


def _parts(plan: Plan, at_once: int | None) -> str:
    """How many devices change at once, where that is fewer than a wave has. What changes together is never parted."""
    wide = [wave for wave in plan.waves if at_once is not None and len(wave.devices) > at_once]
    whole = [f"{wave.number:,}" for wave in wide if wave.in_turn or wave.together]
    words = [at_a_time(at_once)] if at_once is not None and len(wide) > len(whole) else []
    words += [f"wave {', '.join(whole)} as a whole"] if whole else []
    return f"; {', but '.join(words)}" if words else ""


def _roles(devices: Sequence[DevicePlan]) -> str:
    roles: dict[str, int] = {}
    for device in devices:
        roles[device.role] = roles.get(device.role, 0) + 1
    return ", ".join(f"{count:,} {role}" for role, count in roles.items())


def _ports(devices: Sequence[DevicePlan]) -> str:
    """Ports named by scopes of changes that touch traffic, and devices touched as a whole."""
    touching = [(d, c) for d in devices for c in d.changes if c.impact in TOUCHING]
    whole = {device.device for device, change in touching if change.scope.whole_device}
    ports = {
        (d.device, port) for d, change in touching if d.device not in whole for port in change.scope.ports
    }
    scopes = [f"{len(ports):,}"] if ports else []
    scopes += [f"all of {counted(len(whole), DEVICES)}"] if whole else []
    verb = "lose" if whole or len(ports) > 1 else "loses"
    return f"{' and '.join(scopes) or 'none'} {verb} packets"


def _planes(plan: Plan) -> Iterator[Line]:
    """The planes that change, if the fabric has any, and whether one is whole while another loses packets.

    A switch of no plane, in a network that has some, carries all of them.
    """
    by_network: dict[str, set[int]] = {}
    for device in plan.changed:
        if device.plane >= 0:
            by_network.setdefault(device.network, set()).add(device.plane)
    if not by_network:
        return
    losing = {
        d.device: {d.plane} if d.plane >= 0 else by_network.get(d.network, set())
        for d in plan.changed
        if not TOUCHING.isdisjoint(c.impact for c in d.changes)
    }
    at_once = [set[int]().union(*(losing.get(name, ()) for name in wave.devices)) for wave in plan.waves]
    several = [str(wave.number) for wave, found in zip(plan.waves, at_once, strict=True) if len(found) > 1]
    note = ""
    if several:
        note = f"; more than one at once loses packets in {noun_of(len(several), WAVES)} {', '.join(several)}"
    elif len(set().union(*at_once)) > 1:
        note = "; never two at once lose packets"
    planes = sorted(set().union(*by_network.values()))
    yield line(f"  planes   {', '.join(map(str, planes))}{note}")
