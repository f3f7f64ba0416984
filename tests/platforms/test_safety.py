"""What keeps a fabric safe whatever the product: drains that lose nothing, balancing that reaches its peer."""

from __future__ import annotations

import re

import pytest

from fabric import rendering
from fabric.devices.derive import derive
from fabric.diagnostics import Invalid
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.topology.expand import expand
from tests.platforms.everywhere import ADDRESSES, MODELS, SITE, policy

MARK = re.compile(r"65535:0|GSHUT|graceful-shutdown")
"""GRACEFUL_SHUTDOWN (RFC 8326) in the words of the products."""
BUILT_IN = {"frr", "cumulus", "sonic", "junos"}
"""They prefer other routes to those with GRACEFUL_SHUTDOWN by themselves: FRR over eBGP, Junos by `receiver`."""
SHUT = re.compile(
    r"neighbor \S+ shutdown|^\s+shutdown: |^ +shutdown;|^    shutdown$|\"admin-state\":\s*\"disable\"",
    re.MULTILINE,
)


def texts(name: str, rest: str = "", state: str = "", spine: str = "") -> dict[str, str]:
    """The text of each switch of the shared site."""
    words = {"model": MODELS[name], "platform": name}
    files = {
        "site.yaml": SITE.format(**words, network="", tiers="", rest=rest, ports="", spine=spine),
        "policy.yaml": policy(name),
        "inventory.yaml": ADDRESSES,
    }
    if state:
        files["state.yaml"] = state
    intent = load_text(files)
    made = derive(intent, expand(intent), registry)
    artifacts = rendering.render(made)
    return {switch.name: artifacts.of(switch).text for switch in made.values()}


def drained(mode: str) -> str:
    """A state in which a spine is drained."""
    return (
        f'drained: [{{device: spine-0, mode: {mode}, reason: optics, owner: ana, expires: "2099-01-01"}}]\n'
    )


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_drain_marks_routes_before_it_shuts_sessions(name):
    before, graceful, shut = (
        texts(name),
        texts(name, state=drained("graceful")),
        texts(name, state=drained("shut")),
    )

    marks = [len(MARK.findall(made["spine-0"])) for made in (before, graceful, shut)]
    assert marks[0] < marks[1] == marks[2]
    assert len(SHUT.findall(before["spine-0"])) == len(SHUT.findall(graceful["spine-0"]))
    assert len(SHUT.findall(graceful["spine-0"])) < len(SHUT.findall(shut["spine-0"]))
    assert {name: text for name, text in before.items() if name != "spine-0"} == {
        name: text for name, text in graceful.items() if name != "spine-0"
    }


@pytest.mark.parametrize("name", sorted(set(MODELS) - BUILT_IN))
def test_neighbours_avoid_what_a_drained_switch_sends(name):
    for text in texts(name).values():
        assert MARK.search(text)
        assert re.search(r"local-preference\W+(?:\"set\":\s*)?0\b", text)


@pytest.mark.parametrize("name", ["eos", "junos", "sonic"])
def test_gnmi_without_a_certificate_is_refused_where_it_would_run_in_clear_text(name):
    with pytest.raises(Invalid) as caught:
        texts(name, rest="  gnmi: {port: 6030}\n")

    (error,) = {finding.origin: finding for finding in caught.value.diagnostics if finding.is_error}.values()
    assert error.origin.path == ("services", "gnmi")
    assert "certificate: {name: fabric}" in (error.hint or "")
    assert texts(name, rest="  gnmi: {port: 6030}\n  certificate: {name: fabric}\n")
