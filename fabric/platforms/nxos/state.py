"""What is read of NX-OS beside what is read of every product."""

from __future__ import annotations

import msgspec

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.nxos.names import breakout_speed
from fabric.platforms.reading import Port, Profile, State

USUAL_MTU_BYTES = 1500
FIRST_VLAN = 1
"""It is always there."""


class NxosState(State):
    """A configuration of NX-OS, as far as it was read."""

    vlans: set[int] = msgspec.field(default_factory=set)
    breakouts: dict[str, str] = msgspec.field(default_factory=dict)
    """Cage to its map."""
    points: dict[str, list[int]] = msgspec.field(default_factory=dict)
    """Class to its code points."""
    classes: dict[str, int] = msgspec.field(default_factory=dict)
    """Class to its qos-group."""
    paused: set[int] = msgspec.field(default_factory=set)
    """Priorities."""
    usual_ip_mtu_bytes: int | None = USUAL_MTU_BYTES

    def facts(self) -> Facts:
        """In neutral words, templates of neighbours resolved."""
        return msgspec.structs.replace(
            super().facts(),
            interfaces={name: self._interface(name, port) for name, port in self.ports.items()},
            dscp_to_traffic_class=self._dscp(),
            traffic_class_to_queue={group: group for group in sorted(self.classes.values())},
            services={name: "\n".join(sorted(lines)) for name, lines in self._noted().items()},
        )

    def _interface(self, name: str, port: Port) -> InterfaceFacts:
        """The MTU of a switched port is that of its frames, and says nothing of IP."""
        split, facts = self.breakouts.get(name.rpartition("/")[0]), self._routed(name, port.facts())
        return msgspec.structs.replace(
            facts,
            speed_mbps=breakout_speed(split) if split else None,
            ip_mtu_bytes=None if port.vlan else facts.ip_mtu_bytes,
        )

    def _dscp(self) -> dict[int, int]:
        default = self.classes.get("class-default")
        groups = dict.fromkeys(range(64), default) if default is not None else {}
        for name, points in self.points.items():
            if name in self.classes:
                groups.update(dict.fromkeys(points, self.classes[name]))
        return dict(sorted(groups.items()))

    def _profile(self, profile: Profile) -> dict[int, ClassFacts]:
        """Only the queues that something is given to: the others are listed because all eight must be."""
        return {
            number: ClassFacts(
                priority=number if number in self.paused else None,
                strict=queue.strict,
                max_rate_mbps=queue.max_rate_mbps,
                share_percent=queue.share_percent or None,
                ecn=queue.ecn,
            )
            for number, queue in sorted(profile.queues.items())
            if queue.strict or queue.share_percent or queue.ecn or number in self.paused
        }

    def _policies(self) -> dict[str, str]:
        templates = {
            f"template {name}": "; ".join(sorted(group.settings)) for name, group in self.groups.items()
        }
        return {name: "; ".join(entries) for name, entries in self.policies.items()} | templates

    def _noted(self) -> dict[str, list[str]]:
        lines = [f"{name}: {line}" for name, port in self.ports.items() for line in port.notes]
        vlans = [str(vlan) for vlan in self.vlans - {FIRST_VLAN}]
        return self.services | ({"interfaces": lines} if lines else {}) | ({"vlans": vlans} if vlans else {})
