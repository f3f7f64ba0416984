"""What is left of cut packets gets through."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.policies import CNP, OWN, REST, in_policy, policies
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.qos.check_classes import LARGEST_SMALLEST_BYTES
from fabric.qos.trimming import trimmed_percent

LOSSY = f"""classes:
  roce: {{dscp: [24, 26], traffic_class: 3, queue: 3, share: 50, ecn: auto}}
  cnp: {CNP}
  trimmed: {{dscp: [10], traffic_class: 5, queue: 5, strict: true, max_rate: RATE}}
  best-effort: {REST}
cnp: cnp
watchdog: none
trim: {{classes: [roce], into: trimmed}}
"""


@rule(
    "FAB1012",
    "trimmed-packets-fit",
    "Cut packets of an incast exceed the rate of their class",
    why="Trimming exists to tell the receiver of every loss. In an incast of N senders, N - 1 ports' worth of packets "
    "are cut, and what is left of them must pass the port beside the data: what exceeds the maximum rate is dropped, "
    "and the receiver waits for a timeout all the same.",
    fix="Raise `max_rate` of the class that `trim.into` names, or cut shorter (`trim.size`).",
    source="Cumulus Linux 5.14, Packet Trimming; NDP (SIGCOMM 2017): trimmed headers need a queue that is served "
    "first and large enough; frames of 4158 bytes as in docs/lossless.md",
    fails=Example("two-tier", OWN, {"own.yaml": LOSSY.replace("RATE", "5")}),
    passes=Example("two-tier", OWN, {"own.yaml": LOSSY.replace("RATE", "50")}),
)
def trimmed_packets_fit(site: Linted) -> Iterator[Found]:
    """`(incast - 1) * trim.size / 4158` of a port is more than `max_rate` of the class of `trim.into`.

    That is: frames of 4096 bytes of RDMA data are cut of all senders but one. Smaller frames make it worse.
    """
    for name, policy in policies(site):
        if policy.trim == "none":
            continue
        rate = policy.classes[policy.trim.into].max_rate_percent
        needed = trimmed_percent(policy.incast, policy.trim.size_bytes, LARGEST_SMALLEST_BYTES)
        if rate is not None and needed > rate:
            yield Found(
                in_policy(name, "classes", policy.trim.into, "max_rate"),
                f"{policy.incast} senders to one port leave cut packets of {policy.trim.size_bytes} B that need "
                f"{needed} percent of it, and {policy.trim.into} may take {rate}",
                value=rate,
            )
