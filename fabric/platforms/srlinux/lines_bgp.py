"""Every line of BGP and BFD."""

from __future__ import annotations

from collections.abc import Callable

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.effects import ROUTER_ID_OF_PROCESS
from fabric.platforms.reading import Peer, fixed, member, put
from fabric.platforms.srlinux.names import is_on
from fabric.platforms.srlinux.rows import entered, listed, noted, settings
from fabric.platforms.srlinux.state import Inside, Instance, SrlState

ANEW = Effect("flap", "sessions built anew", "session")
"""What of a neighbour cannot change while its session stays up."""
NUMBERED = Effect("flap", "AS number changes: all sessions are built anew", new="hitless")
RESTART = Effect("flap", "all sessions are built anew", new="hitless")
CHOSEN = Effect("hitless", "routes are chosen anew, sessions stay")
PATHS = Effect("hitless", "paths are chosen anew, sessions stay")
HOW_SOON = Effect("hitless", "only how soon routes are advertised")
RETRIED = Effect("hitless", "only how soon a lost session is tried again")
TEXT = Effect("none", "text only")
WATCHED = Effect("flap", "BFD starts or stops watching the sessions of the port", "port")
TIMERS = Effect("hitless", "sessions agree on new timers", "port")


def _default(instance: Instance, _parts: Parts) -> Inside:
    """BGP of the default instance; what another one routes is not ours to compare."""
    state = instance.state if instance.name == "default" else SrlState()
    return Inside(state.service, "bgp", owner=state)


def _of_owner(field: str, part: str, convert: Callable[[str], object] = str) -> Reader:
    """A reader that keeps a part of a line in a field of what it belongs to: BGP, or a group."""
    return lambda above, parts: setattr(above.owner, field, convert(parts[part]))


def _max_paths(bgp: Inside, parts: Parts) -> None:
    if bgp.owner.max_paths is None:
        bgp.owner.max_paths = int(parts["paths"])


def _group(bgp: Inside, parts: Parts) -> Inside:
    peer: Peer = bgp.owner.groups.setdefault(parts["group"], Peer())
    return Inside(lambda _section, text: peer.settings.append(text), "", owner=peer)


def _interface(bgp: Inside, parts: Parts) -> Peer:
    """An unnumbered session, called by its port."""
    name = parts["peer"] if parts["index"] == "0" else f"{parts['peer']}.{parts['index']}"
    peer: Peer = bgp.owner.peers.setdefault(name, Peer())
    return peer


def _allowed(peer: Peer, parts: Parts) -> None:
    """The one AS number that may answer; of a range nothing is known."""
    peer.remote_asn = int(parts["asns"]) if parts["asns"].isdigit() else None


def _turned_on(bgp: Inside, parts: Parts) -> None:
    bgp.keep(parts["line"])
    bgp.owner.is_bgp_on = is_on(parts["state"])


def _limit(family: Inside, parts: Parts) -> None:
    if family.owner.max_prefixes is None:
        family.owner.max_prefixes = int(parts["routes"])


def _has_password(group: Inside, _parts: Parts) -> None:
    group.owner.has_password = True


