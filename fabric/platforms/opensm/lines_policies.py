"""Every line of partitions.conf, and the policy of service levels: who is in which tenant, and on which lane.

A line that OpenSM takes and we never write is known too, so that a change of it is judged; it is not read. OpenSM
forgives much: it takes what it does not understand for something else, and so opens partitions to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.configuration import TEXT, Effect, Node, Parts, Section, Statement
from fabric.platforms.manager_files import GUID, NAMES, QosLevel, file_lines, policy, text_file
from fabric.platforms.opensm.model import Member, PortGroup, QosRule
from fabric.platforms.opensm.state import OpensmState, Partition

FEW = 3
"""So many names are shown; of more, their number."""

RECORDS = Effect("hitless", "new path records carry the new service level")
HEAD = Effect("hitless", "its group, service level or name changes")
MEMBERS = Effect("flap", "a port that leaves loses its connections in the partition", new="hitless")

Members = Mapping[str, tuple[str, str]]
"""By port: membership and whose it is."""


def policy_lines() -> tuple[Statement, ...]:
    """The files of partitions and of QoS."""
    return (
        file_lines("partitions.conf", HEAD, *PARTITION, is_container=True),
        text_file("qos-policy.conf", RECORDS, _policy),
        file_lines("prefix-routes.conf", Effect("hitless", "path records to other subnets")),
    )


def _partition(_state: OpensmState, parts: Parts) -> Partition:
    return Partition(parts["name"], parts["pkey"], parts["flags"])


def _member(partition: Partition, parts: Parts) -> Partition:
    partition.ports.append(Member(parts["member"], parts["how"] == "=full"))
    return partition


def _name(partition: Partition, parts: Parts) -> None:
    """A comment behind a member says whose it is."""
    partition.ports[-1] = Member(partition.ports[-1].port, partition.ports[-1].full, parts["name"])


def _add(state: OpensmState, partition: Partition) -> None:
    """OpenSM makes one partition of two of the same name, in silence; one without members is not a partition."""
    if not partition.ports or any(partition.name == other.name for other in state.partitions):
        raise ValueError(partition.name)
    state.partitions.append(partition.made())


def _who_moves(old: Node | None, new: Node | None) -> str:
    """Who joins a partition, who leaves it, and whose membership becomes another."""
    before, after = _members(old), _members(new)
    joins = [_who(port, after) for port in after if port not in before]
    leaves = [_who(port, before) for port in before if port not in after]
    phrases = [*_phrases("join", joins), *_phrases("leave", leaves)]
    for how in ("full", "limited"):
        turned = [
            _who(port, after) for port, (now, _) in after.items() if _was(before, port, now) != now == how
        ]
        phrases += (f"{words} {how}" for words in _phrases("become", turned))
    if not phrases and old is not None and new is not None and old.text == new.text:
        return ""
    node = new or old
    assert node is not None  # noqa: S101  # one of them is there
    return f"{node.parts['name']} ({node.parts['pkey']}): {'; '.join(phrases) or HEAD.reason}"


def _members(node: Node | None) -> Members:
    """Who is in a partition. Without a word on it, a member is a limited one."""
    members = (line for line in (node.below.values() if node else ()) if "member" in line.parts)
    return {
        line.parts["member"]: (line.parts["how"].removeprefix("=") or "limited", _note(line))
        for line in members
    }


def _note(member: Node) -> str:
    return next((note.parts.get("name", "") for note in member.below.values()), "")


def _was(before: Members, port: str, now: str) -> str:
    return before.get(port, (now, ""))[0]


def _who(port: str, members: Members) -> str:
    return members[port][1] or port


def _phrases(what: str, who: list[str]) -> Iterator[str]:
    if who:
        more = f" and {len(who) - FEW:,} more" if len(who) > FEW else ""
        verb = f"{what}s" if len(who) == 1 else what
        yield f"{', '.join(who[:FEW])}{more} {verb}"


def _policy(state: OpensmState, parts: Parts) -> None:
    sections = policy(parts[TEXT])
    state.groups = [
        PortGroup(m["name"], m["use"], tuple(m["ports"].split(", "))) for m in sections["port-groups"]
    ]
    state.levels = [QosLevel(m["name"], int(m["level"])) for m in sections["qos-levels"]]
    state.rules = [
        QosRule(m["use"], m["level"], m["pkey"] or "", m["source"] or "", m["destination"] or "")
        for m in sections["qos-match-rules"]
    ]


NAME = Section(Statement("# {name*}", reads=_name, effect=NAMES))
MEMBER = Section(
    Statement(
        f"<member:ALL|ALL_SWITCHES|SELF|{GUID}>{{how:=full|=limited}}",
        reads=_member,
        below=NAME,
        effect=MEMBERS,
        is_once=True,
    ),
    Statement("<member:[^=]+>{how:(?:=.*)?}", below=NAME, effect=MEMBERS, is_once=True, is_unread=True),
    effect=MEMBERS,
)


PARTITION = (
    Statement(
        "{name:[A-Za-z][A-Za-z0-9_-]{0,30}}=<pkey:0x(?!0000)[0-7][0-9a-f]{3}>"
        "{flags*:(?:, ipoib)?(?:, indx0)?, rate=[0-9]{1,2}, mtu=[1-5], sl=(?:[0-9]|1[0-5])}",
        reads=_partition,
        finish=_add,
        below=MEMBER,
        effect=HEAD,
        topic="partition {pkey}",
        sums_up=_who_moves,
        is_once=True,
    ),
    Statement(
        "{name:[^=:, ]+}=<pkey:0x[0-9a-fA-F]{1,4}>{flags*:(?:[, ].*)?}",
        below=MEMBER,
        effect=HEAD,
        topic="partition {pkey}",
        sums_up=_who_moves,
        is_once=True,
        is_unread=True,
    ),
)
