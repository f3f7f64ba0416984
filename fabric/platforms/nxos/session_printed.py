"""What a replace prints: whether it has happened, and what the switch complains of, without secrets."""

from __future__ import annotations

import re

from fabric.platforms.nxos import session_commits as commits
from fabric.platforms.nxos.secrets import mask_text


def is_done(output: str) -> bool:
    """Whether a replace has happened. NX-API reports one that failed as a success, with what was printed."""
    is_empty = commits.EMPTY in output and "Executing Rollback Patch" not in output
    return commits.DONE in output or (is_empty and "ail" not in output)


def complaints(output: str) -> str:
    """What the switch complains of, without secrets."""
    lines = [
        line.strip() for line in output.splitlines() if re.search("(?i)error|fail|mismatch|invalid", line)
    ]
    text = "; ".join(re.sub(r"(['`])(.*)\1", lambda part: f"`{masked(part[2])}`", line) for line in lines)
    return text or "the switch does not say that it has replaced its configuration"


def masked(line: str) -> str:
    """A command without its secrets: some are known at the margin, some below a section."""
    known = mask_text(line)
    return mask_text(f"  {line}").strip() if known == line else known
