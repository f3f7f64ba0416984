"""What the network runs, as its devices say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from fabric.configuration import Unreadable
from fabric.deployment import moments
from fabric.deployment.change_names import PLAN, change_name, described
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.parallel_devices import Job, each
from fabric.deployment.connection.secrets import Secrets, SecretSource, references
from fabric.deployment.events import DeviceObserved, OnEvent, device_threads, ignore
from fabric.diagnostics import DeviceError, Diagnostic
from fabric.planning import LastApplied, Observation
from fabric.planning.device_diff import differing_secrets
from fabric.planning.options import is_shared, settled_after
from fabric.planning.ownership import Ownership, basis, candidate, packed
from fabric.planning.texts import MASK, digest, masked
from fabric.platforms.base import AnyPlatform, Artifact, Target
from fabric.platforms.registry import platform
from fabric.platforms.texts import HASH, hides_hashes, other_hashes
from fabric.rendering import Artifacts


class Observations(dict[str, Observation]):
    """Observations by device, and why some devices have none."""

    def __init__(self) -> None:
        super().__init__()
        self.unreachable: dict[str, str] = {}
        self.endings: tuple[Diagnostic, ...] = ()
        """What became of devices that a run has left to their timers."""
        self.others: tuple[str, ...] = ()
        """Devices with a saved configuration that nobody asked for: the site may have had them once."""
        self.last_applied: Mapping[str, LastApplied] | None = None
        """What was applied last when they were asked; None without a journal: nobody knows."""

    def ordered(self, names: Iterable[str]) -> Observations:
        """The same in the order of `names`, whichever device answered first."""
        observations = Observations()
        for name in names:
            if name in self:
                observations[name] = self[name]
            elif name in self.unreachable:
                observations.unreachable[name] = self.unreachable[name]
        return observations


class ObserveOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What decides about the candidate that the devices compare; the same as in `PlanOptions`."""

    ownership: Ownership = "shared"
    last_applied: Mapping[str, LastApplied] | None = None
    source: SecretSource = msgspec.field(default_factory=SecretSource)
    ignore_secrets: bool = True
    """A device whose text says what it should is not asked for its own diff, which might tell of secrets alone."""


def observe(
    targets: Mapping[str, Target],
    artifacts: Mapping[str, Artifact],
    platform_of: Callable[[str], str],
    *,
    options: ObserveOptions | None = None,
    executor: Executor | None = None,
    on_event: OnEvent = ignore,
) -> Observations:
    """Ask every target what it runs, and what its artifact would change there. Nothing is changed.

    The candidate is loaded on the device, compared by it, and dropped. Devices that do not answer are in
    `unreachable`. `Invalid` if secrets of the artifacts are missing.
    """
    options = options or ObserveOptions()
    observations = Observations()
    secrets = options.source.resolve(_references(artifacts, targets))
    asking = _Asking(targets, artifacts, platform_of, options, secrets)
    moved: list[str] = []
    with device_threads(executor, on_event) as pool, hidden_from_logs(secrets):
        for name, seen in chain(
            each(pool, _observe, asking.jobs(targets)),
            each(pool, _observe, asking.jobs(moved, is_settled=False)),  # known when the others have answered
        ):
            if seen is None:
                moved.append(name)
                continue
            if isinstance(seen, DeviceError):
                observations.unreachable[name] = str(seen).removeprefix(f"{name}: ")
            else:
                observations[name] = seen
            on_event(
                DeviceObserved(
                    device=name, reached=name in observations, reason=observations.unreachable.get(name, "")
                )
            )
    return observations.ordered(targets)


def _references(artifacts: Mapping[str, Artifact], names: Iterable[str]) -> set[str]:
    """The secrets of devices, of those that were printed before without their texts."""
    if isinstance(artifacts, Artifacts):
        return {reference for name in names for reference in artifacts.record(name).references}
    return references(artifacts[name].text for name in names)


class _Asking(NamedTuple):
    """What decides about the questions to devices."""

    targets: Mapping[str, Target]
    artifacts: Mapping[str, Artifact]
    platform_of: Callable[[str], str]
    options: ObserveOptions
    secrets: Secrets

    def jobs(self, names: Iterable[str], *, is_settled: bool = True) -> Iterator[Job]:
        """A question to each device, its text made when its turn comes.

        One that may be settled is asked without it, unless `is_settled` says that it is not.
        """
        for name in names:
            product, known = self.platform_of(name), (self.options.last_applied or {}).get(name)
            after = settled_after(known, self._digest(name), self.options) if known is not None else ""
            may_be = after and self.options.ignore_secrets and not platform(product).shows_secrets
            question = _Question(
                None if is_settled and may_be else self.artifacts[name].text,
                known.ours if known else None,
                after,
                is_shared(self.options),
                self.options.ignore_secrets,
                self._hashes(name),
            )
            yield name, (self.targets[name], product, question, self.secrets)

    def _digest(self, name: str) -> str:
        if isinstance(self.artifacts, Artifacts):
            return self.artifacts.record(name).digest
        return self.artifacts[name].digest

    def _hashes(self, name: str) -> tuple[str, ...]:
        if isinstance(self.artifacts, Artifacts):
            return self.artifacts.record(name).hashes
        return tuple(HASH.findall(self.artifacts[name].text))


