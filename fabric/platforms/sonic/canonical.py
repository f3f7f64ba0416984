"""The form that digests and diffs are taken over: tables and rows sorted, secrets masked, comments gone."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from fabric.platforms.base import PART, Block, split_parts
from fabric.platforms.sections import flat, parse
from fabric.platforms.sonic.names import natural

MASK = "<masked>"
SECRET_FIELD = re.compile(r"(?i)passkey|password$|secret|_cak$")
SECRET_FIELDS = frozenset({("NTP_KEY", "value")})
"""Tables with a field that is a secret and does not look like one."""
SECRET_KEYS = frozenset({"SNMP_COMMUNITY"})
"""Tables whose keys are secrets."""
FRR_SECRET = re.compile(r"^(\s*neighbor \S+ password )(?!(?:<secret:[^<>\s]*>|<masked>|<ours>)$)(.+)$")
OURS = re.compile(r"<secret:[^<>]*>|<masked>|<ours>")
"""What stands for a secret already."""
JSON, FRR = "config_db.json", "frr.conf"


def canonical(text: str) -> str:
    """Both files in one form. What is no JSON stays as it is: it differs from everything that is."""
    parts = split_parts(text)
    tables = decode(parts.get(JSON, ""))
    told = _plain(parts.get(JSON, "")) if tables is None else _pretty(tables)
    return f"{PART}{JSON}\n{told}{PART}{FRR}\n{_frr(parts.get(FRR, ''))}"


def decode(text: str) -> dict[str, Any] | None:
    """The tables of a CONFIG_DB; None if the text is no JSON object."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):  # no text, no JSON, or nested without end
        return None


def blocks(text: str) -> tuple[Block, ...]:
    """One block for each row of CONFIG_DB, and one for each section of frr.conf."""
    parts = split_parts(text)
    found: dict[str, str] = {}
    tables = decode(parts.get(JSON, ""))
    if tables is None and parts.get(JSON, "").strip():
        found[JSON] = parts[JSON]
    for table, rows in (tables or {}).items():
        if not isinstance(rows, dict):
            found[table] = _compact(rows)
            continue
        for key, row in rows.items():
            found[f"{table}|{key}"] = _compact(row)
    for line in parse(parts.get(FRR, "")):
        words = line.text.split()
        long = words[0] in {"router", "interface", "bfd"} or len(line.children) > 0
        key = line.text if long else " ".join(words[: 5 if "prefix-list" in words[:2] else 2])
        body = "\n".join((line.text, *(f" {below}" for _, below in flat(line.children))))
        found[f"frr {key}"] = f"{found[f'frr {key}']}\n{body}" if f"frr {key}" in found else body
    return tuple(Block(key, body) for key, body in found.items())


def _plain(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines() if line.strip())


def _pretty(tables: dict[str, Any]) -> str:
    ordered = {}
    for table in sorted(tables):
        rows = tables[table]
        if not isinstance(rows, dict):
            ordered[table] = rows
            continue
        keys = sorted(rows, key=natural)
        told = [f"{MASK}{i}" for i in range(len(keys))] if table in SECRET_KEYS else keys
        ordered[table] = {name: _masked(table, rows[key]) for name, key in zip(told, keys, strict=True)}
    return msgspec.json.format(msgspec.json.encode(ordered), indent=4).decode() + "\n"


def _masked(table: str, row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    return {name: _mask(table, name, row[name]) for name in sorted(row)}


def _mask(table: str, name: str, value: Any) -> Any:
    secret = SECRET_FIELD.search(name) or (table, name) in SECRET_FIELDS
    ours = isinstance(value, str) and OURS.fullmatch(value)
    return MASK if secret and value and not ours else value


def _compact(row: Any) -> str:
    return msgspec.json.encode(row, order="sorted").decode()


def _frr(text: str) -> str:
    kept = [line.rstrip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("!")]
    masked = rf"\1{MASK}"
    return "".join(FRR_SECRET.sub(masked, line) + "\n" for line in kept)
