"""OpenSM's files as facts, and every line that no reader knows."""

from __future__ import annotations

from fabric.devices.model import SubnetManager
from fabric.diagnostics import Diagnostic
from fabric.platforms.base import Reading
from fabric.platforms.opensm import codes
from fabric.platforms.opensm.model import OpensmConfig
from fabric.platforms.opensm.parse import parse
from fabric.platforms.opensm.project import facts


def read(text: str) -> Reading:
    """What the files of a manager say."""
    parsed = parse(text)
    return Reading(facts(parsed.config), parsed.unread)


def proof(manager: SubnetManager, config: OpensmConfig, text: str) -> tuple[Diagnostic, ...]:
    """Whether files that were just printed say what they shall, and nothing else. Not one of them is written else."""
    parsed = parse(text)
    hint = "correct the site's own templates; without any it is a bug of this program"
    if parsed.unread:
        number, line = parsed.unread[0]
        more = f" (and {len(parsed.unread) - 1} more)" if len(parsed.unread) > 1 else ""
        rule = f"OpenSM's files for {manager.name}: line {number} cannot be read back{more}"
        return (codes.FILE.at(manager.origin, rule, value=line[:100], hint=hint),)
    differ = [
        name for name in config.__struct_fields__ if getattr(config, name) != getattr(parsed.config, name)
    ]
    if differ:
        rule = f"OpenSM's files for {manager.name} do not say what they shall: {', '.join(differ)}"
        return (codes.FILE.at(manager.origin, rule, value=differ[0], hint=hint),)
    return ()
