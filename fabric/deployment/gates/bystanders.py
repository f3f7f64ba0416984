"""Switches beside a wave: none may be left without an uplink, by what the network says now.

A plan is judged on configurations. A cable that is dead makes the other uplink of a leaf its only one, and nothing that
is configured says so: the switches at the other ends of a wave's links are asked, before anything is pushed and after.
Before it, those that stand in for its members are asked too: the other leaves of their hosts (`host_paths`), and, where
a switch reaches others through two tiers, whether the other ways lead on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Executor
from typing import NamedTuple

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Ready, Work
from fabric.deployment.gates.host_paths import EVERY_PORT, Leaves, RailPort, last_paths, other_leaves
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.jobs import Job
from fabric.deployment.permissions import allowances, is_allowed, typed
from fabric.diagnostics import DeviceError
from fabric.planning import Impact
from fabric.platforms.base import Target


class Session(msgspec.Struct, frozen=True):
    """A BGP session that the intent has between two switches, as one of them has it."""

    peer: str
    peer_port: str
    key: str
    """What configurations call the neighbour by."""
    port: str
    is_upward: bool
    """Towards a higher tier."""


class Surroundings(msgspec.Struct, frozen=True):
    """A switch and those that it has sessions with."""

    platform: str
    sessions: tuple[Session, ...]
    hosts: Callable[[], tuple[RailPort, ...]] = tuple
    """The ports of hosts of a leaf: looked up only for a wave that takes something from them."""

    @property
    def ways(self) -> tuple[Session, ...]:
        """Those towards a higher tier."""
        return tuple(session for session in self.sessions if session.is_upward)


SurroundingsOf = Callable[[str], Surroundings | None]
"""Of a device by name; None if it is not a switch of the site."""


def as_it_runs(around: Surroundings, addresses: Mapping[tuple[str, int], str]) -> Surroundings:
    """The same switch with the neighbours that it has now, by port and version of IP.

    In the middle of a change of addresses some of its sessions have those of the intent, and others not yet.
    """
    return msgspec.structs.replace(
        around,
        sessions=tuple(
            msgspec.structs.replace(session, key=addresses.get(_place(session), session.key))
            for session in around.sessions
        ),
    )


def is_as_intended(around: Surroundings, seen: Snapshot) -> bool:
    """Whether all ways of a switch are up under the addresses of the intent."""
    return all(_is_up(session, seen) for session in around.ways)


def _place(session: Session) -> tuple[str, int]:
    """Its port, and the version of IP of its neighbour's address."""
    return session.port, 6 if ":" in session.key else 4


def unknown(_device: str) -> Surroundings | None:
    """Of a site of which nobody knows the cables."""
    return None


def switches_beside(members: Iterable[str], around: SurroundingsOf) -> dict[str, Surroundings]:
    """The switches at the other ends of the members' links that are not members, by name."""
    inside = frozenset(members)
    known = (found for name in sorted(inside) if (found := around(name)) is not None)
    names = (session.peer for one in known for session in one.sessions)
    return _known(names, inside, around)


def stand_ins(
    members: Iterable[str], beside: Mapping[str, Surroundings], around: SurroundingsOf
) -> dict[str, Surroundings]:
    """The switches that carry what members give up: other leaves of their hosts, and where ways lead on from.

    `beside`: the switches at the other ends of the members' links.
    """
    inside = frozenset(members)
    known = [found for name in sorted(inside) if (found := around(name)) is not None]
    leaves = other_leaves(port for one in known for port in one.hosts())
    above = sorted({session.peer for one in beside.values() for session in one.ways})
    others = inside | beside.keys()
    leading_on = {name: one for name, one in _known(above, others, around).items() if one.ways}
    return _known(leaves, others, around) | leading_on


def _known(names: Iterable[str], but: Collection[str], around: SurroundingsOf) -> dict[str, Surroundings]:
    others = ((name, around(name)) for name in dict.fromkeys(names) if name not in but)
    return {name: found for name, found in others if found is not None}


class Loss(NamedTuple):
    """What goes down with a wave."""

    purposes: Mapping[str, Purpose]
    interrupts: Mapping[str, frozenset[str]] = {}
    """Members whose sessions may go down for a moment, and the ports that their changes interrupt."""

    def __bool__(self) -> bool:
        return bool(self.interrupts) or any(self.purposes.values())

    def takes(self, device: str, session: Session) -> bool:
        """Whether a session of a device goes down, by what either end gives up."""
        own = self.purposes.get(device, Purpose(device))
        far = self.purposes.get(session.peer, Purpose(session.peer))
        return (
            session.peer in self.interrupts
            or self.interrupts_own(device, session)
            or session.key in own.sessions
            or session.port in own.ports
            or far.everything
            or session.key in far.addresses
            or session.peer_port in far.ports
        )

    def interrupts_own(self, device: str, session: Session) -> bool:
        """Whether the change of a device itself interrupts one of its sessions."""
        return not self.interrupts.get(device, frozenset()).isdisjoint((session.port, EVERY_PORT))


