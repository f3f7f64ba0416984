"""The models that a layout may be made of; those with the same ports for this purpose are tried once."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from fabric.capacity import codes
from fabric.capacity.request import Request
from fabric.diagnostics import Invalid, Origin
from fabric.documents.suggest import did_you_mean
from fabric.hardware import Catalogue, SwitchModel
from fabric.topology.port_maps import Demand, Panel, room
from fabric.topology.roles import Facing
from fabric.units import Speed

NO_PRODUCT = "generic"
"""Vendor of models that stand for a published design: used only if they are named."""


class Kind(msgspec.Struct, frozen=True):
    """Models with the same ports at the speeds in question."""

    panel: Panel
    models: tuple[str, ...]
    """Ids; any one may stand for another."""

    @property
    def model(self) -> SwitchModel:
        """The first of them."""
        return self.panel.model

    def ports(self, speed_mbps: int) -> int:
        """Most ports of a speed that one switch has; 0 if it has none."""
        return _ports_of(self.panel, speed_mbps)

    def ports_per_cage(self, speed_mbps: int) -> int:
        """Most ports of a speed that one cage is split into: what shares a transceiver."""
        return max((split.sub_ports for split in self.panel.splits(speed_mbps, None)), default=1)

    @property
    def capacity_mbps(self) -> int:
        """Bandwidth of all its cages, one direction."""
        groups = zip(self.panel.groups, self.panel.cages, strict=True)
        return int(self.model.bandwidth_mbps or sum(len(cages) * group.max_mbps for group, cages in groups))


@lru_cache(maxsize=4096)
def _ports_of(panel: Panel, speed_mbps: int) -> int:
    return room(panel, (), Demand(Facing.DOWN, 0, speed_mbps))


def kinds(request: Request, catalogue: Catalogue) -> tuple[Kind, ...]:
    """The allowed models by kind, those with the most bandwidth last. `Invalid` if there is none."""
    found: dict[object, list[Panel]] = {}
    for name in request.models or catalogue.switches:
        model = catalogue.switches.get(name)
        if model is None:
            hint = did_you_mean(name, catalogue.switches) or codes.NO_MODEL.fix
            _refuse(f"there is no switch model `{name}`", name, hint)
        elif _may_be_used(model, request):
            panel = Panel(model)
            if request.nic_mbps in panel.speeds():
                found.setdefault(_ports(panel, request.nic_mbps), []).append(panel)
    if not found:
        speed = Speed(request.nic_mbps)
        named = "none of the models named" if request.models else f"no {request.technology} model"
        _refuse(f"{named} has ports of {speed}", str(speed), codes.NO_MODEL.fix)
    alike = [Kind(panels[0], tuple(panel.model.id for panel in panels)) for panels in found.values()]
    return tuple(sorted(alike, key=lambda kind: (kind.capacity_mbps, kind.model.id)))


def _refuse(rule: str, value: str, hint: str) -> None:
    raise Invalid((codes.NO_MODEL.at(Origin(), rule, value=value, hint=hint),))


def _may_be_used(model: SwitchModel, request: Request) -> bool:
    """A chassis is bought by line cards: its count says little beside that of boxes, so it has to be named."""
    is_chassis = any("/" in group.cages for group in model.cages)
    is_usual = model.vendor != NO_PRODUCT and not is_chassis
    return model.technology == request.technology and (bool(request.models) or is_usual)


def _ports(panel: Panel, slowest_mbps: int) -> object:
    """What decides how many ports a panel has of this speed and faster ones, also of several at once."""
    speeds = [speed for speed in panel.speeds() if speed >= slowest_mbps]
    splits = {speed: panel.splits(speed, None) for speed in speeds}
    used = sorted({split.group for found in splits.values() for split in found})
    by_speed = tuple(
        (speed, tuple((used.index(split.group), split.sub_ports, split.parity) for split in splits[speed]))
        for speed in speeds
    )
    cages = tuple(len(panel.cages[group]) for group in used)
    return by_speed, cages, panel.model.max_ports, panel.model.bandwidth_mbps
