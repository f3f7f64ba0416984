"""Juniper Junos Evolved on QFX: one platform, here, in `templates/junos/` and in `tests/platforms/junos/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Platform, Reading
from fabric.platforms.junos.capabilities import capabilities
from fabric.platforms.junos.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.junos.model import JunosConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> JunosConfig:
    from fabric.platforms.junos.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.junos.lower_qos import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.junos.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.junos.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.junos.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.junos.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.junos.impact import block_impact

    return block_impact(key, old, new)


def _owns_way_in(old: str, new: str) -> tuple[str, ...]:
    from fabric.platforms.junos.impact import owns_way_in

    return owns_way_in(old, new)


PLATFORM = Platform(
    name="junos",
    title="Juniper Junos Evolved",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="junos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=_read,
    project=_project,
    canonical=_canonical,
    blocks=_blocks,
    block_impact=_block_impact,
    derived=_derived,
    comment="#",
    driver="",  # compiles and plans offline; no push of it has been proved yet
    owns_way_in=_owns_way_in,
)
