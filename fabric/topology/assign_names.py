"""Names from templates. Every number is padded to the width that the capacity needs, so growth renames nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabric.diagnostics import Origin, Report
from fabric.topology import codes
from fabric.topology.network_draft import Draft
from fabric.topology.roles import NONE, Role
from fabric.units import END

FIELD = re.compile(r"\{(\w+)\}")
LABEL = re.compile(rf"^[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?{END}")


def name(draft: Draft) -> None:
    """Name every node of the network."""
    draft.width = _widths(draft)
    names: list[str] = []
    for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
        names += _switch_names(draft, role)
    names += _host_names(draft)
    attachments = draft.intent.site.attachments
    names += sorted(key for key in attachments if attachments[key].network == draft.name)
    draft.net.names = names


def digits(capacity: int) -> int:
    """Digits of the largest of `capacity` numbers that start at 0."""
    return len(str(max(capacity - 1, 0)))


def _widths(draft: Draft) -> dict[str, int]:
    sizes = draft.sizes
    # Of the whole site: a host has the same name in all its networks.
    hosts = draft.site.hosts_per_unit or sum(group.slots for group in draft.site.groups.values())
    widths = {
        "unit": digits(sizes.unit_capacity),
        "rail": digits(sizes.rails.rails),
        "plane": digits(sizes.planes),
        "pod": digits(sizes.pods),
        "leaf": digits(sizes.rails.leaves),
        "spine": digits(sizes.leaf.count),
        "spine_group": digits(sizes.spine_groups),
        "superspine": digits(sizes.spine.count),
        "superspine_group": digits(sizes.superspine_groups),
        "host": digits(hosts),
    }
    widths["host"] = max(widths["host"], _locked_width(draft, hosts))
    return widths


def _locked_width(draft: Draft, hosts: int) -> int:
    """Digits of a host's number as `fabric.lock` holds them: hosts of a unit grow into free positions.

    No more than all the positions that the lock has could need: more is a slip, which the lock is then held against.
    """
    lock = draft.intent.lock
    locked = list(lock.networks.values()) if lock else []
    most = digits(max(hosts, sum(network.host_slots for network in locked)))
    return min(most, max((network.name_widths.get("host", 0) for network in locked), default=0))


def default_template(draft: Draft, role: Role) -> str:
    """The name of a tier's switches, with every number that tells them apart."""
    sizes = draft.sizes
    planes = {
        Role.LEAF: sizes.planes > 1,
        Role.SPINE: sizes.planes > 1 and sizes.spine_planes > 1,
        Role.SUPERSPINE: sizes.planes > 1 and sizes.superspine_planes > 1,
    }[role]
    parts = [role.name.lower(), *(["{plane}"] if planes else [])]
    if role is Role.LEAF:
        parts += ["{unit}", *(["{rail}"] if sizes.rails.apply else [])]
    elif role is Role.SPINE:
        parts += ["{pod}"] if sizes.by_pod else []
        parts += [*(["{rail}"] if sizes.spine_rails > 1 else []), "{index}"]
    else:
        parts += [*(["{group}"] if sizes.superspine_groups > 1 else []), "{index}"]
    return "-".join(parts)


def _switch_names(draft: Draft, role: Role) -> list[str]:
    tiers, net = draft.network.tiers, draft.net
    tier = {Role.LEAF: tiers.leaf, Role.SPINE: tiers.spine, Role.SUPERSPINE: tiers.superspine}[role]
    if tier is None:
        return []
    prefix = draft.network.prefix
    if prefix is None:
        prefix = "" if draft.name == "compute" else f"{draft.name}-"
    key = role.name.lower()
    fill = _Filler(draft, prefix + (tier.name or default_template(draft, role)), key, f"{key}_group")
    planes = draft.sizes.superspine_planes if role is Role.SUPERSPINE else 1
    return [
        fill(net.pod[i], net.unit[i], net.rail[i], net.plane[i], net.index[i], net.group[i] // planes)
        for i in net.role_start[role]
    ]


class _Filler:
    """A template, ready to be filled for many nodes."""

    ORDER = ("pod", "unit", "rail", "plane", "index", "group")

    def __init__(self, draft: Draft, template: str, index: str, group: str) -> None:
        width = draft.width
        widths = {**{k: width[k] for k in ("pod", "unit", "rail", "plane")}, "index": width[index]}
        widths["group"] = width.get(group, 1)
        fixed = {"site": draft.intent.site.site, "network": draft.name}

        def place(match: re.Match[str]) -> str:
            key = match[1]
            return fixed[key] if key in fixed else f"{{{self.ORDER.index(key)}:0{widths[key]}d}}"

        self.format = FIELD.sub(place, template).format

    def __call__(self, *numbers: int) -> str:
        # What does not apply to a node (the unit of a spine) is 0 in its name.
        return self.format(*(0 if number == NONE else number for number in numbers))


def _host_names(draft: Draft) -> list[str]:
    net, site = draft.net, draft.intent.site
    formats = {}
    for group in draft.sizes.groups:
        template = site.hosts[group.name].name or "{group}-{unit}-{index}"
        formats[group.name] = _Filler(draft, template.replace("{group}", group.name), "host", "host")
    groups, unit, index, pod = net.host_group, net.unit, net.index, net.pod
    return [
        formats[groups[i]](pod[i], unit[i], NONE, NONE, index[i], NONE) for i in net.role_start[Role.HOST]
    ]


def check_names(drafts: Mapping[str, Draft], report: Report) -> None:
    """Every name is unique in the site and a DNS label."""
    known: dict[str, tuple[str, str, int, int]] = {}
    for draft in drafts.values():
        net = draft.net
        for node, name in enumerate(net.names):
            role = Role(net.role[node])
            owner = net.host_group[node] if role is Role.HOST else f"{draft.name} {role.name.lower()}"
            who = (role.name, owner, net.unit[node], net.index[node])
            if role is not Role.HOST:
                who = (role.name, owner, node, 0)
            other = known.setdefault(name, who)
            at = _origin(draft, role, owner)
            if other != who:
                rule = f"the name {name!r} stands for {_describe(other)} and for {_describe(who)}"
                report.add(codes.NAME_TAKEN.at(at, rule, value=name, hint="add a number to the template"))
            elif not LABEL.match(name):
                rule = f"{name!r} is not a valid DNS label of at most 63 characters that starts with a letter"
                report.add(codes.NAME_INVALID.at(at, rule, value=name, hint="shorten or change the template"))


def _describe(who: tuple[str, str, int, int]) -> str:
    return f"{who[1]}, unit {who[2]}, position {who[3]}" if who[0] == "HOST" else who[1]


def _origin(draft: Draft, role: Role, owner: str) -> Origin:
    if role is Role.HOST:
        return Origin(("hosts", owner, "name"))
    if role is Role.ATTACHMENT:
        return Origin(("attachments",))
    return draft.at.child("tiers", role.name.lower(), "name")
