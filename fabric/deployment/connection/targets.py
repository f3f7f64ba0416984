"""The inventory to targets: where each device is reached, and as whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from fabric.deployment import codes
from fabric.deployment.connection.secrets import SecretSource
from fabric.diagnostics import Code, Diagnostic, Invalid, Origin
from fabric.intent.inventory import Credentials, DeviceFacts, Inventory
from fabric.platforms.base import Target

UNKNOWN = DeviceFacts()


def targets(
    inventory: Inventory, names: Iterable[str], source: SecretSource, timeout_s: int = 60
) -> dict[str, Target]:
    """A target for each name. `Invalid` with every missing address, credentials and password together."""
    gaps: dict[Gap, list[str]] = {}
    ways = {name: _access(inventory, name, gaps) for name in names}
    wrong = [_missing(gap, devices) for gap, devices in gaps.items()]
    known = {name: way for name, way in ways.items() if way is not None}
    try:
        passwords = source.resolve(c.password for _, c in known.values() if c.password is not None)
    except Invalid as error:
        raise Invalid((*wrong, *error.diagnostics)) from None
    if wrong:
        raise Invalid(wrong)
    return {
        name: Target(
            name=name,
            address=str(facts.address).partition("/")[0],
            port=facts.port,
            username=credentials.username,
            password=passwords[credentials.password] if credentials.password else "",
            timeout_s=timeout_s,
            key_file=_here(credentials.key_file, source),
            host=_host(facts, source),
        )
        for name, (facts, credentials) in known.items()
    }


def _here(path: str | None, source: SecretSource) -> str:
    """A path on this machine: relative ones start in the site's folder."""
    return str((source.folder / Path(path).expanduser()).absolute()) if path else ""


def _host(facts: DeviceFacts, source: SecretSource) -> dict[str, str]:
    login = msgspec.structs.asdict(facts.manager) if facts.manager else {}
    known = {name: value for name, value in login.items() if value is not None}
    for name in ("known_hosts", "ca_file"):
        if name in known:
            known[name] = _here(known[name], source)
    return known


class Gap(NamedTuple):
    """What the inventory lacks to reach a device."""

    code: Code
    one: str
    """Of one device, behind its name."""
    several: str
    """Of several, behind their number."""
    hint: str


def _missing(gap: Gap, devices: list[str]) -> Diagnostic:
    """One finding for all devices that lack the same."""
    if len(devices) == 1:
        origin = Origin(("devices", devices[0]), "inventory")
        return gap.code.at(origin, f"{devices[0]} {gap.one}", hint=gap.hint)
    origin = Origin(("devices",), "inventory")
    return gap.code.at(
        origin, f"{len(devices):,} devices {gap.several}", hint=gap.hint, subjects=tuple(devices)
    )


def _access(
    inventory: Inventory, name: str, gaps: dict[Gap, list[str]]
) -> tuple[DeviceFacts, Credentials] | None:
    facts = inventory.devices.get(name, UNKNOWN)
    label = facts.credentials or inventory.default_credentials
    credentials = inventory.credentials.get(label) if label else None
    if facts.address is None:
        gap = Gap(codes.NO_ADDRESS, "has no address", "have no address", codes.NO_ADDRESS.fix)
        gaps.setdefault(gap, []).append(name)
    if credentials is None:
        login = (
            "no credentials"
            if label is None
            else f"the credentials {label!r}, which the inventory does not have"
        )
        gap = Gap(codes.NO_CREDENTIALS, f"names {login}", f"name {login}", codes.NO_CREDENTIALS.fix)
        gaps.setdefault(gap, []).append(name)
    elif credentials.password is None and credentials.key_file is None:
        login = f"the credentials {label!r}, which have neither a password nor a key"
        gap = Gap(
            codes.NO_CREDENTIALS, f"names {login}", f"name {login}", "write `password` or `key_file` there"
        )
        gaps.setdefault(gap, []).append(name)
    return None if facts.address is None or credentials is None else (facts, credentials)
