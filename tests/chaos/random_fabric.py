"""A random small fabric whose tiers are of any products that the sandbox plays, and changes of its intent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from fabric.platforms import registry
from tests.contract.sandbox_bench import LOGIN, USERNAME
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import HASH, HASH256, Words, files, inventory, merged, network, services, state

PRODUCTS = tuple(name for name in MODELS if registry.platform(name).emulator)
VARIABLE = "CHAOS_LOGIN"
"""Environment variable with the password that the inventory refers to."""
QUICK = "{bgp: {keepalive: 1s, hold: 3s}}"
SLOWER = "{bgp: {keepalive: 2s, hold: 6s}}"
"""BGP notices a dead neighbour soon, so that gates need not watch for long."""
SPINES = ("spine-0", "spine-1")
HASHES = f"role: admin, password_hash: {HASH}, password_hash_sha256: {HASH256}"
FACTORY_USERS = services(f"users: {{admin: {{{HASHES}}}, linuxadmin: {{{HASHES}}}}}")
"""Those that some products have from the start, with passwords of ours, so that no published one is left."""
SITE = "test"
NAMES = ("leaf-0-0", "leaf-0-1", "leaf-1-0", "leaf-1-1", *SPINES)
ADDRESSES = ", ".join(f"{name}: {{address: 198.51.100.{11 + i}/24}}" for i, name in enumerate(NAMES))


class Intent:
    """The words of a site, and its folder."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder, self.random = folder, random
        self.leaf, self.spine = random.choice(PRODUCTS), random.choice(PRODUCTS)
        spine = f"tiers: {{spine: {{platform: {self.spine}, model: {MODELS[self.spine]}}}}}"
        self.words: Words = merged(
            FACTORY_USERS,
            LOGIN,
            network(f"{{lossless: null, routing: {QUICK}, {spine}}}"),
            inventory(
                f"{{credentials: {{ops: {{username: {USERNAME}, password: 'env:{VARIABLE}'}}}}, "
                f"default_credentials: ops, devices: {{{ADDRESSES}}}}}"
            ),
            drained(),
            {"site.yaml": {"deployment": {"gate": {"settle": "5s"}}}},
        )
        self.write(self.words)

    def write(self, words: Words) -> None:
        """Make the files say it."""
        self.words = words
        for name, text in files(self.leaf, words).items():
            if name != "roce.yaml":
                (self.folder / name).write_text(text)

    def changed(self) -> tuple[str, Words]:
        """The name of a random change, and the words behind it. It is not written yet."""
        name = self.random.choice(sorted(CHANGES))
        change = CHANGES[name](self.random)
        return name, merged(self.words, change)

    def __str__(self) -> str:
        return f"{self.leaf} leaves, {self.spine} spines"


def _address(random: Random) -> str:
    return f"192.0.2.{random.randint(60, 250)}"


def drained(*names: str) -> Words:
    """These switches carry no traffic, and no others are drained."""
    entries = [
        {"device": name, "owner": "netops", "reason": "a fan", "expires": "2099-12-31"} for name in names
    ]
    return state(json.dumps({"drained": entries}))


CHANGES: dict[str, Callable[[Random], Words]] = {
    "a time server": lambda random: services(f"ntp: {{servers: [{_address(random)}]}}"),
    "a log server": lambda random: services(f"syslog: {{servers: [{_address(random)}]}}"),
    "wider ECMP": lambda random: network(f"routing: {{max_paths: {random.randint(2, 60)}}}"),
    "other hold times": lambda random: network(f"routing: {random.choice((QUICK, SLOWER))}"),
    "a drained spine": lambda random: drained(random.choice(SPINES)),
    "nothing drained": lambda _random: drained(),
    "a name server": lambda random: services(f"management: {{dns: [{_address(random)}]}}"),
}


def random_faults(random: Random, names: list[str]) -> dict[str, dict[str, Any]]:
    """Faults by device: none, or those of one or two."""
    struck = random.sample(names, random.choice((0, 0, 1, 1, 1, 2)))
    return {name: random.choice(FAULTS) for name in struck}


STEPS = ("login", "read", "load", "compare", "commit", "confirm", "rollback")
FAULTS: tuple[dict[str, Any], ...] = (
    *({"die_in": f"{step}:{when}"} for step in STEPS for when in ("before", "after")),
    {"refuse": True},
    {"deny_login": True},
    {"fail_commit": True},
    {"die_in_commit": "before"},
    {"die_in_commit": "after"},
    {"reboot_in_commit": True},
    {"disk_full": True},
    {"cut_answer_after": 100},
    {"clock_jump_s": 86400.0},
    {"clock_jump_s": -86400.0},
    {"latency_ms": 30},
)
