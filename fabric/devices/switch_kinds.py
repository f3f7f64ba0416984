"""What the switches of a tier are: usually all alike, except for overrides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fabric.devices import codes
from fabric.devices.tier_queueing import TierQueueing, tier_queueing
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.hardware import Catalogue, PortSlot, SwitchModel
from fabric.intent.model import Intent, Network, Tier
from fabric.topology.model import NetworkTopology
from fabric.topology.override_scope import covered
from fabric.topology.roles import Role


class Products(Protocol):
    """What derivation asks of the platforms, without knowing any: `fabric.platforms.registry` fits."""

    def names(self) -> Sequence[str]:
        """Known platforms."""

    def port_name(self, platform: str, slot: PortSlot, model: SwitchModel) -> str:
        """A port in the words of its product."""

    def release_form(self, platform: str) -> tuple[str, str]:
        """How its product writes releases: a pattern of the whole text, and an example."""

    def limits_prefixes(self, platform: str, release: str | None, model: SwitchModel) -> bool:
        """Whether its product can limit the prefixes that a BGP neighbour may send."""

    def plans_lids(self, platform: str) -> bool:
        """Whether a subnet manager can be configured with planned LIDs."""

    def shares_database(self, platform: str) -> bool:
        """Whether several managers of a subnet have one database: they are one device then."""

    def login_ways(self, platform: str) -> frozenset[str] | None:
        """What one can log in with: `password`, `key_file`, `agent`, `enable`; None: it is not reached at all."""


@dataclass(frozen=True, slots=True)
class SwitchKind:
    """Switches of one tier that are one model, run one product and split their cages alike."""

    role: str
    platform: str
    release: str | None
    model: SwitchModel
    port_names: tuple[str, ...]
    """As the product calls them, in index order."""
    origin: Origin
    queueing: TierQueueing | None
    """None: the network has no policy."""


def switch_kinds(
    intent: Intent, topology: NetworkTopology, products: Products, report: Report
) -> tuple[SwitchKind, ...] | None:
    """By port map. None, with findings, if some have no platform: nothing can be derived then."""
    network = intent.site.networks[topology.name]
    origin = Origin(("networks", topology.name))
    first_nodes = _first_nodes(topology)
    wishes = [_wish(intent, network, topology, node) for node in first_nodes]
    findings = Report()
    platforms = [_platform(wish, intent.hardware, products, findings) for wish in wishes]
    report.extend(findings)
    if findings.has_errors:
        return None
    _check_releases(intent, topology, first_nodes, platforms, products, report)
    queueings: dict[tuple[Role, str], TierQueueing | None] = {}
    kinds = []
    for node, wish, platform, port_map in zip(
        first_nodes, wishes, platforms, topology.port_maps, strict=True
    ):
        role = Role(topology.role[node])
        if (role, wish.model.id) not in queueings:
            queueings[role, wish.model.id] = tier_queueing(
                intent, network, topology, role, wish.model, origin, report
            )
        kinds.append(
            SwitchKind(
                role=role.name.lower(),
                platform=platform,
                release=tier_of(network, role).release if not wish.is_override else None,
                model=wish.model,
                port_names=tuple(products.port_name(platform, slot, wish.model) for slot in port_map.slots),
                origin=origin.child("tiers", role.name.lower()),
                queueing=queueings[role, wish.model.id],
            )
        )
    return tuple(kinds)


def _check_releases(
    intent: Intent,
    topology: NetworkTopology,
    nodes: Sequence[int],
    platforms: Sequence[str],
    products: Products,
    report: Report,
) -> None:
    """The releases of the tiers and of overrides, by the products of the switches that have them."""
    network = intent.site.networks[topology.name]
    for node, platform in zip(nodes, platforms, strict=True):
        role = Role(topology.role[node])
        origin = Origin(("networks", topology.name, "tiers", role.name.lower(), "release"))
        if not any(o.platform or o.model for o in intent.site.overrides if node in covered(topology, o)):
            _check_release(origin, tier_of(network, role).release, platform, products, report)
        for i, override in enumerate(intent.site.overrides):
            if override.release and node in covered(topology, override):
                at = Origin(("overrides", i, "release"))
                _check_release(at, override.release, platform, products, report)


def _check_release(
    origin: Origin, release: str | None, platform: str, products: Products, report: Report
) -> None:
    """A release that the product has no name for would be taken for its newest."""
    if release is None:
        return
    pattern, example = products.release_form(platform)
    if not re.fullmatch(pattern, release):
        rule = f"{release!r} is not a release of {platform}, which writes them like {example}"
        hint = f'write the release as the device shows it, such as "{example}"'
        report.add(codes.RELEASE.at(origin, rule, value=release, hint=hint))


def tier_of(network: Network, role: Role) -> Tier:
    """The tier that a role's switches are described by."""
    tiers = network.tiers
    tier = (tiers.leaf, tiers.spine, tiers.superspine)[role]
    assert tier is not None  # noqa: S101  # a switch of a role exists only if its tier does
    return tier


