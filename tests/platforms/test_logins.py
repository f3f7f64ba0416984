"""A login of the inventory is taken by the product, or refused with a reason: nothing of it is left out in silence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fabric.diagnostics import Diagnostic, Invalid
from fabric.platforms import registry
from tests.platforms import sites, subnets

DRIVEN = [name for name in sorted(registry.ROWS) if registry.platform(name).driver]
LOGINS: dict[str, dict[str, Any]] = {
    "password": {"password": "env:P"},
    "key_file": {"key_file": "keys/lab"},
    "agent": {"agent": True},
    "enable": {"password": "env:P", "enable": "cmd:enable"},
}
BESIDE = {"password": "env:P"}


def found(name: str, **login: Any) -> list[Diagnostic]:
    """What is found of a login that both devices name, and how it is told."""
    is_switch = registry.platform(name).technology == "ethernet"
    device = sites.LEAF if is_switch else "sm-1"
    inventory = {
        "credentials": {"ops": {"username": "netops", **login}},
        "default_credentials": "ops",
        "devices": {device: {"address": "198.51.100.11/24"}},
    }
    words = {"inventory.yaml": json.loads(json.dumps(inventory))}
    try:
        devices = sites.compiled(name, words) if is_switch else subnets.compiled(name, words)
    except Invalid as error:
        return [one for one in error.diagnostics if one.code == "FAB449"]
    assert devices[device]
    return []


@pytest.mark.parametrize("way", LOGINS)
@pytest.mark.parametrize("name", DRIVEN)
def test_what_a_product_does_not_log_in_with_is_refused_at_its_place(name: str, way: str) -> None:
    is_known = way in registry.platform(name).logins
    told = found(name, **LOGINS[way])

    assert bool(told) != is_known
    for one in told:
        assert (one.origin.document, one.origin.path) == ("inventory", ("credentials", "ops", way))
        assert one.hint
        assert one.subjects


@pytest.mark.parametrize("name", DRIVEN)
def test_a_key_beside_a_password_is_for_the_products_that_have_keys(name: str) -> None:
    assert found(name, **BESIDE, key_file="keys/lab") == []


def test_there_are_products_of_each_kind() -> None:
    for way in LOGINS:
        able = [name for name in DRIVEN if way in registry.platform(name).logins]
        assert able
        assert way == "password" or len(able) < len(DRIVEN)


@pytest.mark.parametrize("name", [n for n in registry.names() if not registry.platform(n).driver])
def test_a_product_that_is_not_reached_refuses_no_login(name: str) -> None:
    for login in LOGINS.values():
        assert found(name, **login) == []
