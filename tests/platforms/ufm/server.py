"""A server that speaks UFM's REST API over HTTPS and refuses what UFM refuses.

Written from NVIDIA's UFM Enterprise REST API Guide (6.9 to 6.22: PKey GUIDs, UFM Version, UFM Configuration), the UFM
simulator of NVIDIA/infra-controller (`crates/ufm-mock`: statuses, shapes, the predefined key, the default rate) and
the mock of NVIDIA's config manager (UFM 6.19: `memberships` is ignored where members are added and honoured where
they are set; a partition goes with its last member). Two nodes of a pair share one database, as UFM HA replicates it.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

PORT_GUID = re.compile(r"(?:0x)?[0-9a-fA-F]{16}")


class Refused(Exception):
    """A status and words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass
class Partition:
    """As UFM keeps it: 2.5 Gb/s and 2 KiB are what nobody asked for."""

    name: str
    ip_over_ib: bool = True
    index0: bool = False
    mtu_limit: int = 2
    service_level: int = 0
    rate_limit: float = 2.5
    members: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass
class Database:
    """What both nodes of a pair have."""

    partitions: dict[str, Partition] = field(default_factory=dict)
    known: frozenset[str] | None = None
    """GUIDs of ports in the fabric; None: any."""
    history: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of everything that was asked."""
    seen: list[dict[str, frozenset[str]]] = field(default_factory=list)
    """Members by P_Key after each request that changed something."""

    def remember(self) -> None:
        self.seen.append({key: frozenset(one.members) for key, one in self.partitions.items()})

    def members(self) -> dict[str, dict[str, str]]:
        """Membership by P_Key and GUID."""
        return {
            key: {guid: said["membership"] for guid, said in one.members.items()}
            for key, one in self.partitions.items()
        }


Fault = Callable[[str, str], None]


class Node:
    """One UFM server. `close` ends its thread."""

    def __init__(self, database: Database, certificate: Path, *, release: str = "6.22.1-4") -> None:
        self.database, self.release = database, release
        self.username, self.password = "operator", "a-secret-word"
        self.is_running = True
        """Whether UFM runs behind the web server: on a standby it does not."""
        self.ha_mode, self.standby = "Disabled", []
        self.fault: Fault = lambda _method, _path: None
        """Called before every request that changes something; may raise."""
        self.late_fault: Fault = lambda _method, _path: None
        """Called after it was done, before it is answered; may raise."""
        node = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def answer(self) -> None:
                node.handle(self)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer  # noqa: N815

            def log_message(self, *_words: Any) -> None:
                """Silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.shows(certificate)
        self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def shows(self, certificate: Path) -> None:
        """This certificate, to whoever connects from now on."""
        self._tls.load_cert_chain(certificate)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        length = int(request.headers.get("Content-Length") or 0)
        data = request.rfile.read(length)
        try:
            status, said = 200, self._answer(request, data)
        except Refused as refusal:
            status, said = refusal.status, {"error": str(refusal)}
        except ConnectionAbortedError:
            request.close_connection = True
            return
        body = json.dumps(said).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def _answer(self, request: BaseHTTPRequestHandler, data: bytes) -> Any:
        url, method = urlsplit(request.path), request.command
        self.database.history.append((method, request.path))
        if not self.is_running:
            raise Refused(503, "Service Unavailable")
        wanted = "Basic " + base64.b64encode(f"{self.username}:{self.password}".encode()).decode()
        if request.headers.get("Authorization") != wanted:
            raise Refused(401, "invalid credentials")
        if url.path.startswith("/ufmRest/actions/"):
            raise Refused(404, "deprecated: use /ufmRest/resources")
        if method != "GET":
            self.fault(method, url.path)
        query = {key: values[-1] == "true" for key, values in parse_qs(url.query).items()}
        said = self._route(method, url.path.removeprefix("/ufmRest").rstrip("/"), query, data)
        if method != "GET":
            self.database.remember()
            self.late_fault(method, url.path)
        return said

    def _route(self, method: str, path: str, query: dict[str, bool], data: bytes) -> Any:
        body = json.loads(data) if data else {}
        fixed: dict[tuple[str, str], Callable[[], Any]] = {
            ("GET", "/app/ufm_version"): lambda: {"ufm_release_version": self.release},
            ("GET", "/app/ufm_config"): lambda: {"ha_mode": self.ha_mode, "ha_standby_node": self.standby},
            ("GET", "/resources/pkeys"): lambda: self._list(query),
            ("POST", "/resources/pkeys/add"): lambda: self._add(body),
            ("POST", "/resources/pkeys"): lambda: self._join(body, set_all=False),
            ("PUT", "/resources/pkeys"): lambda: self._join(body, set_all=True),
            ("PUT", "/resources/pkeys/qos_conf"): lambda: self._limit(body),
        }
        if (method, path) in fixed:
            return fixed[method, path]()
        if method == "DELETE" and (found := re.fullmatch(r"/resources/pkeys/(\w+)/guids/([^/]+)", path)):
            return self._remove(_pkey(found[1]), found[2].split(","))
        if method == "DELETE" and (found := re.fullmatch(r"/resources/pkeys/(\w+)", path)):
            return self._delete(_pkey(found[1]))
        raise Refused(404, f"no such resource: {method} {path}")

    def _list(self, query: dict[str, bool]) -> dict[str, Any]:
        """Members or limits: who asks for both gets the members only."""
        management = {"partition": "management", "ip_over_ib": True, "guids": []}
        found: dict[str, Any] = {"0x7fff": management}
        for key, one in self.database.partitions.items():
            found[key] = {"partition": one.name, "ip_over_ib": one.ip_over_ib}
            if query.get("guids_data"):
                found[key]["guids"] = [{"guid": guid, **said} for guid, said in one.members.items()]
            elif query.get("qos_conf"):
                limits = ("mtu_limit", "service_level", "rate_limit")
                found[key]["qos_conf"] = {name: getattr(one, name) for name in limits}
        return found

    def _find(self, key: str) -> Partition:
        if key not in self.database.partitions:
            raise Refused(404, f"partition {key} was not found")
        return self.database.partitions[key]

    def _add(self, body: dict[str, Any]) -> Any:
        key = _pkey(body.get("pkey"))
        if key in self.database.partitions:
            raise Refused(409, f"partition {key} is there already")
        made = self.database.partitions[key] = Partition(f"api_pkey_{key}")
        if self.release >= "6.22" and body.get("partition_name"):
            made.name = body["partition_name"]
        for name in ("ip_over_ib", "index0", "mtu_limit", "service_level", "rate_limit"):
            setattr(made, name, body.get(name, getattr(made, name)))
        return {}

    def _join(self, body: dict[str, Any], *, set_all: bool) -> Any:
        key, guids = _pkey(body.get("pkey")), body.get("guids")
        if not isinstance(guids, list) or not all(PORT_GUID.fullmatch(str(guid)) for guid in guids):
            raise Refused(400, "a GUID is a hexadecimal string of 16 to 20 characters")
        bare = [guid.lower().removeprefix("0x") for guid in guids]
        if self.database.known is not None and (strangers := set(bare) - self.database.known):
            raise Refused(404, f"port {min(strangers)} was not found")
        membership = body.get("membership", "full")
        if membership not in ("full", "limited"):
            raise Refused(400, f"membership {membership!r}")
        memberships = [membership] * len(bare)
        if set_all and "memberships" in body:
            memberships = body["memberships"]
            if len(memberships) != len(bare):
                raise Refused(400, "as many memberships as GUIDs")
        one = self.database.partitions.setdefault(key, Partition(f"api_pkey_{key}"))
        one.ip_over_ib = body.get("ip_over_ib", True)
        if set_all:
            one.members.clear()
        for guid, kind in zip(bare, memberships, strict=True):
            one.members[guid] = {"membership": kind, "index0": body.get("index0", False)}
        return {}

    def _limit(self, body: dict[str, Any]) -> Any:
        one = self._find(_pkey(body.get("pkey")))
        for name in ("mtu_limit", "service_level", "rate_limit"):
            setattr(one, name, body[name])
        return {}

    def _remove(self, key: str, guids: list[str]) -> Any:
        one = self._find(key)
        for guid in guids:
            if one.members.pop(guid.lower().removeprefix("0x"), None) is None:
                raise Refused(404, f"{guid} is not a member of {key}")
        if not one.members:
            del self.database.partitions[key]
        return {}

    def _delete(self, key: str) -> Any:
        self._find(key)
        del self.database.partitions[key]
        return {}


class SharedAddress:
    """The address of a pair: every connection goes to the node that is the master now."""

    def __init__(self, first: Node, second: Node) -> None:
        self.master, self.standby = first, second
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def fail_over(self) -> None:
        """The master dies, its connections with it; the standby takes over with the same database."""
        self.master.is_running = False
        self.master, self.standby = self.standby, self.master
        self.master.is_running = True
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.master.port))
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_relay, args=(source, target), daemon=True).start()


def _relay(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _pkey(said: Any) -> str:
    """`0x1` to `0x7ffe`."""
    try:
        number = int(str(said), 16)
    except ValueError:
        raise Refused(400, f"pkey {said!r}") from None
    if not 0 < number < 0x7FFF:
        raise Refused(400, f"pkey {said} is not between 0x0 and 0x7fff")
    return f"{number:#x}"
