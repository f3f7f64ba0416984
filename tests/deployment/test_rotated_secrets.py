"""A secret that is another now is a change where a product shows secrets; where it encodes them, when asked for."""

from __future__ import annotations

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
from tests.platforms.sites import files, network, services
from tests.ports import free_port

VARIABLE, OLD, NEW = "BGP", "Old-of-the-sessions", "New-of-the-sessions"
QUICK = network("{lossless: null, routing: {bgp: {password: 'env:BGP', keepalive: 1s, hold: 3s}}}")
PACE = Pace(revert_in_s=120, gate_timeout_s=20, gate_poll_s=0.5)


TACACS = services("{tacacs: {servers: [192.0.2.8], secret: 'env:BGP'}}")
SNMP = services("{snmp: {users: {monitor: {auth_secret: 'env:BGP', privacy_secret: 'env:BGP'}}}}")
"""Where the secret stands too, on products that support it."""


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_secret_that_is_another_now(product: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    supported = capabilities(product)
    has_snmp = supported.snmpv3 and "sha256" in supported.snmp_auth and "aes256" in supported.snmp_privacy
    more = [*[TACACS] * supported.tacacs, *[SNMP] * has_snmp]
    for name, text in files(product, FACTORY_USERS, LOGIN, QUICK, *more).items():
        (tmp_path / name).write_text(text)
    compiled = api.compile(tmp_path)
    specs = emulated_switches(compiled.devices.values(), lambda _name: (USERNAME, PASSWORD))
    with Sandbox(specs, port=free_port()) as sandbox:
        place = Workplace(folder=tmp_path, replaced=sandbox.targets)

        def changed(value: str, *, rotate: bool = False) -> set[str]:
            monkeypatch.setenv(VARIABLE, value)
            plan, texts = api.plan(compiled, place, adopt=True, rotate_secrets=rotate)
            planning.save(plan, texts, tmp_path / "plan")
            return {device.device for device in plan.changed}

        assert changed(OLD) == set(sandbox.targets)
        assert (
            api.apply(tmp_path / "plan", compiled, place, allow=("lockout:*",), pace=PACE).outcome == "done"
        )
        assert changed(OLD) == set()
        assert changed(OLD, rotate=True) == set()  # nothing is another now, however the device encodes it

        shown = set(sandbox.targets) if platform(product).shows_secrets else set()
        assert changed(NEW) == shown
        assert changed(NEW, rotate=True) == set(sandbox.targets)
        assert NEW not in "".join(path.read_text() for path in (tmp_path / "plan").rglob("*.*"))
