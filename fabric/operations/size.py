"""The cheapest layouts for a number of GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.capacity import Found, Request
    from fabric.hardware import Catalogue


def size(request: Request, catalogue: Catalogue, choices: int = 10) -> Found:
    """The cheapest layouts of a network that does not exist yet. `Invalid` if the catalogue's models join it nohow."""
    from fabric import capacity  # late: only this command needs it

    return capacity.size(request, catalogue, choices)
