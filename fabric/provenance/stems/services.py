"""Management services: they stand in the device as the intent writes them."""

from __future__ import annotations

from fabric.provenance.stems.row import row

ROWS = (
    row("services.ssh.allow", "who may connect by SSH", "services.ssh.allow services.management.allow"),
    row("services.*", "{setting}", "services.{setting}"),
)
