from __future__ import annotations

import pytest

from tests.planning.toy import Site, pod, register


@pytest.fixture(autouse=True)
def _toy_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


@pytest.fixture
def site() -> Site:
    return pod()
