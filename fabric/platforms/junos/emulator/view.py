"""What a configuration means for links and sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from fabric.configuration import Line
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.junos.emulator.tree import parse
from fabric.platforms.junos.names import unquoted
from fabric.platforms.junos.read import read

KEPT = 64
USUAL_HOLD_S = 90
FAMILIES = {"inet": 4, "inet6": 6}
UNIT = re.compile(r"\.\d+$")


class Peer(msgspec.Struct, frozen=True, kw_only=True):
    """A configured BGP neighbour: an address, or whoever is at a port."""

    address: str = ""
    port: str = ""
    remote_asn: tuple[tuple[int, int], ...]
    families: frozenset[int]
    password: str | None
    shutdown: bool
    hold_s: float
    bfd_s: float | None
    """Detection time of BFD; None: it has none."""

    @property
    def key(self) -> str:
        """What it is known by on its switch."""
        return self.address or self.port


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration, understood."""

    hostname: str
    asn: int
    router_id: str
    ports: dict[str, InterfaceFacts]
    peers: tuple[Peer, ...]
    has_lldp: bool
    has_netconf: bool
    hashes: dict[str, str]
    """Password hashes by user."""
    asks_server: bool
    """Logins go to a TACACS+ server."""
    is_drained: bool
    """It asks its neighbours to send the traffic elsewhere (RFC 8326)."""
    prefixes: tuple[int, int]
    """How many IPv4 and IPv6 prefixes it originates."""

    @property
    def noticed(self) -> object:
        """What a neighbour could notice."""
        return (
            self.hostname,
            self.asn,
            self.router_id,
            self.ports,
            self.peers,
            self.has_lldp,
            (self.prefixes, self.is_drained),
        )


@lru_cache(maxsize=KEPT)
def view(text: str) -> View:
    """Understand a configuration that was accepted."""
    facts, lines = read(text).facts, parse(text)
    ports = dict(facts.interfaces)
    loopback = ports.get("lo0", InterfaceFacts())
    families = [6 if ":" in address else 4 for address in loopback.addresses]
    return View(
        hostname=facts.hostname,
        asn=facts.asn or 0,
        router_id=facts.router_id or "0.0.0.0",  # noqa: S104  # BGP's word for none
        ports=ports,
        peers=tuple(_peers(lines)),
        has_lldp=bool(below(lines, "protocols", "lldp")),
        has_netconf=any(
            line.text.startswith("ssh") for line in below(lines, "system", "services", "netconf")
        ),
        hashes=dict(_hashes(lines)),
        asks_server=bool(below(lines, "system", "tacplus-server")),
        is_drained=any(
            line.text.startswith("sender") for line in below(lines, "protocols", "bgp", "graceful-shutdown")
        ),
        prefixes=(families.count(4), families.count(6)),
    )


def below(lines: Sequence[Line], *path: str) -> list[Line]:
    """What stands below statements of these words."""
    for text in path:
        lines = [line for parent in lines if parent.text == text for line in parent.below]
    return list(lines)


def word(lines: Sequence[Line], name: str) -> str:
    """The value of a statement of one value; empty if it is not there."""
    rows = (line.text.partition(" ")[2] for line in lines if line.text.partition(" ")[0] == name)
    return unquoted(next(rows, ""))


def named(lines: Sequence[Line], kind: str) -> Iterator[tuple[str, list[Line]]]:
    """Blocks of a kind by name: `group UP`."""
    for line in lines:
        first, _, name = line.text.partition(" ")
        if first == kind and name:
            yield name, line.below


def _hashes(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    for user, settings in named(below(lines, "system", "login"), "user"):
        yield user, word(below(settings, "authentication"), "encrypted-password")


def _peers(lines: Sequence[Line]) -> Iterator[Peer]:
    lists = {
        words[1]: words[3]
        for line in below(lines, "policy-options")
        if (words := line.text.split())[0] == "as-list" and len(words) > 3
    }
    for _, group in named(below(lines, "protocols", "bgp"), "group"):
        families = {
            FAMILIES[line.text.split()[1]] for line in group if line.text in ("family inet", "family inet6")
        }
        password = word(group, "authentication-key")
        for _, dynamic in named(group, "dynamic-neighbor"):
            password = word(dynamic, "authentication-key") or password
        common = {
            "families": frozenset(families or {4}),
            "password": password or None,
            "shutdown": any(line.text == "shutdown" for line in group),
            "hold_s": float(word(group, "hold-time") or USUAL_HOLD_S),
            "bfd_s": _bfd_s(below(group, "bfd-liveness-detection")),
        }
        for address, settings in named(group, "neighbor"):
            asn = int(word(settings, "peer-as") or word(group, "peer-as") or 0)
            yield Peer(address=address, remote_asn=((asn, asn),), **common)  # type: ignore[arg-type]
        ranges = tuple(_ranges(lists.get(word(group, "peer-as-list"), "")))
        for _, dynamic in named(group, "dynamic-neighbor"):
            for line in below(dynamic, "peer-auto-discovery"):
                if line.text.startswith("interface "):
                    port = UNIT.sub("", line.text.split()[1])
                    yield Peer(port=port, remote_asn=ranges, **common)  # type: ignore[arg-type]


def _bfd_s(timers: Sequence[Line]) -> float | None:
    """Seconds until a dead neighbour is noticed. Junos multiplies by 3 where nothing is said."""
    interval = word(timers, "minimum-interval")
    return int(interval) * int(word(timers, "multiplier") or 3) / 1000 if interval else None


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    """Of an AS list: `4200000000`, `4200000000-4200000009`."""
    for part in text.strip("[] ").split():
        low, _, high = part.partition("-")
        if low.isdigit():
            yield int(low), int(high or low)
