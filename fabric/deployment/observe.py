"""What the network runs: from the devices, from a folder of configurations, or from the journal."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from fabric.deployment.events import DeviceObserved, OnEvent, ignore
from fabric.deployment.executors import Job, each, threads
from fabric.deployment.hiding import hidden_from_logs
from fabric.deployment.secrets import Secrets, SecretSource, references
from fabric.deployment.sessions import Connection
from fabric.diagnostics import DeviceError
from fabric.planning import LastApplied, Observation
from fabric.planning.options import is_shared
from fabric.planning.ownership import Ownership, candidate
from fabric.planning.texts import MASK, digest, masked
from fabric.platforms.base import Artifact, Platform, Target
from fabric.platforms.registry import names as products
from fabric.platforms.registry import platform
from fabric.rendering import Card

LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""What a device may be called."""
SAVED_AS = frozenset({"", ".cfg", ".conf", ".txt"})
"""How files of saved configurations end, whatever the product."""
NAME = "{name}"
"""Stands for the device in a path."""
SESSION = "fabric-plan-"
"""Start of the name of the session that holds a candidate while it is compared."""


class Observations(dict[str, Observation]):
    """Observations by device, and why some devices have none."""

    def __init__(self) -> None:
        super().__init__()
        self.unreachable: dict[str, str] = {}
        self.others: tuple[str, ...] = ()
        """Devices with a saved configuration that nobody asked for: the site may have had them once."""

    def ordered(self, names: Iterable[str]) -> Observations:
        """The same in the order of `names`, whichever device answered first."""
        made = Observations()
        for name in names:
            if name in self:
                made[name] = self[name]
            elif name in self.unreachable:
                made.unreachable[name] = self.unreachable[name]
        return made


class ObserveOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What decides about the candidate that the devices compare; the same as in `PlanOptions`."""

    ownership: Ownership = "shared"
    last_applied: Mapping[str, LastApplied] | None = None
    source: SecretSource = msgspec.field(default_factory=SecretSource)


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
    found = Observations()
    secrets = options.source.resolve(references(artifacts[name].text for name in targets))
    jobs = _jobs(targets, artifacts, platform_of, options, secrets)
    with threads(executor) as pool, hidden_from_logs(secrets):
        for name, seen in each(pool, _observe, jobs):
            if isinstance(seen, DeviceError):
                found.unreachable[name] = str(seen).removeprefix(f"{name}: ")
            else:
                found[name] = seen
            on_event(
                DeviceObserved(device=name, reached=name in found, reason=found.unreachable.get(name, ""))
            )
    return found.ordered(targets)


def _jobs(
    targets: Mapping[str, Target],
    artifacts: Mapping[str, Artifact],
    platform_of: Callable[[str], str],
    options: ObserveOptions,
    secrets: Secrets,
) -> Iterator[Job]:
    shared = is_shared(options)
    for name, target in targets.items():
        known = (options.last_applied or {}).get(name)
        question = _Question(artifacts[name].text, known.text if known else None, shared)
        yield name, (target, platform_of(name), question, secrets)


class _Question(msgspec.Struct, frozen=True):
    """What a device is asked: what this artifact would change there."""

    artifact: str
    applied: str | None
    shared: bool


def _observe(target: Target, product: str, asked: _Question, secrets: Secrets) -> Observation:
    kind = platform(product)
    with Connection(target, kind, secrets) as device:
        running = device.running()
        seen = observation(kind, target.name, running)
        if seen.text:  # on a new host nothing runs yet
            seen = msgspec.structs.replace(seen, managers=device.subnet_managers())
        wanted = candidate(kind, asked.artifact, seen.text if asked.shared else "", asked.applied)
        if wanted.stuck.rows:  # it would lose what is not ours: the plan says so, and no device gets it
            return seen
        device.stage(secrets.fill(device.unmasked(wanted.text, running), kind), SESSION + token_hex(3))
        diff = device.diff()
    return msgspec.structs.replace(
        seen, device_diff=safe_diff(kind, diff, seen.text, masked(wanted.canonical))
    )


def observation(
    kind: Platform, name: str, running: str, source: Any = "device", when: datetime | None = None
) -> Observation:
    """A configuration as a device prints it, made canonical and masked."""
    text = masked(kind.canonical(running))
    return Observation(
        device=name, source=source, when=when or datetime.now(UTC), text=text, digest=digest(text)
    )


def safe_diff(kind: Platform, diff: str, running: str, wanted: str) -> str:
    """The device's diff without secrets: a line that stands in neither masked text is masked whole."""
    known = {line.strip() for text in (running, wanted) for line in text.splitlines()}
    return "\n".join(_safe_line(kind, line, known) for line in diff.splitlines())


