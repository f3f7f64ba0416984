"""NVIDIA Cumulus Linux through NVUE: one platform, in its homes here, in `templates/` and in `tests/platforms/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Platform, Reading
from fabric.platforms.cumulus.capabilities import capabilities
from fabric.platforms.cumulus.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.cumulus.model import NvueConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> NvueConfig:
    from fabric.platforms.cumulus.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.cumulus.lower import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.cumulus.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.cumulus.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.cumulus.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.cumulus.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.cumulus.impact import block_impact

    return block_impact(key, old, new)


def _owns_way_in(old: str, new: str) -> tuple[str, ...]:
    from fabric.platforms.cumulus.impact import owns_way_in

    return owns_way_in(old, new)


PLATFORM = Platform(
    name="cumulus",
    title="NVIDIA Cumulus Linux",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="cumulus/switch.j2",
    path="configs/{name}.yaml",
    media_type="application/yaml",
    read=_read,
    project=_project,
    canonical=_canonical,
    blocks=_blocks,
    block_impact=_block_impact,
    derived=_derived,
    comment="#",
    owns_way_in=_owns_way_in,
)
