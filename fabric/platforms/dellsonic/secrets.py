"""Where secrets stand in a configuration, and the form in which they are masked.

Keys of BGP, NTP and servers print as base64 that is salted anew (`U2FsdGVkX1...`, `encrypted`): never the same twice.
"""

from __future__ import annotations

from fabric.platforms.texts import MASK, VALUE, masking

mask_text = masking(
    (rf"(username \S+ password) {VALUE}", rf"\1 {MASK}"),
    (rf"([ \t]+password) {VALUE}(?: encrypted)?", rf"\1 {MASK}"),
    (rf"((?:tacacs|radius)-server (?:host \S+ .*?)?key) {VALUE}(?: encrypted)?", rf"\1 {MASK}"),
    (rf"(ntp authentication-key \d+ \S+) {VALUE}(?: encrypted)?", rf"\1 {MASK}"),
    (rf"(snmp-server community) {VALUE}", rf"\1 {MASK}"),
    (rf"(snmp-server user .*?auth-password) {VALUE}", rf"\1 {MASK}"),
    (rf"(snmp-server user .*?priv-password) {VALUE}", rf"\1 {MASK}"),
    (rf"(snmp-server user .*?auth-msg \S+) {VALUE}", rf"\1 {MASK}"),
    (rf"(snmp-server user .*?priv-msg \S+) {VALUE}", rf"\1 {MASK}"),
)
"""A text with all secrets masked."""
