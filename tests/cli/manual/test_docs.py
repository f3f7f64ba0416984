"""`fabric docs`: the pages that come with the program, listed, found, printed, and as a site."""

from __future__ import annotations

import json
import re
import threading
import urllib.request
from pathlib import Path

import click
import pytest

from fabric.cli.app import fabric as command
from fabric.cli.manual.pages import Page, pages, search
from fabric.cli.manual.serve_site import build, serving
from fabric.diagnostics import codes
from fabric.resources import resource

LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"\bFAB(?!9\d{3})\d{3,4}\b")
"""Those of a site's own rules, from FAB9000, are in no program."""
COMMAND = re.compile(r"(?:`|^\$ )fabric ([a-z]+(?:-[a-z]+)*)", re.MULTILINE)
NOT_LISTED = {"rules"}
"""Folders whose pages a page of theirs lists."""


def test_every_page_is_listed_once_and_exists():
    folder = resource("docs")
    listed = [page.path.relative_to(folder).as_posix() for page in pages()]
    there = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.md")
        if path.relative_to(folder).parts[0] not in NOT_LISTED
    }

    assert sorted(listed) == sorted(there)


def test_a_page_is_printed_as_it_stands(fabric):
    ran = fabric("docs", "change")

    assert 0 == ran.code
    assert (resource("docs") / "change.md").read_text() == ran.out


@pytest.mark.parametrize("name", ["chnage", "docs/nothing.md", "../../etc/passwd"])
def test_a_page_that_is_not_there_is_named(fabric, name):
    ran = fabric("docs", name)

    assert 1 == ran.code
    assert f"FAB902: there is no page {name!r}" in ran.err


def test_words_are_found_titles_first(fabric):
    document = json.loads(fabric("docs", "--search", "static threshold", "--format", "json").out)
    hits = search("lint")

    assert any(hit["page"] == "lossless" for hit in document["hits"])
    assert "lint" == hits[0].page.name
    assert [hit.rank for hit in hits] == sorted(hit.rank for hit in hits)


def test_a_hash_in_a_block_of_code_is_no_heading(tmp_path, monkeypatch):
    path = tmp_path / "page.md"
    path.write_text("# Title\n\n```sh\n# not a heading\n```\n\n## Below\nneedle\n")
    monkeypatch.setattr("fabric.cli.manual.pages.pages", lambda: (Page("page", "", "Title", path),))

    assert ["Below"] == [hit.heading for hit in search("needle")]
    assert ["Title"] == [hit.heading for hit in search("not a heading")]


def test_options_that_exclude_each_other_are_refused(fabric):
    assert "exclude each other" in fabric("docs", "change", "--serve").err


def test_the_site_builds_with_strict_links_and_asks_no_other_machine(tmp_path):
    target = tmp_path / "site"
    build(target)

    asked = {
        (path.name, url)
        for path in target.rglob("*.html")
        for url in re.findall(
            r'(?:src|data|srcset)="(https?:[^"]+)|<link[^>]+href="(https?:[^"]+)', path.read_text()
        )
    }
    assert set() == asked
    assert "How a live network is changed" in (target / "change.html").read_text()
    with serving(target, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/search.json") as answer:
                assert "headroom" in answer.read().decode()
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        finally:
            server.shutdown()
            thread.join()


def test_llms_txt_names_every_page():
    text = (resource("docs") / "llms.txt").read_text()

    linked = {Path(link).with_suffix("").as_posix() for link in LINK.findall(text)}
    assert {page.name for page in pages()} == linked


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_codes_and_commands_of_a_page_exist(page):
    text = page.path.read_text(encoding="utf-8")

    assert set() == set(CODE.findall(text)) - set(codes())
    assert set() == set(COMMAND.findall(text)) - set(command.list_commands(click.Context(command)))
