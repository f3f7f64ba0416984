"""Reading frr.conf: its sessions and policies, and every line that no row knows."""

from __future__ import annotations

from typing import Any

import msgspec

from fabric.platforms.base import NeighborFacts
from fabric.platforms.sections import Row, Table, Unread, parse, read_lines


class FrrFacts(msgspec.Struct):
    """What was read so far."""

    asn: int | None = None
    router_id: str | None = None
    max_paths: int | None = None
    remote: dict[str, int] = {}
    member: dict[str, str] = {}
    bfd: set[str] = set()
    secret: set[str] = set()
    ttl: set[str] = set()
    limit: dict[str, int] = {}
    policies: dict[str, str] = {}
    family: str = ""
    unread: Unread = []

    def neighbors(self) -> dict[str, NeighborFacts]:
        """Sessions by address or interface."""
        return {
            key: NeighborFacts(
                remote_asn=asn,
                bfd=self.member.get(key, "") in self.bfd,
                has_password=bool({key, self.member.get(key, "")} & self.secret),
                ttl_security=self.member.get(key, "") in self.ttl,
                max_prefixes=self.limit.get(self.member.get(key, "")),
                policy=self.member.get(key, ""),
            )
            for key, asn in self.remote.items()
        }

    def tell(self, name: str, text: str) -> None:
        """Add to a policy's text."""
        self.policies[name] = f"{self.policies[name]}; {text}" if name in self.policies else text


def read_frr(text: str, offset: int) -> FrrFacts:
    """What frr.conf says; line numbers count from `offset`."""
    state = FrrFacts()
    unread: Unread = []
    read_lines(parse(text), TOP, state, unread)
    state.unread = [(number + offset, line) for number, line in unread]
    return state


def _asn(state: FrrFacts, match: Any) -> None:
    state.asn = int(match[1])


def _router_id(state: FrrFacts, match: Any) -> None:
    state.router_id = match[1]


def _remote(state: FrrFacts, match: Any) -> None:
    state.remote[match[1]] = int(match[2])


def _member(state: FrrFacts, match: Any) -> None:
    state.member[match[1]] = match[2]


def _paths(state: FrrFacts, match: Any) -> None:
    state.max_paths = int(match[1])


def _group(state: FrrFacts, match: Any) -> None:
    state.tell(f"group {match[1]}", match[2])


def _bfd(state: FrrFacts, match: Any) -> None:
    state.bfd.add(match[1])


def _secret(state: FrrFacts, match: Any) -> None:
    state.secret.add(match[1])


def _ttl(state: FrrFacts, match: Any) -> None:
    state.ttl.add(match[1])


def _max_prefixes(state: FrrFacts, match: Any) -> None:
    state.limit[match[1]] = int(match[2])


def _family(state: FrrFacts, match: Any) -> None:
    state.family = match[1]


def _in_family(state: FrrFacts, match: Any) -> None:
    state.tell(f"group {match[1]}", f"{state.family} {match[2]}")


def _told(state: FrrFacts, match: Any) -> None:
    state.tell("bgp", match[0])


def _static(state: FrrFacts, match: Any) -> None:
    state.tell("static routes", match[0])


def _bfd_profile(state: FrrFacts, match: Any) -> None:
    state.tell("bfd", match[0])


def _list(state: FrrFacts, match: Any) -> None:
    state.tell(match[1], match[2])


def _clause(state: FrrFacts, match: Any) -> Any:
    state.tell(match[1], f"{match[3]} {match[2]}")
    return state, match[1]


def _in_clause(state: Any, match: Any) -> None:
    state[0].tell(state[1], match[0])


FAMILY = Table(
    Row(r"aggregate-address \S+ summary-only", _told),
    Row(r"redistribute connected route-map \S+", _told),
    Row(r"network \S+", _told),
    Row(r"neighbor (\S+) (activate|allowas-in \d+|route-map \S+ (?:in|out))", _in_family),
    Row(r"neighbor (\S+) maximum-prefix (\d+)", _max_prefixes),
    Row(r"maximum-paths (\d+)", _paths),
)
BGP = Table(
    Row(r"bgp router-id (\S+)", _router_id),
    Row(r"bgp log-neighbor-changes"),
    Row(r"no bgp default ipv4-unicast"),
    Row(r"(no )?bgp ebgp-requires-policy", _told),
    Row(r"(no )?bgp suppress-fib-pending", _told),
    Row(r"bgp graceful-restart(?: .+)?", _told),
    Row(r"network \S+", _told),
    Row(r"bgp bestpath as-path multipath-relax"),
    Row(r"bgp graceful-shutdown", _told),
    Row(r"timers bgp \d+ \d+", _told),
    Row(r"neighbor (\S+) peer-group"),
    Row(r"neighbor (\S+) bfd profile FABRIC", _bfd),
    Row(r"neighbor (\S+) password \S+", _secret),
    Row(r"neighbor (\S+) ttl-security hops 1", _ttl),
    Row(r"neighbor (\S+) (capability extended-nexthop|shutdown)", _group),
    Row(r"neighbor (\S+) (?:interface )?remote-as (\d+)", _remote),
    Row(r"neighbor (\S+) (?:interface )?peer-group (\S+)", _member),
    Row(r"neighbor \S+ description .+"),
    Row(r"address-family (ipv[46])(?: unicast)?", _family, FAMILY),
    Row(r"exit-address-family"),
)
CLAUSE = Table(Row(r"match .+", _in_clause), Row(r"set .+", _in_clause))
PROFILE = Table(
    Row(r"detect-multiplier \d+", _bfd_profile),
    Row(r"receive-interval \d+", _bfd_profile),
    Row(r"transmit-interval \d+", _bfd_profile),
)
TOP = Table(
    Row(r"frr defaults datacenter"),
    Row(r"hostname \S+"),
    Row(r"service integrated-vtysh-config"),
    Row(r"no fpm use-next-hop-groups"),
    Row(r"fpm address 127\.0\.0\.1"),
    Row(r"bfd", None, Table(Row(r"profile FABRIC", None, PROFILE), Row(r"exit"))),
    Row(r"router bgp (\d+)", _asn, BGP),
    Row(r"ip route \S+ .+", _static),
    Row(r"ipv6 route \S+ .+", _static),
    Row(r"ip prefix-list (\S+) (?:seq \d+ )?(.+)", _list),
    Row(r"ipv6 prefix-list (\S+) (?:seq \d+ )?(.+)", _list),
    Row(r"bgp community-list standard (\S+) (?:seq \d+ )?(.+)", _list),
    Row(r"route-map (\S+) (permit|deny) (\d+)", _clause, CLAUSE),
    Row(r"exit"),
    Row(r"end"),
)
