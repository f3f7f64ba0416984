"""`fabric docs`: the documentation that comes with the program."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current, interactive
from fabric.cli.manual.pages import Hit, Page, pages, search
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.documents.suggest import did_you_mean
from fabric.tables.table import Column, Row, Table

WIDTH = 100
"""Columns of a page in the terminal, at most: longer lines are hard to read."""


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [page.name for page in pages() if page.name.startswith(start)]


@command(
    "docs",
    examples=(
        "fabric docs",
        "fabric docs tutorial",
        "fabric docs --search 'pause threshold'",
        "fabric docs --serve",
        "fabric docs --build site",
    ),
    formats=("text", "json", "csv"),
)
@click.argument("page", required=False, shell_complete=_complete)
@click.option("--search", "words", metavar="WORDS", help="List the passages that hold all of these words.")
@click.option("--serve", is_flag=True, help="Show the pages as a site in the browser, until Ctrl-C.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="PORT",
    help="With --serve; default: a free one.",
)
@click.option(
    "--build",
    "target",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the site into a new folder, for a web server.",
)
def run(*, page: str | None, words: str | None, serve: bool, port: int, target: Path | None) -> None:
    """Read the documentation that comes with the program.

    Without PAGE it lists the pages. In a terminal a page is laid out, in a pipe it is Markdown. `--serve` and `--build`
    need the extra `docs` (Zensical); nothing is ever asked of another machine.
    """
    if sum(map(bool, (page, words is not None, serve, target))) > 1:
        message = "a PAGE, --search, --serve and --build exclude each other"
        raise click.UsageError(message)
    output = Output()
    if serve:
        _serve(port, output)
    elif target is not None:
        _build(target, output)
    elif words is not None:
        table = _hit_table(search(words))
        output.count(output.tables([table], {"words": words}), table.noun)
    elif page is not None:
        _show(_known(page))
    else:
        table = _page_table(pages())
        output.count(output.tables([table], {}), table.noun)
        output.next("`fabric docs PAGE` shows one, `fabric docs --search WORDS` finds.")


def _known(name: str) -> Page:
    by_name = {page.name: page for page in pages()}
    asked = name.removesuffix(".md").removeprefix("docs/")
    if asked not in by_name:
        hint = (
            did_you_mean(asked, by_name)
            or "`fabric docs` lists the pages, `fabric docs --search WORDS` finds"
        )
        raise Stop(codes.UNKNOWN_NAME, f"there is no page {name!r}", hint)
    return by_name[asked]


def _show(page: Page) -> None:
    text = page.path.read_text(encoding="utf-8")
    if current().format == "json":
        Output().document({"page": page.name, "title": page.title, "section": page.section, "text": text})
        return
    if not interactive(sys.stdout):
        Output().raw(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(no_color=not current().colored(sys.stdout))
    console.width = min(console.width, WIDTH)
    with console.pager(styles=current().colored(sys.stdout)):
        console.print(Markdown(text, hyperlinks=False))


def _page_table(known: Sequence[Page]) -> Table:
    def rows() -> Iterator[Row]:
        yield from ((page.section, page.name, page.title) for page in known)

    columns = (
        Column(key="section", heading="SECTION", rank=1),
        Column(key="page", heading="PAGE", style=lambda _v: "bold"),
        Column(key="title", heading="TITLE", wraps=True),
    )
    return Table(name="pages", columns=columns, rows=rows, noun=("page", "pages"))


def _hit_table(hits: Sequence[Hit]) -> Table:
    def rows() -> Iterator[Row]:
        yield from ((hit.page.name, hit.heading, hit.line[:200]) for hit in hits)

    columns = (
        Column(key="page", heading="PAGE", style=lambda _v: "bold"),
        Column(key="heading", heading="BELOW", wraps=True),
        Column(key="line", heading="TEXT", wraps=True, rank=1),
    )
    return Table(name="hits", columns=columns, rows=rows, noun=("passage", "passages"))


def _build(target: Path, output: Output) -> None:
    from fabric.cli.manual.serve_site import build

    if target.exists():
        raise Stop(codes.NOT_EMPTY, f"{target} is there already", "name a new folder")
    build(target)
    output.result({"built": str(target)}, f"{target / 'index.html'} written")


def _serve(port: int, output: Output) -> None:
    from fabric.cli.manual.serve_site import build, serving

    with tempfile.TemporaryDirectory(prefix="fabric-docs-") as place:
        folder = Path(place) / "site"
        output.note("building the site")
        build(folder)
        with serving(folder, port) as server:
            url = f"http://{server.server_address[0]!s}:{server.server_port}/"
            output.line(f"{url} (end with Ctrl-C)")
            if interactive(sys.stdout):
                webbrowser.open(url)
            server.serve_forever()
