"""Findings about the routes of every Ethernet network of a site."""

from __future__ import annotations

from collections import Counter

from fabric.analysis import codes
from fabric.analysis.routes.build_speakers import Built, build
from fabric.analysis.routes.cable_reach import cables
from fabric.analysis.routes.check_advertised import check_advertised
from fabric.analysis.routes.check_attachments import check_unattached
from fabric.analysis.routes.check_max_paths import narrow
from fabric.analysis.routes.check_max_prefixes import check_limit
from fabric.analysis.routes.check_prefixes import check_prefixes
from fabric.analysis.routes.compare_routes import Cause, Difference, cause, missing, narrowed, unwanted
from fabric.analysis.routes.evaluate import Routes, evaluate, lowest
from fabric.analysis.routes.expected_routes import shortest_routes
from fabric.analysis.routes.originated_prefixes import from_outside
from fabric.analysis.routes.separated_devices import check_drains, check_separated
from fabric.analysis.routes.switch_classes import neighbors
from fabric.devices.context import NetworkContext
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Code, Diagnostic, Origin, Report
from fabric.intent.codes import FAMILY
from fabric.topology.roles import Role


def check_routes(devices: Devices) -> tuple[Diagnostic, ...]:
    """Which device cannot reach which, why, and the fix; which has fewer equal paths than the cabling offers."""
    report = Report()
    for context in devices.contexts:
        if len(context.topology.switches):
            check_separated(context, report)
            check_drains(context, report)
            if len(context.topology.role_start[Role.ATTACHMENT]):
                check_unattached(context, cables(context), report)
            if _check_carried(context, report):
                continue
            built = build(context, devices)
            check_prefixes(built, report)
            check_advertised(built, report)
            _check_sessions(built, report)
            for family in built.speakers.sessions:
                _check_family(built, family, report)
    return tuple(report)


def _check_carried(context: NetworkContext, report: Report) -> bool:
    """Whether hosts have addresses of a family that no session between switches carries; a finding if so."""
    addressing = context.network.addressing
    carried = {"ipv4": (4,), "ipv6": (6,)}.get(addressing.family, (4, 6))
    missing = [family for family in addressing.host_families if family not in carried]
    if not missing or not any(neighbors(context)):
        return False
    rule = f"hosts have IPv{missing[0]} addresses, and sessions between switches carry IPv{carried[0]} alone"
    hint = f"write `family: dual`, or `host_family: {addressing.family}`"
    place = context.origin.child("addressing", "host_family")
    report.add(FAMILY.at(place, rule, value=addressing.host_family, hint=hint))
    return True


def _check_sessions(built: Built, report: Report) -> None:
    """One finding for all sessions that do not come up."""
    seen = {(min(m.node, m.peer), max(m.node, m.peer)): m for m in built.mismatches}
    if seen:
        names = built.speakers.names
        (node, other), first = next(iter(seen.items()))
        more = f", likewise {len(seen) - 1} more" if len(seen) > 1 else ""
        rule = f"the session of {names[node]} and {names[other]} does not come up: {first.reason}{more}"
        report.add(
            codes.SESSION_DOWN.at(built.context.origin.child("routing"), rule, hint=codes.SESSION_DOWN.fix)
        )


def _check_family(built: Built, family: int, report: Report) -> None:
    speakers = built.speakers
    routes = evaluate(speakers, family)
    check_limit(built, family, routes, report)
    for part in narrow(speakers, routes):
        _few_paths(built, part.node, _named(built, part.origin), part.paths, report)
    for node, example in zip(built.example_nodes, built.examples, strict=True):
        sessions = Counter(prefix for _, _, prefix in from_outside(example) if prefix.version == family)
        for prefix, count in sessions.most_common(1):
            if count > speakers.max_paths[node]:
                _few_paths(built, node, f"{prefix} outside", count, report)
    if not (routes.drops or built.unusual or any(routes.sessions.internal)):
        return  # nothing was lost on the way: the routes are those of the cabling
    wish = shortest_routes(speakers, built.links, family)
    for code, losses in (
        (codes.NO_ROUTE, missing(built, routes, wish)),
        (codes.FEWER_PATHS, narrowed(routes, wish)),
        (codes.UNWANTED_ROUTE, unwanted(routes, wish)),
    ):
        _report(built, code, tuple(losses), (routes, wish), report)


