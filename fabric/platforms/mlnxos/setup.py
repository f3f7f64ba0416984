"""The commands that a switch needs once: its name, no subnet manager of its own, and which ports are split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.hardware import PortSlot, SwitchModel
from fabric.hardware.cage_modes import parse_mode

PORTS_PER_CAGE = {1: "module-type qsfp-split-2", 2: "port-type split-2"}
"""By ports of an undivided cage, which is one on Quantum and two on Quantum-2: how a port is split."""


def whole_ports(model: SwitchModel) -> int:
    """Ports of a cage that is not split."""
    return min(parse_mode(mode).ports for group in model.cages for mode in group.breakouts)


def commands(name: str, slots: Iterable[PortSlot], whole: int) -> Iterator[str]:
    """The lines for one switch in configuration mode. `whole`: ports of a cage of its model that is not split."""
    yield f"hostname {name}\n"
    yield "no ib sm\n"
    for port in split_ports(slots, whole):
        yield f"interface ib {port} {PORTS_PER_CAGE[whole]} force\n"


def split_ports(slots: Iterable[PortSlot], whole: int) -> tuple[str, ...]:
    """The ports that are split, as they are called before: `1/5`, on Quantum-2 `1/5/2`."""
    cages = sorted({slot.cage for slot in slots if slot.sub_ports > whole})
    if whole == 1:
        return tuple(f"1/{cage}" for cage in cages)
    return tuple(f"1/{cage}/{port + 1}" for cage in cages for port in range(whole))
