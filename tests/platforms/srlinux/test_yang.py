"""Our configurations against Nokia's models of 25.3.1, by libyang."""

from __future__ import annotations

import json

import pytest

from fabric.platforms.srlinux import PLATFORM
from fabric.platforms.srlinux.lists import entry_name
from fabric.platforms.srlinux.schema import features, find, without_musts
from fabric.verification.yang_models import loaded
from tests.platforms.sites import printed
from tests.platforms.srlinux.devices import CASES
from tests.yang import models, need_libyang, said

pytestmark = pytest.mark.live

MODELS = "srl-25.3.1"
QOS, PORTS = "srl_nokia-qos:qos", "srl_nokia-interfaces:interface"
INSTANCES, POLICY = "srl_nokia-network-instance:network-instance", "srl_nokia-routing-policy:routing-policy"


@pytest.mark.parametrize("case", sorted(CASES))
def test_nokias_models_have_nothing_to_say(case):
    assert () == said(PLATFORM, printed(CASES[case]()), MODELS)


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
def test_a_planted_mistake_is_caught(mistake):
    tree = json.loads(printed(CASES["leaf"]()))
    MISTAKES[mistake](tree)

    assert said(PLATFORM, json.dumps(tree), MODELS)


def test_an_entry_with_a_wrong_key_is_told_once():
    tree = json.loads(printed(CASES["leaf"]()))
    for mistake in ("priority 8", "AS number 0", "257 paths", "code point 64"):
        MISTAKES[mistake](tree)

    assert 4 == len(said(PLATFORM, json.dumps(tree), MODELS))


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"no-such:thing": {}}'])
def test_what_is_no_tree_is_a_complaint(text):
    assert said(PLATFORM, text, MODELS)


def test_a_must_goes_with_all_that_belongs_to_it():
    text = """
  leaf a {
    must "../b = 'x;{'" + 'more' {
      error-message "never {";
    }
    type string;
    must '../c';
  }
"""

    assert """
  leaf a {
    type string;
  }
""" == without_musts("x.yang", text)


def test_a_feature_that_needs_an_absent_one_is_off():
    text = """
  feature qos-pfc-dnx;
  feature other {
    if-feature "qos-pfc-dnx";
  }
  feature kept {
    if-feature "not qos-pfc-dnx";
  }
"""

    assert ("kept",) == features(text)


def lists(node):
    """Every list of the configuration below a node of the models."""
    for child in node.below.values():
        if child._node.config_false():
            continue
        if child.kind == "list":
            yield child
        yield from lists(child)


def test_entries_are_named_by_the_keys_of_nokias_lists_whatever_else_they_say():
    need_libyang()
    (known,) = find(tuple(sorted(models(MODELS).glob("*.yang"))))
    found = [one for one in lists(loaded(known).root) if one.keys]
    wrong = set()
    for one in found:
        leaves = [
            child.name
            for child in one.below.values()
            if child.kind == "leaf" and not child._node.config_false()
        ]
        entry = {**dict.fromkeys(one.keys, "key"), **dict.fromkeys(leaves, "x")}
        name = entry_name(one.name, entry)
        if name is None or set(name.keys) != set(one.keys):
            wrong.add((one.name, one.keys, name and name.keys))

    assert len(found) > 100
    assert set() == wrong
