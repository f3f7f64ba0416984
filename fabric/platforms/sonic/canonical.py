"""The form that digests and diffs are taken over: tables and rows sorted, secrets masked, comments gone."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from fabric.platforms.base import PART, Block, split_parts
from fabric.platforms.sections import flat, parse
from fabric.platforms.sonic.names import natural

MASK = "<masked>"
SECRET_FIELD = re.compile(r"(?i)passkey|password|secret")
FRR_SECRET = re.compile(r"^(\s*neighbor \S+ password )(?:8 )?(?!<)(\S+)")
JSON, FRR = "config_db.json", "frr.conf"


def canonical(text: str) -> str:
    """Both files in one form. What is no JSON stays as it is: it differs from everything that is."""
    parts = split_parts(text)
    tables = decode(parts.get(JSON, ""))
    told = parts.get(JSON, "") if tables is None else _pretty(tables)
    return f"{PART}{JSON}\n{told}{PART}{FRR}\n{_frr(parts.get(FRR, ''))}"


def decode(text: str) -> dict[str, Any] | None:
    """The tables of a CONFIG_DB; None if the text is no JSON object."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        return None


def blocks(text: str) -> tuple[Block, ...]:
    """One block for each row of CONFIG_DB, and one for each section of frr.conf."""
    parts = split_parts(text)
    found: dict[str, str] = {}
    for table, rows in (decode(parts.get(JSON, "")) or {}).items():
        for key, row in rows.items() if isinstance(rows, dict) else ():
            found[f"{table}|{key}"] = _compact(row)
    for line in parse(parts.get(FRR, "")):
        words = line.text.split()
        long = words[0] in {"router", "interface", "bfd"} or len(line.children) > 0
        key = line.text if long else " ".join(words[: 5 if "prefix-list" in words[:2] else 2])
        body = "\n".join((line.text, *(f" {below}" for _, below in flat(line.children))))
        found[f"frr {key}"] = f"{found[f'frr {key}']}\n{body}" if f"frr {key}" in found else body
    return tuple(Block(key, body) for key, body in found.items())


def _pretty(tables: dict[str, Any]) -> str:
    ordered = {}
    for table in sorted(tables):
        rows = tables[table]
        ordered[table] = (
            {key: _masked(rows[key]) for key in sorted(rows, key=natural)} if isinstance(rows, dict) else rows
        )
    return msgspec.json.format(msgspec.json.encode(ordered), indent=4).decode() + "\n"


def _masked(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    return {name: _mask(name, row[name]) for name in sorted(row)}


def _mask(name: str, value: Any) -> Any:
    secret = SECRET_FIELD.search(name) and isinstance(value, str)
    return MASK if secret and not value.startswith("<") else value


def _compact(row: Any) -> str:
    return msgspec.json.encode(row, order="sorted").decode()


def _frr(text: str) -> str:
    kept = [line.rstrip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("!")]
    masked = rf"\1{MASK}"
    return "".join(FRR_SECRET.sub(masked, line) + "\n" for line in kept)
