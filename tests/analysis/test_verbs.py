"""Every verb that turns an intent into text of devices says the same of the routes, and stops at the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fabric.cli import main
from tests.verification.test_openapi import written as openapi

CASES = Path(__file__).parents[1] / "errors"
ROUTES = re.compile(r"FAB80[0-9]")
SITES = {
    path.stem: found
    for path in sorted(CASES.glob("*.yaml"))
    if (found := set(ROUTES.findall(path.read_text())))
}
"""Wrong intents whose routes are to blame, with what is to be found."""
VERBS = {
    "validate": ["validate"],
    "compile": ["compile"],
    "plan": ["plan", "--offline", "backups"],
    "plan of one device": ["plan", "--offline", "backups", "--device", "leaf-0-0"],
    "plan against devices": ["plan"],
    "check": ["check", "--openapi", "openapi.json"],
}
CONTROL = (CASES / "max-paths-too-few.yaml").read_text().replace("max_paths: 2", "max_paths: auto")


def said(verb, text, folder, capsys):
    """Exit code of a verb, and what it finds of routes."""
    (folder / "site.yaml").write_text(text)
    (folder / "backups").mkdir(exist_ok=True)
    openapi(folder)
    words = [word if word not in {"backups", "openapi.json"} else str(folder / word) for word in VERBS[verb]]
    code = main([*words, "-C", str(folder), "--no-color"])
    told = capsys.readouterr()
    return code, set(ROUTES.findall(told.out + told.err))


def left(folder):
    """What a verb leaves behind that could be carried to a device."""
    kept = [folder / "site.yaml", folder / "openapi.json"]
    return [path for path in folder.rglob("*") if path.is_file() and path not in kept]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("case", SITES)
def test_every_verb_says_the_same_of_the_routes(case, verb, tmp_path, capsys):
    text = (CASES / f"{case}.yaml").read_text()
    code, found = said(verb, text, tmp_path, capsys)

    if "# E: FAB80" in text:
        assert (1, []) == (code, left(tmp_path))
    elif verb in {"check", "plan against devices"}:
        # the one asks the vendors' schemas, the other devices, which are not there: warnings are of the others
        return
    assert SITES[case] == found


REFUSED = "overrides: [{device: spine-0, max_paths: 1024}]\n"
"""What the product of one switch does not support; `plan of one device` is of another one."""


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_stops_at_what_the_product_of_any_device_does_not_support(verb, tmp_path, capsys):
    (tmp_path / "site.yaml").write_text(CONTROL + REFUSED)
    (tmp_path / "backups").mkdir()
    openapi(tmp_path)
    words = [
        word if word not in {"backups", "openapi.json"} else str(tmp_path / word) for word in VERBS[verb]
    ]
    code = main([*words, "-C", str(tmp_path), "--no-color"])
    told = capsys.readouterr()

    assert (1, []) == (code, left(tmp_path))
    assert "FAB558" in told.out + told.err


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_finds_anything_in_routes_that_are_right(verb, tmp_path, capsys):
    assert set() == said(verb, CONTROL, tmp_path, capsys)[1]


def test_the_saved_plan_holds_what_was_found(tmp_path, capsys):
    said("plan", (CASES / "max-paths-too-few.yaml").read_text(), tmp_path, capsys)
    saved = json.loads((tmp_path / ".fabric" / "plan" / "plan.json").read_text())

    assert ["FAB802"] == [one["code"] for one in saved["diagnostics"] if ROUTES.match(one["code"])]


def test_there_are_cases_of_errors_and_of_warnings():
    assert {"FAB800", "FAB802"} <= set().union(*SITES.values())
