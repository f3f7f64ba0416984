"""Addresses by arithmetic over capacity: unit, rail, plane, host; link numbers; loopback blocks by role.

Growth renumbers nothing, and with `host` last in the order a leaf's hosts are one aligned power-of-two block.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Network

import msgspec

from fabric.diagnostics import Report
from fabric.topology import codes
from fabric.topology.attachments.address_blocks import SUBNET_BITS6, Share, needed
from fabric.topology.attachments.assign_addresses import give_addresses
from fabric.topology.check_pools import Pool, Prefix, check_pools
from fabric.topology.network_draft import Draft
from fabric.topology.roles import NONE, Facing, Role

LOOPBACKS6 = IPv6Network("fd00:255::/64")
"""Default pool of IPv6 loopbacks."""
KEPT = 3
"""Addresses of an IPv4 subnet that no host has: network, gateway, broadcast."""


def address(drafts: Mapping[str, Draft], report: Report) -> None:
    """Give addresses to every port and loopback; check the pools of all networks together."""
    pools: list[Pool] = []
    for draft in drafts.values():
        _blank(draft)
        if draft.routed:
            _Addresses(draft, pools).give()
    check_pools(pools, report)


def _blank(draft: Draft) -> None:
    net, nodes, ports = draft.net, len(draft.net.role), draft.net.port_base[-1]
    net.loopback, net.block, net.block_length = (draft.blank("q", nodes) for _ in range(3))
    net.block6_length = draft.blank("i", nodes)
    net.address = draft.blank("q", ports)
    net.prefix_length, net.prefix6_length = draft.blank("h", ports), draft.blank("h", ports)
    net.loopback6, net.block6, net.address6 = [], [], []
    net.attached_vlans = ()


class HostPlan(msgspec.Struct, frozen=True):
    """Strides of the host addresses of one version."""

    pool: Prefix
    strides: Mapping[str, int]
    """Addresses from one unit, rail, plane or host to the next."""
    needed: int
    block: int
    """Addresses of a leaf's block; 0 where its hosts are not contiguous."""
    length: int
    """Prefix length on a host port."""

    def first(self, unit: int, rail: int, plane: int) -> int:
        """Address of a leaf's first seat."""
        strides = self.strides
        offset = unit * strides["unit"] + rail * strides["rail"] + plane * strides["plane"]
        return int(self.pool.network_address) + offset


def host_plan(draft: Draft, version: int) -> HostPlan:
    """Work out the strides. The rail identifies the leaf of the unit: folded rails share a block."""
    addressing, sizes = draft.network.addressing, draft.sizes
    links = addressing.host_links
    pool: Prefix = addressing.host_pool if version == 4 else addressing.host_pool6
    seats = sizes.leaf_down
    if links.mode == "routed":
        length = links.prefix_length if version == 4 else links.prefix6_length
        each = 1 << (pool.max_prefixlen - length)
        hosts = power_of_two(seats)
    else:
        each = 1
        hosts = power_of_two(seats + KEPT) if version == 4 else 1 << SUBNET_BITS6
        length = pool.max_prefixlen - hosts.bit_length() + 1
    planes = 1 if links.mode == "lacp" else sizes.planes
    counts = {"unit": sizes.unit_capacity, "rail": sizes.rails.leaves, "plane": planes, "host": hosts}
    strides, stride = dict.fromkeys(counts, 0), each
    for key in reversed(addressing.order):
        strides[key] = stride
        stride *= counts[key]
    if links.mode == "lacp":
        strides["plane"] = 0  # both leaves of a pair share the subnet, and a bond has one address
    block = hosts * each if addressing.order[-1] == "host" else 0
    return HostPlan(pool, strides, stride, block, length)


def power_of_two(number: int) -> int:
    """The smallest power of two that is not less."""
    return 1 << max(number - 1, 0).bit_length()


