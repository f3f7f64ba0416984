"""The GUIDs of the inventory, checked against each other and against the fabric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices import codes
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.inventory import Hca, Inventory
from fabric.intent.model import Intent
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role
from fabric.units import counted

NOBODY = frozenset({0, (1 << 64) - 1})
"""What a device answers that has no GUID."""
Stand = tuple[str, str, str, Origin]
"""A GUID, its owner, its kind, and its place in the inventory."""


def check_guids(inventory: Inventory, report: Report) -> None:
    """GUIDs that are invalid or duplicate. Port 1 may have its own adapter's, and no other port."""
    seen: dict[str, tuple[str, str]] = {}
    for guid, owner, kind, origin in _written(inventory):
        if int(guid, 16) in NOBODY:
            rule = f"{kind} {guid} of {owner} is what a device without one answers"
            hint = "read it again with `ibnetdiscover`, or leave it out"
            report.add(codes.GUID_KIND.at(origin, rule, value=guid, hint=hint))
        before = seen.setdefault(guid, (owner, kind))
        if before != (owner, kind):
            report.add(codes.GUID_TWICE.at(origin, _twice(guid, owner, kind, before), value=guid, hint=HINT))


HINT = "read them again with `ibnetdiscover`; node GUIDs and port GUIDs are different things"


def _twice(guid: str, owner: str, kind: str, before: tuple[str, str]) -> str:
    mixed = "" if kind[:4] == before[1][:4] else ": the kinds are mixed up"
    return f"{kind} {guid} of {owner} is the {before[1]} of {before[0]} already{mixed}"


def _written(inventory: Inventory) -> Iterator[Stand]:
    for name, device in inventory.devices.items():
        if device.guid is not None:
            yield device.guid, f"switch {name}", "node GUID", Origin(("devices", name, "guid"), "inventory")
    for name, host in inventory.hosts.items():
        for network, hcas in host.hcas.items():
            at = Origin(("hosts", name, "hcas", network), "inventory")
            for i, hca in enumerate(hcas):
                yield from _of_adapter(hca, f"adapter {i} of {name} in {network}", at.child(i))


def _of_adapter(hca: Hca, owner: str, at: Origin) -> Iterator[Stand]:
    yield hca.node_guid, owner, "node GUID", at.child("node_guid")
    for k, guid in enumerate(hca.port_guids):
        if k or guid != hca.node_guid:
            yield guid, owner, f"port GUID {k + 1}", at.child("port_guids", k)


def check_adapters(intent: Intent, topology: NetworkTopology, report: Report) -> None:
    """Adapters of the inventory that the fabric has not, too few or too many of a host, and ports without a GUID."""
    needed = _expected_adapters(topology)
    for name, host in intent.inventory.hosts.items():
        hcas = host.hcas.get(topology.name)
        if hcas is None:
            continue
        at = Origin(("hosts", name, "hcas", topology.name), "inventory")
        if name not in needed:
            rule = f"{name} has no NICs in {topology.name}"
            hint = did_you_mean(name, needed) or "remove it; `fabric show links` lists hosts and attachments"
            report.add(codes.GUID_KIND.at(at, rule, value=name, hint=hint))
            continue
        nics, ports = needed[name]
        if len(hcas) != nics:
            rule = f"{counted(len(hcas), 'adapter')} for {counted(nics, 'NIC')}"
            hint = "list one for each NIC, in their order; a NIC without GUIDs would get another's"
            report.add(codes.GUID_KIND.at(at, rule, value=len(hcas), hint=hint))
        for i, hca in enumerate(hcas):
            if len(hca.port_guids) < ports:
                rule = f"{counted(len(hca.port_guids), 'port GUID')} for {counted(ports, 'port')}"
                hint = "list one for each port, port 1 first; on ConnectX it has the adapter's own"
                report.add(codes.GUID_KIND.at(at.child(i, "port_guids"), rule, hint=hint))


def _expected_adapters(topology: NetworkTopology) -> dict[str, tuple[int, int]]:
    """NICs, and ports of one, of every host and attachment."""
    base, each = topology.port_base, topology.sizes.planes
    hosts = {
        topology.names[node]: ((base[node + 1] - base[node]) // each, each)
        for node in topology.role_start[Role.HOST]
    }
    attached = {
        topology.names[node]: (base[node + 1] - base[node], 1)
        for node in topology.role_start[Role.ATTACHMENT]
    }
    return hosts | attached


def report_placeholders(missing: Sequence[str], origin: Origin, report: Report) -> None:
    """That GUIDs are invented, and of how many devices."""
    devices = sorted(set(missing))
    if devices:
        rule = (
            f"{counted(len(missing), 'GUID')} of {counted(len(devices), 'device')} invented, "
            f"{devices[0]}'s among them"
        )
        hint = "fine for a design or a simulation; `fabric identify FILE` reads those of the fabric"
        report.add(codes.PLACEHOLDER_GUIDS.at(origin, rule, value=len(missing), hint=hint))
