"""From a switch to an EOS configuration. What EOS does not support becomes a finding."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.applied import own_headroom
from fabric.platforms.eos import codes
from fabric.platforms.eos.lower_bgp import STYLE, WORDS, lower_bgp, lower_static_routes
from fabric.platforms.eos.lower_interfaces import (
    lower_channels,
    lower_gateways,
    lower_ports,
    spanning_tree,
    virtual_mac,
)
from fabric.platforms.eos.lower_qos import alike, lower_profiles, lower_watchdog
from fabric.platforms.eos.lower_services import lower_services
from fabric.platforms.eos.model import EosConfig
from fabric.platforms.eos.names import TITLE, queue_word
from fabric.platforms.eos.override_rules import stray_lines
from fabric.platforms.eos.refusals import refusals
from fabric.platforms.overrides.blocks import blocks
from fabric.platforms.routing.route_maps import route_maps

SIX = 6


def lower(switch: Switch, report: Report) -> EosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    report.extend(refusals(switch))
    switch = alike(switch)
    policy = routing_policy(switch, STYLE)
    kinds = switch.queueing.profiles if switch.queueing else ()
    return EosConfig(
        hostname=switch.name,
        management=lower_services(switch),
        bond_system=switch.bond_system,
        spanning_tree=spanning_tree(switch),
        queue_word=queue_word(switch.hardware),
        profiles=lower_profiles(switch.queueing),
        classes=kinds[0].classes if kinds else (),
        watchdog=lower_watchdog(switch.queueing),
        vlans=switch.vlans,
        channels=lower_channels(switch),
        ports=lower_ports(switch),
        loopbacks=switch.loopbacks,
        gateways=lower_gateways(switch),
        virtual_mac=virtual_mac(switch),
        has_ipv6=_has_ipv6(switch),
        policies=route_maps(policy, WORDS),
        static_routes=lower_static_routes(switch),
        bgp=lower_bgp(switch, policy),
        extra=tuple(blocks(switch, TITLE, "   ", stray_lines, codes.TEXT, report)),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that EOS computes itself, beside what our own arithmetic says of them."""
    return own_headroom(switch, lambda _kind: "set by EOS from port speed")


def _has_ipv6(switch: Switch) -> bool:
    """Whether it routes IPv6: sessions over link-local addresses do too."""
    unnumbered = any(peer.address is None for peer in switch.routing.neighbors)
    addresses = (address for gateway in switch.gateways for address in gateway.addresses)
    return (
        unnumbered or SIX in switch.routing.families or any(address.version == SIX for address in addresses)
    )
