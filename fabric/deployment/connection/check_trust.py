"""What each device shows to prove who it is, against what is known of it. Nobody logs in, no secret is asked for."""

from __future__ import annotations

import enum
import ssl
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.connection.probe_identity import HostKey, NoIdentity, certificate, host_key
from fabric.deployment.connection.recorded_trust import (
    CERTIFICATES,
    KNOWN_HOSTS,
    record_certificates,
    record_host_keys,
)
from fabric.platforms.base import Endpoint, Target
from fabric.platforms.https.tls import fingerprint, tls_context
from fabric.platforms.trust import FILES, Known, Trust, host_name, known_keys, revoked_by

ANSWER_WITHIN_S = 15
"""Of a connection and its handshake."""


class State(enum.StrEnum):
    """What is to be thought of an identity; the stored value is the printed word."""

    KNOWN = "known"
    """It is what was known."""
    NEW = "new"
    """Nothing was known: compare it with the console, then record it."""
    CHANGED = "CHANGED"
    """Another one is known: the device was replaced, or somebody else answers."""
    REFUSED = "REFUSED"
    """The inventory names authorities, and none of them has signed it for this name."""
    SILENT = "no answer"
    """Nobody answers there, or not as the product does."""


WRONG = (State.CHANGED, State.REFUSED, State.SILENT)
"""Nothing is sent to such a device."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What was shown at one endpoint of a device."""

    device: str
    protocol: str
    address: str
    port: int
    kind: str = ""
    """`certificate`, or the kind of an SSH host key."""
    shown: str = ""
    """The fingerprint as consoles print it."""
    fingerprint: str = ""
    """As the inventory writes it: `sha256:` and 64 hexadecimal digits."""
    state: State
    by: str = ""
    """What it is known by, or what contradicts it."""
    reason: str = ""
    """Of no answer or a refusal."""
    host_key: str = ""
    """As `known_hosts` has it."""
    file: str = ""
    """Where it can be recorded; empty: the inventory or the user's own file decides."""

    @property
    def host(self) -> str:
        """As `known_hosts` writes who it is."""
        return host_name(self.address, self.port)


def identities(
    ways: Mapping[str, Target],
    endpoints_of: Callable[[str], tuple[Endpoint, ...]],
    folder: Path,
    executor: Executor,
    timeout_s: float = ANSWER_WITHIN_S,
) -> tuple[Identity, ...]:
    """What devices show at each endpoint of their drivers, in the order of the devices. Nothing is written.

    `folder`: of the site.
    """
    jobs = ((name, (way, endpoints_of(name), folder, timeout_s)) for name, way in ways.items())
    found: dict[str, tuple[Identity, ...]] = {}
    for name, result in each(executor, look_at, jobs):
        if isinstance(result, Exception):
            raise result
        found[name] = result
    return tuple(one for name in ways for one in found[name])


def record(
    found: Iterable[Identity], folder: Path, *, new: bool, replaced: Iterable[str]
) -> tuple[Identity, ...]:
    """Write down what is new, if that is wanted, and what has changed of the devices that are named.

    Returns what was written. `OSError` if a file cannot be.
    """
    names = frozenset(replaced)
    wanted = tuple(
        one
        for one in found
        if one.file
        and ((new and one.state is State.NEW) or (one.state is State.CHANGED and one.device in names))
    )
    record_certificates(folder, {one.device: one.fingerprint for one in wanted if not one.host_key})
    for file in dict.fromkeys(one.file for one in wanted if one.host_key):
        keys = {one.host: one.host_key for one in wanted if one.file == file}
        record_host_keys(Path(file), keys)
    return wanted


def look_at(
    way: Target, endpoints: tuple[Endpoint, ...], folder: Path, timeout_s: float
) -> tuple[Identity, ...]:
    """What one device shows at each endpoint of its driver."""
    found = []
    for i, endpoint in enumerate(endpoints):
        usual = way.port if i == 0 else None
        port = way.ports.get(endpoint.protocol) or usual or endpoint.port
        blank = Identity(
            device=way.name, protocol=endpoint.protocol, address=way.address, port=port, state=State.SILENT
        )
        look = _certificate if endpoint.protocol == "https" else _host_key
        try:
            found.append(look(blank, way.trust, endpoint, folder, timeout_s))
        except (NoIdentity, OSError) as error:
            found.append(msgspec.structs.replace(blank, reason=str(error)))
    return tuple(found)


