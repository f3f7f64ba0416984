"""Whatever a right-looking intent asks for, every stage answers with a result or with findings."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.errors.runner import compile_diagnostics
from tests.intent.samples import fuzzing

MODELS = (
    *(
        "arista-7060x6-64pe",
        "arista-7060dx5-64s",
        "arista-7808r4",
        "arista-7280r4-32qf-32df",
        "arista-7060x6-32pe",
    ),
    *("nvidia-sn5600", "generic-51-2t-hpn"),
)
GROUPS = (
    {"ports": 1},
    {"ports": 16},
    {"speed": "800G"},
    {"breakout": 1},
    {"cages": "1-8"},
    {"fill": "sub_port"},
)
TIERS: dict[str, tuple[Any, ...]] = {
    "model": MODELS,
    "up": GROUPS,
    "down": GROUPS,
    "max_oversubscription": ("1:1", "4:1", "100:1"),
    "reserved_ports": (1, 4),
    "name": ("{site}-{pod}-{rail}-{unit}-{plane}-{index}", "x{pod}"),
}
UPPER = {"count": (1, 2, 3, 8, 64), "links_per_pair": (1, 2, 4), "installed": (0, 1), "order": ("link",)}
NETWORK: dict[str, tuple[Any, ...]] = {
    "rails": ("none", {"count": 8}, {"leaves": 4}, {"count": 8, "leaves": 2, "fold": "interleaved"}),
    "planes": (
        {"count": 2},
        {"count": 2, "meet_at": "spine"},
        {"count": 2, "meet_at": "superspine"},
        {"count": 4},
    ),
    "pods": ({"units": 1}, {"units": 2}),
    "zones": ({"units": 1}, {"units": 2, "links": 4}),
    "cables": ({"leaf_spine": {"length": "40m", "links": 2}}, {"host_leaf": {"length": "3m", "links": 2}}),
    "lossless": (None, "roce-lossy"),
    "routing": ({"max_paths": 1}, {"bfd": "none"}, {"advertise_host_links": "specific"}),
}
ADDRESSING: dict[str, tuple[Any, ...]] = {
    "family": ("ipv6", "dual", "unnumbered"),
    "host_family": ("ipv4", "ipv6", "dual"),
    "order": (["host", "rail", "plane", "unit"], ["rail", "unit", "plane", "host"]),
    "host_links": (
        {"mode": "vlan"},
        {"mode": "lacp", "host_arp_duplication": True, "prefix_length": 26},
        {"prefix_length": 30},
    ),
    "asn": ({"policy": "rfc7938"}, {"policy": "shared-spine"}, {"leaf": 65000}, {"leaf": 4294967290}),
    "host_pool": ("10.0.0.0/30", "10.0.0.0/24"),
    "host_pool6": ("fd00::/120",),
}
NICS = {
    "count": (1, 4, 8, 16),
    "ports": (1, 2, 4),
    "speed": ("100G", "400G", "800G"),
    "first_rail": ("alternate",),
}
GROUP = {"per_unit": (1, 8, 32, "auto"), "total": (10, 32), "last_unit": (0, 2), "spare_per_unit": (1, 4)}
SITE: dict[str, tuple[Any, ...]] = {
    "units": (1, 3, 4, "auto"),
    "capacity": ({"units": 4}, {"units": 8, "hosts_per_unit": 16}),
    "attachments": (
        {"nas": {"network": "compute", "kind": "storage", "links": 2, "speed": "400G"}},
        {
            "x": {
                "network": "compute",
                "kind": "other",
                "links": 4,
                "speed": "400G",
                "to": {"unit": "last", "host_slot": 3},
            }
        },
    ),
    "tenants": ({"red": {"units": [0]}},),
    "overrides": ([{"role": "leaf", "down_cages": "1-4"}], [{"device": "leaf-0-0", "asn": 65009}]),
}


def some(options: dict[str, tuple[Any, ...]]) -> st.SearchStrategy[dict[str, Any]]:
    """A few of the options, each with one of its values."""
    picks = {key: st.sampled_from(values) for key, values in options.items()}
    return st.fixed_dictionaries({}, optional=picks)


@st.composite
def sites(draw: st.DrawFn) -> dict[str, Any]:
    """A site that the schema accepts, sensible or not."""
    tiers = {"leaf": {"model": MODELS[0]} | draw(some(TIERS))}
    for tier in draw(st.sampled_from([(), ("spine",), ("spine", "superspine"), ("superspine",)])):
        tiers[tier] = {"model": MODELS[0]} | draw(some(TIERS)) | draw(some(UPPER))
    network = {"tiers": tiers, "addressing": draw(some(ADDRESSING))} | draw(some(NETWORK))
    groups = {
        name: {"per_unit": 4, "nics": {"compute": {"count": 8, "speed": "400G"} | draw(some(NICS))}}
        | draw(some(GROUP))
        for name in draw(st.sampled_from([("gpu",), ("gpu", "tray")]))
    }
    return {"site": "lab", "units": 2, "hosts": groups, "networks": {"compute": network}} | draw(some(SITE))


@fuzzing
@given(sites())
def test_fuzz_no_site_escapes_the_stages(site):
    found = list(compile_diagnostics({"site.yaml": json.dumps(site)}))

    assert all(place for _, place in found)
    assert all(line.isprintable() for finding, _ in found for line in finding.rule.splitlines())
