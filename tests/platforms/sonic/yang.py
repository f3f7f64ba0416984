"""CONFIG_DB against SONiC's own models: written as XML, where every value is text, and given to libyang."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape


def models(release: str) -> Path:
    """The folder of the models of a release; it may be absent."""
    here = Path(os.environ.get("FABRIC_YANG_DIR") or Path(__file__).parents[4] / "shared" / "yang")
    return here / f"sonic-{release}"


@cache
def schema(release: str) -> tuple[Any, dict[str, tuple[str, str, Any]]]:
    """The context, and for each table its top container, name space and node."""
    import libyang

    folder = models(release)
    context = libyang.Context(str(folder))
    tables: dict[str, tuple[str, str, Any]] = {}
    loaded = [(file, context.load_module(file.stem)) for file in sorted(folder.glob("*.yang"))]
    for file, module in loaded:  # nodes move while modules are loaded
        space = re.search(r'namespace\s+"([^"]+)"', file.read_text())
        for top in module.children(types=(libyang.SNode.CONTAINER,)):
            for table in top.children(types=(libyang.SNode.CONTAINER,)):
                tables.setdefault(table.name(), (top.name(), space[1] if space else "", table))
    return context, tables


def complaints(text: str, release: str) -> list[str]:
    """Everything that the models say against a config_db.json."""
    import libyang

    context, tables = schema(release)
    text = re.sub(r"<secret:[^>]*>", "0123456789abcdef", text)
    found, told = [], []
    for table, rows in json.loads(text).items():
        if table not in tables:
            found.append(f"{table}: no model")
            continue
        top, space, node = tables[table]
        body = "".join(_row(node, key, row, found) for key, row in rows.items())
        told.append(f'<{top} xmlns="{space}"><{table}>{body}</{table}></{top}>')
    merged = _merge(told)
    try:
        data = context.parse_data_mem(merged, "xml", no_state=True, strict=True)
        if data is not None:
            data.free()
    except libyang.LibyangError as error:
        found.append(str(error))
    return found


def _merge(told: list[str]) -> str:
    """Tables of one module below one container."""
    found: dict[str, list[str]] = {}
    for one in told:
        head, _, rest = one.partition(">")
        found.setdefault(head, []).append(rest[: rest.rindex("</")])
    return "".join(f"{head}>{''.join(body)}</{head[1:].split()[0]}>" for head, body in found.items())


def _row(table: Any, key: str, row: dict[str, Any], found: list[str]) -> str:
    import libyang

    kinds = (libyang.SNode.LEAF, libyang.SNode.LEAFLIST, libyang.SNode.LIST, libyang.SNode.CONTAINER)
    below = list(table.children(types=kinds))
    box = next((c for c in below if c.name() == key and isinstance(c, libyang.SContainer)), None)
    if box is not None:
        return f"<{key}>{_fields(box, row, key, found)}</{key}>"
    parts = key.split("|")
    lists = [c for c in below if isinstance(c, libyang.SList) and len(list(c.keys())) == len(parts)]
    for one in lists:
        names = [leaf.name() for leaf in one.keys()]  # noqa: SIM118
        inner = next((c for c in one.children(types=(libyang.SNode.LIST,))), None)
        head = "".join(f"<{n}>{escape(v)}</{n}>" for n, v in zip(names, parts, strict=True))
        if inner is not None:
            field = next(iter(inner.keys())).name()
            value = next(c.name() for c in inner.children() if c.name() != field)
            body = "".join(
                f"<{inner.name()}><{field}>{k}</{field}><{value}>{v}</{value}></{inner.name()}>"
                for k, v in row.items()
            )
            return f"<{one.name()}>{head}{body}</{one.name()}>"
        errors: list[str] = []
        body = _fields(one, row, key, errors)
        if not errors or one is lists[-1]:
            found += errors
            return f"<{one.name()}>{head}{body}</{one.name()}>"
    found.append(f"{table.name()}|{key}: no list with {len(parts)} keys")
    return ""


def _fields(node: Any, row: dict[str, Any], path: str, found: list[str]) -> str:
    known = {c.name() for c in node.children()}
    words = []
    for name, value in row.items():
        if name not in known:
            found.append(f"{path}: the model has no {name}")
            continue
        words += [
            f"<{name}>{escape(str(v))}</{name}>" for v in (value if isinstance(value, list) else [value])
        ]
    return "".join(words)
