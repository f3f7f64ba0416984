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
from fabric.verification.check import Schemas, complaints, known_of
from tests.conftest import needed

HERE = Path(__file__).parent


@cache
def models(name: str) -> Path:
    """The folder of a release's models: `sonic-202511`."""
    own = os.environ.get("FABRIC_YANG_DIR")
    if own and (Path(own) / name).is_dir():
        return Path(own) / name
    folder = Path(tempfile.mkdtemp(prefix="fabric-tests-yang-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with tarfile.open(HERE / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / name


def said(product: Platform, text: str, name: str) -> tuple[Complaint, ...]:
    """What the models of a release say against a text of a product. Skips where libyang is not installed."""
    if find_spec("libyang") is None:
        needed("libyang for Python")
    return complaints(known_of(product), text, Schemas((models(name),)))
