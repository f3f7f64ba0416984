"""What a change does to traffic, and what would lock us out."""

from __future__ import annotations

import pytest

from fabric.configuration import compare
from fabric.planning import judging
from fabric.platforms.frr.dialect import DIALECT
from tests.platforms.cases import SHUT, addressing
from tests.platforms.frr.devices import CASES, leaf
from tests.platforms.frr.printing import printed
from tests.platforms.judging import impacts, judged, lockouts, lockouts_of_texts
from tests.platforms.sites import inventory, klass, network, override, services, site, state
from tests.platforms.sites import leaf as any_leaf

VLAN = addressing("host_links: {mode: vlan}")
ONE_SPINE = network("tiers: {spine: {installed: 1}}")


def asked(*words):
    """The first leaf, with what is asked of it."""
    return any_leaf("frr", *words)


def changed(*words, base=()):
    """What becomes of a leaf whose intent changes so."""
    return judged(asked(*base), asked(*base, *words))


def of_texts(old, new, text=None):
    """What a change of the text of a leaf does: impact and ports of each."""
    text = printed(leaf()) if text is None else text
    assert old in text
    found = compare(DIALECT, "x", DIALECT.plain(text), DIALECT.plain(text.replace(old, new, 1))).changes
    return {one.what: (one.impact.value, one.scope.ports) for one in judging.judged(found, leaf())}


def ports(prefix, device):
    """The ports of a leaf by what stands behind them."""
    return {port.name for port in device.ports if port.peer.startswith(prefix)}


def test_equal_switches_change_nothing():
    assert {} == judged(asked(), asked())


def test_another_name_of_a_host_is_text_only():
    found = changed(site('hosts: {gpu: {name: "node-{unit}-{index}"}}'))

    assert {"none"} == {one.impact for one in found.values()}
    assert {f"interfaces {name}" for name in ports("gpu", leaf())} == set(found)
    assert {"text only"} == {one.reason for one in found.values()}


def test_another_mtu_sets_up_each_port_anew():
    found = changed(network("ip_mtu: 4000"))
    of_ports = {what: one for what, one in found.items() if what.startswith("interfaces ")}

    assert {f"interfaces {port.name}" for port in leaf().ports if port.peer} == set(of_ports)
    assert {("flap", (what.partition(" ")[2],)) for what in of_ports} == {
        one[:2] for one in of_ports.values()
    }


def test_a_port_that_is_shut_concerns_that_port_alone():
    found = changed(state(f"shut_ports: [{{device: leaf-0-0, port: swp1s0, {SHUT}}}]"))

    assert {"interfaces swp1s0": ("flap", ("swp1s0",))} == {what: one[:2] for what, one in found.items()}


@pytest.mark.parametrize(
    ("words", "what", "impact"),
    [
        (network("routing: {max_paths: 32}"), "frr.conf router bgp", "hitless"),
        (network("routing: {bgp: {keepalive: 1s, hold: 3s}}"), "frr.conf router bgp", "flap"),
        (network("routing: {bgp: {password: 'env:BGP'}}"), "frr.conf router bgp", "flap"),
        (network("routing: {bfd: {interval: 100ms}}"), "frr.conf bfd", "hitless"),
        (network("routing: {hashing: {fields: [src_ip]}}"), "sysctl.conf", "flap"),
        (klass("roce", "dscp: [24]"), "qos.sh profile lossless-400g-5m", "buffer"),
        (network("routing: {bfd: none}"), "daemons", "flap"),
    ],
)
def test_a_change_has_the_impact_of_its_row(words, what, impact):
    assert impact == changed(words)[what].impact


def test_another_cable_gives_its_ports_another_profile():
    found = changed(network("cables: {host_leaf: {length: 40m}}"))
    queues = {what: one for what, one in found.items() if what.startswith("qos.sh queues ")}

    assert {f"qos.sh queues {name}" for name in ports("gpu", leaf())} == set(queues)
    assert {("buffer", (what.rpartition(" ")[2],)) for what in queues} == {one[:2] for one in queues.values()}


def test_a_drained_switch_keeps_its_sessions():
    drained = state(f"drained: [{{device: leaf-0-0, mode: graceful, {SHUT}}}]")

    assert {"frr.conf router bgp": "hitless"} == impacts(asked(), asked(drained))


def test_a_switch_that_is_shut_interrupts_the_ports_of_its_sessions():
    found = changed(state(f"drained: [{{device: leaf-0-0, mode: shut, {SHUT}}}]"))["frr.conf router bgp"]

    assert ("flap", tuple(sorted(ports("spine", leaf())))) == found[:2]


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    found = changed(override("[{device: spine-1, asn: 64999}]"))["frr.conf router bgp"]

    assert ("flap", tuple(sorted(ports("spine-1", leaf())))) == found[:2]


def test_our_own_as_number_interrupts_everything():
    found = changed(override("[{device: leaf-0-0, asn: 64777}]"))["frr.conf router bgp"]

    assert ("flap", ()) == found[:2]


def test_a_new_session_disturbs_no_other():
    assert "hitless" == judged(asked(ONE_SPINE), asked())["frr.conf router bgp"].impact


