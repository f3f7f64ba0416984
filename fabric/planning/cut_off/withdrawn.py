"""Prefixes of hosts that a change takes out of BGP: whoever is behind them is reached from its own leaf only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_network

from fabric.configuration import Change as TextChange
from fabric.configuration import Node, differences
from fabric.devices.model import Device, Prefix, Switch
from fabric.planning.model import Change, Impact
from fabric.planning.ways import ENDS
from fabric.topology.attachments.address_blocks import is_inside

PREFIX = re.compile(r"(?<![\w.:])([0-9A-Fa-f:.]+/\d{1,3})(?![\w/])")
"""An address and a length, as every product writes them."""


def withdrawing(
    changes: tuple[Change, ...], texts: Sequence[TextChange], device: Device
) -> tuple[Change, ...]:
    """The changes of one device, those that take prefixes of its hosts out of BGP as `isolating`.

    `texts` are the changed sections that `changes` judge, in the same order. A prefix counts if a port of hosts or
    attachments will still have it, the device will not advertise it, and a line goes that names it or a block around
    it. What was not advertised before is not withdrawn.
    """
    lost = unadvertised(device) if isinstance(device, Switch) else ()
    if not lost:
        return changes
    kept = {prefix for text in texts for prefix in _prefixes(text, is_new=True)}
    judged = []
    for change, text in zip(changes, texts, strict=True):
        gone = [block for block in _prefixes(text, is_new=False) if block not in kept and block.prefixlen]
        hosts = [prefix for prefix in lost if any(is_inside(prefix, block) for block in gone)]
        judged.append(_worse(change, hosts) if hosts else change)
    return tuple(judged)


def unadvertised(switch: Switch) -> tuple[Prefix, ...]:
    """Prefixes of the ports and gateways of hosts and attachments that the switch shall not advertise."""
    ports = [port for port in switch.ports if port.role in ENDS and port.enabled]
    vlans = {port.vlan for port in ports}
    addresses = [address for port in ports for address in port.addresses]
    addresses += [
        address for gateway in switch.gateways if gateway.vlan in vlans for address in gateway.addresses
    ]
    prefixes = dict.fromkeys(address.network for address in addresses)
    blocks = [*switch.routing.aggregates, *(entry.prefix for entry in switch.routing.host_prefixes)]
    return tuple(prefix for prefix in prefixes if not any(is_inside(prefix, block) for block in blocks))


def _prefixes(change: TextChange, *, is_new: bool) -> Iterator[IPv4Network | IPv6Network]:
    """Every prefix that the changed lines name, as they were or as they will be."""
    lines = (line.new if is_new else line.old for line in differences(change))
    for text in _texts(line for line in lines if line is not None):
        for word in PREFIX.findall(text):
            with suppress(ValueError):
                yield ip_network(word)


def _texts(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        yield node.text
        yield from _texts(node.below.values())


def _worse(change: Change, hosts: Sequence[Prefix]) -> Change:
    more = f" and {len(hosts) - 1} more" if len(hosts) > 1 else ""
    reason = f"no other switch can reach {hosts[0]}{more} any more: withdrawn from BGP, and still in use by hosts here"
    return Change(change.what, change.action, Impact.ISOLATING, change.scope, reason)