def _report(
    built: Built,
    code: Code,
    differences: tuple[Difference, ...],
    outcome: tuple[Routes, Routes],
    report: Report,
) -> None:
    """One finding for each place in the intent that is to blame, with one pair as the example."""
    seen: dict[int, Cause] = {}
    blamed: dict[Origin, list[tuple[Difference, Cause]]] = {}
    for entry in differences:
        kind = built.kind[entry.node]
        if kind not in seen:
            seen[kind] = _blame(built, code, entry, outcome)
        blamed.setdefault(_place(built, seen[kind]), []).append((entry, seen[kind]))
    for place, entries in blamed.items():
        first, why = entries[0]
        pairs = sum(entry.origins.bit_count() for entry, _ in entries)
        rule = f"{_example(built, code, first, outcome)}{_more(pairs)}: {_reason(built, why)}"
        hint = code.fix if code is codes.UNWANTED_ROUTE else _hint(place)
        report.add(code.at(place, rule, value=_value(built, place), hint=hint))


def _blame(built: Built, code: Code, difference: Difference, outcome: tuple[Routes, Routes]) -> Cause:
    if code is codes.NO_ROUTE:
        return cause(built, *outcome, difference.node, lowest(difference.origins))
    routes, bit = outcome[0], 1 << lowest(difference.origins)
    for drop in routes.drops:
        if drop.receiver == difference.node and drop.origins & bit:
            return Cause("loop", drop.sender, drop.receiver)
    route = routes.best(difference.node, lowest(difference.origins))
    sender = next(iter(route.next_hops), difference.node) if route else difference.node
    mismatch = built.mismatches[0] if built.mismatches else None
    return Cause("session" if mismatch else "policy", sender, difference.node, mismatch)


def _example(built: Built, code: Code, difference: Difference, outcome: tuple[Routes, Routes]) -> str:
    name, origin = built.speakers.names[difference.node], lowest(difference.origins)
    target = _named(built, origin)
    if code is codes.NO_ROUTE:
        return f"{name} has no route to {target}"
    if code is codes.UNWANTED_ROUTE:
        return f"{name} has a route to {target}"
    width, wide = (
        route.width if (route := routes.best(difference.node, origin)) else 0 for routes in outcome
    )
    return f"{name} reaches {target} over {width} of {wide} equal paths"


def _named(built: Built, origin: int) -> str:
    speakers = built.speakers
    if origin < speakers.count:
        return speakers.names[origin]
    entries = [entry for family in speakers.common.values() for entry in family]
    entry = entries[min(origin - speakers.count, len(entries) - 1)]
    return f"{entry.prefix} of {entry.outside or speakers.names[entry.nodes[0]]}"


def _more(pairs: int) -> str:
    return f" ({pairs} such pairs)" if pairs > 1 else ""


def _reason(built: Built, why: Cause) -> str:
    speakers = built.speakers
    here, there = speakers.names[why.receiver], speakers.names[why.sender]
    number = speakers.asn[why.receiver]
    if why.kind == "loop":
        return f"{here} drops what {there} advertises, since its own AS {number} is in the path"
    if why.kind == "internal":
        return f"{here} and {there} both have AS {number}, so their session is iBGP and passes nothing on"
    if why.mismatch is not None:
        return f"the session of {here} and {there} does not come up: {why.mismatch.reason}"
    return f"the policies between {there} and {here} do so"


def _place(built: Built, why: Cause) -> Origin:
    """The override that gave one of the two switches its AS number, or the policy of AS numbers."""
    overrides = built.context.overrides
    for node in (why.receiver, why.sender):
        for number, override in reversed(overrides.get(built.speakers.names[node], ())):
            if override.asn is not None:
                return Origin(("overrides", number, "asn"))
    return built.context.origin.child("addressing", "asn")


def _value(built: Built, place: Origin) -> int | None:
    if place.path[0] == "overrides" and isinstance(place.path[1], int):
        return built.context.intent.site.overrides[place.path[1]].asn
    return None


def _hint(place: Origin) -> str:
    if place.path[0] == "overrides":
        return "take the override of `asn` out: every switch then has a number of its role"
    return "write `asn: {policy: unique}`"


def _few_paths(built: Built, node: int, target: str, paths: int, report: Report) -> None:
    speakers = built.speakers
    name, most = speakers.names[node], speakers.max_paths[node]
    place = built.examples[built.kind[node]].max_paths_origin
    is_chosen = place.path[0] == "overrides" or built.context.network.routing.max_paths == "auto"
    rule = f"{name} has {paths} equal paths to {target} and uses {most}"
    hint = f"write {paths} or more" if is_chosen else f"write `auto`, or {paths} or more"
    report.add(codes.FEWER_PATHS.at(place, rule, value=most, hint=hint))
