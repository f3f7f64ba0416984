"""The switch that the contract of drivers is held on: a leaf of a small site in a sandbox.

The product's JSON-RPC server is none that an intent names: operators bring it up with their own certificate, and plans
carry its lines along. Here they are those that the emulated factory leaves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.platforms.srlinux.documents import load, merge
from fabric.platforms.srlinux.emulator.factory import factory
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import ADDRESSES, LOGIN, PASSWORD, USERNAME, SandboxBench
from tests.platforms.sites import LEAF, compiled, printed, services
from tests.platforms.srlinux.devices import OWN_USERS
from tests.ports import free_port

WORDS = OWN_USERS
KEPT = ("tls:tls", "json-rpc-server")
TYPED = ("/system/information/location typed-on-the-console",)


def text_of(site: Devices, access: dict[str, Any]) -> str:
    """What the leaf of a site is to run."""
    leaf = site[LEAF]
    assert isinstance(leaf, Switch)
    return with_access(printed(leaf), access)


def with_access(text: str, access: dict[str, Any]) -> str:
    """A compiled text with the lines that others keep: JSON-RPC's server and its certificate."""
    tree = load(text)
    system = {"srl_nokia-system:system": access["srl_nokia-system:system"]}
    merge(
        tree, {name: {k: v for k, v in inner.items() if k.endswith(KEPT)} for name, inner in system.items()}
    )
    return json.dumps(tree, indent=1)


def refused(text: str) -> str:
    """One leaf that no release has, behind everything else."""
    tree = load(text)
    merge(tree, {"srl_nokia-system:system": {"srl_nokia-system-info:information": {"frobnicate": "7"}}})
    return json.dumps(tree)


@contextmanager
def bench(_folder: Path) -> Iterator[SandboxBench]:
    """An emulated SR Linux switch with its neighbours."""
    now = compiled("srlinux", OWN_USERS, LOGIN, ADDRESSES)
    new = compiled("srlinux", OWN_USERS, LOGIN, ADDRESSES, services("ntp: {servers: [192.0.2.77]}"))
    specs = {spec.name: spec for spec in emulated_switches(now.values(), lambda _name: (USERNAME, PASSWORD))}
    access = factory(specs[LEAF])
    texts = text_of(now, access), text_of(new, access)
    specs[LEAF] = msgspec.structs.replace(specs[LEAF], config=texts[0])
    with Sandbox(specs.values(), port=free_port()) as sandbox:
        yield SandboxBench("srlinux", sandbox, texts, refused(texts[1]), TYPED)