class _Addresses:
    """Gives the addresses of one network."""

    def __init__(self, draft: Draft, pools: list[Pool]) -> None:
        self.draft, self.net, self.sizes, self.pools = draft, draft.net, draft.sizes, pools
        self.rules = draft.network.addressing
        self.at = draft.at.child("addressing")
        family = self.rules.family
        self.host6 = 6 in self.rules.host_families
        self.fabric4, self.fabric6 = family in ("ipv4", "dual"), family in ("ipv6", "dual")

    def give(self) -> None:
        """Loopbacks, links between switches, hosts and attachments."""
        if sorted(self.rules.order) != ["host", "plane", "rail", "unit"]:
            rule = "the order needs unit, rail, plane and host, each once"
            self.draft.report.add(
                codes.ORDER_INCOMPLETE.at(
                    self.at.child("order"),
                    rule,
                    value=list(self.rules.order),
                    hint="write all four, such as `[unit, rail, plane, host]`",
                )
            )
            return
        self._loopbacks()
        if self.host6 or self.fabric6:
            self.net.address6 = [NONE] * self.net.port_base[-1]
        self._fabric()
        self._hosts()

    # --- loopbacks

    def _loopbacks(self) -> None:
        sizes = self.sizes
        capacities = (sizes.leaf_capacity, sizes.spine_capacity, sizes.superspine_capacity)
        firsts, end = [], 0
        for capacity in capacities:
            block = power_of_two(capacity) if capacity else 0
            end = -(-end // block) * block if block else end
            firsts.append(end)
            end += block
        pool = self.rules.loopback_pool
        used = max((f + c for f, c in zip(firsts, capacities, strict=True) if c), default=0)
        self._use(pool, used, "loopbacks", "loopback_pool")
        base = int(pool.network_address)
        for node in self.net.switches:
            self.net.loopback[node] = base + firsts[self.net.role[node]] + self.net.ordinal[node]
        pool6 = self.rules.loopback_pool6 or (LOOPBACKS6 if self.fabric6 else None)
        if pool6 is not None:
            self._use(pool6, used, "IPv6 loopbacks", "loopback_pool6")
            offset = int(pool6.network_address) - base
            self.net.loopback6 = [NONE if a == NONE else a + offset for a in self.net.loopback]

    def _use(self, prefix: Prefix, needed: int, what: str, key: str) -> None:
        self.pools.append(Pool(prefix, needed, f"{what} of {self.draft.name}", self.at.child(key)))

    # --- links between switches

    def _fabric(self) -> None:
        sizes = self.sizes
        leaf_links = sizes.leaf_capacity * sizes.leaf.uplinks if sizes.leaf.count else 0
        spine_links = sizes.spine_capacity * sizes.spine.uplinks if sizes.spine.count else 0
        across = (sizes.pods - 1) * sizes.zone_links
        zones = leaf_links + spine_links
        total = zones + sizes.spine_capacity * across
        if self.fabric4:
            self._use(self.rules.fabric_pool, 2 * total, "links between switches", "fabric_pool")
        if self.fabric6:
            self._use(self.rules.fabric_pool6, 2 * total, "IPv6 links between switches", "fabric_pool6")
        if self.fabric4 or self.fabric6:
            self._uplinks(Role.LEAF, 0, sizes.leaf.uplinks if sizes.leaf.count else 0)
            self._uplinks(Role.SPINE, leaf_links, sizes.spine.uplinks if sizes.spine.count else 0)
            self._across(zones, across)

    def _uplinks(self, role: Role, first: int, uplinks: int) -> None:
        if not uplinks:
            return
        net, lower_odd = self.net, int(self.rules.fabric_even == "upper")
        for node in net.role_start[role]:
            link = first + net.ordinal[node] * uplinks
            for port in self.draft.way(node, Facing.UP):
                if net.peer[port] != NONE:
                    self._pair(port, net.peer[port], 2 * link, lower_odd)
                link += 1

    def _across(self, first: int, width: int) -> None:
        net, lower_odd = self.net, int(self.rules.fabric_even == "upper")
        for spine in net.role_start[Role.SPINE] if width else ():
            for i, port in enumerate(self.draft.way(spine, Facing.ACROSS)):
                if net.peer[port] > port:
                    self._pair(port, net.peer[port], 2 * (first + net.ordinal[spine] * width + i), lower_odd)

    def _pair(self, lower: int, upper: int, offset: int, lower_odd: int) -> None:
        net = self.net
        if self.fabric4:
            base = int(self.rules.fabric_pool.network_address) + offset
            net.address[lower], net.address[upper] = base + lower_odd, base + 1 - lower_odd
            net.prefix_length[lower] = net.prefix_length[upper] = 31
        if self.fabric6:
            base = int(self.rules.fabric_pool6.network_address) + offset
            net.address6[lower], net.address6[upper] = base + lower_odd, base + 1 - lower_odd
            net.prefix6_length[lower] = net.prefix6_length[upper] = 127

    # --- hosts

    def _hosts(self) -> None:
        mode = self.rules.host_links.mode
        if mode == "lacp" and self.sizes.planes != 2:
            rule = f"a bond has one leaf on each of two planes, the network has {self.sizes.planes}"
            at = self.at.child("host_links", "mode")
            self.draft.report.add(codes.HOST_LINKS.at(at, rule, value=mode, hint="set `planes.count: 2`"))
            return
        if mode != "routed" and self.rules.order[-1] != "host":
            rule = f"`{mode}` needs a subnet per leaf, so the order must end in `host`"
            at = self.at.child("order")
            self.draft.report.add(
                codes.HOST_LINKS.at(at, rule, value=list(self.rules.order), hint="put `host` last")
            )
            return
        plans = [host_plan(self.draft, version) for version in self.rules.host_families]
        shares = [self._share(plan) for plan in plans]
        give_addresses(self.draft, shares, self.pools)  # before the hosts: who has a port keeps it
        for plan, share in zip(plans, shares, strict=True):
            four = plan.pool.version == 4
            attached = needed(self.draft, share, shares)
            what = ("hosts" if four else "IPv6 hosts") + (" and attachments" if attached else "")
            self._use(plan.pool, plan.needed + attached, what, "host_pool" if four else "host_pool6")
            if not four:
                self.net.block6 = [NONE] * len(self.net.role)
            self._host_version(plan, plan.pool.version)

    def _share(self, plan: HostPlan) -> Share:
        """How the host pool is parted. Where hosts share a subnet, links of attachments have prefixes of two."""
        bits = plan.pool.max_prefixlen
        length = plan.length if self.rules.host_links.mode == "routed" else bits - 1
        return Share(plan.pool, plan.needed, length, *self._offsets(bits - length))

    def _host_version(self, plan: HostPlan, version: int) -> None:
        net, bits = self.net, plan.pool.max_prefixlen
        blocks, lengths = (net.block, net.block_length) if version == 4 else (net.block6, net.block6_length)
        for leaf, unit, position, plane in self.draft.leaves():
            first = plan.first(unit, position, plane)
            if plan.block:
                blocks[leaf] = first
                lengths[leaf] = bits - plan.block.bit_length() + 1
            self._seats(plan, version, leaf, first)

    def _seats(self, plan: HostPlan, version: int, leaf: int, first: int) -> None:
        """Addresses of a leaf's downlinks and of the NICs at their other ends."""
        net, links = self.net, self.rules.host_links
        routed = links.mode == "routed"
        addresses, lengths = (
            (net.address, net.prefix_length) if version == 4 else (net.address6, net.prefix6_length)
        )
        ours, theirs = self._offsets(plan.pool.max_prefixlen - plan.length) if routed else (1, 2)
        stride, length = plan.strides["host"], plan.length
        silent = version == 6 and links.assignment == "slaac"
        at = first
        for port in self.draft.way(leaf, Facing.DOWN):
            peer = net.peer[port]
            if peer != NONE:
                if routed and lengths[port] == NONE:
                    addresses[port], lengths[port] = at + ours, length
                if not silent and lengths[peer] == NONE:
                    addresses[peer], lengths[peer] = at + theirs, length
            at += stride

    def _offsets(self, bits: int) -> tuple[int, int]:
        """Of the leaf's and the host's address in the prefix of a port."""
        leaf_even = self.rules.host_even == "leaf"
        if bits == 1:
            return (0, 1) if leaf_even else (1, 0)
        return (2, 1) if leaf_even else (1, 2)
