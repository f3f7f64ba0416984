"""What a change of one piece of the files does to traffic, and whether it can lock us out.

`frr-reload.py` applies the difference of frr.conf line by line; `ifreload` sets up changed interfaces anew. What is
not known counts as an interruption.
"""

from __future__ import annotations

from fabric.platforms.base import Block, BlockImpact, Impact
from fabric.platforms.frr.canonical import blocks
from fabric.platforms.frr.names import MANAGEMENT

KINDS: dict[str, tuple[Impact, str]] = {
    "route-map": ("hitless", "routes are chosen anew"),
    "ip": ("hitless", "routes are chosen anew"),
    "ipv6": ("hitless", "routes are chosen anew"),
    "bgp": ("hitless", "routes are chosen anew"),
    "bfd": ("hitless", "sessions agree on new timers"),
    "frr": ("flap", "the defaults of every protocol change"),
    "hostname": ("none", "a name"),
    "log": ("none", "logs only"),
    "queues": ("buffer", "the port's queues and buffers are set up anew"),
    "profile": ("buffer", "queues and buffers of the ports that use it are set up anew"),
    "vtysh.conf": ("none", "where configuration is kept"),
    "qos.service": ("none", "when the script runs"),
    "ports.rules": ("reload", "ports get other names at the next start"),
    "debug": ("none", "logs only"),
    "sysctl.conf": ("flap", "forwarding, the choice of paths or the class of routed packets changes"),
    "daemons": ("flap", "FRR starts anew"),
    "script": ("buffer", "queues and buffers are set up anew"),
}
"""First word of a block's key to what changing it does."""
QUIET_LINES = ("alias ",)


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one block does. Without ports and above `none`, the whole device is concerned."""
    kind, _, name = key.partition(" ")
    match kind:
        case "interface":
            return _interface(name, old, new)
        case "cage":
            return BlockImpact("flap", _ports_of(name, old, new), "the ports of the cage are made anew")
        case "advertisements":
            return BlockImpact("hitless", (name,), "hosts hear of another prefix")
        case "router":
            return _router(old, new)
    impact, reason = KINDS.get(
        kind, ("flap", f"what `{key}` does is not known: it counts as an interruption")
    )
    return BlockImpact(impact, (name,) if kind == "queues" else (), reason)


def _router(old: Block | None, new: Block | None) -> BlockImpact:
    if _only(old, new, (" description ",)):
        return BlockImpact("none", (), "text only")
    if _only(old, new, (" description ", " maximum-paths ", " aggregate-address ", " maximum-prefix ")):
        return BlockImpact("hitless", (), "routes are chosen anew")
    return BlockImpact("flap", (), "sessions may be built anew")


def _ports_of(cage: str, old: Block | None, new: Block | None) -> tuple[str, ...]:
    """Every port that the cage is or was."""
    counts = {int(block.text.split()[-1]) for block in (old, new) if block is not None}
    parts = {f"{cage}s{i}" for count in counts if count > 1 for i in range(count)}
    return tuple(sorted(parts | ({cage} if 1 in counts else set())))


def _interface(name: str, old: Block | None, new: Block | None) -> BlockImpact:
    if name == MANAGEMENT:
        return BlockImpact("none", (), "no traffic of hosts")
    if name in ("bridge", "lo") or name.startswith("vlan"):
        return BlockImpact("flap", (), "the hosts behind it lose their gateway for a moment")
    if not name.startswith("swp"):
        return BlockImpact("hitless", (), "no traffic of hosts")
    if _only(old, new, QUIET_LINES):
        return BlockImpact("none", (name,), "text only")
    return BlockImpact("flap", (name,), "the port is set up anew")


def _only(old: Block | None, new: Block | None, words: tuple[str, ...]) -> bool:
    """Whether nothing but lines with one of these words differs."""
    if old is None or new is None:
        return False
    different = set(old.text.splitlines()) ^ set(new.text.splitlines())
    return all(any(word in f" {line.strip()} " for word in words) for line in different)


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why the change could lock us out: `eth0`, the VRF that it is in, or what lets services answer there."""
    before, after = ({block.key: block.text for block in blocks(text)} for text in (old, new))
    own = f"interface {MANAGEMENT}"
    vrfs = [line.split()[1] for line in before.get(own, "").splitlines() if line.startswith("    vrf ")]
    watched = (own, *(f"interface {vrf}" for vrf in vrfs))
    found = [f"`{key}` changes" for key in watched if key in before and after.get(key) != before[key]]
    gone = set(before.get("sysctl.conf", "").splitlines()) - set(after.get("sysctl.conf", "").splitlines())
    return (*found, *(f"`{line}` goes" for line in sorted(gone) if "l3mdev_accept" in line and vrfs))
