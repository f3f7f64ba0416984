"""DNS zone files: the domain of the switches, and the reverse zones of the site's own pools and management addresses.

Format: RFC 1035, 5.1; reverse names: RFC 1035, 3.5, and RFC 3596, 2.5. The serial is a digest of the records unless the
command line gives one: secondaries take only a serial that is newer (RFC 1982), so give one where there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from fabric.exports import rows
from fabric.exports.naming.names import NamedAddress, check_domain, named_addresses
from fabric.exports.source import Kind, Lines, Source

TTL_S = 3600
TIMES = "3600 900 1209600 3600"
"""Refresh, retry, expire, and the life of negative answers, in seconds."""
Network = IPv4Network | IPv6Network
Records = Callable[[], Iterable[str]]


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    domain = (source.intent.site.services.management.domain or "").rstrip(".")
    addresses = tuple(named_addresses(source.views))
    check_domain(domain, max((row.name for row in addresses), key=len, default=""), source.report)
    servers = tuple(str(server) for server in source.intent.site.services.management.dns)
    zone = partial(_zone, domain, servers, source.serial)
    yield f"{domain}.zone", partial(zone, f"{domain}.", partial(_forward, servers, addresses))
    cut: dict[str, list[NamedAddress]] = {}
    pools = tuple(ip_network(row.prefix) for row in rows.prefix_rows(source.views))
    for row in addresses:
        cut.setdefault(reverse_zone(row, pools), []).append(row)
    for name, members in sorted(cut.items()):
        yield f"{name}.zone", partial(zone, f"{name}.", partial(_reverse, name, domain, members))


def reverse_zone(row: NamedAddress, pools: Iterable[Network]) -> str:
    """The zone of an address: as large as its pool, or as its own network, but cut at a label."""
    address = ip_address(row.address)
    length = next((pool.prefixlen for pool in pools if address in pool), row.prefix_length)
    step, most = (8, 24) if row.version == 4 else (4, 64)
    labels = min(-(-max(length, step) // step), most // step)
    return ".".join(address.reverse_pointer.split(".")[-labels - 2 :])


def _zone(
    domain: str, servers: tuple[str, ...], serial: int | None, origin: str, records: Records
) -> Iterator[str]:
    number = serial if serial is not None else _digest(records())
    names = [f"ns{i}.{domain}." for i in range(1, len(servers) + 1)] or ["localhost."]
    yield f"; Made by fabric-as-code.\n$ORIGIN {origin}\n$TTL {TTL_S}\n"
    yield f"@ IN SOA {names[0]} hostmaster.{domain}. {number} {TIMES}\n"
    yield from (f"@ IN NS {name}\n" for name in names)
    yield from records()


def _digest(records: Iterable[str]) -> int:
    """A serial that follows from the records: 31 bits, never 0."""
    state = sha256()
    for record in records:
        state.update(record.encode())
    return int.from_bytes(state.digest()[:4], "big") >> 1 or 1


def _forward(servers: tuple[str, ...], addresses: Iterable[NamedAddress]) -> Iterator[str]:
    for i, server in enumerate(servers, 1):
        yield f"ns{i} IN {'AAAA' if ':' in server else 'A'} {server}\n"
    for row in addresses:
        yield f"{row.name} IN {'AAAA' if row.version == 6 else 'A'} {row.address}\n"


def _reverse(zone: str, domain: str, members: Iterable[NamedAddress]) -> Iterator[str]:
    for row in members:
        name = ip_address(row.address).reverse_pointer.removesuffix(f".{zone}")
        yield f"{name} IN PTR {row.name}.{domain}.\n"


KIND = Kind(
    "dns-zones",
    "zone files, forward and reverse",
    lambda source: bool(source.intent.site.services.management.domain),
    _files,
)
