"""What must hold between the lines of any configuration that we print."""

from __future__ import annotations

import re
from collections.abc import Iterator

QUEUES = ["7", "6", "5", "4", "3", "2", "1", "-default"]
PAIRS = (
    (r"service-policy type network-qos (\S+)", r"policy-map type network-qos (\S+)"),
    (r"service-policy type qos input (\S+)", r"policy-map type qos (\S+)"),
    (r"service-policy type queuing output (\S+)", r"policy-map type queuing (\S+)"),
    (r"route-map (\S+)(?: in| out)?$", r"^route-map (\S+) (?:permit|deny)"),
    (r"match (?:ip|ipv6) address prefix-list (\S+)", r"^(?:ip|ipv6) prefix-list (\S+)"),
    (r"match community (\S+)", r"community-list standard (\S+)"),
    (r"inherit peer (\S+)", r"template peer (\S+)"),
    (r"access-class (\S+) in", r"^(?:ip|ipv6) access-list (\S+)"),
    (r"switchport access vlan (\d+)", r"^vlan (\d+)"),
    (r"switchport trunk allowed vlan (\d+)", r"^vlan (\d+)"),
    (r"group (TACACS)$", r"group server tacacs\+ (\S+)"),
    (r"^  class (?!type |class-default)(\S+)$", r"^class-map type qos match-any (\S+)"),
    (r"^class-map type qos match-any (\S+)", r"^  class (?!type )(\S+)$"),
)
"""Where a name is used, and where it is defined."""


def wrong_numbers(text: str) -> Iterator[str]:
    """Faults of queues: all eight, shares of 100, and one number for group, queue and pause."""
    groups = set(re.findall(r"set qos-group (\d)", text))
    for name, policy in re.findall(r"(?m)^policy-map type queuing (\S+)\n((?: .*\n)+)", text):
        if re.findall(r"class type queuing c-out-8q-q(\S+)", policy) != QUEUES:
            yield f"{name}: not all eight queues"
        if sum(map(int, re.findall(r"remaining percent (\d+)", policy))) != 100:
            yield f"{name}: the shares are not 100"
        served = re.findall(r"c-out-8q-q(\d|-default)\n    (?!bandwidth remaining percent 0\n)", policy)
        if not {number.replace("-default", "0") for number in served} <= groups | {"0"}:
            yield f"{name}: a queue without a group is served"
        if not groups - {"0"} <= set(served):
            yield f"{name}: a group without service"
        if re.findall(r"c-out-8q-q(\S+)\n    priority", policy) not in ([], ["7"]):
            yield f"{name}: the strict queue is not 7"
    for number, inside in re.findall(r"c-8q-nq(\d)\n((?:    .*\n)+)", text):
        if number not in groups or "mtu 9216" not in inside:
            yield f"c-8q-nq{number}: no group, or no jumbo frames"
        if re.findall(r"pause pfc-cos (\d)", inside) not in ([], [number]):
            yield f"c-8q-nq{number}: another priority is paused"


def undefined(text: str) -> Iterator[str]:
    """Names that are used and not defined."""
    for used, defined in PAIRS:
        yield from set(re.findall(f"(?m){used}", text)) - set(re.findall(f"(?m){defined}", text))
    cages = {f"Ethernet{m}/{p}" for m, p in re.findall(r"breakout module (\d+) port (\d+) map", text)}
    yield from set(re.findall(r"(?m)^interface (Ethernet\d+/\d+)/\d", text)) ^ cages
