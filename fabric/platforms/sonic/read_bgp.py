"""BGP from the tables of CONFIG_DB, as frrcfgd and bgpcfgd take them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.sonic.read_frr import FrrFacts
from fabric.platforms.sonic.tables import Book, number, word, words

KINDS = {"IPv4": "ip", "IPv6": "ipv6"}


def read_bgp(book: Book, state: FrrFacts) -> None:
    """Add what the tables say to what frr.conf says."""
    main = book.row("BGP_GLOBALS", "default")
    local = book.row("DEVICE_METADATA", "localhost")
    found = number(main.get("local_asn")) or number(local.get("bgp_asn"))
    state.asn = found if state.asn is None else state.asn
    told = word(main.get("router_id")) or word(local.get("bgp_router_id"))
    state.router_id = state.router_id or told or None
    for row in book.rows("BGP_GLOBALS_AF").values():
        state.max_paths = number(row.get("max_ebgp_paths")) or state.max_paths
    _neighbors(book, state)
    for name, lines in _policies(book):
        if lines:
            state.policies[name] = "; ".join(lines)


def _neighbors(book: Book, state: FrrFacts) -> None:
    for key, row in book.rows("BGP_NEIGHBOR").items():
        asn = number(row.get("asn"))
        if asn is None:
            continue
        name = key.rpartition("|")[2]
        state.remote[name] = asn
        group = word(row.get("peer_group_name"))
        state.member[name] = group or _own(row)
        _guards(book, state, f"{key.partition('|')[0]}|{group}", group)


def _guards(book: Book, state: FrrFacts, key: str, group: str) -> None:
    """What watches and limits the sessions of a group."""
    row = book.row("BGP_PEER_GROUP", key)
    if row.get("bfd") == "true":
        state.bfd.add(group)
    if row.get("ttl_security_hops") == "1":
        state.ttl.add(group)
    for family in ("ipv4", "ipv6"):
        limit = number(book.row("BGP_PEER_GROUP_AF", f"{key}|{family}_unicast").get("max_prefix_limit"))
        if limit:
            state.limit[group] = limit


def _own(row: Mapping[str, Any]) -> str:
    """What a neighbour of bgpcfgd has of its own: SONiC's policy is the same for all."""
    shut = " shutdown" if row.get("admin_status") == "down" else ""
    return f"bgpcfgd timers {row.get('keepalive', '60')} {row.get('holdtime', '180')}{shut}"


def _policies(book: Book) -> Iterator[tuple[str, list[str]]]:
    if book.rows("BGP_GLOBALS"):
        yield "bgp", list(_families(book))
    for key, row in book.rows("BGP_PEER_GROUP").items():
        yield f"group {key.rpartition('|')[2]}", list(_group(book, key, row))
    lists: dict[str, list[tuple[int, str]]] = {}
    for key, row in book.rows("PREFIX").items():
        parts = key.split("|")
        if len(parts) == 4:  # name, sequence, prefix, lengths
            action = f"{row.get('action', 'permit')} {parts[2]}{_lengths(parts[2], parts[3])}"
            lists.setdefault(parts[0], []).append((number(parts[1]) or 0, action))
    for name, entries in lists.items():
        yield name, [action for _, action in sorted(entries)]
    for name, row in book.rows("COMMUNITY_SET").items():
        yield name, [f"permit {member}" for member in words(row.get("community_member"))]
    yield from _route_maps(book)
    yield (
        "static routes",
        [line for key, row in book.rows("STATIC_ROUTE").items() if (line := _dropped(key, row))],
    )


def _dropped(key: str, row: Mapping[str, Any]) -> str:
    """A route that drops packets, in FRR's words; empty for another one."""
    if row.get("blackhole") != "true":
        return ""
    prefix = key.rpartition("|")[2]
    distance = number(row.get("distance")) or ""
    return f"ip{'v6' if ':' in prefix else ''} route {prefix} blackhole {distance}".rstrip()


def _families(book: Book) -> Iterator[str]:
    if book.row("BGP_GLOBALS", "default").get("graceful_shutdown") == "true":
        yield "bgp graceful-shutdown"
    for family in ("ipv4", "ipv6"):
        for key, row in book.rows("BGP_GLOBALS_AF_AGGREGATE_ADDR").items():
            if key.split("|")[1:2] == [f"{family}_unicast"]:
                only = " summary-only" if row.get("summary_only") == "true" else ""
                yield f"aggregate-address {key.rpartition('|')[2]}{only}"
        for key, row in book.rows("ROUTE_REDISTRIBUTE").items():
            if key.endswith(f"|{family}"):
                told = "".join(f" route-map {name}" for name in words(row.get("route_map")))
                yield f"redistribute {''.join(key.split('|')[1:2])}{told}"


def _group(book: Book, key: str, row: Mapping[str, Any]) -> Iterator[str]:
    if "keepalive" in row and "holdtime" in row:
        yield f"timers {row['keepalive']} {row['holdtime']}"
    if row.get("capability_ext_nexthop") == "true":
        yield "capability extended-nexthop"
    if row.get("admin_status") == "down":
        yield "shutdown"
    for family in ("ipv4", "ipv6"):
        active = book.row("BGP_PEER_GROUP_AF", f"{key}|{family}_unicast")
        if active.get("admin_status") in {"up", "true"}:
            yield f"{family} activate"
        if active.get("allow_as_in") == "true":
            yield f"{family} allowas-in {active.get('allow_as_count', '')}".rstrip()
        for way in ("in", "out"):
            yield from (f"{family} route-map {name} {way}" for name in words(active.get(f"route_map_{way}")))


def _lengths(prefix: str, text: str) -> str:
    shortest, _, longest = text.partition("..")
    length = number(prefix.rpartition("/")[2])
    low, high = number(shortest), number(longest)
    if length is None or low is None or high is None:
        return ""
    return (f" ge {low}" if low > length else "") + (f" le {high}" if high > length else "")


def _route_maps(book: Book) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for key, row in book.rows("ROUTE_MAP").items():
        name, _, sequence = key.partition("|")
        lines = [f"{sequence} {row.get('route_operation', 'permit')}"]
        prefix_set = word(row.get("match_prefix_set"))
        if prefix_set:
            kind = KINDS.get(word(book.row("PREFIX_SET", prefix_set).get("mode")), "ip")
            lines.append(f"match {kind} address prefix-list {prefix_set}")
        if "match_community" in row:
            lines.append(f"match community {row['match_community']}")
        if "set_community_inline" in row:
            lines.append(f"set community {' '.join(words(row['set_community_inline']))}")
        found.setdefault(name, []).append((number(sequence) or 0, lines))
    for name, clauses in found.items():
        yield name, [line for _, lines in sorted(clauses) for line in lines]
