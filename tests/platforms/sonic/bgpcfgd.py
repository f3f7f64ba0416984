"""What bgpcfgd makes of CONFIG_DB, as a twin of our own: SONiC's policy in FRR's lines, IPv4 only.

Semantics: sonic-net/sonic-buildimage dockers/docker-fpm-frr/frr/bgpd: bgpd.main.conf.j2 @0cd551b,
templates/general/policies.conf.j2 @02151c0, peer-group.conf.j2 @0157618, instance.conf.j2 @12e6529.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def frr_conf(tables: dict[str, Any]) -> str:
    """The lines that FRR would read."""
    return "\n".join(_lines(tables)) + "\n"


def _lines(tables: dict[str, Any]) -> Iterator[str]:
    local = tables["DEVICE_METADATA"]["localhost"]
    for name in ("FROM_BGP_PEER_V4", "TO_BGP_PEER_V4"):
        yield f"route-map {name} permit 100"
        yield "exit"
    yield f"router bgp {local['bgp_asn']}"
    yield " no bgp default ipv4-unicast"
    yield " no bgp ebgp-requires-policy"
    yield " bgp bestpath as-path multipath-relax"
    yield f" bgp router-id {local['bgp_router_id']}"
    yield " neighbor PEER_V4 peer-group"
    for address, row in tables["BGP_NEIGHBOR"].items():
        yield f" neighbor {address} remote-as {row['asn']}"
        yield f" neighbor {address} peer-group PEER_V4"
        yield f" neighbor {address} timers {row['keepalive']} {row['holdtime']}"
        yield f" neighbor {address} timers connect 10"
    yield " address-family ipv4 unicast"
    for key in tables["LOOPBACK_INTERFACE"]:
        if "|" in key and ":" not in key:
            yield f"  network {key.partition('|')[2]}"
    yield "  neighbor PEER_V4 activate"
    if local["type"] == "ToRRouter":
        yield "  neighbor PEER_V4 allowas-in 1"
    yield "  neighbor PEER_V4 soft-reconfiguration inbound"
    yield "  neighbor PEER_V4 route-map FROM_BGP_PEER_V4 in"
    yield "  neighbor PEER_V4 route-map TO_BGP_PEER_V4 out"
    yield "  maximum-paths 64"
    yield " exit-address-family"
    yield "exit"
