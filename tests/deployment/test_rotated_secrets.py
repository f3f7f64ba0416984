"""A secret that is another now is a change where a product shows secrets; where it encodes them, when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric import api, planning
from fabric.deployment import Pace, Workplace
from fabric.platforms.registry import platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.chaos.random_fabric import FACTORY_USERS, PRODUCTS
from tests.contract.sandbox_bench import LOGIN, PASSWORD, USERNAME
from tests.platforms.everywhere import capabilities
from tests.platforms.sites import Words, files, network, services
from tests.ports import free_port

VARIABLE, OLD, NEW = "BGP", "Old-of-the-sessions", "New-of-the-sessions"
QUICK = network("{lossless: null, routing: {bgp: {password: 'env:BGP', keepalive: 1s, hold: 3s}}}")
PACE = Pace(revert_in_s=120, gate_timeout_s=20, gate_poll_s=0.5)


TACACS = services("{tacacs: {servers: [192.0.2.8], secret: 'env:BGP'}}")
SNMP = services("{snmp: {users: {monitor: {auth_secret: 'env:BGP', privacy_secret: 'env:BGP'}}}}")
"""Where the secret stands too, on products that support it."""


TIME = services("{ntp: {servers: [192.0.2.9]}}")


class Site:
    """A site of one product in a running sandbox, whose secrets come from an environment variable."""

    def __init__(self, product: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        supported = capabilities(product)
        has_snmp = supported.snmpv3 and "sha256" in supported.snmp_auth and "aes256" in supported.snmp_privacy
        self.product, self.folder, self.monkeypatch = product, folder, monkeypatch
        self.words = (FACTORY_USERS, LOGIN, QUICK, *[TACACS] * supported.tacacs, *[SNMP] * has_snmp)
        self.write()
        self.sandbox = self.played()

    def write(self, *more: Words) -> None:
        for name, text in files(self.product, *self.words, *more).items():
            (self.folder / name).write_text(text)
        self.compiled = api.compile(self.folder)

    def played(self) -> Sandbox:
        specs = emulated_switches(self.compiled.devices.values(), lambda _name: (USERNAME, PASSWORD))
        return Sandbox(specs, port=free_port())

    @property
    def place(self) -> Workplace:
        return Workplace(folder=self.folder, replaced=self.sandbox.targets)

    def changed(self, value: str, *, rotate: bool = False) -> set[str]:
        """The devices that a plan changes while the secrets have that value. The plan is saved."""
        self.monkeypatch.setenv(VARIABLE, value)
        plan, texts = api.plan(self.compiled, self.place, adopt=True, rotate_secrets=rotate)
        planning.save(plan, texts, self.folder / "plan")
        return {device.device for device in plan.changed}

    def applied(self) -> str:
        """How an apply of the saved plan ends."""
        allow = ("lockout:*",)
        return api.apply(self.folder / "plan", self.compiled, self.place, allow=allow, pace=PACE).outcome


@pytest.fixture(params=PRODUCTS)
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    one = Site(request.param, tmp_path, monkeypatch)
    with one.sandbox:
        assert one.changed(OLD) == set(one.sandbox.targets)
        assert one.applied() == "done"
        yield one


def test_a_secret_that_is_another_now(site: Site) -> None:
    every = set(site.sandbox.targets)

    assert site.changed(OLD) == set()
    assert site.changed(OLD, rotate=True) == set()  # nothing is another now, however the device encodes it

    shown = every if platform(site.product).shows_secrets else set()
    assert site.changed(NEW) == shown
    assert site.changed(NEW, rotate=True) == every
    assert NEW not in "".join(path.read_text() for path in (site.folder / "plan").rglob("*.*"))


def test_another_change_is_made_while_a_secret_waits_to_be_rotated(site: Site) -> None:
    """Where the secrets are encoded they stay as they are, and what stands beside them changes."""
    every = set(site.sandbox.targets)
    site.write(TIME)

    assert site.changed(NEW) == every
    assert site.applied() == "done"
    assert site.changed(NEW) == set()
    assert site.changed(NEW, rotate=True) == (set() if platform(site.product).shows_secrets else every)
