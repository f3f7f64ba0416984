"""Names that refer to other parts of the site."""

from __future__ import annotations

from collections.abc import Collection

from fabric.diagnostics import Origin, Report
from fabric.documents.schema.describe import quoted
from fabric.documents.suggest import did_you_mean
from fabric.intent import codes
from fabric.intent.model.hosts import HostGroup
from fabric.intent.model.site import Intent

INVENTORY = Origin((), "inventory")


def check_names(intent: Intent, report: Report) -> None:
    """Models and networks that groups name, networks of the other parts, and logins that devices name."""
    _check_networks(intent, report)
    logins = intent.inventory.credentials
    default = intent.inventory.default_credentials
    if default is not None:
        refer(default, "credentials", logins, INVENTORY.child("default_credentials"), report)
    for name, device in intent.inventory.devices.items():
        if device.credentials is not None:
            origin = INVENTORY.child("devices", name, "credentials")
            refer(device.credentials, "credentials", logins, origin, report)


def _check_networks(intent: Intent, report: Report) -> None:
    site, networks = intent.site, intent.site.networks
    for group, facts in site.hosts.items():
        _check_group(intent, Origin(("hosts", group)), facts, report)
    for name, attachment in site.attachments.items():
        refer(attachment.network, "networks", networks, Origin(("attachments", name, "network")), report)
    for name, tenant in site.tenants.items():
        for index, network in enumerate(tenant.networks):
            refer(network, "networks", networks, Origin(("tenants", name, "networks", index)), report)
    for index, override in enumerate(site.overrides):
        if override.network is not None:
            refer(override.network, "networks", networks, Origin(("overrides", index, "network")), report)
        if override.model is not None:
            known = intent.hardware.switches
            refer(override.model, "switch models", known, Origin(("overrides", index, "model")), report)


def _check_group(intent: Intent, origin: Origin, group: HostGroup, report: Report) -> None:
    networks = intent.site.networks
    if group.model is not None:
        refer(group.model, "host models", intent.hardware.hosts, origin.child("model"), report)
    for network in group.nics:
        refer(network, "networks", networks, origin.child("nics", network), report)
    for network in group.system.nics if group.system else ():
        refer(network, "networks", networks, origin.child("system", "nics", network), report)


def refer(name: str, kind: str, known: Collection[str], origin: Origin, report: Report) -> None:
    """Report a name that is not known."""
    if name in known:
        return
    first = sorted(known)[:10]
    there = ", ".join(first) or "none"
    rule = f"{quoted(name)} is not among the {kind}: {there}"
    other = f"use {first[0]}" if len(known) == 1 else f"use one of {there}"
    hint = did_you_mean(name, known) or (
        f"{other}, or add {quoted(name)}" if known else f"add {quoted(name)}"
    )
    report.add(codes.UNKNOWN_NAME.at(origin, rule, value=name, hint=hint))
