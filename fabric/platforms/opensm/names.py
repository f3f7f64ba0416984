"""Names of files and ports, and the numbers that InfiniBand has for rates and MTUs."""

from __future__ import annotations

from fabric.hardware import PortSlot, SwitchModel

FOLDER = "/etc/opensm"
"""Where the files stand on the manager's host."""

FILES = (
    "opensm.conf",
    "root-guids",
    "io-guids",
    "node-name-map",
    "partitions.conf",
    "qos-policy.conf",
    "prefix-routes.conf",
    "torus-2QoS.conf",
    "guid2lid",
)
"""Those that a subnet does not need are empty, and opensm.conf does not name them."""

LID_FILE = "guid2lid"
"""Stands in OpenSM's cache folder, where it must be before the first start."""

MTU_CODES = {2048: 4, 4096: 5}
"""InfiniBand Architecture 1.4, 14.2.5.6: PortInfo, NeighborMTU."""

RATE_CODES = {
    2_500: 2,
    5_000: 5,
    10_000: 3,
    14_000: 11,
    20_000: 6,
    25_000: 15,
    28_000: 19,
    30_000: 4,
    40_000: 7,
    50_000: 20,
    56_000: 12,
    60_000: 8,
    80_000: 9,
    100_000: 16,
    112_000: 13,
    120_000: 10,
    168_000: 14,
    200_000: 17,
    300_000: 18,
    400_000: 21,
    600_000: 22,
}
"""Mb/s to the rate code of a path or group (InfiniBand Architecture 1.4, table 224; ib_types.h of OpenSM 3.3.23)."""

PARTITION_NAME_CHARACTERS = 31
"""`name` of osm_prtn_t, with the zero that ends it (opensm/osm_partition.h)."""


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """By cage and port, as on the front panel: `17/2`; a split port is `17/2/1`."""
    return f"{slot.cage}/{slot.sub_port + 1}" if slot.sub_ports > 1 else f"{slot.cage}"


def management_port(_hardware: SwitchModel) -> str:
    """MLNX-OS and NVOS."""
    return "mgmt0"


def guid(value: int) -> str:
    """As OpenSM writes GUIDs."""
    return f"{value:#018x}"
