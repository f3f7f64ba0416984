"""Stage 4: devices to artifacts. Jinja prints; nothing is decided here."""

from fabric.rendering.render import Artifacts, render

__all__ = ["Artifacts", "render"]
