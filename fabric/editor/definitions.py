"""Where what a value names is defined: a file, a model, a network, a tier."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import NamedTuple

from fabric.diagnostics import Path
from fabric.documents import Sources
from fabric.editor.cursor import Text
from fabric.editor.names import ANY, Names, matches
from fabric.hardware.catalogue import HERE
from fabric.intent.load import POLICIES, SITE_FILE
from fabric.intent.site_folder import Unreadable, join


class Definition(NamedTuple):
    """A place in a file. Line and column count from 0."""

    file: FilePath
    line: int = 0
    column: int = 0


DEVICES = (
    ("state", "drained", ANY, "device"),
    ("state", "shut_ports", ANY, "device"),
    ("state", "excluded_links", ANY, "device"),
    ("state", "excluded_links", ANY, "peer"),
    ("inventory", "devices", ANY),
    ("inventory", "hosts", ANY),
    ("inventory", "feeds", "devices", ANY),
    ("intent", "overrides", ANY, "device"),
    ("intent", "tenants", ANY, "hosts", ANY),
)
"""Values and keys that name a switch or a host."""
NETWORKS = (
    ("intent", "hosts", ANY, "nics", ANY),
    ("intent", "overrides", ANY, "network"),
    ("intent", "attachments", ANY, "network"),
    ("intent", "tenants", ANY, "networks", ANY),
    ("inventory", "hosts", ANY, "macs", ANY),
    ("inventory", "hosts", ANY, "hcas", ANY),
)
"""Those that name a network."""
MODELS = (
    ("intent", "hosts", ANY, "model"),
    ("intent", "networks", ANY, "tiers", ANY, "model"),
    ("intent", "overrides", ANY, "model"),
)
GROUPS = (("intent", "tenants", ANY, "groups", ANY),)


def definition(
    kind: str, name: str, text: Text, line: int, column: int, names: Names, sources: Sources
) -> Definition | None:
    """The definition of what is under the cursor in the file `name` of the site."""
    token = text.token_at(line, column)
    if token is None:
        return None
    path = (kind, *token.path)
    if matches(("intent", "include", ANY), path):
        return _file(names.folder, name, token.text)
    if matches(("intent", "networks", ANY, "lossless"), path) and not token.is_key:
        return _file(names.folder, SITE_FILE, token.text) or _existing(POLICIES / f"{token.text}.yaml")
    if any(matches(pattern, path) for pattern in MODELS) and not token.is_key:
        return _model(token.text, names)
    origin = _origin(path, token.text, names)
    return _place(origin, names, text if name == SITE_FILE else None, sources) if origin else None


def _origin(path: Path, word: str, names: Names) -> Path | None:
    """The place of the intent that a name comes from."""
    if any(matches(pattern, path) for pattern in DEVICES):
        return names.known.origin_of(word) if names.known else None
    if any(matches(pattern, path) for pattern in NETWORKS):
        return ("networks", word)
    return ("hosts", word) if any(matches(pattern, path) for pattern in GROUPS) else None


def _place(origin: Path, names: Names, text: Text | None, sources: Sources) -> Definition | None:
    """The key at `origin`: in the text under the cursor, else where the site was last read."""
    token = text.keys.get(origin) if text else None
    if token is not None:
        return Definition(names.folder / SITE_FILE, token.line, token.start)
    document = sources.documents.get("intent")
    node = document.find(origin) if document else None
    if node is None or not node.key_line:
        return None
    return Definition(FilePath.cwd() / node.file, node.key_line - 1, node.key_column - 1)


def _file(folder: FilePath, base: str, name: str) -> Definition | None:
    try:
        return _existing(folder / join(base, name))
    except Unreadable:
        return None


def _existing(file: FilePath) -> Definition | None:
    return Definition(file) if file.is_file() else None


def _model(name: str, names: Names) -> Definition | None:
    """The site's own file of a model, or the shipped one."""
    for models, folder in ((names.catalogue.switches, "models"), (names.catalogue.hosts, "hosts")):
        if name in models:
            own = _existing(names.folder / "hardware" / f"{name}.yaml")
            return own or _existing(HERE / folder / f"{models[name].id}.yaml")
    return None
