"""A small NetBox over HTTPS on loopback: pages, tokens, filters and errors as version 4.6 answers them.

It refuses what the real one refuses: no token, a wrong one, an unknown site, an unknown path, a cable on a taken port.
"""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.certificates import Authority

TOKEN_2, TOKEN_1 = "nbt_abcdefgh.0123456789abcdef", "0123456789abcdef0123456789abcdef01234567"
MOST = 3
"""Records of a page, whatever the limit: `MAX_PAGE_SIZE`."""


def device(number: int, name: str, site: str = "test", **more) -> dict:
    """A record as `/api/dcim/devices/` has it, shortened."""
    return {
        "id": number,
        "name": name,
        "site": {"id": 1, "name": site.upper(), "slug": site},
        "serial": f"S{number}",
        "rack": {"id": 5, "name": "R1"},
        "position": float(number),
        "platform": {"id": 2, "name": "Arista EOS", "slug": "eos"},
        "primary_ip": {"id": 9, "address": f"192.0.2.{number}/24"},
        **more,
    }


class Server:
    """What it has, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder, "authority")
        self.devices: list[dict] = []
        self.interfaces: list[dict] = []
        self.cables: list[dict] = []
        self.tokens = {f"Bearer {TOKEN_2}", f"Token {TOKEN_1}"}
        self.viewers = set(self.tokens)
        self.asked: list[tuple[str, str]] = []
        self.answer: Callable[[bytes], bytes] = lambda body: body
        """Damages an answer."""
        self.status = 200
        self.honest = True
        """It looks at filters."""
        self._signed = self.authority.signed("server")

    @contextmanager
    def running(self) -> Iterator[str]:
        """Its address while it runs."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._signed.certificate, self._signed.key)
        http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        http.socket = context.wrap_socket(http.socket, server_side=True)
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"https://127.0.0.1:{http.server_address[1]}"
        finally:
            http.shutdown()
            http.server_close()
            thread.join()

    def listed(self, path: str, query: dict[str, str]) -> tuple[int, dict]:
        """Status and content of a list."""
        if path == "/api/dcim/devices/":
            return self._devices(query)
        if path == "/api/dcim/interfaces/":
            found = [
                record
                for record in self.interfaces
                if (record["device"], record["name"]) == (query["device"], query["name"])
            ]
            return 200, {"count": len(found), "next": None, "previous": None, "results": found}
        return 404, {"detail": "Not found."}

    def _devices(self, query: dict[str, str]) -> tuple[int, dict]:
        sites = {record["site"]["slug"] for record in self.devices}
        if self.honest and query["site"] not in sites:
            return 400, {
                "site": [f"Select a valid choice. {query['site']} is not one of the available choices."]
            }
        found = [r for r in self.devices if not self.honest or r["site"]["slug"] == query["site"]]
        offset, limit = int(query.get("offset", 0)), min(int(query.get("limit", 50)), MOST)
        more = offset + limit < len(found)
        # A `next` that leads elsewhere: nobody may follow it with the token.
        following = "https://elsewhere.invalid/api/" if more else None
        return 200, {
            "count": len(found),
            "next": following,
            "previous": None,
            "results": found[offset : offset + limit],
        }

    def create(self, path: str, body: dict) -> tuple[int, dict]:
        """A new cable; a port that has one takes no other."""
        if path != "/api/dcim/cables/":
            return 404, {"detail": "Not found."}
        ends = [end["object_id"] for side in ("a_terminations", "b_terminations") for end in body[side]]
        ports = [record for record in self.interfaces if record["id"] in ends]
        if len(ports) != len(ends) or any(record["cable"] for record in ports):
            return 400, {"a_terminations": ["Duplicate termination found"]}
        self.cables.append(body)
        for record in ports:
            record["cable"] = {"id": len(self.cables), "label": body["label"]}
        return 201, {"id": len(self.cables), **body}


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            self._answer(lambda: server.listed(parts.path, query))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._answer(lambda: server.create(urlsplit(self.path).path, body))

        def _answer(self, made: Callable[[], tuple[int, dict]]) -> None:
            token = self.headers.get("Authorization", "")
            server.asked.append((self.path, token))
            if token not in server.tokens:
                status, content = 401, {"detail": f"Invalid token {token}"}
            elif token not in server.viewers:
                status, content = 403, {"detail": "You do not have permission to perform this action."}
            elif server.status != 200:
                status, content = server.status, {"detail": "\x1b[31mbusy"}
            else:
                status, content = made()
            whole = json.dumps(content).encode()
            data = server.answer(whole)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(whole)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = True

        def log_message(self, *_arguments) -> None:
            pass

    return Handler
