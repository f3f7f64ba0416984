"""A port for a server is one that no other server has."""

from __future__ import annotations

import socket

from tests import ports


class Chosen:
    """What would be chosen by chance, in this order."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = iter(numbers)

    def randrange(self, _first: int, _behind: int) -> int:
        return next(self.numbers)


def test_the_port_of_a_server_on_any_address_is_not_chosen(monkeypatch):
    free = ports.free_port()
    for address in ("127.0.0.1", "127.0.0.9", ""):
        with socket.socket() as server:
            server.bind((address, 0))
            server.listen()
            taken = server.getsockname()[1]
            chosen = Chosen(taken, free)
            monkeypatch.setattr(ports, "SystemRandom", lambda chosen=chosen: chosen)

            assert ports.free_port() == free
