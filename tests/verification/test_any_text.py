"""Converters take any text: what they cannot make sense of is a complaint, never a crash."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.platforms.cumulus.schema import instances as nvue
from fabric.platforms.junos import PLATFORM as JUNOS
from fabric.platforms.sonic import PLATFORM as SONIC
from fabric.platforms.srlinux import PLATFORM as SRLINUX
from tests.yang import said

pytestmark = pytest.mark.live
PRODUCTS = {"sonic-202511": SONIC, "srl-25.3.1": SRLINUX, "junos-24.4R1": JUNOS}
SLOW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
NAMES = st.sampled_from(
    [
        *(
            "PORT",
            "VLAN",
            "GLOBAL",
            "Ethernet0",
            "DSCP_TO_TC_MAP",
            "mtu",
            "lanes",
            "Vlan10|10.0.0.1/31",
            "NULL",
        ),
        *("srl_nokia-interfaces:interface", "srl_nokia-qos:qos", "name", "mtu", "subinterface", "x:y", ""),
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False)
TREES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(NAMES, below, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize("name", PRODUCTS)
@given(text=st.text(max_size=60))
@SLOW
def test_any_text(name, text):
    assert isinstance(said(PRODUCTS[name], text, name), tuple)


@pytest.mark.parametrize("name", ["sonic-202511", "srl-25.3.1"])
@given(tree=st.dictionaries(NAMES, TREES, max_size=3))
@SLOW
def test_any_tree(name, tree):
    assert isinstance(said(PRODUCTS[name], json.dumps(tree), name), tuple)


@given(
    words=st.lists(
        st.sampled_from(
            [
                *(
                    "interfaces",
                    "et-0/0/0",
                    "unit",
                    "0",
                    "family",
                    "inet",
                    "protocols",
                    "bgp",
                    "group",
                    "[",
                    "]",
                ),
                *("{", "}", ";", '"', "prefix-list", "term", "from", "route-filter", "upto", "/24", "vlans"),
                *("class-of-service", "schedulers", "<secret:env:X>", "#", "/*", "*/", "policy-options"),
            ]
        ),
        max_size=40,
    )
)
@settings(SLOW, max_examples=300)
def test_any_curly_text(words):
    assert isinstance(said(JUNOS, " ".join(words), "junos-24.4R1"), tuple)


@given(text=st.text(max_size=60) | TREES.map(lambda tree: json.dumps([{"set": tree}])))
@SLOW
def test_any_nvue_file(text):
    assert len(nvue(text, {})) == 1
