"""What the laws over all platforms must know of OpenSM."""

from __future__ import annotations

from tests.platforms.expectations import SubnetExpectations

EXPECTED = SubnetExpectations(
    own_files={
        "options": "lines of opensm.conf",
        "simulation": "the files for a simulated subnet",
        "simulation_run": "a folder in which it runs",
    },
)
