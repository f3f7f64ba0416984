"""Whether a product supports what a switch needs: one table, held against its capabilities before it lowers anything.

A row is a `Need`: the flag it stands on, who wants it, where that is written, what it is called and what to do. One
code tells all of them. What no flag can say, a platform refuses in its own `refusals.py`, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin, Report, Unsupported
from fabric.platforms import codes
from fabric.platforms.base import Capabilities, DeviceT, ModelT, Platform, Reason
from fabric.platforms.needs.hosts import HOSTS
from fabric.platforms.needs.need import Need
from fabric.platforms.needs.queues import QUEUES
from fabric.platforms.needs.routing import KNOWN, ROUTING
from fabric.platforms.needs.services import SERVICES_WANTED

NEEDS: tuple[Need, ...] = (*KNOWN, *ROUTING, *HOSTS, *QUEUES, *SERVICES_WANTED)
"""In the order of the intent; `KNOWN` first, since the rest means nothing without it."""
UNEXPLAINED = Reason("")


def lowered(device: DeviceT, product: Platform[DeviceT, ModelT], report: Report) -> ModelT:
    """The device in its product's own shape. What it needs and the product does not support is reported first."""
    if isinstance(device, Switch):
        can = product.capabilities(device.release, device.hardware)
        report.extend(unmet(device, product.title, can))
    return product.lower(device, report)


def unmet(switch: Switch, title: str, can: Capabilities) -> Iterator[Diagnostic]:
    """A finding for each need of the switch that a product of this title and these capabilities does not meet."""
    known = [finding for need in KNOWN for finding in _findings(need, switch, title, can)]
    yield from known
    for need in () if known else NEEDS[len(KNOWN) :]:
        if _is_judged(need, can):
            yield from _findings(need, switch, title, can)


def unsupported(
    switch: Switch, title: str, origin: Origin, feature: str, fix: str, *, value: Any = None, about: str = ""
) -> Diagnostic:
    """The finding that a product does not support a feature. `about`: the flag, or what else tells it from others."""
    release = f" {switch.release}" if switch.release else ""
    return codes.UNSUPPORTED.at(
        origin,
        f"{title}{release} on {switch.hardware.model}: {feature}",
        value=value,
        hint=fix,
        subjects=(switch.name,),
        about=f"{title}: {about}",
        unsupported=Unsupported(
            product=title,
            release=switch.release,
            hardware=switch.hardware.model,
            capability=about if about in Capabilities.__struct_fields__ else "",
            feature=feature,
        ),
    )


def _findings(need: Need, switch: Switch, title: str, can: Capabilities) -> Iterator[Diagnostic]:
    flag = getattr(can, need.capability)
    if flag is True:
        return
    reason = can.reasons.get(need.capability, UNEXPLAINED)
    lacking = {
        need.origin(switch, subject): (subject, missing)
        for subject in need.wants(switch)
        if (missing := need.missing(flag, subject))
    }
    for origin, (subject, missing) in lacking.items():
        words = {
            "missing": _listed(missing),
            "have": _listed(flag),
            "wanted": subject,
            "switch": switch,
            "place": origin,
            "source": can.sources.get(need.capability, "no source shows it").removeprefix("refused: "),
        }
        feature = (reason.feature or need.feature).format_map(words)
        fix = (reason.fix or need.fix).format_map(words)
        value = missing if isinstance(missing, int | str) and missing is not True else None
        yield unsupported(switch, title, origin, feature, fix, value=value, about=need.capability)


def _listed(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "none"
    return str(value) if isinstance(value, Iterable | int) else ""


def _is_judged(need: Need, can: Capabilities) -> bool:
    """Whether the need is not a part of another one that is refused, met in another way, or met by another tool."""
    if need.given and not getattr(can, need.given):
        return False
    return need.service not in can.outside and not (need.instead and getattr(can, need.instead))
