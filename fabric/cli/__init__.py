"""The command line: arguments in, text and exit code out. Each command calls one function of `fabric.api`.

Exit codes: 0 nothing to do, 2 changes pending, 1 any error (usage errors too), 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. The entry point of the program `fabric`."""
    from fabric.cli.check_installation import warning

    message = warning()
    if message is not None:
        import sys

        sys.stderr.write(f"{message}\n")
        return 1
    from fabric.cli.run import run

    return run(arguments)
