"""What somebody typed of routes goes before what the intent says of them: where it is kept, every plan says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from fabric.planning.ownership import candidate, pushed
from fabric.planning.texts import masked
from fabric.platforms.registry import platform
from tests.planning.phased import compiled_site
from tests.platforms.cases import RESERVED
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import attachments

EDGE = attachments("""
edge: {network: compute, kind: router, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, bgp: {asn: 64512,
  default_route: true, advertise: [10.0.0.0/10]}}
""")
"""A router that sends a default route: its leaf drops what is sent to the network's own pools and to nobody."""
POLICIES = re.compile("accepted|to-above", re.IGNORECASE)
"""In the names of lists and policies that a switch has with and without the router."""
STORE = attachments("""
store: {network: compute, kind: storage, links: 1, speed: 400G, to: {unit: 0, rails: [0]},
  addresses: [{ours: 192.0.2.0/31, theirs: 192.0.2.1/31}]}
""")
"""Storage with addresses of its own, which the leaf of the router drops as well."""
OWNED = ("frr",)
"""Products whose text is ours as a whole: nothing of others is kept there."""


@pytest.mark.parametrize("product", sorted(MODELS.keys() - {*OWNED}))
def test_routes_of_others_and_entries_of_our_policies_are_told(tmp_path: Path, product: str) -> None:
    """Those that a leaf has with a border router, of which nobody knows here that they were ours."""
    plain = compiled_site(tmp_path / "plain", product, RESERVED)
    edged = compiled_site(tmp_path / "edged", product, RESERVED, EDGE)
    leaf, switch = next((n, s) for n, s in edged.devices.items() if getattr(s.routing, "discards", ()))
    told = overriding(product, leaf, plain, edged)

    routes = {line for line in told for prefix in switch.routing.discards if str(prefix) in line}
    assert len(routes) == len(switch.routing.discards) or {"static", "static-routes"} & told
    assert any(POLICIES.search(line) for line in told)


@pytest.mark.parametrize("product", sorted(MODELS.keys() - {*OWNED}))
def test_a_route_of_others_beside_ours_is_told(tmp_path: Path, product: str) -> None:
    """One more than those that a leaf has itself."""
    edged = compiled_site(tmp_path / "edged", product, RESERVED, EDGE)
    stored = compiled_site(tmp_path / "stored", product, RESERVED, EDGE, STORE)
    leaf = next(n for n, s in edged.devices.items() if getattr(s.routing, "discards", ()))
    more = {*stored.devices[leaf].routing.discards} - {*edged.devices[leaf].routing.discards}
    told = overriding(product, leaf, edged, stored)

    assert more
    for prefix in more:
        assert any(re.match(rf"(.*\broute )?{prefix}( |$)", line) for line in told), told


def overriding(product: str, leaf: str, intended: Any, running: Any) -> set[str]:
    """What is told of a leaf that runs more than it shall, where all of it that is intended was applied."""
    ours, theirs = (made.artifacts[leaf].text for made in (intended, running))
    dialect = platform(product).dialect()
    found = pushed(candidate(platform(product), ours, masked(dialect.plain(theirs)), masked(ours)))
    return set(found.overriding)
