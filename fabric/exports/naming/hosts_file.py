"""/etc/hosts: every address with its name, and the name with the domain where there is one (hosts(5))."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.exports.naming.names import named_addresses
from fabric.exports.printing import MADE
from fabric.exports.source import Kind, Lines, Source


def _lines(source: Source) -> Iterator[str]:
    domain = (source.intent.site.services.management.domain or "").rstrip(".")
    yield MADE
    for row in named_addresses(source.views):
        names = f"{row.name}.{domain} {row.name}" if domain else row.name
        yield f"{row.address}\t{names}\n"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "hosts", partial(_lines, source)


KIND = Kind(
    "hosts-file",
    "addresses and names, to be appended to /etc/hosts",
    lambda source: any(True for _ in named_addresses(source.views)),
    _files,
)
