"""What nobody wrote: the engine and the adaptive routing of a subnet that UFM manages."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from tests.infiniband.sites import compiled

SITE = """site: lab
units: 2
hosts: {{gpu: {{gpus: 4, per_unit: 4, nics: {{compute: {{count: 4, speed: {speed}}}}}}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {{{settings}}}
    tiers:
      leaf: {{model: {model}, reserved_ports: 1, max_oversubscription: "9:1"}}
      spine: {{model: {model}, count: 2, max_oversubscription: "9:1"}}
attachments:
  ufm-1: {{network: compute, kind: subnet_manager, links: 1, speed: {speed}, to: {{tier: leaf, unit: 0, rails: [0]}}}}
  ufm-2: {{network: compute, kind: subnet_manager, links: 1, speed: {speed}, to: {{tier: leaf, unit: 1, rails: [0]}}}}
"""


def engine(model: str, speed: str, settings: str = "") -> tuple[str, str]:
    """The product that manages the site, and the engine that its files name."""
    manager, text = compiled(SITE.format(model=model, speed=speed, settings=settings))["ufm-1"]
    found = next(line for line in text.splitlines() if line.startswith("routing_engine "))
    return manager.platform, found.removeprefix("routing_engine ")


def test_switches_of_xdr_are_managed_by_what_can_and_routed_as_they_must():
    assert engine("q3400-ra", "800G") == ("ufm", "ar_updn")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("platform: ufm", "ar_updn"),
        ("platform: ufm, adaptive_routing: false", "updn"),
        ("platform: ufm, engine: ftree", "ftree"),
        ("platform: ufm, engine: ftree, adaptive_routing: true", "ar_ftree"),
    ],
)
def test_switches_of_ndr_are_routed_adaptively_unless_somebody_says_otherwise(settings, expected):
    assert engine("qm9700", "400G", settings) == ("ufm", expected)


def test_the_manager_without_adaptive_engines_is_not_asked_for_one():
    assert engine("qm9700", "400G") == ("opensm", "updn,nue,no_fallback")


def test_a_key_of_managers_that_ufm_does_not_take_is_refused():
    keys = 'keys: {management_key: "env:M", administration_key: "env:A", manager_key: "env:S"}'

    with pytest.raises(Invalid, match="FAB586"):
        engine("qm9700", "400G", f"platform: ufm, {keys}")
    assert engine("qm9700", "400G", keys)[0] == "opensm"
