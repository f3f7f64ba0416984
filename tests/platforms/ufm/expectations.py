"""What the laws over all platforms must know of UFM."""

from __future__ import annotations

from tests.platforms.expectations import SubnetExpectations

EXPECTED = SubnetExpectations(
    own_files={
        "moves": "the order in which partitions change",
        "pkeys": "partitions as bodies of requests",
        "rest": "its API",
        "running": "what a UFM has",
    },
    has_sharp=True,
)
