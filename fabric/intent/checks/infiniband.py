"""Settings of one technology on a network of the other: they would have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabric.diagnostics import Origin, Report
from fabric.intent import codes
from fabric.intent.model.site import Intent

OF_ETHERNET = {
    "addressing": "remove it: InfiniBand ports have LIDs by position",
    "routing": "remove it: the subnet manager routes, by `infiniband.engine`",
    "lossless": "remove it: credits lose nothing; the classes are `infiniband.service_levels`",
    "ip_mtu": "remove it: the subnet's is `infiniband.mtu`",
}
"""Settings of a network that only Ethernet has, and what takes their place."""
LAYER_3 = ("bgp", "addresses", "lossless", "vlan", "tagged", "lacp", "prefix_length")
"""Settings of an attachment that only Ethernet has."""
OF_ROUTERS = ("asn", "max_paths", "shutdown_ports", "extra")
"""Settings of an override that only a configuration of its own can hold."""


def check_technologies(intent: Intent, report: Report) -> None:
    """What is written for a technology that the network has not. Defaults are not reported."""
    document = intent.sources.documents.get("intent")
    written = document.value if document and isinstance(document.value, dict) else {}
    speak = {name: network.technology for name, network in intent.site.networks.items()}
    for name, technology in speak.items():
        settings = _part(written, "networks", name)
        if technology == "ethernet":
            _refuse(settings, ("networks", name), {"infiniband": "write `technology: infiniband`"}, report)
        else:
            _refuse(settings, ("networks", name), OF_ETHERNET, report)
    for name, attachment in intent.site.attachments.items():
        if speak.get(attachment.network) == "infiniband":
            hints = dict.fromkeys(LAYER_3, "remove it: InfiniBand ports have no such")
            _refuse(_part(written, "attachments", name), ("attachments", name), hints, report)
    _check_tenants(intent, speak, written, report)
    _check_overrides(intent, speak, written, report)


def _check_tenants(
    intent: Intent, speak: Mapping[str, str], written: Mapping[str, Any], report: Report
) -> None:
    for name, tenant in intent.site.tenants.items():
        there = {speak[network] for network in tenant.networks or speak if network in speak}
        hints = {}
        if there == {"ethernet"}:
            hints["partition"] = "remove it: a tenant of Ethernet networks has a `vrf`"
        if there == {"infiniband"}:
            hints["vrf"] = "remove it: a tenant of InfiniBand networks has a `partition`"
        _refuse(_part(written, "tenants", name), ("tenants", name), hints, report)


def _check_overrides(
    intent: Intent, speak: Mapping[str, str], written: Mapping[str, Any], report: Report
) -> None:
    overrides = written.get("overrides")
    for index, override in enumerate(intent.site.overrides):
        networks = [override.network] if override.network else list(speak)
        if networks and {speak.get(network) for network in networks} == {"infiniband"}:
            settings = overrides[index] if isinstance(overrides, list) and index < len(overrides) else {}
            hint = "remove it: the subnet manager sets everything that an InfiniBand switch does"
            _refuse(settings, ("overrides", index), dict.fromkeys(OF_ROUTERS, hint), report)


def _part(written: Mapping[str, Any], section: str, name: str) -> Any:
    part = written.get(section)
    return part.get(name) if isinstance(part, dict) else None


def _refuse(settings: Any, path: tuple[str | int, ...], hints: Mapping[str, str], report: Report) -> None:
    """Report every key that is written with a value and has a hint."""
    for key, hint in _written(settings, hints):
        other = "Ethernet" if key in ("infiniband", "partition") else "InfiniBand"
        rule = f"`{key}` says nothing on {other}"
        report.add(codes.OTHER_TECHNOLOGY.at(Origin((*path, key)), rule, hint=hint))


def _written(settings: Any, hints: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    if not isinstance(settings, dict):
        return ()
    return [(key, hint) for key, hint in hints.items() if settings.get(key) is not None]
