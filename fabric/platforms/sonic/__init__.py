"""Community SONiC: `config_db.json`, and `frr.conf` in the routing mode `split-unified`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Part, Platform, Reading
from fabric.platforms.sonic.capabilities import capabilities
from fabric.platforms.sonic.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.sonic.model import SonicConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> SonicConfig:
    from fabric.platforms.sonic.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.sonic.lower_qos import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.sonic.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.sonic.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.sonic.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.sonic.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.sonic.impact import block_impact

    return block_impact(key, old, new)


PLATFORM = Platform(
    name="sonic",
    title="SONiC",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="sonic/switch.j2",
    path="configs/{name}.sonic",
    media_type="text/plain",
    parts=(
        Part("config_db.json", "configs/{name}/config_db.json"),
        Part("frr.conf", "configs/{name}/frr.conf"),
    ),
    read=_read,
    project=_project,
    canonical=_canonical,
    blocks=_blocks,
    block_impact=_block_impact,
    derived=_derived,
)
