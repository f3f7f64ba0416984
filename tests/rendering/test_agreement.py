"""Mixed fabrics: both ends of a link do the same to a packet, or it is told where not."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms import registry
from fabric.platforms.base import ClassFacts
from fabric.rendering import check_agreement

SITE = """site: mixed
units: 2
hosts: {gpu: {gpus: 2, per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}}
networks:
  compute:
    tiers:
      leaf: {model: juniper-qfx5240-64od}
      spine: {model: arista-7060x6-64pe, platform: eos, count: 2}
"""


@pytest.fixture
def mixed(tmp_path):
    (tmp_path / "site.yaml").write_text(SITE)
    return tmp_path


def test_products_that_round_differently_are_told_once(mixed):
    """Percent of a queue on one side, bytes on the other."""
    found = api.compile(mixed).artifacts.diagnostics

    assert [(d.code, d.severity, d.subjects) for d in found] == [
        ("FAB583", "warning", ("leaf-0-0", "spine-0")),
        ("FAB345", "warning", ("leaf-0-0", "leaf-0-1", "leaf-1-0", "leaf-1-1")),
    ]
    assert found[0].rule.startswith("ECN of DSCP 24, 26: ")
    assert "Juniper" in found[0].rule
    assert "Arista" in found[0].rule


def test_a_fabric_of_one_product_is_not_compared(mixed, monkeypatch):
    (mixed / "site.yaml").write_text(
        SITE.replace("juniper-qfx5240-64od", "arista-7060x6-64pe, platform: eos")
    )
    monkeypatch.setattr(check_agreement, "port_meaning", None)

    assert api.compile(mixed).artifacts.diagnostics == ()


def test_a_product_that_would_not_pause_where_its_neighbour_does_stops_the_compilation(mixed, monkeypatch):
    """No shipped product does so: the fault is planted in what one of them says of itself."""
    honest = registry.platform("junos")

    class Lossy:
        def __getattr__(self, name):
            return getattr(honest, name)

        def port_facts(self, switch):
            facts = honest.port_facts(switch)
            lossy = {name: {q: ClassFacts() for q in queues} for name, queues in facts.profiles.items()}
            return type(facts)(
                **{f: getattr(facts, f) for f in facts.__struct_fields__} | {"profiles": lossy}
            )

    monkeypatch.setattr(
        check_agreement, "platform", lambda name: Lossy() if name == "junos" else registry.platform(name)
    )

    with pytest.raises(Invalid) as caught:
        api.compile(mixed)

    assert "FAB582" in {d.code for d in caught.value.diagnostics}
