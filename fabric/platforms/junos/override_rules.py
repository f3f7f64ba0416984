"""What lines of an override may say beside ours on Junos.

Sources: Junos CLI reference and user guides: "BGP" (`graceful-shutdown`), "Class of Service", "Forwarding options",
"Interfaces fundamentals" (`traps`), "Network management"; `deactivate` is a command, and no statement ("CLI user
guide").
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.configuration import Line
from fabric.configuration.syntaxes.curly import parse, words_of
from fabric.platforms.overrides.lines import Words
from fabric.platforms.overrides.rules import OverrideRules

HARMLESS = (
    "firewall family * filter *",
    "firewall policer *",
    "forwarding-options sampling",
    "forwarding-options storm-control-profiles",
    "interfaces *",
    "interfaces * no-traps",
    "interfaces * traps",
    "policy-options as-path *",
    "policy-options community *",
    "policy-options policy-statement *",
    "policy-options prefix-list *",
    "protocols bgp log-updown",
    "protocols igmp",
    "protocols ospf",
    "protocols rstp",
    "protocols sflow",
    "routing-instances *",
    "routing-options static route *",
    "snmp",
    "system location",
    "system syslog file *",
    "system time-zone",
    "vlans *",
)
WHOLE = (
    "apply-flags",
    "apply-macro",
    "chassis",
    "class-of-service",
    "forwarding-options enhanced-hash-key",
    "forwarding-options fast-reroute",
    "forwarding-options hash-key",
    "forwarding-options load-balance",
    "protocols bgp",
    "protocols layer2-control",
    "protocols lldp",
    "protocols router-advertisement",
    "routing-options",
    "switch-options",
    "system",
)


def override_rules(_section: str) -> OverrideRules:
    """One kind of lines, whatever the block is called."""
    return OverrideRules(harmless=HARMLESS, whole=WHOLE, statements=statements, by_line=False)


def statements(text: str) -> Iterator[tuple[int, Words]]:
    """Every statement without braces, word by word."""
    return _walk(parse(text), ())


def _walk(lines: list[Line], above: Words) -> Iterator[tuple[int, Words]]:
    for line in lines:
        path = (*above, *words_of(line.text))
        if line.below:
            yield from _walk(line.below, path)
        else:
            yield line.number, path
