"""Every device of a site against its vendor's schema, and what is said, in the words of the intent.

Equal complaints about many ports and devices are one finding: an operator reads one line and how often it holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from fabric.devices.model import Device, Switch, SwitchPort
from fabric.diagnostics import Diagnostic, Origin, Refused
from fabric.platforms.base import AnyPlatform
from fabric.platforms.registry import platform
from fabric.platforms.schema import Complaint, SchemaCheck
from fabric.verification import codes
from fabric.verification.openapi import document
from fabric.verification.yang_models import model_files, models_of

QUEUEING = frozenset({"buffer", "ecn", "pfc", "qos", "queue", "scheduler", "shaper", "watchdog", "wred"})
"""Words of a path that mean the queueing policy."""
SERVICES = {
    "ntp": "ntp",
    "syslog": "syslog",
    "snmp": "snmp",
    "tacacs": "tacacs",
    "tacplus": "tacacs",
    "user": "users",
    "lldp": "lldp",
    "ssh": "ssh",
    "banner": "banner",
    "gnmi": "gnmi",
    "dns": "management",
}
"""Words of a path to the key below `services` that they come from."""


_QUOTED = re.compile(r"'([^' ]{3,})'|\"([^\" ]{3,})\"")


class Schemas(msgspec.Struct, frozen=True):
    """What the operator has of the vendors."""

    yang: tuple[Path, ...] = ()
    """Folders with YANG files."""
    openapi: Path | None = None


class Verdict(msgspec.Struct, frozen=True):
    """What the schemas say of a site."""

    findings: tuple[Diagnostic, ...]
    checked: Mapping[str, int]
    """Devices that were checked, by platform."""

    @property
    def is_clean(self) -> bool:
        """Whether no schema has anything against any device that was checked."""
        return not any(finding.is_error for finding in self.findings)


class _Group:
    """One complaint, with everything that it is about."""

    def __init__(self, first: Complaint, link: str) -> None:
        self.first = first
        self.link = link
        self.devices: dict[str, None] = {}
        self.places = 0


class Check:
    """The check of a site: devices are added one by one, so that one text is in memory."""

    def __init__(self, schemas: Schemas, only: frozenset[str] = frozenset()) -> None:
        for name in sorted(only):
            platform(name)  # `Refused`, with the known ones, before anything is done
        for folder in schemas.yang:
            model_files(folder)  # likewise: a folder that is none is no folder without models
        if schemas.openapi is not None and not schemas.openapi.is_file():
            message = f"{schemas.openapi} is not a file"
            raise Refused(message, "`--openapi` names the openapi.json that the product itself serves")
        self._schemas = schemas
        self._only = only
        self._groups: dict[tuple[Origin, str, str, str], _Group] = {}
        self._checked: dict[str, int] = {}
        self._left: dict[str, tuple[Origin, str, list[str]]] = {}

    def wants(self, device: Device) -> bool:
        """Whether the device was selected."""
        return not self._only or device.platform in self._only

    def add(self, device: Device, text: str) -> None:
        """Check one device."""
        product = platform(device.platform)
        reason = self._why_not(product)
        if reason:
            self._left.setdefault(product.name, (device.origin, reason, []))[2].append(device.name)
            return
        self._checked[product.name] = self._checked.get(product.name, 0) + 1
        for complaint in complaints(known_of(product), text, self._schemas):
            self._keep(device, product, complaint)

    def _why_not(self, product: AnyPlatform) -> str:
        """Why a product is not checked; empty: it is."""
        if product.schema_check is None:
            return "no schema of it is published"
        known = known_of(product)
        if known.language == "openapi":
            return "" if self._schemas.openapi else f"give --openapi FILE: {known.models}"
        if not self._schemas.yang:
            return f"give --yang DIR: {known.models}"
        if models_of(known, self._schemas.yang):
            return ""
        return f"none of its models in {', '.join(map(str, self._schemas.yang))}: {known.models}"

    def _keep(self, device: Device, product: AnyPlatform, complaint: Complaint) -> None:
        port = named_port(device, complaint)
        origin = origin_of(device, complaint)
        general = (_general(complaint.path, port), _general(complaint.message, port))
        link = f"{device.name} {port.name}, the link to {port.peer} {port.peer_port}" if port else ""
        group = self._groups.setdefault((origin, product.title, *general), _Group(complaint, link))
        group.devices[device.name] = None
        group.places += 1

    def verdict(self) -> Verdict:
        """All findings. `Refused` if a selected product could not be checked."""
        for name in self._only:
            if name in self._left:
                title = platform(name).title
                raise Refused(f"{title} cannot be checked: {self._left[name][1]}", codes.NOT_CHECKED.fix)
            if name not in self._checked:
                raise Refused(f"no device of this site runs {name!r}", "`fabric show devices` lists them")
        if not self._checked:
            reasons = "; ".join(f"{platform(name).title}: {left[1]}" for name, left in self._left.items())
            raise Refused(f"nothing was checked: {reasons or 'there is no device'}", codes.NOT_CHECKED.fix)
        findings = [_finding(*key[:2], group) for key, group in self._groups.items()]
        left = [
            codes.NOT_CHECKED.at(
                origin,
                f"{platform(name).title}: {reason}",
                hint=codes.NOT_CHECKED.fix,
                subjects=tuple(devices),
            )
            for name, (origin, reason, devices) in self._left.items()
        ]
        return Verdict(tuple(findings + left), self._checked)


def known_of(product: AnyPlatform) -> SchemaCheck:
    """What a platform knows of its schema."""
    if product.schema_check is None:
        message = f"{product.title} has no schema to check against"
        raise Refused(message)
    return product.schema_check()


def complaints(known: SchemaCheck, text: str, schemas: Schemas) -> tuple[Complaint, ...]:
    """All complaints of the operator's schemas about one text of a product."""
    if known.language == "openapi" and schemas.openapi is not None:
        judge = document(schemas.openapi)
        return tuple(
            reasons for instance in known.instances(text, {}) for reasons in judge.complaints(instance)
        )
    models = models_of(known, schemas.yang)
    roots = {name: model_set.root for name, model_set in models.items()}
    return tuple(
        reasons
        for instance in known.instances(text, roots)
        for reasons in models[instance.models].complaints(instance)
    )


