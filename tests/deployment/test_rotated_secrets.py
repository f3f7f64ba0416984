"""A secret that is another now is a change where a product shows secrets; where it encodes them, when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric import api
from fabric.planning import Impact, Plan
from fabric.planning.codes import KEPT_HASH, UNLIKE_PASSWORDS
from fabric.platforms.registry import platform
from tests.chaos.random_fabric import PRODUCTS
from tests.contract.sandbox_bench import HASHES, USERNAME
from tests.deployment.site_of_a_product import PACE, Site
from tests.platforms.everywhere import capabilities
from tests.platforms.sites import HASH, HASH256, Words, network, services, site

VARIABLE, OLD, NEW = "BGP", "Old-of-the-sessions", "New-of-the-sessions"
QUICK = network("{lossless: null, routing: {bgp: {password: 'env:BGP', keepalive: 1s, hold: 3s}}}")
TACACS = services("{tacacs: {servers: [192.0.2.8], secret: 'env:BGP'}}")
SNMP = services("{snmp: {users: {monitor: {auth_secret: 'env:BGP', privacy_secret: 'env:BGP'}}}}")
"""Where the secret stands too, on products that support it."""
ANOTHER_HASH = services(f"{{users: {{netops: {{password_hash: {HASH}, password_hash_sha256: {HASH256}}}}}}}")
"""Of the user that we log in as."""
HASHED = re.compile(r"\$[56]\$[^'\"\s]+")
TIME = services("{ntp: {servers: [192.0.2.9]}}")
SECRET_LOGIN = services(
    f"{{users: {{{USERNAME}: {{role: admin, password_hash: null, password_hash_sha256: null, "
    f"password_secret: 'env:{VARIABLE}'}}}}}}"
)
"""The hash of our own login comes from the environment."""


ROOM = site("{capacity: {units: 3}}")
GROWN = site("{units: 3, capacity: {units: 3}}")


class Operator:
    """Of a site of one product: the secrets come from an environment variable."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site, self.monkeypatch = site, monkeypatch

    def changed(self, value: str, *, rotate: bool = False) -> set[str]:
        """The switches that a plan changes while the secrets have that value."""
        self.monkeypatch.setenv(VARIABLE, value)
        return self.site.changed(rotate=rotate)

    def planned(self, value: str, *, rotate: bool = False) -> Plan:
        """The plan while the secrets have that value."""
        self.monkeypatch.setenv(VARIABLE, value)
        return self.site.planned(rotate=rotate)

    def kept_hashes(self, value: str) -> set[str]:
        """The switches of which a plan says that they keep another hash than the intent has."""
        found = [f for f in self.planned(value).diagnostics if f.code == KEPT_HASH.code]
        return {name for finding in found for name in finding.subjects}

    def unlike(self, value: str, *, rotate: bool = False) -> dict[str, bool]:
        """The sessions that a plan says to begin with two passwords, and whether it is sure of it."""
        self.monkeypatch.setenv(VARIABLE, value)
        found = [f for f in self.site.planned(rotate=rotate).diagnostics if f.code == UNLIKE_PASSWORDS.code]
        return {session: "has changed, and" in f.rule for f in found for session in f.subjects}


def with_secrets(product: str) -> list[Words]:
    """Secrets in all the places that a product supports."""
    supported = capabilities(product)
    has_snmp = supported.snmpv3 and "sha256" in supported.snmp_auth and "aes256" in supported.snmp_privacy
    return [QUICK, *[TACACS] * supported.tacacs, *[SNMP] * has_snmp]


@pytest.fixture(params=PRODUCTS)
def operator(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Operator]:
    with Site(request.param, tmp_path, ROOM, *with_secrets(request.param)) as played:
        one = Operator(played, monkeypatch)
        assert one.changed(OLD) == played.every
        assert played.applied() == "done"
        yield one


@pytest.mark.covering(most=1, apart=True)
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


@pytest.mark.covering(most=1, apart=True)
def test_another_change_is_made_while_a_secret_waits_to_be_rotated(operator: Operator) -> None:
    """Where the secrets are encoded they stay as they are, and what stands beside them changes."""
    every, product = operator.site.every, operator.site.product
    operator.site.write(TIME)

    assert operator.changed(NEW) == every
    assert operator.site.applied(*["isolating"] * platform(product).shows_secrets) == "done"
    assert operator.changed(NEW) == set()
    assert operator.changed(NEW, rotate=True) == (set() if platform(product).shows_secrets else every)


@pytest.mark.covering(most=1, apart=True)
def test_a_rotation_costs_the_same_beside_another_change(operator: Operator) -> None:
    """And the other change costs no more for it, where no secret is another one."""
    alone = operator.planned(NEW, rotate=True)
    operator.site.write(TIME)
    beside, without = operator.planned(NEW, rotate=True), operator.planned(OLD, rotate=True)

    assert {d.device: d.impact for d in alone.devices} == {d.device: d.impact for d in beside.devices}
    assert alone.couplings == beside.couplings
    assert [(w.devices, w.impact, w.together) for w in alone.waves] == [
        (w.devices, w.impact, w.together) for w in beside.waves
    ]
    assert not without.couplings
    hidden = {Impact.LOCKOUT} if operator.site.hides_hashes else set()
    assert {d.impact for d in without.changed} <= {Impact.NONE, *hidden}


