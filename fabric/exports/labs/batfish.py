"""A snapshot for Batfish: configurations, hosts, and the cabling, which it cannot infer from addresses here.

Format: pybatfish 0.36, `docs/source/formats.md`. The line by which Batfish tells the vendor stands in front of the
copies in the snapshot only. Configurations have placeholders where secrets stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from fabric.diagnostics import Origin
from fabric.exports import codes, rows
from fabric.exports.printing import json_text
from fabric.exports.rows import DeviceRow
from fabric.exports.source import Kind, Lines, Source
from fabric.platforms import registry
from fabric.platforms.other_tools import SnapshotForm

README = """\
# Batfish snapshot of {site}

    bf = Session(host="localhost")
    bf.set_network("{site}")
    bf.init_snapshot("batfish", name="candidate", overwrite=True)

Batfish judges routing and access lists. It does not model PFC, ECN and buffers, and reads no NVUE, no SR Linux and no
FRR outside of SONiC: {left_out}.
`batfish/layer1_topology.json` has every cable between what is in the snapshot. Unnumbered sessions need it.
"""


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    views = tuple(view for view in source.views if view.context)
    devices = {device.name: device for device in rows.device_rows(views)}
    read = {
        name: device
        for name, device in devices.items()
        if (device.tools.snapshot if device.is_switch else device.role == "host")
    }
    left_out = _warn(
        source, [device for device in devices.values() if device.is_switch and device.name not in read]
    )
    yield "README.md", partial(iter, (README.format(site=source.topology.site, left_out=left_out),))
    yield "batfish/layer1_topology.json", partial(_edges, source, frozenset(read))
    addresses = _addresses(source)
    for name, device in read.items():
        if not device.is_switch:
            yield f"hosts/{name}.json", partial(_host, name, addresses.get(name, {}))
        elif device.tools.snapshot is not None:
            yield from _configuration(source, device, device.tools.snapshot)


def _warn(source: Source, devices: list[DeviceRow]) -> str:
    """Report products that are not read; what the README file says of them."""
    for device in devices:
        at = Origin(("networks", device.network, "tiers", device.role))
        rule = f"Batfish does not read {registry.platform(device.platform or '').title}"
        source.report.add(codes.NOT_READ.at(at, rule, value=device.platform, hint=codes.NOT_READ.fix))
    if not devices:
        return "every switch of this site is in the snapshot"
    products = sorted({registry.platform(device.platform or "").title for device in devices})
    return f"switches with {', '.join(products)} are left out"


def _configuration(source: Source, device: DeviceRow, form: SnapshotForm) -> Iterator[tuple[str, Lines]]:
    if not form.files:
        yield f"{form.folder}/{device.name}.cfg", partial(_text, source, device, form, "")
    for part in form.files:
        yield f"{form.folder}/{device.name}/{part}", partial(_text, source, device, form, part)


def _text(source: Source, device: DeviceRow, form: SnapshotForm, part: str) -> Iterator[str]:
    if form.first_line:
        yield f"{form.first_line}\n"
    yield source.part(device.name, device.platform or "", part)


def _edges(source: Source, read: frozenset[str]) -> Iterator[str]:
    views = [view for view in source.views if view.context]
    lead = '{"edges": ['
    for cable in rows.cable_rows(views):
        for ends in zip(cable.a, cable.b, strict=True):
            if all(device in read for device, _ in ends):
                edge = {
                    f"node{i}": {"hostname": device, "interfaceName": port}
                    for i, (device, port) in enumerate(ends, 1)
                }
                yield f"{lead}\n  {json.dumps(edge)}"
                lead = ","
    yield "\n]}\n" if lead == "," else f"{lead}]}}\n"


def _addresses(source: Source) -> dict[str, dict[str, str]]:
    """IPv4 addresses of links by device and port."""
    found: dict[str, dict[str, str]] = {}
    for row in rows.address_rows(view for view in source.views if view.context):
        if row.device and row.port and row.kind == "link" and ":" not in row.address:
            found.setdefault(row.device, {})[row.port] = row.address
    return found


def _host(name: str, addresses: dict[str, str]) -> Iterator[str]:
    interfaces = {port: {"name": port, "prefix": address} for port, address in addresses.items()}
    yield json_text({"hostname": name, "hostInterfaces": interfaces})


KIND = Kind(
    "batfish",
    "a snapshot for Batfish: configurations, hosts, layer 1",
    lambda source: source.is_printable,
    _files,
)
