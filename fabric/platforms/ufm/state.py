"""What the readers of UFM's lines fill: its partitions and files, as far as they were read."""

from __future__ import annotations

import msgspec

from fabric.decoding import convert
from fabric.platforms.manager_files import Named, Option, QosLevel
from fabric.platforms.ufm.model import Link, Pkey, QosRule, Section, Setting, UfmConfig


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

    @property
    def sections(self) -> tuple[Section, ...]:
        """Those of gv.cfg that say something."""
        return tuple(Section(name, tuple(lines)) for name, lines in self.settings.items() if lines)

    def config(self) -> UfmConfig:
        """As the model has them."""
        return convert(self, UfmConfig, from_attributes=True)
