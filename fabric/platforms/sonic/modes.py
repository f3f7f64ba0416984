"""Which daemon of SONiC makes FRR's configuration, and what each of the three cannot say.

- `split-unified`: frr.conf is ours (sonic-buildimage dockers/docker-fpm-frr/docker_init.sh @01d737d). It can say all,
  and is taken unless the release names another, as `202511-frrcfgd`.
- `frrcfgd`: tables `BGP_*`, `ROUTE_MAP`, `PREFIX` (src/sonic-frr-mgmt-framework/templates/bgpd/*.j2, nexthop-ai
  fork @59abfb3).
- `bgpcfgd`: one row a neighbour, with SONiC's own policy (dockers/docker-fpm-frr/frr/bgpd/*.j2 @0cd551b, constants.yml
  @1c7e6a4).

`bfdd` starts only where `frr_mgmt_framework_config` is true (supervisord.conf.j2 @08ee2de). In `split-unified`, frrcfgd
then runs beside it and replays nothing: it does so in `unified` alone (frrcfgd.py @9ea932e, line 2344).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from fabric.devices.model import LinkRole, PrefixRange, Relation, Switch
from fabric.diagnostics import Origin

RELEASES = ("202511", "master")
"""Releases whose models the output is checked against."""
BGPCFGD_PATHS = 514
"""constants.yml maximum_paths."""
FRRCFGD_PATHS = 256
"""sonic-bgp-global.yang max_ebgp_paths."""
FRR_BFD = (300, 3)
"""Interval in milliseconds and multiplier of a session without a profile (FRR manual, chapter BFD)."""


class Mode(enum.StrEnum):
    """The value of `docker_routing_config_mode`, or the daemon of `unified`."""

    SPLIT = "split"
    FRRCFGD = "frrcfgd"
    BGPCFGD = "bgpcfgd"


Missing = Iterator[tuple[Origin, str, str]]
"""Place, feature and fix."""


def mode_of(release: str | None) -> Mode:
    """The mode that the release names: `202511-frrcfgd`; else `split-unified`, which says all."""
    word = (release or "").rpartition("-")[2]
    return Mode(word) if word in set(Mode) else Mode.SPLIT


def is_known(release: str | None) -> bool:
    """Whether the release, without its mode, is one whose models were checked: `202511`, `202511.2`, `master`."""
    if release is None:
        return True
    word = release.removesuffix(f"-{mode_of(release)}")
    return any(word == known or word.startswith(f"{known}.") for known in RELEASES)


def refused(switch: Switch) -> Missing:
    """What the chosen mode cannot say of the switch."""
    mode = mode_of(switch.release)
    if mode is not Mode.SPLIT:
        yield from {Mode.FRRCFGD: _frrcfgd, Mode.BGPCFGD: _bgpcfgd}[mode](switch)
        for lines in switch.extra:
            if lines.section == "frr":
                yield lines.origin, f"{mode} writes frr.conf itself", "take the mode out of the release"


def _frrcfgd(switch: Switch) -> Missing:
    routing, place = switch.routing, _place(switch)
    out = "take `-frrcfgd` out of the release: `split-unified` can say it"
    bfd = (routing.bfd_interval_ms, routing.bfd_multiplier)
    if routing.bfd_interval_ms is not None and bfd != FRR_BFD:
        yield place.child("bfd"), f"frrcfgd has no BFD timers, FRR's are {FRR_BFD[0]} ms x {FRR_BFD[1]}", out
    if routing.max_paths > FRRCFGD_PATHS:
        yield switch.max_paths_origin, f"frrcfgd supports at most {FRRCFGD_PATHS} paths", out
    wrong = [str(prefix_range.prefix) for prefix_range in _ranges(switch) if not _compares_well(prefix_range)]
    if wrong:
        text = f"frrcfgd compares prefix lengths as text and would widen {', '.join(wrong)}"
        yield place, text, out


def _bgpcfgd(switch: Switch) -> Missing:
    routing, place = switch.routing, _place(switch)
    addressing = Origin(("networks", switch.network, "addressing"))
    out = "take `-bgpcfgd` out of the release: `split-unified` can say it"
    vlans = {address.network for gateway in switch.gateways for address in gateway.addresses}
    hosts = {
        address
        for port in switch.ports
        if port.role in {LinkRole.HOST, LinkRole.ATTACHMENT}
        for address in port.addresses
    }
    if hosts or set(routing.aggregates) - vlans:
        yield place.child("advertise_host_links"), "bgpcfgd tells Loopback0 and VLAN prefixes only", out
    text = "bgpcfgd marks no routes, so only one AS number above keeps paths from going down and up again"
    if len({n.remote_asn for n in routing.neighbors if n.relation is Relation.UP}) > 1:
        yield addressing.child("asn"), text, f"write `asn: {{policy: shared-spine}}`, or {out}"
    if len({n.remote_asn for n in routing.neighbors if n.relation is Relation.ACROSS}) > 1:
        yield addressing.child("asn"), text, out  # each zone needs an AS number of its own
    if routing.max_paths > BGPCFGD_PATHS:
        yield switch.max_paths_origin, f"bgpcfgd has {BGPCFGD_PATHS} paths at most", out


def _place(switch: Switch) -> Origin:
    return Origin(("networks", switch.network, "routing"))


def _ranges(switch: Switch) -> Iterator[PrefixRange]:
    routing = switch.routing
    yield from (*routing.loopbacks, *routing.host_prefixes, *routing.accepted)
    for neighbor in routing.neighbors:
        yield from (PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in neighbor.advertise)


def _compares_well(prefix_range: PrefixRange) -> bool:
    """Whether `"32" > "8"` is true as it is for numbers (bgpd.conf.db.pref_list.j2)."""
    length = prefix_range.prefix.prefixlen
    return prefix_range.longest == length or (str(prefix_range.shortest) > str(length)) == (
        prefix_range.shortest > length
    )
