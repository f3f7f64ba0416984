"""Dynamic load balancing reaches only peers that own the MAC address that it sends to."""

from __future__ import annotations

import pytest

from fabric.devices.model import LinkRole
from fabric.diagnostics import Invalid
from tests.platforms.cases import of
from tests.platforms.nxos.devices import CASES, INTENTS
from tests.platforms.sites import network, printed

FABRIC = {LinkRole.UP, LinkRole.DOWN, LinkRole.ACROSS}


def test_only_ports_to_switches_of_the_fabric_are_balanced():
    device = CASES["per packet"]()
    listed = next(line for line in printed(device).splitlines() if "dlb-interface" in line)

    assert {port.role for port in device.ports} - FABRIC
    assert [port.name for port in device.ports if port.role in FABRIC] == listed.split()[1].split(",")


def test_a_peer_of_another_product_is_refused():
    strange = network("tiers: {spine: {model: arista-7060x6-64pe, platform: eos}}")

    with pytest.raises(Invalid, match="does not own"):
        printed(of("nxos", INTENTS["per packet"], strange))
