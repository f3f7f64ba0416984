"""What must be right in a network before anything can be counted: planes, tiers that go together, models."""

from __future__ import annotations

from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.hardware import Catalogue
from fabric.intent.model import Network, Tier
from fabric.topology import codes
from fabric.topology.sizing.host_seats import Group
from fabric.units import counted


def check_planes(network: Network, name: str, groups: tuple[Group, ...], report: Report) -> None:
    """Every NIC has one port for each plane."""
    planes = network.planes.count
    for group in groups:
        if group.nics.ports != planes:
            rule = (
                f"NICs of {counted(group.nics.ports, 'port')} do not match "
                f"{counted(planes, 'plane')}: port p lands on plane p"
            )
            at = Origin(("hosts", group.name, "nics", name, "ports"))
            hint = f"set `ports: {planes}`, or `planes.count: {group.nics.ports}`"
            report.add(codes.PLANES_UNEVEN.at(at, rule, value=group.nics.ports, hint=hint))


def check_tiers(network: Network, at: Origin, report: Report) -> None:
    """Tiers, pods, zones and spine groups that go together."""
    tiers, parts = network.tiers, network.pods or network.zones
    by = tiers.spine.group_by if tiers.spine else "none"
    wrong = (
        (tiers.superspine and not tiers.spine, "tiers.superspine", "superspines need spines", "add `spine`"),
        (network.pods and network.zones, "zones", "zones and pods exclude each other", "keep one of them"),
        (
            network.zones and tiers.superspine,
            "zones",
            "zones are joined spine to spine",
            "use `pods` instead",
        ),
        (network.zones and not tiers.spine, "zones", "zones are joined by spines", "add `spine`"),
        ("pod" in by and not parts, "tiers.spine.group_by", "there are no pods to group by", "add `pods`"),
        (
            "rail" in by and network.rails == "none",
            "tiers.spine.group_by",
            "there are no rails to group by",
            "set `rails`",
        ),
    )
    for condition, place, rule, hint in wrong:
        if condition:
            report.add(codes.TIERS_CONFLICT.at(at.child(*place.split(".")), rule, hint=hint))


def check_models(network: Network, at: Origin, hardware: Catalogue, report: Report) -> None:
    """Every tier's model is known and supports the network's technology."""
    for role, tier in tiers_of(network):
        place = at.child("tiers", role, "model")
        model = hardware.switches.get(tier.model)
        if model is None:
            fitting = [
                name for name, each in hardware.switches.items() if each.technology == network.technology
            ]
            hint = "choose one of `fabric show models`, or describe it in the site's `hardware/` folder"
            if near := did_you_mean(tier.model, fitting):
                hint = f"{near} `fabric show models` lists all of them"
            rule = f"there is no switch model `{tier.model}`"
            report.add(codes.UNKNOWN_MODEL.at(place, rule, value=tier.model, hint=hint))
        elif model.technology != network.technology:
            rule = f"{model.model} is {model.technology}, the network {network.technology}"
            hint = f"set `technology: {model.technology}`, or choose another model"
            report.add(codes.WRONG_TECHNOLOGY.at(place, rule, value=tier.model, hint=hint))


def tiers_of(network: Network) -> list[tuple[str, Tier]]:
    """The tiers that a network has, bottom up."""
    tiers = network.tiers
    tiers_by_name = (("leaf", tiers.leaf), ("spine", tiers.spine), ("superspine", tiers.superspine))
    return [(role, tier) for role, tier in tiers_by_name if tier is not None]
