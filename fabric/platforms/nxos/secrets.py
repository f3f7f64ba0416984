"""Where secrets stand in a configuration, and the form in which they are masked.

Our placeholders stay; every other secret value becomes `<masked>`. What says how it is encoded goes too, because the
switch encodes it anew.
"""

from __future__ import annotations

import re

from fabric.platforms.texts import HIDDEN

MASK = "<masked>"
VALUE = rf"(?!{HIDDEN}(?!\S))\S+"
"""A value that is no placeholder. It may begin with `<` all the same."""
OURS = rf"(?={HIDDEN}(?!\S))"
RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), masked)
    for pattern, masked in (
        (rf"^(username \S+ password) [05] {OURS}", r"\1 "),
        (rf"^(username \S+ password) (?!5 !(?: |$))(?:[05] )?{VALUE}", rf"\1 {MASK}"),
        (rf"^((?:tacacs|radius)-server (?:host \S+ )?key) [0678] {OURS}", r"\1 "),
        (rf"^((?:tacacs|radius)-server (?:host \S+ )?key) (?:[0678] )?{VALUE}", rf"\1 {MASK}"),
        (rf"^(\s+password) [037] {OURS}", r"\1 "),
        (rf"^(\s+password) (?:[037] )?{VALUE}", rf"\1 {MASK}"),
        (rf"^(snmp-server community) {VALUE}", rf"\1 {MASK}"),
        (rf"^(snmp-server user .*? auth \S+) {VALUE}", rf"\1 {MASK}"),
        (rf"^(snmp-server user .*? priv(?: aes-\S+)?) {VALUE}", rf"\1 {MASK}"),
        (rf"^(snmp-server host .*? version (?:1|2c)) {VALUE}", rf"\1 {MASK}"),
        (rf"^(ntp authentication-key \d+ md5) {VALUE}", rf"\1 {MASK}"),
        (rf"^(\s+key-string) (?:[07] )?{VALUE}", rf"\1 {MASK}"),
    )
)
"""Pattern and replacement, each tried in turn."""


def mask(line: str) -> str:
    """One line with its secrets masked."""
    if line.lstrip().startswith("description "):
        return line
    for pattern, masked in RULES:
        line = pattern.sub(masked, line)
    return line
