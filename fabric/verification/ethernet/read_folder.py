"""A folder with what was kept of devices or hosts: a file each, with whatever name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple, TypeVar

from fabric.diagnostics import Refused

Content = TypeVar("Content")


class FolderKind(NamedTuple):
    """What such a folder holds, and how an operator comes by one."""

    contents: str
    """As `answers of this network's switches`."""
    largest_bytes: int
    """A larger file is not read."""
    folder_hint: str
    """Where there is no such folder."""
    empty_hint: str
    """Where nothing in it is of this kind."""


def read_folder(
    folder: Path,
    kind: FolderKind,
    names: Collection[str],
    parse: Callable[[bytes], tuple[str, Content] | None],
) -> tuple[dict[str, Content], tuple[str, ...]]:
    """What the files hold, by device or host, and the files that hold nothing of these `names`.

    `parse` gives the name of a device or host and what a file says of it; None: nothing of this kind. Of two files
    about one the first by name is taken. `Refused` if there is no such folder, or nothing of this kind in it.
    """
    if not folder.is_dir():
        message = f"{folder} is not a folder"
        raise Refused(message, kind.folder_hint)
    known: dict[str, Content] = {}
    unread: list[str] = []
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        parsed = parse(path.read_bytes()) if path.stat().st_size <= kind.largest_bytes else None
        if parsed is None or parsed[0] not in names or parsed[0] in known:
            unread.append(path.name)
        else:
            known[parsed[0]] = parsed[1]
    if not known:
        message = f"{folder} holds no {kind.contents}"
        raise Refused(message, kind.empty_hint)
    return known, tuple(unread)
