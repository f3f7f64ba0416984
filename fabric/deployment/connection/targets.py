"""The inventory to targets: where each device is reached, and as whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from fabric.deployment import codes
from fabric.deployment.connection.recorded_trust import Recorded, read_recorded
from fabric.deployment.connection.secrets import SecretSource
from fabric.diagnostics import Code, Diagnostic, Invalid, Origin
from fabric.intent.inventory import Credentials, DeviceFacts, Inventory, Proof
from fabric.platforms.base import Target, Trust

UNKNOWN = DeviceFacts()
OF_CERTIFICATES = ("fingerprint", "ca_file", "server_name")
"""What the inventory says of certificates."""


def targets(
    inventory: Inventory,
    names: Iterable[str],
    source: SecretSource,
    timeout_s: int = 60,
    *,
    beside: Iterable[str] = (),
) -> dict[str, Target]:
    """A target for each name. `Invalid` with every missing address, credentials and password together.

    `beside`: devices that are asked if that is possible, and left out where something of this is missing.
    """
    gaps: dict[Gap, list[str]] = {}
    ways = {name: _access(inventory, name, gaps) for name in names}
    ways |= _possible(inventory, (name for name in beside if name not in ways), source)
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
    recorded = read_recorded(source.folder)
    return {
        name: Target(
            name=name,
            address=str(facts.address).partition("/")[0],
            port=facts.port,
            username=credentials.username,
            password=passwords[credentials.password] if credentials.password else "",
            timeout_s=timeout_s,
            key_file=_here(credentials.key_file, source.folder),
            enable=passwords[credentials.enable] if credentials.enable else "",
            trust=_trust(name, (inventory.proof, facts.proof), recorded, source.folder),
            host=_host(facts),
            references=_references(credentials),
        )
        for name, (facts, credentials) in known.items()
    }


def _possible(
    inventory: Inventory, names: Iterable[str], source: SecretSource
) -> dict[str, tuple[DeviceFacts, Credentials]]:
    """Those of some devices of which nothing is missing."""
    has = cache(source.has)
    found = {}
    for name in names:
        gaps: dict[Gap, list[str]] = {}
        way = _access(inventory, name, gaps)
        if way and not gaps and all(has(secret) for secret in _references(way[1]).values()):
            found[name] = way
    return found


def addresses(
    inventory: Inventory, names: Iterable[str], folder: Path
) -> tuple[dict[str, Target], tuple[Diagnostic, ...]]:
    """Where each device is reached and by what it is known, with no login: no secret is asked for.

    Beside them what the inventory lacks. `Invalid` if what the site in `folder` has recorded is damaged.
    """
    recorded = read_recorded(folder)
    found: dict[str, Target] = {}
    gaps: dict[Gap, list[str]] = {}
    for name in names:
        facts = inventory.devices.get(name, UNKNOWN)
        if facts.address is None:
            gaps.setdefault(NO_ADDRESS, []).append(name)
            continue
        found[name] = Target(
            name=name,
            address=str(facts.address).partition("/")[0],
            port=facts.port,
            username="",
            password="",
            trust=_trust(name, (inventory.proof, facts.proof), recorded, folder),
        )
    return found, tuple(_missing(gap, devices) for gap, devices in gaps.items())


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


def _here(path: str | None, folder: Path) -> str:
    """A path on this machine: relative ones start in the site's folder."""
    return str((folder / Path(path).expanduser()).absolute()) if path else ""


def _host(facts: DeviceFacts) -> dict[str, str]:
    places = msgspec.structs.asdict(facts.manager) if facts.manager else {}
    return {name: value for name, value in places.items() if value is not None}


def _trust(name: str, proofs: Iterable[Proof | None], recorded: Recorded, folder: Path) -> Trust:
    """What the device says of itself, else what the inventory says of all, else what the site has recorded.

    A recorded certificate counts only where the inventory says nothing that is compared with certificates.
    """
    words = [{k: v for k, v in msgspec.structs.asdict(p).items() if v is not None} for p in proofs if p]
    known = {word: value for proof in words for word, value in proof.items()}
    for word in ("known_hosts", "ca_file"):
        if word in known:
            known[word] = _here(known[word], folder)
    known.setdefault("known_hosts", recorded.known_hosts)
    if known.keys().isdisjoint(OF_CERTIFICATES):
        known["certificate"] = recorded.certificates.get(name, "")
    return Trust(**known)


class Gap(NamedTuple):
    """What the inventory lacks to reach a device."""

    code: Code
    one: str
    """Of one device, behind its name."""
    several: str
    """Of several, behind their number."""
    hint: str


NO_ADDRESS = Gap(codes.NO_ADDRESS, "has no address", "have no address", codes.NO_ADDRESS.fix)


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
        gaps.setdefault(NO_ADDRESS, []).append(name)
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
