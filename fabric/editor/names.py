"""Values that no schema can list: models, products, devices, networks, policies, codes of findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path as FilePath

from fabric.diagnostics import Path, Severity, codes
from fabric.editor.cursor import Text
from fabric.editor.known_site import KnownSite
from fabric.hardware import Catalogue, load_catalogue
from fabric.intent.load import POLICIES

ANY = "*"
"""Stands for one step of a path: a name or an index."""
MOST = 1000
"""Names that an editor is given at once."""


class Names:
    """What may be named in one file of a site."""

    def __init__(self, folder: FilePath, text: Text, known: KnownSite | None) -> None:
        self.folder, self.text, self.known = folder, text, known

    @property
    def catalogue(self) -> Catalogue:
        """The site's catalogue, or the shipped one while the site is not known."""
        return self.known.site.intent.hardware if self.known else load_catalogue()

    def switch_models(self, path: Path) -> Iterable[str]:
        """Models that fit the network's technology; all of them where there is none."""
        technology = None
        if path[0] == "networks":
            technology = self.text.values.get((*path[:2], "technology"), "ethernet")
        models = self.catalogue.switches
        return (name for name in models if technology in (None, models[name].technology))

    def host_models(self, _path: Path) -> Iterable[str]:
        """All host models."""
        return self.catalogue.hosts

    def platforms(self, path: Path) -> Iterable[str]:
        """The products that run on the model beside; all of them where there is none."""
        name = self.text.values.get((*path[:-1], "model"), "")
        models = self.catalogue.switches
        chosen = [models[name]] if name in models else list(models.values())
        return dict.fromkeys(software.name for model in chosen for software in model.software)

    def policies(self, _path: Path) -> Iterator[str]:
        """Ready policies, and the site's own by their files."""
        yield from sorted(path.stem for path in POLICIES.glob("*.yaml"))
        yield from sorted(f"policies/{path.name}" for path in (self.folder / "policies").glob("*.yaml"))

    def switches(self, _path: Path) -> Iterable[str]:
        """Switches of the site."""
        return self.known.switches() if self.known else ()

    def hosts(self, _path: Path) -> Iterable[str]:
        """Hosts of the site."""
        return self.known.hosts() if self.known else ()

    def devices(self, path: Path) -> Iterator[str]:
        """Switches and hosts of the site."""
        yield from self.switches(path)
        yield from self.hosts(path)

    def of_site(self, key: str) -> Callable[[Path], Iterable[str]]:
        """Names that the site gives: of its networks, its groups of hosts, its attachments."""

        def names(_path: Path) -> Iterable[str]:
            here = [str(path[1]) for path in self.text.keys if len(path) == 2 and path[0] == key]
            return dict.fromkeys((*here, *(getattr(self.known.site.intent.site, key) if self.known else ())))

        return names

    def credentials(self, _path: Path) -> Iterator[str]:
        """Logins of the inventory."""
        return (str(path[1]) for path in self.text.keys if len(path) == 2 and path[0] == "credentials")

    def accepted(self, _path: Path) -> Iterator[str]:
        """Codes of what may be accepted: all but errors."""
        return (name for name, code in codes().items() if code.severity is not Severity.ERROR)

    def tables(self) -> Mapping[tuple[str, ...], Callable[[Path], Iterable[str]]]:
        """What is named where: the schema, and the path of a value."""
        network, group = self.of_site("networks"), self.of_site("hosts")
        return {
            ("intent", "hosts", ANY, "model"): self.host_models,
            ("intent", "networks", ANY, "tiers", ANY, "model"): self.switch_models,
            ("intent", "networks", ANY, "tiers", ANY, "platform"): self.platforms,
            ("intent", "networks", ANY, "lossless"): self.policies,
            ("intent", "overrides", ANY, "model"): self.switch_models,
            ("intent", "overrides", ANY, "platform"): self.platforms,
            ("intent", "overrides", ANY, "device"): self.switches,
            ("intent", "overrides", ANY, "network"): network,
            ("intent", "attachments", ANY, "network"): network,
            ("intent", "tenants", ANY, "networks", ANY): network,
            ("intent", "tenants", ANY, "hosts", ANY): self.hosts,
            ("intent", "tenants", ANY, "groups", ANY): group,
            ("intent", "tenants", ANY, "attachments", ANY): self.of_site("attachments"),
            ("state", "drained", ANY, "device"): self.switches,
            ("state", "shut_ports", ANY, "device"): self.switches,
            ("state", "excluded_links", ANY, "device"): self.switches,
            ("state", "excluded_links", ANY, "peer"): self.devices,
            ("state", "accept", ANY, "finding"): self.accepted,
            ("inventory", "default_credentials"): self.credentials,
            ("inventory", "devices", ANY, "credentials"): self.credentials,
        }

    def key_tables(self) -> Mapping[tuple[str, ...], Callable[[Path], Iterable[str]]]:
        """Mappings whose keys are names of something: the schema, and the path of the mapping."""
        network = self.of_site("networks")
        return {
            ("intent", "hosts", ANY, "nics"): network,
            ("inventory", "devices"): self.switches,
            ("inventory", "hosts"): self.hosts,
            ("inventory", "feeds", "devices"): self.devices,
            ("inventory", "hosts", ANY, "macs"): network,
            ("inventory", "hosts", ANY, "hcas"): network,
        }

    def values_at(self, kind: str, path: Path) -> Iterable[str]:
        """What may be named by a value."""
        return _looked_up(self.tables(), kind, path)

    def keys_at(self, kind: str, path: Path) -> Iterable[str]:
        """What may be named by the keys of a mapping."""
        return _looked_up(self.key_tables(), kind, path)


def _looked_up(
    table: Mapping[tuple[str, ...], Callable[[Path], Iterable[str]]], kind: str, path: Path
) -> Iterable[str]:
    for pattern, names in table.items():
        if matches(pattern, (kind, *path)):
            return names(path)
    return ()


def matches(pattern: tuple[str, ...], path: Path) -> bool:
    """Whether a path is one of a pattern."""
    return len(pattern) == len(path) and all(p in (ANY, s) for p, s in zip(pattern, path, strict=True))