class Now(NamedTuple):
    """Switches in and beside a wave, as they are now."""

    places: Mapping[str, Surroundings]
    seen: Mapping[str, Snapshot]
    silent: Collection[str] = ()
    """Those that were asked and did not answer."""
    returning: Collection[str] = ()
    """Those that come back before the loss: they count as sound."""

    def alive(self, device: str) -> list[Session]:
        """The ways of a switch that are up and lead on: of a switch above with ways of its own one must be up."""
        ways, now = self.places[device].ways, self.seen[device]
        up = [s for s in ways if {device, s.peer} & {*self.returning} or _is_up(s, now)]
        return [session for session in up if not self._ends_at(session.peer)]

    def cut_off_by(self, loss: Loss) -> dict[str, str]:
        """Whom a loss cuts off, of the switches and of the hosts of its members, with the reason: by switch."""
        known = sorted(self.seen.keys() & self.places.keys())
        cut = {name: why for name in known if (why := self._cut_off(name, loss))}
        leaves = Leaves(
            self.seen,
            self.silent,
            self.returning,
            loss.purposes,
            loss.interrupts,
            without_way={name for name in known if self.places[name].ways and not self.alive(name)},
            cut={name for name in known if self._loses_all(name, loss)},
        )
        members = {name: self.places[name].hosts() for name in loss.purposes if name in self.places}
        return last_paths(members, leaves) | cut

    def _cut_off(self, device: str, loss: Loss) -> str:
        """Why a device is left without an uplink, for people; empty if it is not, or has none now.

        What is taken out of service is not cut off by that. What interrupts all of its own ways, whichever is dead, is
        judged by configurations, and by what its hosts have besides.
        """
        own, ways = loss.purposes.get(device, Purpose(device)), self.places[device].ways
        if own.everything or own.reroutes or not self._loses_all(device, loss):
            return ""
        if all(loss.interrupts_own(device, session) for session in ways):
            return ""
        last = sorted({session.peer for session in self.alive(device)})
        down = sorted({f"{session.peer} ({session.port})" for session in ways if session.peer not in last})
        why = f": its sessions with {', '.join(down)} are down, or lead nowhere" if down else ""
        return f"{device} would be cut off, {', '.join(last)} is its last uplink in service{why}"

    def _loses_all(self, device: str, loss: Loss) -> bool:
        alive = self.alive(device)
        return bool(alive) and all(loss.takes(device, session) for session in alive)

    def _ends_at(self, switch: str) -> bool:
        known, now = self.places.get(switch), self.seen.get(switch)
        if known is None or now is None or not known.ways or switch in self.returning:
            return False
        return not any(_is_up(session, now) for session in known.ways)


class Beside(msgspec.Struct, frozen=True):
    """A switch at the other end of a link of a wave, that does not change with it."""

    work: Work
    """To ask it with."""
    before: Snapshot
    """As it was before the push."""


def look_beside(
    work: Mapping[str, Work],
    ready: Mapping[str, Ready],
    around: SurroundingsOf,
    targets: Mapping[str, Target],
    executor: Executor,
    allow: Collection[str],
) -> tuple[dict[str, Beside], dict[str, str]]:
    """The switches beside a wave as they are before it, and whom it would cut off, with the reason.

    Nobody is asked for a wave that gives nothing up and interrupts nothing, nor for one of a device that is allowed to
    isolate others. Of a switch that does not answer nobody knows what it has left.
    """
    loss = Loss(
        {name: one.purpose for name, one in ready.items()},
        {name: frozenset(one.job.interrupts) for name, one in work.items() if one.job.interrupts_traffic},
    )
    may_isolate = any(is_allowed(Impact.ISOLATING, name, allow) for name in work)
    if may_isolate or not loss:
        return {}, {}
    beside = switches_beside(work, around)
    others = {
        name: known for name, known in (beside | stand_ins(work, beside, around)).items() if name in targets
    }
    asked = {name: _asked(name, known, targets[name], work) for name, known in others.items()}
    found: dict[str, Beside] = {}
    silent = set()
    for name, answer in each(executor, device_steps.look, ((name, (one,)) for name, one in asked.items())):
        if isinstance(answer, DeviceError):
            silent.add(name)
        else:
            found[name] = Beside(asked[name], answer)
    seen = {name: one.before for name, one in found.items()} | {name: one.up for name, one in ready.items()}
    places = others | {name: known for name in ready if (known := around(name)) is not None}
    places |= _by_what_runs(
        {name: places[name] for name in seen.keys() & places.keys()}, seen, {**asked, **work}, executor
    )
    cut = Now(places, seen, silent).cut_off_by(loss)
    return {name: one for name, one in found.items() if name in beside}, cut


def _by_what_runs(
    places: Mapping[str, Surroundings],
    seen: Mapping[str, Snapshot],
    work: Mapping[str, Work],
    executor: Executor,
) -> dict[str, Surroundings]:
    """Those of some switches that have a way which is not up, with the neighbours that they have now."""
    jobs = [(name, (work[name],)) for name in sorted(places) if not is_as_intended(places[name], seen[name])]
    answers = each(executor, device_steps.sessions_by_port, jobs)
    return {
        name: as_it_runs(places[name], answer)
        for name, answer in answers
        if not isinstance(answer, DeviceError)
    }


def refusal_of(cut: Mapping[str, str], allow: Iterable[str]) -> str:
    """Why a wave that cuts switches off is not pushed; empty if the operator has allowed it for each of them."""
    refused = {name: why for name, why in cut.items() if not is_allowed(Impact.ISOLATING, name, allow)}
    words = " ".join(f"`{typed(word)}`" for word in allowances(Impact.ISOLATING, refused))
    return f"{'; '.join(refused.values())} (mend that first, or take it: {words})" if refused else ""


def _asked(name: str, known: Surroundings, target: Target, work: Mapping[str, Work]) -> Work:
    member = next(iter(work.values()))
    job = Job(
        device=name, platform=known.platform, wave=member.job.wave, impact=Impact.NONE, text="", before=""
    )
    return Work(job, target, "", member.secrets, member.session)


def _is_up(session: Session, seen: Snapshot) -> bool:
    """Whether a device says that a session is up: products call an unnumbered one by its port or by `fe80::1%port`."""
    return session.key in seen.up or any(key.partition("%")[2] == session.port for key in seen.up)
