"""The same files for a simulated subnet: a fixed list of lines differs, and nothing else.

ibsim 0.10 has links of HDR and an MTU of 2048 at most, numbers the ports of an HCA by adding to its GUID, and lets
tools set ports without an M_Key only.
"""

from __future__ import annotations

import re
from pathlib import Path

from fabric.devices.infiniband.model import Subnet
from fabric.platforms.base import split_parts
from fabric.platforms.opensm.names import FOLDER, guid

MTU = re.compile(r"\bmtu=5\b"), "mtu=4"
"""An MTU of 4096 becomes one of 2048."""
RATE = re.compile(r"\brate=(?:18|21|22)\b"), "rate=17"
"""Rates above 200 Gb/s become that."""
KEYS = re.compile(r"^m_key.*\n", re.MULTILINE)
"""M_Key, its protection level and lease are left out."""
SECRET = re.compile(r"<secret:[^>]*>")
SA_KEY = guid(1)
"""In place of the secret one: what `saquery --smkey 1` asks with."""
WITH_PORTS = ("opensm.conf", "io-guids", "partitions.conf", "qos-policy.conf", "guid2lid")
"""Files that name ports of HCAs; those get the GUIDs that the simulator gives them."""


def simulated(text: str, subnet: Subnet, folder: Path) -> dict[str, str]:
    """The files of a manager by name, to be written into a folder from which OpenSM shall run under ibsim."""
    files = split_parts(text)
    ports = {guid(end.port_guid): guid(end.node_guid + end.port) for end in subnet.ends}
    for name in WITH_PORTS:
        files[name] = re.sub(r"0x[0-9a-f]{16}", lambda match: ports.get(match[0], match[0]), files[name])
    for pattern, smaller in (MTU, RATE):
        files["partitions.conf"] = pattern.sub(smaller, files["partitions.conf"])
    options = KEYS.sub("", files["opensm.conf"])
    files["opensm.conf"] = SECRET.sub(SA_KEY, options).replace(FOLDER, str(folder)) + own_log(folder)
    return files


def own_log(folder: Path) -> str:
    """Lines of opensm.conf that keep log and dumps in the folder."""
    return (
        f"log_file {folder}/opensm.log\naccum_log_file FALSE\nforce_log_flush TRUE\ndump_files_dir {folder}\n"
    )
