"""The password of all BGP sessions of a live site is added, replaced and removed: at both ends of each in one wave.

It also changes in its source only, while one switch changes for another reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.planning.codes import KEPT_PASSWORD, TARGETS_APART
from fabric.platforms.registry import platform
from tests.deployment.played_site import PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import LEAF, SPINE, Words, network, services

VARIABLE, OLD, NEW = "BGP", "Old-of-the-sessions", "New-of-the-sessions"
KEYED = network("routing: {bgp: {keepalive: 1s, hold: 3s, password: 'env:BGP'}}")


SHOWING = [name for name in PLAYED if platform(name).shows_secrets]
ENCODING = [name for name in PLAYED if not platform(name).shows_secrets]
RING = [(leaf, spine) for leaf, spine in zip(ENCODING, (*ENCODING[1:], *ENCODING[:1]), strict=True)]
"""Of the products that encode secrets: each as leaf and as spine. Every pair is planned in tests/planning."""
MIXED = [(SHOWING[0], ENCODING[0]), (ENCODING[1], SHOWING[-1])]


ANOTHER_LINE = services("syslog: {servers: [192.0.2.11]}")


def alone(site: PlayedSite, *words: Words) -> set[str]:
    """What is told of a rotation at one end of its sessions only."""
    compiled = site.compiled(*words)
    plan, _ = api.plan(compiled, site.place, rotate_secrets=True, only=(SPINE,))
    return {finding.code for finding in plan.diagnostics if finding.is_error}


def carried_out(site: PlayedSite, *words: Words, rotate: bool = False) -> str:
    """How a change of the password ends: at both ends of every session in one wave, and nothing is left to do."""
    compiled, plan = site.planned(*words, rotate=rotate)
    assert {"BGP password"} == {coupling.what for coupling in plan.couplings}
    # Where a product shows no hash of a password, one that is pushed may be another, and lock us out.
    is_unknown = any("may become another one" in c.reason for d in plan.changed for c in d.changes)
    assert is_unknown <= any(platform(d.platform).name == "cumulus" for d in plan.changed)
    impact = "lockout" if is_unknown else "isolating"
    assert [True] == [wave.together for wave in plan.waves if wave.impact.value == impact]
    assert any(change.impact.value == "isolating" for device in plan.changed for change in device.changes)
    result = ended(site.carry_out(compiled))
    assert not site.planned(*words)[1].changed
    return result


@pytest.mark.parametrize("product", SHOWING)
def test_the_password_of_a_live_site(product: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of products that show secrets; the others are both ends of sessions in the law below."""
    with played_site(tmp_path, product) as site:
        assert ended(site.apply()) in ("done", "nothing")

        monkeypatch.setenv(VARIABLE, OLD)
        assert carried_out(site, KEYED) == "done"
        monkeypatch.setenv(VARIABLE, NEW)
        assert alone(site, KEYED) == {TARGETS_APART.code}
        assert carried_out(site, KEYED, rotate=True) == "done"
        assert carried_out(site) == "done"


@pytest.mark.covering(most=1, apart=True)
@pytest.mark.parametrize("only", [SPINE, LEAF])
@pytest.mark.parametrize("pair", RING + MIXED, ids="-".join)
def test_a_switch_that_changes_for_another_reason_keeps_the_password(
    pair: tuple[str, str], only: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, OLD)
    leaf, spine = pair
    is_mixed = (leaf, spine) in MIXED
    with played_site(tmp_path, leaf, spine=spine) as site:
        assert carried_out(site, KEYED) == "done"
        monkeypatch.setenv(VARIABLE, NEW)

        compiled, plan = site.planned(KEYED, ANOTHER_LINE, only=(only,))
        assert {only} == {device.device for device in plan.changed}
        refused = {finding.code for finding in plan.diagnostics if finding.is_error}
        if is_mixed and platform(plan.changed[0].platform).shows_secrets:
            assert refused == {TARGETS_APART.code}
        else:
            assert not refused
            assert ended(site.carry_out(compiled)) == "done"

        compiled, plan = site.planned(KEYED, ANOTHER_LINE)
        if is_mixed:
            assert {KEPT_PASSWORD.code} == {f.code for f in plan.diagnostics if f.is_error}
        else:
            assert ended(site.carry_out(compiled)) == "done"
            assert not site.planned(KEYED, ANOTHER_LINE)[1].changed

        if is_mixed:
            compiled, plan = site.planned(KEYED, ANOTHER_LINE, rotate=True)
            assert ended(site.carry_out(compiled)) == "done"
            assert not site.planned(KEYED, ANOTHER_LINE)[1].changed
            return
        assert alone(site, KEYED, ANOTHER_LINE) == {TARGETS_APART.code}
        assert carried_out(site, KEYED, ANOTHER_LINE, rotate=True) == "done"
        assert carried_out(site, ANOTHER_LINE) == "done"
