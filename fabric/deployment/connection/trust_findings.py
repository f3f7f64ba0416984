"""What is wrong with what devices show, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.deployment import codes
from fabric.deployment.connection.check_trust import Identity, State
from fabric.diagnostics import Diagnostic, Origin
from fabric.planning.codes import OTHER_IDENTITY
from fabric.platforms.trust import FILES


def trust_findings(found: Iterable[Identity]) -> tuple[Diagnostic, ...]:
    """A finding for each identity that is not the known one, and one for all endpoints that are silent alike."""
    found = tuple(found)
    changed = (_other(one) for one in found if one.state in (State.CHANGED, State.REFUSED))
    return (*changed, *_silent(one for one in found if one.state is State.SILENT))


def others(found: Iterable[Identity]) -> Iterator[str]:
    """In words, each identity that is another one than the known."""
    return (_other(one).rule for one in found if one.state in (State.CHANGED, State.REFUSED))


def _other(one: Identity) -> Diagnostic:
    shows = f"{one.device} shows the {one.kind} {one.shown} at {one.address}:{one.port}"
    problem = (
        f"which is not accepted by {one.by}: {one.reason}"
        if one.state is State.REFUSED
        else f"and {one.by} has another one"
    )
    origin = Origin(("devices", one.device), "inventory")
    return OTHER_IDENTITY.at(origin, f"{shows}, {problem}", hint=_hint(one), about=one.protocol)


def _hint(one: Identity) -> str:
    compare = "compare it with the console of the device"
    if one.file:
        return f"{compare}; if it is the device's, run `fabric trust --replace {one.device}`"
    if one.host_key and one.state is State.REFUSED:
        return (
            f"{compare}; if it is the device's, give the device a new host key: this one is known to be lost"
        )
    if one.by in FILES:
        file = "" if one.by == FILES[0] else f" -f {one.by}"
        return f"{compare}; if it is the device's, remove the old key with `ssh-keygen -R {one.host}{file}`"
    return f'{compare}; if it is the device\'s, write `proof: {{fingerprint: "{one.fingerprint}"}}` for it'


def _silent(found: Iterable[Identity]) -> Iterator[Diagnostic]:
    """Findings of one protocol and reason are one."""
    alike: dict[tuple[str, str], list[str]] = {}
    for one in found:
        alike.setdefault((one.protocol, one.reason), []).append(one.device)
    for (protocol, reason), devices in alike.items():
        is_one = len(devices) == 1
        origin = Origin(("devices", *devices[:is_one]), "inventory")
        who = f"{devices[0]} shows" if is_one else f"{len(devices):,} devices show"
        what = "certificate" if protocol == "https" else "host key"
        yield codes.NO_IDENTITY.at(
            origin,
            f"{who} no {what}: {reason}",
            hint=codes.NO_IDENTITY.fix,
            subjects=() if is_one else tuple(devices),
            about=f"{protocol} {reason}",
        )
