"""Where secrets stand in a configuration, and the form in which they are masked.

Our placeholders stay; every other secret value becomes `<masked>`. What says how the value is encoded goes too,
because EOS encodes it anew: type numbers, and the SNMP engine that a key was made for.

The keys of TACACS+ and RADIUS servers are kept in type 7 with another salt each time, so that the device's own diff
shows a key that is pushed again as another one. Type 7 can be read back (Arista AVD, `simple_7_decrypt`): a key that
the device has already is compared in the form that it shows.
"""

from __future__ import annotations

import re
from functools import lru_cache

from fabric.platforms.texts import HIDDEN, MASK

WORDS = (" secret ", " password ", "key ", "snmp-server ", " md5 ", " passphrase ", "-string ")
"""A line without any of these holds no secret: most lines are passed over by these alone."""

KEPT = rf"(?!{HIDDEN}(?!\S))(\S+)"
"""A value that is not a placeholder and not masked yet."""


def _if_there(words: str) -> str:
    """A word that may stand before a value: where it does it is none itself."""
    return rf"(?: (?:{words})(?= )|(?! (?:{words}) ))"


TYPE, OF_A_USER, KIND = map(_if_there, ("[078]a?", "[05]", "[057]|8a|sha512"))
"""How a value is encoded."""
SHA512 = "( sha512(?= )|(?! sha512 ))"
"""The same, which stays."""

RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), masked)
    for pattern, masked in (
        # username U ... secret sha512 HASH, aaa root secret, enable password
        (rf"^(\s*(?:username|aaa root|enable) ?.*?(?:secret|password)){OF_A_USER}{SHA512} {KEPT}", rf"\1\2 {MASK}"),
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
        (rf"^(ntp authentication-key \d+ \S+){TYPE} {KEPT}$", rf"\1 {MASK}"),
        (rf"^(\s++(?!certificate )(?:.* |.*-)?key(?: [0-9a-f]+)??) {KEPT}$", rf"\1 {MASK}"),
        (rf"^(\s+(?:key-string|passphrase)){TYPE} {KEPT}$", rf"\1 {MASK}"),
        (rf"^(.* (?:md5|message-digest-key \d+ \S+)){TYPE} {KEPT}$", rf"\1 {MASK}"),
        # neighbor N password [7] KEY
        (r"^(\s*neighbor \S+ password) (?:[078]a? )(?=\S)", r"\1 "),
        (rf"^(\s*neighbor \S+ password) (?!shared-secret){KEPT}$", rf"\1 {MASK}"),
        (rf"^(\s+(?:secret|password)){KIND} {KEPT}$", rf"\1 {MASK}"),
    )
)  # fmt: skip
"""Pattern and replacement, each tried in turn."""


TYPE7 = b"dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87"
"""The key stream of type 7. Source: Arista AVD, `SIMPLE_7_SEED`."""
SERVER_KEY = re.compile(r"\n((?:tacacs|radius)-server .*?key )(?:([07]) )?(\S+)(?=\n)")
"""What stands before a server's key, its type, and the key. To look for a line end is far faster than for a line."""


def read_type7(encoded: str) -> str | None:
    """The key that type 7 encodes: two digits of salt, and bytes in hexadecimal. None if it is none."""
    try:
        salt, data = int(encoded[:2]), bytes.fromhex(encoded[2:])
        return bytes(byte ^ TYPE7[(salt + i) % len(TYPE7)] for i, byte in enumerate(data)).decode()
    except ValueError:
        return None


def as_encoded(text: str, running: str) -> str:
    """A text with plain keys of servers; those that a device runs already stand there as the device has them."""
    lines = SERVER_KEY.finditer(f"\n{running}\n")
    shown = {(line[1], read_type7(line[3])): line[0] for line in lines if line[2] == "7"}
    return SERVER_KEY.sub(
        lambda line: shown.get((line[1], line[3]), line[0]) if line[2] != "7" else line[0], f"\n{text}\n"
    )[1:-1]


@lru_cache(maxsize=8192)
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
        at, line, counted = text.find(word), 0, 0
        while at >= 0:
            line += text.count("\n", counted, at)
            counted = at
            numbers.add(line)
            at = text.find(word, at + 1)
    return numbers
