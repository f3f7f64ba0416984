"""From a switch to an SR Linux configuration. What SR Linux does not support becomes a finding."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.srlinux.buffers import sizes_of
from fabric.platforms.srlinux.capabilities import is_xgs
from fabric.platforms.srlinux.check_qos import check_qos
from fabric.platforms.srlinux.lower_access import lower_filters
from fabric.platforms.srlinux.lower_bgp import lower_bfd, lower_instances
from fabric.platforms.srlinux.lower_interfaces import lower_interfaces
from fabric.platforms.srlinux.lower_policies import STYLE, lower_policies
from fabric.platforms.srlinux.lower_qos import lower_qos
from fabric.platforms.srlinux.lower_services import lower_system
from fabric.platforms.srlinux.model import SrlConfig, container, table
from fabric.platforms.srlinux.refusals import refusals

INTERFACES = "srl_nokia-interfaces:interface"
POLICY = "srl_nokia-routing-policy:routing-policy"
INSTANCES = "srl_nokia-network-instance:network-instance"
QOS = "srl_nokia-qos:qos"
BFD = "srl_nokia-bfd:bfd"
ACL = "srl_nokia-acl:acl"
SYSTEM = "srl_nokia-system:system"


def lower(switch: Switch, report: Report) -> SrlConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    has_queues = is_xgs(switch.hardware)
    sizes = sizes_of(switch) if has_queues else None
    report.extend(refusals(switch))
    if has_queues:
        report.extend(check_qos(switch, sizes))
    policy = routing_policy(switch, STYLE)
    tables = [
        container(SYSTEM, lower_system(switch)),
        table(INTERFACES, lower_interfaces(switch)),
        container(POLICY, lower_policies(switch, policy)),
    ]
    optional = {
        ACL: lower_filters(switch),
        BFD: lower_bfd(switch),
        QOS: lower_qos(switch, sizes) if has_queues else None,
    }
    tables += [container(name, tree) for name, tree in optional.items() if tree is not None]
    tables.append(table(INSTANCES, lower_instances(switch, policy)))
    return SrlConfig(tuple(tables))
