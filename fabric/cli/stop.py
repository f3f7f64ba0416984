"""What ends a command early."""

from __future__ import annotations

from fabric.diagnostics import Code, FabricError


class Stop(FabricError):
    """A command cannot go on, for a reason that has a code of its own."""

    def __init__(self, code: Code, reason: str, hint: str | None = None) -> None:
        self.code = code
        self.hint = hint
        super().__init__(reason)
