"""Cisco NX-OS on Nexus 9000: one platform, in its three homes here, `templates/nxos/` and `tests/platforms/nxos/`.

NAPALM's replace takes a file in the form of `checkpoint`. That form cannot be made offline: it has a header of the
device, and it states every implicit default of model and release as `!#` lines. What is printed here is configuration
text, for `configure replace`, the dual-stage session, or as the change of a checkpoint that was taken from the switch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Platform, Reading
from fabric.platforms.nxos.capabilities import capabilities
from fabric.platforms.nxos.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.nxos.model import NxosConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> NxosConfig:
    from fabric.platforms.nxos.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.nxos.lower import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.nxos.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.nxos.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.nxos.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.nxos.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.nxos.impact import block_impact

    return block_impact(key, old, new)


def _owns_way_in(old: str, new: str) -> tuple[str, ...]:
    from fabric.platforms.nxos.impact import owns_way_in

    return owns_way_in(old, new)


PLATFORM = Platform(
    name="nxos",
    title="Cisco NX-OS",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="nxos/switch.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=_read,
    project=_project,
    canonical=_canonical,
    blocks=_blocks,
    block_impact=_block_impact,
    derived=_derived,
    driver="",  # compiles and plans offline; no push of it has been proved yet
    owns_way_in=_owns_way_in,
)
