"""Times and counts of management that a product does not take are refused in their place, and the most is taken."""

from __future__ import annotations

import pytest

from tests.platforms.everywhere import EXPECTATIONS, MODELS
from tests.platforms.sites import HASH, HASH256, KEY, leaf, refusals, services

IDLE = "services.ssh.idle_timeout"


def keys(count: int) -> str:
    """A user with so many SSH keys."""
    words = ", ".join(f'"{KEY}{number}"' for number in range(count))
    hashes = f"password_hash: {HASH}, password_hash_sha256: {HASH256}"
    return f"users: {{many: {{{hashes}, ssh_keys: [{words}]}}}}"


def name_servers(count: int) -> str:
    """So many of them."""
    return f"management: {{dns: [{', '.join(f'192.0.2.{number}' for number in range(1, count + 1))}]}}"


def places(name: str, words: str) -> list[str]:
    """Where the errors of a leaf with these services stand."""
    return [str(finding.origin) for finding in refusals(leaf(name, services(words)))]


@pytest.mark.parametrize("name", MODELS)
def test_an_idle_timeout_of_other_than_whole_minutes_is_refused_where_it_would_be_rounded(name):
    assert [IDLE] * EXPECTATIONS[name].counts_idle_minutes == places(name, "ssh: {idle_timeout: 90s}")
    assert [] == places(name, "ssh: {idle_timeout: 2min}")


MANY = {"users.many.ssh_keys": keys, "management.dns": name_servers}
"""Services with a number of them, by place."""


@pytest.mark.parametrize(
    ("name", "place", "most"),
    [(name, place, most) for name, expected in EXPECTATIONS.items() for place, most in expected.most.items()],
)
def test_one_more_than_a_product_takes_is_refused_and_the_most_is_taken(name, place, most):
    assert [] == places(name, MANY[place](most))
    assert [f"services.{place}"] == places(name, MANY[place](most + 1))
