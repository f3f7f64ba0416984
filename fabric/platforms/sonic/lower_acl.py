"""Who may manage the switch, as control-plane ACLs.

One such rule makes `caclmgrd` drop whatever no rule lists, but for replies, ICMP, neighbour discovery, DHCP and BGP. So
gNMI and SNMP are listed beside SSH where the switch has them, and BFD of FRR cannot be (`refuse`). A table is of one
family, which its rules tell; a family without rules is closed.

Source: sonic-net/sonic-host-services scripts/caclmgrd @01d1adc; sonic-acl.yang of 202511 and master.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from fabric.devices.model import Prefix, Switch
from fabric.platforms.sonic.model import Row, Tables

EVERYONE = (ip_network("0.0.0.0/0"), ip_network("::/0"))
LISTS = ("SSH_ALLOW", "GNMI_ALLOW", "SNMP_ALLOW")
"""First letters of the names of the tables."""
FIRST_PRIORITY = 9999
SOURCES = {4: "SRC_IP", 6: "SRC_IPV6"}
SUFFIXES = {4: "", 6: "_V6"}


def acl_tables(switch: Switch) -> Tables:
    """ACL_TABLE and ACL_RULE; none if nobody is kept out."""
    if not switch.services.ssh.allow:
        return {}
    tables: Tables = {"ACL_TABLE": {}, "ACL_RULE": {}}
    for name, service, sources, more in _access_lists(switch):
        for version, suffix in SUFFIXES.items():
            of_family = [source for source in sources if source.version == version]
            table = f"{name}{suffix}"
            if of_family:
                tables["ACL_TABLE"][table] = {
                    "policy_desc": table,
                    "type": "CTRLPLANE",
                    "stage": "ingress",
                    "services": [service],
                }
            for number, source in enumerate(of_family):
                rule: Row = {"PRIORITY": str(FIRST_PRIORITY - number), "PACKET_ACTION": "ACCEPT"}
                rule |= {SOURCES[version]: str(source)} | more
                tables["ACL_RULE"][f"{table}|RULE_{number + 1}"] = rule
    return tables


def has_bfd(switch: Switch) -> bool:
    """Whether a session is watched by BFD, which such a list would drop."""
    return any(switch.routing.has_bfd(neighbor) for neighbor in switch.routing.neighbors)


def _access_lists(switch: Switch) -> Iterator[tuple[str, str, tuple[Prefix, ...], Row]]:
    """Name, service, who may use it, and what else stands in its rules."""
    services = switch.services
    yield "SSH_ALLOW", "SSH", services.ssh.allow, {}
    if services.gnmi is not None:
        who = services.management.allow or EVERYONE
        yield "GNMI_ALLOW", "EXTERNAL_CLIENT", who, {"L4_DST_PORT": str(services.gnmi.port)}
    if services.snmp is not None:
        yield "SNMP_ALLOW", "SNMP", EVERYONE, {}
