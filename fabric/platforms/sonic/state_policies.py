"""What is said by several rows of CONFIG_DB together: lists and route maps by their numbers, and access lists."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.sonic.rows import Row, Tables, number

KINDS = {"IPv4": "ip", "IPv6": "ipv6"}
"""PREFIX_SET's `mode` to FRR's word."""

Notes = Iterator[tuple[str, str]]
"""Section and setting."""


def numbered_lists(tables: Tables) -> dict[str, list[str]]:
    """Prefix lists and route maps, in FRR's words."""
    lists: dict[str, list[tuple[int, list[str]]]] = {}
    for key, row in tables["PREFIX"].items():
        name, sequence, prefix, lengths = key.split("|")
        action = f"{row.get('action', 'permit')} {prefix}{_lengths(prefix, lengths)}"
        lists.setdefault(name, []).append((number(sequence) or 0, [action]))
    for key, row in tables["ROUTE_MAP"].items():
        name, _, sequence = key.partition("|")
        lines = [f"{sequence} {line}" for line in _clause(tables, row)]
        lists.setdefault(name, []).append((number(sequence) or 0, lines))
    return {name: [line for _, lines in sorted(entries) for line in lines] for name, entries in lists.items()}


def _clause(tables: Tables, row: Row) -> Iterator[str]:
    yield row.get("route_operation", "permit")
    if name := row.get("match_prefix_set"):
        kind = KINDS.get(tables["PREFIX_SET"].get(name, {}).get("mode", ""), "ip")
        yield f"match {kind} address prefix-list {name}"
    if "match_community" in row:
        yield f"match community {row['match_community']}"
    if "set_community_inline" in row:
        yield f"set community {row['set_community_inline']}"


def _lengths(prefix: str, text: str) -> str:
    shortest, _, longest = text.partition("..")
    length = number(prefix.rpartition("/")[2])
    low, high = number(shortest), number(longest)
    if length is None or low is None or high is None:
        return ""
    return (f" ge {low}" if low > length else "") + (f" le {high}" if high > length else "")


def router_lines(tables: Tables) -> Iterator[str]:
    """What the router is told beside its sessions, in FRR's words."""
    if tables["BGP_GLOBALS"].get("default", {}).get("graceful_shutdown") == "true":
        yield "bgp graceful-shutdown"
    for key, row in tables["BGP_GLOBALS_AF_AGGREGATE_ADDR"].items():
        only = " summary-only" if row.get("summary_only") == "true" else ""
        yield f"aggregate-address {key.rpartition('|')[2]}{only}"
    for key, row in tables["ROUTE_REDISTRIBUTE"].items():
        maps = "".join(f" route-map {name}" for name in row.get("route_map", "").split())
        yield f"redistribute {key.split('|')[1]}{maps}"


def discards(tables: Tables) -> Iterator[str]:
    """The routes that drop packets, in FRR's words."""
    for key, row in tables["STATIC_ROUTE"].items():
        if row.get("blackhole") == "true":
            prefix = key.rpartition("|")[2]
            word = "ipv6" if ":" in prefix else "ip"
            yield f"{word} route {prefix} blackhole {number(row.get('distance')) or ''}".rstrip()


def services(tables: Tables) -> Notes:
    """Management settings that several rows or fields say together."""
    device = tables["DEVICE_METADATA"].get("localhost", {})
    if mode := device.get("docker_routing_config_mode"):
        managed = device.get("frr_mgmt_framework_config") == "true"
        yield "routing", f"{mode} {'managed' if managed else 'unmanaged'}"
    trimming = tables["SWITCH_TRIMMING"].get("GLOBAL")
    if trimming:
        words = (trimming.get(name, "") for name in ("size", "dscp_value", "queue_index"))
        yield "trimming", "{} B, DSCP {}, queue {}".format(*words)
    banner = tables["BANNER_MESSAGE"].get("global", {})
    if banner.get("state") == "enabled":
        yield "banner", banner.get("login", "")
    yield from _access_lists(tables)


def _access_lists(tables: Tables) -> Notes:
    """Control-plane ACLs: who may use what, in the order in which rules are looked at."""
    for key, row in tables["ACL_RULE"].items():
        table = tables["ACL_TABLE"].get(key.partition("|")[0], {})
        for service in table.get("services", "").split() if table.get("type") == "CTRLPLANE" else ():
            source = row.get("SRC_IP") or row.get("SRC_IPV6", "")
            port = f" port {row['L4_DST_PORT']}" if "L4_DST_PORT" in row else ""
            yield "lists", f"{service}{port} {row.get('PACKET_ACTION', '')} {source}"
