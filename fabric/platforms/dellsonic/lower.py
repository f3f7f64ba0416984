"""From a switch to a configuration of Dell Enterprise SONiC. What it does not support becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.addresses import IpInterface
from fabric.devices.model import ManagementPort, Switch
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.dellsonic import codes
from fabric.platforms.dellsonic.lower_qos import lower_kinds, lower_qos
from fabric.platforms.dellsonic.model import DellsonicConfig, Port
from fabric.platforms.dellsonic.names import TITLE, breakout, port_name
from fabric.platforms.dellsonic.notes import notes
from fabric.platforms.dellsonic.refusals import refusals
from fabric.platforms.object_names import natural
from fabric.platforms.ports import every_port
from fabric.platforms.routing.families import families
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.routing.route_maps import BY_POLICY, Words, by_name, route_maps

TAKES = RoutingRanges(TITLE, max_paths=256, bfd_interval_ms=(10, 60_000), bfd_multiplier=(2, 255))
"""Source: the public grammar of the management framework."""


def lower(switch: Switch, report: Report) -> DellsonicConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    report.extend(refusals(switch))
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    report.extend(notes(switch))
    routing = switch.routing
    policy = routing_policy(switch, BY_POLICY)
    peers = ((neighbor, group.name) for neighbor, group in policy.sessions)
    return DellsonicConfig(
        hostname=switch.name,
        in_vrf=switch.management.vrf != "default",
        services=switch.services,
        users=tuple(sorted(switch.services.users.items())),
        breakouts=lower_breakouts(switch),
        qos=lower_qos(switch.queueing),
        policies=route_maps(policy, Words()),
        loopbacks=switch.loopbacks,
        management=tuple(lower_management(switch.management)),
        ports=lower_ports(switch),
        routing=routing,
        families=tuple(families(routing.families, routing)),
        groups=tuple(by_name(policy.groups)),
        peers=tuple(sorted(peers, key=lambda pair: natural(pair[0].key))),
    )


def lower_management(port: ManagementPort) -> Iterator[tuple[IpInterface, str]]:
    """Its addresses; the gateway stands behind that of its family."""
    for address in port.addresses:
        gateway = port.gateway
        yield address, f" gwaddr {gateway}" if gateway and gateway.version == address.version else ""


def lower_breakouts(switch: Switch) -> tuple[tuple[str, str], ...]:
    """Each cage that is not one port of its full speed."""
    modes = {
        (port.slot.slot or 1, port.slot.cage): mode
        for port in switch.ports
        if (mode := breakout(port.slot, switch.hardware))
    }
    return tuple((f"{slot}/{cage}", mode) for (slot, cage), mode in sorted(modes.items()))


def lower_ports(switch: Switch) -> tuple[Port, ...]:
    """`interface Eth`."""
    kinds = lower_kinds(switch.queueing)
    return tuple(
        Port(port, kinds[port.queueing.name] if port.queueing else None)
        for port in every_port(switch, port_name)
    )
