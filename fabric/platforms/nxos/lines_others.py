"""Lines that are known by their first words alone: what a change of them does is known, what they say is not read."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.configuration import Access, Effect, Statement


def others(effect: Effect, *starts: str, access: Access | None = None) -> Iterator[Statement]:
    """A statement for all lines that begin with the same words. It belongs behind those that read some of them."""
    for start in starts:
        yield Statement(f"{start} <rest*>", is_unread=True, effect=effect, access=access, topic=start)
