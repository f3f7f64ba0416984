"""What the readers of UFM's lines fill: its partitions and files, as far as they were read."""

from __future__ import annotations

import msgspec

from fabric.platforms.ufm.model import (
    Link,
    Named,
    Option,
    Pkey,
    QosLevel,
    QosRule,
    Section,
    Setting,
    UfmConfig,
)


class UfmState(msgspec.Struct):
    """All of one UFM."""

    pkeys: list[Pkey] = msgspec.field(default_factory=list)
    settings: dict[str, list[Setting]] = msgspec.field(default_factory=dict)
    """Of gv.cfg, by section."""
    options: list[Option] = msgspec.field(default_factory=list)
    roots: list[str] = msgspec.field(default_factory=list)
    names: list[Named] = msgspec.field(default_factory=list)
    levels: list[QosLevel] = msgspec.field(default_factory=list)
    rules: list[QosRule] = msgspec.field(default_factory=list)
    links: list[Link] = msgspec.field(default_factory=list)

    def config(self) -> UfmConfig:
        """As the model has them."""
        return UfmConfig(
            pkeys=tuple(self.pkeys),
            sections=tuple(Section(name, tuple(found)) for name, found in self.settings.items() if found),
            options=tuple(self.options),
            roots=tuple(self.roots),
            names=tuple(self.names),
            levels=tuple(self.levels),
            rules=tuple(self.rules),
            links=tuple(self.links),
        )
