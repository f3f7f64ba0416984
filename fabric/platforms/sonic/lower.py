"""From a switch to the files of SONiC. What SONiC does not support becomes a finding."""

from __future__ import annotations

import msgspec

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.frr.lower_bgp import lower_defaults
from fabric.platforms.routing.vtysh_bgp import Bgp
from fabric.platforms.sonic import names
from fabric.platforms.sonic.lower_acl import acl_tables
from fabric.platforms.sonic.lower_bgp import bgpcfgd_rows, frrcfgd_tables
from fabric.platforms.sonic.lower_buffers import is_dynamic, trimming
from fabric.platforms.sonic.lower_extra import frr_lines, merge
from fabric.platforms.sonic.lower_frr import lower_frr
from fabric.platforms.sonic.lower_ports import TYPES, port_tables
from fabric.platforms.sonic.lower_qos import qos_tables
from fabric.platforms.sonic.lower_services import management_rows, service_tables
from fabric.platforms.sonic.model import Row, SonicConfig, Table, Tables
from fabric.platforms.sonic.modes import Mode, mode_of
from fabric.platforms.sonic.refusals import refuse
from fabric.platforms.sonic.skus import sku

HASH_FIELDS = {
    "src_ip": "SRC_IP",
    "dst_ip": "DST_IP",
    "src_port": "L4_SRC_PORT",
    "dst_port": "L4_DST_PORT",
    "protocol": "IP_PROTOCOL",
    "ingress_port": "IN_PORT",
}
"""sonic-hash.yang."""


def lower(switch: Switch, report: Report) -> SonicConfig:
    """Both files. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    extra, bgp = frr_lines(switch, report), lower_frr(switch)
    tables = all_tables(switch, bgp, report)
    encode = msgspec.json.encode
    return SonicConfig(
        tables=tuple(Table(name, encode(rows).decode()) for name, rows in tables.items()),
        bgp=bgp if mode_of(switch.release) is Mode.SPLIT else None,
        written=lower_defaults(switch.routing),
        extra=extra,
    )


def all_tables(switch: Switch, bgp: Bgp, report: Report) -> Tables:
    """CONFIG_DB, without empty tables, with the rows that an override brings."""
    fields = [HASH_FIELDS[field] for field in switch.routing.hashing.fields if field in HASH_FIELDS]
    tables: Tables = {
        "DEVICE_METADATA": {"localhost": metadata(switch)},
        **port_tables(switch, report),
        "LOOPBACK_INTERFACE": {"Loopback0": {}, **{f"Loopback0|{ip}": {} for ip in switch.loopbacks}},
        "MGMT_INTERFACE": management_rows(switch),
        "SWITCH_HASH": {"GLOBAL": {"ecmp_hash": fields}} if fields else {},
        **trimming(switch),
        **qos_tables(switch, report),
        **service_tables(switch),
        **acl_tables(switch),
        **_bgp(switch, bgp),
    }
    return merge({name: rows for name, rows in tables.items() if rows}, switch, report)


def metadata(switch: Switch) -> Row:
    """`DEVICE_METADATA|localhost`."""
    known, mode, routing = names.facts(switch.hardware), mode_of(switch.release), switch.routing
    managed = mode is Mode.FRRCFGD or (mode is Mode.SPLIT and routing.bfd_interval_ms is not None)
    row: Row = {
        "hostname": switch.name,
        "type": TYPES.get(switch.role, "LeafRouter"),
        "bgp_asn": str(routing.asn),
        "docker_routing_config_mode": "split-unified" if mode is Mode.SPLIT else "unified",
        "frr_mgmt_framework_config": "true" if managed else "false",
        "default_pfcwd_status": "disable",
        "synchronous_mode": "enable",
        "buffer_model": "dynamic" if is_dynamic(switch) else "traditional",
    }
    if mode is Mode.BGPCFGD:
        row |= {"bgp_router_id": str(routing.router_id), "bgp_adv_lo_prefix_as_128": "true"}
    if known:
        row |= {"hwsku": sku(switch), "platform": str(known.get("platform", ""))}
    return row


def _bgp(switch: Switch, bgp: Bgp) -> Tables:
    mode = mode_of(switch.release)
    if mode is Mode.FRRCFGD:
        return frrcfgd_tables(bgp)
    return {"BGP_NEIGHBOR": bgpcfgd_rows(switch)} if mode is Mode.BGPCFGD else {}