def test_hosts_behind_a_gateway_lose_it():
    found = changed(network("ip_mtu: 4000"), base=(VLAN,))

    assert {("flap", ())} == {one[:2] for what, one in found.items() if what.startswith("interfaces vlan")}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("cage swp1 2", "cage swp1 1", {"qos.sh cage swp1": ("flap", ("swp1s0", "swp1s1"))}),
        ("    alias ", "    alias a", {"interfaces swp1s0": ("none", ())}),
        (
            "    link-autoneg off",
            "    link-autoneg off\n    strange 1",
            {"interfaces swp1s0": ("flap", ("swp1s0",))},
        ),
        ("lossless-400g-5m swp1s0", "other swp1s0", {"qos.sh queues swp1s0": ("buffer", ("swp1s0",))}),
        ("ip_forward = 1", "ip_forward = 0", {"sysctl.conf": ("flap", ())}),
        ('SUBSYSTEM=="net"', 'SUBSYSTEM=="no"', {"ports.rules": ("reload", ())}),
        ("Type=oneshot", "Type=simple", {"qos.service": ("none", ())}),
        ("log syslog informational", "log syslog errors", {"frr.conf log syslog": ("none", ())}),
        ("set -eu", "set -eux", {"qos.sh set -eu": ("buffer", ()), "qos.sh set -eux": ("flap", ())}),
        ("devlink port split", "devlink port spilt", {"qos.sh cage()": ("buffer", ())}),
        ("router bgp", "debug bgp updates\nrouter bgp", {"frr.conf debug bgp updates": ("none", ())}),
        ("router bgp", "strange thing\nrouter bgp", {"frr.conf strange thing": ("flap", ())}),
        (
            "router bgp",
            "bgp as-path access-list A permit ^1\nrouter bgp",
            {"frr.conf bgp as-path access-list A permit ^1": ("hitless", ())},
        ),
        (" description ", " description a ", {"frr.conf router bgp": ("none", ())}),
        ("route-map RM-TO-ABOVE deny", "route-map RM-TO-ABOVE permit", None),
    ],
)
def test_a_line_is_judged_by_what_it_is(old, new, found):
    judgement = of_texts(old, new)

    assert found == judgement or (found is None and {("hitless", ())} == set(judgement.values()))


def test_another_prefix_of_hosts_is_told_by_its_interface():
    text = printed(CASES["slaac"]())
    [(what, found)] = of_texts(" ipv6 nd prefix fd", " ipv6 nd prefix fe", text).items()

    assert what.startswith("frr.conf interface ")
    assert ("hitless", (what.split()[-1],)) == found


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_line_that_is_printed_is_judged_by_a_row_of_its_own(case):
    if case == "extended":  # with lines that nobody knows
        return
    text = DIALECT.plain(printed(CASES[case]()))
    changes = judging.judged(compare(DIALECT, "x", text, "").changes, CASES[case]())

    assert len(changes) > 10
    assert [] == [one for one in changes if "not known" in one.reason]


LOCKED_OUT = {
    "another address": ("198.51.100.11", "198.51.100.12"),
    "another gateway": ("    gateway 198.51.100.1\n", "    gateway 198.51.100.2\n"),
    "services stay out of the VRF": ("net.ipv4.tcp_l3mdev_accept = 1\n", ""),
    "services leave the VRF": ("net.ipv4.tcp_l3mdev_accept = 1", "net.ipv4.tcp_l3mdev_accept = 0"),
    "another table of the VRF": ("vrf-table auto", "vrf-table 1001"),
    "no VRF": ("    vrf MGMT\n", ""),
    "a line that nobody knows": ("    vrf MGMT\n", "    vrf MGMT\n    strange 1\n"),
    "it does not come up": ("auto eth0\n", ""),
    "the VRF does not come up": ("auto MGMT\n", ""),
}


@pytest.mark.parametrize("name", sorted(LOCKED_OUT))
def test_a_change_of_management_access_is_told(name):
    text, (old, new) = printed(leaf()), LOCKED_OUT[name]

    assert old in text
    assert lockouts_of_texts(leaf(), text, text.replace(old, new))


def test_the_whole_port_of_management_that_goes_is_told():
    text = printed(leaf())
    before, _, rest = text.partition("auto eth0\n")

    assert lockouts_of_texts(leaf(), text, before + rest.partition("\n\n")[2])


@pytest.mark.parametrize(
    ("old", "new"),
    [("net.ipv4.ip_forward = 1", "net.ipv4.ip_forward = 0"), ("    mtu 9000", "    mtu 9100")],
)
def test_what_has_nothing_to_do_with_management_access_locks_nobody_out(old, new):
    text = printed(leaf())

    assert old in text
    assert () == lockouts_of_texts(leaf(), text, text.replace(old, new))


def test_a_first_configuration_locks_nobody_out():
    assert () == lockouts_of_texts(leaf(), "", printed(leaf()))


def test_another_address_of_management_in_the_inventory_is_told():
    other = inventory("devices: {leaf-0-0: {address: 198.51.100.99/24}}")

    assert lockouts(asked(), asked(other))
    assert lockouts(asked(), asked(services("management: {vrf: default}")))
