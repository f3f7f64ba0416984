"""Any Ethernet site becomes a lab: every platform, family and layout; what is lowered says what was intended."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from fabric import compiler
from fabric.devices.model import Switch
from fabric.lab.blueprint import blueprint
from fabric.lab.lower_to_lab import lab_port_names, lab_product, lab_switches, switches_of
from fabric.lab.management_network import Block
from fabric.lab.model import LINKS_FILE
from fabric.resources import resource
from tests.lab.labs import devices_of, small_site

MODELS = {
    "cumulus": "nvidia-sn5600",
    "dellsonic": "dell-z9864f",
    "eos": "arista-7060x6-64pe",
    "frr": "nvidia-sn5600",
    "junos": "juniper-qfx5240-64od",
    "nxos": "cisco-n9364e-sg2",
    "sonic": "nvidia-sn5600",
    "srlinux": "nokia-ixr-h5-64o",
}
FAMILIES = ("ipv4", "ipv6", "dual", "unnumbered")
LONGEST_NAME = 15
"""Of a Linux interface."""
REFERENCES = ("lab-8", "dcnplus-pod", "rail-only")


def made(devices):
    return blueprint(devices, Block(3), lambda reference: f"value-of-{reference}", configured=True)


def site_of_platform(name, family):
    return small_site(platform=name, model=MODELS[name], family=family)


def reference(name):
    return compiler.compile(resource("inventories") / "reference" / name).devices


CASES = {
    **{
        f"{name} {family}": (lambda name=name, family=family: site_of_platform(name, family))
        for name, family in product(MODELS, FAMILIES)
    },
    **{name: (lambda name=name: reference(name)) for name in REFERENCES},
}


@pytest.mark.parametrize("case", CASES)
def test_a_port_has_one_cable_and_a_name_that_linux_takes(case):
    plan = made(CASES[case]())
    ends = [end for cable in plan.cables for end in cable.ends]
    names = {box.name for box in plan.boxes}

    assert ends
    assert len(ends) == len(set(ends))
    assert all(len(port) <= LONGEST_NAME and box in names for box, port in ends)
    assert len(plan.boxes) == len({box.address for box in plan.boxes})


@pytest.mark.parametrize("case", CASES)
def test_sessions_addresses_and_numbers_stay_as_intended(case):
    devices = CASES[case]()
    names, lowered = lab_port_names(devices), lab_switches(devices, {})
    for switch in switches_of(devices):
        other = lowered[switch.name]

        assert facts(switch, lambda port, own=switch.name: names.get((own, port), port)) == facts(other)
        assert lab_product().platform.name == other.platform


def facts(switch: Switch, name=lambda port: port):
    routing = switch.routing
    return (
        routing.asn,
        routing.router_id,
        routing.bfd_interval_ms,
        (routing.keepalive_ms, routing.hold_ms, routing.password),
        switch.loopbacks,
        [
            (name(each.port), each.address, each.remote_asn, each.family, each.bfd, each.max_prefixes)
            for each in routing.neighbors
        ],
        [(name(port.name), port.addresses, port.ip_mtu_bytes, port.vlan, port.peer) for port in switch.ports],
    )


@pytest.mark.parametrize("case", CASES)
def test_both_ends_of_a_cable_name_each_other(case):
    lowered = lab_switches(CASES[case](), {})
    ports = {(name, port.name): port for name, switch in lowered.items() for port in switch.ports}

    assert [] == [
        end
        for end, port in ports.items()
        if port.peer in lowered
        and (ports[port.peer, port.peer_port].peer, ports[port.peer, port.peer_port].peer_port) != end
    ]


def test_a_port_of_another_line_card_has_another_name():
    switches = list(switches_of(reference("dcnplus-pod")))
    names = lab_port_names(reference("dcnplus-pod"))

    for switch in switches:
        own = [names[switch.name, port.name] for port in switch.ports]
        assert len(own) == len(set(own))


def test_secrets_are_in_the_boxes_and_never_as_placeholders():
    devices = small_site(routing="{bgp: {password: env:BGP}}")
    texts = [box.files["/etc/frr/frr.conf"] for box in made(devices).boxes if box.kind == "switch"]

    assert texts
    assert all("password value-of-env:BGP" in text and "<secret" not in text for text in texts)


def test_hosts_with_vlans_get_a_gateway_on_each_leaf():
    text = (Path(__file__).parent / "vlan.yaml").read_text()
    boxes = {box.name: box for box in made(devices_of(text)).boxes}

    assert "addr add" in boxes["leaf-0-0"].files[LINKS_FILE]
    assert "link add vlan10 type bridge" in boxes["leaf-0-0"].files[LINKS_FILE]
