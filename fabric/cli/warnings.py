"""What is not wrong enough to stop: printed once, on stderr."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.cli.findings import print_text
from fabric.cli.settings import current
from fabric.diagnostics import Diagnostic
from fabric.documents import Sources
from fabric.documents.printing import found


def warn(diagnostics: Iterable[Diagnostic], sources: Sources) -> None:
    """Print findings in full, but not with `--quiet`."""
    settings = current()
    if not settings.quiet:
        print_text(found(diagnostics, sources), settings)
