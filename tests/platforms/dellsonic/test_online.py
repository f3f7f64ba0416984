"""No source shows a way back on Dell Enterprise SONiC: an online plan refuses its switches, and touches none."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.cli import main
from fabric.deployment import Workplace
from fabric.deployment.connection import device_session
from fabric.diagnostics import Severity
from fabric.platforms.base import Target
from tests.platforms.sites import files

SITE = {"site.yaml": {"networks": {"compute": {"lossless": None}}, "services": {"users": {}}}}


@pytest.mark.parametrize(
    ("options", "severity"), [({}, Severity.ERROR), ({"skip_unreachable": True}, Severity.WARNING)]
)
def test_an_online_plan_names_product_reason_and_fix_and_asks_no_switch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, bool], severity: Severity
) -> None:
    for name, text in files("dellsonic", {}).items():
        (tmp_path / name).write_text(text)
    compiled = api.compile(tmp_path)
    targets = {
        name: Target(name=name, address="127.0.0.1", port=9, username="netops", password="L0GIN-planted")
        for name in compiled.devices
    }
    monkeypatch.setattr(device_session, "_driver", lambda *_: pytest.fail("a switch was asked"))
    place = Workplace(folder=tmp_path, replaced=targets)
    plan, _ = api.plan(compiled, place, **options)

    found = [finding for finding in plan.diagnostics if finding.code == "FAB649"]
    assert set(targets) == {name for finding in found for name in finding.subjects}
    assert {severity} == {finding.severity for finding in found}
    for finding in found:
        assert "networks.compute.tiers" in str(finding.origin)
        assert "dellsonic" == finding.value
        assert "no public source shows" in finding.rule
        assert "--offline" in (finding.hint or "")
    assert not plan.changed


def test_a_plan_from_saved_configurations_is_not_applied_and_says_so_before_anybody_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "saved").mkdir()
    for name, text in files("dellsonic", {}).items():
        (tmp_path / name).write_text(text)
    at = ["-C", str(tmp_path)]

    assert main([*at, "plan", "--offline", str(tmp_path / "saved"), "--adopt"]) == 2
    said = capsys.readouterr().err
    assert "This plan cannot be applied as it is: FAB649:" in said
    assert "fabric apply" not in said
    assert main([*at, "apply", str(tmp_path / ".fabric" / "plan"), "--yes"]) == 1
    said = capsys.readouterr().err
    assert "error: FAB649: leaf-0-0" in said
    assert "push the file yourself" in said
    assert "reverts by itself" not in said.partition("error:")[0]
