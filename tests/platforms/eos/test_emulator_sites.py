"""What the program prints for the shipped sites is taken by emulated switches, and their sessions come up."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from fabric import api
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.emulation import Emulated, Wire
from fabric.platforms.eos import PLATFORM
from fabric.platforms.eos.emulator import CliError, EosEmulator
from fabric.platforms.eos.emulator.ports import front_panel
from fabric.platforms.eos.emulator.secrets import hashed
from fabric.platforms.eos.emulator.store import parse, text
from fabric.platforms.registry import platform
from fabric.sandbox.emulated_network import Network
from tests.platforms.judging import differing

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
SECRET = re.compile(r"<secret:[^>]*>")


def sites() -> list[str]:
    """Shipped sites with switches of this platform."""
    return [
        path.parent.name
        for path in sorted(REFERENCE.glob("*/site.yaml"))
        if "model: arista" in path.read_text()
    ]


@cache
def compiled(site: str) -> api.Compiled:
    """A shipped site."""
    return api.compile(REFERENCE / site)


def printed(site: str, name: str) -> str:
    """A configuration with every secret filled in."""
    filled = compiled(site).artifacts[name].text
    filled = re.sub(r"secret sha512 <secret:[^>]*>", f"secret sha512 {hashed('x')}", filled)
    return SECRET.sub("filled-in", filled)


def picked(site: str) -> list[str]:
    """The first and last switch of each role."""
    by_role: dict[str, list[str]] = {}
    for name in compiled(site).devices:
        switch = compiled(site).devices[name]
        if switch.platform == PLATFORM.name:
            by_role.setdefault(f"{switch.network} {switch.role}", []).append(name)
    return [name for names in by_role.values() for name in {names[0]: 1, names[-1]: 1}]


def switch_is_the_sites_own(site: str, name: str) -> bool:
    """Whether the model comes with the site, so that the emulator cannot know its ports."""
    return compiled(site).devices[name].hardware.id not in load_catalogue().switches


@pytest.mark.parametrize("site", sites())
def test_every_line_that_we_print_is_accepted_and_read_back_unchanged(site):
    for name in picked(site):
        config = printed(site, name)
        ports = front_panel(compiled(site).devices[name].hardware.id)
        shown = text(parse(config, ports=ports))

        assert differing("eos", shown, config) == {}
        assert ports or switch_is_the_sites_own(site, name)


@cache
def lab() -> Network:
    """The eight-switch lab, configured."""
    site = compiled("lab-8")
    specs = []
    for name in site.devices:
        switch = site.devices[name]
        wires = tuple(Wire(port.name, port.peer, port.peer_port) for port in switch.ports if port.peer)
        specs.append(
            Emulated(
                name=name,
                platform=switch.platform,
                hardware=switch.hardware.id,
                config=printed("lab-8", name),
                wires=wires,
                username="x",
                password="x",
            )
        )
    return Network(specs)


def test_every_session_of_the_lab_comes_up():
    expected = {name: len(compiled("lab-8").devices[name].routing.neighbors) for name in lab()}
    found = {}
    for name, device in lab().items():
        assert isinstance(device, EosEmulator)
        states = [state for _, states in device.bgp() for state in states]
        found[name] = sum(state.word == "Established" for state in states)

    assert expected == found
    assert all(expected.values())


def test_lldp_in_the_lab_tells_the_cable_list():
    for name, device in lab().items():
        assert isinstance(device, EosEmulator)
        switch = compiled("lab-8").devices[name]

        heard = {(heard.port, heard.system, heard.peer_port) for heard in device.lldp()}
        assert {(p.name, p.peer, p.peer_port) for p in switch.ports if p.peer and p.enabled} == heard


def test_the_platform_is_played_by_its_own_emulator():
    assert platform(PLATFORM.name).emulator == f"{EosEmulator.__module__.rpartition('.')[0]}:make"


def test_a_port_that_the_model_does_not_have_is_refused():
    ports = front_panel("arista-7060x6-64pe")

    assert {"Ethernet64/8", "Ethernet65"} <= ports
    with pytest.raises(CliError, match="token 1: 'Ethernet65/1'"):
        parse("interface Ethernet65/1", ports=ports)
