"""What is not wrong enough to stop: printed once, on stderr."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.cli.common_options import current
from fabric.cli.printing.findings import print_text, shown
from fabric.diagnostics import Diagnostic
from fabric.intent.accepted_findings import open_findings
from fabric.intent.model import Intent


def warn(diagnostics: Iterable[Diagnostic], intent: Intent) -> None:
    """Print findings in full, but none that somebody has accepted, and nothing with `--quiet`."""
    settings = current()
    if not settings.quiet:
        print_text(shown(open_findings(intent, diagnostics), intent.sources), settings)
