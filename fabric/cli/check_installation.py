"""Notice the other distribution that is imported as `fabric`: the SSH library on PyPI.

Both write into the same folder of site-packages, and pip overwrites files in silence. Nothing but the
standard library is used here: any other module of ours may be gone.
"""

from __future__ import annotations

import os
from pathlib import Path

THEIRS = ("connection.py", "tunnels.py")
"""Modules that the SSH library (https://www.fabfile.org, 2.x and 3.x) has and that we will never have."""

MESSAGE = """\
error: FAB900: the SSH library `fabric` is installed in the same Python environment as `fabric-as-code`
    Both are imported as `fabric`, so each has overwritten files of the other: {folder}
    hint: give this program an environment of its own, with `pipx install` or `uv tool install` (README, Install).
          To repair this environment: `pip uninstall fabric fabric-as-code`, then install the one that you want
          here."""


def warning(folder: str | None = None) -> str | None:
    """What to tell the user if the SSH library lies in our folder; None if it does not."""
    here = Path(folder or Path(__file__).parent.parent)
    if not any(os.path.exists(here / name) for name in THEIRS):  # noqa: PTH110  # also where we may not look
        return None
    return MESSAGE.format(folder=here)
