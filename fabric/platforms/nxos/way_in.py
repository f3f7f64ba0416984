"""Whether a change can lock us out of an NX-OS switch."""

from __future__ import annotations

from collections.abc import Iterator

Held = tuple[tuple[str, tuple[str, ...]], ...]
HELD: Held = (
    (
        "interface mgmt0",
        ("interface", "ip address", "ipv6 address", "vrf member"),
    ),  # the address that we talk to
    ("vrf context management", ("vrf", "ip route", "ipv6 route")),  # replies to us leave by it
    ("feature scp-server", ("feature",)),  # the services that we talk to
    ("feature nxapi", ("feature",)),
    ("feature ssh", ("feature",)),
    ("feature tacacs+", ("feature",)),
    ("line vty", ("access-class", "ipv6 access-class")),  # who may talk to them
    ("ip access-list", ("",)),
    ("ipv6 access-list", ("",)),
    ("username ", ("",)),  # who we log in as
    ("tacacs-server ", ("",)),
    ("aaa ", ("",)),
)
"""Sections of our management access, and the first words of those of their lines that must not go."""
BARS: Held = (
    ("interface mgmt0", ("shutdown",)),
    ("line vty", ("access-class", "ipv6 access-class")),
    ("aaa ", ("aaa authentication",)),
    ("no feature ssh", ("no",)),
)
"""The same for lines that must not come. Lists for SSH are judged by what goes: they are written together."""


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out; empty: it does not."""
    before, after = dict.fromkeys(_placed(old)), dict.fromkeys(_placed(new))
    goes = (f"`{_said(line)}` goes" for line in before if line not in after and _is_among(line, HELD))
    comes = (f"`{_said(line)}` comes" for line in after if line not in before and _is_among(line, BARS))
    return (*goes, *comes)


def _placed(text: str) -> Iterator[tuple[str, str]]:
    """Each line with the header of its section."""
    header = ""
    for line in text.splitlines():
        header = header if line.startswith(" ") else line
        yield header, line.strip()


def _is_among(line: tuple[str, str], sections: Held) -> bool:
    header, text = line
    return any(header.startswith(section) and text.startswith(words) for section, words in sections)


def _said(line: tuple[str, str]) -> str:
    header, text = line
    return text if text == header else f"{header}: {text}"
