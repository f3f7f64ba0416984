"""The inventory to targets: where each device is reached, and as whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from fabric.deployment import codes
from fabric.deployment.secrets import SecretSource
from fabric.diagnostics import Diagnostic, Invalid, Origin
from fabric.intent.inventory import Credentials, DeviceFacts, Inventory
from fabric.platforms.base import Target

UNKNOWN = DeviceFacts()


def targets(
    inventory: Inventory, names: Iterable[str], source: SecretSource, timeout_s: int = 60
) -> dict[str, Target]:
    """A target for each name. `Invalid` with every missing address, credentials and password together."""
    wrong: list[Diagnostic] = []
    ways = {name: _way_in(inventory, name, wrong) for name in names}
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
    said = msgspec.structs.asdict(facts.manager) if facts.manager else {}
    known = {name: value for name, value in said.items() if value is not None}
    for name in ("known_hosts", "ca_file"):
        if name in known:
            known[name] = _here(known[name], source)
    return known


def _way_in(
    inventory: Inventory, name: str, wrong: list[Diagnostic]
) -> tuple[DeviceFacts, Credentials] | None:
    facts = inventory.devices.get(name, UNKNOWN)
    label = facts.credentials or inventory.default_credentials
    credentials = inventory.credentials.get(label) if label else None
    origin = Origin(("devices", name), "inventory")
    if facts.address is None:
        wrong.append(codes.NO_ADDRESS.at(origin, f"{name} has no address", hint=codes.NO_ADDRESS.fix))
    if credentials is None:
        rule = f"{name} names no credentials" if label is None else f"there are no credentials {label!r}"
        wrong.append(codes.NO_CREDENTIALS.at(origin, rule, hint=codes.NO_CREDENTIALS.fix))
    elif credentials.password is None and credentials.key_file is None:
        rule = f"credentials {label!r} of {name} have neither a password nor a key"
        wrong.append(codes.NO_CREDENTIALS.at(origin, rule, hint="write `password` or `key_file` there"))
    return None if facts.address is None or credentials is None else (facts, credentials)
