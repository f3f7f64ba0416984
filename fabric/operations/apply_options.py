"""What the intent and the operator say of how a change is carried out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import time
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from fabric import __version__, deployment
from fabric.compiler import Compiled
from fabric.deployment import ApplyOptions, Journal, Workplace
from fabric.devices.model import LinkRole, Switch
from fabric.intent.model import Window
from fabric.intent.secret_variables import secret_variables
from fabric.operations.surroundings import SurroundingsOfSite
from fabric.planning import Plan
from fabric.planning.cut_off.without_path import rails_without_path
from fabric.planning.impact import OUT_OF_SIGHT
from fabric.platforms.base import Facts
from fabric.platforms.ports import announced_ports
from fabric.platforms.registry import platform


def apply_options(
    compiled: Compiled,
    place: Workplace,
    allow: Iterable[str],
    pace: deployment.Pace | None,
    now_reason: str = "",
) -> ApplyOptions:
    """What a run needs beside the plan: the words of the intent on gates, windows and programs, and the operator's."""
    wanted = compiled.intent.site.deployment
    facts = cache(_facts)  # each wave that is cordoned asks for those of the whole site
    return ApplyOptions(
        cordon=deployment.Cordon(
            before=wanted.cordon.before,
            after=wanted.cordon.after,
            timeout_s=wanted.cordon.timeout_ms / 1000,
            hosts=lambda names: _hosts_behind(compiled, names),
            leaves=lambda names: _leaves_of(compiled, names),
            without_path=lambda journal, dead: _rails_without_path(compiled, journal, dead, facts),
            hidden=secret_variables(compiled.intent),
        ),
        windows=_windows(compiled),
        now_reason=now_reason,
        intent=compiled.digest,
        program=__version__,
        allow=frozenset(allow),
        pace=pace or deployment.Pace(),
        thresholds=_thresholds(compiled),
        port_names=_port_names(compiled),
        around=SurroundingsOfSite(compiled),
        source=place.source,
        revision=deployment.site_revision(compiled.folder),
        stand_ins=place.stand_ins,
    )


def check_plan(
    plan: Plan,
    compiled: Compiled,
    place: Workplace,
    allow: Iterable[str],
    pace: deployment.Pace | None = None,
) -> None:
    """`Refused` if an apply of the plan would be, for what is known without asking a device or for a secret."""
    options = ApplyOptions(
        intent=compiled.digest,
        program=__version__,
        allow=frozenset(allow),
        pace=pace or deployment.Pace(),
        thresholds=_thresholds(compiled),
        stand_ins=place.stand_ins,
    )
    applied = place.last_applied(plan.site, offline=plan.mode == "offline") or {}
    deployment.check_plan(plan, applied, options)


def check_window(compiled: Compiled, now_reason: str = "") -> None:
    """`Refused` outside the maintenance windows of the intent, unless somebody gives a reason to begin now."""
    deployment.check_window(_windows(compiled), now_reason)


def _windows(compiled: Compiled) -> tuple[deployment.Window, ...]:
    return tuple(_window(window) for window in compiled.intent.site.deployment.windows)


def _window(window: Window) -> deployment.Window:
    return deployment.Window(
        days=frozenset(deployment.WEEKDAYS.index(day) for day in window.days),
        begins=time.fromisoformat(window.begins),
        ends=time.fromisoformat(window.ends),
        zone=ZoneInfo(window.zone),
    )


def _hosts_behind(compiled: Compiled, names: Iterable[str]) -> tuple[str, ...]:
    """The hosts of leaves, and where a device is not a leaf, every host of its network."""
    changed = [compiled.devices[name] for name in names if name in compiled.devices]
    networks = {device.network for device in changed if device.role != "leaf"}
    ports = (port for leaf in changed if isinstance(leaf, Switch) for port in leaf.ports)
    found = {port.peer for port in ports if port.role is LinkRole.HOST and port.peer}
    found |= {
        name
        for name, host in compiled.devices.hosts.items()
        if any(port.network in networks for port in host.ports)
    }
    return tuple(sorted(found))


def _leaves_of(compiled: Compiled, hosts: Iterable[str]) -> tuple[str, ...]:
    known = (compiled.devices.hosts[name] for name in hosts if name in compiled.devices.hosts)
    return tuple(sorted({port.peer for host in known for port in host.ports if port.peer}))


def _facts(product: str, text: str) -> Facts:
    """What a configuration says."""
    return platform(product).read(text).facts


def _rails_without_path(
    compiled: Compiled, journal: Journal, dead: Collection[str], facts: Callable[[str, str], Facts]
) -> dict[str, frozenset[str]]:
    """The rails of each host that no leaf carries, by what was applied last on each switch.

    A switch that is `dead` counts as if it carried nothing. A leaf that is drained gracefully does as well, as it is
    about to be taken away; one above it carries what has no other way. Hosts on InfiniBand alone have every path, as
    nobody asks its switches.
    """
    applied = journal.last_applied(compiled.intent.site.site, compiled.known_platform)

    @cache
    def running(name: str) -> Facts | None:
        if name in dead:
            return OUT_OF_SIGHT
        known = applied.get(name)
        if known is None or not (known.text or known.drained):
            return None
        device = compiled.devices[name]
        is_left = known.drained and device.role == "leaf"
        return OUT_OF_SIGHT if is_left else facts(device.platform, known.text)

    others = dict.fromkeys(compiled.devices.hosts, frozenset[str]())
    return others | rails_without_path(compiled.devices, running)


def _thresholds(compiled: Compiled) -> deployment.Thresholds:
    """What the intent says of the gate, and the longest hold time of the site's networks."""
    gate = compiled.intent.site.deployment.gate
    holds = (int(context.network.routing.bgp.hold_ms) // 1000 for context in compiled.devices.contexts)
    return deployment.Thresholds(
        watch_s=gate.watch_ms / 1000,
        hold_s=max(holds, default=0),
        lost_prefixes_percent=gate.lost_prefixes,
        errors=gate.errors,
        discards=gate.discards,
        pause_frames=gate.pause_frames,
        marked=gate.marked,
        drained_below_mbps=gate.drained_below_mbps,
        commands=gate.commands,
        hidden=secret_variables(compiled.intent),
    )


def _port_names(compiled: Compiled) -> Callable[[str], Mapping[str, str]]:
    """What LLDP may call the ports of a device of the site, to what they are called here."""

    @lru_cache(maxsize=128)
    def names(device: str) -> Mapping[str, str]:
        known = compiled.devices.get(device)
        if not isinstance(known, Switch):
            return {}
        return announced_ports(platform(known.platform).announced_port, known)

    return names
