"""No line of an override takes away or changes one that we print, on any product; new lines are taken."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.platforms.overrides.lines import paths
from tests.platforms.sites import extra, leaf, printed

PRODUCTS = ("eos", "nxos", "junos", "sonic", "cumulus", "frr")
BY_LINE = {"eos": "ours", "nxos": "ours", "sonic": "frr", "frr": "ours"}
"""Products that are told by lines, and the name of a block that reaches those lines."""
CHANGES = {
    "eos": [
        "hostname evil",
        "router bgp 1",
        "int Et1/1\n   shutdown",
        "interface Management1\n   shutdown",
    ],
    "nxos": ["hostname evil", "router bgp 1", "interface mgmt0\n  shutdown"],
    "junos": ["system { host-name evil; }", "delete: system;", "protocols { inactive: bgp { } }"],
    "sonic": ["router bgp 1"],
    "cumulus": ["- set:\n    system:\n      hostname: evil", "- unset:\n    router:"],
    "frr": ["hostname evil", "router bgp 1"],
}
COMMANDS = ("show running-config", "clear counters", "ping 192.0.2.1", "configure terminal")
NEW = {
    "eos": ["vlan 30\n   name ours", "interface Loopback9\n   description ours", "logging buffered 100000"],
    "nxos": ["feature ospf", "interface loopback9\n  description ours"],
    "junos": ["forwarding-options { storm-control-profiles sc { all; } }"],
    "sonic": ["ip nht resolve-via-default"],
    "cumulus": ["- set:\n    system:\n      timezone: Etc/UTC"],
    "frr": ["ip nht resolve-via-default"],
}


def findings(name, text):
    """Codes of the errors of a product's leaf with lines of an override."""
    try:
        printed(leaf(name, extra(BY_LINE.get(name, "ours"), text)))
    except Invalid as invalid:
        return {found.code for found in invalid.diagnostics if found.is_error}
    return set()


def printed_paths(name):
    """Some lines of ours at the margin and below one section each, with the section they stand in."""
    text = printed(leaf(name))
    if name in ("sonic", "frr"):
        text = text.partition("#!part frr.conf\n")[2].partition("#!part ")[0] or text.partition("frr")[2]
    below: dict[str, int] = {}
    for _, path in paths(text):
        if path[0].split()[0] in ("no", "exit", "end", "frr", "log") or len(path) > 2:
            continue
        if len(path) == 2:
            below[path[0]] = below.get(path[0], 0) + 1
        if len(path) == 1 or below[path[0]] <= 2:
            yield path


@pytest.mark.parametrize("name", BY_LINE)
def test_no_line_of_ours_can_be_negated(name):
    ours = [path for path in dict.fromkeys(printed_paths(name)) if path[-1].split()[0] not in ("no", "exit")]
    step = max(1, len(ours) // 40)

    assert len(ours) > 10
    for *above, line in ours[::step]:
        text = "\n".join([*above, " " * 3 * len(above) + f"no {line}"])
        assert findings(name, text), text


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in CHANGES.items() for text in texts]
)
def test_what_is_ours_keeps_its_value(name, text):
    assert {"FAB476"} == findings(name, text)


@pytest.mark.parametrize("name", BY_LINE)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_no_configuration(name, command):
    assert findings(name, command)


@pytest.mark.parametrize("name", PRODUCTS)
def test_an_override_is_no_template(name):
    text = "- set: {system: {a: '{{ 7 }}'}}" if name == "cumulus" else "{{ 7*7 }}"

    assert findings(name, text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in NEW.items() for text in texts])
def test_lines_of_which_we_print_nothing_are_taken(name, text):
    assert set() == findings(name, text)
