"""Whatever the schema lets through is expanded or refused with places and hints; nothing else happens."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings

from fabric.diagnostics import Invalid
from fabric.topology.expand import expand
from fabric.topology.resize import differences, resize
from tests.properties.strategies import wild_sites
from tests.topology.builders import intent_of

CHECKED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@CHECKED
@given(wild_sites())
def test_any_site_is_expanded_or_refused(value: dict[str, Any]) -> None:
    intent = intent_of(value)
    try:
        topology = expand(intent)
    except Invalid as invalid:
        wrong = [d for d in invalid.diagnostics if d.is_error]
        assert wrong
        assert all(d.code.startswith("FAB2") and d.rule and d.hint and d.origin.path for d in wrong)
    else:
        assert sorted(value["networks"]) == list(topology.networks)
        assert () == differences(topology, expand(intent_of(value, topology.lock)))
        assert () == resize(intent_of(value, topology.lock)).moves
