"""The explorer: the tree at the left, what is known of the chosen device at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Static, TabbedContent, TabPane, Tree

from fabric import api
from fabric.compiler import open_site
from fabric.diagnostics import FabricError
from fabric.lens.causes_text import causes_text, intent_text
from fabric.lens.configuration_view import configuration
from fabric.lens.dialogs import HELP, Page, Search
from fabric.lens.groups import Group
from fabric.lens.own_thread import OwnThread
from fabric.lens.panes import ConfigurationPane, TablePane, TextPane
from fabric.lens.site_findings import Found, error_text, shown_findings, site_findings
from fabric.lens.site_view import SiteView, group_title
from fabric.lens.tree import SiteTree

if TYPE_CHECKING:
    from fabric.provenance import Cause, Line

T = TypeVar("T")
U = TypeVar("U")
TABS = ("ports", "neighbours", "config", "why", "queues", "findings")
MOST_FOUND = 50
CHOOSE = "Choose a device in the tree, or press / to search one."
NO_LINE = "Put the cursor of Config on a line that says something, and press w."
PORTS = ("PORT", "USE", "NEIGHBOUR", "THEIR PORT", "SPEED", "CABLE", "QUEUES", "NETWORK")
NEIGHBORS = ("NEIGHBOUR", "TIER", "LINKS", "PORTS", "AS", "NETWORK")
QUEUES = ("PROFILE", "PORTS", "CLASS", "QUEUE", "PFC", "SCHEDULER", "KMIN B", "KMAX B", "PMAX", "HEADROOM B")


class Lens(App[None]):
    """One site, to look at. It writes nothing and asks no device."""

    CSS_PATH = "lens.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", key_display="/"),
        Binding("w", "why", "Why"),
        Binding("i", "intent", "Intent"),
        Binding("b", "last", "Back"),
        Binding("t", "tree", "Tree"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "quit", "Quit"),
        *(Binding(str(n), f"tab('{tab}')", show=False) for n, tab in enumerate(TABS, 1)),
    ]

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.site: SiteView | None = None
        self.chosen: Group | str | None = None
        self.visited: list[str] = []
        self.causes: tuple[Cause, ...] = ()
        self.explained: tuple[str, Line] | None = None
        self.found: Found | None = None
        self.asking, self.judging = OwnThread("panes"), OwnThread("findings")

    def compose(self) -> ComposeResult:
        """Tree, title, tabs, keys."""
        with Horizontal():
            yield SiteTree()
            with Vertical():
                yield Static(f"Reading {self.folder} ...", id="title", markup=False)
                with TabbedContent():
                    with TabPane("Ports", id="ports"):
                        yield TablePane(PORTS, device_column=2)
                    with TabPane("Neighbours", id="neighbours"):
                        yield TablePane(NEIGHBORS, device_column=0)
                    with TabPane("Config", id="config"):
                        yield Static("", classes="note", markup=False)
                        yield ConfigurationPane()
                    with TabPane("Why", id="why"):
                        yield TextPane(NO_LINE)
                    with TabPane("Queues", id="queues"):
                        yield TablePane(QUEUES)
                    with TabPane("Findings", id="findings"):
                        yield TextPane()
        yield Footer()

    def on_mount(self) -> None:
        """Begin to read the site."""
        self.title = "fabric lens"
        self.open()

    def on_unmount(self) -> None:
        """Nothing more is asked."""
        self.asking.close()
        self.judging.close()

    @work
    async def open(self) -> None:
        """Read the site; what is wrong with it is a page."""
        try:
            site = await self.asking.call(lambda: _opened(self.folder))
        except FabricError as error:
            self.query_one("#title", Static).update(f"{self.folder} has errors")
            page = Page(f"{self.folder} cannot be shown", error_text(error))
            self.push_screen(page, lambda _closed: self.exit(return_code=1))
            return
        self.site, self.chosen = site, site.root
        self.query_one(SiteTree).show_site(site)
        self.show()

    # --- the chosen device

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Group | str]) -> None:
        """Show what the cursor of the tree is on."""
        if event.node.data is not None and event.node.data != self.chosen:
            self.chosen = event.node.data
            if isinstance(self.chosen, str):
                self.visited.append(self.chosen)
            self.show()

    def on_tabbed_content_tab_activated(self) -> None:
        """Fill the pane that is seen now."""
        self.show()

    def on_table_pane_chosen(self, event: TablePane.Chosen) -> None:
        """Go to a neighbour."""
        self.go(event.device)

    def go(self, device: str) -> None:
        """Show a device, and where it is in the tree."""
        if self.site is not None and device in self.site.names:
            self.query_one(SiteTree).reveal(device)

    @work(exclusive=True, group="pane")
    async def show(self) -> None:
        """Fill the pane that is seen; the others wait until they are."""
        site, chosen = self.site, self.chosen
        if site is None or chosen is None:
            return
        title = site.title(chosen) if isinstance(chosen, str) else group_title(chosen)
        self.query_one("#title", Static).update(title)
        tab = self.query_one(TabbedContent).active
        if tab == "findings":
            await self._show_findings(site, chosen)
        elif tab == "config":
            await self._show_configuration(site, chosen)
        elif tab != "why":
            await self._show_table(site, chosen, tab)

    async def _show_table(self, site: SiteView, chosen: Group | str, tab: str) -> None:
        pane = self.query_one(f"#{tab}", TabPane).query_one(TablePane)
        if not isinstance(chosen, str):
            pane.show((), CHOOSE)
            return
        making: dict[str, Callable[[str], Sequence[Sequence[str]]]] = {
            "ports": site.ports,
            "neighbours": site.neighbors,
            "queues": site.queues,
        }
        rows, problem = await self._asked(partial(making[tab], chosen), ())
        goes = "; Enter goes to the neighbour" if pane.device_column is not None and rows else ""
        pane.show(rows, problem or f"{len(rows)} rows{goes}")

    async def _show_configuration(self, site: SiteView, chosen: Group | str) -> None:
        pane = self.query_one(ConfigurationPane)
        note = self.query_one("#config .note", Static)
        if not isinstance(chosen, str):
            pane.show("", ())
            note.update(CHOOSE)
        elif pane.device != chosen:
            rows, problem = await self._asked(partial(configuration, site.compiled, chosen), ())
            pane.show(chosen, rows)
            note.update(problem or f"{len(rows)} lines; w: why, i: the intent of this line")

    async def _show_findings(self, site: SiteView, chosen: Group | str) -> None:
        pane = self.query_one("#findings TextPane", TextPane)
        if self.found is None:
            pane.show("Looking for findings ...")
            self.found = await self.judging.call(partial(site_findings, self.folder))
        text, problem = await self._asked(partial(shown_findings, site, chosen, self.found), "")
        pane.show(problem or text)

    async def _asked(self, function: Callable[[], T], otherwise: U) -> tuple[T | U, str]:
        """What a function of the site returns, or what is wrong."""
        try:
            return await self.asking.call(function), ""
        except FabricError as error:
            return otherwise, error_text(error)

    # --- keys

    def action_tab(self, tab: str) -> None:
        """Show a tab, and put the keys there."""
        self.query_one(TabbedContent).active = tab
        inner = "DataTable" if tab in ("ports", "neighbours", "queues") else "ConfigurationPane, TextPane"
        self.query_one(f"#{tab}", TabPane).query(inner).first().focus()

    def action_search(self) -> None:
        """Search a device and go there."""
        if self.site is not None:
            self.push_screen(
                Search(partial(self.site.search, most=MOST_FOUND)),
                lambda name: self.go(name) if name else None,
            )

    def action_last(self) -> None:
        """Go to the device before."""
        if len(self.visited) > 1:
            self.visited.pop()
            self.go(self.visited.pop())

    def action_tree(self) -> None:
        """Hide the tree, or show it."""
        tree = self.query_one(SiteTree)
        tree.display = not tree.display

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(Page("Keys", HELP))

    @work(exclusive=True, group="why")
    async def action_why(self) -> None:
        """Explain the line under the cursor."""
        text = await self._explain()
        self.query_one("#why TextPane", TextPane).show(text)
        self.action_tab("why")

    @work(exclusive=True, group="why")
    async def action_intent(self) -> None:
        """Show the lines of the intent that made the line under the cursor."""
        text = await self._explain()
        if self.explained is None:
            self.notify(text)
            return
        device, line = self.explained
        self.push_screen(Page(f"What made {line.text} of {device}", intent_text(self.causes)))

    async def _explain(self) -> str:
        """Find the causes of the line under the cursor; the text for Why."""
        pane, site = self.query_one(ConfigurationPane), self.site
        line = pane.line
        if site is None or line is None:
            self.explained = None
            return NO_LINE
        explain = partial(_explained, site, pane.device, line)
        (self.causes, text), problem = await self._asked(explain, ((), ""))
        self.explained = None if problem else (pane.device, line)
        return problem or text


def _explained(site: SiteView, device: str, line: Line) -> tuple[tuple[Cause, ...], str]:
    """The causes of a line, and as text."""
    causes = api.why(site.compiled, device, (line,))
    return causes, causes_text(causes, api.printed(site.compiled, device))


def _opened(folder: Path) -> SiteView:
    """The site with its names and tree, made beside the screen."""
    site = SiteView(open_site(folder))
    _ = site.root, site.names
    return site
