"""What border routers may advertise and receive: prefixes of hosts, and none that the fabric gives out itself.

A route of the outside that is as long as one of ours, or longer, takes our traffic: a leaf's hosts, storage, a
loopback, a link. Shorter ones, a default route first of all, do no harm: the longest prefix wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fabric.diagnostics import Origin, Report
from fabric.documents.schema.scalar_types import Prefix
from fabric.intent import codes
from fabric.intent.checks.addresses import special
from fabric.intent.learned_prefixes import learned
from fabric.intent.model.addressing import Addressing
from fabric.intent.model.hosts import Attachment
from fabric.intent.model.site import Intent


def check_borders(intent: Intent, report: Report) -> None:
    """No list of a border router names what no route leads to, and `prefixes` nothing of our own."""
    for name, attachment in intent.site.attachments.items():
        network = intent.site.networks.get(attachment.network)
        if attachment.bgp is None or network is None:
            continue
        origin = Origin(("attachments", name, "bgp"))
        _check_limit(attachment, network.addressing, origin, report)
        own = (*_pools(network.addressing), *_attached(intent, attachment.network))
        for index, prefix in enumerate(attachment.bgp.prefixes):
            if special(prefix, "route") is None:
                _check_own(origin.child("prefixes", index), prefix, own, report)


def _check_limit(attachment: Attachment, addressing: Addressing, place: Origin, report: Report) -> None:
    """A router that sends all that is accepted must not end its session by that."""
    limit = attachment.bgp.max_prefixes if attachment.bgp is not None else None
    counts = Counter(prefix.version for prefix in set(learned(attachment, addressing)))
    for version, count in counts.most_common(1):
        if limit is not None and count > limit:
            rule = (
                f"{count} prefixes of IPv{version} are accepted from the router, and its session ends at "
                f"{limit + 1}"
            )
            hint = f"write {count} or more"
            report.add(codes.RANGE.at(place.child("max_prefixes"), rule, value=limit, hint=hint))


def _check_own(place: Origin, prefix: Prefix, own: Iterable[tuple[str, Prefix]], report: Report) -> None:
    for key, block in own:
        if _inside(prefix, block):
            rule = (
                f"{prefix} is of our own `{key}`, {block}: the router's route would take traffic that is ours"
            )
            hint = f"take it out, or choose another `{key}`; shorter prefixes than {block}, and the default, may stay"
            report.add(codes.OWN_PREFIX.at(place, rule, value=str(prefix), hint=hint))


def _attached(intent: Intent, network: str) -> Iterator[tuple[str, Prefix]]:
    """The subnets of what is attached to a network with addresses of its own. Links to routers are not advertised."""
    for name, attachment in intent.site.attachments.items():
        if attachment.network == network and attachment.kind != "router":
            for link in attachment.addresses:
                ends = (link.ours, link.ours6) if link.ours6 is not None else (link.ours,)
                yield from ((f"attachments.{name}.addresses", end.network) for end in ends)


def _pools(addressing: Addressing) -> Iterator[tuple[str, Prefix]]:
    """The pools that addresses of a network are taken from."""
    families, between = addressing.host_families, addressing.family
    if 4 in families:
        yield "host_pool", addressing.host_pool
    if 6 in families:
        yield "host_pool6", addressing.host_pool6
    if between in ("ipv4", "dual"):
        yield "fabric_pool", addressing.fabric_pool
    if between in ("ipv6", "dual"):
        yield "fabric_pool6", addressing.fabric_pool6
    yield "loopback_pool", addressing.loopback_pool
    if addressing.loopback_pool6 is not None:
        yield "loopback_pool6", addressing.loopback_pool6


def _inside(prefix: Prefix, block: Prefix) -> bool:
    return prefix.version == block.version and block.supernet_of(prefix)  # type: ignore[arg-type]
