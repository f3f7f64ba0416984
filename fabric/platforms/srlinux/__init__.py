"""Nokia SR Linux: one platform, in its three homes here, `templates/srlinux/` and `tests/platforms/srlinux/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Platform, Reading
from fabric.platforms.srlinux.capabilities import capabilities
from fabric.platforms.srlinux.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.srlinux.model import SrlConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> SrlConfig:
    from fabric.platforms.srlinux.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.srlinux.lower_qos import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.srlinux.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.srlinux.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.srlinux.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.srlinux.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.srlinux.impact import block_impact

    return block_impact(key, old, new)


def _owns_way_in(old: str, new: str) -> tuple[str, ...]:
    from fabric.platforms.srlinux.impact import owns_way_in

    return owns_way_in(old, new)


PLATFORM = Platform(
    name="srlinux",
    title="Nokia SR Linux",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="srlinux/switch.j2",
    path="configs/{name}.json",
    media_type="application/json",
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
