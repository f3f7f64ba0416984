"""How EOS calls ports and speeds.

Sources: alias columns of SONiC's platform.json for 7060X6-32PE, 7060DX4-32 and 7060DX5-64S (port names by cage and
first lane); netlab `netsim/devices/eos.yml` (management ports); Arista AVD, `ethernet_interfaces.speed` (speed words).
"""

from __future__ import annotations

from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.other_tools import LabKind, OtherTools, SnapshotForm

TITLE = "Arista EOS"

SPEED_WORDS: dict[tuple[int, int], str] = {
    (1_000, 1): "1g",
    (10_000, 1): "10g",
    (25_000, 1): "25g",
    (40_000, 4): "40g-4",
    (50_000, 1): "50g-1",
    (50_000, 2): "50g-2",
    (100_000, 1): "100g-1",
    (100_000, 2): "100g-2",
    (100_000, 4): "100g-4",
    (200_000, 1): "200g-1",
    (200_000, 2): "200g-2",
    (200_000, 4): "200g-4",
    (400_000, 2): "400g-2",
    (400_000, 4): "400g-4",
    (400_000, 8): "400g-8",
    (800_000, 4): "800g-4",
    (800_000, 8): "800g-8",
    (1_600_000, 8): "1.6t-8",
}
"""(Mb/s, lanes) to the word of the `speed` command."""

SPEEDS_MBPS: dict[str, int] = {word: mbps for (mbps, _), word in SPEED_WORDS.items()} | {
    "40g": 40_000,
    "50g": 50_000,
    "100g": 100_000,
    "200g": 200_000,
    "400g": 400_000,
}
"""The words, with those that do not name the lanes, to Mb/s."""


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`Ethernet1/5`: cage and first lane; `Ethernet3/1/5` on a line card; no lane on a one-lane cage."""
    card = f"{slot.slot}/" if slot.slot else ""
    lane = f"/{slot.first_lane + 1}" if slot.cage_lanes > 1 else ""
    return f"Ethernet{card}{slot.cage}{lane}"


def management_port(hardware: SwitchModel) -> str:
    """`Management1`; on a chassis `Management0`, which follows the active supervisor."""
    return "Management0" if is_chassis(hardware) else "Management1"


def is_chassis(hardware: SwitchModel) -> bool:
    """Whether the model has line cards: its cages are then written `slot/cage`."""
    return any("/" in group.cages for group in hardware.cages)


def queue_word(hardware: SwitchModel) -> str:
    """`uc-tx-queue` on Trident and Tomahawk, `tx-queue` on Jericho; the catalogue says which."""
    for software in hardware.software:
        if software.name == "eos" and software.queue_model:
            return software.queue_model
    return "uc-tx-queue"


OTHER_TOOLS = OtherTools(
    loopback="Loopback0",
    ansible_os="arista.eos.eos",
    ansible_connection="ansible.netcommon.httpapi",
    netmiko="arista_eos",
    lab=LabKind(
        kind="arista_ceos",
        image="ceos",
        startup="",
        names_file="/mnt/flash/EosIntfMapping.json",
        caution="queues are not emulated: PFC and ECN are configured and do nothing",
    ),
    snapshot=SnapshotForm(first_line="!RANCID-CONTENT-TYPE: arista"),
    netlab="eos",
)
"""Sources: containerlab, manual of the kind `arista_ceos` (interface mapping file); Batfish, formats of
pybatfish 0.36; Ansible collection arista.eos; netlab, list of platforms."""