def _certificate(
    blank: Identity, trust: Trust, _endpoint: Endpoint, folder: Path, timeout_s: float
) -> Identity:
    """A certificate: a pin alone decides; else authorities do, as in a driver."""
    at, name = (blank.address, blank.port), trust.server_name or blank.address

    def judged(der: bytes, state: State, by: str, reason: str = "", file: str = "") -> Identity:
        pin = fingerprint(der)
        facts = {"kind": "certificate", "shown": pin, "fingerprint": pin, "state": state}
        return msgspec.structs.replace(blank, **facts, by=by, reason=reason, file=file)

    def unchecked() -> bytes:
        # The context of a pin accepts any certificate: who gets it compares.
        return certificate(*at, tls_context(Trust(fingerprint="sha256:")), name, timeout_s)

    if trust.certificate_pin:
        der = unchecked()
        by, file = ("inventory", "") if trust.fingerprint else (CERTIFICATES, str(folder / CERTIFICATES))
        return judged(der, _same(fingerprint(der) == trust.certificate_pin), by, file=file)
    named = bool(trust.ca_file or trust.server_name)
    authorities = _named(trust.ca_file, folder) or "the system's authorities"
    try:
        return judged(certificate(*at, tls_context(trust), name, timeout_s), State.KNOWN, authorities)
    except ssl.SSLCertVerificationError as error:
        if named:
            return judged(unchecked(), State.REFUSED, authorities, error.verify_message)
        return judged(unchecked(), State.NEW, "", file=str(folder / CERTIFICATES))


def _host_key(blank: Identity, trust: Trust, endpoint: Endpoint, folder: Path, timeout_s: float) -> Identity:
    """An SSH host key: a fingerprint alone decides where the driver takes one; else the files with known keys."""
    file = trust.known_hosts or str(folder.absolute() / KNOWN_HOSTS)
    written = file if Path(file).exists() else ""
    known = known_keys(blank.host, written)
    shown = host_key(blank.address, blank.port, list(known), timeout_s)
    pin = fingerprint(shown.blob)
    by = _known_by(known, shown, folder)
    if endpoint.takes_fingerprint and trust.fingerprint:
        state, by, file = _same(pin == trust.fingerprint.lower()), "inventory", ""
    elif revoking := revoked_by(blank.host, shown.blob, written):
        revoked = msgspec.structs.replace(blank, reason="it is marked @revoked there")
        return _with_key(revoked, shown, pin, State.REFUSED, _named(revoking, folder), "")
    elif not known:
        state = State.NEW
    else:
        # A key of another kind than those that are known is as strange as another one of the same kind.
        state = _same(shown.kind in known and known[shown.kind].blob == shown.blob)
        file = "" if by in FILES else file
    return _with_key(blank, shown, pin, state, by, file)


def _known_by(known: Mapping[str, Known], shown: HostKey, folder: Path) -> str:
    """The file that knows a key of this kind, else one of any."""
    files = [known[shown.kind].file] if shown.kind in known else [key.file for key in known.values()]
    return _named(files[0], folder) if files else ""


def _with_key(blank: Identity, key: HostKey, pin: str, state: State, by: str, file: str) -> Identity:
    shown = {"kind": key.kind, "shown": key.shown, "fingerprint": pin, "host_key": key.line}
    return msgspec.structs.replace(blank, **shown, state=state, by=by, file=file)


def _same(same: bool) -> State:  # noqa: FBT001  # what is to be said of it
    return State.KNOWN if same else State.CHANGED


def _named(file: str, folder: Path) -> str:
    """A file as people call it: those of the site by their path there."""
    path = Path(file)
    return str(path.relative_to(folder.absolute())) if path.is_relative_to(folder.absolute()) else file
