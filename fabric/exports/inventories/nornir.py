"""Files of Nornir's `SimpleInventory`: hosts, groups, defaults. Users and passwords are not written.

Format: nornir 3.6, `nornir/plugins/inventory/simple.py`. The platform is the name of NAPALM's driver; netmiko has
its own name in `connection_options`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from fabric.exports import rows
from fabric.exports.inventories.grouping import facts, groups, groups_of, loopbacks, tools_of
from fabric.exports.network_view import View
from fabric.exports.printing import MADE, yaml_entries, yaml_text
from fabric.exports.source import Kind, Lines, Source
from fabric.platforms.other_tools import UNNAMED, OtherTools


def _hosts(views: Iterable[View]) -> Iterator[str]:
    own = loopbacks(views)
    yield f"{MADE}---\n"
    for device in rows.device_rows(views):
        host = {
            "hostname": device.management_host or device.name,
            "groups": list(groups(device)),
            "data": facts(device, own),
        }
        yield from yaml_entries([(device.name, host)])


def _groups(views: Iterable[View]) -> Iterator[str]:
    devices = tuple(rows.device_rows(views))
    products = tools_of(devices)
    yield f"{MADE}---\n"
    for group in groups_of(devices):
        yield from yaml_entries([(group, {"groups": [], **_product(*products.get(group, ("", UNNAMED)))})])


def _product(platform: str, tools: OtherTools) -> dict[str, Any]:
    options = {"connection_options": {"netmiko": {"platform": tools.netmiko}}} if tools.netmiko else {}
    return {"platform": platform, **options} if platform else {}


def _defaults(site: str) -> Iterator[str]:
    yield f"{MADE}---\n{yaml_text({'data': {'site': site}})}"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "hosts.yaml", partial(_hosts, source.views)
    yield "groups.yaml", partial(_groups, source.views)
    yield "defaults.yaml", partial(_defaults, source.topology.site)


KIND = Kind("nornir", "hosts, groups and defaults for Nornir's SimpleInventory", lambda _source: True, _files)
