"""Verbatim lines of an override for products that are told line by line: what must not stand in them."""

from __future__ import annotations

from collections.abc import Iterator

FREE_TEXT = frozenset({"banner"})
"""First words of commands that take all that follows for their text, until a mark that may never come."""

EXECUTED = frozenset(
    {
        "clear",
        "configure",
        "copy",
        "debug",
        "delete",
        "dir",
        "disable",
        "do",
        "enable",
        "end",
        "erase",
        "exit",
        "help",
        "install",
        "ping",
        "quit",
        "reload",
        "rollback",
        "session",
        "show",
        "ssh",
        "telnet",
        "terminal",
        "traceroute",
        "undebug",
        "who",
        "write",
    }
)
"""First words that command lines of this kind run, and that none of them configures with.

Sources: Arista EOS user manual, "Command modes"; Cisco Nexus 9000 fundamentals guide, "EXEC command mode"; FRR user
manual, "Terminal mode commands" and vtysh.
"""


def faults(text: str, leaving: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """Each line that would do more than it says: the line, what it would do, and what to write instead.

    `leaving` are first words of lines that leave the configuration mode of the product, or do more than configure.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[0][0].isspace():
        yield (
            lines[0],
            "continue the section that stands above it",
            "begin with the line that opens its own section",
        )
    for line in lines:
        first = line.split()[0]
        if first in leaving:
            yield (
                line,
                "leave the configuration mode, or do more than configure",
                "give configuration lines only",
            )
        elif first in FREE_TEXT:
            yield line, "take the lines that follow for its text", "use `services.banner`"
