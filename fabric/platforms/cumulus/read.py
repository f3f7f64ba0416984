"""From an NVUE file of either dialect to neutral facts. Every setting that no row knows is returned."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts, Reading
from fabric.platforms.cumulus.tree import Leaf, leaves

ON = frozenset({"on", "enabled", "enable", "true"})
Match = re.Match[str]


class _State:
    """What was read so far."""

    def __init__(self) -> None:
        self.top: dict[str, Any] = {}
        self.interfaces: dict[str, dict[str, Any]] = {}
        self.neighbors: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.dscp: dict[int, int] = {}
        self.queues: dict[int, int] = {}
        self.profiles: dict[str, dict[int, dict[str, Any]]] = {}
        self.paused: dict[str, list[int]] = {}
        self.watchdog: dict[str, int] = {}
        self.policies: dict[str, list[str]] = {}
        self.services: dict[str, list[str]] = {}
        self.cages: set[str] = set()


Row = tuple[re.Pattern[str], Callable[[_State, Match, str], None] | None]


def _interface(field: str, convert: Callable[[str], Any]) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, value: str) -> None:
        state.interfaces.setdefault(match[1], {})[field] = convert(value)

    return handle


def _address(state: _State, match: Match, _value: str) -> None:
    if match[2] != "dhcp":
        state.interfaces.setdefault(match[1], {}).setdefault("addresses", []).append(match[2])


def _link_state(state: _State, match: Match, _value: str) -> None:
    state.interfaces.setdefault(match[1], {})["enabled"] = match[2] == "up"


def _cage(state: _State, match: Match, _value: str) -> None:
    state.cages.add(match[1])
    state.services.setdefault("breakouts", []).append(f"{match[1]} {match[2]}")


def _top(field: str, convert: Callable[[str], Any]) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, _match: Match, value: str) -> None:
        state.top[field] = convert(value)

    return handle


def _note(section: str, text: str = "") -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, value: str) -> None:
        state.services.setdefault(section, []).append(match.expand(text) if text else value)

    return handle


def _paths(state: _State, _match: Match, value: str) -> None:
    state.top["max_paths"] = int(value)


def _neighbor(field: str, convert: Callable[[str], Any]) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, value: str) -> None:
        state.neighbors.setdefault(match[1], {})[field] = convert(value)

    return handle


def _group(field: str) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, _value: str) -> None:
        state.groups.setdefault(match[1], {})[field] = True

    return handle


def _group_note(text: str) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, value: str) -> None:
        words = match.expand(text).replace("VALUE", value if value not in ON else "on")
        state.policies.setdefault(f"group {match[1]}", []).append(words)

    return handle


def _policy(text: str) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, value: str) -> None:
        state.policies.setdefault(match[1], []).append(match.expand(text).replace("VALUE", value).strip())

    return handle


def _dscp(state: _State, match: Match, value: str) -> None:
    state.dscp[int(match[1])] = int(value)


def _queue(state: _State, match: Match, value: str) -> None:
    state.queues[int(match[1])] = int(value)


def _class(field: str, convert: Callable[[str], Any]) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, match: Match, value: str) -> None:
        queue = state.profiles.setdefault(match[1], {}).setdefault(int(match[2]), {})
        queue[field] = convert(value)

    return handle


def _paused(state: _State, match: Match, _value: str) -> None:
    state.paused.setdefault(match[1], []).append(int(match[2]))


def _watchdog(field: str) -> Callable[[_State, Match, str], None]:
    def handle(state: _State, _match: Match, value: str) -> None:
        state.watchdog[field] = int(value)

    return handle


def _speed(text: str) -> int | None:
    return int(text[:-1]) * 1000 if re.fullmatch(r"\d+G", text) else None


IF = r"interface (\S+)"
BGP = r"vrf default router bgp"
PEER, AF = rf"{BGP} peer-group (\S+)", r"address-family (ipv[46])-unicast"
ROWS: tuple[tuple[str, Callable[[_State, Match, str], None] | None], ...] = (
    (rf"{IF} type", None),
    (rf"{IF} description", _interface("description", str)),
    (rf"{IF} (?:ip|ipv4|ipv6) address (\S+)", _address),
    (rf"{IF} (?:ip|ipv4|ipv6) gateway (\S+)", _note("static routes", r"\1 \2")),
    (rf"{IF} ipv[46] dhcp-client state", None),
    (rf"{IF} (?:ip )?vrf", _interface("vrf", str)),
    (rf"{IF} link mtu", _interface("ip_mtu_bytes", int)),
    (rf"{IF} link speed", _interface("speed_mbps", _speed)),
    (rf"{IF} link fec", None),
    (rf"{IF} link state (up|down)", _link_state),
    (rf"{IF} link breakout (\S+?)(?: lanes-per-port)?", _cage),
    (rf"{IF} qos egress-scheduler profile", _interface("queueing", str)),
    (rf"{IF} qos (?:congestion-control|pfc) profile", None),
    (rf"{IF} qos pfc-watchdog state", None),
    (rf"{IF} router adaptive-routing (?:enable|state)", _note("adaptive routing", r"\1")),
    (r"system hostname", _top("hostname", str)),
    (r"system aaa (?:class|role) .*", None),
    (r"system aaa authentication-order \d+", None),
    (r"system aaa user (\S+) hashed-password", None),
    (r"system aaa user (\S+) role", lambda s, m, v: s.services.setdefault("users", []).append(f"{m[1]} role {v}")),
    (
        r"system aaa user (\S+) ssh authorized-key \S+ key",
        lambda s, m, v: s.services.setdefault("users", []).append(f"{m[1]} key {v}"),
    ),
    (r"system aaa user (\S+) ssh authorized-key \S+ type", None),
    (r"system aaa user (\S+) full-name", None),
    (r"system aaa tacacs server (\S+) priority", _note("aaa", r"tacacs \1")),
    (r"system aaa tacacs server (\S+) secret", None),
    (r"system aaa tacacs accounting state", _note("aaa accounting")),
    (r"system aaa tacacs vrf", None),
    (r"system api state", None),
    (r"system config auto-save (?:enable|state)", None),
    (
        r"system forwarding ecmp-hash (\S+)",
        lambda s, m, v: s.services.setdefault("hash", []).append(m[1]) if v in ON else None,
    ),
    (r"system message pre-login", _note("banner")),
    (r"system ssh-server inactive-timeout", _note("ssh")),
    (r"(?:service|system) lldp state", _note("lldp")),
    (r"(?:service dns \S+|system dns) server (\S+)", _note("dns", r"server \1")),
    (r"(?:service dns \S+|system dns) search (\S+)", _note("dns", r"domain \1")),
    (r"(?:service ntp \S+|system ntp) server (\S+)(?: iburst)?", _note("ntp", r"server \1")),
    (r"(?:service syslog \S+|system syslog) server (\S+)(?: vrf)?", _note("logging", r"host \1")),
    (r"router adaptive-routing (?:enable|state)", None),
    (r"router bfd state", None),
    (r"router bfd profile \S+ (detect-multiplier|min-rx-interval|min-tx-interval)",
     lambda s, m, v: s.services.setdefault("bfd", []).append(f"{m[1]} {v}")),
    (r"router bgp autonomous-system", _top("asn", int)),
    (r"router bgp router-id", _top("router_id", str)),
    (r"router bgp (?:enable|state)", None),
    (r"router policy community-list (\S+) rule (\d+) action", _policy(r"\2 VALUE")),
    (r"router policy community-list (\S+) rule (\d+) community (\S+)", _policy(r"\2 \3")),
    (r"router policy prefix-list (\S+) rule (\d+) action", _policy(r"\2 VALUE")),
    (r"router policy prefix-list (\S+) rule (\d+) match (\S+)(?: (max|min)-prefix-len)?", _policy(r"\2 \3 \4 VALUE")),
    (r"router policy prefix-list (\S+) type", _policy(r"VALUE")),
    (r"router policy route-map (\S+) rule (\d+) action(?: (permit|deny))?", _policy(r"\2 \3 VALUE")),
    (r"router policy route-map (\S+) rule (\d+) match (ip-prefix-list|type|community-list)", _policy(r"\2 \3 VALUE")),
    (r"router policy route-map (\S+) rule (\d+) set community (\S+)", _policy(r"\2 set \3")),
    (rf"{BGP} (?:enable|state)", None),
    (rf"{BGP} {AF} (?:enable|state)", _note("families", r"\1")),
    (rf"{BGP} {AF} multipaths ebgp", _paths),
    (rf"{BGP} {AF} aggregate-route (\S+) summary-only", _note("bgp", r"aggregate \2")),
    (rf"{BGP} {AF} redistribute connected (?:enable|state)", None),
    (rf"{BGP} {AF} redistribute connected route-map", None),
    (rf"{BGP} path-selection multipath aspath-ignore", None),
    (rf"{BGP} neighbor (\S+) description", None),
    (rf"{BGP} neighbor (\S+) type", None),
    (rf"{BGP} neighbor (\S+) remote-as", _neighbor("remote_asn", lambda v: int(v) if v.isdigit() else None)),
    (rf"{BGP} neighbor (\S+) peer-group", _neighbor("policy", str)),
    (rf"{PEER} bfd (?:profile|enable|state)", _group("bfd")),
    (
        rf"{PEER} bfd (detect-multiplier|min-rx-interval|min-tx-interval)",
        lambda s, m, v: s.services.setdefault("bfd", []).append(f"{m[2]} {v}"),
    ),
    (rf"{PEER} password", _group("password")),
    (rf"{PEER} shutdown", _group_note("shutdown")),
    (rf"{PEER} timers (hold|keepalive)", _group_note(r"\2 VALUE")),
    (rf"{PEER} {AF} (?:enable|state)", lambda s, m, v: _group_note(r"\2 activate")(s, m, v) if v in ON else None),
    (rf"{PEER} {AF} policy (inbound|outbound) route-map", _group_note(r"\2 \3 VALUE")),
    (rf"{PEER} {AF} aspath allow-my-asn (?:enable|state)", None),
    (rf"{PEER} {AF} aspath allow-my-asn occurrences", _group_note(r"\2 own VALUE")),
    (r"qos mapping default-global trust", None),
    (r"qos mapping default-global dscp (\d+) switch-priority", _dscp),
    (r"qos egress-queue-mapping default-global switch-priority (\d+) traffic-class", _queue),
    (r"qos egress-scheduler (\S+) traffic-class (\d+) mode", _class("strict", lambda v: v == "strict")),
    (r"qos egress-scheduler (\S+) traffic-class (\d+) bw-percent", _class("share_percent", int)),
    (r"qos congestion-control (\S+) traffic-class (\d+) ecn", None),
    (r"qos congestion-control (\S+) traffic-class (\d+) min-threshold", _class("low", int)),
    (r"qos congestion-control (\S+) traffic-class (\d+) max-threshold", _class("high", int)),
    (r"qos congestion-control (\S+) traffic-class (\d+) probability", _class("probability", int)),
    (r"qos pfc (\S+) switch-priority (\d+)", _paused),
    (r"qos pfc (\S+) cable-length", lambda s, m, v: s.services.setdefault("cables", []).append(f"{m[1]} {v} m")),
    (r"qos pfc (\S+) (?:rx|tx)", None),
    (r"qos pfc-watchdog polling-interval", _watchdog("poll")),
    (r"qos pfc-watchdog robustness", _watchdog("robustness")),
    (r"qos traffic-pool (\S+) memory-percent",
     lambda s, m, v: s.services.setdefault("pools", []).append(f"{m[1]} {v}")),
)  # fmt: skip
"""Path, without its value, to what it says; None: known, and nothing that we keep."""


def _index() -> dict[str, list[Row]]:
    """The rows by the first word of the path."""
    found: dict[str, list[Row]] = {}
    for pattern, handle in ROWS:
        words = ("service", "system") if pattern.startswith("(?:service") else (pattern.split(" ")[0],)
        for word in words:
            found.setdefault(word, []).append((re.compile(pattern), handle))
    return found


INDEX = _index()


def read(text: str) -> Reading:
    """What an NVUE file says, and the lines that we do not know."""
    state = _State()
    lines: list[str] | None = None
    unread: list[tuple[int, str]] = []
    for leaf in leaves(text):
        if not _known(state, leaf):
            lines = text.splitlines() if lines is None else lines
            unread.append(
                (leaf.line, lines[leaf.line - 1].strip() if leaf.line <= len(lines) else leaf.value)
            )
    return Reading(_facts(state), tuple(unread))


def _known(state: _State, leaf: Leaf) -> bool:
    if not leaf.path:
        return False
    path = " ".join(leaf.path)
    for pattern, handle in INDEX.get(leaf.path[0], ()):
        match = pattern.fullmatch(path)
        if match is not None:
            try:
                if handle is not None:
                    handle(state, match, leaf.value)
            except ValueError:  # a word where a number should be: reported as unread
                return False
            return True
    return False


def _facts(state: _State) -> Facts:
    watchdog = state.watchdog
    poll = watchdog.get("poll", 0)
    return Facts(
        interfaces={
            name: InterfaceFacts(**(values | {"addresses": tuple(values.get("addresses", ()))}))
            for name, values in state.interfaces.items()
            if values or name not in state.cages
        },
        neighbors={key: _neighbor_facts(state, values) for key, values in state.neighbors.items()},
        dscp_to_traffic_class=dict(sorted(state.dscp.items())),
        traffic_class_to_queue=dict(sorted(state.queues.items())),
        profiles={name: _profile(state, name, found) for name, found in state.profiles.items()},
        watchdog=("drop", poll * watchdog.get("robustness", 3), 0, poll) if poll else None,
        policies={name: "; ".join(sorted(set(lines))) for name, lines in state.policies.items()},
        services={name: "\n".join(sorted(set(lines))) for name, lines in state.services.items()},
        **state.top,
    )


def _neighbor_facts(state: _State, values: dict[str, Any]) -> NeighborFacts:
    group = state.groups.get(values.get("policy", ""), {})
    return NeighborFacts(
        remote_asn=values.get("remote_asn"),
        bfd=bool(group.get("bfd")),
        has_password=bool(group.get("password")),
        policy=values.get("policy", ""),
    )


def _profile(state: _State, name: str, found: dict[int, dict[str, Any]]) -> dict[int, ClassFacts]:
    paused = {state.queues.get(one, one): one for one in state.paused.get(name, ())}
    return {
        queue: ClassFacts(
            priority=paused.get(queue),
            strict=values.get("strict", False),
            share_percent=values.get("share_percent"),
            ecn=(values.get("low", 0), values["high"], values.get("probability", 0))
            if "high" in values
            else None,
        )
        for queue, values in sorted(found.items())
    }
