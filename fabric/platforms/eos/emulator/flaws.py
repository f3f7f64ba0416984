"""What EOS refuses at a commit although each line is well-formed by itself.

That EOS refuses these is known from operators' reports; its words for them are not published, so they are ours. A speed
that a port lacks is one of them unless `system l1` says `unsupported speed action warn`: `error` is what switches show
that nobody has told otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from fabric.platforms.eos.emulator.ports import ANY, Reach, lacks
from fabric.platforms.eos.emulator.tree import EMPTY, Block, Section

UNITS = {"segments": 208, "bytes": 1, "kbytes": 1000, "mbytes": 1_000_000, "milliseconds": 1}
"""Only like units are compared with each other, but for bytes."""
NO_PORTS: Mapping[str, Reach] = {}
WARN = "unsupported speed action warn"
BYTES = {"bytes", "kbytes", "mbytes"}
Place = tuple[str, str, IPv4Interface | IPv6Interface]
"""VRF, interface, address."""


def flaw(before: Section, after: Section, ports: Mapping[str, Reach] = NO_PORTS) -> str:
    """Why EOS refuses a configuration; empty: it does not. Interfaces that stay as they are were judged before.

    `ports`: what they can be set to; others can be set to anything.
    """
    known = set(map(id, before.items))
    new = [item for item in after.starting("interface ") if isinstance(item, Block) and id(item) not in known]
    only_warns = _only_warns(after)
    for block in new:
        problem = _threshold(block.body) or _bandwidth(block.body)
        if not problem and not only_warns:
            problem = _speed(block.body, ports.get(block.text.split()[1], ANY))
        if problem:
            return f"{block.text}: {problem}"
    return _overlap(after) if new else ""


def _threshold(body: Section) -> str:
    for line in _lines(body):
        words = line.split()
        if words[:3] == ["random-detect", "ecn", "minimum-threshold"]:
            low, low_unit = int(words[3]), words[4]
            place = words.index("maximum-threshold")
            high, high_unit = int(words[place + 1]), words[place + 2]
            comparable = low_unit == high_unit or {low_unit, high_unit} <= BYTES
            if comparable and low * UNITS[low_unit] > high * UNITS[high_unit]:
                return "minimum threshold is greater than maximum threshold"
    return ""


def _only_warns(config: Section) -> bool:
    system = (item for item in config.starting("system l1") if isinstance(item, Block))
    return any(WARN in _lines(block.body) for block in system)


def _speed(body: Section, reach: Reach) -> str:
    words = [line.split()[-1] for line in _lines(body) if line.startswith("speed ")]
    return next((f"speed {word} is not supported by this port" for word in words if lacks(reach, word)), "")


def _bandwidth(body: Section) -> str:
    shares = [int(line.split()[2]) for line in _lines(body) if line.startswith("bandwidth percent ")]
    return f"total bandwidth of {sum(shares)} percent exceeds 100" if sum(shares) > 100 else ""


def _lines(body: Section) -> Iterator[str]:
    for item in body.items:
        if isinstance(item, Block):
            yield from _lines(item.body)
        else:
            yield item.text


def _overlap(config: Section) -> str:
    """Two interfaces of a VRF with a subnet in common."""
    last: dict[tuple[str, int], tuple[Place, int]] = {}
    for place in sorted(_addresses(config), key=lambda p: (p[0], p[2].version, p[2].network)):
        vrf, name, address = place
        known = last.get((vrf, address.version))
        if known is not None and int(address.network.network_address) <= known[1]:
            _, other, theirs = known[0]
            if other != name:
                return f"interface {name}: subnet {address.network} overlaps with {theirs.network} of {other}"
        last[vrf, address.version] = place, int(address.network.broadcast_address)
    return ""


def _addresses(config: Section) -> Iterator[Place]:
    for item in config.starting("interface "):
        body = item.body if isinstance(item, Block) else EMPTY
        vrf = next((line.text.split()[1] for line in body.starting("vrf ")), "default")
        for line in body.items:
            words = line.text.split()
            if words[:2] in (["ip", "address"], ["ipv6", "address"]) and "/" in words[2]:
                yield vrf, item.text.split()[1], ip_interface(words[2])
