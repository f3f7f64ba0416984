"""What a host's files say, and what the tools that read them think of it."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from fabric.devices.hosts.model import NicFacts
from fabric.intent.model import PciPlace
from fabric.platforms.host import Press, host_files
from tests.platforms.host.hosts import (
    BONDED,
    FOUR,
    MIXED,
    NAME,
    ONE,
    SPRAYED,
    devices,
    files,
    group,
    host,
    mac,
    macs,
    nics,
    pci,
    printed,
    system,
)
from tests.platforms.sites import network
from tests.programs import ANY, run

CASES = {
    "rails": FOUR,
    "bond": BONDED,
    "pollara": (*FOUR, nics("kind: pollara")),
    "dcb": (*FOUR, nics("kind: dcb")),
    "mixed": MIXED,
    "sprayed": SPRAYED,
}
SCRIPTS = ("usr/local/sbin/fabric-roce-qos", "usr/local/sbin/fabric-roce-verify")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.live
def test_netplan_takes_the_file(case, tmp_path):
    folder = tmp_path / "etc/netplan"
    folder.mkdir(parents=True)
    path = folder / "60-fabric.yaml"
    path.write_text(files(*CASES[case])["etc/netplan/60-fabric.yaml"])
    path.chmod(0o600)

    done = run("netplan", "generate", "--root-dir", tmp_path)

    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(
    ("right", "wrong"), [("ethernets:", "ethernet:"), ("mtu: ", "mtu: x"), ("via: ", "via: 300.")]
)
@pytest.mark.live
def test_netplan_complains_of_a_planted_mistake(right, wrong, tmp_path):
    text = files(*FOUR)["etc/netplan/60-fabric.yaml"]
    path = tmp_path / "etc/netplan/60-fabric.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(right, wrong))
    path.chmod(0o600)

    assert right in text
    assert "60-fabric.yaml" in run("netplan", "generate", "--root-dir", tmp_path, exits=1).stderr


@pytest.mark.live
def test_netplan_makes_of_it_the_routes_that_we_write_for_networkd(tmp_path):
    folder = tmp_path / "etc/netplan"
    folder.mkdir(parents=True)
    (folder / "60-fabric.yaml").write_text(files(*FOUR)["etc/netplan/60-fabric.yaml"])
    run("netplan", "generate", "--root-dir", tmp_path)
    theirs = (tmp_path / "run/systemd/network/10-netplan-rail2.network").read_text()
    ours = files(*FOUR, system("network_files: networkd"))["etc/systemd/network/20-rail2.network"]

    wanted = {
        line
        for line in ours.splitlines()
        if re.match("Address|Destination|Gateway|Table|From|Priority", line)
    }

    assert len(wanted) == 7
    assert wanted <= set(theirs.splitlines())


@pytest.mark.parametrize("case", CASES)
@pytest.mark.live
def test_systemd_takes_the_unit(case, tmp_path):
    own = files(*CASES[case])
    script = tmp_path / "fabric-roce-qos"
    script.write_text(own["usr/local/sbin/fabric-roce-qos"])
    script.chmod(0o755)
    unit = tmp_path / "fabric-roce-qos.service"
    # The unit names a path of the host; the test stands the script somewhere else.
    unit.write_text(
        own["etc/systemd/system/fabric-roce-qos.service"].replace(
            "/usr/local/sbin/fabric-roce-qos", str(script)
        )
    )

    done = run("systemd-analyze", "verify", "--man=no", unit)

    assert [] == [line for line in done.stderr.splitlines() if "fabric-roce-qos" in line]
    unit.write_text(unit.read_text().replace("[Service]", "[Service]\nNoSuchSetting=yes"))  # the control
    assert "NoSuchSetting" in run("systemd-analyze", "verify", "--man=no", unit, exits=ANY).stderr


@pytest.mark.parametrize("case", CASES)
def test_the_unit_waits_for_every_device_and_runs_again_when_one_comes_back(case):
    own = files(*CASES[case])
    unit = own["etc/systemd/system/fabric-roce-qos.service"]
    rule = own["etc/udev/rules.d/90-fabric-roce-qos.rules"]
    names = re.findall(r'KERNEL=="([^"]*)"', rule)[0].split("|")
    alias = re.findall(r'SYSTEMD_ALIAS\}\+="/([^"]*)/%k"', rule)[0].replace("/", "-")
    script = own["usr/local/sbin/fabric-roce-qos"]

    # What the script writes to, or tells a tool by name, is there before it runs.
    assert {one.system.rdma for one in host(*CASES[case]).ports} == set(names)
    assert set(re.findall(r"/sys/class/infiniband/([^/]+)/", script)) <= set(names)
    for device in (
        *(f"{alias}-{name}.device" for name in names),
        *(f"sys-subsystem-net-devices-{one.system.interface}.device" for one in host(*CASES[case]).ports),
    ):
        assert {f"Wants={device}", f"After={device}"} <= set(unit.splitlines())
    assert "openibd.service" in re.findall("^After=(.*)", unit, re.MULTILINE)[0].split()
    # A unit that stays active, or has started too often, is not started by a device.
    assert re.findall(r'SYSTEMD_WANTS\}\+="([^"]*)"', rule) == ["fabric-roce-qos.service"]
    assert "RemainAfterExit=yes" not in unit
    assert "StartLimitIntervalSec=0" in unit.splitlines()


@pytest.mark.parametrize("path", SCRIPTS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.live
def test_shellcheck_finds_nothing_in_the_scripts(case, path, tmp_path):
    script = tmp_path / "script"
    script.write_text(files(*CASES[case])[path])

    assert "" == run("shellcheck", "-s", "bash", script).stdout
    script.write_text(f"{script.read_text()}\ncd $HOME/*\n")  # the control
    assert "SC" in run("shellcheck", "-s", "bash", script, exits=1).stdout


def test_each_rail_has_a_table_and_a_rule():
    ethernets = yaml.safe_load(files(*FOUR)["etc/netplan/60-fabric.yaml"])["network"]["ethernets"]

    rules = {name: rule for name, own in ethernets.items() for rule in own["routing-policy"]}

    assert {"from": "10.0.0.9/32", "table": 102, "priority": 1002} == rules["rail2"]
    assert 4 == len({rule["table"] for rule in rules.values()})


def test_a_bond_over_two_leaves_has_both_ports_and_one_address_of_each_family():
    network = yaml.safe_load(files(*BONDED)["etc/netplan/60-fabric.yaml"])["network"]

    assert ["nic0p0", "nic0p1"] == network["bonds"]["bond0"]["interfaces"]
    assert list(map(str, host(*BONDED).ports[0].addresses)) == network["bonds"]["bond0"]["addresses"]
    assert 2 == len(network["bonds"]["bond0"]["addresses"])
    assert "802.3ad" == network["bonds"]["bond0"]["parameters"]["mode"]


@pytest.mark.parametrize("family", ["ipv4", "ipv6", "dual"])
@pytest.mark.parametrize("mode", ["routed", "vlan", "lacp"])
def test_every_rail_has_an_address_and_a_gateway_of_each_family(family, mode):
    intent = BONDED if mode == "lacp" else FOUR
    links = network(f"addressing: {{family: {family}, host_family: {family}, host_links: {{mode: {mode}}}}}")
    found = yaml.safe_load(files(*intent, links)["etc/netplan/60-fabric.yaml"])["network"]
    rails = found["bonds"] if mode == "lacp" else found["ethernets"]
    count = 2 if family == "dual" else 1

    assert rails
    for own in rails.values():
        assert count == len(own["addresses"]) == len(own["routing-policy"])
        assert count == sum("via" in route for route in own["routes"])


def test_networkd_gets_the_bond_and_its_members():
    own = files(*BONDED, system("network_files: networkd"))

    assert "etc/netplan/60-fabric.yaml" not in own
    assert "Bond=bond0" in own["etc/systemd/network/20-nic0p1.network"]
    assert "Mode=802.3ad" in own["etc/systemd/network/20-bond0.netdev"]


def test_nccl_learns_devices_type_of_service_and_rails():
    own = files(*FOUR, system("nccl: {socket_interface: eno1}"))

    assert [
        "NCCL_SOCKET_IFNAME==eno1",
        "NCCL_IB_HCA==mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1",
        "NCCL_IB_TC=106",
        "NCCL_CROSS_NIC=0",
    ] == own["etc/nccl.conf"].splitlines()[1:]


@pytest.mark.parametrize("owner", ["script", "ansible", "operator"])
def test_the_nics_have_exactly_one_owner(owner):
    own = files(*FOUR, system(f"owner: {owner}"))

    assert (owner == "script") == ("usr/local/sbin/fabric-roce-qos" in own)
    assert (owner == "script") == ("etc/systemd/system/fabric-roce-qos.service" in own)
    assert (owner == "ansible") == ("ansible/host_vars.yaml" in own)
    assert "etc/fabric/expected.json" in own


def test_ansible_and_the_expected_classes_agree_with_the_switch():
    own = files(*FOUR, system("owner: ansible"))
    variables = yaml.safe_load(own["ansible/host_vars.yaml"])["fabric_roce_qos"]["rail1"]
    expected = json.loads(own["etc/fabric/expected.json"])["rail1"]
    own_port = host(*FOUR).ports[1]
    [switch] = [one.queueing for one in devices(*FOUR)[own_port.peer].ports if one.name == own_port.peer_port]

    assert (26, 3, 106) == tuple(variables[f"roce_{name}"] for name in ("dscp", "priority", "tos"))
    assert variables == expected
    for one in switch.classes:
        assert {one.queue} == {
            expected["priority_to_class"][expected["dscp_to_priority"][d]] for d in one.dscp
        }
    assert switch.priorities == tuple(number for number, on in enumerate(expected["pfc"]) if on)


def test_only_what_belongs_to_one_host_names_it():
    for owner in ("script", "ansible", "operator"):
        own = files(*FOUR, system(f"owner: {owner}"))
        assert {"etc/fabric/environment"} == {path for path, text in own.items() if NAME in text}


def test_every_owner_has_what_finds_overrides():
    for owner in ("script", "ansible", "operator"):
        assert "usr/local/sbin/fabric-roce-verify" in files(*FOUR, system(f"owner: {owner}"))


def test_scripts_are_programs_and_netplans_file_is_for_root_alone():
    modes = {path: file.mode for path, file in printed(*FOUR).items()}

    assert {0o755} == {modes.pop(path) for path in SCRIPTS}
    assert 0o600 == modes.pop("etc/netplan/60-fabric.yaml")
    assert {0o644} == set(modes.values())


def test_headroom_is_told_where_it_comes_from():
    expected = json.loads(files(*MIXED)["etc/fabric/expected.json"])

    assert {"derived"} == {own["headroom"].split()[0] for own in expected.values()}
    assert "nicctl show qos headroom" in expected["rail2"]["headroom"]


def test_a_lossy_nic_needs_no_headroom():
    expected = files(*ONE, network("lossless: roce-lossy"))

    assert json.loads(expected["etc/fabric/expected.json"])["rail0"]["headroom"].startswith("none")


def test_without_mac_addresses_interfaces_are_named_by_their_pci_place():
    own = files(nics(pci(0, 1, 2, 3)))

    assert "Path=pci-0000:1d:00.0\n" in own["etc/systemd/network/20-rail1.link"]
    assert "match" not in own["etc/netplan/60-fabric.yaml"]


OTHERWISE = {
    "kind": nics("kind: dcb"),
    "interface": nics("interface: eth9"),
    "rdma": nics("rdma: mlx5_9"),
    "mac": macs(compute=mac(9)),
    "pci": nics(pci(9)),
    "dcqcn": nics("dcqcn: {rpg_ai_rate: 7}"),
}
"""Another value for each thing that is said of a NIC. `out_of_order` is for the switches: it refuses, or warns."""


@pytest.mark.parametrize("field", sorted({*NicFacts.__struct_fields__} - {"out_of_order"}))
def test_nothing_is_said_of_a_nic_that_changes_no_file(field):
    assert files(*ONE) != files(*ONE, OTHERWISE[field])


def test_all_that_is_said_of_a_pci_place_is_in_a_file():
    """Every field of it has another value in `OTHERWISE`: one without effect would not be seen there."""
    assert PciPlace.__struct_fields__ == ("busid",)


def test_a_host_that_nobody_describes_has_no_files():
    nobodys = devices(group("system: null"))

    assert () == nobodys.described_hosts
    assert () == host_files(nobodys.hosts[NAME], Press(lambda template, _config: template))
