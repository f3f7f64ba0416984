"""Stage 4: devices to artifacts. Jinja prints; nothing is decided here."""

from fabric.rendering.render import Artifacts, render
from fabric.rendering.render_cache import (
    ForeignLines,
    RenderRecord,
    RenderRecords,
    read_records,
    write_records,
)
from fabric.rendering.render_hosts import HostArtifact, HostArtifacts

__all__ = [
    "Artifacts",
    "ForeignLines",
    "HostArtifact",
    "HostArtifacts",
    "RenderRecord",
    "RenderRecords",
    "read_records",
    "render",
    "write_records",
]
