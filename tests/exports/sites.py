"""Sites to export."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

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
