"""What frrcfgd makes of CONFIG_DB when it starts, as a twin of our own: FRR's lines in the order of its templates.

Semantics: sonic-net/sonic-buildimage src/sonic-frr-mgmt-framework/templates/bgpd: bgpd.conf.db.pref_list.j2 @d9aed21
(lengths are compared as text), route_map.j2 @5ab00ed, comm_list.j2 @a68878c, bgpd.conf.db.j2 @59abfb3,
nbr_or_peer.j2 @3b63160, addr_family.j2 @a07770f, nbr_af.j2 @0dc436f. Only the fields that we write.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Tables = dict[str, Any]
WORDS = {"IPv4": "ip", "IPv6": "ipv6"}


def frr_conf(tables: Tables) -> str:
    """The lines that FRR would read."""
    return (
        "\n".join((*_prefix_lists(tables), *_route_maps(tables), *_communities(tables), *_bgp(tables))) + "\n"
    )


def _prefix_lists(tables: Tables) -> Iterator[str]:
    for key, row in tables["PREFIX"].items():
        name, sequence, prefix, lengths = key.split("|")
        head = f"{WORDS[tables['PREFIX_SET'][name]['mode']]} prefix-list {name} seq {sequence} {row['action']} {prefix}"
        if lengths == "exact":
            yield head
            continue
        length = prefix.split("/")[1]
        low, high = lengths.split("..")
        yield f"{head} ge {low} le {high}" if low > length else f"{head} le {high}"


def _route_maps(tables: Tables) -> Iterator[str]:
    for key, row in tables["ROUTE_MAP"].items():
        name, sequence = key.split("|")
        yield f"route-map {name} {row['route_operation']} {sequence}"
        if "match_community" in row:
            yield f" match community {row['match_community']}"
        if "match_prefix_set" in row:
            mode = tables["PREFIX_SET"][row["match_prefix_set"]]["mode"]
            yield f" match {WORDS[mode]} address prefix-list {row['match_prefix_set']}"
        if "set_community_inline" in row:
            yield f" set community {' '.join(row['set_community_inline'])}"
        yield "exit"


def _communities(tables: Tables) -> Iterator[str]:
    for name, row in tables.get("COMMUNITY_SET", {}).items():
        for member in row["community_member"]:
            yield f"bgp community-list {row['set_type'].lower()} {name} permit {member}"


def _bgp(tables: Tables) -> Iterator[str]:
    main = tables["BGP_GLOBALS"]["default"]
    yield f"router bgp {main['local_asn']}"
    yield f" bgp router-id {main['router_id']}"
    yield " bgp log-neighbor-changes"
    yield " no bgp default ipv4-unicast"
    yield " bgp bestpath as-path multipath-relax"
    for key, row in tables.get("BGP_PEER_GROUP", {}).items():
        name = key.split("|")[1]
        yield f" neighbor {name} peer-group"
        yield from _neighbor(name, row, "")
    for key, row in tables.get("BGP_NEIGHBOR", {}).items():
        name = key.split("|")[1]
        yield from _neighbor(name, row, "interface " if name.startswith("Ethernet") else "")
    for family in ("ipv4", "ipv6"):
        yield f" address-family {family} unicast"
        yield from _family(tables, family)
        yield " exit-address-family"
    yield "exit"


def _neighbor(name: str, row: dict[str, str], word: str) -> Iterator[str]:
    if "asn" in row:
        yield f" neighbor {name} {word}remote-as {row['asn']}"
    if "peer_group_name" in row:
        yield f" neighbor {name} {word}peer-group {row['peer_group_name']}"
    if "name" in row:
        yield f" neighbor {name} description {row['name']}"
    if row.get("admin_status") == "down":
        yield f" neighbor {name} shutdown"
    if row.get("bfd") == "true":
        yield f" neighbor {name} bfd"
    if "keepalive" in row and "holdtime" in row:
        yield f" neighbor {name} timers {row['keepalive']} {row['holdtime']}"
    if row.get("capability_ext_nexthop") == "true":
        yield f" neighbor {name} capability extended-nexthop"


def _family(tables: Tables, family: str) -> Iterator[str]:
    ours = f"default|{family}_unicast"
    for key, row in tables.get("BGP_GLOBALS_AF_AGGREGATE_ADDR", {}).items():
        if key.startswith(ours):
            only = " summary-only" if row["summary_only"] == "true" else ""
            yield f"  aggregate-address {key.split('|')[2]}{only}"
    for key, row in tables.get("ROUTE_REDISTRIBUTE", {}).items():
        if key.endswith(f"|{family}"):
            yield from (f"  redistribute connected route-map {name}" for name in row["route_map"])
    for key, row in tables.get("BGP_PEER_GROUP_AF", {}).items():
        _, name, kind = key.split("|")
        if kind == f"{family}_unicast":
            yield f"  neighbor {name} activate"
            if row.get("allow_as_in") == "true":
                yield f"  neighbor {name} allowas-in {row['allow_as_count']}"
            for way in ("in", "out"):
                yield from (f"  neighbor {name} route-map {one} {way}" for one in row[f"route_map_{way}"])
    if ours in tables.get("BGP_GLOBALS_AF", {}):
        yield f"  maximum-paths {tables['BGP_GLOBALS_AF'][ours]['max_ebgp_paths']}"
