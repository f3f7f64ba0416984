"""From a switch to the files of SONiC. What SONiC cannot say becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import Capabilities
from fabric.platforms.sonic import codes, names
from fabric.platforms.sonic.capabilities import RELEASES, capabilities
from fabric.platforms.sonic.lower_frr import lower_frr
from fabric.platforms.sonic.lower_ports import port_tables
from fabric.platforms.sonic.lower_qos import qos_tables
from fabric.platforms.sonic.lower_services import MINUTE_MS, management_rows, service_tables
from fabric.platforms.sonic.model import Rows, SonicConfig, Table, Tables

TYPES = {"leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
"""Our roles to `DEVICE_METADATA.type`."""
HASH_FIELDS = {
    "src_ip": "SRC_IP",
    "dst_ip": "DST_IP",
    "src_port": "L4_SRC_PORT",
    "dst_port": "L4_DST_PORT",
    "protocol": "IP_PROTOCOL",
    "ingress_port": "IN_PORT",
}
"""sonic-hash.yang."""
MODE = "split-unified"
"""The routing mode in which frr.conf is ours. Of the others, bgpcfgd tells no routed links of hosts and knows no
unnumbered sessions, and neither says valley-free in one way for both families."""
SSH_MINUTES = (0, 35_000)


def lower(switch: Switch, report: Report) -> SonicConfig:
    """Both files. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    tables = all_tables(switch, report)
    extra = []
    for lines in switch.extra:
        if lines.section == "frr":
            extra += [line.rstrip() for line in lines.text.splitlines() if line.strip()]
        else:
            rule = f"SONiC: lines of section {lines.section!r} have no place in CONFIG_DB"
            report.add(codes.TEXT.at(lines.origin, rule, value=lines.section, hint=codes.TEXT.fix))
    encode = msgspec.json.encode
    return SonicConfig(
        tables=tuple(Table(name, encode(rows).decode()) for name, rows in tables.items()),
        frr=lower_frr(switch, report, tuple(extra)),
    )


def all_tables(switch: Switch, report: Report) -> Tables:
    """CONFIG_DB, without empty tables."""
    loopback: Rows = {"Loopback0": {}, **{f"Loopback0|{address}": {} for address in switch.loopbacks}}
    tables: Tables = {
        "DEVICE_METADATA": {"localhost": metadata(switch)},
        **port_tables(switch, report),
        "LOOPBACK_INTERFACE": loopback,
        "MGMT_INTERFACE": management_rows(switch),
        "SWITCH_HASH": {"GLOBAL": {"ecmp_hash": [HASH_FIELDS[f] for f in _fields(switch)]}},
        **qos_tables(switch, report),
        **service_tables(switch),
    }
    return {name: rows for name, rows in tables.items() if rows}


