"""EOS's configuration modes as data: one table a mode, rows in the order EOS prints them."""

from __future__ import annotations

from dataclasses import replace

from fabric.platforms.eos.emulator.grammar import Rule
from fabric.platforms.eos.emulator.tables import interfaces, qos, routing, services, top

CONFIG: tuple[Rule, ...] = tuple(
    replace(rule, section=number) for number, part in enumerate(top.PARTS) for rule in part
)

TABLES: dict[str, tuple[Rule, ...]] = {
    "config": CONFIG,
    "load-balance-cluster": (),
    "system-l1": (
        Rule(pattern="unsupported speed action (error|warn)"),
        Rule(pattern="unsupported error-correction action (error|warn)"),
    ),
    "tacacs-group": (Rule(pattern="server (<*ip>|<*host>) [*vrf <*name>]"),),
    **interfaces.MODES,
    **qos.MODES,
    **routing.MODES,
    **services.MODES,
}

__all__ = ["TABLES"]
