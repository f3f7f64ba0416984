"""Hints name what is written, and ports of the cage that was meant: never a link that works."""

from __future__ import annotations

import re

import pytest

from fabric import api
from fabric.diagnostics import Invalid

SITE = """\
site: lab
units: 2
hosts: {{gpu: {{per_unit: 4, nics: {{compute: {{count: 4, speed: 400G}}}}}}}}
networks:
  compute:
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}}}
{rest}
"""
EOS, SONIC, CUMULUS = (
    ("arista-7060x6-64pe", "eos"),
    ("nvidia-sn5600", "sonic"),
    ("nvidia-sn5600", "cumulus"),
)


def found(folder, product, rest):
    """Errors of a site."""
    model, platform = product
    (folder / "site.yaml").write_text(SITE.format(model=model, platform=platform, rest=rest))
    try:
        api.compile(folder).artifacts.check()
    except Invalid as invalid:
        return [one for one in invalid.diagnostics if one.is_error]
    return []


def shut(folder, port):
    rest = f"overrides:\n  - {{device: leaf-0-0, shutdown_ports: [{port}]}}"
    [finding] = [one for one in found(folder, EOS, rest) if one.code == "FAB405"]
    return finding


@pytest.mark.parametrize("port", ["Ethernet64/1", "Ethernet17/1"])
def test_a_port_that_exists_and_is_unused_is_said_to_be_so(tmp_path, port):
    assert f"{port} of leaf-0-0 is not used" in shut(tmp_path, port).rule


@pytest.mark.parametrize(
    "port", ["Ethernet1", "Ethernet1/9", "Ethernet99/1", "Ethernet2", "eth7", "Ethernet33/7"]
)
def test_a_suggested_port_is_in_the_same_cage(tmp_path, port):
    finding = shut(tmp_path, port)
    suggested = re.findall(r"did you mean '(\S+)'", finding.hint)
    cage = re.findall(r"\d+", port)[0]

    assert all(re.findall(r"\d+", name)[0] == cage for name in suggested), finding.hint
    assert suggested or "fabric show links" in finding.hint


@pytest.mark.parametrize("key", ["management", "ssh"])
@pytest.mark.parametrize("product", [SONIC, CUMULUS], ids=["sonic", "cumulus"])
def test_a_list_of_who_may_connect_is_refused_where_it_is_written(tmp_path, product, key):
    rest = f"services: {{{key}: {{allow: [192.0.2.0/24]}}}}"
    findings = [one for one in found(tmp_path, product, rest) if str(one.origin).endswith("allow")]

    assert {f"services.{key}.allow"} == {str(one.origin) for one in findings} or not findings
    assert all(f"remove `services.{key}.allow`" in one.hint for one in findings)


@pytest.mark.parametrize(
    ("members", "is_right"),
    [
        ("groups: [gpu]", True),
        ("units: [0, 1]", True),
        ("units: [0]", False),
        ("hosts: [gpu-0-0]", False),
        ("groups: [gpu], rails: [0]", False),
    ],
)
def test_one_tenant_on_ethernet_is_the_whole_network(tmp_path, members, is_right):
    codes = {one.code for one in found(tmp_path, EOS, f"tenants: {{a: {{{members}}}}}")}

    assert is_right == ("FAB402" not in codes)
