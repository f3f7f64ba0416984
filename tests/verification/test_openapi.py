"""Trees against OpenAPI documents, and documents that are refused."""

from __future__ import annotations

import json
import socket

import pytest

from fabric.diagnostics import Refused
from fabric.platforms.schema import Instance
from fabric.verification.openapi import Document

PORT = {
    "type": "object",
    "properties": {
        "mtu": {"type": "integer", "minimum": 552, "maximum": 9216},
        "state": {"type": "string", "enum": ["up", "down"], "nullable": True},
        "fec": {"anyOf": [{"type": "string", "enum": ["rs", "off"]}, {"type": "integer"}]},
        "tags": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
    },
}
ROOT = {
    "allOf": [
        {"properties": {"port": {"additionalProperties": {"$ref": "#/components/schemas/port"}}}},
        {"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-z]+$"}, "free": {}}},
    ]
}


def written(folder, root=ROOT, version="3.0.2", path="/", **schemas):
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/root"}}}}
    told = {
        "openapi": version,
        "paths": {path: {"patch": {"requestBody": {"$ref": "#/components/requestBodies/it"}}}},
        "components": {"requestBodies": {"it": body}, "schemas": {"root": root, "port": PORT, **schemas}},
    }
    file = folder / "openapi.json"
    file.write_text(json.dumps(told))
    return file


def told(file, tree):
    return [f"{one.path}: {one.message}" for one in Document(file).complaints(Instance("/", tree))]


def test_what_fits_is_not_spoken_of(tmp_path):
    tree = {
        "name": "leaf",
        "free": {"any": [1]},
        "port": {"swp1": {"mtu": 9000, "state": None, "fec": "rs", "tags": [{"name": "x"}]}},
    }

    assert [] == told(written(tmp_path), tree)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"nome": "x"}, "/nome: the schema has no such key"),
        ({"port": {"swp1": {"mto": 1}}}, "/port/swp1/mto: the schema has no such key"),
        ({"port": {"swp1": {"tags": [{"nom": 1}]}}}, "/port/swp1/tags/0/nom: the schema has no such key"),
        ({"port": {"swp1": {"mtu": 9217}}}, "/port/swp1/mtu: 9217 is greater than the maximum of 9216"),
        ({"port": {"swp1": {"mtu": "9000"}}}, "/port/swp1/mtu: '9000' is not of type 'integer'"),
        ({"port": {"swp1": {"mtu": None}}}, "/port/swp1/mtu: None is not of type 'integer'"),
        ({"port": {"swp1": {"state": "on"}}}, "/port/swp1/state: 'on' is not one of ['up', 'down']"),
        ({"name": "Leaf"}, "/name: 'Leaf' does not match '^[a-z]+$'"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, tree, expected):
    assert [expected] == told(written(tmp_path), tree)


def test_all_mistakes_are_told_at_once(tmp_path):
    tree = {"port": {f"swp{number}": {"mtu": 1} for number in range(5)}, "nome": 1}

    assert 6 == len(told(written(tmp_path), tree))


def test_version_3_1_is_json_schema_of_2020(tmp_path):
    root = {"type": "object", "properties": {"mtu": {"type": ["integer", "null"], "exclusiveMaximum": 10}}}

    assert [] == told(written(tmp_path, root, "3.1.0"), {"mtu": None})
    assert 1 == len(told(written(tmp_path, root, "3.1.0"), {"mtu": 10}))


def test_the_root_may_be_the_sum_of_its_paths(tmp_path):
    file = written(tmp_path, PORT, path="/port")

    assert [] == told(file, {"port": {"mtu": 9000}})
    assert ["/other: the schema has no such key"] == told(file, {"other": 1})


HOSTILE = {
    "out of the file": {"$ref": "http://192.0.2.1/schema.json"},
    "another file": {"$ref": "file:///etc/passwd"},
    "beside it": {"$ref": "other.json#/x"},
    "nowhere": {"$ref": "#/components/schemas/none"},
    "itself": {"$ref": "#/components/schemas/root"},
    "a circle of joins": {"allOf": [{"$ref": "#/components/schemas/root"}]},
    "no pattern": {"properties": {"name": {"pattern": "("}}},
    "no type": {"properties": {"name": {"type": "text"}}},
    "properties of a list": {"properties": ["name"]},
    "a reference that is none": {"$ref": 7},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_schema_is_refused_and_nothing_fetched(name, tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "socket", None)
    file = written(tmp_path, HOSTILE[name])

    with pytest.raises(Refused, match="is not used"):
        told(file, {"name": "x"})


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, "[]", '{"openapi": "2.0"}', '{"openapi": 3}', '{"openapi": "3.0.2"}', "\xff"],
)
def test_what_is_no_openapi_is_refused(text, tmp_path):
    file = tmp_path / "openapi.json"
    file.write_text(text, encoding="latin-1")

    with pytest.raises(Refused):
        told(file, {"name": "x"})
