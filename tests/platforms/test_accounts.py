"""A user who is renamed or removed locks nobody else out: only lines about the one that we log in as do."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from fabric.devices.model import Switch
from fabric.planning import judging
from tests.platforms.everywhere import MODELS, capabilities
from tests.platforms.judging import changes
from tests.platforms.sites import HASH, HASH256, KEY, leaf, refusals

US = "netops"
OURS: dict[str, Any] = {"role": "admin", "password_hash": HASH, "password_hash_sha256": HASH256}


def switch(name: str, **users: dict[str, Any] | None) -> Switch:
    """A leaf with these users beside the one that we log in as; None: without him."""
    # So that the roles of the product stay, and an admin.
    kept = {"stays": {**OURS, "role": "operator"}, "chief": OURS}
    return leaf(name, {"site.yaml": {"services": {"users": kept | users}}})


@cache
def has_users(name: str) -> bool:
    """Whether the configuration of a product has the users: asked in a test, not when all workers collect them."""
    return bool(changes(switch(name, one=OURS), switch(name, other=OURS)))


def locked_out(old: Switch, new: Switch, login: str) -> bool:
    differences = changes(old, new)
    assert differences
    return bool(judging.lockouts(differences, new, login))


KINDS: dict[str, dict[str, Any]] = {
    "an admin": OURS,
    "an operator": {**OURS, "role": "operator"},
    "one with a key": {**OURS, "ssh_keys": [KEY]},
}


def test_most_products_have_users() -> None:
    assert sum(map(has_users, MODELS)) > len(MODELS) / 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_renaming_or_removing_another_user_is_no_lockout(name: str, kind: str) -> None:
    if not has_users(name):
        return
    user = KINDS[kind]
    before, renamed, without = switch(name, one=user), switch(name, other=user), switch(name)
    if refusals(before):
        assert "ssh_keys" in user
        return

    for old, new in ((before, renamed), (before, without), (without, before)):
        assert not locked_out(old, new, US)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_renaming_or_removing_our_own_user_is_a_lockout(name: str) -> None:
    if not has_users(name):
        return
    before, renamed = switch(name), switch(name, netops=None, other=OURS)
    both = switch(name, other=OURS)

    for old, new in ((before, renamed), (both, renamed)):
        assert locked_out(old, new, US)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_where_nobody_knows_whom_we_log_in_as_any_user_may_be_ours(name: str) -> None:
    if not has_users(name):
        return
    assert locked_out(switch(name, one=OURS), switch(name, other=OURS), "")


@pytest.mark.parametrize("name", sorted(MODELS))
def test_our_own_keys_and_rights_are_ours(name: str) -> None:
    if not has_users(name):
        return
    before = switch(name)
    less = switch(name, netops={"role": "operator"})
    assert locked_out(before, less, US)
    assert not locked_out(before, less, "bea")


@pytest.mark.parametrize("name", sorted(MODELS))
def test_what_is_of_no_single_user_counts_whoever_we_are(name: str) -> None:
    if not has_users(name):
        return
    if not capabilities(name).tacacs:
        return
    tacacs = {"tacacs": {"servers": ["192.0.2.30"], "secret": "env:T"}}
    before = leaf(name, {"site.yaml": {"services": tacacs}})
    assert locked_out(before, switch(name), US) == locked_out(before, switch(name), "")
