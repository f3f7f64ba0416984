"""`fabric.lock`: written when capacity decided something new, or held against with `--locked`."""

from __future__ import annotations

from collections.abc import Mapping
from errno import EACCES, EPERM, EROFS
from pathlib import Path
from typing import Any

import msgspec
import yaml

from fabric.cli import codes
from fabric.cli.stop import Stop
from fabric.compiler import Compiled
from fabric.documents.schema.scalar_types import encode
from fabric.intent.model.lock import Lock, digest_of
from fabric.resources import written_as

FILE = "fabric.lock"
ASIDE = ("format", "digest")
"""Keys that say nothing of the site."""
MOST = 3
"""Differences that are named."""
HEAD = (
    "# Sizes that capacity decided, and where attachments land. Written by fabric: commit it, so that growth moves\n"
    "# no cable, port, name, address or AS number. `fabric resize` shows what a change would move.\n"
)


def check_lock(site: Compiled) -> None:
    """`Stop` if the lock would change where nothing may be decided anew."""
    if not _holds(site):
        path, missing = site.folder / FILE, site.intent.lock is None
        rule = f"{path} {'is missing' if missing else f'does not match the intent: {_differences(site)}'}"
        raise Stop(codes.NOT_LOCKED, rule, "run `fabric compile` without --locked, and commit the lock")


def keep_lock(site: Compiled, elsewhere: Path) -> Path | None:
    """Write the lock if it changed and return its path: of a site that cannot be written, in `elsewhere`."""
    if _holds(site) and site.intent.lock and site.intent.lock.digest:
        return None
    text = lock_text(site.topology.lock)
    try:
        return _write(site.folder / FILE, text)
    except OSError as error:
        if error.errno not in (EACCES, EPERM, EROFS):
            raise
    return _write(elsewhere / FILE, text)


def _write(path: Path, text: str) -> Path:
    """Whole or not at all."""
    new = path.with_name(path.name + ".new")
    with written_as(path):
        try:
            new.write_text(text, encoding="utf-8")
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    return path


def _holds(site: Compiled) -> bool:
    """Whether the lock says all that there is to say; one of an older format may, and one without a digest."""
    lock, fresh = site.intent.lock, site.topology.lock
    return lock is not None and msgspec.structs.replace(lock, format=fresh.format, digest=None) == fresh


def _differences(site: Compiled) -> str:
    """What the intent makes of the first keys that differ, and how many more there are."""
    have, want = (
        _flat(msgspec.to_builtins(lock, enc_hook=encode)) for lock in (site.intent.lock, site.topology.lock)
    )
    keys = sorted(
        key for key in have.keys() | want.keys() if have.get(key) != want.get(key) and key not in ASIDE
    )
    differences = [
        f"{key} is {have.get(key, 'missing')}, and would be {want.get(key, 'removed')}" for key in keys[:MOST]
    ]
    return "; ".join(differences) + (f"; and {len(keys) - MOST:,} more" if len(keys) > MOST else "")


def _flat(content: Any, above: str = "") -> dict[str, str]:
    """Every value by its path."""
    if not isinstance(content, Mapping | list | tuple):
        return {above: "none" if content is None else str(content)}
    pairs = content.items() if isinstance(content, Mapping) else enumerate(content)
    below = [_flat(value, f"{above}.{key}" if above else str(key)) for key, value in pairs]
    return {key: value for flat in below for key, value in flat.items()}


def lock_text(lock: Lock) -> str:
    """The content of the file: the same bytes for the same lock."""
    content = msgspec.to_builtins(lock, enc_hook=encode)
    content["digest"] = digest_of(content)
    return HEAD + yaml.safe_dump(content, sort_keys=True, default_flow_style=False)
