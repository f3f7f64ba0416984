"""Where secrets stand in a configuration, and the form in which they are masked.

Our placeholders stay; every other secret value becomes `<masked>`. What says how it is encoded goes too, because the
switch encodes it anew.
"""

from __future__ import annotations

from fabric.platforms.texts import HIDDEN, MASK, VALUE, masking

OURS = rf"(?={HIDDEN}(?!\S))"
mask_text = masking(
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
"""A text with all secrets masked."""
