"""Interfaces are not given names that the kernel gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.host_examples import described
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted

KERNEL = re.compile(r"(?:eth|ib|wlan)(?:\d|\{)")


@rule(
    "FAB1703",
    "kernel-names",
    "NICs are given names that the kernel gives too",
    why="The kernel names interfaces `eth0`, `ib0` and so on as they appear. Renaming one to such a name races with "
    "that: at some restart the name is taken, a rail keeps another one, and its address and queues are missing.",
    fix="Choose names that the kernel does not use, such as `rail{rail}`.",
    source="systemd.link(5), Name=: a name that the kernel might use for another interface is dangerous",
    fails=described(interface="eth{rail}p{port}"),
    passes=described(),
)
def kernel_names(site: Linted) -> Iterator[Found]:
    """A name in `system.nics.NETWORK.interface` begins with `eth`, `ib` or `wlan` and a number."""
    for group, hosts in site.intent.site.hosts.items():
        for network, nic in (hosts.system.nics if hosts.system is not None else {}).items():
            if nic == "none":
                continue
            names = [name for name in nic.interface.split(",") if KERNEL.match(name)]
            if names:
                yield Found(
                    Origin(("hosts", group, "system", "nics", network, "interface")),
                    f"the kernel may give {names[0]} to another interface",
                    value=nic.interface,
                )
