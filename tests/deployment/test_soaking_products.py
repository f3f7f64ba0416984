"""What a gate compares with is kept while a wave soaks, and read again, whatever the product tells."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from fabric import api
from fabric.deployment.waves import soaking
from fabric.platforms.emulation import PortFault
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import services

OTHER_SERVER = services("ntp: {servers: [192.0.2.98]}")
SOAKS = msgspec.structs.replace(PACE, soak_s=0.5)


@pytest.fixture(scope="module", params=PLAYED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    with played_site(tmp_path_factory.mktemp("site"), request.param) as running:
        assert ended(running.apply()) in ("done", "nothing")
        yield running


@pytest.mark.covering(most=2)
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
