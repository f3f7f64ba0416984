"""Ports, addresses, gateways, management: where their values come from."""

from __future__ import annotations

from fabric.provenance.stems.row import NAMES, POOLS, PRODUCT, PRODUCTS_BESIDE, row

TAKEN_OUT = (
    "state:shut_ports.*.device",
    "state:shut_ports.*.port",
    "state:excluded_links.*.device",
    "state:excluded_links.*.peer",
    "state:excluded_links.*.port",
    "overrides.*.shutdown_ports",
)
"""Entries that may shut a port."""
WHICH = ("overrides.*.device", "overrides.*.role", "overrides.*.unit", "overrides.*.network")
SPEEDS = "hosts.*.nics.{network}.speed NET.tiers.*.down.speed NET.tiers.*.up.speed attachments.*.speed"

ROWS = (
    row("name", "host name", "NET.tiers.{role}.name NET.prefix", NAMES, cabling=True, derive="host_name"),
    row("site", "name of the site", "site"),
    row("network group", "network that it belongs to"),
    row("role rail plane", "place in the fabric", "NET.tiers.{role}.role_name", cabling=True),
    row("platform release", "product and release", "", PRODUCT),
    row("hardware.*", "the model", "NET.tiers.{role}.model", PRODUCT),
    row(
        "loopbacks",
        "loopback addresses",
        "NET.addressing.loopback_pool NET.addressing.loopback_pool6 NET.addressing.family",
        POOLS,
        cabling=True,
        derive="loopback",
    ),
    row("ports.*.name", "name of {port}", "", PRODUCT, cabling=True, derive="port_name"),
    row("ports.*.slot.speed_mbps", "speed of {port}", SPEEDS, PRODUCT, cabling=True, unit="Mb/s"),
    row("ports.*.slot.*", "place of {port} on the front panel", "", PRODUCT, cabling=True),
    row("ports.*.role", "what {port} is for", "", cabling=True),
    row("ports.*.peer", "device at the other end of {port}", "", NAMES, cabling=True),
    row(
        "ports.*.peer_port ports.*.peer_platform",
        "other end of {port}",
        "",
        (*PRODUCTS_BESIDE, "hosts.*.system.**"),
        cabling=True,
    ),
    row("ports.*.enabled", "{port} is up", "{taken_out}", (*TAKEN_OUT, *WHICH), cabling=True),
    row(
        "ports.*.addresses",
        "addresses of {port}",
        "{pool_of_port}",
        POOLS,
        cabling=True,
        derive="port_address",
    ),
    row("ports.*.link_local", "{port} is unnumbered", "NET.addressing.family", cabling=True),
    row(
        "ports.*.ip_mtu_bytes",
        "IP MTU of {port}",
        "NET.ip_mtu attachments.{peer}.ip_mtu",
        cabling=True,
        unit="B",
    ),
    row(
        "ports.*.queueing",
        "queueing of {port}",
        "NET.lossless attachments.{peer}.lossless attachments.{peer}.kind",
        (*SPEEDS.split(), "NET.cables.*.length", "attachments.*.cable", "policy:classes.*.priority"),
        cabling=True,
        derive="profile_name",
    ),
    row(
        "ports.*.bond ports.*.vlan ports.*.tagged bond_system",
        "VLAN and bundle of {port}",
        "NET.addressing.host_links.mode NET.addressing.host_links.vlan attachments.{peer}.vlan "
        "attachments.{peer}.tagged attachments.{peer}.lacp",
        ("attachments.*.vlan", "attachments.*.lacp"),
        cabling=True,
        narrow=True,
    ),
    row("ports.*.rail ports.*.plane", "rail and plane of {port}", "NET.rails.fold", cabling=True),
    row(
        "gateways.*.ip_mtu_bytes",
        "IP MTU of the gateway",
        "NET.ip_mtu attachments.*.ip_mtu",
        unit="B",
        cabling=True,
    ),
    row(
        "gateways.*",
        "gateway of hosts or of an attachment",
        "NET.addressing.host_links.mode NET.addressing.host_links.vlan NET.addressing.host_pool attachments.*.vlan",
        POOLS,
        cabling=True,
    ),
    row(
        "host_addressing.*",
        "how hosts get their addresses",
        "NET.addressing.host_links.assignment NET.addressing.host_links.dhcp_servers",
    ),
    row("management.addresses", "management address", "inventory:devices.{name}.address"),
    row("management.gateway", "gateway of the management network", "services.management.gateway"),
    row("management.vrf", "VRF of the management port", "services.management.vrf"),
    row("drained keeps_sessions", "whether it is drained", "state:drained.**"),
    row("extra*", "lines of an override, as they are written", "overrides.*.extra.**", WHICH),
)
