"""What is known of a site from its last version that expanded: names, sizes, and where each comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from fabric.compiler import Compiled
from fabric.diagnostics import FabricError, Invalid, Origin, Path
from fabric.topology.model import NetworkTopology, Node
from fabric.topology.roles import Role


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

    def derived(self, document: str, path: Path) -> Iterator[str]:
        """What the program makes of a value that it decides, and how; nothing of a value that is taken as written."""
        from fabric.provenance import derived_value  # late: only a hover asks

        with suppress(FabricError):  # the text is ahead of the last version that expanded
            for one in derived_value(self.site, f"{document}:{Origin(path)}"):
                yield f"{one.what}: **{one.value}**" + (f" ({one.formula})" if one.formula else "")


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
