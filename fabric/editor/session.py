"""What an editor has open: its sites, checked while they are typed, and where its cursor is."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from fabric import __version__
from fabric.compiler import open_site
from fabric.documents import Sources
from fabric.editor.cursor import Text
from fabric.editor.diagnostics import editor_findings
from fabric.editor.known_site import KnownSite, known_site
from fabric.editor.names import Names
from fabric.editor.site_files import kind_of, site_of
from fabric.intent.load import SITE_FILE
from fabric.operations.check_site import Checked, check_site

PAUSE_S = 0.3
"""Without a keystroke, before a site is checked."""
MOST_DEVICES = 64
"""Of a site with more switches, one is printed for all that are alike."""


@dataclass
class OpenSite:
    """A site of which a file is open."""

    folder: Path
    version: int = 0
    """Counts the edits of its files."""
    sources: Sources = field(default_factory=Sources)
    known: KnownSite | None = None
    """The last version that expanded."""
    shown: frozenset[Path] = frozenset()
    """Files with findings in the editor."""


@dataclass
class OpenFile:
    """An open file of a site."""

    site: OpenSite
    name: str
    """Its path below the site's folder."""
    kind: str
    text: Text

    @property
    def names(self) -> Names:
        """What may be named in it."""
        return Names(self.site.folder, self.text, self.site.known)


class Editor(LanguageServer):
    """One editor and the sites that it has open."""

    def __init__(self) -> None:
        super().__init__(
            "fabric", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental
        )
        self.sites: dict[Path, OpenSite] = {}
        self.checker = ThreadPoolExecutor(1, "check")
        """One at a time: the next check is that of the newest version."""
        self.scanned: dict[str, tuple[str, Text]] = {}
        """By name of an open file: its text, and what is in it."""

    def site(self, file: Path) -> OpenSite | None:
        """The site of a file; None if it belongs to none."""
        folder = site_of(file)
        return self.sites.setdefault(folder, OpenSite(folder)) if folder else None

    def open_file(self, uri: str) -> OpenFile | None:
        """An open file; None if it does not belong to a site."""
        path = path_of(uri)
        if path is None or uri not in self.workspace.text_documents:
            return None
        site = self.site(path)
        if site is None:
            return None
        name, text = path.relative_to(site.folder).as_posix(), self._scan(uri)
        kind = kind_of(name, text)
        return OpenFile(site, name, kind, text) if kind else None

    def _scan(self, uri: str) -> Text:
        """What is in an open file, scanned once for each of its versions."""
        source = self.workspace.get_text_document(uri).source
        known, text = self.scanned.get(uri, (None, None))
        if text is None or known != source:
            text = Text(source)
            self.scanned[uri] = source, text
        return text

    def edited(self, folder: Path) -> dict[str, str]:
        """The open texts of a site, by their paths below its folder."""
        open_paths = {
            path_of(uri): document.source for uri, document in self.workspace.text_documents.items()
        }
        return {
            path.relative_to(folder).as_posix(): source
            for path, source in open_paths.items()
            if path is not None and path.is_relative_to(folder)
        }

    async def changed(self, uri: str) -> None:
        """Check the site of a file, once nothing more has been typed for a while."""
        path = path_of(uri)
        site = self.site(path) if path and path.suffix in (".yaml", ".yml") else None
        if site is None:
            return
        site.version += 1
        version = site.version
        await asyncio.sleep(PAUSE_S)
        if version != site.version:
            return
        texts = self.edited(site.folder)
        work = self.checker.submit(self._check, site, version, texts)
        result = await asyncio.wrap_future(work)
        if result is not None and version == site.version:
            self._show(site, *result, texts)

    def _check(
        self, site: OpenSite, version: int, texts: dict[str, str]
    ) -> tuple[Checked, KnownSite | None] | None:
        """Everything that is wrong; None if a newer version waits. Runs beside the editor's questions."""
        if version != site.version:
            return None
        checked = check_site(lambda: open_site(site.folder, edited=texts), most_devices=MOST_DEVICES)
        return checked, known_site(checked.site)

    def _show(self, site: OpenSite, checked: Checked, known: KnownSite | None, texts: dict[str, str]) -> None:
        """Publish findings, and take back those of files that have none any more."""
        if "intent" in checked.sources.documents:
            site.sources = checked.sources
        site.known = known or site.known
        open_texts = {site.folder / name: Text(text) for name, text in texts.items()}
        found: dict[Path, list[types.Diagnostic]] = {file: [] for file in (*site.shown, *open_texts)}

        def read(file: Path) -> Text | None:
            if file not in open_texts and file.is_file() and file.is_relative_to(site.folder):
                open_texts[file] = Text(file.read_text("utf-8", errors="replace"))
            return open_texts.get(file)

        for file, finding in editor_findings(checked, site.folder / SITE_FILE, read):
            found.setdefault(file, []).append(finding)
        for file, findings in found.items():
            self._publish(file, findings, read(file))
        site.shown = frozenset(file for file, findings in found.items() if findings)

    def _publish(self, file: Path, findings: list[types.Diagnostic], text: Text | None) -> None:
        if text is not None:
            for finding in findings:
                finding.range = self.client_range(text, finding.range)
        uri = file.as_uri()
        known = {path_of(name): name for name in self.workspace.text_documents}.get(file, uri)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(known, findings))

    def cursor(self, file: OpenFile, position: types.Position) -> tuple[int, int]:
        """Line and column of a position, in letters."""
        place = self.workspace.position_codec.position_from_client_units(file.text.lines, position)
        return place.line, place.character

    def client_range(self, text: Text, place: types.Range) -> types.Range:
        """A range in letters, as the editor counts."""
        return self.workspace.position_codec.range_to_client_units(text.lines, place)


def path_of(uri: str) -> Path | None:
    """The file that an editor names; None if it is not on this machine's disk."""
    name = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(name).resolve() if name else None
