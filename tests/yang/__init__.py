"""The vendored models: unpacked once a process, or taken from `FABRIC_YANG_DIR`."""

from __future__ import annotations

import atexit
import os
import shutil
import tarfile
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fabric.platforms.base import Platform
from fabric.platforms.schema import Complaint
from fabric.verification.check_schemas import Schemas, complaints, known_of
from tests.programs import needed

HERE = Path(__file__).parent


def need_libyang() -> None:
    """Skip, by name, where libyang is not installed."""
    if find_spec("libyang") is None:
        needed("libyang for Python")


@cache
def models(name: str) -> Path:
    """The folder of a release's models: `sonic-202511`."""
    own = os.environ.get("FABRIC_YANG_DIR")
    if own and (Path(own) / name).is_dir():
        return Path(own) / name
    folder = Path(tempfile.mkdtemp(prefix="fabric-tests-yang-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with tarfile.open(HERE / f"{name}.tar.xz") as archive:
        unpack(archive, folder)
    return folder / name


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Files and folders of an archive, none of them outside of the folder; nothing else may be in it.

    `extractall(filter=...)` came with Python 3.11.4, and Debian 12 has 3.11.2.
    """
    for member in archive:
        target = (folder / member.name).resolve()
        if not target.is_relative_to(folder.resolve()) or not (member.isfile() or member.isdir()):
            message = f"{member.name} is not a file below the folder"
            raise tarfile.TarError(message)
        if member.isdir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        content = archive.extractfile(member)
        assert content is not None
        target.write_bytes(content.read())


def said(product: Platform, text: str, name: str) -> tuple[Complaint, ...]:
    """What the models of a release say against a text of a product. Skips where libyang is not installed."""
    need_libyang()
    return complaints(known_of(product), text, Schemas((models(name),)))
