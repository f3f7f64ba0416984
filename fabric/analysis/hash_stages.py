"""What equal-cost hashing makes of flows: how many links two stages in turn use, and how even many flows are."""

from __future__ import annotations

from math import gcd, log, sqrt


def used_parts_same_hash(first: int, second: int) -> int:
    """One in so many links of the second stage is used, if both stages take the same hash modulo their links."""
    return gcd(first, second)


def used_parts_other_seed(first: int, second: int) -> int:
    """Likewise where the hashes differ by a constant that is XORed, as a CRC with another seed does.

    Only the common power of two counts: the low bits of one hash fix those of the other.
    """
    common = gcd(first, second)
    return common & -common


def expected_peak(flows: int, links: int) -> float:
    """Load of the fullest link by that of the mean, for equal flows that are hashed independently.

    An upper estimate, 1 + sqrt(2 U ln U / m), for at least as many flows as links.
    """
    return 1 + sqrt(2 * links * log(links) / flows) if links > 1 else 1.0


def flows_for_peak(peak: float, links: int) -> int:
    """The flows that keep the fullest link of so many at `peak` times the mean, by the same estimate, rounded up."""
    return 0 if links < 2 else -int(-2 * links * log(links) // (peak - 1) ** 2)  # one link is even
