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
    (re.compile(f"(?m)^{pattern}"), masked)
    for pattern, masked in (
        # NX-OS shows two spaces before the role
        (r"(username \S+ password .*\S) {2,}(?=role )", r"\1 "),
        (rf"(username \S+ password) [05] {OURS}", r"\1 "),
        (rf"(username \S+ password) (?!5 !(?: |$))(?:[05] )?{VALUE}", rf"\1 {MASK}"),
        (rf"((?:tacacs|radius)-server (?:host \S+ )?key) [0678] {OURS}", r"\1 "),
        (rf"((?:tacacs|radius)-server (?:host \S+ )?key) (?:[0678] )?{VALUE}", rf"\1 {MASK}"),
        (rf"([ \t]+password) [037] {OURS}", r"\1 "),
        (rf"([ \t]+password) (?:[037] )?{VALUE}", rf"\1 {MASK}"),
        (rf"(snmp-server community) {VALUE}", rf"\1 {MASK}"),
        (rf"(snmp-server user .*? auth \S+) {VALUE}", rf"\1 {MASK}"),
        (rf"(snmp-server user .*? priv(?: aes-\S+)?) {VALUE}", rf"\1 {MASK}"),
        (rf"(snmp-server host .*? version (?:1|2c)) {VALUE}", rf"\1 {MASK}"),
        (rf"(ntp authentication-key \d+ md5) {VALUE}", rf"\1 {MASK}"),
        (rf"([ \t]+key-string) (?:[07] )?{VALUE}", rf"\1 {MASK}"),
    )
)
"""Pattern of a line's beginning and replacement, each tried in turn."""


def mask_text(text: str) -> str:
    """A text with all secrets masked."""
    for pattern, masked in RULES:
        text = pattern.sub(masked, text)
    return text
