"""Every line of BGP and BFD."""

from __future__ import annotations

from collections.abc import Callable

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.reading import Peer, fixed, put
from fabric.platforms.srlinux.lines_interfaces import STATE
from fabric.platforms.srlinux.names import bare
from fabric.platforms.srlinux.state import Inside, Instance, SrlState, inside, listed, told

ANEW = Effect("flap", "sessions built anew", "session")
"""What of a neighbour cannot change while its session stays up."""
NUMBERED = Effect("flap", "AS number or router id changes: all sessions are built anew", new="hitless")
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


def _family(above: Inside, parts: Parts) -> Inside:
    return above._replace(words=f"{above.words}{bare(parts['family'])} ")


def _settings(peer: Peer) -> Inside:
    return Inside(lambda _section, text: peer.settings.append(text), "", owner=peer)


def _group(bgp: Inside, parts: Parts) -> Inside:
    return _settings(bgp.owner.groups.setdefault(parts["group"], Peer()))


def _neighbor(bgp: Inside, parts: Parts) -> Peer:
    peer: Peer = bgp.owner.peers.setdefault(parts["peer"], Peer())
    return peer


def _interface(bgp: Inside, parts: Parts) -> Peer:
    """An unnumbered session, called by its port."""
    name = parts["peer"] if parts["index"] == "0" else f"{parts['peer']}.{parts['index']}"
    peer: Peer = bgp.owner.peers.setdefault(name, Peer())
    return peer


def _allowed(peer: Peer, parts: Parts) -> None:
    """The one AS number that may answer; of a range nothing is known."""
    peer.remote_asn = int(parts["asns"]) if parts["asns"].isdigit() else None


def _limit(family: Inside, parts: Parts) -> None:
    if family.owner.max_prefixes is None:
        family.owner.max_prefixes = int(parts["routes"])


def _has_password(group: Inside, _parts: Parts) -> None:
    group.owner.has_password = True


def _is_true(word: str) -> bool:
    return word in ("true", "enable")


LIMIT = Statement(
    "prefix-limit-received",
    below=Section(Statement(r"max-received-routes {routes:\d+}", reads=_limit)),
)
SESSION = (
    Statement("description {text*}", effect=TEXT),
    Statement(r"peer-as {asn:\d+}", reads=put("remote_asn", "asn", int)),
    Statement("peer-group {group*}", reads=put("group", "group")),
    Statement(
        "failure-detection",
        below=Section(Statement("enable-bfd {on}", reads=put("bfd", "on", _is_true))),
    ),
    Statement(
        "authentication",
        below=Section(Statement("password {password*}", reads=fixed("has_password", value=True))),
    ),
)
NEIGHBOR = Section(*SESSION, effect=ANEW)
DYNAMIC = Section(
    *SESSION,
    Statement("allowed-peer-as {asns*}", reads=_allowed),
    effect=ANEW,
)
GROUP_FAMILY = Section(
    Statement(STATE, reads=told("{state}")),
    Statement(
        "ipv4-unicast",
        below=Section(
            Statement("advertise-ipv6-next-hops {on}", reads=told("advertise-ipv6-next-hops {on}")),
            Statement("receive-ipv6-next-hops {on}", reads=told("receive-ipv6-next-hops {on}")),
            LIMIT,
        ),
    ),
    Statement("ipv6-unicast", below=Section(LIMIT)),
)
GROUP = Section(
    Statement("description {text*}", effect=TEXT),
    Statement("import-policy {policies*}", reads=told("import {policies}"), effect=CHOSEN),
    Statement("export-policy {policies*}", reads=told("export {policies}"), effect=CHOSEN),
    Statement(
        "failure-detection",
        below=Section(Statement("enable-bfd {on}", reads=_of_owner("bfd", "on", _is_true))),
    ),
    Statement(
        "timers",
        below=Section(
            Statement(r"connect-retry {seconds:\d+}", reads=told("retry {seconds} s"), effect=RETRIED),
            Statement(r"hold-time {seconds:\d+}", reads=told("hold {seconds} s")),
            Statement(r"keepalive-interval {seconds:\d+}", reads=told("keepalive {seconds} s")),
            Statement(
                r"minimum-advertisement-interval {seconds:\d+}",
                reads=told("advertise every {seconds} s"),
                effect=HOW_SOON,
            ),
        ),
    ),
    Statement("afi-safi <family>", reads=_family, below=GROUP_FAMILY),
    Statement(
        "as-path-options",
        below=Section(Statement(r"allow-own-as {times:\d+}", reads=told("allow-own-as {times}"))),
    ),
    Statement("authentication", below=Section(Statement("password {password*}", reads=_has_password))),
    Statement(r"peer-as {asn:\d+}", reads=_of_owner("remote_asn", "asn", int)),
    effect=ANEW,
)
FAMILY = Section(
    Statement(STATE, reads=told("{state}")),
    Statement(
        "multipath",
        below=Section(
            Statement("allow-multiple-as {on}", reads=told("allow-multiple-as {on}")),
            Statement("ebgp", below=Section(Statement(r"maximum-paths {paths:\d+}", reads=_max_paths))),
            effect=PATHS,
        ),
    ),
)
BGP = Section(
    Statement(STATE, reads=told("{state}"), effect=RESTART),
    Statement(r"autonomous-system {asn:\d+}", reads=_of_owner("asn", "asn", int), effect=NUMBERED),
    Statement("router-id {id}", reads=_of_owner("router_id", "id"), effect=NUMBERED),
    Statement(
        "route-advertisement",
        below=Section(
            Statement("rapid-withdrawal {on}", reads=told("rapid-withdrawal {on}")), effect=HOW_SOON
        ),
    ),
    Statement("afi-safi <family>", reads=_family, below=FAMILY),
    Statement("group <group*>", reads=_group, below=GROUP, effect=ANEW),
    Statement("neighbor <peer>", reads=_neighbor, below=NEIGHBOR, effect=ANEW),
    Statement(
        "dynamic-neighbors",
        below=Section(
            Statement(r"interface <peer:[^\s.]+>.<index:\d+>", reads=_interface, below=DYNAMIC, effect=ANEW)
        ),
    ),
    effect=RESTART,
)
TIMER = r"{microseconds:\d+}"
BFD = Section(
    Statement(STATE, reads=told("{state}")),
    Statement(
        f"desired-minimum-transmit-interval {TIMER}",
        reads=told("sends every {microseconds} us"),
        effect=TIMERS,
    ),
    Statement(
        f"required-minimum-receive {TIMER}", reads=told("receives every {microseconds} us"), effect=TIMERS
    ),
    Statement(r"detection-multiplier {count:\d+}", reads=told("multiplier {count}"), effect=TIMERS),
    effect=WATCHED,
)


def bgp_lines() -> tuple[Statement, ...]:
    """`protocols` of a network instance."""
    linux = Section(Statement("<what:import-routes|export-routes|export-neighbors> {on}", reads=_linux))
    return (
        Statement("bgp", reads=_default, below=BGP, effect=RESTART),
        Statement("linux", below=linux),
    )


def _linux(instance: Instance, parts: Parts) -> None:
    instance.keep(f"linux {parts['what']} {parts['on']}")


def bfd_lines() -> tuple[Statement, ...]:
    """`bfd`."""
    port = Statement(
        r"subinterface <port:[^\s.]+>.<index:\d+>", reads=listed("{port}.{index}"), below=BFD, effect=WATCHED
    )
    return (
        Statement(
            "bfd", reads=inside("bfd"), below=Section(port, effect=WATCHED), effect=WATCHED, is_container=True
        ),
    )
