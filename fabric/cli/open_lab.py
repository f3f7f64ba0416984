"""A site's lab: where its state is, and the secrets that its switches run with."""

from __future__ import annotations

from pathlib import Path

from fabric.cli.open_sandbox import StandIns
from fabric.deployment import SecretSource
from fabric.platforms.base import ValueOf
from fabric.resources import SCRATCH


def folder_of_lab(site: Path) -> Path:
    """Where a site's lab keeps its state and keys."""
    return site / SCRATCH / "lab"


def lab_secrets(site: Path) -> ValueOf:
    """The value of a secret's reference: the site's own where it is there, else one that is made up."""
    source = SecretSource(environ=StandIns(), folder=site)
    return lambda reference: source.resolve([reference])[reference]
