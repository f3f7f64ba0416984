"""A switch and those that it has sessions with, by the intent: who is to be asked before a wave, and after."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec

from fabric.deployment.gates.host_paths import RailPort, other_leaves
from fabric.deployment.gates.snapshot import Snapshot
from fabric.platforms.device_state import BgpSession


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

    @property
    def is_leaf(self) -> bool:
        """Whether it has no switch below it."""
        return bool(self.ways) and not self.is_between

    @property
    def is_between(self) -> bool:
        """Whether there are switches above and below it."""
        return 0 < len(self.ways) < len(self.sessions)


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
    """Whether all sessions of a switch are up under the addresses of the intent."""
    return all(is_up(session, seen) for session in around.sessions)


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
    """The switches that carry what members give up: other leaves of their hosts, where ways lead on from, all between.

    `beside`: the switches at the other ends of the members' links.
    """
    inside = frozenset(members)
    known = [found for name in sorted(inside) if (found := around(name)) is not None]
    leaves = other_leaves(port for one in known for port in one.hosts())
    above = sorted({session.peer for one in beside.values() for session in one.ways})
    others = inside | beside.keys()
    leading_on = {name: one for name, one in _known(above, others, around).items() if one.ways}
    return _known(leaves, others, around) | leading_on | between(network_of(inside, around), but=others)


def _known(names: Iterable[str], but: Collection[str], around: SurroundingsOf) -> dict[str, Surroundings]:
    others = ((name, around(name)) for name in dict.fromkeys(names) if name not in but)
    return {name: found for name, found in others if found is not None}


def network_of(members: Iterable[str], around: SurroundingsOf) -> dict[str, Surroundings]:
    """All switches that the members above the leaves are joined with, if that takes three tiers; else none.

    In two tiers what leads away from a leaf leads to every other one.
    """
    todo = [name for name in sorted(frozenset(members)) if _is_in_three_tiers(name, around)]
    found: dict[str, Surroundings] = {}
    while todo:
        name = todo.pop()
        if name not in found and (known := around(name)) is not None:
            found[name] = known
            todo += dict.fromkeys(session.peer for session in known.sessions)
    return found


def between(network: Mapping[str, Surroundings], but: Collection[str] = ()) -> dict[str, Surroundings]:
    """The switches of a network with others above and below them: every session is one of theirs."""
    return {name: known for name, known in network.items() if known.is_between and name not in but}


def _is_in_three_tiers(name: str, around: SurroundingsOf) -> bool:
    """Whether a switch is above others, and it or one of them has both sides."""
    known = around(name)
    if known is None or len(known.ways) == len(known.sessions):
        return False
    peers = dict.fromkeys(session.peer for session in known.sessions if not session.is_upward)
    below = (around(peer) for peer in peers)
    return known.is_between or any(peer is not None and peer.is_between for peer in below)


def is_up(session: Session, seen: Snapshot) -> bool:
    """Whether a device says that a session is up."""
    found = _state(session, seen)
    return found is not None and found.is_up


def towards_switches(around: Surroundings, seen: Snapshot) -> Snapshot:
    """What a switch says of its links to others of the intent, without those to hosts and to what is outside."""
    ports, keys = {session.port for session in around.sessions}, {session.key for session in around.sessions}
    return msgspec.structs.replace(
        seen,
        sessions={
            key: state
            for key, state in seen.sessions.items()
            if key in keys or key in ports or key.partition("%")[2] in ports
        },
        neighbors=frozenset(neighbor for neighbor in seen.neighbors if neighbor[0] in ports),
        ports={name: state for name, state in seen.ports.items() if name in ports},
    )


def carries(around: Surroundings, seen: Snapshot) -> bool:
    """Whether a switch has a session with another one. Over a link that is cut it looks alive until its time is up."""
    up = (seen.ports.get(session.port) for session in around.sessions if is_up(session, seen))
    return any(link is None or link.is_up for link in up)


def leading_on(ways: Iterable[Session], seen: Snapshot) -> list[Session]:
    """The ways of a switch that are up and give it routes.

    One over which it accepts less than half of what another one gives leads nowhere: somebody has drained the switch at
    its other end by hand, or filters what it says. What a device does not count is not judged by that.
    """
    known = ((session, _state(session, seen)) for session in ways)
    up = [(session, state) for session, state in known if state is not None and state.is_up]
    most: dict[str, int] = {}
    for _, state in up:
        for family, count in state.installed.items():
            most[family] = max(most.get(family, 0), count)
    return [session for session, state in up if _gives_routes(state, most)]


def _gives_routes(state: BgpSession, most: Mapping[str, int]) -> bool:
    if not any(most.values()) or not state.installed:
        return True
    return any(most[family] and 2 * count >= most[family] for family, count in state.installed.items())


def _state(session: Session, seen: Snapshot) -> BgpSession | None:
    """What a device says of a session: products call an unnumbered one by its port or by `fe80::1%port`."""
    if session.key in seen.sessions:
        return seen.sessions[session.key]
    of_port = (state for key, state in seen.sessions.items() if key.partition("%")[2] == session.port)
    return next(of_port, None)
