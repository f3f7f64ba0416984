"""Sites to export."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from fabric import api
from fabric.diagnostics import Invalid
from fabric.exports import Export, Exports
from fabric.intent.load import load_text
from tests.infiniband.sites import SUPERPOD


@cache
def stages(text: str):
    """Intent, topology and devices of a site."""
    intent = load_text({"site.yaml": text})
    topology = api.expand(intent)
    return intent, topology


REFERENCE = Path(__file__).parents[2] / "inventories" / "reference"
SAMPLE = ("lab-8", "superpod-b300-spectrumx", "superpod-h100-1su", "rail-only")
"""Reference sites of different make: two planes, cables that break out, InfiniBand, leaves without spines."""


@cache
def reference(name: str):
    """Intent and topology of a reference site."""
    intent = api.load(REFERENCE / name / "site.yaml")
    return intent, api.expand(intent)


@cache
def of_reference(name: str, kind: str) -> dict[str, str]:
    """The files of a kind for a reference site, by path below the kind's folder."""
    files = api.export(*reference(name), [kind]).files
    return {file.path.removeprefix(f"{kind}/"): file.text for file in files}


@cache
def links_of(name: str) -> frozenset[frozenset[tuple[str, str]]]:
    """Both ends of every link of a reference site, as `fabric show links` prints them."""
    from fabric.cli.views.links import link_table
    from fabric.exports.network_view import views

    rows = link_table(views(*reference(name))).rows()
    return frozenset(frozenset([(row[0], row[1]), (row[2], row[3])]) for row in rows)


def csv_rows(text: str) -> list[dict[str, str]]:
    """Rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def site_text(text: str, inventory: str = "") -> tuple:
    """Intent and topology of a site with an inventory."""
    intent = load_text({"site.yaml": text, **({"inventory.yaml": inventory} if inventory else {})})
    return intent, api.expand(intent)


def exported(text: str, kinds: Iterable[str], networks: tuple[str, ...] = ()) -> Exports:
    """Some kinds of export of a site."""
    intent, topology = stages(text)
    return api.export(intent, topology, kinds, networks=networks)


def only(text: str, kind: str, networks: tuple[str, ...] = ()) -> str:
    """The one text of a kind."""
    (file,) = exported(text, (kind,), networks).files
    return file.text


def named(exports: Exports) -> dict[str, Export]:
    """Files by path."""
    return {file.path: file for file in exports.files}


def refused(text: str, *kinds: str, networks: tuple[str, ...] = ()) -> list[tuple[str, str, str, str]]:
    """Code, place, rule and hint of every error."""
    try:
        exported(text, kinds, networks)
    except Invalid as invalid:
        return [(d.code, str(d.origin), d.rule, d.hint or "") for d in invalid.diagnostics if d.is_error]
    return []


def superpod(units: int) -> str:
    """DGX SuperPOD H100, the last unit one host short."""
    return SUPERPOD.format(units=units)


def ethernet(
    hosts: str = "gpu: {per_unit: 4, gpus: 4, nics: {compute: {count: 4, speed: 400G}}}", **more: str
) -> str:
    """Two units of four hosts with four rails; parts can be changed."""
    parts = {
        "units": "2",
        "leaf": "{model: arista-7060x6-32pe, up: {speed: 400G, ports: 4}}",
        "spine": "{model: arista-7060x6-32pe, count: 2}",
        "network": "",
        "rest": "",
        **more,
    }
    tiers = "".join(
        f"      {tier}: {parts[tier]}\n" for tier in ("leaf", "spine", "superspine") if parts.get(tier)
    )
    return (
        f"site: test\nunits: {parts['units']}\nhosts:\n  {hosts}\n"
        f"networks:\n  compute:\n    tiers:\n{tiers}{parts['network']}{parts['rest']}"
    )
