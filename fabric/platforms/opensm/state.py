"""What the readers of OpenSM's lines fill: the files of one manager, as far as they were read."""

from __future__ import annotations

import msgspec

from fabric.decoding import convert
from fabric.platforms.manager_files import Named, Option, QosLevel
from fabric.platforms.opensm.model import (
    LidRange,
    Member,
    OpensmConfig,
    PartitionLine,
    PortGroup,
    QosRule,
    TorusFile,
)


class Partition(msgspec.Struct):
    """A partition, as far as it was read."""

    name: str
    pkey: str
    flags: str
    """`, ipoib, rate=21, mtu=5, sl=1`."""
    ports: list[Member] = msgspec.field(default_factory=list)

    def made(self) -> PartitionLine:
        """In the shape of the model."""
        flags = dict(word.partition("=")[::2] for word in self.flags.split(", ")[1:])
        return PartitionLine(
            name=self.name,
            pkey=self.pkey,
            ipoib="ipoib" in flags,
            index0="indx0" in flags,
            rate=int(flags["rate"]),
            mtu=int(flags["mtu"]),
            level=int(flags["sl"]),
            ports=tuple(self.ports),
        )


class OpensmState(msgspec.Struct):
    """All files of a manager."""

    options: list[Option] = msgspec.field(default_factory=list)
    roots: list[str] = msgspec.field(default_factory=list)
    storage: list[str] = msgspec.field(default_factory=list)
    names: list[Named] = msgspec.field(default_factory=list)
    partitions: list[PartitionLine] = msgspec.field(default_factory=list)
    groups: list[PortGroup] = msgspec.field(default_factory=list)
    levels: list[QosLevel] = msgspec.field(default_factory=list)
    rules: list[QosRule] = msgspec.field(default_factory=list)
    torus: TorusFile | None = None
    lids: list[LidRange] = msgspec.field(default_factory=list)
    given: set[int] = msgspec.field(default_factory=set)
    """LIDs of all records."""

    def config(self) -> OpensmConfig:
        """As the model has them."""
        return convert(self, OpensmConfig, from_attributes=True)
