"""Every line about partitions, which are requests to UFM's REST API: who is in which tenant."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fabric.configuration import TEXT, Effect, Node, Parts, Section, Statement
from fabric.platforms.manager_files import QosLevel, file_lines, policy, text_file
from fabric.platforms.ufm.model import Member, Pkey, QosRule
from fabric.platforms.ufm.names import PKEYS
from fabric.platforms.ufm.state import UfmState

FASTEST_GBPS = 10_000
"""Beyond any rate that is not a typing error; UFM's own list grows with its releases."""
LAST_PKEY = 0x7FFE
"""0x7fff is everybody's: predefined, and not to be written."""

LIMITS = ("mtu_limit", "rate_limit", "service_level")
OPENING = frozenset({"pkey", "index0", "ip_over_ib", *LIMITS})
JOINING = frozenset({"guid", "index0", "ip_over_ib", "membership"})
"""What is said of each partition, and of each member."""

LIMITED = Effect("hitless", "limits change, after a restart of UFM")
ANEW = Effect("flap", "its ports leave the partition and join it again", new="hitless")
MEMBERS = Effect("flap", "a port that leaves loses its connections in the partition", new="hitless")

Request = dict[str, Any]
"""A request about a partition or a member, by its keys."""


def policy_lines() -> tuple[Statement, ...]:
    """The partitions, and the classes that their path records carry."""
    return (
        file_lines(PKEYS, LIMITED, PARTITION, is_container=True),
        text_file("qos-policy.conf", LIMITED, _policy),
    )


def _partition(_state: UfmState, parts: Parts) -> Request:
    if int(parts["pkey"], 16) > LAST_PKEY:
        raise ValueError(parts["pkey"])
    return {"pkey": parts["pkey"], "members": []}


def _member(partition: Request, parts: Parts) -> Request:
    member = {"guid": parts["guid"]}
    partition["members"].append(member)
    return member


def _add(state: UfmState, partition: Request) -> None:
    """A partition counts if all is said of it and of its members, and they agree on IPoIB."""
    name, members = partition.pop("partition_name", ""), partition.pop("members")
    if partition.keys() != OPENING or any(
        member["ip_over_ib"] != partition["ip_over_ib"] for member in members
    ):
        raise ValueError(partition["pkey"])
    ports = (Member(member["guid"], member["membership"], member["index0"]) for member in members)
    del partition["index0"]  # it is said of each member
    state.pkeys.append(
        Pkey(**partition, partition_name=name, members=tuple(sorted(ports, key=lambda member: member.guid)))
    )


def _join(_partition: Request, member: Request) -> None:
    if member.keys() != JOINING:
        raise ValueError(member["guid"])


def _rate(text: str) -> float:
    rate: float = json.loads(text)
    if not 0 < rate <= FASTEST_GBPS:
        raise ValueError(text)
    return rate


def _name(text: str) -> str:
    """A name, which stands as in JSON where it would not be read as the same words."""
    name: str = json.loads(text) if text.startswith('"') else text
    return name


def _value(key: str, form: str, effect: Effect, convert: Callable[[str], Any], **more: Any) -> Statement:
    """A value of a request."""

    def keep(request: Request, parts: Parts) -> None:
        request[key] = convert(parts["value"])

    return Statement(f"{key} {{value:{form}}}", reads=keep, effect=effect, is_once=True, **more)


def _flag(key: str, effect: Effect) -> Statement:
    return _value(key, "true|false", effect, json.loads)


def _sum(old: Node | None, new: Node | None) -> str:
    """How many join a partition, leave it, or are in it otherwise than before."""
    was, will = _members(old), _members(new)
    joins, leaves = len(will.keys() - was.keys()), len(was.keys() - will.keys())
    both = [(was[guid], will[guid]) for guid in was.keys() & will.keys()]
    anew = _differ(old, new, "ip_over_ib")
    again = sum(anew or _differ(*member, "index0") for member in both)
    turned = 0 if anew else sum(_differ(*member, "membership") for member in both)
    words = [f"{joins} join", f"{leaves} leave"]
    words += [f"{turned} change membership"] if turned else []
    words += [f"{again} leave and join again"] if again else []
    words += [LIMITED.reason] if any(_differ(old, new, key) for key in LIMITS) else []
    node = new or old
    assert node is not None  # noqa: S101  # one of them is there
    return f"{node.parts['pkey']}: {', '.join(words)}"


def _members(node: Node | None) -> dict[str, Node]:
    return {
        child.parts["guid"]: child for child in (node.below.values() if node else ()) if "guid" in child.parts
    }


def _differ(old: Node | None, new: Node | None, key: str) -> bool:
    """Whether one that stays has another value."""
    if old is None or new is None:
        return False
    was, will = old.below.get(key), new.below.get(key)
    return (was and was.text) != (will and will.text)


def _policy(state: UfmState, parts: Parts) -> None:
    sections = policy(parts[TEXT])
    if sections["port-groups"] or any(
        m["source"] or m["destination"] or not m["pkey"] for m in sections["qos-match-rules"]
    ):
        raise ValueError(parts[TEXT])
    state.levels = [QosLevel(m["name"], int(m["level"])) for m in sections["qos-levels"]]
    state.rules = [QosRule(m["use"], m["pkey"], m["level"]) for m in sections["qos-match-rules"]]


MEMBER = Section(
    _flag("index0", ANEW),
    _flag("ip_over_ib", ANEW),
    _value("membership", "full|limited", MEMBERS, str),
    effect=MEMBERS,
)
PARTITION = Statement(
    "partition <pkey:0x[1-9a-f][0-9a-f]{0,3}>",
    reads=_partition,
    finish=_add,
    below=Section(
        _flag("index0", LIMITED),
        _flag("ip_over_ib", LIMITED),
        _value("mtu_limit", "[1-5]", LIMITED, int),
        _value("rate_limit", "[0-9.]+", LIMITED, _rate),
        _value("service_level", "[0-9]|1[0-5]", LIMITED, int),
        # Names are for people, who call their own partitions as they like, and releases before 6.22 give their own:
        # none differs from another.
        _value("partition_name", ".+", LIMITED, _name, is_default=lambda _parts: True),
        Statement(
            "member <guid:[0-9a-f]{16}>",
            reads=_member,
            finish=_join,
            below=MEMBER,
            effect=MEMBERS,
            is_once=True,
        ),
        effect=LIMITED,
    ),
    sums_up=_sum,
    effect=LIMITED,
    is_once=True,
)
