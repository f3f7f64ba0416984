"""Routes are most of what a switch has to tell: a wave that changes management services alone does without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.deployment.connection.device_session import Connection, State
from tests.deployment.played_site import PLAYED, ended, played_site
from tests.platforms.sites import Words, network, services

NTP = services("ntp: {servers: [192.0.2.77]}")
TIMERS = network("routing: {bgp: {keepalive: 2s, hold: 6s}}")


@pytest.mark.covering(most=2, apart=True)
@pytest.mark.parametrize("product", PLAYED)
def test_routes_are_asked_for_unless_services_alone_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, product: str
) -> None:
    asked: list[bool] = []
    state = Connection.state

    def watched(self: Connection, *, routes: bool = True) -> State:
        asked.append(routes)
        return state(self, routes=routes)

    monkeypatch.setattr(Connection, "state", watched)

    def is_by_need(*words: Words) -> bool:
        compiled, plan = site.planned(*words)
        asked.clear()
        assert ended(site.carry_out(compiled)) == "done"
        return set(asked) == {not device.services_only for device in plan.changed}

    with played_site(tmp_path, product) as site:
        assert ended(site.apply()) in ("done", "nothing")

        assert is_by_need(NTP)
        assert is_by_need(NTP, TIMERS)
