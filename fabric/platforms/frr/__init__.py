"""FRR on a Linux switch: one platform, in its three homes here, `templates/frr/` and `tests/platforms/frr/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import Block, BlockImpact, Facts, Part, Platform, Reading
from fabric.platforms.frr.capabilities import capabilities
from fabric.platforms.frr.names import management_port, port_name

if TYPE_CHECKING:
    from fabric.platforms.frr.model import FrrConfig

# The parts below are imported when first used: a command that needs only port names shall not wait for them.


def _lower(switch: Switch, report: Report) -> FrrConfig:
    from fabric.platforms.frr.lower import lower

    return lower(switch, report)


def _derived(switch: Switch) -> Mapping[str, str]:
    from fabric.platforms.frr.lower import derived

    return derived(switch)


def _read(text: str) -> Reading:
    from fabric.platforms.frr.read import read

    return read(text)


def _project(switch: Switch) -> Facts:
    from fabric.platforms.frr.project import project

    return project(switch)


def _canonical(text: str) -> str:
    from fabric.platforms.frr.canonical import canonical

    return canonical(text)


def _blocks(text: str) -> tuple[Block, ...]:
    from fabric.platforms.frr.canonical import blocks

    return blocks(text)


def _block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    from fabric.platforms.frr.impact import block_impact

    return block_impact(key, old, new)


def _owns_way_in(old: str, new: str) -> tuple[str, ...]:
    from fabric.platforms.frr.impact import owns_way_in

    return owns_way_in(old, new)


FILES = ("frr.conf", "daemons", "interfaces", "sysctl.conf", "qos.sh")
"""`/etc/frr/frr.conf`, `/etc/frr/daemons`, `/etc/network/interfaces`, `/etc/sysctl.d/`, and a script."""

PLATFORM = Platform(
    name="frr",
    title="FRR on Linux",
    technology="ethernet",
    capabilities=capabilities,
    port_name=port_name,
    management_port=management_port,
    lower=_lower,
    template="frr/switch.j2",
    path="configs/{name}/frr.conf",
    parts=tuple(Part(name, f"configs/{{name}}/{name}") for name in FILES),
    media_type="text/plain",
    read=_read,
    project=_project,
    canonical=_canonical,
    blocks=_blocks,
    block_impact=_block_impact,
    derived=_derived,
    owns_way_in=_owns_way_in,
)