@pytest.mark.covering(most=1, apart=True)
def test_a_rollback_leaves_secrets_as_they_run(operator: Operator) -> None:
    """A value of today would reach one end of a session after the other, and no rollback couples them."""
    played = operator.site
    played.write(TIME)
    assert operator.changed(OLD) == played.every
    assert played.applied() == "done"
    operator.monkeypatch.setenv(VARIABLE, NEW)
    back = api.plan_rollback(played.compiled, played.place)
    done = api.rollback(played.compiled, played.place, back, allow=("lockout:*",), pace=PACE)

    assert done.outcome == "done"
    played.write()
    assert operator.changed(OLD, rotate=True) == set()


@pytest.mark.covering(most=1, apart=True)
def test_a_hash_that_is_another_now(operator: Operator) -> None:
    """It waits to be rotated, whatever else changes, and the plan says so: it may be the password of our own login."""
    played, name = operator.site, "leaf-0-0"
    has_users = (
        HASH in played.compiled.artifacts[name].text or HASH256 in played.compiled.artifacts[name].text
    )
    before = played.sandbox.running_config(name)
    shown = played.every if has_users and not played.hides_hashes else set()

    assert operator.kept_hashes(OLD) == set()
    played.write(ANOTHER_HASH)
    assert operator.kept_hashes(OLD) == shown
    played.write(ANOTHER_HASH, TIME)
    assert operator.changed(OLD) == played.every
    assert played.applied() == "done"
    assert sorted(HASHED.findall(before)) == sorted(HASHED.findall(played.sandbox.running_config(name)))
    assert operator.kept_hashes(OLD) == shown
    assert operator.changed(OLD) == set()
    rotated = operator.planned(OLD, rotate=True)
    locked = {device.device for device in rotated.changed if device.impact is Impact.LOCKOUT}
    assert locked == (played.every if has_users else set())
    becomes = "may become another one" if played.hides_hashes else "becomes another one"
    reasons = [{change.reason for change in device.changes} for device in rotated.changed]
    assert not has_users or all(any(becomes in reason for reason in of_one) for of_one in reasons)
    assert not [found for found in rotated.diagnostics if found.code == KEPT_HASH.code]


@pytest.mark.covering(most=1, apart=True)
@pytest.mark.parametrize("product", PRODUCTS)
def test_the_secret_of_our_own_login_that_is_another_now(
    product: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever rotates it may lock himself out, and allows that by name; so the plan says for which user."""
    is_sha256 = product == "nxos"
    own, another = (
        HASHES["password_hash_sha256" if is_sha256 else "password_hash"],
        HASH256 if is_sha256 else HASH,
    )
    with Site(product, tmp_path, SECRET_LOGIN) as played:
        operator = Operator(played, monkeypatch)
        assert operator.changed(own) == played.every
        assert played.applied() == "done"
        has_users = USERNAME in played.compiled.artifacts["leaf-0-0"].text

        assert operator.planned(own, rotate=True).changed == ()
        rotated = operator.planned(another, rotate=True).changed
        reasons = {device.device: " ".join(c.reason for c in device.changes) for device in rotated}
        told = {name for name, words in reasons.items() if f"the password of user {USERNAME} " in words}
        assert told == (played.every if has_users else set())
        assert {device.device for device in rotated if device.impact is Impact.LOCKOUT} == told


@pytest.mark.covering(most=1, apart=True)
def test_a_switch_that_is_added_while_a_secret_waits_to_be_rotated(operator: Operator) -> None:
    """It gets the value of today. Where its neighbours keep another one the plan says so; a rotation is for all."""
    old, product = operator.site.every, operator.site.product
    new = operator.site.grow(GROWN)
    spines = {name for name in old if name.startswith("spine")}
    keeps = not platform(product).shows_secrets

    assert not any(operator.unlike(OLD).values())
    assert set(operator.unlike(NEW)) == {f"{leaf} - {spine}" for leaf in new for spine in spines if keeps}
    assert operator.unlike(NEW, rotate=True) == {}
    assert operator.changed(NEW, rotate=True) == old | new


@pytest.mark.covering(most=1, apart=True)
def test_a_switch_that_was_replaced_while_a_secret_waits_to_be_rotated(operator: Operator) -> None:
    """Its neighbours do not change, and run what was applied: nobody asks them. They may have another password."""
    site, leaf = operator.site, "leaf-0-0"
    site.replace(leaf)
    spines = {name for name in site.every if name.startswith("spine")}
    keeps = not platform(site.product).shows_secrets

    assert operator.unlike(NEW) == {f"{leaf} - {spine}": False for spine in spines if keeps}
    assert operator.unlike(NEW, rotate=True) == {}
    assert operator.changed(NEW, rotate=True) == site.every
    assert operator.changed(OLD) == {leaf}
    assert site.applied() == "done"
    assert operator.unlike(OLD) == {}  # nor is anything said of it later


def sessions_down(played: Site) -> set[str]:
    found = api.verify(played.compiled, "compute", place=played.place).findings
    return {finding.id.partition(":")[2] for finding in found if finding.kind == "session-down"}


def test_what_a_plan_says_of_a_new_switch_is_what_comes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Site("eos", tmp_path, ROOM, *with_secrets("eos")) as played:
        operator = Operator(played, monkeypatch)
        operator.changed(OLD)
        assert played.applied() == "done"
        new = played.grow(GROWN)
        told = {session.partition(" - ")[0] for session in operator.unlike(NEW)}
        assert played.applied() == "done"

        assert sessions_down(played) == told == new  # each of them has two, and both are down
        assert operator.changed(NEW) == set()
        assert operator.changed(NEW, rotate=True) == played.every - new
        assert played.applied("isolating") == "done"
        assert sessions_down(played) == set()
