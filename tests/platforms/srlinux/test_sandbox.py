"""Sites of SR Linux, alone and with another product, over the wire: planned, applied, gated, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.deployment import ApplyOptions, Journal, Pace, rollback
from fabric.deployment import apply as apply_plan
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.secrets import SecretSource
from fabric.deployment.observing.observe_devices import ObserveOptions, observe
from fabric.planning import PlanOptions, plan
from fabric.platforms.registry import platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import LOGIN, PASSWORD, USERNAME
from tests.planning.toy import NOW
from tests.platforms import cases
from tests.platforms.sites import Words, files, network
from tests.platforms.srlinux.devices import OWN_USERS
from tests.ports import free_port

SOURCE = SecretSource(environ={})
OPTIONS = ApplyOptions(
    intent="i" * 64,
    program="0.1.0",
    allow=frozenset({"lockout:*", "isolating"}),
    pace=Pace(revert_in_s=60, gate_timeout_s=5, gate_poll_s=0.2),
    source=SOURCE,
)
MIXED = network("tiers: {spine: {platform: eos, model: arista-7060x6-64pe}}")
SITES: dict[str, tuple[Words, ...]] = {
    "alone": (),
    "unnumbered": cases.CASES["unnumbered"].words,
    "dual stack": cases.CASES["dual stack"].words,
    "with EOS spines": (MIXED,),
    "unnumbered with EOS spines": (*cases.CASES["unnumbered"].words, MIXED),
}


class Site:
    """A site, its sandbox and its journal."""

    def __init__(self, folder: Path, words: tuple[Words, ...]) -> None:
        for name, text in files("srlinux", OWN_USERS, LOGIN, *words).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        self.folder = folder
        self.compiled = api.compile(folder)
        self.journal = Journal(folder / "journal.db")
        devices = emulated_switches(self.compiled.devices.values(), lambda _name: (USERNAME, PASSWORD))
        self.sandbox = Sandbox(devices, port=free_port(), block=81)

    def plan(self):
        last = self.journal.last_applied("test")
        seen = observe(
            self.sandbox.targets,
            self.compiled.artifacts,
            self.compiled.platform_of,
            options=ObserveOptions(last_applied=last, source=SOURCE),
        )
        options = PlanOptions(
            site="test", program="0.1.0", intent="i" * 64, created=NOW, adopt=True, last_applied=last
        )
        return plan(self.compiled.artifacts, seen, switches=self.compiled.devices, options=options)

    def apply(self):
        return apply_plan(self.plan(), targets=self.sandbox.targets, journal=self.journal, options=OPTIONS)

    def sessions(self):
        """Of all devices, as their drivers tell them."""
        for name, target in self.sandbox.targets.items():
            with Connection(target, platform(self.compiled.platform_of(name))) as device:
                yield from ((name, address, session) for address, session in device.bgp_sessions().items())


@pytest.fixture(params=SITES)
def site(request, tmp_path):
    made = Site(tmp_path, SITES[request.param])
    with made.sandbox:
        yield made


@pytest.mark.covering(most=2)
def test_a_site_is_adopted_changed_and_taken_back(site):
    first = site.apply()
    assert first.outcome == "done"
    assert () == site.plan()[0].changed
    sessions = list(site.sessions())
    assert sessions
    assert [] == [(name, address) for name, address, session in sessions if not session.is_up]
    assert {9.0} == {session.hold_s for _, _, session in sessions}
    adopted = {name: site.sandbox.running_config(name) for name in site.compiled.devices}

    text = (site.folder / "site.yaml").read_text()
    (site.folder / "site.yaml").write_text(text.replace("192.0.2.20", "192.0.2.77"))
    site.compiled = api.compile(site.folder)
    second = site.apply()
    assert second.outcome == "done"
    assert all("192.0.2.77" in site.sandbox.running_config(name) for name in site.compiled.devices)

    back = rollback("test", targets=site.sandbox.targets, journal=site.journal, options=OPTIONS)
    assert back.outcome == "done"
    kinds = {name: platform(site.compiled.platform_of(name)).dialect() for name in adopted}
    for name, before in adopted.items():
        assert kinds[name].plain(before) == kinds[name].plain(site.sandbox.running_config(name))


@pytest.mark.covering(most=2)
def test_json_rpc_stays_although_no_intent_names_it(site):
    site.apply()

    for name in site.compiled.devices:
        if site.compiled.platform_of(name) == "srlinux":
            assert "json-rpc-server" in site.sandbox.running_config(name)
