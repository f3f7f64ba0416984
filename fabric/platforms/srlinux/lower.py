"""From a switch to an SR Linux configuration. What SR Linux cannot say becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import Capabilities
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.capabilities import capabilities, is_xgs
from fabric.platforms.srlinux.lower_bgp import lower_bfd, lower_instances, lower_policies
from fabric.platforms.srlinux.lower_interfaces import lower_interfaces
from fabric.platforms.srlinux.lower_qos import lower_qos
from fabric.platforms.srlinux.lower_services import lower_system
from fabric.platforms.srlinux.model import SrlConfig, container, table

INTERFACES = "srl_nokia-interfaces:interface"
POLICY = "srl_nokia-routing-policy:routing-policy"
INSTANCES = "srl_nokia-network-instance:network-instance"
QOS = "srl_nokia-qos:qos"
BFD = "srl_nokia-bfd:bfd"
SYSTEM = "srl_nokia-system:system"


def lower(switch: Switch, report: Report) -> SrlConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    tables = [
        container(SYSTEM, lower_system(switch, report)),
        table(INTERFACES, lower_interfaces(switch, report)),
        container(POLICY, lower_policies(switch)),
    ]
    bfd = lower_bfd(switch)
    if bfd is not None:
        tables.append(container(BFD, bfd))
    qos = lower_qos(switch, report) if is_xgs(switch.hardware) else None
    if qos is not None:
        tables.append(container(QOS, qos))
    tables.append(table(INSTANCES, lower_instances(switch, report)))
    return SrlConfig(tuple(tables))


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and SR Linux, by its capabilities, cannot say."""
    can = capabilities(switch.release, switch.hardware)
    for origin, feature, hint in (
        *_routing(switch),
        *_hosts(switch),
        *_queues(switch, can),
        *_services(switch),
    ):
        report.add(
            codes.UNSUPPORTED.at(
                origin,
                f"Nokia SR Linux on {switch.hardware.model}: {feature}",
                hint=hint,
                subjects=(switch.name,),
            )
        )


Missing = Iterator[tuple[Origin, str, str]]
"""Place, feature and way out of what is needed and cannot be said."""


def _routing(switch: Switch) -> Missing:
    place = Origin(("networks", switch.network, "routing"))
    routing = switch.routing
    if routing.load_balancing != "ecmp":
        yield (
            place.child("load_balancing"),
            f"no published leaf for {routing.load_balancing} load balancing",
            "use `load_balancing: ecmp`",
        )
    if routing.hash_seed is not None:
        yield place.child("hashing", "seed"), "no hash seed is written yet", "use `seed: product`"
    if set(routing.hashing.fields) != set(type(routing.hashing)().fields):
        yield place.child("hashing", "fields"), "no hash fields are written yet", "leave `fields` out"
    tenants = sorted({port.vrf for port in switch.ports} - {"default"})
    if tenants:
        yield (
            Origin(("networks", switch.network)),
            f"no tenant VRFs yet ({', '.join(tenants)})",
            "leave `vrf` out of the tenants of this network",
        )
    if switch.management.vrf == "default":
        yield (
            Origin(("services", "management", "vrf")),
            "mgmt0 and its servers live in the network instance mgmt, not in the default one",
            "leave `vrf` out, or name a VRF: it becomes mgmt",
        )


def _hosts(switch: Switch) -> Missing:
    place = switch.origin.child("host_links")
    if switch.gateways or any(port.vlan for port in switch.ports):
        yield place.child("mode"), "no VLAN gateways are written yet (mac-vrf, irb)", "use routed host links"
    if switch.bond_system or any(port.bond for port in switch.ports):
        yield (
            place.child("bond"),
            "no bonds over two independent leaves: its multihoming is EVPN",
            "give each NIC port an address of its own",
        )
    if switch.host_addressing.assignment != "static":
        yield (
            place.child("assignment"),
            f"no {switch.host_addressing.assignment} is written yet",
            "use `assignment: static`",
        )
    for lines in switch.extra:
        yield (
            lines.origin,
            "the tree takes no verbatim lines",
            "leave the override out, or say it in the intent",
        )


def _queues(switch: Switch, can: Capabilities) -> Missing:
    if switch.queueing is None:
        return
    place = Origin(("classes",), f"policy:{switch.queueing.policy}")
    if not is_xgs(switch.hardware):
        yield (
            place,
            "no queueing for DNX: its tree differs from that of XGS, and no published configuration shows it",
            "use a 7220 IXR model, or no lossless policy",
        )
    elif not can.pfc and any(kind.priorities for kind in switch.queueing.profiles):
        yield (
            place,
            "no PFC: Nokia's manual names 7220 IXR-H4, H5, D4 and D5 for it",
            "make every class lossy, or use 7220 IXR-H4, H5, D4 or D5",
        )


def _services(switch: Switch) -> Missing:
    services, place = switch.services, Origin(("services",))
    if services.snmp is not None:
        yield place.child("snmp"), "no SNMPv3 is written yet", "leave `snmp` out"
    if services.tacacs is not None:
        yield place.child("tacacs"), "no TACACS+ is written yet", "leave `tacacs` out"
    if services.gnmi is not None:
        yield (
            place.child("gnmi"),
            "gNMI needs a TLS server profile, whose key no intent holds",
            "leave `gnmi` out",
        )
    if services.ssh.allow:
        yield place.child("ssh", "allow"), "no filter for SSH is written yet", "leave `allow` out"
    if int(services.ssh.idle_timeout_ms) % 1000:
        yield (
            place.child("ssh", "idle_timeout"),
            "the idle timeout counts whole seconds",
            "write whole seconds",
        )
