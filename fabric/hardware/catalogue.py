"""Finding a model by name. The shipped files are read once, on first access of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from fabric.decoding import convert
from fabric.diagnostics import Origin, Report
from fabric.documents import Document
from fabric.documents.schema.scalar_types import decode
from fabric.documents.schema.validate import converted
from fabric.hardware import codes
from fabric.hardware.check_model import check_model
from fabric.hardware.model import Asic, HeadroomRow, HeadroomTable, HostModel, SwitchModel

HOST_KEYS = frozenset({"gpus", "nics", "scale_up_domain_gpus"})
"""A document with one of these is a host, any other a switch."""

T = TypeVar("T")

HERE = Path(__file__).parent
HEADROOM = HERE / "headroom"
ALIASES = "_aliases"
"""The file of a folder that gives other names of its files."""


class Catalogue(msgspec.Struct, frozen=True):
    """Every model by id: those shipped, and those that a site brings along in `hardware/`."""

    switches: Mapping[str, SwitchModel]
    hosts: Mapping[str, HostModel]
    asics: Mapping[str, Asic]
    headroom: Mapping[str, tuple[HeadroomRow, ...]]
    """Rows of the published headroom tables by hardware sku."""
    tables: Mapping[str, HeadroomTable]
    """The same tables with what is known of them."""

    def published_rows(self, model: SwitchModel) -> tuple[HeadroomRow, ...]:
        """One table out of all tables of a model, ordered by speed and cable.

        The model's own tables decide for the speeds and lengths that they have; beyond them, where the delays of
        the ASIC are not published, those of every model with the same ASIC.
        """
        own, family = self.own_tables(model), self.family_tables(model)
        longest: dict[int, int] = {}
        for row in (row for rows in own for row in rows):
            longest[row.speed_mbps] = max(longest.get(row.speed_mbps, 0), row.cable_m)
        beyond = (row for row in envelope(family) if row.cable_m > longest.get(row.speed_mbps, -1))
        return tuple(sorted((*as_one(own), *beyond), key=lambda row: (row.speed_mbps, row.cable_m)))

    def own_tables(self, model: SwitchModel) -> Tables:
        """The tables that the vendor made for this model."""
        if self._is_published(model):
            return tuple(self.headroom[sku] for sku in model.headroom_tables)
        return tuple(
            self.headroom[sku] for sku in model.headroom_tables if self.tables[sku].model == model.model
        )

    def family_tables(self, model: SwitchModel) -> Tables:
        """The tables of all models with this ASIC, where its delays are not published.

        The formula alone cannot be trusted there: the tables show a large part that does not depend on the cable.
        """
        if self._is_published(model):
            return ()
        return family(model.asic)

    def _is_published(self, model: SwitchModel) -> bool:
        asic = self.asics.get(model.asic)
        return asic is not None and asic.pipeline_latency_bytes is not None


Tables = tuple[tuple[HeadroomRow, ...], ...]
"""The rows of several tables."""


def as_one(tables: Tables) -> Iterator[HeadroomRow]:
    """One table that holds for all, ordered by speed and cable.

    Vendors ship several tables for one model, made for frames of different sizes. For each length that one of them
    has, every table is read at its next longer cable, and the largest headroom is taken.
    """
    for speed_mbps, cable_m in sorted({(row.speed_mbps, row.cable_m) for rows in tables for row in rows}):
        candidates = filter(None, (next_longer(rows, speed_mbps, cable_m) for rows in tables))
        row = max(candidates, key=lambda row: row.headroom_bytes)
        yield msgspec.structs.replace(row, cable_m=cable_m)


def envelope(tables: Tables) -> Iterator[HeadroomRow]:
    """What is not below any row of these tables for the same or a shorter cable, ordered by speed and cable.

    For tables of other models: a sparse one says nothing of the lengths that it leaves out.
    """
    rows = sorted((row for rows in tables for row in rows), key=lambda row: (row.speed_mbps, row.cable_m))
    for _, same_speed in groupby(rows, key=lambda row: row.speed_mbps):
        largest: HeadroomRow | None = None
        for cable_m, same in groupby(same_speed, key=lambda row: row.cable_m):
            candidates = (*same, *((largest,) if largest else ()))
            largest = max(candidates, key=lambda row: row.headroom_bytes)
            yield msgspec.structs.replace(largest, cable_m=cable_m)


@cache
def family(asic: str) -> Tables:
    """The shipped tables of an ASIC."""
    tables = Folder(HEADROOM, read_table).with_line(f"asic: {asic}")
    return tuple(table.rows for table in tables if not table.is_reported)


def next_longer(rows: tuple[HeadroomRow, ...], speed_mbps: int, cable_m: int) -> HeadroomRow | None:
    """The row of this speed with the shortest cable that is long enough; None if no row is."""
    fitting = [row for row in rows if row.speed_mbps == speed_mbps and row.cable_m >= cable_m]
    return min(fitting, key=lambda row: row.cable_m, default=None)


class Folder(Mapping[str, T]):
    """The files of a folder by stem, each decoded on first use; `_aliases.yaml` gives them more names."""

    def __init__(self, path: Path, make: Callable[[Any], T]) -> None:
        self._path = path
        self._make = make
        self._made: dict[str, T] = {}

    @cached_property
    def _files(self) -> dict[str, Path]:
        files = {file.stem: file for file in self._path.glob("*.yaml")}
        aliases = files.pop(ALIASES, None)
        if aliases is not None:
            files |= {name: files[target] for name, target in read_trusted(aliases).items()}
        return dict(sorted(files.items()))

    def with_line(self, line: str) -> Iterator[T]:
        """The files with this line, each once. Decoding the others would take long."""
        first_names = {path: name for name, path in reversed(self._files.items())}
        return (
            self[name]
            for name, path in self._files.items()
            if first_names[path] == name and f"\n{line}\n" in path.read_text("utf-8")
        )

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            self._made[name] = self._make(read_trusted(self._files[name]))
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class Joined(Mapping[str, T]):
    """Two mappings as one; the first one wins."""

    def __init__(self, first: Mapping[str, T], second: Mapping[str, T]) -> None:
        self._first = first
        self._second = second

    def __getitem__(self, name: str) -> T:
        return self._first[name] if name in self._first else self._second[name]

    def __contains__(self, name: object) -> bool:
        return name in self._first or name in self._second

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._first, *self._second}))

    def __len__(self) -> int:
        return len({*self._first, *self._second})


def load_catalogue(extra: Mapping[str, Document] | None = None) -> Catalogue:
    """The shipped models, and those of `extra` documents by id. `Invalid` with every mistake found in these.

    A model of the site replaces a shipped one of the same id.
    """
    if not extra:
        return shipped()
    report = Report()
    models = {name: read_model(name, document, report) for name, document in sorted(extra.items())}
    report.finish()
    switches = {name: model for name, model in models.items() if isinstance(model, SwitchModel)}
    hosts = {name: model for name, model in models.items() if isinstance(model, HostModel)}
    base = shipped()
    return msgspec.structs.replace(
        base, switches=Joined(switches, base.switches), hosts=Joined(hosts, base.hosts)
    )


@cache
def shipped() -> Catalogue:
    """The models of this package. Files are read on first access."""
    tables = Folder(HEADROOM, read_table)
    return Catalogue(
        switches=Folder(HERE / "models", lambda value: convert(value, SwitchModel, hook=decode)),
        hosts=Folder(HERE / "hosts", lambda value: convert(value, HostModel, hook=decode)),
        asics=Asics(),
        headroom=Rows(tables),
        tables=tables,
    )


class Asics(Mapping[str, Asic]):
    """The ASIC families of `asics.yaml`."""

    @cached_property
    def _asics(self) -> dict[str, Asic]:
        values = read_trusted(HERE / "asics.yaml")
        return {name: convert({"name": name, **value}, Asic) for name, value in values.items()}

    def __getitem__(self, name: str) -> Asic:
        return self._asics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._asics)

    def __len__(self) -> int:
        return len(self._asics)


COLUMNS = (
    "speed",
    "cable",
    "size_bytes",
    "resume_bytes",
    "headroom_bytes",
    "threshold",
    "resume_offset_bytes",
)
"""Of a row in `headroom/*.yaml`: speed, cable, size, xon, xoff, threshold, xon_offset."""


def read_table(value: Any) -> HeadroomTable:
    """The table of a headroom file."""
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in value["rows"]]
    return convert({**value, "rows": rows}, HeadroomTable, hook=decode)


class Rows(Mapping[str, tuple[HeadroomRow, ...]]):
    """The rows of tables, by the tables' names."""

    def __init__(self, tables: Mapping[str, HeadroomTable]) -> None:
        self._tables = tables

    def __getitem__(self, name: str) -> tuple[HeadroomRow, ...]:
        return self._tables[name].rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def read_trusted(path: Path) -> Any:
    """The value of one of our own files, which tests have checked."""
    import yaml  # `--help` does not pay for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_bytes(), Loader=loader)  # noqa: S506  # both loaders are the safe ones


def read_model(name: str, document: Document, report: Report) -> SwitchModel | HostModel | None:
    """The switch or host of a document; None, with findings in `report`, if it is not valid."""
    value = document.value
    model: SwitchModel | HostModel | None
    if isinstance(value, dict) and not HOST_KEYS.isdisjoint(value):
        model = converted(document, HostModel, "host", report)
    else:
        model = converted(document, SwitchModel, "switch", report)
    if model is None:
        return None
    origin = Origin((), document.name)
    if model.id != name:
        rule = f"the model calls itself {model.id!r}, its file {name!r}"
        report.add(codes.IDENTITY.at(origin.child("id"), rule, value=model.id, hint=f"write `id: {name}`"))
    if isinstance(model, SwitchModel):
        check_model(model, origin, report)
    return model
