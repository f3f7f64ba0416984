"""`fabric simulate-queue`: queues under an incast."""

from fabric.cli.commands.simulate_queue.show_courses import run

__all__ = ["run"]
