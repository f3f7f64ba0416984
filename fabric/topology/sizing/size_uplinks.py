"""How the switches of one tier reach the tier above: counts, links per pair, and the reasons given."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Spine, Superspine, Tier
from fabric.topology import codes
from fabric.topology.model import Sizing
from fabric.topology.sizing.search_smallest import Uplinks, uplink_choices
from fabric.topology.sizing.sizes import Upward
from fabric.units import counted

ABOVE = {"leaf": "spine", "spine": "superspine"}
PLURALS = {"leaf": "leaves", "spine": "spines"}


class UplinkRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The step from one tier to the next."""

    role: str
    """Of the lower tier."""
    tier: Tier
    above: Spine | Superspine
    at: Origin
    """Of the tier above."""
    needed: int
    """Uplinks that meet the ceiling of the lower tier."""
    most: int
    """Uplinks that the lower switch has ports for."""
    below: int
    """Lower switches that share a group of upper ones."""
    down: int
    """Downward ports of an upper switch."""
    why: str
    """What decides `down`, for people."""

    @property
    def links(self) -> int | None:
        """Links per pair as written."""
        return None if self.above.links_per_pair == "auto" else self.above.links_per_pair

    @property
    def count(self) -> int | None:
        """Upper switches of a group as written."""
        return None if self.above.count == "auto" else self.above.count

    @property
    def uplinks(self) -> int | None:
        """Uplinks as written."""
        return None if self.tier.up.ports == "auto" else self.tier.up.ports


REDUNDANT = 2
"""Spines that `auto` gives a leaf at least, where its uplinks allow."""


def size_uplinks(request: UplinkRequest, report: Report) -> tuple[Upward | None, Sizing | None]:
    """The uplinks as written, or else the fewest switches above that ports and ceiling allow."""
    counts = _candidates(request)
    choices = uplink_choices(counts, request.below, request.down, request.links)
    if request.count is not None:
        choices = [choice for choice in choices if choice.above == request.count]
    elif request.role == "leaf":  # one spine alone would cut off every leaf when it fails
        choices = [choice for choice in choices if choice.above >= REDUNDANT] or choices
    if not choices:
        _refuse(request, counts[0], report)
        return None, None
    best = choices[0]
    installed = best.above if request.above.installed is None else request.above.installed
    if installed > best.above:
        rule = f"{installed} are installed, the capacity is {best.above}"
        hint = f"set `count: {installed}`, and run `fabric resize` to see what moves"
        at = request.at.child("installed")
        report.add(codes.BEYOND_CAPACITY.at(at, rule, value=installed, hint=hint))
        return None, None
    upward = Upward(best.above, installed, best.uplinks, best.links_per_pair, request.above.order == "link")
    return upward, _sizing(request, choices)


def _candidates(request: UplinkRequest) -> list[int]:
    """Numbers of uplinks to try, the fewest first."""
    if request.uplinks is not None:
        return [request.uplinks]
    stride = (request.count or 1) * (request.links or 1)
    first = -(-max(request.needed, 1) // stride) * stride
    counts = list(range(first, request.most + 1, stride))
    if request.count is not None and counts:
        return counts[:1]
    # Fewer than needed may be all that fits: the ceiling is checked later, with the numbers in the message.
    return counts or [request.most // stride * stride or stride]


def _refuse(request: UplinkRequest, uplinks: int, report: Report) -> None:
    role, name, count, links = request.role, ABOVE[request.role], request.count, request.links
    each = links or (uplinks // count if count and uplinks % count == 0 else 1)
    if count and uplinks % count:
        rule = f"{counted(uplinks, 'uplink')} of a {role} cannot spread evenly over {count} {name}s"
        hint = f"make the uplinks a multiple of {count}, or set `count` to a divisor of {uplinks}"
        report.add(codes.UPLINKS_UNEVEN.at(request.at.child("count"), rule, value=count, hint=hint))
    elif (links and uplinks % links) or (count and links and count * links != uplinks):
        rule = f"{uplinks} uplinks of a {role} are not {links} links to each of {count or 'the'} {name}s"
        hint = f"set `links_per_pair` and `count` so that their product is {uplinks}"
        report.add(codes.UPLINKS_UNEVEN.at(request.at.child("links_per_pair"), rule, value=links, hint=hint))
    else:
        _refuse_ports(request, each, report)


def _refuse_ports(request: UplinkRequest, each: int, report: Report) -> None:
    name, lower = ABOVE[request.role], PLURALS[request.role]
    needed = request.below * each
    rule = f"{request.below} {lower} with {each} {'links' if each > 1 else 'link'} each need {needed} ports of a {name}"
    fit = f"{needed - request.down} are missing, {request.down // each} {lower} would fit"
    hint = f"{fit}: use more {name}s, a larger model, or a tier above"
    report.add(
        codes.PORTS_SHORT.at(
            request.at, f"{rule}, {request.why} gives {request.down}", value=needed, hint=hint
        )
    )


def _sizing(request: UplinkRequest, choices: Sequence[Uplinks]) -> Sizing | None:
    if request.count is not None and request.uplinks is not None:
        return None
    name, lower = ABOVE[request.role], PLURALS[request.role]
    text = [
        f"{c.above} {name}s, {counted(c.uplinks, 'uplink')} a {request.role}, {c.links_per_pair} a pair"
        for c in choices[:2]
    ]
    least = f", at least {REDUNDANT}" if request.role == "leaf" else ""
    reason = (
        f"the fewest {name}s{least} that give {request.below} {lower} even links within ports and ceiling"
    )
    return Sizing(f"{request.at}.count", text[0], text[1] if len(text) > 1 else None, reason)
