"""Each link old x new: a change that breaks the link while only one end has it is coupled.

An aspect of a link couples its ends iff they agree now, and would disagree while one of them runs the new
configuration and the other the old one. What does not agree now, or carries nothing now, cannot be broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from fabric.configuration import Change as TextChange
from fabric.configuration import Difference, Node, differences, placed
from fabric.devices.model import Device, LinkRole, Switch, SwitchPort
from fabric.planning.both_ends.ends import (
    LinkEnd,
    expected,
    is_guarded,
    is_narrower,
    link_end,
    password,
    paused,
    same_asn,
    same_bonding,
    same_ip_mtu,
    same_password,
    same_priorities,
    same_subnet,
    same_ttl_security,
)
from fabric.planning.impact import INTERRUPTING
from fabric.planning.model import Change, Coupling, Impact
from fabric.planning.ways import ENDS, FABRIC
from fabric.platforms.base import AnyPlatform, Facts, InterfaceFacts

SESSION_KEY = "BGP password"


class Aspect(msgspec.Struct, frozen=True, kw_only=True):
    """Something that both ends of a link must have alike."""

    what: str
    agree: Callable[[LinkEnd, LinkEnd], bool]
    value: Callable[[LinkEnd], str]
    breaks: str
    alone: Callable[[LinkEnd], str] | None = None
    """All of one end that the other must agree with, where that is more than `value`: for an unknown other end."""
    needs_host: bool = False
    """Whether a host at the other end must change too."""


ASPECTS: tuple[Aspect, ...] = (
    Aspect(
        what="AS number",
        agree=same_asn,
        value=lambda end: f"AS {end.asn}",
        alone=lambda end: " towards ".join(f"AS {number}" for number in (end.asn, *expected(end))),
        breaks="the BGP session stays down",
    ),
    Aspect(
        what="GTSM",
        agree=same_ttl_security,
        value=lambda end: "GTSM" if is_guarded(end) else "no GTSM",
        breaks="the BGP session stays down",
    ),
    Aspect(
        what=SESSION_KEY,
        agree=same_password,
        value=password,
        breaks="the BGP session stays down",
    ),
    Aspect(
        what="link address",
        agree=same_subnet,
        value=lambda end: " ".join(end.addresses) or "none",
        breaks="the ends share no subnet",
        needs_host=True,
    ),
    Aspect(
        what="IP MTU",
        agree=same_ip_mtu,
        value=lambda end: f"{end.ip_mtu_bytes} bytes",
        breaks="large packets are lost",
        needs_host=True,
    ),
    Aspect(
        what="PFC priority",
        agree=same_priorities,
        value=paused,
        breaks="one end is not paused, and lossless traffic is lost",
        needs_host=True,
    ),
    Aspect(
        what="LACP",
        agree=same_bonding,
        value=lambda end: "bond" if end.bonded else "no bond",
        breaks="the bond does not form",
        needs_host=True,
    ),
)


class Touch(msgspec.Struct, frozen=True):
    """Which links of a device a change can break, as far as the changed blocks tell."""

    ports: frozenset[str] = frozenset()
    every_link: bool = False
    outdated: frozenset[str] = frozenset()
    """Neighbours whose password is replaced by another, which no text shows."""

    def __bool__(self) -> bool:
        return self.every_link or bool(self.ports or self.outdated)


def touch(old: Facts, new: Facts, verdicts: Iterable[Change] = ()) -> Touch:
    """By what the changed sections say, before and after (`changed_facts`).

    A section may say little by itself (a group without its members): where its platform judges that a change of it
    interrupts something (`verdicts`), the links concerned are looked at too.
    """
    broken = [
        verdict.scope for verdict in verdicts if verdict.action == "~" and verdict.impact in INTERRUPTING
    ]
    judged = Touch(
        frozenset(port for scope in broken for port in scope.ports),
        # Which class a DSCP belongs to may be a default, or stand under a name that another section explains.
        any(scope.whole_device for scope in broken) or any(v.impact is Impact.BUFFER for v in verdicts),
    )
    said = (old.asn, old.neighbors, *_classes(old), *map(_agreed, old.interfaces.values()))
    if not any(said):
        return judged  # nothing is said of what ran there
    ports = {
        name for name, was in old.interfaces.items() if _agreed(was) != _agreed(new.interfaces.get(name))
    }
    every = old.asn != new.asn or _sessions(old) != _sessions(new) or _classes(old) != _classes(new)
    return Touch(judged.ports | ports, judged.every_link or every)


def is_shutting_sessions(
    platform: AnyPlatform, device: Device, changes: Iterable[TextChange], verdicts: Iterable[Change]
) -> bool:
    """Whether a drain that takes sessions down is among the changes, and was not carried out before.

    A switch that was drained before has its sessions shut already: a later change of it leaves the sections of BGP
    alone. One that interrupts them counts as the drain.
    """
    if not isinstance(device, Switch) or not device.shuts_sessions:
        return False
    broken = {verdict.what for verdict in verdicts if verdict.impact in INTERRUPTING}
    sections = [change for change in changes if change.what in broken]
    if any(_names_session(line) for change in sections for line in differences(change)):
        return True
    facts = _facts(platform, ((change, nodes) for change in sections for nodes in (change.old, change.new)))
    return facts.asn is not None or bool(facts.neighbors)


def is_marking_routes(platform: AnyPlatform, device: Device, changes: Iterable[TextChange]) -> bool:
    """Whether a drain that leaves sessions up may be among the changes: anything of BGP or its policies is."""
    if not isinstance(device, Switch) or not device.drained or device.shuts_sessions:
        return False
    facts = _facts(platform, ((change, nodes) for change in changes for nodes in (change.old, change.new)))
    is_session = facts.asn is not None or bool(facts.neighbors)
    return (
        is_session or bool(facts.policies) or any("bgp" in text.split() for text in facts.services.values())
    )


def changed_facts(platform: AnyPlatform, changes: Iterable[TextChange]) -> tuple[Facts, Facts]:
    """What the sections that change say, before and after."""
    known = tuple(changes)
    old = _facts(platform, ((change, change.old) for change in known))
    return old, _facts(platform, ((change, change.new) for change in known))


def _names_session(line: Difference) -> bool:
    return any("peer" in node.parts or "group" in node.parts for node in (*line.above, line.node))


def _facts(platform: AnyPlatform, sections: Iterable[tuple[TextChange, Iterable[Node]]]) -> Facts:
    return platform.read(platform.dialect().written(placed(sections))).facts


def _agreed(facts: InterfaceFacts | None) -> tuple[object, ...]:
    """What the other end must agree with; empty where nothing goes over the port."""
    if facts is None or not (facts.addresses or facts.link_local or facts.bond or facts.vlan):
        return ()
    return (facts.addresses, facts.link_local, facts.ip_mtu_bytes, facts.queueing, facts.bond)


def _sessions(facts: Facts) -> dict[str, tuple[object, ...]]:
    return {key: (n.remote_asn, n.ttl_security, n.has_password) for key, n in facts.neighbors.items()}


def _classes(facts: Facts) -> tuple[object, ...]:
    """What decides which traffic is paused, and on which priority."""
    priorities = {name: {q: c.priority for q, c in queues.items()} for name, queues in facts.profiles.items()}
    return (facts.dscp_to_traffic_class, facts.traffic_class_to_queue, priorities)


class Ends:
    """Facts of devices before and after, read once each when first asked for."""

    def __init__(self, old: Callable[[str], Facts | None], new: Callable[[str], Facts | None]) -> None:
        self._read = (old, new)
        self._known: dict[tuple[str, int], Facts | None] = {}

    def end(self, device: str, port: str, age: int) -> LinkEnd | None:
        """One end of a link; `age` 0 as it runs, 1 as it is intended. None if the device is not known."""
        facts = self.facts(device, age)
        return None if facts is None else link_end(facts, port)

    def facts(self, device: str, age: int) -> Facts | None:
        """All of a device; `age` 0 as it runs, 1 as it is intended. None if it is not known."""
        key = (device, age)
        if key not in self._known:
            self._known[key] = self._read[age](device)
        return self._known[key]


class HostCoupling(msgspec.Struct, frozen=True):
    """A change that a host, storage or a router at the other end must make too."""

    device: str
    port: str
    host: str
    what: str
    is_attachment: bool = False
    """It is storage, a router or the like."""
    narrows: bool = False
    """The largest packet becomes smaller: larger ones that it still sends are lost."""


def couplings(
    touched: Mapping[str, Touch], switches: Mapping[str, Device], ends: Ends
) -> tuple[tuple[Coupling, ...], tuple[HostCoupling, ...]]:
    """The links whose ends must change together, and the host ports whose hosts must follow."""
    links: dict[tuple[str, str, str], Coupling] = {}
    hosts: list[HostCoupling] = []
    for device, what in touched.items():
        switch = switches[device]
        for port in switch.ports:
            if not (what.every_link or what.outdated or port.name in what.ports):
                continue
            if port.role in FABRIC:
                for coupling in _link((device, port.name), (port.peer, port.peer_port), ends):
                    links.setdefault((*sorted(coupling.ends), coupling.what), coupling)  # type: ignore[arg-type]
            elif port.role in ENDS:
                hosts += _host(device, port, ends)
    return tuple(links[key] for key in sorted(links)), tuple(hosts)


def _link(here: tuple[str, str], there: tuple[str, str], ends: Ends) -> Iterator[Coupling]:
    old_a = ends.end(*here, 0)
    if old_a is None or not old_a.in_use:  # as on a new switch: nothing else needs to be read
        return
    new_a, old_b, new_b = ends.end(*here, 1), ends.end(*there, 0), ends.end(*there, 1)
    if new_a is None:
        return
    for aspect in ASPECTS:
        if old_b is None or new_b is None:
            was, will = ((aspect.alone or aspect.value)(end) for end in (old_a, new_a))
            if was != will:
                yield _coupling(here, there, aspect, f"{was} -> {will}; {there[0]} was not observed")
        elif _breaks(aspect, (old_a, new_a), (old_b, new_b)):
            change = f"{here[0]} {_change(aspect, old_a, new_a)}, {there[0]} {_change(aspect, old_b, new_b)}"
            yield _coupling(here, there, aspect, change)


def _breaks(aspect: Aspect, a: tuple[LinkEnd, LinkEnd], b: tuple[LinkEnd, LinkEnd]) -> bool:
    """Whether the ends (old, new) agree now and would not while only one of them has changed.

    A link that shall carry nothing afterwards is given up: it does not matter by which end.
    """
    if not (b[0].in_use and a[1].in_use and b[1].in_use) or not aspect.agree(a[0], b[0]):
        return False
    return not (aspect.agree(a[1], b[0]) and aspect.agree(a[0], b[1]))


def holds_after(link: tuple[tuple[str, str], tuple[str, str]], ends: Ends) -> bool:
    """Whether both ends of a link are known, change, and agree in everything afterwards."""
    sides = [(ends.end(*end, 0), ends.end(*end, 1)) for end in link]
    if any(old is None or new is None for old, new in sides):
        return False
    a, b = (new for _, new in sides)
    return a is not None and b is not None and all(aspect.agree(a, b) for aspect in ASPECTS)


def _coupling(here: tuple[str, str], there: tuple[str, str], aspect: Aspect, change: str) -> Coupling:
    first, second = sorted((" ".join(here), " ".join(there)))
    return Coupling((first, second), aspect.what, f"{change}: while only one end has it, {aspect.breaks}")


def _change(aspect: Aspect, old: LinkEnd, new: LinkEnd) -> str:
    was, will = aspect.value(old), aspect.value(new)
    return f"keeps {was}" if was == will else f"{was} -> {will}"


def _host(device: str, port: SwitchPort, ends: Ends) -> Iterator[HostCoupling]:
    old = ends.end(device, port.name, 0)
    if old is None or not old.in_use:
        return
    new = ends.end(device, port.name, 1)
    if new is None or not new.in_use:
        return
    narrows = is_narrower(old, new)
    for aspect in ASPECTS:
        if aspect.needs_host and aspect.value(old) != aspect.value(new):
            yield HostCoupling(
                device,
                port.name,
                port.peer,
                aspect.what,
                is_attachment=port.role is LinkRole.ATTACHMENT,
                narrows=narrows and aspect.agree is same_ip_mtu,
            )