def _first_nodes(topology: NetworkTopology) -> list[int]:
    """Of each port map, the first switch that has it."""
    first: dict[int, int] = {}
    for node in topology.switches:
        first.setdefault(topology.port_map[node], node)
    return [first[chosen] for chosen in range(len(topology.port_maps))]


@dataclass(frozen=True, slots=True)
class _Wish:
    """The model of some switches, the platform that the intent names for them, and where."""

    model: SwitchModel
    platform: str | None
    origin: Origin
    """Of the platform if one is named, else of the model."""
    is_override: bool = False
    """Another product than the tier's: its release does not hold."""


def _wish(intent: Intent, network: Network, topology: NetworkTopology, node: int) -> _Wish:
    role = Role(topology.role[node])
    tier = tier_of(network, role)
    model = intent.hardware.switches[topology.port_maps[topology.port_map[node]].model]
    origin = Origin(("networks", topology.name, "tiers", role.name.lower()))
    wish = _Wish(model, tier.platform, origin.child("platform" if tier.platform else "model"))
    for i, override in enumerate(intent.site.overrides):
        if (override.model or override.platform) and node in covered(topology, override):
            key = "platform" if override.platform else "model"
            platform = override.platform or (None if override.model else wish.platform)
            wish = _Wish(model, platform, Origin(("overrides", i, key)), is_override=True)
    return wish


def _platform(wish: _Wish, catalogue: Catalogue, products: Products, report: Report) -> str:
    """The product that is configured; with a finding, and empty, if there is none."""
    known = products.names()
    runs = [software.name for software in wish.model.software]
    platforms = [wish.platform] if wish.platform else runs
    fit = next((name for name in platforms if name in known), "")
    if not fit:
        rule = (
            f"{wish.model.id} runs {', '.join(runs) or 'nothing that the catalogue names'}; the intent asks for "
            f"{', '.join(platforms) or 'no platform'}, known are {', '.join(known)}"
        )
        hint = (wish.platform and did_you_mean(wish.platform, known)) or _platform_hint(runs, known)
        report.add(codes.NO_PLATFORM.at(wish.origin, rule, value=wish.platform or wish.model.id, hint=hint))
    elif runs and fit not in runs and _is_listed(fit, catalogue):
        rule = f"{wish.model.id} runs {', '.join(runs)}, not {fit}"
        hint = (
            f"choose one of them, or a model that runs {fit}: `fabric explain {codes.PLATFORM_UNLISTED.code}`"
        )
        report.add(codes.PLATFORM_UNLISTED.at(wish.origin, rule, value=fit, hint=hint))
    return fit


def _platform_hint(runs: Sequence[str], known: Sequence[str]) -> str:
    """What to write where no platform fits: one that the model runs, else another model."""
    possible = [name for name in runs if name in known]
    return f"set `platform: {possible[0]}`" if possible else "choose a model that runs one of them"


def manager_platform(
    intent: Intent, network: Network, products: Products, origin: Origin, report: Report
) -> str:
    """The product that manages an InfiniBand network; with a finding, and empty, if there is none."""
    asked = network.infiniband.platform
    at = origin.child("platform") if asked else origin
    wish = _Wish(intent.hardware.switches[network.tiers.leaf.model], asked, at)
    return _platform(wish, intent.hardware, products, report)


def _is_listed(platform: str, catalogue: Catalogue) -> bool:
    """Whether the catalogue lists the product at all: it does not know the hardware of third-party products."""
    return any(
        software.name == platform for model in catalogue.switches.values() for software in model.software
    )
