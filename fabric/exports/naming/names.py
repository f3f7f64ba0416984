"""Which name each address has: a device by its management address, its ports below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_address

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.exports import codes, rows
from fabric.exports.network_view import View
from fabric.exports.printing import slug
from fabric.exports.rows import AddressRow

LONGEST_LABEL, LONGEST_NAME = 63, 253
"""Characters of a label and of a whole name (RFC 1035, 2.3.4)."""


class NamedAddress(msgspec.Struct, frozen=True):
    """One address and its name."""

    name: str
    """Without the domain: `leaf-0-0`, `ethernet1-1.leaf-0-0`, `lo.leaf-0-0`."""
    address: str
    prefix_length: int
    network: str | None

    @property
    def version(self) -> int:
        """4 or 6."""
        return 6 if ":" in self.address else 4


def named_addresses(views: Iterable[View]) -> Iterator[NamedAddress]:
    """Every address with its name, by network and node."""
    for row in rows.address_rows(views):
        yield NamedAddress(_name(row), row.host, int(row.address.partition("/")[2]), row.network)


def _name(row: AddressRow) -> str:
    if row.device is None:
        return "gateway-" + ip_address(row.host).exploded.replace(":", "-").replace(".", "-")
    if row.kind == "management":
        return row.device
    return f"lo.{row.device}" if row.port is None else f"{slug(row.port)}.{row.device}"


def check_domain(domain: str, longest: str, report: Report) -> None:
    """Whether DNS can hold the names of a domain."""
    at = Origin(("services", "management", "domain"))
    labels = domain.rstrip(".").split(".")
    if any(
        not label or len(label) > LONGEST_LABEL or label[0] == "-" or label[-1] == "-" for label in labels
    ):
        rule = f"{domain!r} has an empty label, one of more than {LONGEST_LABEL} characters or with a hyphen at its end"
        report.add(codes.NAME.at(at, rule, value=domain, hint="write it as `net.example.com`"))
    elif len(f"{longest}.{domain}") > LONGEST_NAME:
        rule = f"{longest}.{domain} has more than {LONGEST_NAME} characters"
        report.add(codes.NAME.at(at, rule, value=domain, hint="use a shorter domain"))
