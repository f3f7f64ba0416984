"""What goes wrong in a request."""

from __future__ import annotations


class RestError(Exception):
    """The switch refuses a request, with a status of HTTP and in these words."""

    def __init__(self, status: int, detail: str) -> None:
        self.status, self.detail = status, detail
        super().__init__(detail)
