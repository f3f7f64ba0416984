"""Pools that the intent leaves out: each network gets its own, and keeps them in `fabric.lock`.

The first network has 10.0.0.0/10 for hosts, 10.128.0.0/10 between switches and 10.255.0.0/16 for loopbacks. Seven more
have an eighth of 10.64.0.0/10, an eighth of 10.192.0.0/10 and one of 10.248.0.0/16 to 10.254.0.0/16. What is taken by
a pool that the intent writes, or the lock holds, is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.intent.model.addressing import Addressing, DefaultPool4, DefaultPool6
from fabric.intent.model.lock import Lock
from fabric.intent.model.site import Site

Pool = IPv4Network | IPv6Network
PRIMARY = "compute"
"""The network that has the first pools, and whose NICs and cables go by their bare numbers."""
SETS = 8
"""Sets of pools. The eighth part of 10.192.0.0/10 would hold the loopbacks."""


def with_pools(site: Site, lock: Lock | None) -> Site:
    """The site with a pool of its own wherever a network leaves one out. What finds none keeps the default."""
    ethernet = [name for name, network in site.networks.items() if network.technology == "ethernet"]
    locked = lock.networks if lock else {}
    taken = [pool for name in ethernet for _, pool in _written(site.networks[name].addressing)]
    networks = dict(site.networks)
    for name in sorted(ethernet, key=lambda n: (n not in locked, n != PRIMARY, n)):
        addressing = networks[name].addressing
        known = locked[name].pools if name in locked else None
        chosen = _locked(addressing, known) if known is not None else _free(addressing, taken)
        taken += [pool for pool in chosen.values() if not any(pool is other for other in taken)]
        changed = msgspec.structs.replace(addressing, **chosen)
        networks[name] = msgspec.structs.replace(networks[name], addressing=changed)
    return msgspec.structs.replace(site, networks=networks)


def pools_of(addressing: Addressing) -> dict[str, str]:
    """The pools that the intent leaves out, by key: what the lock holds."""
    return {
        key: str(pool)
        for key in _set(0)
        if isinstance(pool := getattr(addressing, key), DefaultPool4 | DefaultPool6)
    }


def _set(number: int) -> dict[str, Pool]:
    """One set of pools by key."""
    if number == 0:
        texts = (
            "10.0.0.0/10",
            "10.128.0.0/10",
            "10.255.0.0/16",
            "fd00::/32",
            "fd00:128::/48",
            "fd00:255::/64",
        )
    else:
        eighth = 8 * (number - 1)
        texts = (
            f"10.{64 + eighth}.0.0/13", f"10.{192 + eighth}.0.0/13", f"10.{255 - number}.0.0/16",
            f"fd00:{number:x}000::/32", f"fd00:128:{number:x}::/48", f"fd00:255:0:{number:x}::/64",
        )  # fmt: skip
    return {
        "host_pool": DefaultPool4(texts[0]),
        "fabric_pool": DefaultPool4(texts[1]),
        "loopback_pool": DefaultPool4(texts[2]),
        "host_pool6": DefaultPool6(texts[3]),
        "fabric_pool6": DefaultPool6(texts[4]),
        "loopback_pool6": DefaultPool6(texts[5]),
    }


def _written(addressing: Addressing) -> Iterator[tuple[str, Pool]]:
    for key in _set(0):
        pool = getattr(addressing, key)
        if pool is not None and not isinstance(pool, DefaultPool4 | DefaultPool6):
            yield key, pool


def _unwritten(addressing: Addressing) -> list[str]:
    """Keys of the pools that are left out and needed; IPv6 loopbacks only beside IPv6 between switches."""
    six = addressing.family in ("ipv6", "dual")
    written = {key for key, _ in _written(addressing)}
    return [key for key in _set(0) if key not in written and (key != "loopback_pool6" or six)]


def _locked(addressing: Addressing, known: dict[str, str]) -> dict[str, Pool]:
    """As locked; what the lock does not have comes from the same set, in locks that held no pools from the first."""
    pools = next((s for s in map(_set, range(SETS)) if known.items() & _texts(s)), _set(0))
    return {key: _read(pools[key], known.get(key)) for key in _unwritten(addressing)}


def _read(own: Pool, text: str | None) -> Pool:
    """A pool as locked; the one of the set where that is not a prefix, which the lock is then held against."""
    try:
        return own if text is None else type(own)(text)
    except ValueError:
        return own


def _texts(pools: dict[str, Pool]) -> set[tuple[str, str]]:
    return {(key, str(pool)) for key, pool in pools.items()}


def _free(addressing: Addressing, taken: list[Pool]) -> dict[str, Pool]:
    """The first set of which nothing is taken."""
    keys = _unwritten(addressing)
    for number in range(SETS):
        pools = {key: pool for key, pool in _set(number).items() if key in keys}
        if not any(_overlap(pool, other) for pool in pools.values() for other in taken):
            return pools
    return {}


def _overlap(first: Pool, second: Pool) -> bool:
    return first.version == second.version and first.overlaps(second)
