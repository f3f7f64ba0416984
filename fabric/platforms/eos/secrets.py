"""Where secrets stand in a configuration, and the form in which they are masked.

Our placeholders stay; every other secret value becomes `<masked>`. What says how the value is encoded goes too,
because EOS encodes it anew: type numbers, and the SNMP engine that a key was made for.
"""

from __future__ import annotations

import re

from fabric.platforms.texts import HIDDEN, MASK

WORDS = (" secret ", " password ", "key ", "snmp-server ", " md5 ", " passphrase ", "-string ")
"""A line without any of these holds no secret: most lines are passed over by these alone."""

KEPT = rf"(?!{HIDDEN}(?!\S))(\S+)"
"""A value that is no placeholder and not masked yet."""

RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), masked)
    for pattern, masked in (
        # username U ... secret sha512 HASH, aaa root secret, enable password
        (rf"^(\s*(?:username|aaa root|enable) ?.*?(?:secret|password) )(?:[05] )?+(sha512 )?+{KEPT}", rf"\1\2{MASK}"),
        # snmp-server user U G v3 [localized ENGINE] auth sha256 KEY priv aes256 KEY
        (r"^(snmp-server user .*? v3) localized \S+", r"\1"),
        (rf"^(snmp-server user .*? auth \S+) {KEPT}", rf"\1 {MASK}"),
        (rf"^(snmp-server user .*? priv \S+) {KEPT}", rf"\1 {MASK}"),
        (rf"^(snmp-server community) {KEPT}", rf"\1 {MASK}"),
        (rf"^(snmp-server host .*? version (?:1|2c)) {KEPT}", rf"\1 {MASK}"),
        # tacacs-server, radius-server, ntp and others: ... key [7] KEY
        (r"^(.*(?: |-)key(?: [0-9a-f]+)??) (?:[078]a? )(?=\S+$)", r"\1 "),
        (rf"^((?:tacacs-server|radius-server|\s+server) .*? key) {KEPT}", rf"\1 {MASK}"),
        (rf"^((?:tacacs-server|radius-server) key) {KEPT}", rf"\1 {MASK}"),
        (rf"^(ntp authentication-key \d+ \S+)(?: [078]a?)?+ {KEPT}$", rf"\1 {MASK}"),
        (rf"^(\s++(?!certificate )(?:.* |.*-)?key(?: [0-9a-f]+)??) {KEPT}$", rf"\1 {MASK}"),
        (rf"^(\s+(?:key-string|passphrase))(?: [078]a?)?+ {KEPT}$", rf"\1 {MASK}"),
        (rf"^(.* (?:md5|message-digest-key \d+ \S+))(?: [078]a?)?+ {KEPT}$", rf"\1 {MASK}"),
        # neighbor N password [7] KEY
        (r"^(\s*neighbor \S+ password) (?:[078]a? )(?=\S)", r"\1 "),
        (rf"^(\s*neighbor \S+ password) (?!shared-secret){KEPT}$", rf"\1 {MASK}"),
        (rf"^(\s+(?:secret|password))(?: (?:[057]|8a|sha512))?+ {KEPT}$", rf"\1 {MASK}"),
    )
)  # fmt: skip
"""Pattern and replacement, each tried in turn."""


def mask(line: str) -> str:
    """One line with its secrets masked."""
    if line.lstrip().startswith("description "):
        return line
    for pattern, masked in RULES:
        line = pattern.sub(masked, line)
    return line


def mask_text(text: str) -> str:
    """A text with all secrets masked. Only lines that may hold one are looked at."""
    lines: list[str] | None = None
    for number in sorted(_suspects(text)):
        if lines is None:
            lines = text.split("\n")
        lines[number] = mask(lines[number])
    return text if lines is None else "\n".join(lines)


def _suspects(text: str) -> set[int]:
    """Indices of the lines that hold one of the words."""
    numbers: set[int] = set()
    for word in WORDS:
        at = text.find(word)
        while at >= 0:
            numbers.add(text.count("\n", 0, at))
            at = text.find(word, at + 1)
    return numbers
