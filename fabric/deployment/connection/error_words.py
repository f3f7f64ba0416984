"""What a driver's exception says to a person: words, and the name of its class only where nothing else is known."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabric.platforms.base import Target

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


def in_words(error: Exception) -> str:
    """What went wrong, on one line."""
    if isinstance(error, NotImplementedError):
        return MEANINGS[NotImplementedError]
    text = " ".join(NUMBER.sub("", str(error)).split())
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
