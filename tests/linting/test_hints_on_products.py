"""What a hint says can be written on every product: if it is, the site still compiles and the finding is gone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from fabric.compiler import Compiled
from fabric.diagnostics import Diagnostic, Invalid
from fabric.intent.load import load_text
from fabric.linting import Linted, lint, rule_named
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import HASH, HASH256

SITE = """
site: hints
units: 4
hosts:
  gpu: {{per_unit: 2, gpus: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    lossless: roce-lossy
    pods: {{units: 2}}
    tiers:
      leaf: {{model: {model}, platform: {platform}, up: {{ports: 8}}}}
      spine: {{model: {model}, platform: {platform}, count: 2, up: {{ports: 16}}}}
      superspine: {{model: {model}, platform: {platform}, count: 2}}
    cables: {{spine_superspine: {{length: 40m}}}}
    routing: {{{routing}}}
services:
  users: {{netops: {{role: admin, password_hash: {sha512}, password_hash_sha256: {sha256}}}}}
{services}"""
OPERATORS = "allow: [198.51.100.0/26]"
SPREAD = (
    "hashing: {fields: [src_ip, dst_ip, src_port, dst_port, protocol, ingress_port]}",
    "load_balancing: flowlet",
    "load_balancing: per_packet, nics_reorder: true",
)


@cache
def findings(
    platform: str, rule: str, routing: str = "", services: str = ""
) -> tuple[Diagnostic, ...] | None:
    """What a rule finds; None if the product refuses the site."""
    hashes = {"sha512": HASH, "sha256": HASH256}
    text = SITE.format(
        model=MODELS[platform], platform=platform, routing=routing, services=services, **hashes
    )
    try:
        site = Compiled(Path(), load_text({"site.yaml": text}))
        for name in site.devices:
            site.artifacts[name].text  # noqa: B018  # made when it is asked for
        return lint(Linted.of(site.intent, site.topology, site.derivable), [rule_named(rule)])
    except Invalid:
        return None


@pytest.mark.covering(most=5)
@pytest.mark.parametrize("gnmi", ["", "  gnmi: {port: 6030}\n  certificate: {name: fabric}\n"])
@pytest.mark.parametrize("platform", MODELS)
def test_operators_are_asked_for_where_a_product_takes_them(platform, gnmi):
    found = findings(platform, "management-open", services=gnmi)
    if found is None:
        assert gnmi, "the site is refused without gNMI too"
        return
    written = {
        place: findings(platform, "management-open", services=f"{gnmi}  {place}: {{{OPERATORS}}}\n")
        for place in ("management", "ssh")
    }

    assert bool(found) == any(after is not None for after in written.values())
    for finding in found:
        (place,) = (place for place in written if f"services.{place}.allow" in (finding.hint or ""))
        assert written[place] == ()


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("routing", SPREAD)
@pytest.mark.parametrize("platform", MODELS)
def test_tiers_that_hash_alike_are_told_until_a_setting_parts_them(platform, routing):
    before, after = (findings(platform, "stages-hash-apart", words) for words in ("", routing))

    assert before
    assert after in ((), None), "the setting is accepted, and the finding is still there"


def test_each_setting_that_parts_tiers_is_taken_by_some_product():
    for routing in SPREAD:
        assert any(findings(platform, "stages-hash-apart", routing) == () for platform in MODELS), routing
