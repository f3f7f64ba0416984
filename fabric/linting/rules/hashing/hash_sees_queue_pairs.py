"""Flows between two hosts can take several paths."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.hash_fields import FIELDS, hashed_by
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1301",
    "hash-sees-queue-pairs",
    "All flows between two NICs take one path",
    why="RDMA flows between two NICs differ in the UDP source port and the queue pair alone: the destination port is "
    "always 4791. A hash of neither puts them all on one link, however many queue pairs a collective opens.",
    fix="Add `src_port`, which NICs vary by queue pair, or `roce_qp`.",
    source="InfiniBand specification, annex A17: the UDP source port of RoCEv2 is for entropy; Meta, RDMA over "
    "Ethernet for Distributed AI Training at Meta Scale (SIGCOMM 2024): hashing on the queue pair with more of them, "
    "up to +40 % on AllReduce",
    fails=Example("two-tier", hashed_by("src_ip, dst_ip, dst_port, protocol")),
    passes=Example("two-tier", hashed_by("src_ip, dst_ip, src_port, dst_port, protocol")),
)
def hash_sees_queue_pairs(site: Linted) -> Iterator[Found]:
    """`hashing.fields` has neither `src_port` nor `roce_qp`, and `load_balancing` is not `per_packet`."""
    for network in site.ethernet:
        routing = network.intent.routing
        fields = routing.hashing.fields
        if routing.load_balancing != "per_packet" and not {"src_port", "roce_qp"} & set(fields):
            yield Found(
                network.at.child("routing", "hashing", "fields"),
                f"the hash of network {network.name} sees {', '.join(fields)}, equal in all flows between two NICs",
                value=", ".join(fields),
                fix=FIELDS,
            )
