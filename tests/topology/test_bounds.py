"""A site that is too large is refused by its numbers, before anything of it is made."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.intent.load import load_text
from fabric.topology import expand as stage
from fabric.topology.codes import TOO_LARGE
from fabric.topology.sizing.check_bounds import MOST_DEVICES, MOST_PORTS

SITE = """\
site: lab
units: {units}
hosts:
  gpu: {{per_unit: {per_unit}, gpus: 8, nics: {{compute: {{count: {nics}, speed: 400G}}{more}}}}}
networks:
  compute: {{rails: {{leaves: {leaves}}}, tiers: {{leaf: {{model: arista-7060x6-64pe}}}}}}
{networks}"""
STORAGE = {
    "more": ", storage: {count: 1, speed: 400G}",
    "networks": "  storage: {rails: none, tiers: {leaf: {model: arista-7060x6-64pe}}}\n",
}
"""A second network, with a leaf for each unit."""
TOO_LARGE_SITES = {
    "hosts": {"units": MOST_DEVICES, "per_unit": 2, "nics": 1, "leaves": 1},
    "ports of hosts": {"units": MOST_DEVICES, "per_unit": 1, "nics": 16, "leaves": 1},
    "hosts of a unit": {"units": 2, "per_unit": MOST_DEVICES, "nics": 1, "leaves": 1},
    "switches": {"units": MOST_DEVICES // 8 + 1, "per_unit": 1, "nics": 8, "leaves": 8},
    "switches of two networks": {
        "units": MOST_DEVICES // 2 + 1,
        "per_unit": 1,
        "nics": 1,
        "leaves": 1,
        **STORAGE,
    },
}


class Built(Exception):
    """Something was made."""


@pytest.fixture(autouse=True)
def nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pass of a network of any size fails, unless it is the one before the network that is too large."""

    def place(draft: object) -> None:
        raise Built

    monkeypatch.setattr(stage, "PASSES", (place,))


def site(**words: object) -> str:
    return SITE.format(**{"more": "", "networks": "", **words})


@pytest.mark.parametrize("kind", [kind for kind in TOO_LARGE_SITES if "two" not in kind])
def test_a_site_that_is_too_large_is_refused_before_it_is_made(kind: str) -> None:
    with pytest.raises(Invalid) as refused:
        stage.expand(load_text({"site.yaml": site(**TOO_LARGE_SITES[kind])}))

    (finding,) = refused.value.diagnostics
    assert (finding.code, bool(finding.hint), bool(finding.origin.path)) == (TOO_LARGE.code, True, True)
    assert finding.value


def test_networks_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "PASSES", ())
    monkeypatch.setattr(stage, "CHECKS", ())

    with pytest.raises(Invalid) as refused:
        stage.expand(load_text({"site.yaml": site(**TOO_LARGE_SITES["switches of two networks"])}))

    assert [(f.code, f.origin.path) for f in refused.value.diagnostics] == [
        (TOO_LARGE.code, ("networks", "storage"))
    ]


@pytest.mark.parametrize("units", [1, MOST_DEVICES // 8, MOST_PORTS // 16])
def test_a_site_within_the_bounds_is_made(units: int) -> None:
    words = {"units": units, "per_unit": 1, "nics": 8, "leaves": 1}

    with pytest.raises(Built):
        stage.expand(load_text({"site.yaml": site(**words)}))
