"""Sends and counts packets in one box: `python -m fabric.lab.traffic_agent`, in the box's network namespace.

One process a namespace, one thread. It reads a JSON object a line and answers with one: `{"pings": …}` is answered
when every reply is there or the time is over; `{"flows": …}` with `{"ready": true}`, then packets go from the next line
to the one after it, and the counts are printed. The end of its input ends it.
"""

from __future__ import annotations

import io
import json
import os
import select
import socket
import struct
import time
from contextlib import suppress
from typing import Any

PORT = 47_808
"""Of UDP, for flows; every box listens on it at all its addresses."""
PACKET = struct.Struct("!IId")
"""Flow, sequence number, time of sending in seconds of CLOCK_MONOTONIC: one clock for all namespaces."""
ECHO = struct.Struct("!BBHHH")
"""Type, code, checksum, identifier, sequence number (RFC 792, RFC 4443)."""
REQUEST = {socket.AF_INET: 8, socket.AF_INET6: 128}
REPLY = {socket.AF_INET: 0, socket.AF_INET6: 129}
TRIES = 3
RECEIVE_BUFFER_BYTES = 4 * 2**20
LINES = io.FileIO(0, closefd=False)
"""Without a buffer: a line that had been read along with the one before would never be seen to come in."""
DRAIN_S = 0.3
"""What is on its way when sending ends arrives within that time."""


def main() -> None:
    """Answer lines until there are no more."""
    for line in LINES:
        order = json.loads(line)
        if "pings" in order:
            say(ping(order["pings"], order["timeout_s"]))
        else:
            say(Flows(order).run())


def say(answer: Any) -> None:
    """One line."""
    print(json.dumps(answer), flush=True)  # noqa: T201  # it is what this program is for


