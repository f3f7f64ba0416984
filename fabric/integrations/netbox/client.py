"""NetBox's REST API, read-only: pages of records over verified HTTPS, with a token that no message repeats.

Source: netbox 4.6, `docs/integrations/rest-api.md`: `count`, `results`; `limit` and `offset`, where the server may give
less than the limit; tokens of version 2 (`Bearer nbt_...`) and 1 (`Token ...`). The address of the next page is not
taken from the answer, and redirections are not followed: either could send the token elsewhere.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from fabric.diagnostics import Diagnostic, Invalid, Origin
from fabric.integrations import codes

PAGE = 500
LARGEST_PAGE_BYTES = 64 * 2**20
TIMEOUT_S = 60
MOST_WORDS = 300
"""Letters of a complaint that are repeated."""
VERSION_2 = "nbt_"
SECURE = "https"


class NetBox:
    """One server."""

    def __init__(self, url: str, token: str, ca_file: str | None = None) -> None:
        """`Invalid` if the address is not one of HTTPS, or `ca_file` cannot be read."""
        parts = urlsplit(url)
        if parts.scheme != SECURE or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise _failed(
                codes.NO_ANSWER,
                "the address is not `https://HOST[:PORT][/PATH]`: the token would be readable",
            )
        self._to = (parts.hostname, parts.port or 443)
        self._base = parts.path.rstrip("/")
        self._token = token
        self.where = f"{parts.hostname}:{self._to[1]}"
        try:
            self._context = ssl.create_default_context(cafile=ca_file)
        except OSError as error:
            raise _failed(codes.NO_ANSWER, f"{ca_file}: {error.strerror or error}") from None

    def records(self, path: str, filters: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
        """Every record of a list, page by page. `Invalid` if the list is not whole."""
        connection = HTTPSConnection(*self._to, timeout=TIMEOUT_S, context=self._context)
        try:
            yield from self._pages(connection, path, filters)
        finally:
            connection.close()

    def _pages(
        self, connection: HTTPSConnection, path: str, filters: Mapping[str, str]
    ) -> Iterator[Mapping[str, Any]]:
        offset, total = 0, None
        while total is None or offset < total:
            query = urlencode({**filters, "limit": PAGE, "offset": offset, "ordering": "id"})
            page = self._page(connection, f"{self._base}/api/{path}/?{query}")
            count, results = page["count"], page["results"]
            if total is not None and count != total:
                raise _failed(
                    codes.NOT_UNDERSTOOD,
                    f"{path}: {total} records at first, {count} now: it changes while we read",
                )
            if not results and offset < count:
                raise _failed(codes.NOT_UNDERSTOOD, f"{path}: {count} records are promised, {offset} came")
            total, offset = count, offset + len(results)
            yield from results

    def _page(self, connection: HTTPSConnection, target: str) -> Mapping[str, Any]:
        scheme = "Bearer" if self._token.startswith(VERSION_2) else "Token"
        headers = {"Authorization": f"{scheme} {self._token}", "Accept": "application/json"}
        try:
            connection.request("GET", target, headers=headers)
            answer = connection.getresponse()
            data = answer.read(LARGEST_PAGE_BYTES + 1)
        except ssl.SSLCertVerificationError as error:
            raise _failed(
                codes.NO_ANSWER, f"{self.where}: its certificate is not trusted: {error.verify_message}"
            ) from None
        except (OSError, HTTPException) as error:
            raise _failed(
                codes.NO_ANSWER, f"{self.where}: {self._words(str(error) or type(error).__name__)}"
            ) from None
        self._check_status(answer, data)
        return self._read(answer, data)

    def _check_status(self, answer: HTTPResponse, data: bytes) -> None:
        if answer.status == 200:
            return
        meaning = {
            400: "the filter is refused: is there such a site?",
            401: "the token is missing or unknown",
            403: "the token is not valid, or may not view devices",
            404: "there is no NetBox at this address",
        }.get(answer.status, "it cannot answer now" if answer.status >= 500 else "it points elsewhere")
        words = self._words(data.decode(errors="replace"))
        raise _failed(codes.NO_ANSWER, f"{self.where}: HTTP {answer.status}: {meaning} ({words})")

    def _read(self, answer: HTTPResponse, data: bytes) -> Mapping[str, Any]:
        length = answer.headers.get("Content-Length")
        if len(data) > LARGEST_PAGE_BYTES or (
            length is not None and length.isdigit() and int(length) != len(data)
        ):
            raise _failed(
                codes.NOT_UNDERSTOOD,
                f"{self.where}: the answer is cut off after {len(data)} bytes, or too large",
            )
        try:
            page = json.loads(data)
        except (ValueError, RecursionError):
            raise _failed(
                codes.NOT_UNDERSTOOD, f"{self.where}: the answer is not JSON, or is cut off"
            ) from None
        results = page.get("results") if isinstance(page, dict) else None
        count = page.get("count") if isinstance(page, dict) else None
        is_list = isinstance(results, list) and all(isinstance(record, dict) for record in results)
        if not is_list or isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise _failed(codes.NOT_UNDERSTOOD, f"{self.where}: the answer is not a page of records")
        found: Mapping[str, Any] = page
        return found

    def _words(self, text: str) -> str:
        """What it says on one line, without the token and without what a terminal would obey."""
        plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return plain.replace(self._token, "***")[:MOST_WORDS]


def _failed(code: Any, rule: str) -> Invalid:
    found: Diagnostic = code.at(Origin((), "netbox"), rule, hint=code.fix)
    return Invalid([found])
