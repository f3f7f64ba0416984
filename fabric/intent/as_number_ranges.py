"""Which AS numbers a switch can have, alone and as a range: of the intent and of `fabric.lock` alike."""

from __future__ import annotations

from typing import NamedTuple

from fabric.units import counted

RESERVED_ASN = {
    0: "reserved (RFC 7607)",
    23456: "AS_TRANS (RFC 6793)",
    65535: "reserved (RFC 7300)",
    4294967295: "reserved (RFC 7300)",
}
"""No session comes up with one of these."""


class Block(NamedTuple):
    """Neighbouring AS numbers of one use."""

    first: int
    last: int
    use: str


BLOCKS = (
    Block(1, 23_455, "two-byte numbers before AS_TRANS"),
    Block(23_457, 64_495, "public two-byte numbers"),
    Block(64_496, 64_511, "two-byte numbers for documentation (RFC 5398)"),
    Block(64_512, 65_534, "private two-byte numbers (RFC 6996)"),
    Block(65_536, 65_551, "four-byte numbers for documentation (RFC 5398)"),
    Block(65_552, 4_199_999_999, "public four-byte numbers"),
    Block(4_200_000_000, 4_294_967_294, "private four-byte numbers (RFC 6996)"),
)
"""All AS numbers that a session comes up with. Source: IANA's registry of AS numbers."""
FOUR_BYTE_PRIVATE = BLOCKS[-1]


def as_number_fault(number: int) -> str | None:
    """Why no session comes up with the number; None for all others."""
    if number in RESERVED_ASN:
        return f"AS {number} is {RESERVED_ASN[number]}: no session comes up with it"
    if not 0 < number < max(RESERVED_ASN):
        return f"AS {number} does not exist: 1 to {FOUR_BYTE_PRIVATE.last}"
    return None


def as_range_fault(first: int, count: int) -> tuple[str, str] | None:
    """What is wrong with `count` AS numbers from `first` on, and the first number that is right instead.

    None for a range that holds no reserved number and does not leave the block of its use. The count is that of
    the capacity: a number that breaks sessions after growth is refused on the first day.
    """
    last = first + count - 1
    block = next((block for block in BLOCKS if block.first <= first <= block.last), None)
    if block is not None and last <= block.last:
        return None
    hint = f"start at {FOUR_BYTE_PRIVATE.first} or later"
    if block is None:
        return as_number_fault(first) or f"AS {first} is reserved", hint
    latest = block.last - count + 1
    if latest >= block.first:
        hint = f"start at {latest} or lower"
    numbers = f"{counted(count, 'number')} by capacity, {first} to {last}"
    spoiled = next((number for number in RESERVED_ASN if first <= number <= last), None)
    if spoiled is not None:
        return (
            f"{numbers}, hold AS {spoiled}, which is {RESERVED_ASN[spoiled]}: no session comes up with it",
            hint,
        )
    return f"{numbers}, leave the {block.use}, {block.first} to {block.last}", hint
