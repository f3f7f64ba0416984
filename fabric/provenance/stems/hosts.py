"""Files of hosts: where their values come from. What leaf ports have too stands with the ports."""

from __future__ import annotations

from fabric.provenance.stems.row import NAMES, POOLS, row

ROWS = (
    row("system.* system", "how NICs are named, and who sets them", "hosts.{group}.system.**"),
    row(
        "ports.*.system.*",
        "what is declared of the NIC",
        "hosts.{group}.system.** inventory:hosts.{name}.**",
        cabling=True,
    ),
    row("ports.*.network ports.*.nic ports.*.port", "NIC of the host", "hosts.{group}.nics.**", cabling=True),
    row("ports.*.gateways", "gateway of the NIC", "NET.addressing.host_pool", POOLS, cabling=True),
    row(
        "ports.*.speed_mbps",
        "speed of the NIC",
        "hosts.{group}.nics.{network}.speed",
        cabling=True,
        unit="Mb/s",
    ),
    row("ports.*.bonded", "the NIC is bonded", "NET.addressing.host_links.mode", cabling=True),
    row(
        "ports.*.load_balancing",
        "load balancing of the network",
        "NET.routing.load_balancing NET.routing.nics_reorder",
    ),
    row(
        "ports.*.subnet.*",
        "the subnet of the NIC",
        "NET.infiniband.** tenants.**",
        ("inventory:hosts.**",),
        cabling=True,
    ),
    row("group", "group of hosts", "", NAMES, cabling=True),
)
