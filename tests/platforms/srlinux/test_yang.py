"""Our configurations against Nokia's models, by libyang.

The models are those of nokia/srlinux-yang-models v25.3.1 without their `must` statements, which are written in a
dialect of XPath of their own. No list of the features of a platform is published: all are on, except those that
exclude XGS or the network instance of management.
"""

from __future__ import annotations

import copy
import json
import os
import re
from pathlib import Path

import pytest

from tests.platforms.srlinux.devices import CASES, printed

pytestmark = pytest.mark.live

FOLDERS = (os.environ.get("FABRIC_YANG_DIR"), Path(__file__).parents[4] / "shared" / "yang")
ABSENT = {
    "loopback-mode-facility",
    "vlan-loopback",
    "qos-multi-traffic-queue",
    "qos-ecn-dscp-policy",
    "qos-pfc-dnx",
    "platform-imgmt",
}
MODULES = (
    "features common system platform interfaces interfaces-vlans if-ip interfaces-router-adv interfaces-nbr "
    "network-instance bgp routing-policy qos platform-qos bfd acl lldp ip-route-tables load-balancing system-name "
    "system-banner ntp dns logging ssh aaa configuration configuration-role static-routes next-hop-groups "
    "aggregate-routes"
)
QOS, PORTS = "srl_nokia-qos:qos", "srl_nokia-interfaces:interface"
INSTANCES, POLICY = "srl_nokia-network-instance:network-instance", "srl_nokia-routing-policy:routing-policy"


def models():
    """The folder of Nokia's modules, or None."""
    for folder in FOLDERS:
        found = sorted(Path(folder).glob("**/srl_nokia-features.yang")) if folder else []
        if found:
            return found[0].parent
    return None


def features(text):
    """Names of the features that are on: not those that need an absent one."""
    bodies = dict(re.findall(r"(?ms)^  feature\s+([\w.-]+)\s*\{(.*?)^  \}", text))
    off, before = set(ABSENT), 0
    while before != len(off):
        before = len(off)
        needs = "|".join(map(re.escape, sorted(off)))
        off |= {
            n
            for n, body in bodies.items()
            if re.search(rf'if-feature\s+"?[^";]*(?<!not )\b(?:{needs})\b', body)
        }
    return [name for name in re.findall(r"(?m)^\s*feature\s+([\w.-]+)", text) if name not in off]


@pytest.fixture(scope="module")
def check():
    """Validates a text; raises what libyang says."""
    libyang = pytest.importorskip(
        "libyang", reason="needs libyang (pip install libyang==2.8.0, apt libyang2-dev)"
    )
    folder = models()
    if folder is None:
        pytest.skip("no Nokia models: set FABRIC_YANG_DIR to nokia/srlinux-yang-models")
    context = libyang.Context(str(folder))
    for name in MODULES.split():
        file = folder / f"srl_nokia-{name}.yang"
        wanted = features(file.read_text()) if name == "features" else None
        with file.open() as module:
            context.parse_module_file(module, "yang", wanted)

    def validate(text):
        try:
            context.parse_data_mem(text, "json", no_state=True, strict=True).free()
        except libyang.LibyangError as error:
            return str(error)
        return ""

    return validate


@pytest.mark.parametrize("case", sorted(CASES))
def test_nokias_models_have_nothing_to_say(check, case):
    assert "" == check(printed(CASES[case]()))


def bgp(tree):
    return tree[INSTANCES][0]["protocols"]["srl_nokia-bgp:bgp"]


def pauses(tree):
    return tree[QOS]["pfc-mapping-profile"][0]["received-pfc-pause-frames"]


MISTAKES = {
    "a mapping profile that is not there": lambda t: t[QOS]["interfaces"]["interface"][0]["pfc"].update(
        {"pfc-mapping-profile": "nosuch"}
    ),
    "priority 8": lambda t: pauses(t)["queue"][0].update({"pfc-pause-frame-priority": 8}),
    "a detection timer of 5 ms": lambda t: pauses(t)["deadlock"].update({"detection-timer": 5}),
    "an unknown leaf": lambda t: t[QOS]["interfaces"]["interface"][0]["pfc"].update({"pfc-enabled": True}),
    "code point 64": lambda t: t[QOS]["classifiers"]["dscp-policy"][0]["dscp"][0].update({"value": 64}),
    "a class that is not there": lambda t: t[QOS]["classifiers"]["dscp-policy"][0]["dscp"][0].update(
        {"forwarding-class": "rocee"}
    ),
    "a prefix length of 33": lambda t: t[PORTS][1]["subinterface"][0]["ipv4"]["address"][0].update(
        {"ip-prefix": "10.0.0.0/33"}
    ),
    "AS number 0": lambda t: bgp(t).update({"autonomous-system": 0}),
    "a group that is not there": lambda t: bgp(t)["neighbor"][0].update({"peer-group": "spinez"}),
    "257 paths": lambda t: bgp(t)["afi-safi"][0]["multipath"]["ebgp"].update({"maximum-paths": 257}),
    "a policy that is not there": lambda t: bgp(t)["group"][0].update({"export-policy": ["nosuch"]}),
    "a prefix set that is not there": lambda t: t[POLICY]["policy"][0]["statement"][0]["match"][
        "prefix"
    ].update({"prefix-set": "nosuch"}),
    "an interface name of another vendor": lambda t: t[PORTS][1].update({"name": "Ethernet1"}),
    "a threshold of 101 percent": lambda t: t[QOS]["buffer-management"]["queue-management-profile"][0][
        "wred"
    ]["wred-slope"][0].update({"max-threshold-percent": 101}),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_caught(check, mistake):
    tree = json.loads(printed(CASES["leaf"]()))
    planted = copy.deepcopy(tree)
    MISTAKES[mistake](planted)

    assert planted != tree
    assert check(json.dumps(planted))
