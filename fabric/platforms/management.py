"""The refusals of what limits management, the same for every platform that does not support it."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin
from fabric.platforms.base import Capabilities

Missing = Iterator[tuple[Origin, str, str]]
"""Place, feature and fix."""
SERVICES = Origin(("services",))


def unmanaged(switch: Switch, can: Capabilities) -> Missing:
    """What is wanted of SSH, gNMI and a drain, and the product does not support."""
    if switch.services.ssh.allow and not can.ssh_allow:
        feature = f"no list of who may use SSH: {can.sources.get('ssh_allow', 'no source shows one')}"
        at = allowed(switch)
        yield at, feature, f"remove `{at}`, and filter in the management network"
    if switch.keeps_sessions and not can.drain:
        feature = "the routes of a drained switch cannot be marked (RFC 8326)"
        yield Origin(("drained",), "state"), feature, f"write `mode: shut` for {switch.name}"
    if switch.services.gnmi is not None and can.gnmi:
        yield from _gnmi(switch, can)


def allowed(switch: Switch) -> Origin:
    """Where it is written who may use SSH: a list of its own, or that of all management."""
    services = switch.services
    if services.ssh.allow and services.ssh.allow != services.management.allow:
        return SERVICES.child("ssh", "allow")
    return SERVICES.child("management", "allow")


def _gnmi(switch: Switch, can: Capabilities) -> Missing:
    services = switch.services
    certificate = services.certificate
    if certificate is None and not can.own_certificate:
        reason = can.sources.get("own_certificate", "it would run in clear text")
        hint = "add `certificate: {name: fabric}` to `services`, and put it on the switch under that name"
        yield SERVICES.child("gnmi"), f"gNMI needs a certificate: {reason}", hint
    if certificate is not None and not can.certificate:
        reason = can.sources.get("certificate", "no source shows one")
        yield SERVICES.child("certificate"), f"gNMI takes no named certificate: {reason}", "leave `gnmi` out"
    if certificate is not None and certificate.client_ca and not can.client_certificates:
        reason = can.sources.get("client_certificates", "no source shows it")
        feature = f"clients of gNMI are not asked for certificates: {reason}"
        hint = "leave `client_ca` out: clients log in by user and password"
        yield SERVICES.child("certificate", "client_ca"), feature, hint
    if services.management.allow and not can.gnmi_allow:
        reason = can.sources.get("gnmi_allow", "no source shows one")
        hint = (
            "leave `gnmi` out, or filter in the management network and write `ssh: {allow: [PREFIX]}` alone"
            if can.ssh_allow
            else "remove `services.management.allow`, and filter in the management network"
        )
        yield SERVICES.child("management", "allow"), f"no list of who may use gNMI: {reason}", hint
