"""Right intents that the tests start from, and ways to spoil them."""

# ruff: noqa: E501  # a hash is one word

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

SITE = """\
site: lab
units: 2
hosts:
  gpu:
    per_unit: 4
    nics:
      compute: {count: 8, speed: 400G}
networks:
  compute:
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe}
"""

FULL: dict[str, Any] = {
    "site": "lab",
    "description": "All of it",
    "units": 4,
    "capacity": {"units": 8, "hosts_per_unit": 16},
    "hosts": {
        "gpu": {
            "per_unit": 8,
            "last_unit": 3,
            "spare_per_unit": 1,
            "nics": {
                "compute": {"count": 8, "ports": 2, "speed": "200G"},
                "storage": {"count": 1, "speed": "200G"},
            },
        },
        "tray": {"model": "dgx-h100-h200", "per_unit": "auto", "total": 32, "name": "tray-{unit}-{index}"},
    },
    "networks": {
        "compute": {
            "rails": {"count": 8, "leaves": 4, "fold": "interleaved"},
            "planes": {"count": 2, "meet_at": "spine"},
            "pods": {"units": 2},
            "tiers": {
                "leaf": {
                    "model": "arista-7060x6-64pe",
                    "release": "4.32.1F",
                    "down": {"ports": 16, "breakout": 2},
                },
                "spine": {"model": "arista-7060x6-64pe", "count": 8, "installed": 4, "links_per_pair": 2},
                "superspine": {"model": "arista-7060x6-64pe", "max_oversubscription": "2:1"},
            },
            "cables": {"leaf_spine": {"length": "60m", "kind": "smf", "links": 2}},
            "addressing": {
                "family": "dual",
                "host_pool": "10.0.0.0/10",
                "loopback_pool6": "fd00:255::/64",
                "order": ["rail", "unit", "plane", "host"],
                "asn": {"policy": "rfc7938", "leaf": 4200000000},
                "host_links": {"mode": "vlan", "vlan": 100, "prefix_length": 26},
            },
            "routing": {
                "bgp": {"keepalive": "1s", "hold": "3s", "password": "env:BGP"},
                "bfd": "none",
                "hashing": {"fields": ["src_ip", "roce_qp"]},
                "load_balancing": "flowlet",
            },
            "lossless": None,
            "ip_mtu": 9000,
        },
        "storage": {"tiers": {"leaf": {"model": "arista-7060x6-64pe"}}, "rails": "none", "prefix": "st-"},
    },
    "attachments": {
        "edge": {
            "network": "storage",
            "kind": "router",
            "links": 1,
            "speed": "100G",
            "to": {"tier": "leaf", "unit": "last", "rails": [0]},
            "bgp": {"asn": 65000, "prefixes": ["0.0.0.0/0"], "advertise": ["10.0.0.0/8", "fd00::/32"]},
            "addresses": [{"ours": "192.0.2.0/31", "theirs": "192.0.2.1/31"}],
        }
    },
    "tenants": {"red": {"units": [0], "networks": ["compute"]}},
    "services": {
        "management": {
            "gateway": "192.0.2.254",
            "dns": ["192.0.2.53", "2001:db8::53"],
            "domain": "example.net",
        },
        "ntp": {"servers": ["192.0.2.1"]},
        "snmp": {"users": {"mon": {"auth_secret": "env:A", "privacy_secret": "file:/run/p"}}},
        "users": {
            "ann": {
                "password_hash": "$6$salt$hash..................................................................................",
                "role": "admin",
            }
        },
        "ssh": {"idle_timeout": "10min", "allow": ["192.0.2.0/24"]},
        "gnmi": {"port": 6030},
        "banner": "Authorised use only\nSecond line\n",
    },
    "overrides": [
        {"role": "leaf", "extra": {"note": "alias x show version"}},
        {"device": "leaf-0-0", "asn": 65001},
    ],
    "ownership": "full",
}
"""Nearly every key of the language."""

EXAMPLES = os.environ.get("FABRIC_FUZZ")
"""`FABRIC_FUZZ=400000 pytest tests/intent tests/errors -k fuzz` runs about an hour."""

fuzzing = settings(
    max_examples=int(EXAMPLES or 400),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    derandomize=not EXAMPLES,
)
"""How long a fuzz test runs: seconds in CI, always the same there."""

ODD_TEXTS = st.sampled_from(
    (
        *("", "auto", "none", "yes", "1", "400G", "400", "leaf", "a\n", "a b", "../x", "\x1b[0m", "ä", "\0"),
        *(
            "10.0.0.0/8",
            "10.0.0.1/8",
            "fd00::/48",
            "fe80::1%a",
            "env:A",
            "2026-01-01",
            "1:1",
            "rest",
            "compute",
        ),
        *("x" * 300, "{unit}", "-", "0"),
    )
)
ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 70_000),
    st.sampled_from([2**31, 2**63, 2**64, -1, 0.5, 1.0, 1e300]),
    ODD_TEXTS,
    st.text(max_size=8),
    st.just([]),
    st.just({}),
    st.lists(ODD_TEXTS, max_size=3),
    st.dictionaries(ODD_TEXTS, st.integers(0, 3), max_size=2),
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for key, below in inner for p in places(below, (*path, key)))]


@st.composite
def spoilt(draw: st.DrawFn, good: Any = FULL) -> Any:
    """A right intent after a few wrong turns."""
    tree = json.loads(json.dumps(good))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(tree)))
        holder: Any = {"root": tree}
        for step in ("root", *path)[:-1]:
            holder = holder[step]
        last = ("root", *path)[-1]
        match draw(st.sampled_from(["replace", "remove", "rename"])):
            case "remove" if path:
                del holder[last]
            case "rename" if path and isinstance(holder, dict):
                holder[draw(ODD_TEXTS)] = holder.pop(last)
            case _ if path:
                holder[last] = draw(ODD_VALUES)
            case _:
                tree = draw(ODD_VALUES)
        if not isinstance(tree, dict):
            break
    return tree
