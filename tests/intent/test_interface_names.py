"""Names of network interfaces: what Linux takes of them, by the loader and by the schema alike."""

from __future__ import annotations

import jsonschema
import msgspec
import pytest

from fabric.intent.model.systems import InterfaceName, NicNames

RIGHT = ("eth0", "rail0", "eno1", "enp1s0f0np0", "lo0", "default1", "bond.100", "_a", "a" * 15)
WRONG = (
    "lo",
    "all",
    "default",
    "",
    ".",
    "..",
    "a b",
    "a/b",
    "a:b",
    "=eth0",
    "^docker",
    "eth0\n",
    "a\tb",
    "-a",
    "ä0",
)


def takes(kind, text):
    """Whether the loader takes a text; the schema must say the same."""
    schema = {"type": "string", "pattern": msgspec.json.schema(kind)["pattern"]}
    by_schema = jsonschema.Draft202012Validator(schema).is_valid(text)
    try:
        msgspec.convert(text, kind)
    except msgspec.ValidationError:
        assert not by_schema, text
        return False
    assert by_schema, text
    return True


@pytest.mark.parametrize("kind", [InterfaceName, NicNames])
def test_only_names_of_interfaces_are_taken(kind):
    assert all(takes(kind, name) for name in RIGHT)
    assert not any(takes(kind, name) for name in WRONG)


def test_a_bootstrap_interface_is_one_name_of_at_most_fifteen_letters():
    assert not takes(InterfaceName, "a" * 16)
    assert not takes(InterfaceName, "eth0,eth1")


@pytest.mark.parametrize("right", RIGHT)
def test_every_name_of_a_list_is_the_name_of_an_interface(right):
    assert takes(NicNames, f"{right},rail{{rail}}")
    for wrong in WRONG:
        assert not takes(NicNames, f"{right},{wrong}")
        assert not takes(NicNames, f"{wrong},{right}")
