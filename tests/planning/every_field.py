"""Every way to change one field of an intent, by its schema: what a law about all changes needs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import fabric

SCHEMAS = Path(fabric.__file__).parents[1] / "schemas"
SCHEMA = json.loads((SCHEMAS / "intent.schema.json").read_text())
Words = Mapping[str, Any]
Change = tuple[str, Words]
"""The path of a field, and the intent with other words there."""
LEFT_ALONE = frozenset(
    [
        "site",
        "include",
        "overrides",
        "services",
        "deployment",
        "tenants",
        "infiniband",
        "layout",
        "system",
        "description",
        "name",
        "role_name",
        "prefix",
        "model",
        "platform",
        "release",
        "network",
        "kind",
        "technology",
    ]
)
"""Other switches, other products, other names; and what no packet meets."""
TEXTS: Mapping[str, tuple[Any, ...]] = {
    "fabric_pool": ("172.24.0.0/14", "10.128.0.0/11"),
    "fabric_pool6": ("fd01:128::/48",),
    "host_pool": ("172.16.0.0/13", "10.0.0.0/11"),
    "host_pool6": ("fd01::/32",),
    "former_host_pools": (["10.0.0.0/10"], ["172.28.0.0/16"]),
    "loopback_pool": ("172.31.0.0/16", "10.255.0.0/17"),
    "loopback_pool6": ("fd01:255::/48",),
    "order": (["rail", "unit", "plane", "host"], "link"),
    "dhcp_servers": (["192.0.2.9"],),
    "keepalive": ("1s",),
    "hold": ("30s", "6s"),
    "interval": ("200ms", "500ms"),
    "password": ("env:BGP_KEY",),
    "fields": (["src_ip", "dst_ip"],),
    "speed": ("100G", "200G", "800G"),
    "cable": ("100m",),
    "length": ("2m", "100m"),
    "max_oversubscription": ("2:1",),
    "lossless": (None, "roce-lossless"),
    "addresses": (
        [
            {"ours": "192.0.2.0/31", "theirs": "192.0.2.1/31"},
            {"ours": "192.0.2.2/31", "theirs": "192.0.2.3/31"},
        ],
    ),
    "prefixes": ([], ["203.0.113.0/25"], ["203.0.113.0/24", "198.18.0.0/15"]),
    "advertise": ([], ["10.0.0.0/12"], ["10.0.0.0/9"]),
    "rails": ([1], "none"),
    "planes": ([0], [1]),
    "index": ([1],),
    "cages": ("9-12",),
    "down_cages": ("9-16",),
    "up_cages": ("20-30",),
    "unit": (1, "last"),
    "units": (5, 6),
    "zones": (None,),
    "pods": (None,),
    "superspine": (None,),
    "spine": (None,),
    "bfd": ("none", True),
    "max_prefixes": (2, 64, "none"),
    "max_paths": (1, 2),
    "asn": (64999, 65011),
    "vlan": (30, 40),
    "ip_mtu": (1500, 8000, 9100),
}
"""By field, beside what its schema lists."""


def changed_fields(intent: Words) -> Iterator[Change]:
    """The intent with one field changed, for each field that it may have."""
    yield from _object(SCHEMA["$defs"]["Site"], intent, "")


def without(words: Words) -> dict[str, Any]:
    """Without the keys whose value is None."""
    return {
        key: without(value) if isinstance(value, Mapping) else value
        for key, value in words.items()
        if value is not None
    }


def _object(schema: Words, value: Words, path: str) -> Iterator[Change]:
    if isinstance(each := schema.get("additionalProperties"), Mapping):
        known: Words = dict.fromkeys(value, each)
        for key in value:
            yield f"{path}{key}: gone", {k: v for k, v in value.items() if k != key}
    else:
        known = {key: one for key, one in schema.get("properties", {}).items() if key not in LEFT_ALONE}
    for key, below in known.items():
        for place, made in _field(_resolved(below), value.get(key), f"{path}{key}"):
            yield place, {**value, key: made}


def _resolved(schema: Words) -> Words:
    """Of a field that may be an object or a word: both."""
    found = {**schema, **SCHEMA["$defs"].get(schema.get("$ref", "").rpartition("/")[2], {})}
    for case in schema.get("allOf", ()):
        if reference := case.get("then", {}).get("$ref"):
            found |= {k: v for k, v in _resolved({"$ref": reference}).items() if k != "type"}
        else:
            found["enum"] = [*found.get("enum", ()), *case.get("then", {}).get("enum", ())]
    return found


def _field(schema: Words, value: Any, path: str) -> Iterator[Change]:
    name = path.rpartition(".")[2]
    has_fields = "properties" in schema or isinstance(schema.get("additionalProperties"), Mapping)
    if has_fields and (value is not None or schema.get("default") == {}):
        yield from _object(schema, value if isinstance(value, Mapping) else {}, f"{path}.")
    for made in _values(schema, value, name):
        yield f"{path}: {made}", made


def _values(schema: Words, value: Any, name: str) -> Iterator[Any]:
    now = schema.get("default") if value is None else value
    kinds = schema.get("type", ())
    found = [*TEXTS.get(name, ()), *(word for word in schema.get("enum", ()) if word is not None)]
    if "boolean" in kinds:
        found += [True, False]
    if "integer" in kinds and name not in TEXTS:
        least, most = schema.get("minimum", 0), schema.get("maximum", 1 << 30)
        number = now if isinstance(now, int) else least
        found += [one for one in (number - 1, number + 1, 2 * number, least) if least <= one <= most]
    if value is not None and "default" in schema:
        found.append(None)  # back to the default
    seen = [now]
    for one in found:
        if one not in seen:
            seen.append(one)
            yield one
