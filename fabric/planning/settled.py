"""Devices that run what they ran after the last apply of today's text: what is said of lines of others there."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.configuration import foreign, kept_lines
from fabric.planning.model import Observation
from fabric.planning.overriding import overriding
from fabric.platforms.base import Artifact
from fabric.platforms.registry import platform
from fabric.rendering import Artifacts, ForeignLines, RenderRecord


def foreign_lines(
    record: RenderRecord, ours: str, seen: Observation, artifacts: Mapping[str, Artifact]
) -> ForeignLines:
    """The lines of others beside `ours`, the masked text of the record.

    They depend on these two texts alone. So they are kept with the record, and found out once for each pair.
    """
    if record.foreign is not None and record.foreign.digest == seen.digest:
        return record.foreign
    product = platform(record.platform)
    found = () if product.whole else foreign(product.dialect(), ours, seen.text, ours)
    theirs = ForeignLines(seen.digest, len(kept_lines(found)), overriding(found))
    if isinstance(artifacts, Artifacts):
        artifacts.note(seen.device, theirs)
    return theirs
