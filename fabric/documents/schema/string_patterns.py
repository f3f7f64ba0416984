"""How addresses, quantities and dates are spelled, as patterns that any validator of JSON Schema understands.

What a pattern denies no reader takes, so an editor or a plain validator denies it too. The one rule that stays with
the readers: an IPv6 prefix has no host bits set.
"""

from __future__ import annotations

from fabric.units import END

OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{OCTET}(?:\.{OCTET}){{3}}"
LENGTH4 = r"(?:3[0-2]|[12]?[0-9])"
HEXTET = r"[0-9A-Fa-f]{1,4}"
IPV6 = "|".join(
    (
        rf"(?:{HEXTET}:){{7}}{HEXTET}",
        rf"(?:{HEXTET}:){{1,7}}:",
        *(rf"(?:{HEXTET}:){{{n}}}(?::{HEXTET}){{1,{7 - n}}}" for n in range(1, 7)),
        rf":(?::{HEXTET}){{1,7}}",
        "::",
    )
)
LENGTH6 = r"(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])"


def network4() -> str:
    """IPv4 prefixes without host bits: by length, whole octets, the octet that is cut, and zeros."""
    return (
        "|".join(
            r"\.".join((*[OCTET] * (length // 8), _cut(length % 8), *["0"] * (3 - length // 8)))
            + f"/{length}"
            for length in range(32)
        )
        + rf"|{IPV4}/32"
    )


def _cut(bits: int) -> str:
    """The octets of which only the first `bits` are set."""
    return f"(?:{'|'.join(str(value) for value in range(0, 256, 1 << (8 - bits)))})"


ADDRESS4, ADDRESS6 = f"(?:{IPV4})", f"(?:{IPV6})"
INTERFACE4, INTERFACE6 = f"(?:{IPV4})/{LENGTH4}", f"(?:{IPV6})/{LENGTH6}"
NETWORK4, NETWORK6 = f"(?:{network4()})", f"(?:{IPV6})/{LENGTH6}"

LONG_MONTHS, SHORT_MONTHS = r"(?:0[13578]|1[02])", r"(?:0[469]|11)"
LEAP = r"(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
DATE = (
    rf"^(?!0000)(?:[0-9]{{4}}-(?:{LONG_MONTHS}-(?:0[1-9]|[12][0-9]|3[01])|{SHORT_MONTHS}-(?:0[1-9]|[12][0-9]|30)"
    rf"|02-(?:0[1-9]|1[0-9]|2[0-8]))|{LEAP}-02-29){END}"
)
"""A day of the Gregorian calendar, as `2026-12-31`."""


def whole(*alternatives: str) -> str:
    """A pattern for the whole text."""
    return f"^(?:{'|'.join(alternatives)}){END}"
