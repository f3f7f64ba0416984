"""`fabric simulate`: the command, and how its answer is shown."""

from fabric.cli.commands.simulate.collective import run
from fabric.cli.commands.simulate.options import ALGORITHMS, DP_OPERATIONS, HASHES, OPERATIONS

__all__ = ["ALGORITHMS", "DP_OPERATIONS", "HASHES", "OPERATIONS", "run"]
