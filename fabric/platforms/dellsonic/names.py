"""How Dell Enterprise SONiC calls ports and breakouts, by `interface-naming standard`.

Sources: Ansible dellemc.enterprise_sonic 4.1 (`sonic_port_breakout`: `interface breakout port 1/1 mode 4x100G`;
`sonic_interfaces`: `Eth1/1`, `Eth1/1/2`).
"""

from __future__ import annotations

from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.object_names import NameRule
from fabric.platforms.other_tools import OtherTools

TITLE = "Dell Enterprise SONiC"
MANAGEMENT = "Management 0"
MANAGEMENT_VRF = "mgmt"
"""The VRF of the management port, if it has one. It is fixed: the name in the intent is not used."""
LOOPBACK = "Loopback 0"
FIRST_RELEASE = (4, 4)
OBJECTS = NameRule("A-Za-z0-9_-", 32)
"""Names of maps, schedulers and curves: STRING_32 of the public grammar of the management framework."""


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`Eth1/5`, and `Eth1/5/2` for a part of a cage."""
    part = f"/{slot.sub_port + 1}" if slot.sub_ports > 1 else ""
    return f"Eth{slot.slot or 1}/{slot.cage}{part}"


def is_known(release: str | None) -> bool:
    """Whether it is 4.4 or later, which Ansible's collection is written for; one not told counts as later."""
    return release is None or tuple(map(int, release.split(".")[:2])) >= FIRST_RELEASE


def management_port(_hardware: SwitchModel) -> str:
    """`Management 0`."""
    return MANAGEMENT


def breakout(slot: PortSlot, hardware: SwitchModel) -> str:
    """`2x400G`; empty for a whole cage at its full speed, which is how cages are shipped."""
    fastest = max((group.max_mbps for group in hardware.cages), default=0)
    if slot.sub_ports == 1 and slot.speed_mbps >= fastest:
        return ""
    return f"{slot.sub_ports}x{slot.speed_mbps // 1000}G"


OTHER_TOOLS = OtherTools(
    loopback="Loopback0",
    ansible_os="dellemc.enterprise_{0}.{0}".format(TITLE.rpartition(" ")[2].lower()),
    ansible_connection="ansible.netcommon.httpapi",
    netmiko="dell_sonic",
)
"""Sources: Ansible collection dellemc.enterprise_sonic (`ansible_network_os`, connection httpapi); netmiko,
list of platforms."""
