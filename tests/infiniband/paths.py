"""Service levels of the path records between all ports of a subnet, asked of its manager one by one.

`saquery` is a process a question; this asks 17,000 in seconds. Run it as a program on a host of the subnet:
`paths.py LID-OF-MANAGER LID ...`. It prints `source destination level` of every ordered pair.

Layout of the packets: InfiniBand Architecture 1.4, 13.4.3 (header), 15.2.1.1 (SA header), 15.2.5.16 (PathRecord).
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

SA_CLASS, SA_VERSION, GET, PATH_RECORD = 0x03, 2, 0x01, 0x35
BY_DLID_AND_SLID = 1 << 4 | 1 << 5
SIZE, RECORD = 256, 56
"""Bytes of a MAD, and where its record starts."""
QP1_KEY = 0x80010000


def question(number: int, source: int, destination: int) -> bytes:
    """A SubnAdmGet of one PathRecord."""
    header = bytes([1, SA_CLASS, SA_VERSION, GET]) + bytes(4) + number.to_bytes(8) + PATH_RECORD.to_bytes(2)
    mad = bytearray(header.ljust(SIZE, b"\0"))
    mad[48:56] = BY_DLID_AND_SLID.to_bytes(8)
    mad[RECORD + 40 : RECORD + 44] = destination.to_bytes(2) + source.to_bytes(2)
    return bytes(mad)


def levels(manager: int, lids: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Source, destination and service level of every ordered pair. `RuntimeError` if one is refused."""
    umad = ctypes.CDLL("libibumad.so.3")
    umad.umad_get_mad.restype = ctypes.c_void_p
    umad.umad_init()
    port = umad.umad_open_port(None, 1)
    agent = umad.umad_register(port, SA_CLASS, SA_VERSION, 0, None)
    room = ctypes.create_string_buffer(umad.umad_size() + SIZE)
    mad = umad.umad_get_mad(room)
    known = list(lids)
    for number, (source, destination) in enumerate(((a, b) for a in known for b in known if a != b), 1):
        ctypes.memmove(mad, question(number, source, destination), SIZE)
        umad.umad_set_addr(room, manager, 1, 0, QP1_KEY)
        umad.umad_send(port, agent, room, SIZE, 2000, 3)
        length = ctypes.c_int(SIZE)
        umad.umad_recv(port, room, ctypes.byref(length), 8000)
        answer = ctypes.string_at(mad, SIZE)
        if any(answer[4:6]) or answer[RECORD + 40 : RECORD + 44] != destination.to_bytes(2) + source.to_bytes(
            2
        ):
            message = f"no path from {source} to {destination}: {answer[4:6].hex()}"
            raise RuntimeError(message)
        yield source, destination, answer[RECORD + 53] & 15


def parse(text: str) -> dict[tuple[int, int], int]:
    """What this program printed."""
    rows = (line.split() for line in text.splitlines())
    return {(int(row[0]), int(row[1])): int(row[2]) for row in rows if len(row) == 3 and row[0].isdigit()}


PROGRAM = str(Path(__file__))

if __name__ == "__main__":
    manager_lid, *others = map(int, sys.argv[1:])
    for found in levels(manager_lid, others):
        sys.stdout.write(" ".join(map(str, found)) + "\n")
