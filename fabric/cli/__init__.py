"""The command line: arguments in, text and exit code out. Each command calls one function of `fabric.api`.

Exit codes: 0 nothing to do, 2 changes pending, 1 any error (usage errors too), 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. The entry point of the program `fabric`."""
    from fabric.cli.foreign import warning  # noqa: PLC0415  # must run before anything that could be overwritten

    message = warning()
    if message is not None:
        import sys  # noqa: PLC0415

        print(message, file=sys.stderr)
        return 1
    from fabric.cli.run import run  # noqa: PLC0415

    return run(arguments)
