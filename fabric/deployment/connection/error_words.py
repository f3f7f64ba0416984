"""What a driver's exception says to a person: words, and the name of its class only where nothing else is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from fabric.diagnostics import ADDRESS, name_in_text
from fabric.platforms.base import Target

LONGEST = 600
"""Letters of an error that are shown and kept. A refusal of SR Linux lists every name that it would have understood."""
HEAD, TAIL = 370, 180
"""Of a longer one, so many from its beginning and its end: programs on a switch say last what matters."""
OWN = 16
"""Letters that an address, or the device's own name, counts for: errors that are alike but for them are cut alike."""
BLANK = 20
"""So many letters before its end a cut may be, to be between two words."""

NUMBER = re.compile(r"\[Errno -?[0-9]+\] ")
"""What Python puts before the words of the operating system."""
MEANINGS: Mapping[type[Exception], str] = {
    NotImplementedError: "the driver cannot do it",
    EOFError: "the device has closed the connection",
    TimeoutError: "no answer in time",
}
"""Of exceptions that come without words."""
OF_CODE = (
    *(LookupError, TypeError, AttributeError, NameError, AssertionError, ArithmeticError),
    *(StopIteration, StopAsyncIteration, RecursionError, BufferError, MemoryError),
)
"""A fault of a program, whose text alone says nothing: `'uptime'` of a `KeyError`. The device has not said it."""


def in_words(error: Exception, on_one_line: Callable[[str], str]) -> str:
    """What went wrong, on one line. `on_one_line` makes it of a text, which may hold anything."""
    if isinstance(error, NotImplementedError):
        return MEANINGS[NotImplementedError]
    text = on_one_line(NUMBER.sub("", str(error)))
    if isinstance(error, OF_CODE):
        return _of_code(error, text)
    meaning = next((words for kind, words in MEANINGS.items() if isinstance(error, kind)), "")
    return text or meaning or _of_code(error, "")


def _of_code(error: Exception, text: str) -> str:
    """With the place in the code, for who mends it: its module and line, neither a path nor a value."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f" ({last.tb_frame.f_globals.get('__name__', '?')}:{last.tb_lineno})" if last is not None else ""
    return f"an error in the driver{place}: {type(error).__name__}{f': {text}' if text else ''}"


def shortened(text: str, device: str) -> str:
    """The beginning and the end of a long text, and how much is left out between them."""
    own = re.compile(f"({name_in_text(device).pattern}|{ADDRESS.pattern})")
    parts = [(part, number % 2 == 1) for number, part in enumerate(own.split(text))]
    width = sum(OWN if is_own else len(part) for part, is_own in parts)
    if width <= LONGEST:
        return text
    head, shown = _cut(parts, HEAD, _beginning)
    tail, also_shown = _cut(reversed(parts), TAIL, _end)
    left_out = f"[... {width - shown - also_shown:,} characters left out ...]"
    return f"{''.join(head).rstrip()} {left_out} {''.join(reversed(tail))}"


Parts = Iterable[tuple[str, bool]]
"""Pieces of a text; whether each is the device's own, which is never cut in two."""


def _cut(parts: Parts, width: int, cut: Callable[[str, int], str]) -> tuple[list[str], int]:
    """The first of some parts, and for how many letters they count."""
    kept, left = [], width
    for part, is_own in parts:
        size = OWN if is_own else len(part)
        if size > left:
            if left and not is_own:
                kept.append(cut(part, left))
                left -= len(kept[-1])
            break
        kept.append(part)
        left -= size
    return kept, width - left


def _beginning(text: str, width: int) -> str:
    """At most so many letters of it, and whole words if it has any."""
    beginning = text[:width]
    blank = beginning.rfind(" ", max(0, width - BLANK))
    return beginning if blank < 0 else beginning[:blank]


def _end(text: str, width: int) -> str:
    end = text[-width:]
    blank = end.find(" ", 0, BLANK)
    return end if blank < 0 else end[blank + 1 :]


def login_words(target: Target) -> str:
    """Who logs in with what, and where that came from, never the secret: what a refused login is told with."""
    known = []
    if target.password:
        known.append(f"the password{_source(target, 'password')}")
    if target.key_file:
        known.append(f"the key {target.key_file}")
    if target.enable:
        known.append(f"the enable secret{_source(target, 'enable')}")
    proof = " and ".join(known) or "the keys of the SSH agent"
    return f"the login as {target.username} with {proof}"


def _source(target: Target, field: str) -> str:
    reference = target.references.get(field, "")
    return f" of `{reference}`" if reference else ""
