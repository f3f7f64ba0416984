"""A bench a test, for each platform with a driver."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.bench import Bench, bench, driven


@pytest.fixture(params=driven())
def device(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """One device of a product, running the first of its texts."""
    with bench(request.param, tmp_path) as made:
        yield made
