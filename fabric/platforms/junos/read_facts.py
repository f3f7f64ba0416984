"""What the reader has understood, as neutral facts."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.junos.curly import in_terms
from fabric.platforms.junos.names import INSTANCE
from fabric.platforms.junos.read_state import CosState, State
from fabric.platforms.junos.rules import DROPS

WATCHDOG = {"poll-interval": "100", "detection": "2", "recovery": "200", "watchdog-action": "drop"}
"""What Junos does unless said otherwise (Juniper CLI reference, `pfc-watchdog`)."""


def facts(state: State) -> Facts:
    """Everything together."""
    cos = state.cos
    points = {
        point: cos.queues[name] for name, found in cos.points.items() if name in cos.queues for point in found
    }
    groups = {f"group {name}": "; ".join(sorted(one.settings)) for name, one in state.groups.items()}
    return Facts(
        **state.facts,
        interfaces=_interfaces(state),
        neighbors=_neighbors(state),
        dscp_to_traffic_class=dict(sorted(points.items())),
        traffic_class_to_queue={number: number for number in sorted(set(cos.queues.values()))},
        profiles=_profiles(cos),
        watchdog=_watchdog(cos),
        policies={name: in_terms(lines) for name, lines in state.policies.items()} | groups,
        services=_services(state),
    )


def _interfaces(state: State) -> dict[str, InterfaceFacts]:
    """Ports; a split cage is none, and a name with `*` stands for all ports that match it."""
    names = [name for name in state.interfaces if "*" not in name]
    split = {name.partition(":")[0] for name in names if name.startswith("et-") and ":" in name}
    return {name: _interface(state, name) for name in names if name not in split}


def _interface(state: State, name: str) -> InterfaceFacts:
    known = [one for other, one in state.interfaces.items() if "*" in other and fnmatchcase(name, other)]
    said = {key: value for one in (*known, state.interfaces[name]) for key, value in one.items()}
    cage = state.interfaces.get(name.partition(":")[0], {})
    said.setdefault("speed_mbps", cage.get("speed_mbps"))
    both = {"inet", "inet6"} <= state.families.get(name, set())
    vrf = INSTANCE if state.instance and name.startswith("re0:") else "default"
    return InterfaceFacts(**said, vrf=vrf, link_local=both and not said.get("addresses"))


def _neighbors(state: State) -> dict[str, NeighborFacts]:
    found = {}
    for name, group in state.groups.items():
        over = dict.fromkeys(group.interfaces, state.lists.get(group.as_list))
        for key, asn in (group.neighbors | over).items():
            found[key] = NeighborFacts(
                remote_asn=asn,
                bfd=group.bfd,
                has_password=group.key,
                max_prefixes=group.max_prefixes,
                policy=name,
            )
    return found


def _profiles(cos: CosState) -> dict[str, dict[int, ClassFacts]]:
    found: dict[str, dict[int, ClassFacts]] = {}
    for profile, rows in cos.maps.items():
        for name, scheduler in rows:
            if name in cos.queues:
                one = ClassFacts(
                    priority=cos.priorities.get(name),
                    strict=scheduler in cos.strict,
                    max_rate_percent=cos.max_rates.get(scheduler),
                    share_percent=cos.rates.get(scheduler),
                    ecn=_marking(cos, scheduler),
                )
                found.setdefault(profile, {}).setdefault(cos.queues[name], one)
    return {name: dict(sorted(one.items())) for name, one in found.items()}


def _marking(cos: CosState, scheduler: str) -> tuple[int, int, int] | None:
    """In bytes, if the drop profile's name says of how many."""
    name = cos.drops.get(scheduler, "")
    depth = re.fullmatch(DROPS, name)
    if depth is None or name not in cos.fills or name not in cos.chances:
        return None
    low, high = (level * int(depth[1]) // 100 for level in cos.fills[name])
    return low, high, cos.chances[name]


def _watchdog(cos: CosState) -> tuple[str, int, int, int] | None:
    for said in cos.watchdogs.values():
        words = WATCHDOG | said
        poll = int(words["poll-interval"])
        return words["watchdog-action"], poll * int(words["detection"]), int(words["recovery"]), poll
    return None


def _services(state: State) -> dict[str, str]:
    """Settings by section, sorted; with the marking curves whose queue depth nobody says."""
    found = {section: list(lines) for section, lines in state.services.items()}
    if state.watchers:
        found["snmp users"] = [" ".join((name, *words)) for name, words in state.watchers.items()]
    curves = [
        f"{name} from {low}% to {high}%, probability {state.cos.chances.get(name, 0)}%"
        for name, (low, high) in state.cos.fills.items()
        if not re.fullmatch(DROPS, name)
    ]
    if curves:
        found["drop-profiles"] = curves
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}
