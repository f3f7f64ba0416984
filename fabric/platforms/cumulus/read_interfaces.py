"""Rows of `interface` and `bridge`."""

from __future__ import annotations

import re

from fabric.platforms.cumulus.reading import ON, Match, Row, State, interface, note, noted_if_on


def _address(state: State, match: Match, _value: str) -> None:
    if match[2] != "dhcp":
        state.interface(match[1]).setdefault("addresses", []).append(match[2])


def _tagged(state: State, match: Match, _value: str) -> None:
    state.interface(match[1]).update(vlan=int(match[2]), tagged=True)


def _link_state(state: State, match: Match, value: str) -> None:
    state.interface(match[1])["enabled"] = (match[2] or value) == "up"


def _cage(state: State, match: Match, value: str) -> None:
    state.cages.add(match[1])
    state.note("breakouts", f"{match[1]} {match[2]} {value}".strip())


def _bound(state: State, match: Match, value: str) -> None:
    state.bound.setdefault(match[1], {})[match[2]] = value


def _told(state: State, match: Match, value: str) -> None:
    if value in ON:
        state.note("router advertisements", f"{match[1]} {match[2]}")


def _speed(text: str) -> int | None:
    return int(text[:-1]) * 1000 if re.fullmatch(r"\d+G", text) else None


IF = r"interface (\S+)"
ND = rf"{IF} (?:ip|ipv6) neighbor-discovery"
ROWS: tuple[Row, ...] = (
    (rf"{IF} type", None),
    (rf"{IF} description", interface("description", str)),
    (rf"{IF} (?:ip|ipv4|ipv6) address (\S+)", _address),
    (rf"{IF} (?:ip|ipv4|ipv6) gateway (\S+)", note("static routes", r"\1 \2")),
    (rf"{IF} ipv[46] dhcp-client state", None),
    (rf"{IF} (?:ip )?vrf", interface("vrf", str)),
    (rf"{IF} vlan", interface("vlan", int)),
    (rf"{IF} bridge domain \S+ access", interface("vlan", int)),
    (rf"{IF} bridge domain \S+ vlan (\d+)", _tagged),
    (rf"{IF} bridge domain \S+ untagged", None),
    (rf"{IF} bridge domain \S+ stp admin-edge", None),
    (rf"{ND} prefix (\S+) autoconfig", _told),
    (rf"{ND} router-advertisement (?:enable|state)", noted_if_on("router advertisements", r"\1 on")),
    (rf"{IF} link mtu", interface("ip_mtu_bytes", int)),
    (rf"{IF} link speed", interface("speed_mbps", _speed)),
    (rf"{IF} link (?:fec|auto-negotiate)", None),
    (rf"{IF} link state(?: (up|down))?", _link_state),
    (rf"{IF} link breakout (\S+?)(?: lanes-per-port)?", _cage),
    (rf"{IF} qos (egress-scheduler|congestion-control|egress-shaper|pfc) profile", _bound),
    (rf"{IF} qos pfc-watchdog(?: state)?", None),
    (rf"{IF} packet-trim egress-eligibility traffic-class (\d+)", note("trimming", r"\1 class \2")),
    (rf"{IF} router adaptive-routing (?:enable|state)", noted_if_on("adaptive routing", r"\1")),
    (r"bridge domain (\S+) vlan (\S+)", note("vlans", r"\2")),
)
