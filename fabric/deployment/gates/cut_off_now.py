"""What goes down with a wave, and whom that cuts off as the network is now: switches, hosts, and leaves from others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from fabric.deployment.gates.host_paths import EVERY_PORT, Leaves, last_paths
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import Session, Surroundings, between, is_up, leading_on
from fabric.planning.ways import End, Ways
from fabric.units import noun_of


class Loss(NamedTuple):
    """What goes down with a wave."""

    purposes: Mapping[str, Purpose]
    interrupts: Mapping[str, frozenset[str]] = {}
    """Members whose sessions may go down for a moment, and the ports that their changes interrupt."""

    @property
    def members(self) -> tuple[str, ...]:
        """The devices of the wave."""
        return tuple(self.purposes)

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
    network: Mapping[str, Surroundings] = {}
    """All switches, where leaves may be parted whose uplinks are sound (`network_of`)."""
    opening: Mapping[str, frozenset[str]] = {}
    """Ports that members open themselves: shut until then, whoever comes back at their other ends."""

    def alive(self, device: str) -> list[Session]:
        """The ways of a switch that are up and lead on: of a switch above with ways of its own one must be up."""
        ways = self.places[device].ways
        live = leading_on(ways, self.seen[device])
        up = [session for session in ways if self._comes_back(device, session) or session in live]
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
        return self._parted_by(loss, cut) | last_paths(members, leaves) | cut

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

    def _parted_by(self, loss: Loss, cut: Collection[str]) -> dict[str, str]:
        """The members above the leaves that part leaves, with which ones: by switch. Not those that are `cut` off."""
        above = [name for name in loss.members if name in self.network and not self.network[name].is_leaf]
        gone = {name: ends for name in above if (ends := self._ends_taken(name, loss))}
        if not gone:
            return {}
        parted = self._ways(cut).parted([end for ends in gone.values() for end in ends])
        if parted is None:
            return {}
        others = between(self.network, but=above).items()
        idle = sorted(name for name, known in others if self._is_idle(name, known))
        why = f": {', '.join(idle)} {noun_of(len(idle), ('carries', 'carry'))} nothing" if idle else ""
        return {name: f"{name} is the last path in service between {parted}{why}" for name in gone}

    def _ends_taken(self, name: str, loss: Loss) -> list[End]:
        """The ends of a switch's sessions that a loss takes, of those that are up."""
        sessions = self.places.get(name, self.network[name]).sessions
        return [
            (name, session.port)
            for session in sessions
            if loss.takes(name, session) and not self._is_dead(name, session)
        ]

    def _ways(self, cut: Collection[str]) -> Ways:
        """The sessions of the network that are up, as far as anybody was asked; who does not answer has none."""
        above: dict[str, dict[str, list[tuple[End, End]]]] = {}
        across: dict[str, dict[str, list[tuple[End, End]]]] = {}
        upward = {(name, session.peer) for name, known in self.network.items() for session in known.ways}
        for name, known in self.network.items():
            for session in known.sessions:
                if session.is_upward or (session.peer, name) not in upward:
                    links = (above if session.is_upward else across).setdefault(name, {})
                    ends = (name, session.port), (session.peer, session.peer_port)
                    links.setdefault(session.peer, []).append(ends)
        leaves = sorted(name for name, known in self.network.items() if known.is_leaf and name not in cut)
        return Ways(leaves, above, across, closed=self._dead_ends())

    def _dead_ends(self) -> set[End]:
        return {
            (name, session.port)
            for name, known in self.network.items()
            for session in self.places.get(name, known).sessions
            if not self._comes_back(name, session) and self._is_dead(name, session)
        }

    def _comes_back(self, name: str, session: Session) -> bool:
        """Whether an earlier wave brings a session back."""
        opens = session.port in self.opening.get(name, ()) or session.peer_port in self.opening.get(
            session.peer, ()
        )
        return not opens and not {name, session.peer}.isdisjoint(self.returning)

    def _is_dead(self, name: str, session: Session) -> bool:
        now = self.seen.get(name)
        return name in self.silent if now is None else not is_up(session, now)

    def _is_idle(self, name: str, known: Surroundings) -> bool:
        """Whether a switch has no way up that leads anywhere, or nobody below."""
        sessions = self.places.get(name, known).sessions
        sides = ([s for s in sessions if s.is_upward is side] for side in (True, False))
        return any(all(self._is_dead(name, session) for session in side) for side in sides)

    def _loses_all(self, device: str, loss: Loss) -> bool:
        alive = self.alive(device)
        return bool(alive) and all(loss.takes(device, session) for session in alive)

    def _ends_at(self, switch: str) -> bool:
        known, now = self.places.get(switch), self.seen.get(switch)
        if known is None or now is None or not known.ways or switch in self.returning:
            return False
        return not any(is_up(session, now) for session in known.ways)
