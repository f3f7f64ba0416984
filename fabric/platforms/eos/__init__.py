"""Arista EOS: one platform, in its three homes here, `templates/eos/` and `tests/platforms/eos/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Platform, Reading, Target
from fabric.platforms.eos.capabilities import capabilities
from fabric.platforms.eos.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.eos.model import EosConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> EosConfig:
    from fabric.platforms.eos.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.eos.lower import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.eos.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.eos.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.eos.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.eos.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.eos.impact import block_impact

    return block_impact(key, old, new)


def _owns_way_in(old: str, new: str) -> tuple[str, ...]:
    from fabric.platforms.eos.impact import owns_way_in

    return owns_way_in(old, new)


def _driver_options(target: Target) -> dict[str, Any]:
    from fabric.platforms.eos.session import driver_options

    return driver_options(target)


PLATFORM = Platform(
    name="eos",
    title="Arista EOS",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="eos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=_read,
    project=_project,
    canonical=_canonical,
    blocks=_blocks,
    block_impact=_block_impact,
    derived=_derived,
    driver="eos",
    driver_options=_driver_options,
    emulator="fabric.platforms.eos.emulator:make",
    owns_way_in=_owns_way_in,
)
