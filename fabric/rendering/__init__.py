"""Stage 4: devices to artifacts. Jinja prints; nothing is decided here."""

from fabric.rendering.hosts import HostArtifact, HostArtifacts
from fabric.rendering.memory import Card, Cards, read_cards, write_cards
from fabric.rendering.render import Artifacts, render

__all__ = [
    "Artifacts",
    "Card",
    "Cards",
    "HostArtifact",
    "HostArtifacts",
    "read_cards",
    "render",
    "write_cards",
]
