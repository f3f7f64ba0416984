"""`fabric report`: one file with everything that is known of a site."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import fabric, site

__all__ = ["fabric", "site"]
DEVICES = ("leaf-0-0", "leaf-0-3", "spine-1", "gpu-0-0")
SECTIONS = (
    "fabric",
    "findings",
    "failures",
    "load",
    "queues",
    "ports",
    "racks",
    "addresses",
    "bom",
    "devices",
)


@pytest.fixture
def written(fabric, site):
    """A page of the site, with a plan and what was verified."""
    (site / "empty").mkdir()
    fabric("plan", "--offline", "empty", "--out", "saved", "--adopt")
    seen = {"section": "cabling", "text": "6 of 8 cables as planned"}
    fault = {
        "id": "missing:1", "kind": "missing", "section": "cabling", "code": "FAB832",
        "text": "cable 7 is missing", "hint": "Plug it.", "subjects": [],
    }  # fmt: skip
    verdict = {"site": "lab", "network": "compute", "findings": [fault], "seen": [seen], "not_seen": []}
    (site / "verify.json").write_text(json.dumps(verdict))
    ran = fabric("report", "-o", "page.html", "--plan", "saved", "--verify", "verify.json")
    return ran, (site / "page.html").read_text()


def test_a_page_tells_everything(written):
    ran, text = written

    assert ran.code == 0
    assert ran.err.startswith("page.html: 6 switches, 0.")
    assert all(f'id="s-{section}"' in text for section in (*SECTIONS, "plan", "verify"))
    assert all(device in text for device in DEVICES)
    assert "cable 7 is missing" in text
    assert "Waves" in text
    assert "Colour lines by their load in allreduce" in text


def test_the_same_site_gives_the_same_page(fabric, site):
    first = fabric("report", "-o", "-")
    fabric("report", "--collective", "alltoall")

    assert fabric("report", "-o", "-").out == first.out
    assert first.out.startswith("<!doctype html>")
    assert "load in alltoall" in (site / "report.html").read_text()


def test_an_answer_that_is_none_of_verify_is_refused_with_what_to_do(fabric, site):
    (site / "verify.json").write_text('{"site": "lab", "network": 7}')
    ran = fabric("report", "--verify", "verify.json")

    assert ran.code == 1
    assert "verify.json is not what `fabric verify --format json` prints" in ran.err
    assert "write it anew from what `fabric verify --format json` prints" in ran.err
    assert not (site / "report.html").exists()


def test_a_folder_that_is_no_plan_is_refused(fabric, site):
    (site / "empty").mkdir()

    assert fabric("report", "--plan", "empty").code == 1
    assert not (site / "report.html").exists()


def test_a_broken_baseline_of_lint_is_refused(fabric, site):
    (site / "lint-baseline.json").write_text("{")
    ran = fabric("report")

    assert ran.code == 1
    assert "fabric lint --write-baseline" in ran.err


def test_json_says_where_the_page_is(fabric, site):
    answer = json.loads(fabric("report", "--format", "json").out)

    assert answer["report"] == "report.html"
    assert answer["bytes"] == (site / "report.html").stat().st_size


def test_an_unknown_network_is_told(fabric, site):
    ran = fabric("report", "--network", "storage")

    assert ran.code != 0
    assert "storage" in ran.err
    assert not (site / "report.html").exists()


STORAGE = """
  storage:
    rails: none
    tiers:
      leaf: {model: arista-7060x6-32pe, reserved_ports: 1}
attachments:
  filer: {network: storage, kind: storage, links: 1, speed: 200G}
"""


def test_no_collective_is_shown_on_the_network_of_storage(fabric, site):
    intent = site / "site.yaml"
    nics = "compute: {count: 4, speed: 400G}"
    text = intent.read_text().replace(nics, f"{nics}\n      storage: {{count: 1, speed: 200G}}")
    intent.write_text(text.rstrip() + STORAGE)
    shown = fabric("report", "-o", "-").out

    assert "compute: load of links by tier" in shown
    assert "storage: load of links by tier" not in shown
    assert "no collective is shown where storage is cabled" in shown
    assert shown.count("Colour lines by their load in allreduce") == 1
    assert ">Parts</caption>" in shown
    assert "1 switches" not in shown
