"""What goes wrong in a request."""

from __future__ import annotations


class RpcError(Exception):
    """The device refuses a request as a whole, in these words."""
