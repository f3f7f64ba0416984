"""What devices quote in their errors: lines of a configuration, whose secrets nobody here knows.

A device may repeat what it was sent, or what it runs. Of a line, or of what stands in quotation marks, its product
knows where a secret stands; beside that, whatever says by its form that it is one is masked, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from fabric.configuration import Unreadable
from fabric.configuration.foreign_secrets import names_secret
from fabric.planning.texts import MASK

LINE_ENDS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+|(?:\\r)?\\n")
"""Also as a program shows them that prints a text as its source."""
QUOTED = re.compile(r"""(?P<mark>['"`])(?P<words>[^'"`]{4,400})(?P=mark)""")
FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    # a hash as crypt(3) writes it
    (re.compile(r"\$[0-9a-zA-Z]{1,8}\$[^\s\"'`<>,;]+"), MASK),
    # password 7 0458…, secret sha512 …: a type, and a value with a digit
    (
        re.compile(
            r"(?i)\b((?:password|secret|key|key-string|passphrase|md5|community) "
            r"(?:[05789]a?|sha256|sha512|localized)) (?!<)(?=\S*[0-9])[^\s\"'`]{6,}"
        ),
        rf"\1 {MASK}",
    ),
    # auth sha256 0x… of a user of SNMP
    (re.compile(r"(?i)\b((?:auth|priv) [a-z0-9<>-]+) (?=\S*[0-9])[^\s\"'`<]{16,}"), rf"\1 {MASK}"),
)
"""What is a secret by its form, and what is left of it."""
NAMED = re.compile(
    r"""(?P<mark>["'])(?P<name>[^\s"']{1,40})(?P=mark)(?P<to>\s*:\s*)(?P<end>["'])[^"']{1,4096}(?P=end)"""
)
"""A name and its value, as JSON has them."""
LONGEST_LINE = 1000
"""Letters of a line that its product looks at. A longer one has no form that it knows."""


def without_configuration(text: str, mask: Callable[[str], str], shown: int) -> str:
    """An error of a device on one line, without the secrets of what it quotes.

    `mask`: of its product. Of a long text it looks at the beginning and the end, `shown` letters of each at least.
    """
    lines = LINE_ENDS.split(text)
    first = _masked(range(len(lines)), lines, mask, shown)
    _masked(range(len(lines) - 1, first, -1), lines, mask, shown)
    text = " ".join(" ".join(lines).split())
    for form, masked in FORMS:
        text = form.sub(masked, text)
    return NAMED.sub(_without_value, text)


def _masked(numbers: Iterable[int], lines: list[str], mask: Callable[[str], str], shown: int) -> int:
    """Mask lines in their places until so many letters of them are seen; the number of the last one."""
    number = -1
    for number in numbers:  # the last one is asked for
        line = lines[number]
        if len(line) <= LONGEST_LINE:
            line = _by_product(line, mask)
            line = QUOTED.sub(
                lambda part: f"{part['mark']}{_by_product(part['words'], mask)}{part['mark']}", line
            )
            lines[number] = line
        shown -= len(" ".join(line.split())) + 1
        if shown < 0:
            break
    return number


def _by_product(line: str, mask: Callable[[str], str]) -> str:
    try:
        return mask(line)
    except Unreadable:  # not a line of its product's configuration
        return line


def _without_value(part: re.Match[str]) -> str:
    if not names_secret(part["name"]):
        return part[0]
    return f"{part['mark']}{part['name']}{part['mark']}{part['to']}{part['end']}{MASK}{part['end']}"
