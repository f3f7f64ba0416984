"""What is known of a site from its last version that expanded: names, sizes, and where each comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from fabric.compiler import Compiled
from fabric.diagnostics import Invalid, Origin, Path
from fabric.topology.model import NetworkTopology, Node
from fabric.topology.roles import Role

SIZES: dict[Path, str] = {
    ("leaf", "down", "ports"): "leaf_downlinks",
    ("leaf", "up", "ports"): "leaf_uplinks",
    ("spine", "count"): "spines",
    ("spine", "links_per_pair"): "links_per_leaf_spine",
    ("spine", "up", "ports"): "spine_uplinks",
    ("superspine", "count"): "superspines",
    ("superspine", "links_per_pair"): "links_per_spine_superspine",
}
"""Keys of `tiers` whose value may be left to the program, and what it has decided."""


class KnownSite(msgspec.Struct, frozen=True):
    """A site that expands."""

    site: Compiled

    @property
    def networks(self) -> Iterable[NetworkTopology]:
        """Each network, expanded."""
        return self.site.topology.networks.values()

    def switches(self) -> Iterator[str]:
        """Names of all switches."""
        return (network.names[node] for network in self.networks for node in network.switches)

    def hosts(self) -> Iterator[str]:
        """Names of all hosts, each once."""
        hosts = (network.names[n] for network in self.networks for n in network.role_start[Role.HOST])
        return iter(dict.fromkeys(hosts))

    def origin_of(self, name: str) -> Path | None:
        """The place of the intent that a switch or host follows from."""
        for network in self.networks:
            if name in network.names:
                return _origin(network.node(name))
        return None

    def size_at(self, path: Path) -> str | None:
        """What was decided for a key that may be `auto`."""
        match path:
            case ("networks", str(network), "tiers", *rest) if network in self.site.topology.networks:
                field = SIZES.get(tuple(rest))
                return str(getattr(self.site.topology.networks[network].sizes, field)) if field else None
            case ("networks", str(network), "rails") if network in self.site.topology.networks:
                return f"{self.site.topology.networks[network].sizes.rails} rails"
        return None

    def choice_at(self, path: Path) -> str | None:
        """What was chosen for an `auto`, and why; None where fabric.lock holds it already."""
        what = str(Origin(path))
        choices = (sizing for network in self.networks for sizing in network.sizing if sizing.what == what)
        return next((f"{sizing.chosen}: {sizing.reason}" for sizing in choices), None)


def _origin(node: Node) -> Path | None:
    if node.role.is_switch:
        return ("networks", node.network.name, "tiers", node.role.name.lower())
    if node.role is Role.HOST:
        group = node.network.host_group.get(node.id)
        return ("hosts", group) if group else None
    return ("attachments", node.name)


def known_site(site: Compiled | None) -> KnownSite | None:
    """The site, if it expands."""
    try:
        return KnownSite(site) if site and site.topology else None
    except Invalid:
        return None
