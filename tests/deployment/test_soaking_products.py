"""What a gate compares with is kept while a wave soaks, and read again, whatever the product tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.deployment.events import Event, WaveSoaks
from fabric.deployment.gates.judge import missing
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.waves import soaking
from fabric.devices.model import LinkRole
from fabric.platforms.device_state import BgpSession, PortState
from fabric.platforms.emulation import PortFault
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import network, services, site, state

OTHER_SERVER = services("ntp: {servers: [192.0.2.98]}")
SOAKS = msgspec.structs.replace(PACE, soak_s=0.5)


@pytest.fixture(scope="module", params=PLAYED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    with played_site(tmp_path_factory.mktemp("site"), request.param) as running:
        assert ended(running.apply()) in ("done", "nothing")
        yield running


@pytest.mark.covering(most=1, apart=True)
def test_a_run_that_is_killed_while_it_soaks_compares_with_what_was_before(
    made: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = soaking.soak

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(soaking, "soak", killed)
    compiled, plan = made.planned(OTHER_SERVER)
    with pytest.raises(KeyboardInterrupt):
        made.carry_out(compiled, pace=SOAKS)
    monkeypatch.setattr(soaking, "soak", asked)
    (canary,) = plan.waves[0].devices
    port = next(port.name for port in compiled.devices[canary].ports if port.enabled and port.peer)
    made.sandbox.set_faults(canary, ports={port: PortFault(down=True)})
    result = api.resume(compiled, made.place, pace=msgspec.structs.replace(SOAKS, gate_timeout_s=1))

    assert result.outcome == "failed"
    assert result.waves[-1].reason.startswith(f"after wave 1 was confirmed: {canary}")

    made.sandbox.clear_faults(canary)
    made.sandbox.advance(60)
    assert ended(made.apply(OTHER_SERVER, pace=SOAKS)) == "done"
    assert ended(made.apply(pace=SOAKS)) == "done"


NIC = "{count: 1, ports: 2, speed: 400G}"
TWO_PLANES = (
    site(f"units: 3\nhosts: {{gpu: {{gpus: 2, per_unit: 4, nics: {{compute: {NIC}}}}}}}"),
    network("planes: {count: 2, meet_at: spine}\nrails: {leaves: 1}"),
)
WHY = "reason: swap the fan, owner: ops, expires: '2099-01-01'"


@pytest.mark.covering(most=1, apart=True)
@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.parametrize("mode", ["shut", "graceful"])
def test_what_a_later_step_takes_down_on_purpose_is_not_missed_by_an_earlier_one(
    product: str, mode: str, tmp_path: Path
) -> None:
    """The switches beside the first step lose their sessions with the switches of the second."""
    step_by_step = msgspec.structs.replace(PACE, batch=1, soak_s=0.5)
    with played_site(tmp_path, product, *TWO_PLANES) as made:
        assert ended(made.apply(*TWO_PLANES)) in ("done", "nothing")
        leaves = [name for name in made.compiled(*TWO_PLANES).devices if name.startswith("leaf-0-")]
        out = ", ".join(f"{{device: {name}, mode: {mode}, {WHY}}}" for name in leaves)
        compiled, plan = made.planned(*TWO_PLANES, state(f"drained: [{out}]"))
        assert max(len(wave.devices) for wave in plan.waves) > 1

        assert ended(made.carry_out(compiled, pace=step_by_step, allow=())) == "done"
        assert ended(made.apply(*TWO_PLANES, pace=step_by_step)) == "done"


@pytest.mark.covering(most=1, apart=True)
def test_hosts_come_and_go_beside_a_wave_that_soaks(made: PlayedSite) -> None:
    """A leaf beside the spine that changes is judged by its links to other switches."""
    drained = state(f"drained: [{{device: spine-0, mode: shut, {WHY}}}]")
    compiled, _ = made.planned(drained)
    port = next(p.name for p in compiled.devices["leaf-0-0"].ports if p.role is LinkRole.HOST and p.peer)
    soaks = msgspec.structs.replace(PACE, soak_s=3, gate_timeout_s=1)

    def reboots(event: Event) -> None:
        if isinstance(event, WaveSoaks):
            made.sandbox.set_faults("leaf-0-0", ports={port: PortFault(down=True)})

    assert ended(made.carry_out(compiled, pace=soaks, allow=(), on_event=reboots)) == "done"
    made.sandbox.clear_faults("leaf-0-0")
    made.sandbox.advance(60)
    assert ended(made.apply()) == "done"


class Looking(msgspec.Struct):
    """A gate by what is wrong at one look after the other."""

    looks: list[tuple[str, ...]]

    def look(self, *, waiting: object) -> tuple[str, ...]:
        del waiting
        return self.looks.pop(0) if self.looks else ()


def soaked(*looks: tuple[str, ...]) -> str:
    pace = msgspec.structs.replace(PACE, gate_timeout_s=9, gate_poll_s=0.01)
    return soaking.soak([Looking(list(looks))], 0.2, pace, lambda _missing, _elapsed_s: None)


SOUND = Snapshot(
    {peer: BgpSession(is_up=True, received={"ipv4": 9}) for peer in ("10.0.0.1", "10.0.0.3")},
    frozenset({("p1", "spine-0", "p7"), ("p2", "spine-1", "p7")}),
    {name: PortState(is_up=True, speed_mbps=400_000, fec="rs544") for name in ("p1", "p2")},
    {"10.9.0.1/32": 4, "10.9.0.2/32": 4},
)


def without(*, first: bool) -> dict[str, Snapshot]:
    """What breaks at one place or at another one of the same kind."""
    peer, name, prefix = (("10.0.0.3", "p2", "10.9.0.2/32"), ("10.0.0.1", "p1", "10.9.0.1/32"))[first]

    def lost(known: Mapping[str, Any], key: str, value: Any = None) -> Mapping[str, Any]:
        return {name: one for name, one in known.items() if name != key} | ({key: value} if value else {})

    few, down = BgpSession(is_up=True, received={"ipv4": 3}), PortState(is_up=False)
    slow = PortState(is_up=True, speed_mbps=100_000, fec="rs544")
    neighbors = frozenset(neighbor for neighbor in SOUND.neighbors if neighbor[0] != name)
    return {
        "session": msgspec.structs.replace(SOUND, sessions=lost(SOUND.sessions, peer)),
        "prefixes": msgspec.structs.replace(SOUND, sessions=lost(SOUND.sessions, peer, few)),
        "neighbor": msgspec.structs.replace(SOUND, neighbors=neighbors),
        "port": msgspec.structs.replace(SOUND, ports=lost(SOUND.ports, name, down)),
        "speed": msgspec.structs.replace(SOUND, ports=lost(SOUND.ports, name, slow)),
        "route": msgspec.structs.replace(SOUND, widths=lost(SOUND.widths, prefix)),
        "next hops": msgspec.structs.replace(SOUND, widths=lost(SOUND.widths, prefix, 1)),
    }


@pytest.mark.parametrize("kind", without(first=True))
def test_each_place_may_break_once(kind: str) -> None:
    first, second = without(first=True), without(first=False)
    one, other = (missing("leaf-0-0", SOUND, now[kind], {}, Thresholds()) for now in (first, second))
    assert len(one) == len(other) == 1

    assert not soaked(one, (), other, ())
    assert not soaked(one, one + other, other, ())
    assert not soaked(one, other, one, ()), "it may have been hidden by the other one"
    assert soaked(one, (), one) == f"{one[0]}, again after it had come back"
    assert soaked(one + other, other, (), other + one) == f"{other[0]}, again after it had come back"
