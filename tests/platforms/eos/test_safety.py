"""What may listen where hosts are, and what a port may do that nobody planned."""

from __future__ import annotations

import re

import pytest

from fabric.devices.model import LinkRole
from fabric.platforms.eos import PLATFORM
from fabric.platforms.eos.emulator.ports import front_panel
from tests.platforms.eos.sites import device, text_of
from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, texts

EVERY = [feature for feature in FEATURES if FEATURES[feature].able(capabilities("eos"))]


def section(text: str, header: str) -> str:
    """A section with all that is below it."""
    found = re.search(rf"(?m)^{header}\n(?:   .*\n)*", text)
    return found[0] if found else ""


@pytest.mark.parametrize("feature", EVERY)
def test_no_server_runs_in_the_vrf_of_the_hosts(feature):
    for switch, text in texts(devices("eos", feature)):
        vrf = switch.management.vrf
        assert "   vrf default\n      shutdown\n" in section(text, "management ssh")
        assert f"   vrf {vrf}\n      no shutdown\n" in section(text, "management api http-commands")
        assert "vrf default" not in section(text, "management api http-commands")
        gnmi = section(text, "management api gnmi")
        assert not gnmi or (f"      vrf {vrf}\n" in gnmi and "      ssl profile " in gnmi)


@pytest.mark.parametrize("feature", EVERY)
def test_every_cage_of_the_box_is_used_or_shut(feature):
    cages = {name.split("/")[0] for name in front_panel(MODELS["eos"])}
    for switch, text in texts(devices("eos", feature)):
        ports = PLATFORM.read(text).facts.interfaces
        used = {port.name for port in switch.ports if port.role is not LinkRole.UNUSED}

        assert cages <= {name.split("/")[0] for name in ports}
        assert not [name for name in ports if "Ethernet" in name and ports[name].enabled and name not in used]


@pytest.mark.parametrize("case", ["vlan gateway", "dual ToR"])
def test_switched_ports_to_hosts_are_guarded(case):
    switch, text = device(case), text_of(case)

    assert "spanning-tree mode mstp\n" in text
    for port in switch.ports:
        if port.vlan:
            name = f"Port-Channel{port.bond}" if port.bond else port.name
            lines = section(text, f"interface {name}")
            assert "   spanning-tree bpduguard enable\n" in lines
            assert "   storm-control broadcast level 1\n" in lines
            assert not port.bond or "   lacp timer fast\n" in section(text, f"interface {port.name}")
    assert ("ip local-proxy-arp" in text) == bool(switch.bond_system)
