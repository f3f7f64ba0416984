"""What a gate has to know of a site: with whom each switch has sessions, and who is behind it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

from fabric import deployment
from fabric.compiler import Compiled
from fabric.devices.model import LinkRole, Relation, Switch, SwitchPort


class SurroundingsOfSite:
    """Those of a switch by its name, each worked out when first asked for; None of what the site has no switch of."""

    def __init__(self, compiled: Compiled) -> None:
        self._devices = compiled.devices
        self._known: dict[str, deployment.Surroundings | None] = {}

    def __call__(self, name: str) -> deployment.Surroundings | None:
        """Of one switch."""
        if name not in self._known:
            device = self._devices.get(name)
            self._known[name] = self._of(device) if isinstance(device, Switch) else None
        return self._known[name]

    def _of(self, switch: Switch) -> deployment.Surroundings:
        ports = {port.name: port for port in switch.ports}
        sessions = tuple(
            deployment.Session(
                neighbor.peer,
                ports[neighbor.port].peer_port,
                neighbor.key,
                neighbor.port,
                is_upward=neighbor.relation is Relation.UP,
            )
            for neighbor in switch.routing.neighbors
            if neighbor.peer in self._devices and neighbor.port in ports
        )
        return deployment.Surroundings(switch.platform, sessions, partial(self._used_by, switch))

    def _used_by(self, switch: Switch) -> tuple[deployment.RailPort, ...]:
        return tuple(self._rail_ports(switch))

    def _rail_ports(self, switch: Switch) -> Iterator[deployment.RailPort]:
        """The ports of its hosts and attachments, each with the others of the same one on the same rail."""
        for port in switch.ports:
            own = (switch.name, port.name)
            others = tuple(path for path in self._paths(switch, port) if path != own)
            if port.role in (LinkRole.HOST, LinkRole.ATTACHMENT):
                sessions = tuple(self._sessions.get(path, "") for path in others)
                yield deployment.RailPort(
                    port.peer, port.rail, port.name, others, sessions, self._sessions.get(own, "")
                )

    def _paths(self, switch: Switch, port: SwitchPort) -> list[tuple[str, str]]:
        if port.role is LinkRole.ATTACHMENT:
            return self._attached.get((switch.network, port.peer), [])
        host = self._devices.hosts.get(port.peer) if port.role is LinkRole.HOST else None
        known = host.ports if host is not None else ()
        return [(p.peer, p.peer_port) for p in known if (p.network, p.rail) == (switch.network, port.rail)]

    @cached_property
    def _sessions(self) -> dict[tuple[str, str], str]:
        """Sessions with routers outside: by switch and port."""
        return {
            (name, neighbor.port): neighbor.key
            for name, switch in self._devices.items()
            if isinstance(switch, Switch)
            for neighbor in switch.routing.neighbors
            if neighbor.relation is Relation.EXTERNAL
        }

    @cached_property
    def _attached(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """Of each attachment of a network its paths: switches and their ports."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for name, switch in self._devices.items():
            for port in switch.ports:
                if port.role is LinkRole.ATTACHMENT:
                    found.setdefault((switch.network, port.peer), []).append((name, port.name))
        return found
