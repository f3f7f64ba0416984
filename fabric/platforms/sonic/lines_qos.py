"""Tables of classes, queues, buffers and the watchdog.

Sources: sonic-*-map.yang, sonic-scheduler.yang, sonic-queue.yang, sonic-wred-profile.yang, sonic-pfcwd.yang,
sonic-buffer-*.yang, sonic-hash.yang, sonic-trimming.yang; sonic-utilities generic_config_updater
(`gcu_field_operation_validators.conf.json`: BUFFER_POOL changes on no platform).
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.configuration import Effect, Parts, Statement
from fabric.platforms.effects import CLASSED, NO_TRAFFIC, PORT_BUFFERS, PORT_QUEUES, on_port
from fabric.platforms.sonic.rows import (
    NUMBER,
    each,
    field,
    free_table,
    kept,
    kept_table,
    known,
    row,
    says,
    table,
)

QUEUES = Effect("buffer", "queues are set up anew")
QUEUED = Effect("buffer", "packets are queued anew")
POOLS = Effect("reload", "pools are laid out when the switch starts")
AT_START = Effect("reload", "read when the switch starts")
COLOURS = ("green", "yellow", "red")


def _ports(parts: Parts) -> list[str]:
    """Of a key that may name several."""
    return [port for port in parts["ports"].split(",") if port != "global"]


def qos_tables() -> tuple[Statement, ...]:
    """Of how packets are classed, queued, marked, paused and spread."""
    return (
        table(
            "SWITCH_HASH",
            row("GLOBAL", field("ecmp_hash", each("hash", "{}"))),
            effect=Effect("hitless", "flows are spread anew"),
        ),
        free_table("SWITCH_TRIMMING", Effect("hitless", "only packets that would be dropped")),
        _map("DSCP_TO_TC_MAP", CLASSED),
        _map("TC_TO_QUEUE_MAP", QUEUED),
        _map("MAP_PFC_PRIORITY_TO_QUEUE", QUEUED),
        free_table("TC_TO_PRIORITY_GROUP_MAP", QUEUED),
        free_table("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", QUEUED),
        *_queue_tables(),
        *_buffer_tables(),
        kept_table(
            "PFC_WD",
            "<port>",
            *kept("POLL_INTERVAL", "action", "detection_time", "restoration_time"),
            effect=on_port("buffer", "the watchdog starts anew"),
        ),
        table(
            "CABLE_LENGTH",
            row("<list>", Statement("<port> {length}", reads=says("cable length", "{port} {length}"))),
            effect=on_port("buffer", "headroom is computed anew"),
        ),
        free_table("FLEX_COUNTER_TABLE", NO_TRAFFIC),
    )


def _map(name: str, effect: Effect) -> Statement:
    """From number to number."""

    def put(values: dict[str, str], parts: Parts) -> None:
        values[parts["from"]] = parts["to"]

    numbers = Statement(rf"<from:{NUMBER}> {{to:{NUMBER}}}", reads=put)
    return kept_table(name, "<map>", numbers, effect=effect)


def _queue_tables() -> Iterator[Statement]:
    maps = kept("dscp_to_tc_map", "tc_to_queue_map", "pfc_to_queue_map", "pfc_enable")
    yield kept_table(
        "PORT_QOS_MAP",
        "<ports>",
        *maps,
        *known("tc_to_pg_map", "pfc_to_pg_map", "pfcwd_sw_enable"),
        effect=PORT_QUEUES,
        ports=_ports,
    )
    yield kept_table(
        "QUEUE", "<ports>|<queues>", *kept("scheduler", "wred_profile"), effect=PORT_QUEUES, ports=_ports
    )
    yield kept_table(
        "SCHEDULER", "<scheduler>", *kept("type", "weight", "pir"), *known("meter_type", "cir"), effect=QUEUES
    )
    names = ("wred_{}_enable", "{}_min_threshold", "{}_max_threshold", "{}_drop_probability")
    curves = (name.format(colour) for colour in COLOURS for name in names)
    yield kept_table("WRED_PROFILE", "<profile>", *kept("ecn", *curves), effect=QUEUES)


def _buffer_tables() -> Iterator[Statement]:
    for name, key in (
        ("BUFFER_PG", "<ports>|<groups>"),
        ("BUFFER_QUEUE", "<ports>|<queues>"),
        ("BUFFER_PORT_INGRESS_PROFILE_LIST", "<ports>"),
        ("BUFFER_PORT_EGRESS_PROFILE_LIST", "<ports>"),
    ):
        yield free_table(name, PORT_BUFFERS, key, ports=_ports)
    yield free_table("BUFFER_PROFILE", Effect("buffer", "buffers are set up anew"))
    yield free_table("BUFFER_POOL", POOLS)
    yield free_table("DEFAULT_LOSSLESS_BUFFER_PARAMETER", AT_START)
    yield free_table("LOSSLESS_TRAFFIC_PATTERN", AT_START)
