"""Mermaid and draw.io themselves, in a browser without the network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.programs import needed_files
from tests.reporting.browser import browser, evaluated

LOCAL_MODULES = "--allow-file-access-from-files"
"""Mermaid comes as modules that import each other from files."""
PAGE = "<!doctype html><meta charset=utf-8><title>drawn</title>"


class Line(NamedTuple):
    """A line as a tool has read it: what it joins (None: nothing), its text, and its list of links."""

    lower: str | None
    upper: str | None
    label: str
    links: str = ""


class Drawing(NamedTuple):
    """What a tool has read: the text of each box, and each line by its ends' keys."""

    boxes: dict[str, str]
    lines: list[Line]


class DrawingTools:
    """Both tools in one browser."""

    def __init__(self, driver: Any, page: str) -> None:
        self.driver = driver
        driver.get(page)

    @property
    def complaints(self) -> list[str]:
        """What the tools have told the browser's console since it was asked last, without places."""
        said = [entry["message"].split(maxsplit=2)[-1] for entry in self.driver.get_log("browser")]
        return [text.strip('"') for text in said]

    def mermaid(self, text: str) -> Drawing:
        """The flowchart that Mermaid reads; raises where it is none."""
        read = evaluated(self.driver, f"flowchart({json.dumps(text)})")
        return Drawing(read["boxes"], [Line(*line) for line in read["lines"]])

    def mermaid_shows(self, text: str) -> str:
        """The text of the first box of a flowchart, as a reader sees it."""
        return evaluated(self.driver, f"shown({json.dumps(text)})")

    def drawio(self, text: str) -> dict[str, Drawing]:
        """The pages that draw.io opens, by their names; only what it draws counts."""
        read = evaluated(self.driver, f"pages({json.dumps(text)})")
        return {name: Drawing(boxes, [Line(*line) for line in lines]) for name, boxes, lines in read}


@contextmanager
def drawing_tools(folder: Path) -> Iterator[DrawingTools]:
    """A browser that has both tools; it is ended with the test."""
    viewer = needed_files("jupyterlab_drawio_render_extension") / "static" / "viewer-static.min.js"
    mermaid = needed_files("nicegui") / "elements" / "mermaid" / "dist" / "index.js"
    (folder / "drawn.html").write_text(PAGE)
    with browser(folder / "profile", LOCAL_MODULES) as driver:
        tools = DrawingTools(driver, f"file://{folder}/drawn.html")
        evaluated(driver, viewer.read_text("utf-8"))
        evaluated(driver, OPEN_IN_DRAWIO)
        evaluated(driver, f"const mermaidModule = import({json.dumps(mermaid.as_uri())});{READ_BY_MERMAID}")
        yield tools


OPEN_IN_DRAWIO = """
const pages = (text) => [...mxUtils.parseXml(text).documentElement.getElementsByTagName('diagram')].map((page) => {
  const graph = new Graph(document.createElement('div'));
  const node = Editor.parseDiagramNode(page);
  new mxCodec(node.ownerDocument).decode(node, graph.getModel());
  const cells = Object.values(graph.getModel().cells).filter((cell) => graph.view.getState(cell));
  const boxes = cells.filter((cell) => cell.vertex).map((cell) => [cell.id, graph.getLabel(cell)]);
  const lines = cells.filter((cell) => cell.edge).map((cell) => [
    cell.source?.id ?? null, cell.target?.id ?? null, graph.getLabel(cell), cell.value.getAttribute('links'),
  ]);
  return [page.getAttribute('name'), Object.fromEntries(boxes), lines];
});
"""
READ_BY_MERMAID = """
const ready = mermaidModule.then(({mermaid}) => {
  mermaid.initialize({startOnLoad: false, maxEdges: 100000, maxTextSize: 100000000});
  return mermaid;
});
const flowchart = async (text) => {
  const {db} = await (await ready).mermaidAPI.getDiagramFromText(text);
  return {
    boxes: Object.fromEntries([...db.getVertices().values()].map((each) => [each.id, each.text ?? null])),
    lines: db.getEdges().map((each) => [each.end, each.start, each.text]),
  };
};
const shown = async (text) => {
  const {svg} = await (await ready).render('drawn', text);
  document.body.innerHTML = svg;
  return document.querySelector('.node .label').textContent;
};
"""
