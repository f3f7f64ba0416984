"""The arguments that EOS commands take: each type says which token it accepts and how EOS prints it back.

A type is a function from a token to its canonical spelling, or None if EOS would refuse it. Ranges such as
`<1-4094>` and `<0.01-60>` need no name: they are their own type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from ipaddress import IPv6Address, IPv6Interface, IPv6Network

Word = Callable[[str], str | None]

NAME = re.compile(r"[!-~]+\Z")
RANGE = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)\Z")
NUMBER = re.compile(r"(?:0|[1-9]\d*)\Z")
DECIMAL = re.compile(r"\d+(?:\.\d+)?\Z")


def pattern(expression: str) -> Word:
    """Tokens that match a regular expression; printed back as they are."""
    matches = re.compile(rf"(?:{expression})\Z").match
    return lambda token: token if matches(token) else None


def number(low: int, high: int) -> Word:
    """Whole numbers from `low` to `high`."""

    def accept(token: str) -> str | None:
        return token if NUMBER.match(token) and low <= int(token) <= high else None

    return accept


def decimal(low: float, high: float) -> Word:
    """Decimal numbers from `low` to `high`."""

    def accept(token: str) -> str | None:
        return token if DECIMAL.match(token) and low <= float(token) <= high else None

    return accept


def parsed(kind: Callable[[str], object], *, strict: bool = True) -> Word:
    """Tokens that a constructor takes, printed as it prints them; `strict` refuses a mask that is missing."""

    def accept(token: str) -> str | None:
        if strict and "/" not in token:
            return None
        try:
            return str(kind(token))
        except ValueError:
            return None

    return accept


OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
QUAD = rf"{OCTET}(?:\.{OCTET}){{3}}"
LENGTH4 = r"(?:3[0-2]|[12]?\d)"
"""Addresses by pattern: four times as fast as `ipaddress`, for what every other line holds."""


def _ipv4_prefix(token: str) -> str | None:
    """A network: no bit set beyond its length."""
    if ipv4_interface(token) is None:
        return None
    address, _, length = token.partition("/")
    value = sum(int(octet) << shift for octet, shift in zip(address.split("."), (24, 16, 8, 0), strict=True))
    return token if value & (1 << (32 - int(length))) - 1 == 0 else None


def _plain_ipv6(token: str) -> IPv6Address:
    if "%" in token:
        raise ValueError(token)
    return IPv6Address(token)


def _as_number(token: str) -> str | None:
    """2- or 4-byte AS numbers, plain or dotted; printed plain."""
    if NUMBER.match(token):
        return token if 1 <= int(token) <= 4294967295 else None
    high, dot, low = token.partition(".")
    if dot and NUMBER.match(high) and NUMBER.match(low) and int(high) < 65536 and int(low) < 65536:
        return str(int(high) * 65536 + int(low)) if int(high) or int(low) else None
    return None


def _community(token: str) -> str | None:
    high, colon, low = token.partition(":")
    if colon and NUMBER.match(high) and NUMBER.match(low) and int(high) < 65536 and int(low) < 65536:
        return token
    if token in {"internet", "local-as", "no-advertise", "no-export", "GSHUT"}:
        return token
    return token if NUMBER.match(token) and 0 < int(token) < 2**32 else None


def _distinguisher(token: str) -> str | None:
    """Route distinguishers and targets: an AS number or an address, and a number."""
    head, _, low = token.rpartition(":")
    known = ipv4(head) if "." in head else _as_number(head)
    return token if known and NUMBER.match(low) and int(low) < 2**32 else None


def _large_community(token: str) -> str | None:
    parts = token.split(":")
    return token if len(parts) == 3 and all(NUMBER.match(p) and int(p) < 2**32 for p in parts) else None


def numbers(low: int, high: int) -> Word:
    """Comma lists with ranges, as in `10,20-29`."""

    def accept(token: str) -> str | None:
        for part in token.split(","):
            first, dash, last = part.partition("-")
            ends = (first, last) if dash else (first, first)
            if not all(NUMBER.match(end) and low <= int(end) <= high for end in ends) or int(ends[0]) > int(
                ends[1]
            ):
                return None
        return token

    return accept


ipv4 = pattern(QUAD)
ipv6 = parsed(_plain_ipv6, strict=False)
ipv4_interface = pattern(rf"{QUAD}/{LENGTH4}")
ipv6_interface = parsed(IPv6Interface)
ipv6_prefix = parsed(IPv6Network)
ETHERNET = r"Ethernet[1-9]\d{0,2}(?:/[1-9]\d{0,2}){0,2}"
PORT_CHANNEL = r"Port-Channel(?:[1-9]\d{0,5})"
LOOPBACK = r"Loopback(?:0|[1-9]\d{0,3})"
VLAN = r"Vlan(?:[1-9]\d{0,2}|[1-3]\d{3}|40[0-8]\d|409[0-4])"
MANAGEMENT = r"Management(?:0|[1-9](?:/[1-9])?)"

WORDS: dict[str, Word] = {
    "word": lambda token: token if NAME.match(token) else None,
    "name": pattern(r"[A-Za-z0-9_][A-Za-z0-9_.:/+@#-]{0,99}"),
    "list": pattern(r"(?!standard\Z)[A-Za-z0-9_][A-Za-z0-9_.:/+@#-]{0,99}"),
    "group": pattern(r"[A-Za-z_][A-Za-z0-9_./-]{0,99}"),
    "host": pattern(
        r"(?!\d+(?:\.\d+)*\Z)[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62})*"
    ),
    "user": pattern(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}"),
    "hex": pattern(r"[0-9A-Fa-f]+"),
    "type7": pattern(r"(?:0\d|1[0-5])(?:[0-9A-Fa-f]{2})+"),
    "base64": pattern(r"[A-Za-z0-9+/]+={0,2}"),
    "sha512": pattern(r"\$6\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]+"),
    "mac": pattern(r"[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}"),
    "lacp_system": pattern(r"[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}"),
    "ipv4": ipv4,
    "ipv6": ipv6,
    "ip": lambda token: ipv4(token) or ipv6(token),
    "ipv4_interface": ipv4_interface,
    "ipv6_interface": ipv6_interface,
    "ipv4_prefix": _ipv4_prefix,
    "ipv6_prefix": ipv6_prefix,
    "prefix": lambda token: _ipv4_prefix(token) or ipv6_prefix(token),
    "asn": _as_number,
    "prepended": lambda word: word if word == "auto" else _as_number(word),
    "distinguisher": _distinguisher,
    "community": _community,
    "large_community": _large_community,
    "ethernet": pattern(ETHERNET),
    "port_channel": pattern(PORT_CHANNEL),
    "loopback": pattern(LOOPBACK),
    "management": pattern(MANAGEMENT),
    "vlan_interface": pattern(VLAN),
    "interface": pattern(f"{ETHERNET}|{PORT_CHANNEL}|{LOOPBACK}|{VLAN}|{MANAGEMENT}"),
    "vlans": numbers(1, 4094),
    "privileges": numbers(0, 15),
    "asns": lambda token: token if all(_as_number(end) for end in token.split("-", 1)) else None,
    "speed": pattern(
        r"(?:10000full|1000full|100full|100g(?:-[124])?|200g(?:-[1248])?|400g(?:-[248])?"
        r"|800g(?:-[48])?|1\.6t(?:-8)?|10g|25g|40g|50g(?:-[12])?)"
    ),
    "fraction": pattern(r"1/(?:2|4|8|16|32|64|128)"),
}
"""Named types. Names of interfaces are exact: eAPI completes no abbreviations unless asked to."""


@cache
def word(name: str) -> Word:
    """The type called `name`, or the range that `name` spells. `KeyError` if it is neither."""
    span = RANGE.match(name)
    if span is None:
        return WORDS[name]
    low, high = span.groups()
    return decimal(float(low), float(high)) if "." in low + high else number(int(low), int(high))
