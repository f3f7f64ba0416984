"""Reading the files of a site: a folder, or a mapping in memory. Nothing outside the folder is ever read."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Protocol

from fabric.documents.reading.decode_text import MAX_BYTES


class Unreadable(Exception):  # said to the user as a diagnostic
    """A file cannot be read; the text gives the reason."""


class Files(Protocol):
    """The files of a site by their path inside it, with `/` between the steps."""

    def read(self, name: str) -> bytes:
        """The bytes of a file, at most one more than the limit. `Unreadable` if there is none to be had."""
        ...

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        ...

    def listing(self, folder: str) -> tuple[str, ...]:
        """The YAML files of a folder, sorted."""
        ...

    def names(self, folder: str = "") -> tuple[str, ...]:
        """All files of a folder, sorted; hidden ones left out."""
        ...

    def shown(self, name: str) -> str:
        """What people call the file."""
        ...


class Folder:
    """The files below a folder. Links that lead out of it are not followed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, name: str) -> bytes:
        """The bytes of a file, at most one more than the limit. `Unreadable` if there is none to be had."""
        try:
            path = self._inside(name)
            # Opening a pipe or a device could wait for ever.
            if not stat.S_ISREG(path.stat().st_mode):
                message = "it is not a regular file"
                raise Unreadable(message)
            with path.open("rb") as stream:
                return stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise Unreadable(error.strerror or "it cannot be read") from None
        except (
            RuntimeError,
            ValueError,
        ) as error:  # links in a circle, before Python 3.13; a name with a NUL
            raise Unreadable(str(error)) from None

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        try:
            return (self.root / name).exists()
        except OSError:
            return True  # reading it says why it cannot be read

    def listing(self, folder: str) -> tuple[str, ...]:
        """The YAML files of a folder, sorted."""
        return tuple(sorted(f"{folder}/{path.name}" for path in (self.root / folder).glob("*.yaml")))

    def names(self, folder: str = "") -> tuple[str, ...]:
        """All files of a folder, sorted; hidden ones left out."""
        try:
            files = [path.name for path in (self.root / folder).iterdir() if path.is_file()]
        except OSError:
            return ()  # reading it says why it cannot be read
        prefix = f"{folder}/" if folder else ""
        return tuple(sorted(prefix + name for name in files if not name.startswith(".")))

    def shown(self, name: str) -> str:
        """What people call the file: relative to where they are."""
        path = self.root / name
        try:
            return str(path.relative_to(Path.cwd()))
        except ValueError:
            return str(path)

    def _inside(self, name: str) -> Path:
        path = self.root / name
        if not path.resolve().is_relative_to(self.root.resolve()):
            message = "it leads out of the site's folder"
            raise Unreadable(message)
        return path


class Edited:
    """A folder in which some files have other texts: those of an editor that has not saved them, or of a proposal."""

    def __init__(self, folder: Folder, texts: Mapping[str, str]) -> None:
        self._folder, self._texts = folder, texts

    def read(self, name: str) -> bytes:
        """The bytes of a file, at most one more than the limit. `Unreadable` if there is none to be had."""
        text = self._texts.get(name)
        return self._folder.read(name) if text is None else text.encode()[: MAX_BYTES + 1]

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        return name in self._texts or self._folder.exists(name)

    def listing(self, folder: str) -> tuple[str, ...]:
        """The YAML files of a folder, sorted."""
        return self._folder.listing(folder)

    def names(self, folder: str = "") -> tuple[str, ...]:
        """All files of a folder, sorted; hidden ones left out."""
        return self._folder.names(folder)

    def shown(self, name: str) -> str:
        """What people call the file: relative to where they are."""
        return self._folder.shown(name)


class Memory:
    """Files that are given as text."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def read(self, name: str) -> bytes:
        """The bytes of a file. `Unreadable` if it was not given."""
        if name not in self.files:
            message = "No such file or directory"
            raise Unreadable(message)
        return self.files[name].encode("utf-8", "surrogatepass")

    def exists(self, name: str) -> bool:
        """Whether the file was given."""
        return name in self.files

    def listing(self, folder: str) -> tuple[str, ...]:
        """The YAML files of a folder, sorted."""
        return tuple(sorted(n for n in self.files if n.startswith(f"{folder}/") and n.endswith(".yaml")))

    def names(self, folder: str = "") -> tuple[str, ...]:
        """All files of a folder, sorted."""
        depth = f"{folder}/" if folder else ""
        return tuple(sorted(n for n in self.files if n.startswith(depth) and "/" not in n[len(depth) :]))

    def shown(self, name: str) -> str:
        """Its own name."""
        return name


def join(base: str, name: str) -> str:
    """The path of `name` as written in the file `base`. `Unreadable` if it leaves the site's folder."""
    if name.startswith(("/", "~")) or "\\" in name or not name.strip():
        message = "paths are relative to the file that names them"
        raise Unreadable(message)
    steps: list[str] = []
    for step in (*PurePosixPath(base).parent.parts, *PurePosixPath(name).parts):
        if step == "..":
            if not steps:
                message = "it leads out of the site's folder"
                raise Unreadable(message)
            steps.pop()
        elif step != ".":
            steps.append(step)
    return "/".join(steps)
