"""The hardware catalogue: every model in one list, or one model with all that is published of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from fabric.hardware import Catalogue, HeadroomRow, HostModel, SwitchModel, cage_numbers
from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import length, speed
from fabric.units import Speed, counted

BOLD = "bold"
MEBIBYTE = 2**20


def catalogue_tables(catalogue: Catalogue) -> tuple[Table, ...]:
    """The switches and the hosts, a row a model."""
    return _switch_list(catalogue), _host_list(catalogue)


def model_tables(catalogue: Catalogue, name: str) -> tuple[Table, ...]:
    """One model. `name` is one of the catalogue."""
    if name in catalogue.switches:
        model = catalogue.switches[name]
        rows = catalogue.published_rows(model)
        tables = (
            _cages(model),
            _software(model),
            _limits(model),
            _headroom(model, rows),
            _sources(_sources_of_switch(model)),
        )
        return tuple(table for table in tables if any(True for _row in table.rows()))
    host = catalogue.hosts[name]
    return _nics(host), _sources({"model": host.source})


def cages_of(model: SwitchModel) -> str:
    """`64 OSFP of 800G`: the cages of the fabric, those of all cards together."""
    counts: Counter[str] = Counter()
    for group in model.cages:
        if group.role == "fabric":
            counts[f"{group.form} of {group.max_mbps}"] += len(cage_numbers(group.cages))
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def splits_of(model: SwitchModel) -> tuple[str, ...]:
    """`2x400G`: every mode of the cages of the fabric."""
    groups = (group for group in model.cages if group.role == "fabric")
    return tuple(dict.fromkeys(mode for group in groups for mode in group.breakouts))


def platforms_of(model: SwitchModel) -> tuple[str, ...]:
    """What runs on it, the default first."""
    return tuple(software.name for software in model.software)


def nics_of(host: HostModel) -> tuple[str, ...]:
    """`compute: 8 x 1 x 400G`: NICs, ports of each, speed of a port."""
    return tuple(f"{network}: {n.count} x {n.ports} x {n.speed_mbps}" for network, n in host.nics.items())


def _switch_list(catalogue: Catalogue) -> Table:
    def rows() -> Iterator[Row]:
        for name, model in catalogue.switches.items():
            buffer = model.buffer.total_bytes if model.buffer else None
            yield (
                name,
                model.technology,
                cages_of(model),
                splits_of(model),
                platforms_of(model),
                model.asic,
                buffer,
                model.model,
            )

    columns = (
        Column(key="model", heading="MODEL", style=lambda _v: BOLD),
        Column(key="technology", heading="TECHNOLOGY", rank=3),
        Column(key="cages", heading="CAGES"),
        Column(key="splits", heading="SPLITS", rank=2, wraps=True),
        Column(key="platforms", heading="PLATFORMS"),
        Column(key="asic", heading="ASIC", rank=4),
        Column(key="buffer_bytes", heading="BUFFER", right=True, rank=5, show=_mebibytes),
        Column(key="title", heading="SOLD AS", rank=6),
    )
    return Table(
        name="switches", columns=columns, rows=rows, noun=("switch model", "switch models"), title="Switches"
    )


def _host_list(catalogue: Catalogue) -> Table:
    def rows() -> Iterator[Row]:
        for name, host in catalogue.hosts.items():
            yield name, host.gpus, host.scale_up_domain_gpus, nics_of(host), host.model

    columns = (
        Column(key="model", heading="MODEL", style=lambda _v: BOLD),
        Column(key="gpus", heading="GPUS", right=True),
        Column(key="scale_up_domain_gpus", heading="SCALE-UP DOMAIN", right=True, rank=1),
        Column(key="nics", heading="NICS x PORTS x SPEED"),
        Column(key="title", heading="SOLD AS", rank=2),
    )
    return Table(name="hosts", columns=columns, rows=rows, noun=("host model", "host models"), title="Hosts")


def _mebibytes(value: int | None) -> str:
    return "" if value is None else f"{value / MEBIBYTE:.0f} MiB"


def _cages(model: SwitchModel) -> Table:
    def rows() -> Iterator[Row]:
        for group in model.cages:
            yield group.cages, group.form, group.max_mbps, group.lanes, group.breakouts, group.role

    columns = (
        Column(key="cages", heading="CAGES", style=lambda _v: BOLD),
        Column(key="form", heading="FORM"),
        Column(key="max_speed_mbps", heading="SPEED", right=True, show=speed),
        Column(key="lanes", heading="LANES", right=True, rank=2),
        Column(key="splits", heading="SPLITS", wraps=True),
        Column(key="role", heading="FOR", rank=1),
    )
    buffer = f", {_mebibytes(model.buffer.total_bytes)} of buffer" if model.buffer else ""
    title = f"{model.model}: {model.asic}{buffer}"
    return Table(
        name="cages", columns=columns, rows=rows, noun=("group of cages", "groups of cages"), title=title
    )


def _software(model: SwitchModel) -> Table:
    def rows() -> Iterator[Row]:
        for place, software in enumerate(model.software):
            yield software.name, place == 0, software.hwsku, software.queue_model

    columns = (
        Column(key="platform", heading="PLATFORM", style=lambda _v: BOLD),
        Column(key="default", heading="DEFAULT"),
        Column(key="hwsku", heading="HARDWARE SKU", rank=1),
        Column(key="queue_model", heading="QUEUE MODEL", rank=2),
    )
    return Table(
        name="platforms", columns=columns, rows=rows, noun=("platform", "platforms"), title="Platforms"
    )


def _limits(model: SwitchModel) -> Table:
    def rows() -> Iterator[Row]:
        for limit in model.limits:
            yield limit.modes, limit.only_cages, limit.rule

    columns = (
        Column(key="modes", heading="SPLITS"),
        Column(key="only_cages", heading="CAGES"),
        Column(key="rule", heading="LIMIT", wraps=True),
    )
    return Table(name="limits", columns=columns, rows=rows, noun=("limit", "limits"), title="Limits")


def _headroom(model: SwitchModel, published: Sequence[HeadroomRow]) -> Table:
    def rows() -> Iterator[Row]:
        for row in published:
            yield row.speed_mbps, row.cable_m, row.headroom_bytes, row.resume_bytes

    columns = (
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed, style=lambda _v: BOLD),
        Column(key="cable_m", heading="CABLE", right=True, show=length),
        Column(key="headroom_bytes", heading="HEADROOM BYTES", right=True),
        Column(key="resume_bytes", heading="RESUME BYTES", right=True),
    )
    title = f"Published headroom: {', '.join(model.headroom_tables)}"
    return Table(name="headroom", columns=columns, rows=rows, noun=("row", "rows"), title=title)


def _sources_of_switch(model: SwitchModel) -> dict[str, str]:
    """Where each figure was read."""
    named = {"model": model.source}
    named |= {f"cages {group.cages}": group.source for group in model.cages}
    named |= {"buffer": model.buffer.source} if model.buffer else {}
    named |= {f"platform {software.name}": software.source for software in model.software}
    return named | {f"limit {place}": limit.source for place, limit in enumerate(model.limits, start=1)}


def _sources(named: Mapping[str, str]) -> Table:
    def rows() -> Iterator[Row]:
        yield from ((what, " ".join(source.split())) for what, source in named.items())

    columns = (
        Column(key="fact", heading="FACT", style=lambda _v: BOLD),
        Column(key="source", heading="SOURCE", wraps=True),
    )
    return Table(name="sources", columns=columns, rows=rows, noun=("source", "sources"), title="Sources")


def _nics(host: HostModel) -> Table:
    def rows() -> Iterator[Row]:
        for network, nics in host.nics.items():
            yield network, nics.count, nics.ports, Speed(nics.speed_mbps), nics.nic

    columns = (
        Column(key="network", heading="NETWORK", style=lambda _v: BOLD),
        Column(key="nics", heading="NICS", right=True),
        Column(key="ports", heading="PORTS EACH", right=True),
        Column(key="speed_mbps", heading="PORT SPEED", right=True, show=speed),
        Column(key="nic", heading="NIC"),
    )
    title = f"{host.model}: {counted(host.gpus, 'GPU')}, {host.scale_up_domain_gpus} in one scale-up domain"
    return Table(name="nics", columns=columns, rows=rows, noun=("kind of NIC", "kinds of NICs"), title=title)
