"""The same files for a simulated subnet: a fixed list of lines differs, and nothing else.

ibsim 0.10 has links of HDR and an MTU of 2048 at most, numbers the ports of an HCA by adding to its GUID, and lets
tools set ports without an M_Key only.
"""

from __future__ import annotations

import re
from pathlib import Path

from fabric.devices.subnet import Subnet
from fabric.platforms.base import split_parts
from fabric.platforms.opensm.lower import guid
from fabric.platforms.opensm.names import FOLDER

SMALLER = (
    (re.compile(r"\bmtu=5\b"), "mtu=4"),
    (re.compile(r"\brate=(?:17|20|21)\b"), "rate=16"),
)
"""MTU of 2048 and a rate of 100 Gb/s, in partitions.conf."""
KEYS = re.compile(r"^m_key.*\n", re.MULTILINE)
SECRET = re.compile(r"<secret:[^>]*>")


def simulated(text: str, subnet: Subnet, folder: Path) -> dict[str, str]:
    """The files of a manager by name, to be written into a folder from which OpenSM shall run under ibsim."""
    files = split_parts(text)
    ports = {guid(end.port_guid): guid(end.node_guid + end.port) for end in subnet.ends}
    for name in ("opensm.conf", "partitions.conf", "guid2lid"):
        files[name] = re.sub(r"0x[0-9a-f]{16}", lambda found: ports.get(found[0], found[0]), files[name])
    for pattern, smaller in SMALLER:
        files["partitions.conf"] = pattern.sub(smaller, files["partitions.conf"])
    options = KEYS.sub("", files["opensm.conf"])
    files["opensm.conf"] = SECRET.sub("0x0000000000000001", options).replace(FOLDER, str(folder)) + (
        f"log_file {folder}/opensm.log\naccum_log_file FALSE\nforce_log_flush TRUE\ndump_files_dir {folder}\n"
    )
    return files
