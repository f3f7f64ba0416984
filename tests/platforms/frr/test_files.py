"""The files beside frr.conf: the script with recorded tools, interfaces under ifupdown2, the unit under systemd."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.platforms.base import split_parts
from fabric.platforms.frr import PLATFORM
from fabric.platforms.frr.spectrum import ingress_threshold
from tests.platforms.frr.devices import CASES, leaf, spine
from tests.platforms.frr.lab import Box, needed_lab
from tests.platforms.frr.printing import printed
from tests.programs import ANY, needed, run

ROOT = Path(__file__).parents[3]
IFUPDOWN2 = (Path("/"), ROOT / ".venv/ifupdown2")
"""Where `usr/share/ifupdown2` may be: installed, or unpacked beside the virtual environment."""


def file_of(device, name):
    return split_parts(printed(device))[name]


@pytest.mark.parametrize("case", ["leaf", "spine", "lossy", "vlan gateway"])
def test_the_script_is_a_script(case, tmp_path):
    file = tmp_path / "qos.sh"
    file.write_text(file_of(CASES[case](), "qos.sh"))

    assert "" == run("shellcheck", file).stdout
    file.write_text(f"{file.read_text()}\ncd $HOME/*\n")  # the control: it does complain
    assert "SC" in run("shellcheck", file, exits=1).stdout


class Machine:
    """A switch whose tools write down what they are told, and whose ports are files."""

    def __init__(self, folder, cages):
        self.ports, self.log, self.tools = folder / "net", folder / "log", folder / "bin"
        for one in (self.ports, self.tools):
            one.mkdir()
        for cage in range(1, cages + 1):
            (self.ports / f"swp{cage}").touch()
        note = f'#!/bin/bash\necho "${{0##*/}} $*" >> {self.log}\n'
        for name in ("tc", "dcb", "devlink", "udevadm"):
            (self.tools / name).write_text(note + (SPLITTING if name == "devlink" else ""))
            (self.tools / name).chmod(0o755)

    def run(self, device):
        """What the script of a switch tells the tools."""
        self.log.write_text("")
        script = file_of(device, "qos.sh").replace("/sys/class/net", str(self.ports))
        path = {"PATH": f"{self.tools}:/usr/bin:/bin", "PORTS": str(self.ports)}
        run("bash", "-c", script, env=path)
        return self.log.read_text().splitlines()

    def names(self):
        """The ports that are there."""
        return {one.name for one in self.ports.iterdir()}


SPLITTING = """
cd "$PORTS" || exit 1
case "$1 $2" in
"port split") [ -e "$3" ] || exit 1; rm "$3"; for ((i = 0; i < $5; i++)); do touch "$3s$i"; done ;;
"port unsplit") [ -e "$3" ] || exit 1; cage=${3%s*}; rm "$cage"s?; touch "$cage" ;;
esac
"""


def test_the_script_splits_cages_once_and_sets_every_port_each_time(tmp_path):
    machine, device = Machine(tmp_path, 64), leaf()
    first, second = machine.run(device), machine.run(device)
    splits = ["devlink port split swp1 count 2", "devlink port split swp2 count 2"]
    ports = {port.name for port in device.ports if port.queueing}

    assert splits == [line for line in first if "split" in line]
    assert [line for line in first if "split" not in line] == second
    assert ports == {re.search(r" (swp\S+)", line)[1] for line in second if " swp" in line}
    assert ports <= machine.names()


def test_a_cage_is_joined_before_it_is_split_in_another_way(tmp_path):
    machine = Machine(tmp_path, 64)
    machine.run(leaf())
    lines = machine.run(spine())

    assert ["devlink port unsplit swp1s0", "devlink port unsplit swp2s0"] == [
        line for line in lines if "split" in line
    ]
    assert "swp1" in machine.names()
    assert not {"swp1s0", "swp1s1"} & machine.names()


def test_every_command_is_one_of_the_manuals(tmp_path):
    said = [line for case in ("leaf", "lossy") for line in told(tmp_path / case, CASES[case]())]

    assert said
    assert [] == [line for line in said if not any(re.fullmatch(form, line) for form in MANUALS)]


def told(folder, device):
    """What the script of a switch tells the tools, on a new machine."""
    folder.mkdir()
    return set(Machine(folder, 64).run(device))


PORT, EIGHT = r"swp\d+(?:s\d)?", r"(?: \d+){8}"
CHANCE = r"probability [01]\.\d\d ecn(?: nodrop)?"
MANUALS = (
    rf"devlink port (?:split {PORT} count \d|unsplit {PORT})",  # devlink-port(8)
    rf"devlink sb port pool set {PORT} pool \d+ th \d+",  # devlink-sb(8)
    rf"devlink sb tc bind set {PORT} tc \d+ type (?:ingress|egress) pool \d+ th \d+",
    rf"dcb app flush dev {PORT} dscp-prio",  # dcb-app(8)
    rf"dcb app replace dev {PORT} default-prio [0-7] dscp-prio(?: \d+:[0-7])+",
    rf"dcb buffer set dev {PORT} prio-buffer all:[0-7](?: [0-7]:[0-7])*",  # dcb-buffer(8)
    rf"dcb buffer set dev {PORT} buffer-size all:0(?: [0-7]:\d+)+",
    rf"dcb pfc set dev {PORT} prio-pfc all:off(?: [0-7]:on)*",  # dcb-pfc(8)
    rf"tc qdisc del dev {PORT} root",
    # From here on: the manuals of the ets, tbf and red qdiscs.
    rf"tc qdisc replace dev {PORT} parent 1:[1-8] handle 1\d: tbf rate \d+Mbit burst 128K limit 1M",
    rf"tc qdisc replace dev {PORT} root handle 1: ets bands 8 strict \d(?: quanta(?: \d+)+)? priomap{EIGHT}",
    rf"tc qdisc replace dev {PORT} parent 1:[1-8] handle 1\d: red limit \d+ min \d+ max \d+ avpkt 1500 {CHANCE}",
    "udevadm settle",
)


KERNELS_SAY = (0, 2)
"""tc has understood the order; 2: this kernel has no such queueing discipline."""


COMPLAINTS = ("Usage", "What is", "unknown parameter")
"""How tc answers to a word that it does not know."""


def misspelt(order: str) -> str:
    """With a word that no queueing discipline has."""
    for word, wrong in ((" ecn", " enc"), ("ets bands 8", "ets bonds 8"), (" burst", " bursd")):
        order = order.replace(word, wrong)
    return order


@pytest.mark.live
def test_the_real_tc_understands_its_commands(tmp_path):
    needed_lab()
    lines = {line for case in ("leaf", "lossy") for line in told(tmp_path / case, CASES[case]())}
    orders = sorted({re.sub(PORT, "swp1", line) for line in lines if line.startswith("tc qdisc replace")})
    box = Box("tc")
    try:
        box.batch(["link add swp1 type veth peer name far"])
        answers = {order: box.run(*order.split(), exits=KERNELS_SAY) for order in orders}
        wrong = [box.run(*misspelt(order).split(), exits=(1, 255)) for order in orders]
    finally:
        box.close()

    assert {"red", "ets", "tbf"} <= {word for order in orders for word in order.split()}
    assert not [answer for answer in answers.values() if any(word in answer for word in COMPLAINTS)]
    assert all(any(word in answer for word in COMPLAINTS) for answer in wrong)


@pytest.mark.parametrize(
    ("ports", "alpha"), [(1, 1), (32, 1), (33, 2), (64, 2), (128, 4), (256, 8), (512, 16)]
)
def test_all_senders_are_paused_before_an_egress_queue_refuses_a_packet(ports, alpha):
    threshold = ingress_threshold(ports)

    assert alpha == 2 ** (10 - threshold)
    assert 32 >= ports / alpha


@pytest.mark.parametrize(("kind", "buffers"), [("lossless-400g-5m", 1), ("lossless-800g-40m", 2)])
def test_the_buffer_of_a_paused_priority_holds_two_frames_and_our_headroom(kind, buffers):
    """Behind the eight lanes of 800G there are two buffers."""
    [headroom] = [one.headroom for one in leaf().queueing.profiles if one.name == kind]
    whole = buffers * (2 * 9022 + headroom.headroom_bytes)

    assert f"0:65536 3:{-(-whole // 192) * 192}" in function(printed(leaf()), kind)


def function(text, name):
    """A function of the script."""
    return text.partition(f"\n{name}() {{\n")[2].partition("\n}\n")[0]


def test_marking_moves_in_steps_of_64_cells():
    found = re.findall(r" min (\d+) max (\d+) ", printed(leaf()))

    assert found
    assert {0} == {int(value) % (64 * 192) for pair in found for value in pair}


def test_bgp_shares_the_queue_of_the_notifications_of_congestion():
    facts = PLATFORM.read(printed(leaf())).facts
    queue = facts.traffic_class_to_queue[facts.dscp_to_traffic_class[48]]

    assert {(6, True, None)} == {
        (queue, kind[queue].strict, kind[queue].priority) for kind in facts.profiles.values()
    }


def test_routing_leaves_a_packet_in_its_class():
    assert "net.ipv4.ip_forward_update_priority = 0" in file_of(leaf(), "sysctl.conf").splitlines()


def test_best_effort_leaves_with_its_lowest_code_point():
    line = next(line for line in printed(leaf()).splitlines() if "dcb app replace" in line)

    assert line.endswith("default-prio 1 dscp-prio 0:1 24:3 26:3 48:6")


@pytest.mark.live
def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / "fabric-qos.service"
    script = tmp_path / "fabric-qos"
    script.write_text("#!/bin/bash\n")
    script.chmod(0o755)
    unit.write_text(file_of(leaf(), "qos.service").replace("/usr/local/sbin/fabric-qos", str(script)))

    assert [] == complaints(unit)
    unit.write_text(unit.read_text().replace("[Service]", "[Service]\nNoSuchSetting=yes"))
    assert complaints(unit)


def complaints(unit):
    """What systemd says of a unit. Its exit code may be about others, that this machine lacks."""
    said = run("systemd-analyze", "verify", "--man=no", unit, exits=ANY).stderr
    return [line for line in said.splitlines() if unit.name in line]


ATTRIBUTES = {
    "address": r"[0-9a-f.:]+/\d+",
    "alias": r"\S+",
    "gateway": r"[0-9a-f.:]+",
    "vrf": r"\S{1,15}",
    "vrf-table": "auto",
    "mtu": r"\d{4,5}",
    "link-speed": r"\d+",
    "link-autoneg": "off",
    "link-fec": "rs",
    "link-down": "yes",
    "bridge-access": r"\d+",
    "bridge-ports": rf"{PORT}(?: {PORT})*",
    "bridge-vlan-aware": "yes",
    "bridge-vids": r"\d+(?: \d+)*",
    "bridge-allow-untagged": "no",
    "bridge-stp": "off",
    "vlan-id": r"\d+",
    "vlan-raw-device": "bridge",
    "link-type": "dummy",
}
"""What ifupdown2 3.0.0's addons declare (`_modinfo`), as far as we print it."""


