"""The operator's copy of vendors' models: found below a folder, made ready for libyang, loaded once a process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from fabric.diagnostics import Refused
from fabric.platforms.schema import ModelSet, SchemaCheck
from fabric.verification.yang import Models

SUFFIXES = (".yang", ".yang.j2")
MAX_ENTRIES = 200_000
"""Files in a folder tree that are looked at: a checkout of all of a vendor's releases has less."""
MAX_FILE_BYTES = 32 * 2**20
"""The largest published module (Junos `protocols`) has 5 MB."""


@cache
def model_files(folder: Path) -> tuple[Path, ...]:
    """Every YANG file below a folder, in order. `Refused` if it is not a folder, or too large to be meant."""
    if not folder.is_dir():
        message = f"{folder} is not a folder"
        raise Refused(message, "`--yang` names the folder that holds the vendors' YANG files")
    return tuple(sorted(path for path in _walk(folder) if path.name.endswith(SUFFIXES)))


def _walk(folder: Path) -> Iterator[Path]:
    seen = 0
    for home, folders, names in os.walk(folder):  # links to folders are not followed
        folders[:] = sorted(name for name in folders if name != ".git")
        seen += len(names)
        if seen > MAX_ENTRIES:
            message = f"more than {MAX_ENTRIES:,} files below {folder}"
            raise Refused(message, "name the folder of one release of the vendor's models")
        yield from (Path(home) / name for name in names)


@cache
def models_of(check: SchemaCheck, folders: tuple[Path, ...]) -> dict[str, Models]:
    """The product's models below the folders, loaded, by name of the set; empty if there is none."""
    files = tuple(dict.fromkeys(file for folder in folders for file in model_files(folder)))
    return {model_set.name: loaded(model_set) for model_set in check.find(files)}


def loaded(models: ModelSet) -> Models:
    """A set as libyang has it. The files are copied where they need a change, or lie in several folders."""
    homes = {file.parent for file in models.files}
    if models.amend is None and len(homes) == 1:
        return Models(homes.pop(), models.load)
    with tempfile.TemporaryDirectory(prefix="fabric-yang-") as name:
        folder = Path(name)
        for file, text in _amended(models, models.files):
            (folder / file).write_text(text, encoding="utf-8")
        return Models(folder, models.load)


def _amended(models: ModelSet, files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for file in files:
        if file.stat().st_size > MAX_FILE_BYTES:
            message = f"{file} has more than {MAX_FILE_BYTES // 2**20} MiB"
            raise Refused(message, "no published YANG module is that large: is it the right folder?")
        text = file.read_text(encoding="utf-8", errors="replace")
        yield file.name.removesuffix(".j2"), models.amend(file.name, text) if models.amend else text
