"""`fabric simulate`: the command, and how its answer is shown."""

from fabric.cli.commands.simulate.collective import ALGORITHMS, HASHES, OPERATIONS, run

__all__ = ["ALGORITHMS", "HASHES", "OPERATIONS", "run"]
