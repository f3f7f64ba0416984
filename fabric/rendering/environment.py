"""The Jinja2 environments: a fast one for shipped templates, a sandboxed one for a site's own."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fabric.resources import resource

if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS: dict[str, Any] = {
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,  # the output is no HTML; values cannot carry lines or escapes (see documents.words)
    "auto_reload": False,
    "cache_size": 400,
}


def environment(folders: Sequence[Path] = (), *, site_templates: Path | None = None) -> Environment:
    """The environment for shipped templates, those of other distributions (`folders`), and a site's own.

    A site's template replaces the shipped one of the same name. It comes from outside, so it runs in the
    sandbox, without a bytecode cache, and ten times slower.
    """
    if site_templates is None:
        return _trusted(tuple(folders))
    loader = ChoiceLoader([FileSystemLoader(site_templates), *_loaders(tuple(folders))])
    return ImmutableSandboxedEnvironment(loader=loader, **OPTIONS)


@cache
def _trusted(folders: tuple[Path, ...]) -> Environment:
    return Environment(  # noqa: S701  # no HTML; see OPTIONS
        loader=ChoiceLoader(_loaders(folders)), bytecode_cache=_bytecode_cache(), **OPTIONS
    )


def _loaders(folders: tuple[Path, ...]) -> list[BaseLoader]:
    return [FileSystemLoader(folder) for folder in (resource("templates"), *folders)]


def _bytecode_cache() -> BytecodeCache | None:
    """A cache of compiled templates that only this user can write: its files are executed.

    None where no such folder can be had; templates are then compiled anew, in some 80 ms.
    """
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "fabric-as-code" / "templates"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return None
    private = status.st_uid == os.getuid() and not status.st_mode & 0o022
    return FileSystemBytecodeCache(str(folder)) if private else None