class _Question(msgspec.Struct, frozen=True):
    """What a device is asked: what this artifact would change there."""

    artifact: str | None
    """None: it is asked only whether it runs what it ran after that."""
    applied: str | None
    settled: str
    """Digest of what the device ran after just this artifact was applied; empty if another was, or none."""
    shared: bool
    ignores_secrets: bool
    hashes: tuple[str, ...] = ()
    """Those of passwords in the artifact, one as often as it stands there."""

    @property
    def takes_for_ours(self) -> bool:
        """Whether a device that runs what we applied need not be asked: nothing but encoded secrets could differ."""
        return self.applied is not None and self.ignores_secrets


def _observe(target: Target, product: str, asked: _Question, secrets: Secrets) -> Observation | None:
    """What a device runs; None if that is something else than expected, and no text was given to compare it with."""
    kind = platform(product)
    with Connection(target, kind, secrets) as device:
        running = device.running()
        ours = asked.applied if asked.artifact is None else asked.artifact
        seen = observation(kind, target.name, running, ours=ours or "")
        if seen.text:  # on a new host nothing runs yet
            others = tuple(digest(known) for known in other_hashes(asked.hashes, running))
            seen = msgspec.structs.replace(
                seen,
                managers=device.subnet_managers(),
                other_hashes=others,
                hides_hashes=hides_hashes(asked.hashes, running),
            )
        if (waiting := device.pending()) is not None:
            # It compares nothing for us now: a diff that is empty would say that nothing differs.
            return msgspec.structs.replace(seen, waiting=described(waiting))
        if seen.digest == asked.settled and asked.ignores_secrets and not kind.shows_secrets:
            return msgspec.structs.replace(seen, device_diff="")
        if asked.artifact is None:
            return None
        planned = candidate(kind, asked.artifact, seen.text if asked.shared else "", asked.applied)
        if asked.shared:
            merged = packed(planned) if planned.kept else b""
            seen = msgspec.structs.replace(
                seen, merged_for=basis(asked.artifact, asked.applied), merged=merged
            )
        intended = kind.dialect().plain(planned.text, asked.artifact)
        wanted = masked(intended)
        pushed = secrets.fill(device.unmasked(planned.text, running), kind)
        if wanted == seen.text and asked.takes_for_ours and _has_secrets(kind, pushed, running):
            return msgspec.structs.replace(seen, device_diff="")
        device.drop_left_behind()
        # Else the device's own diff would show secrets as changed that it only encodes anew.
        device.stage(kind.dialect().with_encoded(pushed, running), change_name(PLAN))
        diff = device.last_diff()
    differ = differing_secrets(kind, seen, intended, running, pushed) if kind.shows_secrets else None
    return msgspec.structs.replace(
        seen, device_diff=safe_diff(kind, diff, seen.text, wanted), secrets_differ=differ
    )


def _has_secrets(kind: AnyPlatform, pushed: str, running: str) -> bool:
    """Whether a device has the secrets that a push would bring, as far as its text can tell."""
    return not kind.shows_secrets or kind.dialect().has_same_secrets(pushed, running)


def observation(
    kind: AnyPlatform,
    name: str,
    running: str,
    source: Any = "device",
    when: datetime | None = None,
    *,
    ours: str = "",
) -> Observation:
    """A configuration as a device prints it, in its plain form and masked. `DeviceError` if it is none.

    What stands in `ours`, a text of our own, is shown even in lines that nobody knows; the digest is without it, so
    that it is the same whatever shall run.
    """
    text, shown = map(masked, _plain_and_shown(kind, name, running, ours))
    return Observation(
        device=name, source=source, when=when or moments.now(), text=shown, digest=digest(text)
    )


def plain(kind: AnyPlatform, name: str, running: str) -> str:
    """The plain form of what a device runs, masked. `DeviceError` if it is not a configuration of the product."""
    return masked(_plain_and_shown(kind, name, running, "")[0])


def _plain_and_shown(kind: AnyPlatform, name: str, running: str, ours: str) -> tuple[str, str]:
    try:
        return kind.dialect().plain_and_shown(running, ours)
    except Unreadable as error:
        raise DeviceError(name, f"what it runs is not a configuration of {kind.title}: {error}") from None


SIGNS = "+- "
"""Before a line of a diff; a device that tells commands has none."""


def safe_diff(kind: AnyPlatform, diff: str, running: str, intended: str) -> str:
    """The device's diff without secrets: a line that stands in neither masked text is masked whole."""
    known = {*map(str.strip, running.splitlines()), *map(str.strip, intended.splitlines())}
    return "\n".join(_safe_line(kind, line, known) for line in diff.splitlines())


def _safe_line(kind: AnyPlatform, line: str, known: set[str]) -> str:
    sign = line[:1] if line[:1] in SIGNS else ""
    rest = line[len(sign) :].strip()
    if (
        not rest
        or rest in known
        or rest.removeprefix("no ") in known
        or line.startswith(("@@ ", "--- ", "+++ "))
        or not rest.strip("!#")
    ):
        return line
    alone = masked(kind.dialect().mask(rest)).strip()
    return f"{sign}{alone if alone in known else MASK}"
