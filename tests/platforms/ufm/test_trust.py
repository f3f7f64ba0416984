"""UFM is known by the certificate that `fabric trust` has recorded."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from fabric.platforms.base import Target
from tests.platforms.recorded_devices import knows_nobody, recording_opens_and_another_is_refused
from tests.platforms.ufm.conftest import certificate
from tests.platforms.ufm.server import Node


def test_what_was_recorded_opens_the_connection_and_another_does_not(
    node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    knows_nobody(tmp_path / "home", monkeypatch)
    numbers = count()
    way = Target(
        name="ufm-1", address="127.0.0.1", port=node.port, username=node.username, password=node.password
    )

    recording_opens_and_another_is_refused(
        "ufm",
        way,
        tmp_path / "site",
        lambda: node.shows(certificate(tmp_path, f"another-{next(numbers)}")),
    )
