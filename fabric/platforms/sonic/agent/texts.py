"""What the switch runs and starts from, as the texts of its files."""

from __future__ import annotations

import hashlib

from fabric.platforms.sonic.agent import database, routing
from fabric.platforms.sonic.agent.machine import Machine, Refused
from fabric.platforms.sonic.agent.tables import own, parsed, printed

DB, FRR = "config_db.json", "frr.conf"
Texts = dict[str, str]


def running(machine: Machine) -> Texts:
    """What works now: CONFIG_DB without the rows that the switch makes itself, and frr.conf where it is ours."""
    tables = database.running(machine)
    texts = {DB: printed(own(tables))}
    if routing.is_ours(tables):
        texts[FRR] = routing.running(machine)
    return texts


def startup(machine: Machine) -> Texts:
    """What a restart brings."""
    texts = {name: machine.read(path) for name, path in ((DB, database.FILE), (FRR, routing.FILE))}
    return {name: text for name, text in texts.items() if text is not None}


def whole(texts: Texts, before: Texts) -> Texts:
    """Both files, as they would run. A file that is not given stays as it is."""
    tables = own(parsed(texts.get(DB, before[DB])))
    new = {DB: printed(tables)}
    if not routing.is_ours(tables):
        return new
    text = texts.get(FRR, before.get(FRR, ""))
    if not text.strip():
        raise Refused("refused", f"docker_routing_config_mode is split-unified, and there is no {FRR}")
    return new | {FRR: text}


def digest(texts: Texts) -> str:
    """Of what runs: whether it has changed meanwhile."""
    return hashlib.sha256(repr(sorted(texts.items())).encode(errors="replace")).hexdigest()