LIMIT = Section(
    *noted("advertise-ipv6-next-hops {on}", "receive-ipv6-next-hops {on}"),
    Statement(
        "prefix-limit-received",
        below=Section(Statement(r"max-received-routes {routes:\d+}", reads=_limit)),
    ),
)
SESSION = (
    Statement("description {text*}", effect=TEXT),
    Statement(r"peer-as {asn:\d+}", reads=put("remote_asn", "asn", int)),
    Statement("peer-group {group*}", reads=put("group", "group")),
    Statement(
        "failure-detection", below=Section(Statement("enable-bfd {on}", reads=put("bfd", "on", is_on)))
    ),
    Statement(
        "authentication",
        below=Section(Statement("password {password*}", reads=fixed("has_password", value=True))),
    ),
)
GROUP = Section(
    Statement("description {text*}", effect=TEXT),
    Statement(r"peer-as {asn:\d+}", reads=_of_owner("remote_asn", "asn", int)),
    Statement(
        "failure-detection", below=Section(Statement("enable-bfd {on}", reads=_of_owner("bfd", "on", is_on)))
    ),
    Statement("authentication", below=Section(Statement("password {password*}", reads=_has_password))),
    Statement(
        "timers",
        reads=entered,
        below=Section(
            *noted("connect-retry {seconds}", effect=RETRIED),
            # The model says that a hold time is proposed in the OPEN message; of SR Linux no page says what a change
            # does to a session that is up. Nokia's 7210 SAS guide ("Hold time and keep alive timer dependencies") says
            # that peerings restart.
            *noted("hold-time {seconds}", "keepalive-interval {seconds}"),
            *noted("minimum-advertisement-interval {seconds}", effect=HOW_SOON),
        ),
    ),
    Statement(
        "afi-safi <family>",
        reads=listed,
        below=Section(
            *noted("admin-state {state}"), Statement("ipv4-unicast|ipv6-unicast", reads=entered, below=LIMIT)
        ),
    ),
    *noted("import-policy {policies*}", "export-policy {policies*}", effect=CHOSEN),
    *noted("as-path-options / allow-own-as {times}"),
    effect=ANEW,
)
MULTIPATH = Section(
    *noted("allow-multiple-as {on}"),
    Statement("ebgp", below=Section(Statement(r"maximum-paths {paths:\d+}", reads=_max_paths))),
)
BGP = Section(
    Statement("admin-state {state}", reads=_turned_on),
    Statement(r"autonomous-system {asn:\d+}", reads=_of_owner("asn", "asn", int), effect=NUMBERED),
    Statement("router-id {id}", reads=_of_owner("router_id", "id"), effect=ROUTER_ID_OF_PROCESS),
    *noted("route-advertisement / rapid-withdrawal {on}", effect=HOW_SOON),
    Statement(
        "afi-safi <family>",
        reads=listed,
        below=Section(
            *noted("admin-state {state}"),
            Statement("multipath", reads=entered, below=MULTIPATH, effect=PATHS),
        ),
    ),
    Statement("group <group*>", reads=_group, below=GROUP, effect=ANEW),
    Statement(
        "neighbor <peer>",
        reads=member("owner.peers", "peer", Peer),
        below=Section(*SESSION, effect=ANEW),
        effect=ANEW,
    ),
    Statement(
        "dynamic-neighbors",
        below=Section(
            Statement(
                r"interface <peer:[^\s.]+>.<index:\d+>",
                reads=_interface,
                below=Section(*SESSION, Statement("allowed-peer-as {asns*}", reads=_allowed), effect=ANEW),
                effect=ANEW,
            )
        ),
    ),
    effect=RESTART,
)


def bgp_lines() -> tuple[Statement, ...]:
    """`protocols` of a network instance."""
    return (
        Statement("bgp", reads=_default, below=BGP, effect=RESTART),
        *settings(
            "linux / import-routes {on}", "linux / export-routes {on}", "linux / export-neighbors {on}"
        ),
    )


def bfd_lines() -> tuple[Statement, ...]:
    """`bfd`."""
    timers = ("desired-minimum-transmit-interval", "required-minimum-receive", "detection-multiplier")
    lines = Section(
        *noted("admin-state {state}"),
        *noted(*(f"{timer} {{value}}" for timer in timers), effect=TIMERS),
        effect=WATCHED,
    )
    port = Statement(r"subinterface <port:[^\s.]+>.<index:\d+>", reads=listed, below=lines, effect=WATCHED)
    return (
        Statement(
            "bfd",
            reads=lambda state, _parts: state.inside("bfd"),
            below=Section(port, effect=WATCHED),
            effect=WATCHED,
            is_container=True,
        ),
    )
