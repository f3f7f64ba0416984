"""What the emulated switch refuses although each line is well-formed, and that nothing that we print is such."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabric.platforms.eos.emulator import CliError
from fabric.platforms.eos.emulator.flaws import flaw
from fabric.platforms.eos.emulator.ports import front_panel, reaches
from fabric.platforms.eos.emulator.store import parse
from fabric.platforms.eos.emulator.tree import EMPTY
from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated
from tests.platforms.eos.test_emulator_sites import compiled, picked, printed, sites

PORT = ("interface Ethernet5/1", "no switchport")
OTHER = ("interface Ethernet6/1", "no switchport")
ECN = "random-detect ecn minimum-threshold {} maximum-threshold {} max-mark-probability 100 weight 0"
FLAWS = {
    "the same address twice": (*PORT, "ip address 10.9.0.0/31", *OTHER, "ip address 10.9.0.0/31"),
    "overlapping subnets": (*PORT, "ip address 10.9.0.0/31", *OTHER, "ip address 10.9.0.9/24"),
    "overlapping subnets, IPv6": (*PORT, "ipv6 address fd09::1/64", *OTHER, "ipv6 address fd09::2/127"),
    "one of those that were there": (*PORT, "ip address 10.0.0.6/24"),
    "minimum above maximum": (*PORT, "tx-queue 3", ECN.format("2000 kbytes", "1999 kbytes")),
    "minimum above maximum, other units": (*PORT, "tx-queue 3", ECN.format("2 mbytes", "1999999 bytes")),
    "faster than the cage": (*PORT, "speed 1.6t-8"),
    "faster than its lanes": (*PORT, "speed 400g-2"),
    "more lanes than are left": ("interface Ethernet5/5", "speed 800g-8"),
    "forced, on a port of 10G": ("interface Ethernet65", "speed forced 100g-1"),
    "an error, as it is told": ("system l1", "unsupported speed action error", *PORT, "speed 400g-2"),
    "bandwidth over 100": (*PORT, "tx-queue 3", "bandwidth percent 60", "tx-queue 2", "bandwidth percent 41"),
}
FINE = {
    "neighbouring subnets": (*PORT, "ip address 10.9.0.0/31", *OTHER, "ip address 10.9.0.2/31"),
    "another VRF": (*PORT, "ip address 10.9.0.0/31", *OTHER, "vrf MGMT", "ip address 10.9.0.0/31"),
    "minimum is maximum": (*PORT, "tx-queue 3", ECN.format("2 mbytes", "2000 kbytes")),
    "all lanes of the cage": (*PORT, "speed 800g-8"),
    "the lanes that are left": ("interface Ethernet5/5", "speed 400g-4"),
    "slower than it could": (*PORT, "speed 100g"),
    "only warned of": ("system l1", "unsupported speed action warn", *PORT, "speed 400g-2"),
    "bandwidth of 100": (*PORT, "tx-queue 3", "bandwidth percent 60", "tx-queue 2", "bandwidth percent 40"),
}


@pytest.fixture(name="box", scope="module")
def _box() -> Iterator[Sandbox]:
    spec = emulated.spec("leaf1", config=emulated.configs()["leaf1"])
    with emulated.sandbox((spec,), block=10) as made:
        yield made


def committed(box: Sandbox, lines: tuple[str, ...]) -> str:
    """What the switch says of a session with these lines; empty if it runs them."""
    store = box.network["leaf1"].store
    before = store.running
    try:
        editor = store.editor(store.session("s", "netops").config)
        for line in lines:
            editor.feed(line)
        from fabric.platforms.eos.emulator.store import settled

        store.sessions["s"].config = settled(editor, store.running)
        store.commit("s")
    except CliError as refusal:
        assert store.running is before
        return str(refusal)
    else:
        store.run(before)
        return ""
    finally:
        store.sessions.clear()


@pytest.mark.parametrize("name", FLAWS)
def test_a_flaw_is_refused_and_nothing_changes(box, name):
    assert committed(box, FLAWS[name])


@pytest.mark.parametrize("name", FINE)
def test_what_is_next_to_a_flaw_is_accepted(box, name):
    assert "" == committed(box, FINE[name])


def test_bgp_has_one_as_number(box):
    assert "BGP is already running with AS number 65101" in committed(box, ("router bgp 65009",))
    assert "" == committed(box, ("no router bgp 65101", "router bgp 65009"))


@pytest.mark.parametrize("site", sites())
def test_nothing_that_we_print_has_a_flaw(site):
    for name in picked(site):
        hardware = compiled(site).devices[name].hardware.id
        ports, reach = front_panel(hardware), reaches(hardware)

        assert "" == flaw(EMPTY, parse(printed(site, name), ports=ports), reach)
