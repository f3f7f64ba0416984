"""Names of UFM's files, and the numbers that its REST API has for rates and MTUs."""

from __future__ import annotations

from fabric.hardware import PortSlot, SwitchModel

FOLDER = "/opt/ufm/files/conf/opensm"
"""Where the subnet manager's files stand on UFM's server; gv.cfg stands one level above."""

PKEYS = "pkeys.jsonl"
"""The part that goes over REST. Each line is the body of one documented request."""

FILES = (
    PKEYS,
    "gv.cfg",
    "opensm.conf",
    "root_guids.conf",
    "ib-node-name-map",
    "qos-policy.conf",
    "topoconfig.conf",
)

MTU_LIMITS = {2048: 2, 4096: 4}
"""Bytes to KiB. Source: `IBMtu` of NVIDIA/infra-controller (2 or 4)."""

RATES_GBPS = (2.5, 5, 10, 14, 20, 25, 30, 40, 56, 60, 80, 100, 112, 120, 168, 200, 300)
"""Rates of a partition. Source: `IBRateLimit` of NVIDIA/infra-controller."""

ENGINES = {
    "minhop": "minhop",
    "updn": "updn",
    "dnup": "dnup",
    "ftree": "ftree",
    "file": "file",
    "dor": "dor",
    "torus-2qos": "torus-2QoS",
}
"""Engines without adaptive routing. Source: UFM User Manual 6.15 to 6.23, Network Management."""

ADAPTIVE = {"updn": "ar_updn", "ftree": "ar_ftree", "dor": "ar_dor", "torus-2qos": "ar_torus"}
"""Engines with adaptive routing. Source: NVIDIA, Adaptive Routing, HBF and SHIELD; ar_updn is the default."""

ADAPTIVE_BY_LAYOUT = {"dragonfly_plus": "dfp", "dragonfly": "dfp"}
"""Where the layout decides, whatever the engine. Source: the same, DF_PLUS."""


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """By cage and port, as on the front panel: `17/2`; a split port is `17/2/1`."""
    return f"{slot.cage}/{slot.sub_port + 1}" if slot.sub_ports > 1 else f"{slot.cage}"


def management_port(_hardware: SwitchModel) -> str:
    """MLNX-OS and NVOS."""
    return "mgmt0"
