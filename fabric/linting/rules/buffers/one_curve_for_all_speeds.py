"""A marking curve in bytes is right for one speed."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.qos.policy import EcnCurve
from fabric.units import Speed

POLICY = """
classes:
  roce: {dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: CURVE}
  cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}
  best-effort: {dscp: rest, traffic_class: 0, queue: 0, share: 50}
cnp: cnp
watchdog: {action: drop}
"""
TWO_SPEEDS = """
hosts: {gpu: {nics: {compute: {speed: 200G}}}}
networks: {compute: {lossless: own.yaml, tiers: {leaf: {up: {speed: 400G}}}}}
"""


def _policy(curve: str) -> dict[str, str]:
    return {"own.yaml": POLICY.replace("CURVE", curve)}


@rule(
    "FAB1101",
    "one-curve-for-all-speeds",
    "One marking curve in bytes serves ports of different speeds",
    why="A queue of so many bytes is half the time on a port of twice the speed: what is right for the slow port marks "
    "the fast one before it can run at full speed, and what is right for the fast one lets the slow one pause first.",
    fix="Write `ecn: auto`: each kind of port gets its own curve from its speed and round trip.",
    source="DCQCN (SIGCOMM 2015) section 4: thresholds follow from capacity times delay",
    fails=Example("two-tier", TWO_SPEEDS, _policy("{kmin: 400KB, kmax: 1600KB, pmax: 20}")),
    passes=Example("two-tier", TWO_SPEEDS, _policy("auto")),
)
def one_curve_for_all_speeds(site: Linted) -> Iterator[Found]:
    """A class has `ecn: {kmin, kmax, pmax}`, and ports of one network that carry it differ in speed."""
    for network in site.ethernet:
        speeds = sorted({profile.speed_mbps for kind in network.kinds for profile in kind.profiles})
        if network.policy is None or len(speeds) == 1:
            continue
        for name, traffic_class in network.policy.classes.items():
            if isinstance(traffic_class.ecn, EcnCurve):
                yield Found(
                    Origin(("classes", name, "ecn"), f"policy:{network.intent.lossless}"),
                    f"ports of {' and '.join(str(Speed(speed)) for speed in speeds)} in network {network.name} mark at "
                    "the same bytes",
                    hint="write `ecn: auto`",
                    fix="auto",
                )