def named_port(device: Device, complaint: Complaint) -> SwitchPort | None:
    """The port that a complaint names, in its path or else in its words."""
    for text in (complaint.path, complaint.message):
        for port in device.ports:
            if port.name in text and _word(port.name).search(text):
                return port
    return None


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])|(?<=/){re.escape(name)}(?=/|$)")


def origin_of(device: Device, complaint: Complaint) -> Origin:
    """Where in the intent a complaint most likely comes from.

    Verbatim lines of an override that hold all words that the complaint quotes; else a service or the queueing
    policy, by the words of its path; else the tier.
    """
    quoted = [a or b for a, b in _QUOTED.findall(complaint.message)]
    for lines in device.extra if isinstance(device, Switch) else ():
        if quoted and all(word in lines.text for word in quoted):
            return lines.origin
    words = re.findall(r"[a-z]+", re.sub(r"\[[^\]]*\]", "", complaint.path).lower())
    for word in words:
        if word in SERVICES:
            return Origin(("services", SERVICES[word]))
    if QUEUEING & set(words) or "class-of-service" in complaint.path:
        return Origin(("networks", device.network, "lossless"))
    return device.origin


def _general(text: str, port: SwitchPort | None) -> str:
    """A text without what differs from port to port."""
    plain = re.sub(r"\[(?:[^\]'\"]|'[^']*'|\"[^\"]*\")*\]", "", text)
    return _word(port.name).sub("*", plain) if port else plain


def _finding(origin: Origin, title: str, group: _Group) -> Diagnostic:
    reasons = f"{group.first.path}: {group.first.message}" if group.first.path else group.first.message
    notes = [f"first at {group.link}"] if group.link else []
    if group.places > len(group.devices):
        notes.append(f"{group.places:,} places in all")
    return codes.SCHEMA.at(
        origin,
        f"{title}: {reasons}" + (f" ({'; '.join(notes)})" if notes else ""),
        hint="change the value, or give the models of the release that the devices run",
        subjects=tuple(group.devices),
    )
