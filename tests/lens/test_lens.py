"""`fabric lens`, with keys and on a screen of 80 columns and 24 rows, as in a terminal."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from fabric import api
from fabric.cli import main
from fabric.devices.site_devices import Devices
from fabric.lens.app import Lens
from fabric.lens.dialogs import Page
from fabric.lens.groups import MOST, divisions
from fabric.lens.panes import ConfigurationPane, TablePane, TextPane
from fabric.lens.tree import SiteTree
from tests.cli.conftest import SITE

LEAF = "leaf-0-0-0"
BROKEN = """\
site: lab
hosts: {gpu: {per_unit: 4, gpus: 4, nics: {compute: {count: 4, speed: 400G}}}}
networks:
  compute:
    tiers: {leaf: {model: no-such-switch, up: {speed: 400G, ports: 4}}}
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lens") / "lab-8"
    assert main(["init", "lab-8", str(folder)]) == 0
    return folder


class Screen:
    """A running explorer, and what is seen of it."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.settled()

    async def settled(self):
        """Wait until nothing is computed and everything is drawn."""
        for _ in range(2):  # what was computed may move the cursor, and that is computed again
            await self.pilot.pause()
            await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def search(self, words):
        await self.press("slash", *words)
        await self.press("enter")

    def rows(self, tab):
        return self.app.query_one(f"#{tab} TablePane", TablePane).rows

    def text(self, tab):
        return self.app.query_one(f"#{tab} TextPane", TextPane).text

    @property
    def configuration(self):
        return self.app.query_one(ConfigurationPane)

    async def put_cursor_on(self, words):
        pane = self.configuration
        at = next(n for n, row in enumerate(pane.rows) if row.line and words in row.text)
        pane.move_cursor((at, 0))
        await self.pilot.pause()


@asynccontextmanager
async def opened(folder):
    app = Lens(folder)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = Screen(app, pilot)
        await screen.settled()
        yield screen


def in_lens(folder, look):
    """Do something in the explorer of a site."""

    async def run():
        async with opened(folder) as screen:
            return await look(screen)

    return asyncio.run(asyncio.wait_for(run(), 300))


def test_from_a_search_over_a_neighbour_to_the_causes_of_a_line(lab):
    async def look(screen):
        await screen.search(LEAF)
        assert LEAF == screen.app.chosen
        assert ("Ethernet1/1", "host", "gpu-0-0") == screen.rows("ports")[0][:3]

        await screen.press("2")
        beside = [row.neighbor for row in screen.rows("neighbours")]
        await screen.press("down", "enter")
        assert beside[1] == screen.app.chosen
        await screen.press("b")
        assert LEAF == screen.app.chosen

        await screen.press("3")
        await screen.put_cursor_on("maximum-paths")
        await screen.press("w")
        site = screen.app.site.compiled
        line = api.find_lines(site, LEAF, "maximum-paths")
        assert api.why(site, LEAF, line) == screen.app.causes
        assert "networks.compute.routing.max_paths = auto" in screen.text("why")

        await screen.press("i")
        assert isinstance(screen.app.screen, Page)
        assert "fabric.lock" in screen.app.screen.text

    in_lens(lab, look)


def test_the_configuration_is_what_is_compiled_and_secrets_are_not_in_it(lab):
    async def look(screen):
        await screen.search(LEAF)
        await screen.press("3")
        artifact = screen.app.site.compiled.artifacts[LEAF]
        shown = [row.text for row in screen.configuration.rows if not row.is_file]

        assert len(artifact.text.rstrip("\n").split("\n")) == len(shown)
        assert "interface Ethernet1/1" in shown
        assert "secret sha512 $6$" in artifact.text
        assert not [line for line in shown if "$6$" in line]
        assert {row.is_header for row in screen.configuration.rows} == {True, False}

    in_lens(lab, look)


def test_queues_findings_and_help_are_shown_and_nothing_is_written(lab):
    before = {path.name: path.read_bytes() for path in lab.rglob("*") if path.is_file()}

    async def look(screen):
        await screen.search("spine-0-0")
        await screen.press("5")
        assert {"roce"} <= {row.traffic_class for row in screen.rows("queues")}
        await screen.press("6")
        assert "Of the whole site: no findings." in screen.text("findings")
        await screen.press("question_mark")
        assert "search a device" in screen.app.screen.text
        await screen.press("escape", "q")

    in_lens(lab, look)

    assert before == {path.name: path.read_bytes() for path in lab.rglob("*") if path.is_file()}


def test_what_is_unwise_in_a_site_is_shown_for_all_of_it_and_for_a_device(tmp_path):
    (tmp_path / "site.yaml").write_text(SITE)

    async def look(screen):
        await screen.press("6")
        every = screen.text("findings")
        await screen.search("leaf-0-1")
        return every, screen.text("findings")

    every, of_leaf = in_lens(tmp_path, look)

    assert "warning" in every.partition("\n")[0]
    assert "FAB559" in of_leaf
    assert f"Of the whole site: {every.partition(chr(10))[0]}." in of_leaf


def test_a_broken_site_is_a_page_with_places(tmp_path):
    (tmp_path / "site.yaml").write_text(BROKEN)

    async def look(screen):
        assert isinstance(screen.app.screen, Page)
        assert "site.yaml:5:" in screen.app.screen.text
        assert "no-such-switch" in screen.app.screen.text
        await screen.press("escape")
        return screen.app.return_code

    assert 1 == in_lens(tmp_path, look)


def test_a_large_site_opens_without_deriving_its_devices(tmp_path, monkeypatch):
    folder = tmp_path / "pod"
    assert main(["init", "hpn7-pod", str(folder)]) == 0
    derived, derive = [], Devices.__getitem__
    monkeypatch.setattr(Devices, "__getitem__", lambda self, name: derived.append(name) or derive(self, name))

    async def look(screen):
        assert [] == derived
        tree, site = screen.app.query_one(SiteTree), screen.app.site
        nodes = len(tree._tree_nodes)
        last = site.names[-1]
        await screen.search(last)
        assert last == screen.app.chosen
        assert set() == set(derived) - {last}
        return len(site.names), nodes

    names, nodes = in_lens(folder, look)

    assert names > 1000
    assert nodes < 20


def test_every_device_is_once_in_the_tree_and_no_node_has_too_many(lab):
    async def look(screen):
        return screen.app.site

    site = in_lens(lab, look)
    waiting, found = [site.root], []
    while waiting:
        group = waiting.pop()
        below = divisions(group)
        waiting += below
        if not below:
            names = list(group.names)
            found += names
            assert len(names) <= MOST

    assert sorted(site.names) == sorted(found)


def test_it_needs_a_terminal(lab, capsys):
    assert main(["lens", "-C", str(lab)]) == 1
    assert "needs a terminal" in capsys.readouterr().err
