"""The inventory to targets: where each device is reached, and as whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from fabric.deployment import codes
from fabric.deployment.connection.secrets import SecretSource
from fabric.diagnostics import Code, Diagnostic, Invalid, Origin
from fabric.intent.inventory import Credentials, DeviceFacts, Inventory, Proof
from fabric.platforms.base import Target, Trust

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
        passwords = source.resolve(
            secret for _, c in known.values() for secret in (c.password, c.enable) if secret is not None
        )
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
            enable=passwords[credentials.enable] if credentials.enable else "",
            trust=_trust(inventory.proof, facts.proof, source),
            host=_host(facts),
            references=_references(credentials),
        )
        for name, (facts, credentials) in known.items()
    }


def logins(inventory: Inventory, names: Iterable[str]) -> dict[str, str]:
    """The user that each device is logged in to as; without those that name no credentials that there are."""
    found = {}
    for name in names:
        label = inventory.devices.get(name, UNKNOWN).credentials or inventory.default_credentials
        if label is not None and (credentials := inventory.credentials.get(label)) is not None:
            found[name] = credentials.username
    return found


def _references(credentials: Credentials) -> dict[str, str]:
    known = {"password": credentials.password, "enable": credentials.enable}
    return {field: reference for field, reference in known.items() if reference}


def _here(path: str | None, source: SecretSource) -> str:
    """A path on this machine: relative ones start in the site's folder."""
    return str((source.folder / Path(path).expanduser()).absolute()) if path else ""


def _host(facts: DeviceFacts) -> dict[str, str]:
    places = msgspec.structs.asdict(facts.manager) if facts.manager else {}
    return {name: value for name, value in places.items() if value is not None}


def _trust(usual: Proof | None, own: Proof | None, source: SecretSource) -> Trust:
    """What the device says of itself, else what the inventory says of all."""
    words = [{k: v for k, v in msgspec.structs.asdict(p).items() if v is not None} for p in (usual, own) if p]
    known = {name: value for proof in words for name, value in proof.items()}
    for name in ("known_hosts", "ca_file"):
        if name in known:
            known[name] = _here(known[name], source)
    return Trust(**known)


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
    elif problem := _unclear(credentials):
        login, hint = f"the credentials {label!r}, which have {problem[0]}", problem[1]
        gap = Gap(codes.NO_CREDENTIALS, f"names {login}", f"name {login}", hint)
        gaps.setdefault(gap, []).append(name)
    return None if facts.address is None or credentials is None else (facts, credentials)


def _unclear(credentials: Credentials) -> tuple[str, str] | None:
    """What is wrong with what credentials have to log in with, and the hint; None: nothing."""
    has_own = credentials.password is not None or credentials.key_file is not None
    if credentials.agent and has_own:
        return "an agent beside a password or a key", "remove `agent`, or `password` and `key_file`"
    if not (credentials.agent or has_own):
        return "neither a password nor a key", "write `password`, `key_file` or `agent: true` there"
    return None
