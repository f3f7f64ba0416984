"""The management settings of a switch in neutral words, section by section, from the switch alone.

A product's `services.py` puts together those that its text has, and adds what only this product has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fabric.devices.model import DISCARD_DISTANCE, Switch

Notes = Iterator[tuple[str, str]]
"""Section and setting."""
MINUTE_MS = 60_000
DEFAULT_ROUTES = {4: "0.0.0.0/0", 6: "::/0"}


def collected(*parts: Notes) -> dict[str, str]:
    """Section to its settings, sorted."""
    found: dict[str, list[str]] = {}
    for part in parts:
        for section, text in part:
            found.setdefault(section, []).append(text)
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def each(section: str, *texts: str) -> Notes:
    """Several settings of a section."""
    yield from ((section, text) for text in texts)


def inside(vrf: str) -> str:
    """The end of a setting that says its VRF; nothing for products that do not say it."""
    return f" vrf {vrf}" if vrf else ""


def users(switch: Switch, roles: Mapping[str, str], key: Callable[[str], str] = str) -> Notes:
    """`roles`: in the product's words; `key`: what it keeps of an SSH key."""
    for name, user in switch.services.users.items():
        yield "users", f"{name} role {roles[user.role]}"
        yield from each("users", *(f"{name} key {key(one)}" for one in user.ssh_keys))


def ntp(switch: Switch, vrf: str = "", source: str = "", prefer: str = "") -> Notes:
    """Servers, the first of which is preferred where the product can say so, and the interface they are asked by."""
    servers = switch.services.ntp.servers
    for server in servers:
        yield "ntp", f"server {server}{inside(vrf)}{prefer if server == servers[0] else ''}"
    if servers and source:
        yield "ntp", source


def dns(switch: Switch, vrf: str = "") -> Notes:
    """Servers, and the domain of host names."""
    settings = switch.services.management
    yield from each("dns", *(f"server {server}{inside(vrf)}" for server in settings.dns))
    if settings.domain:
        yield "dns", f"domain {settings.domain}"


def logging(switch: Switch, vrf: str = "", level: str = "") -> Notes:
    """Servers; with a level where each has its own."""
    for server in switch.services.syslog.servers:
        yield "logging", f"host {server}{f' level {level}' if level else ''}{inside(vrf)}"


def snmp_place(switch: Switch, shown: Callable[[str], str] = str, section: str = "snmp") -> Notes:
    """Whose switch it is, and where."""
    snmp = switch.services.snmp
    for word, text in (("contact", snmp.contact), ("location", snmp.location)) if snmp else ():
        if text:
            yield section, f"{word} {shown(text)}"


def gnmi(switch: Switch, vrf: str = "") -> Notes:
    """Its port and certificate."""
    wanted, certificate = switch.services.gnmi, switch.services.certificate
    if wanted is None:
        return
    yield "gnmi", f"port {wanted.port}"
    if vrf:
        yield "gnmi", f"vrf {vrf}"
    if certificate is not None:
        yield "gnmi", f"certificate {certificate.name}"


def gnmi_clients(switch: Switch) -> Notes:
    """Who has signed the certificates of its clients."""
    certificate = switch.services.certificate
    if switch.services.gnmi is not None and certificate is not None and certificate.client_ca:
        yield "gnmi", f"clients by {certificate.client_ca}"


def ssh_idle(switch: Switch) -> Notes:
    """After what time a session ends."""
    yield "ssh", f"idle {int(switch.services.ssh.idle_timeout_ms) // MINUTE_MS} min"


def bfd(switch: Switch) -> Notes:
    """Timers of the whole switch."""
    if switch.routing.bfd_interval_ms is not None:
        yield "bfd", f"{switch.routing.bfd_interval_ms} ms x {switch.routing.bfd_multiplier}"


def aggregates(switch: Switch, how: str = "") -> Notes:
    """Blocks of host addresses that are advertised as one."""
    yield from each("bgp", *(f"aggregate {prefix}{how}" for prefix in switch.routing.aggregates))


def discards(switch: Switch, nowhere: str, vrf: str = "default ") -> Notes:
    """Routes that drop; `nowhere`: the next hop that does."""
    routes = (f"{vrf}{prefix} {nowhere} {DISCARD_DISTANCE}" for prefix in switch.routing.discards)
    yield from each("static routes", *routes)


def routes_that_drop(switch: Switch) -> Notes:
    """The same as lines of the product, as they stand."""
    words = {4: "ip", 6: "ipv6"}
    routes = (f"{words[one.version]} route {one} blackhole" for one in switch.routing.discards)
    yield from each("static routes", *(f"{route} {DISCARD_DISTANCE}" for route in routes))


def vlans(switch: Switch) -> Notes:
    """Of ports and of gateways."""
    numbers = {port.vlan for port in switch.ports if port.vlan} | {one.vlan for one in switch.gateways}
    yield from each("vlans", *map(str, numbers))
