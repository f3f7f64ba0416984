"""Toy devices in a sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from fabric.sandbox import Sandbox, emulated_network
from tests.ports import free_port
from tests.sandbox.toy_device import toy


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Two devices that speak HTTPS and SSH."""
    record = SimpleNamespace(emulator="tests.sandbox.toy_device:make")
    monkeypatch.setattr(emulated_network, "platform", lambda _name: record)
    with Sandbox((toy("toy-0"), toy("toy-1")), port=free_port(), block=25) as sandbox:
        yield sandbox
