"""`fabric compile --simulate`: a folder in which each network runs on this machine."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from fabric.cli import codes
from fabric.cli.failures import Stop
from fabric.cli.opening import Opened
from fabric.devices.model import SubnetManager
from fabric.exports.ibsim import netlist
from fabric.platforms.base import AnyPlatform
from fabric.platforms.registry import platform

Simulated = dict[str, tuple[AnyPlatform, list[tuple[SubnetManager, str]]]]
"""By network: its product and its managers with their files, the master first."""


def simulate(site: Opened, folder: Path) -> list[Path]:
    """Write a folder for each network whose product can be simulated. `Stop` if there is none."""
    if len(str(folder.resolve()).split()) > 1:
        reason = f"{folder.resolve()}: a subnet manager's files cannot name a folder with blanks"
        raise Stop(codes.NO_SIMULATION, reason, "choose another folder")
    found = _networks(site)
    if not found:
        reason = "no network of this site can be simulated here"
        raise Stop(codes.NO_SIMULATION, reason, "an InfiniBand network that OpenSM manages can")
    return [
        _write(product, managers, (folder / name).resolve()) for name, (product, managers) in found.items()
    ]


def _networks(site: Opened) -> Simulated:
    found: Simulated = {}
    by_network: defaultdict[str, list[SubnetManager]] = defaultdict(list)
    for device in site.devices.values():
        if isinstance(device, SubnetManager):
            by_network[device.network].append(device)
    for network, managers in by_network.items():
        product = platform(managers[0].platform)
        if product.simulation is not None:
            managers.sort(key=lambda manager: -manager.priority)
            found[network] = product, [(one, site.artifacts[one.name].text) for one in managers]
    return found


def _write(product: AnyPlatform, managers: list[tuple[SubnetManager, str]], folder: Path) -> Path:
    assert product.simulation is not None  # noqa: S101  # chosen by it
    files = {"fabric.net": netlist(managers[0][0].subnet), **product.simulation(managers, folder)}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if text.startswith("#!/"):
            path.chmod(0o755)
    return folder