def metadata(switch: Switch) -> dict[str, str | list[str]]:
    """`DEVICE_METADATA|localhost`."""
    found = names.software(switch.hardware)
    row: dict[str, str | list[str]] = {
        "hostname": switch.name,
        "type": TYPES.get(switch.role, "LeafRouter"),
        "bgp_asn": str(switch.routing.asn),
        "docker_routing_config_mode": MODE,
        "default_pfcwd_status": "disable",
        "synchronous_mode": "enable",
        "buffer_model": "dynamic" if names.asic_vendor(switch.hardware) == "nvidia" else "traditional",
    }
    if found and found.hwsku:
        row |= {"hwsku": found.hwsku, "platform": str(found.facts.get("platform", ""))}
    return row


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and SONiC cannot say."""
    can = capabilities(switch.release, switch.hardware)
    if switch.release is not None and not switch.release.startswith(RELEASES):
        place = switch.origin.child("release")
        rule = f"SONiC {switch.release}: its models were not checked"
        hint = f"write a release of {' or '.join(RELEASES)}"
        report.add(codes.UNSUPPORTED.at(place, rule, value=switch.release, hint=hint))
        return
    for origin, feature, hint in (*_routing(switch, can), *_hosts(switch), *_services(switch)):
        rule = f"SONiC on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, rule, hint=hint, subjects=(switch.name,)))
    queueing = switch.queueing
    lossless = {p for kind in queueing.profiles for p in kind.priorities} if queueing else set()
    if queueing and len(lossless) > can.max_lossless_priorities:
        rule = f"SONiC on {switch.hardware.model}: at most {can.max_lossless_priorities} lossless priorities"
        place = Origin(("classes",), f"policy:{queueing.policy}")
        hint = "make a class lossy, or choose a model of Broadcom or NVIDIA"
        report.add(codes.UNSUPPORTED.at(place, rule, value=len(lossless), hint=hint))
    if switch.services.users:
        place = Origin(("services", "users"))
        report.add(codes.USERS.at(place, "SONiC keeps no local users in CONFIG_DB", hint=codes.USERS.fix))


Missing = Iterator[tuple[Origin, str, str]]
"""Place, feature and way out."""


def _fields(switch: Switch) -> tuple[str, ...]:
    return tuple(field for field in switch.routing.hashing.fields if field in HASH_FIELDS)


def _routing(switch: Switch, can: Capabilities) -> Missing:
    place, routing = Origin(("networks", switch.network, "routing")), switch.routing
    if routing.load_balancing != "ecmp":
        text = f"no table for load balancing {routing.load_balancing}"
        yield place.child("load_balancing"), text, "use `load_balancing: ecmp`"
    if routing.hash_seed is not None:
        yield place.child("hashing", "seed"), "no table for a hash seed", "use `seed: product`"
    unknown = sorted(set(routing.hashing.fields) - can.hash_fields)
    if unknown:
        yield place.child("hashing", "fields"), f"no hash field for {', '.join(unknown)}", "leave them out"
    tenants = sorted({port.vrf for port in switch.ports} - {"default"})
    if tenants:
        network = Origin(("networks", switch.network))
        yield network, f"no tenant VRFs yet ({', '.join(tenants)})", "leave `vrf` out of the tenants"


def _hosts(switch: Switch) -> Missing:
    network = Origin(("networks", switch.network))
    if switch.bond_system or any(port.bond for port in switch.ports):
        text = "LACP over two leaves needs a system id that PORTCHANNEL does not have"
        yield (
            network.child("attach"),
            text,
            "attach hosts by routed links, or use another platform for this tier",
        )
    if any(gateway.arp_hosts for gateway in switch.gateways):
        yield network.child("attach"), "no host routes from ARP", "use routed host links"
    if switch.host_addressing.assignment == "slaac":
        text = "no table that turns router advertisements on"
        yield network.child("addressing"), text, "use static addresses or DHCP relay"
    routed = any(port.role == "host" and port.addresses for port in switch.ports)
    if switch.host_addressing.assignment == "dhcp_relay" and routed:
        text = "DHCP relay works on VLANs only"
        yield network.child("addressing"), text, "use VLAN gateways, or static addresses"


def _services(switch: Switch) -> Missing:
    wanted, place = switch.services, Origin(("services",))
    if wanted.snmp:
        yield place.child("snmp"), "SNMPv3 users are not written yet", "leave `snmp` out"
    if wanted.ssh.allow:
        yield (
            place.child("ssh", "allow"),
            "no list of who may use SSH yet",
            "filter in the management network",
        )
    if wanted.management.domain and not wanted.management.dns:
        text = "a domain only beside name servers (sonic-dns.yang)"
        yield place.child("management", "domain"), text, "add `dns`, or leave `domain` out"
    minutes, rest = divmod(int(wanted.ssh.idle_timeout_ms), MINUTE_MS)
    if rest or not SSH_MINUTES[0] <= minutes <= SSH_MINUTES[1]:
        text = f"the idle timeout is whole minutes up to {SSH_MINUTES[1]}"
        yield place.child("ssh", "idle_timeout"), text, "write whole minutes, as 30min"
