"""A secret that is another now is a change where a product shows secrets; where it encodes them, when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric.platforms.registry import platform
from tests.chaos.random_fabric import PRODUCTS
from tests.deployment.site_of_a_product import Site
from tests.platforms.everywhere import capabilities
from tests.platforms.sites import Words, network, services

VARIABLE, OLD, NEW = "BGP", "Old-of-the-sessions", "New-of-the-sessions"
QUICK = network("{lossless: null, routing: {bgp: {password: 'env:BGP', keepalive: 1s, hold: 3s}}}")
TACACS = services("{tacacs: {servers: [192.0.2.8], secret: 'env:BGP'}}")
SNMP = services("{snmp: {users: {monitor: {auth_secret: 'env:BGP', privacy_secret: 'env:BGP'}}}}")
"""Where the secret stands too, on products that support it."""
TIME = services("{ntp: {servers: [192.0.2.9]}}")


class Operator:
    """Of a site of one product: the secrets come from an environment variable."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site, self.monkeypatch = site, monkeypatch

    def changed(self, value: str, *, rotate: bool = False) -> set[str]:
        """The switches that a plan changes while the secrets have that value."""
        self.monkeypatch.setenv(VARIABLE, value)
        return self.site.changed(rotate=rotate)


def with_secrets(product: str) -> list[Words]:
    """Secrets in all the places that a product supports."""
    supported = capabilities(product)
    has_snmp = supported.snmpv3 and "sha256" in supported.snmp_auth and "aes256" in supported.snmp_privacy
    return [QUICK, *[TACACS] * supported.tacacs, *[SNMP] * has_snmp]


@pytest.fixture(params=PRODUCTS)
def operator(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Operator]:
    with Site(request.param, tmp_path, *with_secrets(request.param)) as site:
        one = Operator(site, monkeypatch)
        assert one.changed(OLD) == site.every
        assert site.applied() == "done"
        yield one


def test_a_secret_that_is_another_now(operator: Operator) -> None:
    every, product = operator.site.every, operator.site.product

    assert operator.changed(OLD) == set()
    assert (
        operator.changed(OLD, rotate=True) == set()
    )  # nothing is another now, however the device encodes it

    shown = every if platform(product).shows_secrets else set()
    assert operator.changed(NEW) == shown
    assert operator.changed(NEW, rotate=True) == every
    assert NEW not in "".join(path.read_text() for path in (operator.site.folder / "plan").rglob("*.*"))


def test_another_change_is_made_while_a_secret_waits_to_be_rotated(operator: Operator) -> None:
    """Where the secrets are encoded they stay as they are, and what stands beside them changes."""
    every, product = operator.site.every, operator.site.product
    operator.site.write(TIME)

    assert operator.changed(NEW) == every
    assert operator.site.applied() == "done"
    assert operator.changed(NEW) == set()
    assert operator.changed(NEW, rotate=True) == (set() if platform(product).shows_secrets else every)
