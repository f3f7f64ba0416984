"""InfiniBand subnets and their managers: where their values come from."""

from __future__ import annotations

from fabric.provenance.stems.row import NAMES, row

INFINIBAND = "NET.infiniband.**"
IDENTITIES = "inventory:hosts.*.hcas.** inventory:devices.*.guid"
TENANTS = "tenants.**"

ROWS = (
    row("priority", "priority of the manager", "NET.infiniband.managers.** NET.infiniband.**", cabling=True),
    row(
        "port_guid peers",
        "the managers of the subnet",
        f"{IDENTITIES} NET.infiniband.**",
        NAMES,
        cabling=True,
    ),
    row(
        "subnet.partitions.*",
        "partitions of the subnet",
        f"{TENANTS} {INFINIBAND}",
        (*IDENTITIES.split(), "inventory:hosts.*.tags"),
        cabling=True,
    ),
    row("subnet.lanes.* subnet.high_limit", "service levels and virtual lanes", INFINIBAND, (TENANTS,)),
    row(
        "subnet.switches.* subnet.ends.*",
        "switches and HCAs of the subnet",
        f"{IDENTITIES} {INFINIBAND}",
        NAMES,
        cabling=True,
    ),
    row(
        "subnet.links.* subnet.roots subnet.torus.* subnet.layout",
        "cabling of the subnet",
        INFINIBAND,
        (*NAMES, TENANTS),
        cabling=True,
    ),
    row("subnet.mtu_bytes", "MTU of the subnet", f"NET.infiniband.mtu {INFINIBAND}", unit="B"),
    row("subnet.rate_mbps", "rate of the multicast groups", INFINIBAND, cabling=True, unit="Mb/s"),
    row("subnet.*", "{setting} of the subnet", INFINIBAND, (TENANTS, *IDENTITIES.split()), cabling=True),
)
"""Before those of switches."""
