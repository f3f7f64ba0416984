"""All devices of a site, derived on access."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fabric.devices.context import MixedLink, NetworkContext
from fabric.devices.hosts.model import Host
from fabric.devices.model import Device
from fabric.diagnostics import Diagnostic


class Devices(Mapping[str, Device]):
    """Stage 3: the switches and subnet managers of the site by name, derived anew on each access.

    Only the last one is kept: at ten thousand switches one is in memory. Iteration is in topology order.
    """

    def __init__(
        self,
        names: Sequence[str],
        derive_device: Callable[[str], Device],
        fingerprint: Callable[[str], str],
        hosts: Mapping[str, Host],
        diagnostics: tuple[Diagnostic, ...] = (),
        mixed_links: Iterable[MixedLink] = (),
        described_hosts: Sequence[str] = (),
        contexts: Sequence[NetworkContext] = (),
    ) -> None:
        self._names = names
        self._known = frozenset(names)
        self._derive = derive_device
        self._last: Device | None = None
        self.fingerprint = fingerprint
        """By name: a digest of what the device is derived from. Equal ones mean equal devices."""
        self.hosts = hosts
        """The hosts by name, as lazily."""
        self.diagnostics = diagnostics
        self.described_hosts = described_hosts
        """Those for which files are made: their group has a `system`."""
        self.mixed_links = mixed_links
        """Links of a mixed fabric at which different products or models meet: one for all that are alike."""
        self.contexts = contexts
        """Of each Ethernet network: what its switches are derived from."""

    def __getitem__(self, name: str) -> Device:
        if name not in self._known:
            raise KeyError(name)
        last = self._last
        if last is None or last.name != name:
            last = self._last = self._derive(name)
        return last

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._known
