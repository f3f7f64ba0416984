"""The files beside the site: inventory, state, lock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from fabric.diagnostics import Origin, Path, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent import codes
from fabric.intent.model.lock import FORMAT
from fabric.intent.model.site import Intent
from fabric.intent.state import Entry


def check_inventory(intent: Intent, report: Report) -> None:
    """Duplicate serial numbers and management addresses, and rack positions that are taken."""
    _check_unique(intent, "serial number", _serials(intent), report)
    _check_unique(intent, "management address", _addresses(intent), report)
    _check_unique(intent, "rack position", _positions(intent), report)
    _check_feeds(intent, report)


def _check_feeds(intent: Intent, report: Report) -> None:
    """Racks with feeds in which nothing stands."""
    inventory = intent.inventory
    racks = {facts.rack for facts in inventory.devices.values() if facts.rack}
    racks |= {facts.rack for facts in inventory.hosts.values() if facts.rack}
    for rack in inventory.feeds.racks:
        if rack not in racks:
            rule = f"no device and no host of the inventory has the rack {rack}"
            hint = did_you_mean(rack, sorted(racks)) or "remove it: nothing stands in that rack"
            origin = Origin(("feeds", "racks", rack), "inventory")
            report.add(codes.UNKNOWN_NAME.at(origin, rule, value=rack, hint=hint))


def _serials(intent: Intent) -> Iterator[tuple[Path, str]]:
    for name, device in intent.inventory.devices.items():
        if device.serial is not None:
            yield ("devices", name, "serial"), device.serial
    for name, host in intent.inventory.hosts.items():
        if host.serial is not None:
            yield ("hosts", name, "serial"), host.serial


def _addresses(intent: Intent) -> Iterator[tuple[Path, str]]:
    for name, device in intent.inventory.devices.items():
        if device.address is not None:
            # Behind a gateway, devices of a lab share an address and differ in the port.
            port = f" port {device.port}" if device.port else ""
            yield ("devices", name, "address"), f"{device.address.ip}{port}"


def _positions(intent: Intent) -> Iterator[tuple[Path, str]]:
    for section in ("devices", "hosts"):
        for name, facts in getattr(intent.inventory, section).items():
            if facts.rack is not None and facts.position is not None:
                yield (section, name, "position"), f"{facts.position} of rack {facts.rack}"


def _check_unique(intent: Intent, what: str, values: Iterator[tuple[Path, str]], report: Report) -> None:
    first: dict[str, Path] = {}
    for path, value in values:
        known = first.setdefault(value, path)
        if known is path:
            continue
        other = Origin(known, "inventory")
        place = intent.sources.place(other)
        rule = f"{known[1]} has the {what} {value} too" + (f" ({place})" if place else "")
        hint = "correct one of the two"
        report.add(codes.DUPLICATE.at(Origin(path, "inventory"), rule, value=value, hint=hint))


def _entries(intent: Intent) -> Iterator[tuple[Origin, tuple[str, ...], Entry]]:
    """Every entry of the state, with what it is about."""
    state, origin = intent.state, Origin((), "state")
    for index, drained in enumerate(state.drained):
        yield origin.child("drained", index), (drained.device,), drained
    for index, port in enumerate(state.shut_ports):
        yield origin.child("shut_ports", index), (port.device, port.port), port
    for index, link in enumerate(state.excluded_links):
        yield origin.child("excluded_links", index), (link.device, link.port), link


def check_state(intent: Intent, report: Report) -> None:
    """Duplicate entries, and links from a switch to itself."""
    seen: dict[tuple[str | int, tuple[str, ...]], Origin] = {}
    for origin, about, _ in _entries(intent):
        known = seen.setdefault((origin.path[0], about), origin)
        if known is not origin:
            rule = f"duplicate of {' '.join(about)}; the other place is {intent.sources.place(known)}"
            report.add(
                codes.DUPLICATE.at(origin, rule, value=" ".join(about), hint="keep the one that still holds")
            )
    for index, link in enumerate(intent.state.excluded_links):
        if link.device == link.peer:
            rule = f"{link.device} has no link to itself"
            origin = Origin(("excluded_links", index, "peer"), "state")
            report.add(codes.STATE.at(origin, rule, value=link.peer, hint="name the switch at the other end"))


def check_expiry(intent: Intent, report: Report, today: date) -> None:
    """Entries whose day has passed.

    What is out of service stays out: nothing comes back by itself in the night. What was accepted is told again.
    """
    for origin, about, entry in _entries(intent):
        if entry.expires < today:
            _expired(origin, about, entry, "and still holds", report)
    for index, accepted in enumerate(intent.state.accept):
        if accepted.expires < today:
            origin = Origin(("accept", index), "state")
            _expired(origin, (accepted.finding,), accepted, "and no longer holds", report)


def _expired(origin: Origin, about: tuple[str, ...], entry: Entry, effect: str, report: Report) -> None:
    rule = f"{' '.join(about)}: the entry of {entry.owner} expired on {entry.expires} {effect}"
    hint = f"ask {entry.owner}; remove the entry, or move `expires`"
    report.add(codes.EXPIRED.at(origin.child("expires"), rule, value=str(entry.expires), hint=hint))


def check_lock(intent: Intent, report: Report) -> None:
    """A lock that a newer program has written."""
    lock = intent.lock
    if lock is not None and not 1 <= lock.format <= FORMAT:
        rule = f"the lock has format {lock.format}, this program reads 1 to {FORMAT}"
        hint = "install the version of fabric-as-code that the repository is used with"
        report.add(codes.LOCK.at(Origin(("format",), "lock"), rule, value=lock.format, hint=hint))
