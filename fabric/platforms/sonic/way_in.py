"""Whether a change can lock us out of a SONiC switch: the rows that our management access stands on."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.base import split_parts
from fabric.platforms.sonic.canonical import JSON, decode
from fabric.platforms.sonic.tables import Book, word

HELD = {
    "MGMT_INTERFACE": "the address that we talk to",
    "MGMT_VRF_CONFIG": "the routing table that leads back to us",
    "MGMT_PORT": "the port that we come in by",
    "SSH_SERVER": "the service that we talk to",
    "TACPLUS": "who may log in",
    "TACPLUS_SERVER": "who may log in",
    "AAA": "who may log in",
}
"""Tables whose rows must neither change nor go, and why."""
MILD = frozenset({"inactivity_timeout", "alias", "priority"})
"""Fields of them that lock nobody out."""
BARS = {"ACL_TABLE": "CTRLPLANE", "AAA": "", "MGMT_VRF_CONFIG": ""}
"""Tables whose new rows can shut us out; with a word that such a row has."""


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out; empty: it does not."""
    before, after = _book(old), _book(new)
    return (*_goes(before, after), *_closes(before, after), *_comes(before, after))


def _book(text: str) -> Book:
    return Book(decode(split_parts(text).get(JSON, "")) or {})


def _goes(before: Book, after: Book) -> Iterator[str]:
    for table, why in HELD.items():
        for key, row in before.rows(table).items():
            now = after.rows(table).get(key)
            if now is None:
                yield f"{table}|{key} goes: {why}"
                continue
            for field in sorted((row.keys() | now.keys()) - MILD):
                if row.get(field) != now.get(field):
                    yield f"{table}|{key} {field} changes: {why}"


def _closes(before: Book, after: Book) -> Iterator[str]:
    """Sources that a list of who may come in, which stays, has no more."""
    kept = _admitted(after)
    for table, source in sorted(_admitted(before) - kept):
        if after.row("ACL_TABLE", table).get("type") == "CTRLPLANE":
            yield f"ACL_RULE|{table} {source} goes: who may come in"


def _admitted(book: Book) -> set[tuple[str, str]]:
    """Table and source of each rule."""
    return {
        (key.partition("|")[0], word(row.get("SRC_IP")) or word(row.get("SRC_IPV6")))
        for key, row in book.rows("ACL_RULE").items()
    }


def _comes(before: Book, after: Book) -> Iterator[str]:
    for table, bar in BARS.items():
        for key, row in after.rows(table).items():
            if key not in before.rows(table) and (not bar or bar in row.values()):
                yield f"{table}|{key} comes: it can shut us out"
