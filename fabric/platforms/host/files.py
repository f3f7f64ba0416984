"""The files of a host: which template prints which, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from fabric.devices.model import Host
from fabric.diagnostics import Report
from fabric.platforms.host.lower import lower
from fabric.platforms.host.model import HostConfig
from fabric.platforms.host.settings import HostSettings

Render = Callable[[str, object], str]
"""(template below `templates/`, config) to text."""


class HostFile(msgspec.Struct, frozen=True):
    """One kind of file."""

    template: str
    path: str
    """Below `hosts/NAME/`, as on the host."""
    applies: Callable[[HostConfig], bool]


def _always(_config: HostConfig) -> bool:
    return True


def _by_script(config: HostConfig) -> bool:
    return config.owner == "script" and bool(config.mlx5 or config.pollara or config.dcb)


FILES: tuple[HostFile, ...] = (
    HostFile("host/roce-qos.sh.j2", "usr/local/sbin/fabric-roce-qos", _by_script),
    HostFile("host/roce-qos.service.j2", "etc/systemd/system/fabric-roce-qos.service", _by_script),
    HostFile("host/modules.conf.j2", "etc/modules-load.d/fabric.conf", _by_script),
    HostFile("host/ansible.yaml.j2", "ansible/host_vars.yaml", lambda c: c.owner == "ansible"),
    HostFile("host/expected.json.j2", "etc/fabric/expected.json", _always),
    HostFile("host/netplan.yaml.j2", "etc/netplan/60-fabric.yaml", lambda c: c.network_files == "netplan"),
    HostFile("host/sysctl.conf.j2", "etc/sysctl.d/90-fabric.conf", lambda c: bool(c.rails)),
    HostFile("host/nccl.conf.j2", "etc/nccl.conf", lambda c: bool(c.nccl)),
    HostFile("host/nccl-topo.xml.j2", "etc/fabric/nccl-topo.xml", lambda c: bool(c.cpus)),
    HostFile("host/environment.j2", "etc/fabric/environment", lambda c: bool(c.nccl)),
)
"""One file of each kind, if it applies."""


def host_files(
    host: Host, settings: HostSettings, render: Render, report: Report | None = None
) -> Mapping[str, str]:
    """The texts of a host by path `hosts/NAME/PATH ON THE HOST`.

    Findings go to `report`. `Invalid` if one of them is an error.
    """
    found = Report()
    config = lower(host, settings, found)
    if report is not None:
        report.extend(found)
    found.finish()
    return {f"hosts/{host.name}/{path}": text for path, text in _printed(config, render)}


def _printed(config: HostConfig, render: Render) -> Iterator[tuple[str, str]]:
    for file in FILES:
        if file.applies(config):
            yield file.path, render(file.template, config)
    if config.network_files == "networkd":
        yield from _networkd(config, render)


def _networkd(config: HostConfig, render: Render) -> Iterator[tuple[str, str]]:
    """systemd-networkd takes a file for each interface."""
    folder = "etc/systemd/network"
    for link in config.links:
        if link.mac is not None:
            yield f"{folder}/20-{link.interface}.link", render("host/networkd.link.j2", link)
        if link.bond is not None:
            yield f"{folder}/20-{link.interface}.network", render("host/networkd-member.network.j2", link)
    for rail in config.rails:
        if rail.members:
            yield f"{folder}/20-{rail.interface}.netdev", render("host/networkd.netdev.j2", rail)
        yield f"{folder}/20-{rail.interface}.network", render("host/networkd.network.j2", rail)
