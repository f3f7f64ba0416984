"""No line of an override takes away or changes one that we print, on any product; new lines are taken."""

from __future__ import annotations

import msgspec
import pytest

from fabric import api
from fabric.devices.model import ExtraLines
from fabric.diagnostics import Invalid, Origin
from fabric.platforms.registry import platform
from fabric.platforms.sections import parse
from fabric.rendering.render import print_switch

SITE = """\
site: lab
hosts: {{gpu: {{per_unit: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    lossless: {policy}
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: 1}}
{services}"""
SERVICES = """\
services:
  management: {gateway: 192.0.2.1}
  ntp: {servers: [192.0.2.9]}
  syslog: {servers: [192.0.2.8]}
"""
MODELS = {
    "eos": "arista-7060x6-64pe",
    "nxos": "cisco-n9364e-sg2",
    "junos": "juniper-qfx5240-64od",
    "sonic": "nvidia-sn5600",
    "cumulus": "nvidia-sn5600",
    "frr": "nvidia-sn5600",
}
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
    "cumulus": ["- set:\n    system:\n      reboot:\n        mode: fast"],
    "frr": ["ip nht resolve-via-default"],
}


@pytest.fixture(scope="module")
def leaves(tmp_path_factory):
    """A leaf of every product, from its site."""
    found = {}
    for name, model in MODELS.items():
        folder = tmp_path_factory.mktemp(name)
        services = SERVICES
        if name == "cumulus":
            services += (
                "  users: {ann: {role: admin, ssh_keys: [ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== ann]}}\n"
            )
        policy = "roce-lossless-no-watchdog" if name == "frr" else "roce-lossless"
        text = SITE.format(model=model, platform=name, policy=policy, services=services)
        (folder / "site.yaml").write_text(text)
        found[name] = api.compile(folder).devices["leaf-0-0"]
    return found


def findings(leaf, text):
    """Codes of the errors of a leaf with lines of an override."""
    product = platform(leaf.platform)
    block = ExtraLines(BY_LINE.get(leaf.platform, "ours"), text, Origin(("overrides", 0, "extra", "ours")))
    try:
        print_switch(msgspec.structs.replace(leaf, extra=(block,)), product)
    except Invalid as invalid:
        return {found.code for found in invalid.diagnostics if found.is_error}
    return set()


def paths(leaf):
    """Some lines of ours at the margin and below one section each, with the section they stand in."""
    product = platform(leaf.platform)
    text = print_switch(leaf, product).text
    if leaf.platform in ("sonic", "frr"):
        text = text.partition("#!part frr.conf\n")[2].partition("#!part ")[0] or text.partition("frr")[2]
    tops = parse(text, comment=product.comment)
    for top in [line for line in tops if line.text.split()[0] not in ("no", "exit", "end", "frr", "log")]:
        yield (top.text,)
        yield from ((top.text, below.text) for below in top.children[:2])


@pytest.mark.parametrize("name", BY_LINE)
def test_no_line_of_ours_can_be_negated(leaves, name):
    leaf = leaves[name]
    ours = [path for path in dict.fromkeys(paths(leaf)) if path[-1].split()[0] not in ("no", "exit")]
    step = max(1, len(ours) // 40)

    assert len(ours) > 10
    for *above, line in ours[::step]:
        text = "\n".join([*above, " " * 3 * len(above) + f"no {line}"])
        assert findings(leaf, text), text


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in CHANGES.items() for text in texts]
)
def test_what_is_ours_keeps_its_value(leaves, name, text):
    assert {"FAB476"} == findings(leaves[name], text)


@pytest.mark.parametrize("name", BY_LINE)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_no_configuration(leaves, name, command):
    assert findings(leaves[name], command)


@pytest.mark.parametrize("name", MODELS)
def test_an_override_is_no_template(leaves, name):
    text = "- set: {system: {a: '{{ 7 }}'}}" if name == "cumulus" else "{{ 7*7 }}"

    assert findings(leaves[name], text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in NEW.items() for text in texts])
def test_lines_of_which_we_print_nothing_are_taken(leaves, name, text):
    assert set() == findings(leaves[name], text)
