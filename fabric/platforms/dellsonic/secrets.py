"""Where secrets stand in a configuration, and the form in which they are masked.

Keys of BGP, NTP and servers print as base64 that is salted anew (`U2FsdGVkX1...`, `encrypted`): never the same twice.
"""

from __future__ import annotations

import re

from fabric.platforms.texts import HIDDEN

MASK = "<masked>"
VALUE = rf"(?!{HIDDEN}(?!\S))\S+"
"""A value that is no placeholder. It may begin with `<` all the same."""
RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(f"(?m)^{pattern}"), masked)
    for pattern, masked in (
        (rf"(username \S+ password) {VALUE}", rf"\1 {MASK}"),
        (rf"([ \t]+password) {VALUE}(?: encrypted)?", rf"\1 {MASK}"),
        (rf"((?:tacacs|radius)-server (?:host \S+ .*?)?key) {VALUE}(?: encrypted)?", rf"\1 {MASK}"),
        (rf"(ntp authentication-key \d+ \S+) {VALUE}(?: encrypted)?", rf"\1 {MASK}"),
        (rf"(snmp-server community) {VALUE}", rf"\1 {MASK}"),
        (rf"(snmp-server user .*?auth-password) {VALUE}", rf"\1 {MASK}"),
        (rf"(snmp-server user .*?priv-password) {VALUE}", rf"\1 {MASK}"),
    )
)
"""Pattern of a line's beginning and replacement, each tried in turn."""


def mask_text(text: str) -> str:
    """A text with all secrets masked."""
    for pattern, masked in RULES:
        text = pattern.sub(masked, text)
    return text
