"""ECN acts before PFC even when all ports are loaded."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import Bytes


@rule(
    "FAB1107",
    "ecn-first-on-all-ports",
    "With all ports loaded, PFC pauses before ECN marks",
    why="`ecn: auto` lowers kmin until ECN is first whatever the traffic, but not below a seventh of what is in "
    "flight, for then links run empty. Where that is too much for the buffer, pauses come first in the worst case.",
    fix="Use a model with more buffer for its ports, shorter cables, one lossless class, or headroom for frames of "
    "RDMA (`headroom: {smallest_frame: 1086B}`); or accept the finding.",
    source="DCQCN (SIGCOMM 2015) section 4: kmin < f (B - H) / (p n (f + 1)); DCTCP (SIGCOMM 2010)",
    fails=Example("two-tier", "networks: {compute: {cables: {leaf_spine: {length: 2200m, kind: smf}}}}"),
    passes=Example("two-tier"),
)
def ecn_first_on_all_ports(site: Linted) -> Iterator[Found]:
    """A computed kmin of a lossless class is not below the bound for all ports at once.

    FAB331 is about written curves.
    """
    for network in site.ethernet:
        for kind in network.kinds:
            queueing = kind.example.queueing
            if queueing is None or queueing.budget is None or queueing.budget.ecn_first_below_bytes is None:
                continue
            bound = queueing.budget.ecn_first_below_bytes
            curves = [
                each.ecn.kmin_bytes
                for profile in queueing.profiles
                for each in profile.classes
                if each.ecn is not None and each.ecn.computed and each.priority is not None
            ]
            if curves and max(curves) >= bound:
                yield Found(
                    Origin(("networks", network.name, "tiers", kind.example.role)),
                    f"{kind.example.name} marks from {Bytes(max(curves))}, and may pause from {Bytes(bound)} when all "
                    "its ports are loaded",
                    about=kind.example.hardware.id,
                )
