"""The files of a host: which template prints which, where it goes, and who may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from fabric.devices.hosts.model import Host
from fabric.diagnostics import Report
from fabric.platforms.host.lower import lower
from fabric.platforms.host.model import HostConfig

Render = Callable[[str, object], str]
"""(template below `templates/`, config) to text."""

PROGRAM, SECRET, PLAIN = 0o755, 0o600, 0o644
"""File modes. netplan warns of files that others can read."""


class HostFile(msgspec.Struct, frozen=True):
    """One kind of file."""

    template: str
    path: str
    """As on the host, without the first slash."""
    media_type: str
    applies: Callable[[HostConfig], object]
    """Whether a host has it."""
    part: Callable[[HostConfig], object]
    """What the template prints: hosts that are equal in it have equal files, printed once."""
    mode: int = PLAIN


class PrintedFile(msgspec.Struct, frozen=True):
    """A file of a host."""

    path: str
    text: str
    media_type: str
    mode: int = PLAIN


def _set_by_script(config: HostConfig) -> bool:
    return config.owner == "script" and bool(config.nics)


def _nics(config: HostConfig) -> object:
    return config.nics


def _verified(config: HostConfig) -> bool:
    return any(nic.kind != "bnxt" for nic in config.nics)


FILES: tuple[HostFile, ...] = (
    HostFile(
        "host/roce-qos.sh.j2",
        "usr/local/sbin/fabric-roce-qos",
        "text/x-shellscript",
        _set_by_script,
        _nics,
        PROGRAM,
    ),
    HostFile(
        "host/roce-verify.sh.j2",
        "usr/local/sbin/fabric-roce-verify",
        "text/x-shellscript",
        _verified,
        lambda c: (c.nics, bool(c.rails)),
        PROGRAM,
    ),
    HostFile(
        "host/roce-qos.service.j2",
        "etc/systemd/system/fabric-roce-qos.service",
        "text/plain",
        _set_by_script,
        lambda c: c.devices,
    ),
    HostFile(
        "host/roce-qos.rules.j2",
        "etc/udev/rules.d/90-fabric-roce-qos.rules",
        "text/plain",
        _set_by_script,
        lambda c: c.rdma_devices,
    ),
    HostFile(
        "host/modules.conf.j2",
        "etc/modules-load.d/fabric.conf",
        "text/plain",
        _set_by_script,
        lambda _c: None,
    ),
    HostFile(
        "host/ansible.yaml.j2",
        "ansible/host_vars.yaml",
        "application/yaml",
        lambda c: c.owner == "ansible",
        _nics,
    ),
    HostFile(
        "host/expected.json.j2", "etc/fabric/expected.json", "application/json", lambda c: c.nics, _nics
    ),
    HostFile(
        "host/netplan.yaml.j2",
        "etc/netplan/60-fabric.yaml",
        "application/yaml",
        lambda c: c.network_files == "netplan" and c.rails,
        lambda c: (c.links, c.rails),
        SECRET,
    ),
    HostFile(
        "host/sysctl.conf.j2",
        "etc/sysctl.d/90-fabric.conf",
        "text/plain",
        lambda c: c.rails,
        lambda _c: None,
    ),
    HostFile("host/nccl.conf.j2", "etc/nccl.conf", "text/plain", lambda c: c.nccl, lambda c: c.nccl),
    HostFile(
        "host/environment.j2",
        "etc/fabric/environment",
        "text/plain",
        lambda c: c.nccl,
        lambda c: (c.site, c.name, c.nccl, c.ucx),
    ),
)
"""One file of each kind, if it applies."""

UNITS = "etc/systemd/network"
"""systemd-networkd takes a file for each interface; udev takes `.link` files from there, whoever sets addresses."""


class Press:
    """Prints templates, and keeps what it printed: what hosts have in common is printed once."""

    def __init__(self, render: Render) -> None:
        self._render = render
        self._printed: dict[tuple[str, object], str] = {}

    def common(self, template: str, config: object, part: object) -> str:
        """A text that depends on `part` alone."""
        key = (template, part)
        text = self._printed.get(key)
        if text is None:
            text = self._printed[key] = self._render(template, config)
        return text

    def own(self, template: str, config: object) -> str:
        """A text that no other host has."""
        return self._render(template, config)


OWN = frozenset({"host/netplan.yaml.j2", "host/environment.j2"})
"""They hold addresses or the host's name: not worth keeping."""


def host_files(host: Host, press: Press, report: Report | None = None) -> tuple[PrintedFile, ...]:
    """The files of a host, by their path on it; none if its group has no `system`.

    Findings go to `report`. `Invalid` if one of them is an error.
    """
    if host.system is None:
        return ()
    findings = Report()
    config = lower(host, host.system, findings)
    if report is not None:
        report.extend(findings)
    findings.finish()
    return tuple(_printed(config, press))


def _printed(config: HostConfig, press: Press) -> Iterator[PrintedFile]:
    for file in FILES:
        if not file.applies(config):
            continue
        if file.template in OWN:
            text = press.own(file.template, config)
        else:
            text = press.common(file.template, config, file.part(config))
        yield PrintedFile(file.path, text, file.media_type, file.mode)
    yield from _links(config, press)
    if config.network_files == "networkd":
        yield from _networkd(config, press)


def _links(config: HostConfig, press: Press) -> Iterator[PrintedFile]:
    """Names for interfaces: by MAC address netplan gives them itself."""
    for link in config.links:
        named = link.path or (link.mac and config.network_files == "networkd")
        if named and config.network_files != "none":
            template = "host/networkd.link.j2"
            text = press.own(template, link) if link.mac else press.common(template, link, link)
            yield _unit(f"20-{link.interface}.link", text)


def _networkd(config: HostConfig, press: Press) -> Iterator[PrintedFile]:
    for link in config.links:
        if link.bond is not None:
            text = press.common("host/networkd-member.network.j2", link, link)
            yield _unit(f"20-{link.interface}.network", text)
    for rail in config.rails:
        if rail.members:
            bond = (rail.interface, rail.ip_mtu_bytes)
            yield _unit(f"20-{rail.interface}.netdev", press.common("host/networkd.netdev.j2", rail, bond))
        yield _unit(f"20-{rail.interface}.network", press.own("host/networkd.network.j2", rail))


def _unit(name: str, text: str) -> PrintedFile:
    return PrintedFile(f"{UNITS}/{name}", text, "text/plain")
