"""What each device is derived from, as a digest: equal digests mean equal devices, without deriving them."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from fabric.devices.context import NetworkContext
from fabric.intent.digest import digest
from fabric.intent.inventory import Inventory
from fabric.intent.lock import Lock
from fabric.intent.model import Intent
from fabric.intent.state import State


def shared_fingerprint(intent: Intent, lock: Lock) -> str:
    """Digest of everything that may reach any device: the intent without what concerns single devices.

    Overrides that their neighbours see (AS numbers, names of ports) count for all. `lock` is the one that was expanded
    to, not the one that was read: writing it for the first time changes no device. What hosts call their NICs reaches
    no device.
    """
    seen_by_others = [
        (o.device, o.role, o.unit, o.network, o.asn, o.model, o.platform, o.down_cages, o.up_cages)
        for o in intent.site.overrides
        if o.asn or o.model or o.platform or o.down_cages or o.up_cages
    ]
    groups = {name: msgspec.structs.replace(group, system=None) for name, group in intent.site.hosts.items()}
    common = msgspec.structs.replace(
        intent,
        site=msgspec.structs.replace(intent.site, overrides=(), hosts=groups),
        inventory=Inventory(),
        state=State(),
        lock=lock,
    )
    return sha256(f"{digest(common)} {seen_by_others!r}".encode()).hexdigest()


def fingerprint(context: NetworkContext, shared: str, node: int) -> str:
    """Digest of what one device is derived from: what all share, and what is said of it alone."""
    topology = context.topology
    name = topology.names[node]
    first, last = topology.port_base[node], topology.port_base[node + 1]
    shut = sorted(port for port in context.shut if first <= port < last)
    own = (
        context.overrides.get(name, ()),
        context.intent.inventory.devices.get(name),
        shut,
        context.drained.get(name),
    )
    return sha256(f"{shared} {name} {own!r}".encode()).hexdigest()
