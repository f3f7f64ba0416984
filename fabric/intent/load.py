"""From the files of a site to its `Intent`: read, include, validate, convert, check."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

import fabric.qos
from fabric.diagnostics import Invalid, Origin
from fabric.documents import Document, InvalidDocument, Sources
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.documents.schema.validate import converted
from fabric.documents.suggest import did_you_mean
from fabric.hardware import Catalogue, load_catalogue
from fabric.intent import codes
from fabric.intent.checks import checked
from fabric.intent.default_pools import with_pools
from fabric.intent.inventory import Inventory
from fabric.intent.inventory_tables import INVENTORY_FILE, join_tables
from fabric.intent.join_files import Reader, read_site
from fabric.intent.model.lock import FORMAT, Lock, digest_of
from fabric.intent.model.site import Intent, Site
from fabric.intent.separate_planes import with_subnets
from fabric.intent.site_folder import Edited, Files, Folder, Memory, Unreadable, join
from fabric.intent.state import State
from fabric.intent.stray_files import report_strays
from fabric.qos.policy import LosslessPolicy

SITE_FILE, STATE_FILE, LOCK_FILE = "site.yaml", "state.yaml", "fabric.lock"
POLICIES = Path(fabric.qos.__file__).parent / "policies"
"""The ready lossless policies."""
T = TypeVar("T", bound=msgspec.Struct)


def load(path: Path, *, today: date | None = None, edited: Mapping[str, str] | None = None) -> Intent:
    """Read a site: its folder, or its first file. `InvalidDocument` with every mistake, each at its place.

    `today` (UTC) decides which entries of `state.yaml` have expired. `edited`: texts in the place of files, by their
    names below the folder.
    """
    folder, first = (path, SITE_FILE) if path.is_dir() else (path.parent, path.name)
    files = Folder(folder)
    return _load(Edited(files, edited) if edited else files, first, today)


def load_text(files: Mapping[str, str], *, today: date | None = None) -> Intent:
    """Read a site from texts by file name, of which `site.yaml` is the first. Errors as in `load`."""
    return _load(Memory(files), SITE_FILE, today)


def _load(files: Files, first: str, today: date | None) -> Intent:
    reader = Reader(files)
    document = read_site(reader, first)
    site = converted(document, Site, "intent", reader.report) if document else None
    inventory = _beside(reader, "inventory", INVENTORY_FILE, Inventory)
    state = _beside(reader, "state", STATE_FILE, State)
    lock = _beside(reader, "lock", LOCK_FILE, Lock)
    if lock is not None and lock.format <= FORMAT:
        _check_lock(reader, lock)
    if site is not None and document is not None:
        site = with_subnets(site, document, reader.report)
    hardware = _hardware(reader)
    policies = _policies(reader, site) if site else {}
    report_strays(reader, (first, INVENTORY_FILE, STATE_FILE, LOCK_FILE))
    sources = Sources(reader.documents)
    if reader.report.has_errors or site is None or hardware is None:
        raise InvalidDocument(reader.report, sources)
    intent = Intent(
        site=with_pools(site, lock),
        policies=policies,
        inventory=inventory or Inventory(),
        state=state or State(),
        lock=lock,
        hardware=hardware,
        sources=sources,
    )
    return checked(intent, reader.report, today or datetime.now(UTC).date())


def _check_lock(reader: Reader, lock: Lock) -> None:
    """Whether a lock is empty, or was changed after it had been written."""
    if not lock.networks:
        rule = "fabric.lock holds no network"
        reader.report.add(codes.EMPTY_LOCK.at(Origin((), "lock"), rule, hint=codes.EMPTY_LOCK.fix))
    digest = digest_of(reader.documents["lock"].value or {})
    if lock.digest not in (None, digest):
        rule = f"what fabric.lock says has the digest {digest}: it was changed after it had been written"
        place = Origin(("digest",), "lock")
        reader.report.add(codes.LOCK_CHANGED.at(place, rule, value=lock.digest, hint=codes.LOCK_CHANGED.fix))


def _beside(reader: Reader, name: str, file: str, kind: type[T]) -> T | None:
    """An optional file beside the site's; None if there is none, or after findings."""
    if not reader.files.exists(file):
        return None
    document = reader.read(name, file, Origin((), name))
    if document and name == "inventory":
        join_tables(reader, document)
    return converted(document, kind, name, reader.report) if document else None


def _hardware(reader: Reader) -> Catalogue | None:
    """The shipped models and those of the site's `hardware/` folder; None after findings."""
    extra = {}
    for file in reader.files.listing("hardware"):
        stem = Path(file).stem
        document = reader.read(f"hardware:{stem}", file, Origin())
        if document is not None:
            extra[stem] = document
    try:
        return load_catalogue(extra)
    except Invalid as error:
        reader.report.extend(error.diagnostics)
        return None


def _policies(reader: Reader, site: Site) -> dict[str, LosslessPolicy]:
    """Every lossless policy that a network names."""
    policies = {}
    for network, facts in site.networks.items():
        name = facts.lossless
        if name is None or name in policies:
            continue
        document = _policy_document(reader, name, Origin(("networks", network, "lossless")))
        policy = converted(document, LosslessPolicy, "policy", reader.report) if document else None
        if policy is not None:
            policies[name] = policy
    return policies


def _policy_document(reader: Reader, name: str, origin: Origin) -> Document | None:
    """A ready policy, or the file of the site that `name` is the path of."""
    own = f"policy:{name}"
    if name.endswith((".yaml", ".yml")):
        try:
            file = join(SITE_FILE, name)
        except Unreadable as error:
            rule = f"{name!r} cannot be read: {error}"
            reader.report.add(codes.POLICY.at(origin, rule, value=name, hint=codes.POLICY.fix))
            return None
        return reader.read(own, file, origin)
    ready = {path.stem: path for path in POLICIES.glob("*.yaml")}
    if name in ready:
        document = reader.documents[own] = read_yaml(ready[name].read_bytes(), f"{name}.yaml", own)
        return document
    rule = f"there is no policy {name!r}; ready are {', '.join(sorted(ready))}"
    hint = did_you_mean(name, ready) or "name a ready policy, or a file: policies/mine.yaml"
    reader.report.add(codes.POLICY.at(origin, rule, value=name, hint=hint))
    return None
