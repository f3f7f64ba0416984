"""The password of all BGP sessions of a live site is added, replaced and removed: at both ends of each in one wave."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.planning.codes import TARGETS_APART
from tests.deployment.played_site import PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import SPINE, Words, network

VARIABLE, OLD, NEW = "BGP", "Old-of-the-sessions", "New-of-the-sessions"
KEYED = network("routing: {bgp: {keepalive: 1s, hold: 3s, password: 'env:BGP'}}")


def alone(site: PlayedSite) -> set[str]:
    """What is told of a rotation at one end of its sessions only."""
    compiled = site.compiled(KEYED)
    plan, _ = api.plan(compiled, site.place, rotate_secrets=True, only=(SPINE,))
    return {finding.code for finding in plan.diagnostics if finding.is_error}


@pytest.mark.parametrize("product", PLAYED)
def test_the_password_of_a_live_site(product: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with played_site(tmp_path, product) as site:
        assert ended(site.apply()) in ("done", "nothing")

        def carried_out(*words: Words, rotate: bool = False) -> str:
            compiled, plan = site.planned(*words, rotate=rotate)
            assert {"BGP password"} == {coupling.what for coupling in plan.couplings}
            assert [True] == [wave.together for wave in plan.waves if wave.impact.value == "isolating"]
            result = ended(site.carry_out(compiled))
            assert not site.planned(*words)[1].changed
            return result

        monkeypatch.setenv(VARIABLE, OLD)
        assert carried_out(KEYED) == "done"
        monkeypatch.setenv(VARIABLE, NEW)
        assert alone(site) == {TARGETS_APART.code}
        assert carried_out(KEYED, rotate=True) == "done"
        assert carried_out() == "done"
