"""What a plan tells beside its changes: the diagnostics of this package, one for each tier and kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from fabric.configuration import Comparison
from fabric.devices.model import Device
from fabric.diagnostics import Code, Origin, Report, Severity, alike, shared_reason
from fabric.planning import codes
from fabric.planning.both_ends.coupled import Coupled
from fabric.planning.both_ends.coupling import SESSION_KEY
from fabric.planning.both_ends.new_sessions import NewSession
from fabric.planning.both_ends.phases import Phase
from fabric.planning.model import Action, Coupling, DevicePlan, Impact, Observation
from fabric.planning.options import PlanOptions
from fabric.platforms.registry import platform
from fabric.units import counted

NOT_PROVEN = re.compile(r"certificate|host.?key|known_hosts|fingerprint", re.IGNORECASE)
"""In the reason why a device was not observed: it has not shown that it is the device, and no login was tried."""
TRUST = (
    "`fabric trust` compares what each device shows with what is known of it; somebody else may answer there"
)
MOST_NAMED = 4
"""Devices that a command names."""
ANOTHER_ONE = re.compile(r"shows the .* at .*(?:, and .* has another one|, which is not accepted by )")
"""It has shown a certificate or host key that is not the one which is known: somebody else may answer there."""
NOT_PLAYED = re.compile(r"^the (sandbox|lab) does not play ")
BY_THE_LAB = (
    "plan the others with `--skip-unreachable`; `fabric lab up` plays every Ethernet switch, whatever its product, "
    "for `fabric plan --lab`"
)
BY_NOBODY = "plan the others with `--skip-unreachable`"
NOT_IN_ITS_TIME = re.compile(r"certificate (is not yet valid|has expired)", re.IGNORECASE)
CLOCK = (
    "Look at the clock of this machine first (`date -u`): certificates are judged by it. If it is right, the device "
    "needs a new certificate; `fabric trust` shows the one that it has."
)
NOT_LET_IN = re.compile(r"the login as .* is refused")
"""It answers, and does not accept the user, or the password or key."""
CREDENTIALS = "Correct the credentials in the inventory, or what they refer to, and plan again."
IN_USE = re.compile(r"sessions? (are|is) open|\block|nobody has committed", re.IGNORECASE)
"""It answers, and somebody else is about to change it."""
OWNERS = (
    "Let who is named there end it on the device, by a commit or without one, and plan again; or leave the device for "
    "later with `--skip-unreachable`."
)


class Changed(NamedTuple):
    """A device that changes."""

    device: DevicePlan
    origin: Origin
    is_invented: bool
    """Its GUIDs are."""


def add(report: Report, changed: Iterable[Changed], options: PlanOptions) -> None:
    """Findings about the devices that change, after those about what runs."""
    report.extend(options.found)
    for device, origin, is_invented in changed:
        for code, impact in ((codes.LOCKOUT, Impact.LOCKOUT), (codes.ISOLATING, Impact.ISOLATING)):
            for change in device.changes:
                if change.impact is impact:
                    _one(report, code, origin, device.device, f"{change.what}: {change.reason}")
        if device.action is Action.ADOPT and not options.adopt:
            _one(report, codes.ADOPT, origin, device.device, "never applied before")
        if is_invented:
            _one(report, codes.INVENTED, origin, device.device, "GUIDs are invented: good for a design only")


def add_new(report: Report, device: DevicePlan, origin: Origin) -> None:
    """A device of which no saved configuration is there."""
    known = device.action is Action.UPDATE
    rule = "applied before, and no saved configuration of it" if known else "no saved configuration"
    text = f"{rule}: planned as an empty switch"
    _one(report, codes.NO_BACKUP, origin, device.device, text, about="applied" if known else "")


def add_waiting(report: Report, seen: Iterable[Observation], switches: Mapping[str, Device]) -> None:
    """Devices on which a commit waits, and what is known of it."""
    for one in seen:
        if one.waiting:
            _one(report, codes.WAITING, switches[one.device].origin, one.device, one.waiting)


def add_kept_hashes(report: Report, devices: Iterable[str], switches: Mapping[str, Device]) -> None:
    """Devices that keep another hash of a password than the intent has."""
    for name in devices:
        rule = "a password has another hash in the intent than on the device, which keeps its own"
        _one(report, codes.KEPT_HASH, switches[name].origin, name, rule)


def add_removed(report: Report, names: Iterable[str]) -> None:
    """Devices that somebody knows of, and the site does not."""
    for name in names:
        _one(report, codes.REMOVED, Origin(), name, "in the site no longer: what they run stays")


def add_foreign(
    report: Report, devices: Iterable[tuple[DevicePlan, Origin]], switches: Mapping[str, Device]
) -> None:
    """Lines of others, whether anything else changes there or not, and files that no plan can speak of.

    Devices with their origins, which are empty where nobody has looked at the switch yet.
    """
    for device, known in devices:
        names = [part.name for part in platform(device.platform).parts if part.by_hand]
        if not device.kept_lines and not names:
            continue
        origin = known if known.path else switches[device.device].origin
        if device.kept_lines:
            _one(report, codes.KEPT, origin, device.device, "lines that are not ours are kept")
        if names:
            text = f"not compared and not written: {', '.join(names)}"
            _one(report, codes.BY_HAND, origin, device.device, text)


def add_overriding(report: Report, switch: Device, lines: Iterable[str]) -> None:
    """Lines of others that stand in what is ours."""
    for line in lines:
        _one(report, codes.OVERRIDING, switch.origin, switch.name, line)


def add_other_devices(
    report: Report, called: Iterable[tuple[str, str]], switches: Mapping[str, Device]
) -> None:
    """Devices that run the hostname of another one of the site; each with that."""
    for name, hostname in called:
        other = hostname.partition(".")[0]
        if other != name and other in switches:
            rule = f"what answers as {name} calls itself {other}, which is another device of the site"
            _one(report, codes.OTHER_DEVICE, switches[name].origin, name, rule)


def add_no_journal(report: Report) -> None:
    """Once for a plan that removes lines: nobody knows whose they are."""
    rule = "no journal: lines that others wrote are shown as removed"
    report.add(codes.NO_JOURNAL.at(Origin(), rule, hint=codes.NO_JOURNAL.fix))


def add_unconverted(report: Report, switch: Device, comparison: Comparison) -> None:
    """The device says that nothing changes, and the texts say otherwise."""
    if comparison.changes:
        keys = ", ".join(change.what for change in comparison.changes[:3])
        _one(report, codes.UNCONVERTED, switch.origin, switch.name, f"written differently: {keys}")


def add_device_diff(report: Report, switch: Device) -> None:
    """The device says that something changes, and the masked texts are equal."""
    _one(report, codes.DEVICE_DIFF, switch.origin, switch.name, "only the device's own diff shows a change")


def add_unobserved(
    report: Report, missing: Iterable[str], switches: Mapping[str, Device], options: PlanOptions
) -> None:
    """Switches of the intent of which nothing is known now, but for those that nobody asked for."""
    severity = Severity.WARNING if options.skip_unreachable else Severity.ERROR
    silent: dict[str, dict[str, str]] = {}
    for name in missing:
        if options.only and name not in options.only:
            continue
        product = platform(switches[name].platform)
        if product.undriven is not None and options.mode == "online":
            rule = f"{product.title} is planned offline only: {product.undriven.feature}"
            place, hint = switches[name].origin, product.undriven.fix or codes.UNDRIVEN.fix
            report.add(
                codes.UNDRIVEN.at(
                    place, rule, value=product.name, hint=hint, severity=severity, subjects=(name,)
                )
            )
            continue
        reason = options.unreachable.get(name, "no observation")
        silent.setdefault(alike(name, reason), {})[name] = reason
    for reasons in silent.values():
        origin, reason = Origin(("devices", next(iter(reasons))), "inventory"), shared_reason(reasons)
        code, hint = codes.UNOBSERVED, _way_in(reason)
        if is_another(reason):
            code, hint = codes.OTHER_IDENTITY, compare_first(tuple(reasons))
        report.add(code.at(origin, reason, hint=hint, severity=severity, subjects=tuple(reasons)))


def is_another(reason: str) -> bool:
    """Whether a device was not let near a password, since it shows another key or certificate than the known one."""
    return ANOTHER_ONE.search(reason) is not None and NOT_IN_ITS_TIME.search(reason) is None


def compare_first(devices: Sequence[str]) -> str:
    """What to do before anything else where devices show others than the known ones."""
    named = " --replace ".join(devices[:MOST_NAMED])
    more = "" if len(devices) <= MOST_NAMED else f", likewise for the {len(devices) - MOST_NAMED} others"
    return (
        "Stop: somebody else may answer there. Compare what is shown with the console of the device. If it is the "
        f"device's, `fabric trust --replace {named}` records it{more}, or says what to change by hand where the "
        "inventory or your own files decide."
    )


def not_played(stand_ins: str, product: str) -> str:
    """Why a device was not observed that a sandbox or a lab would have to play."""
    return f"the {stand_ins} does not play {platform(product).title}"


def _way_in(reason: str) -> str:
    """What lets a device be observed: it may answer, and be the wrong one or refuse us."""
    if NOT_PLAYED.search(reason):
        return BY_THE_LAB if reason.startswith("the sandbox") else BY_NOBODY
    if NOT_LET_IN.search(reason):
        return CREDENTIALS
    if IN_USE.search(reason):
        return OWNERS
    if NOT_IN_ITS_TIME.search(reason):
        return CLOCK
    return TRUST if NOT_PROVEN.search(reason) else codes.UNOBSERVED.fix


def add_coupled(
    report: Report, together: Coupled, switches: Mapping[str, Device], only: Collection[str]
) -> None:
    """What must change at both ends of links: errors where it cannot, and which devices wait for a later phase.

    Hosts and attachments that must follow are warnings. `only`: what was asked for.
    """
    if kept := [link for link in together.refused if _is_kept(link, together)]:
        _add_kept(report, kept, together, switches)
    else:
        _add_couplings(report, together.refused, switches, only)
    for end in together.hosts:
        whom = "storage and routers" if end.is_attachment else "hosts"
        rule = f"{end.what} changes towards {whom}, first {end.host} on {end.device} {end.port}"
        about = f"{end.what} of {whom}"
        _one(report, codes.HOST_END, switches[end.device].origin, end.host, rule, about=about)
    _add_later(report, together.phase, switches)


def add_unlike(report: Report, sessions: Iterable[NewSession], switches: Mapping[str, Device]) -> None:
    """Sessions of switches that get the password of today, with those that keep an older one."""
    for session in sessions:
        title = platform(switches[session.keeping].platform).title
        rule = (
            f"the BGP password has changed, and {title} keeps the one that it encoded: sessions with it stay down"
            if session.is_known
            else f"{title} keeps the BGP password that it encoded: if it has changed since, sessions with it stay down"
        )
        origin = switches[session.getting].origin
        _one(report, codes.UNLIKE_PASSWORDS, origin, f"{session.getting} - {session.keeping}", rule)


def _is_kept(link: Coupling, together: Coupled) -> bool:
    return link.what == SESSION_KEY and any(name in together.keeping for name in _devices(link))


def _devices(link: Coupling) -> list[str]:
    return [end.partition(" ")[0] for end in link.ends]


def _add_kept(
    report: Report, links: Iterable[Coupling], together: Coupled, switches: Mapping[str, Device]
) -> None:
    """Sessions whose password has changed as one end shows, and whose other end keeps it: once for two products."""
    between: dict[str, list[Coupling]] = {}
    for link in links:
        showing, keeping = sorted(_devices(link), key=together.keeping.__contains__)
        titles = [platform(switches[name].platform).title for name in (showing, keeping)]
        rule = f"{titles[0]} shows that the BGP password has changed, and {titles[1]} keeps the one that it encoded"
        between.setdefault(rule, []).append(link)
    for rule, several in between.items():
        ends = tuple(" - ".join(link.ends) for link in several)
        origin = switches[_devices(several[0])[0]].origin
        report.add(codes.KEPT_PASSWORD.at(origin, rule, hint=codes.KEPT_PASSWORD.fix, subjects=ends))


def _add_couplings(
    report: Report, links: Iterable[Coupling], switches: Mapping[str, Device], only: Collection[str]
) -> None:
    for link in links:
        devices = _devices(link)
        rule = f"{link.what}: {link.ends[0]} and {link.ends[1]}: {link.reason}"
        left = [name for name in devices if only and name not in only]
        code, hint = (
            (codes.TARGETS_APART, f"add `--target {left[0]}`") if left else (codes.COUPLED, codes.COUPLED.fix)
        )
        origin = switches[devices[0]].origin
        report.add(code.at(origin, rule, hint=hint, subjects=(" - ".join(link.ends),)))


def _add_later(report: Report, phase: Phase, switches: Mapping[str, Device]) -> None:
    """Devices that do not get all of their change by this plan."""
    left = f"{counted(phase.left, 'more phase')} at most" if phase.left else "a plan after this one"
    for name in phase.held:
        _one(
            report,
            codes.LATER,
            switches[name].origin,
            name,
            f"changes in a later phase: {left}",
            about="held",
        )
    for name in sorted(phase.texts):
        rule = f"only some of its change now, the rest in a later phase: {left}"
        _one(report, codes.LATER, switches[name].origin, name, rule, about="partial")


def _one(report: Report, code: Code, origin: Origin, subject: str, rule: str, *, about: str = "") -> None:
    report.add(code.at(origin, rule, hint=code.fix, subjects=(subject,), about=about))
