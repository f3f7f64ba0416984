"""The sessions of a site with routers that are not ours."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.intent.model import ExternalBgp
from fabric.linting.site import Linted


def sessions(site: Linted) -> Iterator[tuple[str, Origin, ExternalBgp]]:
    """Name of the attachment, where its session is written, and what is written."""
    for name, attachment in site.intent.site.attachments.items():
        if attachment.bgp is not None:
            yield name, Origin(("attachments", name, "bgp")), attachment.bgp
