"""A static inventory for Ansible: hosts with what is known of them, and groups by role, network, platform, unit.

Names of groups have an underscore, which no name of a device has: none is both. Passwords and users are not written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial

from fabric.exports import rows
from fabric.exports.inventories.grouping import facts, groups_of, loopbacks, tools_of
from fabric.exports.network_view import View
from fabric.exports.printing import MADE
from fabric.exports.rows import DeviceRow
from fabric.exports.source import Kind, Lines, Source
from fabric.platforms.other_tools import UNNAMED, OtherTools

UNSAFE = ("rack",)
"""Free text of the inventory: Ansible must not take braces in it for a template."""


def _lines(site: str, views: Iterable[View]) -> Iterator[str]:
    devices = tuple(rows.device_rows(views))
    own = loopbacks(views)
    yield f'{MADE}---\nall:\n  vars:\n    fabric_site: "{site}"\n  hosts:\n'
    for device in devices:
        yield f'    "{device.name}":\n'
        yield from (f"      {key}: {value}\n" for key, value in _variables(device, own))
    products = tools_of(devices)
    yield "  children:\n"
    for group, members in groups_of(devices).items():
        yield f"    {group}:\n"
        yield from _group_variables(products.get(group, ("", UNNAMED))[1])
        yield "      hosts:\n"
        yield from (f'        "{name}":\n' for name in members)


def _variables(device: DeviceRow, own: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Keys and YAML scalars; JSON's strings are YAML's."""
    if device.management_host:
        yield "ansible_host", json.dumps(device.management_host)
    for key, value in facts(device, own).items():
        tag = "!unsafe " if key in UNSAFE else ""
        yield f"fabric_{key}", f"{tag}{json.dumps(value)}"


def _group_variables(tools: OtherTools) -> Iterator[str]:
    if tools.ansible_os:
        yield "      vars:\n"
        yield f"        ansible_network_os: {tools.ansible_os}\n"
        yield f"        ansible_connection: {tools.ansible_connection}\n"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "inventory.yaml", partial(_lines, source.topology.site, source.views)


KIND = Kind("ansible", "a static inventory for Ansible", lambda _source: True, _files)
