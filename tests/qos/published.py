"""The published headroom tables, as the arithmetic wants them."""

from __future__ import annotations

from fabric.hardware import Asic, HeadroomTable, load_catalogue
from fabric.qos.model import BufferTiming, TableRow
from tests.qos.compare_tables import PublishedTable


def timing(asic: Asic, extra_latency_ns: int | None = None) -> BufferTiming:
    """What the formula must know of an ASIC of the catalogue."""
    return BufferTiming(
        cell_bytes=asic.cell_bytes,
        mac_phy_delay_bytes=asic.mac_phy_delay_bytes or 0,
        peer_response_bytes=asic.peer_response_bytes,
        extra_latency_ns=asic.extra_latency_ns if extra_latency_ns is None else extra_latency_ns,
        pipeline_latency_bytes=asic.pipeline_latency_bytes,
    )


def published(table: HeadroomTable) -> PublishedTable:
    """A table of the catalogue with the constants of its ASIC."""
    asic = load_catalogue().asics.get(table.asic)
    return PublishedTable(
        sku=table.sku,
        asic=table.asic,
        rows=tuple(TableRow(r.speed_mbps, r.cable_m, r.headroom_bytes, r.resume_bytes) for r in table.rows),
        timing=timing(asic, table.extra_latency_ns) if asic else None,
        same_rows=table.same_rows_on_another_asic,
    )


def every_table() -> list[PublishedTable]:
    """Each file of `fabric/hardware/headroom` once."""
    found = {table.sku: table for table in load_catalogue().tables.values()}
    return [published(table) for _, table in sorted(found.items())]