def _safe_line(kind: Platform, line: str, known: set[str]) -> str:
    sign, rest = line[:1], line[1:].strip()
    if (
        not rest
        or rest in known
        or line.startswith(("@@ ", "--- ", "+++ "))
        or rest.strip(kind.comment) == ""
    ):
        return line
    alone = masked(kind.canonical(rest)).strip()
    return f"{sign}{alone if alone in known else MASK}"


def observe_folder(folder: Path, names: Iterable[str], card: Callable[[str], Card]) -> Observations:
    """Read backed-up configurations: `FOLDER/PATH` as an artifact is called, or `FOLDER/NAME` with any suffix.

    `PATH` may lack its first folder: `fabric compile` writes `configs/NAME/frr.conf`, and a copy of `configs` has
    `NAME/frr.conf`.

    A device without a file runs nothing as far as is known: all of its configuration is new. A file that is
    the artifact to the byte is not made canonical: nothing is to be compared.
    """
    found = Observations()
    backups, kinds = _Backups(folder), dict[str, Platform]()
    for name in names:
        known = card(name)
        kind = platform(known.platform)
        text, when = backups.of(name, kind)
        found[name] = _backup(text, when, kind, name, known)
        kinds[known.platform] = kind
    found.others = backups.others(kinds.values(), found)
    return found


def _backup(text: str | None, when: datetime | None, kind: Platform, name: str, known: Card) -> Observation:
    if text is None:
        return observation(kind, name, "", "nothing")
    same = digest(text)
    if same == known.digest:
        return Observation(
            device=name, source="folder", when=when or datetime.now(UTC), text="", digest=same, matches=True
        )
    return observation(kind, name, text, "folder", when)


class _Backups:
    """A folder of configurations, listed once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._named: dict[str, Path] | None = None
        self._is_flat = False

    def of(self, name: str, kind: Platform) -> tuple[str | None, datetime | None]:
        """The text of a device and its time: where a compile puts it, or any file called by its name."""
        usual = self._joined(name, kind, kind.paths(name))
        if usual[0] is not None:
            return usual
        copied = self._joined(name, kind, _below(kind.paths(name)))
        return copied if copied[0] is not None else self._called(name)

    def _joined(self, name: str, kind: Platform, places: Iterable[str]) -> tuple[str | None, datetime | None]:
        """The text of a device whose files are at these places, in the order of `Platform.paths`."""
        at = dict(zip(kind.paths(name), places, strict=True))
        text = kind.joined(name, lambda path: self._read(at[path]))
        return (None, None) if text is None else (text, self._when(at.values()))

    def _called(self, name: str) -> tuple[str | None, datetime | None]:
        """The text of the file that is called as the device, whatever its suffix."""
        if self._named is None:
            files = sorted((p for p in self._folder.iterdir() if p.is_file()), reverse=True)
            self._named = {path.stem if path.suffix else path.name: path for path in files}
        path = self._named.get(name)
        self._is_flat |= path is not None
        return (None, None) if path is None else (self._read(path.name), self._when([path.name]))

    def others(self, kinds: Collection[Platform], known: Container[str]) -> tuple[str, ...]:
        """Names of devices that have a file here and are not known.

        Where a compile puts one, of whatever product: the last device of a product may be what is gone. Else a folder
        with files of our products; or, if the folder is kept flat, any file called as a device may be, which ends as
        configurations do.
        """
        patterns = [path for one in products() for path in platform(one).paths(NAME)]
        own = [path for kind in kinds for path in kind.paths(NAME)]
        patterns += _below(own)
        found = {name for pattern in dict.fromkeys(patterns) for name in self._matching(pattern)}
        if self._is_flat:
            endings = SAVED_AS | {Path(path).suffix for path in own}
            found |= {name for name, path in (self._named or {}).items() if path.suffix in endings}
        return tuple(sorted(name for name in found if name not in known and LABEL.fullmatch(name)))

    def _matching(self, pattern: str) -> Iterator[str]:
        place = re.compile(re.escape(pattern).replace(re.escape(NAME), "([^/]+)"))
        for path in self._folder.glob(pattern.replace(NAME, "*")):
            if match := place.fullmatch(path.relative_to(self._folder).as_posix()):
                yield match[1]

    def _read(self, path: str) -> str | None:
        file = self._folder / path
        return file.read_bytes().decode("utf-8", errors="replace") if file.is_file() else None

    def _when(self, paths: Iterable[str]) -> datetime:
        """When the newest of the files was written."""
        files = (self._folder / path for path in paths)
        return datetime.fromtimestamp(max(f.stat().st_mtime for f in files if f.is_file()), UTC)


def _below(paths: Iterable[str]) -> tuple[str, ...]:
    """Where the files of a device are in a copy of the folder of all: `NAME/FILE` of `configs/NAME/FILE`."""
    below = ((path, path.partition("/")[2]) for path in paths)
    return tuple(rest if "/" in rest else path for path, rest in below)
