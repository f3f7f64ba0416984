"""Requests over HTTPS, of all products whose drivers send them."""

from __future__ import annotations

import socket

from fabric.platforms.https.tls import VerifiedConnection
from fabric.platforms.trust import Trust


def test_a_request_is_one_write() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)  # a message is one write
    with ours, theirs:
        connection = VerifiedConnection("192.0.2.1", 443, Trust(), 5)
        connection.sock = ours
        for body in (b"{}", b"x" * 40_000, None):
            connection.request("POST", "/command-api", body, {"Content-type": "application/json"})
            sent = theirs.recv(1 << 20)
            theirs.send(b"HTTP/1.1 204 No Content\r\n\r\n")

            assert sent.startswith(b"POST /command-api HTTP/1.1\r\n")
            assert sent.endswith(b"\r\n\r\n" + (body or b""))
            assert b"" == connection.getresponse().read()