@pytest.mark.parametrize("case", sorted(CASES))
def test_interfaces_have_only_attributes_of_ifupdown2(case):
    lines = [
        line.strip() for line in file_of(CASES[case](), "interfaces").splitlines() if line.startswith(" ")
    ]

    assert [] == [
        line
        for line in lines
        if not re.fullmatch(ATTRIBUTES.get(line.split()[0], ""), line.partition(" ")[2])
    ]


@pytest.fixture(scope="module")
def ifup():
    """A box whose `ifup` is that of ifupdown2: checks the text of a file."""
    needed_lab()
    root = next((one for one in IFUPDOWN2 if (one / "usr/share/ifupdown2/__main__.py").exists()), None)
    if root is None:
        needed("ifupdown2, installed or unpacked in .venv/ifupdown2")
    box, share = Box("ifupdown2"), root / "usr/share"
    said = box.run("sh", "-c", OWN_FILES.format(etc=root / "etc", share=share))
    assert not said, said
    command = f"cat > $0; PYTHONPATH={share}:{share}/ifupdown2 /usr/bin/python3 /var/tmp/ifup -a -s -i $0"
    file = "/var/tmp/file"  # noqa: S108  # the box's own
    yield lambda text, exits=0: box.run("sh", "-c", command, file, stdin=text, exits=exits)
    box.close()


OWN_FILES = (
    "mount -t sysfs sysfs /sys; mount -t tmpfs tmpfs /run; cd /var/tmp; mkdir /run/network upper scratch;"
    "cp {share}/ifupdown2/__main__.py ifup;"
    "mount -t overlay overlay -o lowerdir={etc}:/etc,upperdir=/var/tmp/upper,workdir=/var/tmp/scratch /etc"
)
"""The settings of ifupdown2 over the system's own."""


@pytest.mark.live
@pytest.mark.parametrize("case", sorted(CASES))
def test_ifupdown2_takes_every_file(case, ifup):
    assert "" == ifup(file_of(CASES[case](), "interfaces"))


@pytest.mark.live
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("mtu 9000", "mtu nine"), ("vlan-id 10", "vlan-id ten"), ("table auto", "table automatic")],
)
def test_ifupdown2_complains_of_a_planted_mistake(right, wrong, ifup):
    text = file_of(CASES["vlan gateway"](), "interfaces")

    assert right in text
    assert wrong.split()[-1] in ifup(text.replace(right, wrong), exits=ANY)
