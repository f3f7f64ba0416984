"""What a field is about: the names by which the table of stems speaks of this port, session or class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.hosts.model import Host
from fabric.devices.model import LinkRole, PrefixRange
from fabric.intent.model import Intent
from fabric.provenance.device_fields import SHARED, Path, profiles_of
from fabric.provenance.intent_values import shown
from fabric.qos.model import PortQueueing
from fabric.units import Length, Speed

ADDRESS = re.compile(r"[0-9a-fA-F:.]*[:.][0-9a-fA-F:.]+[0-9a-fA-F:]")
NUMBER = re.compile(r"[0-9]+")
ABOVE = {"leaf": "leaf_spine", "spine": "spine_superspine"}
BELOW = {"leaf": "host_leaf", "spine": "leaf_spine", "superspine": "spine_superspine"}
BELOW_TIER = {"spine": "leaf", "superspine": "spine"}


def subject_of(intent: Intent, device: Any, place: Path) -> dict[str, str]:
    """Names for the table: `network`, `role`, `name`, and of the element that a place leads to."""
    names = {
        "name": device.name,
        "network": getattr(device, "network", ""),
        "role": getattr(device, "role", "leaf"),
        "group": device.group if isinstance(device, Host) else "",
        "field": str(place[-1]).replace("_", " ") if place else "",
        "setting": ".".join(map(str, written_path(device, place)[1:])),
    }
    if place[:1] == (SHARED,):
        names |= _of_profile(device, str(place[1]), place)
    elif place[:1] == ("ports",) and len(place) > 1:
        names |= _of_port(device, device.ports[int(place[1])])
    elif place[:2] == ("routing", "neighbors") and len(place) > 2:  # its number
        session = device.routing.neighbors[int(place[2])]
        names |= {"peer": session.peer, "port": session.port}
    if not names["network"]:
        names["network"] = next(iter(intent.site.networks))
    network = intent.site.networks.get(names["network"])
    names["policy"] = (network.lossless or "") if network is not None else ""
    return names


def written_path(value: Any, place: Path) -> Path:
    """A path of the model in the words of the files: `interval` for `interval_ms`."""
    path: list[str | int] = []
    for step in place:
        if isinstance(value, msgspec.Struct):
            fields = {field.name: field.encode_name for field in msgspec.structs.fields(value)}
            path.append(fields.get(str(step), step))
            value = getattr(value, str(step), None)
        else:
            path.append(step)
            value = value[step] if isinstance(value, dict | tuple) else None  # type: ignore[index]
    return tuple(path)


def _of_port(device: Any, port: Any) -> dict[str, str]:
    names = {"port": getattr(port, "name", f"NIC {getattr(port, 'nic', '')}"), "peer": port.peer}
    if isinstance(device, Host):
        return {**names, "network": port.network, "cable": "host_leaf", "role": "leaf"}
    pool = "host_pool" if port.role in (LinkRole.HOST, LinkRole.ATTACHMENT) else "fabric_pool"
    version = "6" if port.addresses and port.addresses[0].version == 6 else ""  # of IP
    return {**names, "pool_of_port": f"{pool}{version}", "cable": cable_of(device, port)}


def cable_of(device: Any, port: Any) -> str:
    """The key of `cables` that a port's cable has; empty: an attachment has its own."""
    if isinstance(device, Host) or port.role is LinkRole.HOST:
        return "host_leaf"
    if port.role is LinkRole.UP:
        return ABOVE.get(device.role, "")
    if port.role is LinkRole.DOWN:
        return BELOW.get(device.role, "")
    return "zone" if port.role is LinkRole.ACROSS else ""


def _of_profile(device: Any, name: str, place: Path) -> dict[str, str]:
    profile = profiles_of(device)[name]
    names = {"profile": f"{Speed(profile.speed_mbps)} {Length(profile.cable_m)}"}
    if len(place) > 3 and place[2] == "classes":  # and its number
        names["class"] = profile.classes[int(place[3])].name
    return names


def paths_of_profile(device: Any, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the speed and the cable length of a kind of port are written, most ports first."""
    speeds: Counter[str] = Counter()
    cables: Counter[str] = Counter()
    for port in device.ports:
        if isinstance(port.queueing, PortQueueing) and port.queueing.name == name:
            speeds.update(_speed_paths(device, port))
            key = cable_of(device, port)
            cables[
                f"networks.{{network}}.cables.{key}.length" if key else f"attachments.{port.peer}.cable"
            ] += 1
    return tuple(path for path, _ in speeds.most_common()), tuple(path for path, _ in cables.most_common())


def _speed_paths(device: Any, port: Any) -> Iterator[str]:
    tiers = "networks.{network}.tiers"
    if isinstance(device, Host):
        yield f"hosts.{device.group}.nics.{port.network}.speed"
    elif port.role is LinkRole.ATTACHMENT:
        yield f"attachments.{port.peer}.speed"
    elif port.role is LinkRole.HOST:
        yield "hosts.*.nics.{network}.speed"
        yield f"{tiers}.{device.role}.down.speed"
    elif port.role is LinkRole.UP:
        yield f"{tiers}.{device.role}.up.speed"
        yield f"{tiers}.{device.role}.down.speed"
        yield "hosts.*.nics.{network}.speed"
    else:
        yield f"{tiers}.{device.role}.down.speed"
        yield f"{tiers}.{BELOW_TIER.get(device.role, device.role)}.up.speed"
        yield "hosts.*.nics.{network}.speed"


def value_text(value: Any, unit: str) -> str:
    """A value of the model with its unit."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and unit:
        return _quantity(value, unit)
    if isinstance(value, tuple):
        return ", ".join(value_text(item, unit) for item in value) or "none"
    if isinstance(value, msgspec.Struct):
        return _struct_text(value)
    return "none" if value is None else str(value) if isinstance(value, int | str) else shown(value)


def _quantity(value: int, unit: str) -> str:
    if unit == "Mb/s":
        return str(Speed(value))
    return f"{value} %" if unit == "%" else f"{value:,} {unit}"


def _struct_text(value: msgspec.Struct) -> str:
    if isinstance(value, PortQueueing):
        return value.name
    if isinstance(value, PrefixRange):
        return str(value.prefix) if value.is_exact else f"{value.prefix} up to /{value.longest}"
    return str(value) if isinstance(value, Ip | IpInterface) else "yes"


def is_in(value: str, words: str) -> bool:
    """Whether a line has a value: its number or word, or for a pool an address that lies in it."""
    try:
        pool = ip_network(value)
    except ValueError:
        number = NUMBER.match(value)
        return re.search(
            rf"(?<![\w.:/]){re.escape(number[0] if number else value)}(?![\w.])", words
        ) is not None or (number is not None and f"/{number[0]}" in words)
    return any(address in pool for address in _addresses(words) if address.version == pool.version)


def _addresses(words: str) -> Iterator[IPv4Address | IPv6Address]:
    for text in ADDRESS.findall(words):
        with suppress(ValueError):
            yield ip_address(text)
