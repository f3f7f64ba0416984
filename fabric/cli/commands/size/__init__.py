"""`fabric size`: what to buy for a number of GPUs."""

from fabric.cli.commands.size.find_layouts import run

__all__ = ["run"]
