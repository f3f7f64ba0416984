"""Secrets that a device keeps: those of a product that encodes them, unless they are to be rotated.

No text shows whether such a secret is the intended one. If a device that changes for another reason got ours anew with
the rest of its text, a password that has changed in its source would go out at one end of a BGP session, with nobody
asked, and end it; and a hash that has changed in the intent would be the new password of our own login. So a change
that does not rotate secrets leaves each as it is, in the device's own form, which goes back to that device only. (To
change both ends with every change instead would interrupt whole planes to add a port.)
"""

from __future__ import annotations

from collections.abc import Collection

from fabric.configuration import Dialect, Difference, Piece, differences_in, same_places, with_lines
from fabric.planning.model import Action, Observation
from fabric.planning.options import PlanOptions, action_on
from fabric.planning.texts import MASK, PLACEHOLDER, masked
from fabric.platforms.base import AnyPlatform
from fabric.platforms.texts import hashes_hidden


def keeps_secrets(product: AnyPlatform, seen: Observation, options: PlanOptions) -> bool:
    """Whether a device keeps the secrets that it runs, and its own diff of them tells nothing.

    At the first apply it gets ours: nobody knows yet whether it has them.
    """
    if product.shows_secrets or not options.ignore_secrets:
        return False
    return action_on(seen, options) is not Action.ADOPT


def with_kept_secrets(product: AnyPlatform, intended: str, running: str, others: Collection[str] = ()) -> str:
    """The text with `<masked>` for each of our secrets whose line, but for the value, is what the device runs.

    `running` in plain form. `others`: hashes of passwords in `intended` that do not run; those that run are as they
    shall be. A secret in a line that is new stays as it is: a reference, or such a hash.
    """
    hidden = hashes_hidden(intended, others)
    if not running or PLACEHOLDER.search(hidden) is None:
        return intended
    dialect = product.dialect()
    if (text := _in_place(dialect, intended, hidden, running)) is not None:
        return text
    kept = {
        (*(node.key for node in line.above), line.old.key): line.old
        for line in differences_in(dialect, running, dialect.plain(hidden), _has_reference)
        if line.old is not None and _is_kept(line)
    }
    return with_lines(dialect, intended, kept, _has_reference) if kept else intended


def _in_place(dialect: Dialect, intended: str, hidden: str, running: str) -> str | None:
    """The same, where the device runs every such line, in the same words; None where it does not."""
    lines, shown = dialect.syntax.plain(intended).split("\n"), masked(dialect.plain(hidden))
    references = enumerate(dialect.syntax.plain(hidden).split("\n"))
    may_be = ((number, line) for number, line in references if "<secret:" in line)  # far faster than a search
    numbers = [number for number, line in may_be if PLACEHOLDER.search(line)]
    words = shown.split("\n")
    if len(words) != len(lines) or any(MASK not in words[number] for number in numbers):
        return None
    if same_places(dialect, shown, numbers, running) is None:
        return None
    for number in numbers:
        lines[number] = words[number]
    return "\n".join(lines)


def _has_reference(piece: Piece) -> bool:
    return any(PLACEHOLDER.search(hashes_hidden(text)) for text in (piece.header, piece.body))


def _is_kept(line: Difference) -> bool:
    old, new = line.old, line.new
    if old is None or new is None or MASK not in old.text:
        return False
    return PLACEHOLDER.search(new.text) is not None and _unquoted(masked(new.text)) == _unquoted(old.text)


def _unquoted(line: str) -> str:
    """A masked line; one side of a comparison may have its masks in quotation marks."""
    return line.replace(f'"{MASK}"', MASK)
