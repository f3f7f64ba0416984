"""Who is cut off while the links of a phase are down, all of them at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from fabric.devices.model import Device, LinkRole, Switch
from fabric.planning.impact import INTERRUPTING, HostRail, Paths, listed
from fabric.planning.model import Change, Impact
from fabric.planning.ways import FABRIC, End, Ways

LARGER_PACKETS = "every larger packet that is still sent this way is lost: lower the MTU of the senders first"
BETWEEN_GROUPS = "every way between two groups at once"


class CutTogether:
    """A network some of whose links are down."""

    def __init__(
        self, switches: Mapping[str, Device], down: frozenset[End], idle: frozenset[End] = frozenset()
    ) -> None:
        """`idle`: ends of links that carry nothing, whether these are down or not."""
        self._switches = {name: s for name, s in switches.items() if isinstance(s, Switch) and not s.drained}
        self._down, self._idle = down, idle
        self._is_joined: dict[tuple[str, bool], bool] = {}

    def severed(self) -> dict[str, str]:
        """The switches that have no way to the top any more, or to other groups, and who is cut off thereby."""
        lost = {
            name for name in self._switches if self._has_top(name, down=False) and not self._has_top(name)
        }
        cut = self._rails(lost)
        found = dict.fromkeys(sorted(lost), f"no way is left for {listed(cut)}") if cut else {}
        return self._parting() | found | self._groups_apart()

    def _has_top(self, name: str, *, down: bool = True) -> bool:
        """Whether a switch reaches one with no other above it, or with no links down, would."""
        key = (name, down)
        if key not in self._is_joined:
            ports = [port for port in self._switches[name].ports if port.role is LinkRole.UP]
            self._is_joined[key] = not ports or any(
                port.peer in self._switches
                and port.enabled
                and (name, port.name) not in self._idle
                and not (down and (name, port.name) in self._down)
                and self._has_top(port.peer, down=down)
                for port in ports
            )
        return self._is_joined[key]

    def _rails(self, lost: Collection[str]) -> tuple[HostRail, ...]:
        """The rails of hosts all of whose leaves are among these."""
        rails = Paths.of(self._switches).rails.items()
        return tuple(sorted(rail for rail, ends in rails if all(leaf in lost for leaf, _ in ends)))

    def _parting(self) -> dict[str, str]:
        """Switches above the leaves that have no link left, if they part leaves together, and which."""
        above = (switch for switch in self._switches.values() if switch.role != "leaf")
        ends = {switch.name: self._ends(switch, FABRIC) for switch in above}
        taken = {name: own for name, own in ends.items() if own and own <= self._down}
        if not taken:
            return {}
        ways = Ways.of(self._switches).without(self._idle)
        parted = ways.parted(frozenset[End]().union(*taken.values()))
        return dict.fromkeys(taken, f"no path is left between {parted}") if parted else {}

    def _groups_apart(self) -> dict[str, str]:
        """Switches of groups that are joined by links between their switches, all of which are down."""
        apart: dict[str, str] = {}
        for switches in self._groups():
            ends = frozenset(end for s in switches for end in self._ends(s, (LinkRole.ACROSS,)))
            if ends and ends <= self._down:
                apart |= dict.fromkeys((name for name, _ in ends), BETWEEN_GROUPS)
        return apart

    def _groups(self) -> Iterable[list[Switch]]:
        groups: dict[tuple[str, str, int, int], list[Switch]] = {}
        for switch in self._switches.values():
            key = (switch.network, switch.role, switch.plane, switch.group)
            groups.setdefault(key, []).append(switch)
        return groups.values()

    def _ends(self, switch: Switch, roles: Collection[LinkRole]) -> frozenset[End]:
        ports = (port for port in switch.ports if port.role in roles and port.enabled)
        found = frozenset((switch.name, port.name) for port in ports if port.peer in self._switches)
        return found - self._idle


def cut_off(changes: tuple[Change, ...], why: str) -> tuple[Change, ...]:
    """The changes of a switch that is severed: those that interrupt anything as `isolating`."""
    return tuple(
        Change(change.what, change.action, Impact.ISOLATING, change.scope, _joined(change.reason, why))
        if change.impact in INTERRUPTING
        else change
        for change in changes
    )


def _joined(reason: str, why: str) -> str:
    return f"{reason}: {why}" if reason else why
