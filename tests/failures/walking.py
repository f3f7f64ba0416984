"""What a failure takes, by walking the links that are left one at a time: the slow answer that others are held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations
from typing import Any

from fabric.failures.rank import DIGITS
from fabric.graph import Graph, Tier
from fabric.topology.roles import Role

UP = (Tier.LEAF, Tier.SPINE)


class Walked:
    """One network, as plain lists."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        rails = graph.rail.tolist()
        self.links = [
            (lower, upper, Tier(tier), mbps, rails[i])
            for i, (lower, upper, tier, mbps) in enumerate(
                zip(
                    graph.lower.tolist(),
                    graph.upper.tolist(),
                    graph.tier.tolist(),
                    graph.mbps.tolist(),
                    strict=True,
                )
            )
        ]
        self.leaves = list(graph.nodes(Role.LEAF))
        self.is_tree = all(tier is not Tier.ACROSS for _, _, tier, _, _ in self.links)
        self.before = self.reached(())
        self.bandwidth = self.sums(())
        self.uplinks = self.count_uplinks(())
        pods = {int(graph.pod[leaf]) for leaf in self.leaves}
        self.has_pods = len(pods) > 1 and any(link[2] is Tier.SPINE for link in self.links)

    def left(self, gone: Collection[int]) -> list[Any]:
        return [link for i, link in enumerate(self.links) if i not in gone]

    def count_uplinks(self, gone: Collection[int]) -> Counter[int]:
        found: Counter[int] = Counter()
        for lower, upper, tier, _mbps, _rail in self.left(gone):
            if tier in (*UP, Tier.ACROSS):
                found[lower] += 1
            if tier is Tier.ACROSS:
                found[upper] += 1
        return found

    def reached(self, gone: Collection[int]) -> dict[int, set[int]]:
        """The leaves that each leaf with a link reaches: up and then down, or by any walk."""
        above: dict[int, set[int]] = {}
        beneath: dict[int, set[int]] = {}
        live = set()
        for lower, upper, tier, _mbps, _rail in self.left(gone):
            live |= {lower, upper}
            if tier in (*UP, Tier.ACROSS):
                above.setdefault(lower, set()).add(upper)
                beneath.setdefault(upper, set()).add(lower)
        found = {}
        for leaf in self.leaves:
            if leaf not in live:
                continue
            seen, todo = set(), [(leaf, True)]
            while todo:
                place = todo.pop()
                if place in seen:
                    continue
                seen.add(place)
                node, climbs = place
                down = [(other, not self.is_tree) for other in beneath.get(node, ())]
                todo += down + ([(other, True) for other in above.get(node, ())] if climbs else [])
            found[leaf] = {node for node, _ in seen if self.graph.role[node] == Role.LEAF} - {leaf}
        return found

    def sums(self, gone: Collection[int]) -> dict[str, Counter[Any]]:
        found: dict[str, Counter[Any]] = {name: Counter() for name in ("host", "rail", "down", "up", "tier")}
        for lower, upper, tier, mbps, rail in self.left(gone):
            found["tier"][tier] += mbps
            if tier is Tier.HOST:
                found["host"][lower] += mbps
                found["rail"][lower, rail] += mbps
            if tier in (Tier.HOST, *UP):
                found["down"][upper] += mbps
            if tier in UP:
                found["up"][lower] += mbps
        return found

    def ratio(self, sums: dict[str, Counter[Any]], role: Role, *, connected: bool = False) -> Fraction | None:
        """The worst of the switches that had uplinks, at least that of before; None: no uplink is left."""
        worst = Fraction(0)
        for node in self.graph.nodes(role):
            down, up = sums["down"][node], sums["up"][node]
            if not self.bandwidth["up"][node] or not down:
                continue
            if up:
                worst = max(worst, Fraction(down, up))
            elif not connected:
                return None
        return worst

    def crossing(self, gone: Collection[int]) -> Fraction:
        """What each host gets of its bandwidth at least if every flow leaves its leaf, and its pod if it has one."""
        raw = self.sums(gone)
        if not self.has_pods:
            return 1 / max(Fraction(1), self.ratio(raw, Role.LEAF, connected=True) or Fraction(0))
        spines = self.graph.nodes(Role.SPINE)
        dead = {spine for spine in spines if self.bandwidth["up"][spine] and not raw["up"][spine]}
        useless = {i for i, link in enumerate(self.links) if link[2] is Tier.LEAF and link[1] in dead}
        after = self.sums({*gone, *useless})
        if any(raw["up"][leaf] and not after["up"][leaf] and after["down"][leaf] for leaf in self.leaves):
            return Fraction(0)
        before = self.bandwidth
        leaf, spine = (
            max(
                self.ratio(before, role) or Fraction(0),
                self.ratio(after, role, connected=True) or Fraction(0),
            )
            for role in (Role.LEAF, Role.SPINE)
        )
        return 1 / max(Fraction(1), leaf, leaf * spine)

    def effect(self, gone: Collection[int]) -> dict[str, int | float | None]:
        """The same names as those of `Effect`."""
        before, after = self.bandwidth, self.sums(gone)
        reached = self.reached(gone)
        lost = sum(len((self.before[leaf] - own) & reached.keys()) for leaf, own in reached.items())
        uplinks = self.count_uplinks(gone)
        severed = {leaf for leaf in self.leaves if self.uplinks[leaf] and not uplinks[leaf]}
        cut = {i for i, link in enumerate(self.links) if link[2] is Tier.HOST and link[1] in severed}
        hosts = self.sums({*gone, *cut})
        parted, rails_parted = self.parted(gone, cut, reached)
        shares = {host: Fraction(hosts["host"][host], mbps) for host, mbps in before["host"].items()}
        of_rails = {pair: Fraction(hosts["rail"][pair], mbps) for pair, mbps in before["rail"].items()}
        kept = [share for share in shares.values() if share]
        rails = [share for (host, _), share in of_rails.items() if shares[host]]
        nobody = Fraction(0 if shares else 1)
        whole = 1 - Fraction(len(rails_parted), max(1, self.graph.net.sizes.rails))
        allreduce = min([whole, *kept], default=nobody) if kept else nobody
        tiers = [tier for tier in (*UP, Tier.ACROSS) if before["tier"][tier]] or [Tier.HOST]
        scattered = self.crossing(gone) / self.crossing(())
        return {
            "hosts_cut_off": sum(not share for share in shares.values()),
            "rails_isolated": sum(not share for share in of_rails.values()),
            "leaf_pairs_lost": lost // 2,
            "host_pairs_parted": parted,
            "hosts_slowed": sum(0 < share < 1 for share in shares.values()),
            "allreduce_percent": percent(allreduce),
            "rail_percent": percent(Fraction(0) if rails_parted else min(rails, default=nobody)),
            "scattered_percent": percent(min(allreduce, scattered)),
            "bisection_percent": percent(
                min(Fraction(after["tier"][tier], max(1, before["tier"][tier])) for tier in tiers)
            ),
            "leaf_oversubscription": self.worst(after, Role.LEAF),
            "spine_oversubscription": self.worst(after, Role.SPINE),
        }

    def stranded(self, gone: Collection[int]) -> set[int]:
        """Leaves that have lost every uplink and no host link."""
        uplinks = self.count_uplinks(gone)
        heard = {upper for _, upper, tier, _, _ in self.left(gone) if tier is Tier.HOST}
        return {leaf for leaf in self.leaves if self.uplinks[leaf] and not uplinks[leaf] and leaf in heard}

    def attachments_lost(self, gone: Collection[int]) -> set[int]:
        """Attachments that have lost every link."""
        had, have = (
            {link[0] for link in links if link[2] is Tier.OUT} for links in (self.links, self.left(gone))
        )
        return had - have

    def landings(self, gone: Collection[int]) -> dict[tuple[int, int], frozenset[int]]:
        """The leaves of each rail of a host."""
        found: dict[tuple[int, int], set[int]] = {}
        for lower, upper, tier, _mbps, rail in self.left(gone):
            if tier is Tier.HOST:
                found.setdefault((lower, rail), set()).add(upper)
        return {place: frozenset(leaves) for place, leaves in found.items()}

    def parted(
        self, gone: Collection[int], cut: Collection[int], reached: dict[int, set[int]]
    ) -> tuple[int, set[int]]:
        """Pairs of hosts on a rail that no leaves of theirs join any more, and the rails with such a pair."""

        def joined(ones: frozenset[int], twos: frozenset[int], known: dict[int, set[int]]) -> bool:
            return any(one == two or two in known.get(one, ()) for one in ones for two in twos)

        before, after = self.landings(()), self.landings({*gone, *cut})
        kinds = Counter((before[place], leaves, place[1]) for place, leaves in after.items())
        pairs, rails = 0, set()
        for (was, now, rail), (were, are, other) in combinations(kinds, 2):
            if rail == other and joined(was, were, self.before) and not joined(now, are, reached):
                pairs += kinds[was, now, rail] * kinds[were, are, other]
                rails.add(rail)
        return pairs, rails

    def worst(self, after: dict[str, Counter[Any]], role: Role) -> float | None:
        """At least what it was before the failure."""
        now, was = self.ratio(after, role), self.ratio(self.bandwidth, role)
        return None if now is None or was is None else round(float(max(now, was)), DIGITS)


def percent(share: Fraction) -> float:
    return round(float(100 * share), DIGITS)
