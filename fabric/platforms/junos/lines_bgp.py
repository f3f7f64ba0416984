"""Every statement of BGP, and of what a switch is called in it."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.configuration import Effect, Parts, Statement
from fabric.platforms.effects import ROUTER_ID
from fabric.platforms.junos.rows import anything, entered, noted, stanza, values
from fabric.platforms.junos.state import Group, JunosState, Place
from fabric.platforms.reading import added, fixed, put

ANEW = Effect("flap", "sessions are built anew", "session")
"""What cannot change while a session stays up."""
SOFT = Effect("hitless", "sessions stay; routes are chosen anew")
ALL_ANEW = Effect("flap", "AS number or all sessions change: they are built anew", new="hitless")
TEXT = Effect("none", "text only")
LOGS = Effect("none", "logs only")


def bgp_lines() -> tuple[Statement, ...]:
    """`protocols bgp`."""
    return (
        stanza(
            "bgp",
            Statement("log-updown", effect=LOGS),
            stanza("graceful-restart", *anything(), reads=_of_all),
            stanza("graceful-shutdown", *anything(), reads=_of_all, effect=SOFT),
            stanza("group <group>", *_group(), reads=_entered_group, effect=ANEW),
            effect=ALL_ANEW,
            is_container=True,
        ),
    )


def number_lines() -> tuple[Statement, ...]:
    """Of `routing-options`: the router id and the AS number."""
    return (
        Statement("router-id {id}", reads=put("router_id", "id"), effect=ROUTER_ID),
        Statement(r"autonomous-system {asn:\d+} [loops {loops:\d+}]", reads=_number, effect=ALL_ANEW),
    )


def _group() -> Iterator[Statement]:
    """Of a group."""
    yield from (Statement(word, reads=noted) for word in ("type external", "shutdown", "advertise-peer-as"))
    yield Statement(r"hold-time {seconds:\d+}", reads=noted)
    yield Statement("import|export {policies*}", reads=noted, effect=SOFT)
    yield stanza("multipath", Statement("multiple-as", reads=noted), reads=entered, effect=SOFT)
    yield stanza(
        "bfd-liveness-detection",
        *anything("minimum-interval", "multiplier"),
        reads=_bfd,
        effect=Effect("hitless", "sessions agree on new timers"),
    )
    yield Statement("authentication-key {key}", reads=fixed("has_password", value=True))
    yield Statement("peer-as-list {list}", reads=put("as_list", "list"))
    yield stanza(
        "family <family:inet6?>",
        stanza("unicast", _limit(), *anything(), reads=noted),
        *anything(),
        reads=noted,
    )
    yield stanza("neighbor <peer>", *_neighbor(), reads=entered)
    yield stanza(
        "dynamic-neighbor <name>",
        Statement("authentication-key {key}", reads=fixed("has_password", value=True)),
        stanza(
            "peer-auto-discovery",
            stanza("family inet6", Statement("ipv6-nd")),
            Statement("interface <peer>.0", reads=added("interfaces", "peer")),
        ),
    )


def _limit() -> Statement:
    return stanza(
        "prefix-limit", Statement(r"maximum {routes:\d+}", reads=_max_prefixes), *anything(), reads=entered
    )


def _neighbor() -> Iterator[Statement]:
    """Of one neighbour."""
    yield Statement("description {text*}", effect=TEXT)
    yield Statement(r"peer-as {asn:\d+}", reads=_peer_as)
    yield from values("local-address", "hold-time")
    yield Statement("import|export {policies*}", reads=noted, effect=SOFT)
    yield stanza("family <family>", *anything(), reads=noted)


def _number(state: JunosState, parts: Parts) -> None:
    state.asn = int(parts["asn"])
    if parts["loops"]:
        state.service("routing-options", f"loops {parts['loops']}")


def _of_all(state: JunosState, parts: Parts) -> Place:
    return Place(state.notes("protocols"), "bgp").note(parts["line"])


def _entered_group(state: JunosState, parts: Parts) -> Group:
    group = state.bgp_groups.setdefault(parts["group"], Group([]))
    group.owner = group
    return group


def _bfd(group: Group, parts: Parts) -> Place:
    group.bfd = True
    return group.note(parts["line"])


def _max_prefixes(place: Place, parts: Parts) -> None:
    place.owner.max_prefixes = int(parts["routes"])


def _peer_as(place: Place, parts: Parts) -> None:
    place.owner.neighbors[place.path.removeprefix("neighbor ")] = int(parts["asn"])
