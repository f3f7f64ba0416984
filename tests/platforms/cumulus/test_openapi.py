"""NVUE files against an `openapi.json` in the product's shape.

No public copy of the real one is known: the switch serves it. This one is written for the tests, after the NVUE
manual's description (OpenAPI 3.0.2, root patch), and holds the parts that the planted mistakes are about.
"""

from __future__ import annotations

import json

import pytest

from fabric.platforms.cumulus import PLATFORM
from fabric.platforms.cumulus.schema import instances
from fabric.verification.check_schemas import Schemas, complaints, known_of
from tests.platforms.cumulus.devices import device
from tests.platforms.sites import printed

ON = {"type": "string", "enum": ["on", "off", "enabled", "disabled"]}
ANY = {"type": "object", "additionalProperties": True}
LINK = {
    "mtu": {"type": "integer", "minimum": 552, "maximum": 9216},
    "state": {"type": "object", "additionalProperties": {"type": "object"}},
    "auto-negotiate": ON,
    "speed": {"type": "string"},
    "fec": {"type": "string"},
    "breakout": ANY,
    "fast-linkup": ANY,
}
TOP = ("acl", "bridge", "evpn", "mlag", "nve", "qos", "router", "service", "system", "vrf")
BODY = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/root"}}}}
DOCUMENT = {
    "openapi": "3.0.2",
    "paths": {"/": {"patch": {"requestBody": BODY}}},
    "components": {
        "schemas": {
            "root": {
                "type": "object",
                "properties": {
                    "interface": {"additionalProperties": {"$ref": "#/components/schemas/interface"}},
                    **dict.fromkeys(TOP, ANY),
                },
            },
            "interface": {
                "allOf": [
                    {"properties": {"type": {"enum": ["swp", "loopback", "eth", "svi", "bond"]}}},
                    {"properties": {"link": {"type": "object", "properties": LINK}}},
                    ANY,
                ]
            },
        }
    },
}


def told(text, folder):
    file = folder / "openapi.json"
    file.write_text(json.dumps(DOCUMENT))
    return [one.path for one in complaints(known_of(PLATFORM), text, Schemas(openapi=file))]


@pytest.mark.parametrize("release", ["5.9.4", "5.14.0", "5.15.0", "5.16.1"])
def test_the_schema_has_nothing_against_it(release, tmp_path):
    assert [] == told(printed(device("leaf", release)), tmp_path)


MISTAKES = {
    "a stanza that is none": ("    interface:", "    interfaces:", "/interfaces"),
    "a key that is none": ("mtu:", "mut:", "mut"),
    "a frame that is too large": ("mtu: 9000", "mtu: 9217", "mtu"),
    "a word for a number": ("mtu: 9000", "mtu: large", "mtu"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_caught(mistake, tmp_path):
    right, wrong, place = MISTAKES[mistake]
    text = printed(device("leaf"))

    assert right in text
    assert told(text.replace(right, wrong, 1), tmp_path)[0].endswith(place)


def test_blocks_of_set_are_one_tree():
    (instance,) = instances("- header: {}\n- set: {a: {b: 1}}\n- set: {a: {3: x}, c: <secret:env:X>}\n", {})

    assert {"a": {"b": 1, "3": "x"}, "c": "secret"} == instance.tree
    assert () == instance.complaints


@pytest.mark.parametrize("text", ["{", "7", "- 7\n", "- set: 7\n", "- [set]\n", "\t"])
def test_what_is_no_nvue_file_is_a_complaint(text):
    assert instances(text, {})[0].complaints