def family_of(address: str) -> socket.AddressFamily:
    """IPv4 or IPv6."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def ping(pairs: list[list[str]], timeout_s: float) -> list[bool]:
    """Whether each target answers an echo request from each source. Several tries within the time."""
    identifier = os.getpid() & 0xFFFF
    sockets = {source: echo_socket(source) for source, _ in pairs}
    answered = [False] * len(pairs)
    end = time.monotonic() + timeout_s
    for attempt in range(1, TRIES + 1):
        for number, (source, target) in enumerate(pairs):
            if not answered[number]:
                send_echo(sockets[source], target, identifier, number)
        take_replies(sockets, pairs, identifier, answered, end - timeout_s * (1 - attempt / TRIES))
        if all(answered):
            break
    return answered


def echo_socket(source: str) -> socket.socket:
    """A raw socket from that address."""
    family = family_of(source)
    protocol = socket.IPPROTO_ICMP if family == socket.AF_INET else socket.IPPROTO_ICMPV6
    raw = socket.socket(family, socket.SOCK_RAW, protocol)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    raw.bind((source, 0))
    raw.settimeout(0)
    return raw


def send_echo(raw: socket.socket, target: str, identifier: int, number: int) -> None:
    """Send one echo request; no route is as good as no answer."""
    data = struct.pack("!I", number)
    head = ECHO.pack(REQUEST[family_of(target)], 0, 0, identifier, number & 0xFFFF)
    packet = (
        ECHO.pack(REQUEST[family_of(target)], 0, checksum(head + data), identifier, number & 0xFFFF) + data
    )
    try:
        raw.sendto(packet, (target, 0))
    except OSError:
        return


def checksum(data: bytes) -> int:
    """RFC 1071; the kernel computes that of ICMPv6 itself."""
    total: int = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def take_replies(
    sockets: dict[str, socket.socket],
    pairs: list[list[str]],
    identifier: int,
    answered: list[bool],
    end: float,
) -> None:
    """Mark what is answered, from the right target, until all is or the time is over."""
    while not all(answered) and (left := end - time.monotonic()) > 0:
        for raw in select.select(list(sockets.values()), [], [], left)[0]:
            packet, sender = raw.recvfrom(2048)
            body = packet[(packet[0] & 15) * 4 :] if raw.family == socket.AF_INET else packet
            if len(body) < ECHO.size + 4:
                continue
            kind, _, _, own, _ = ECHO.unpack_from(body)
            (number,) = struct.unpack_from("!I", body, ECHO.size)
            if (kind, own) == (REPLY[raw.family], identifier) and number < len(pairs):
                answered[number] = answered[number] or pairs[number][1] == sender[0]


class Flows:
    """Packets of some flows sent, and of others received, until a line comes in."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.interval_s = order["interval_s"]
        # Listeners first: the port that the system chooses for a sender may be theirs.
        self.listeners = [listener(address) for address in order["addresses"]]
        self.senders = {number: sender(*ends) for number, *ends in order["flows"]}
        self.sent = dict.fromkeys(self.senders, 0)
        self.times: list[float] = []
        """First and last sending."""
        self.received: dict[int, Received] = {}
        self.epoll = select.epoll()
        for each in self.listeners:
            self.epoll.register(each, select.EPOLLIN)
        self.by_number = {each.fileno(): each for each in self.listeners}
        self.epoll.register(LINES, select.EPOLLIN)

    def run(self) -> dict[str, Any]:
        """Wait for the word to start, send and receive until the word to stop, then count."""
        say({"ready": True})
        LINES.readline()
        due = time.monotonic()
        while not self._turn(due):
            if time.monotonic() >= due:
                self._send()
                due = max(due + self.interval_s, time.monotonic())  # no burst after a pause
        LINES.readline()
        end = time.monotonic() + DRAIN_S
        while time.monotonic() < end:
            self._turn(end, stdin=False)
        return {
            "sent": self.sent,
            "times": self.times,
            "received": {number: counts.answer() for number, counts in self.received.items()},
        }

    def _send(self) -> None:
        now = time.monotonic()
        self.times = [self.times[0] if self.times else now, now]
        for number, udp in self.senders.items():
            with suppress(OSError):  # no route, or an ICMP error of the packet before: sent, and lost
                udp.send(PACKET.pack(number, self.sent[number], now))
            self.sent[number] += 1

    def _turn(self, due: float, *, stdin: bool = True) -> bool:
        """Receive what is there, or wait until `due`. Whether the word to stop is there."""
        for number, _ in self.epoll.poll(max(0.0, due - time.monotonic())):
            if number == LINES.fileno():
                if stdin:
                    return True
                self.epoll.unregister(LINES)
            else:
                self._receive(self.by_number[number])
        return False

    def _receive(self, udp: socket.socket) -> None:
        while True:
            try:
                packet = udp.recv(PACKET.size)
            except OSError:  # nothing more
                return
            if len(packet) == PACKET.size:
                flow, sequence, sent_at = PACKET.unpack(packet)
                self.received.setdefault(flow, Received()).take(sequence, sent_at)


class Received:
    """What has come of one flow."""

    def __init__(self) -> None:
        self.count, self.highest, self.last_sent_at = 0, -1, 0.0
        self.silence_s, self.silent_from = 0.0, 0.0

    def take(self, sequence: int, sent_at: float) -> None:
        """A packet. Silence is measured at the sender: between two packets that came, with lost ones in between."""
        self.count += 1
        if sequence <= self.highest:
            return  # overtaken on another path
        if self.highest >= 0 and sequence > self.highest + 1 and sent_at - self.last_sent_at > self.silence_s:
            self.silence_s, self.silent_from = sent_at - self.last_sent_at, self.last_sent_at
        self.highest, self.last_sent_at = sequence, sent_at

    def answer(self) -> dict[str, float]:
        """For the one who asks."""
        return vars(self)


def sender(source: str, target: str) -> socket.socket:
    """A socket of its own for each flow: the port chooses one of several equal paths."""
    udp = socket.socket(family_of(source), socket.SOCK_DGRAM)
    udp.bind((source, 0))
    udp.connect((target, PORT))
    udp.settimeout(0)
    return udp


def listener(address: str) -> socket.socket:
    """A socket that takes the packets of all flows to an address."""
    udp = socket.socket(family_of(address), socket.SOCK_DGRAM)
    udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    udp.bind((address, PORT))
    udp.settimeout(0)
    return udp


if __name__ == "__main__":
    main()
