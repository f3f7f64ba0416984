"""What the network runs, as a folder of saved configurations says."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from fabric.deployment.observing.check_backups import Backup, flaws
from fabric.deployment.observing.observe_devices import Observations, observation
from fabric.diagnostics import Diagnostic, Report
from fabric.planning import Observation
from fabric.planning.texts import digest
from fabric.platforms.base import AnyPlatform, Artifact
from fabric.platforms.registry import names as products
from fabric.platforms.registry import platform
from fabric.rendering import RenderRecord
from fabric.workers import each

LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""What a device may be called."""
SAVED_AS = frozenset({"", ".cfg", ".conf", ".txt"})
"""How files of saved configurations end, whatever the product."""
NAME = "{name}"
"""Stands for the device in a path."""


def observe_folder(
    folder: Path,
    names: Iterable[str],
    record: Callable[[str], RenderRecord],
    artifact: Callable[[str], Artifact],
    *,
    jobs: int = 1,
) -> Observations:
    """Read backed-up configurations: `FOLDER/PATH` as an artifact is called, or `FOLDER/NAME` with any suffix.

    `PATH` may lack its first folder: `fabric compile` writes `configs/NAME/frr.conf`, and a copy of `configs` has
    `NAME/frr.conf`.

    A device without a file runs nothing as far as is known: all of its configuration is new. A file that is
    the artifact to the byte is not brought into plain form: nothing is to be compared. `Invalid` if a file is not a
    configuration of the device's product, or is not all of it: a plan would take it for what the device runs.
    """
    observations, report, unlike = Observations(), Report(), list[str]()
    names, backups, kinds = list(names), _Backups(folder), dict[str, AnyPlatform]()
    for name in names:
        known = record(name)
        kind = kinds[known.platform] = platform(known.platform)
        saved = backups.of(name, kind)
        if saved is None:
            observations[name] = observation(kind, name, "", "nothing")
        elif (same := digest(saved.text)) == known.digest:
            observations[name] = Observation(
                device=name, source="folder", when=saved.when, text="", digest=same, matches=True
            )
        else:
            unlike.append(name)

    def work(name: str) -> Observation | tuple[Diagnostic, ...]:
        return _read_again(backups, name, platform(record(name).platform), partial(artifact, name))

    with each(work, unlike, jobs=jobs) as results:
        for name, result in zip(unlike, results, strict=True):
            if isinstance(result, Observation):
                observations[name] = result
            else:
                report.extend(result)
    observations = observations.ordered(names)
    observations.others = backups.others(kinds.values(), observations)
    report.finish()
    return observations


def _read_again(
    backups: _Backups, name: str, kind: AnyPlatform, artifact: Callable[[], Artifact]
) -> Observation | tuple[Diagnostic, ...]:
    """What a device runs whose file is another than its artifact, or what is wrong with the file."""
    saved = backups.of(name, kind)
    if saved is None:  # it was there a moment ago
        return observation(kind, name, "", "nothing")
    return flaws(name, kind, saved, artifact) or observation(
        kind, name, saved.text, "folder", saved.when, ours=artifact().text
    )


class SavedBeside(Mapping[str, str]):
    """What is saved in a folder of devices beside those that are planned, canonical and masked; read when asked for.

    Empty: just what the device shall run. A device without a file is not there, nor is one whose file is not whole:
    nobody knows what it runs, and a plan of others does without.
    """

    def __init__(
        self,
        folder: Path,
        names: Iterable[str],
        record: Callable[[str], RenderRecord],
        artifact: Callable[[str], Artifact],
    ) -> None:
        self._names, self._backups = tuple(names), _Backups(folder)
        self._record, self._artifact = record, artifact
        self._known: dict[str, str | None] = {}

    def __getitem__(self, name: str) -> str:
        if name not in self._known:
            self._known[name] = self._read(name) if name in self._names else None
        text = self._known[name]
        if text is None:
            raise KeyError(name)
        return text

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, name: str) -> str | None:
        record = self._record(name)
        kind = platform(record.platform)
        saved = self._backups.of(name, kind)
        if saved is None:
            return None
        if digest(saved.text) == record.digest:
            return ""
        seen = _read_again(self._backups, name, kind, partial(self._artifact, name))
        return seen.text if isinstance(seen, Observation) and seen.source == "folder" else None


class _Backups:
    """A folder of configurations, listed once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._named: dict[str, Path] | None = None
        self._is_flat = False

    def of(self, name: str, kind: AnyPlatform) -> Backup | None:
        """What is saved of a device: where a compile puts it, or any file called by its name."""
        usual = kind.paths(name)
        return (
            self._joined(name, kind, usual)
            or self._joined(name, kind, _below(usual))
            or self._called(name, kind)
        )

    def _joined(self, name: str, kind: AnyPlatform, places: Iterable[str]) -> Backup | None:
        """What stands at these places, in the order of `Platform.paths`."""
        at = dict(zip(kind.paths(name), places, strict=True))
        text = kind.joined(name, lambda path: self._read(at[path]))
        return None if text is None else self._backup(text, kind, at.values())

    def _called(self, name: str, kind: AnyPlatform) -> Backup | None:
        """The file that is called as the device, whatever its suffix."""
        if self._named is None:
            files = sorted((p for p in self._folder.iterdir() if p.is_file()), reverse=True)
            self._named = {path.stem if path.suffix else path.name: path for path in files}
        path = self._named.get(name)
        text = self._read(path.name) if path is not None else None
        if path is None or text is None:  # it may have gone since they were listed
            return None
        self._is_flat = True
        return self._backup(text, kind, [path.name] * max(1, len(kind.parts)))

    def _backup(self, text: str, kind: AnyPlatform, paths: Iterable[str]) -> Backup:
        parts = [part.name for part in kind.parts] or [""]
        files = dict(zip(parts, (self._folder / path for path in paths), strict=True))
        times = [file.stat().st_mtime for file in files.values() if file.is_file()]
        return Backup(text=text, when=datetime.fromtimestamp(max(times), UTC), files=files)

    def others(self, kinds: Collection[AnyPlatform], known: Container[str]) -> tuple[str, ...]:
        """Names of devices that have a file here and are not known.

        Where a compile puts one, of whatever product: the last device of a product may be what is gone. Else a folder
        with files of our products; or, if the folder is kept flat, any file called as a device may be, which ends as
        configurations do.
        """
        patterns = [path for product in products() for path in platform(product).paths(NAME)]
        own = [path for kind in kinds for path in kind.paths(NAME)]
        patterns += _below(own)
        names = {name for pattern in dict.fromkeys(patterns) for name in self._matching(pattern)}
        if self._is_flat:
            endings = SAVED_AS | {Path(path).suffix for path in own}
            names |= {name for name, path in (self._named or {}).items() if path.suffix in endings}
        return tuple(sorted(name for name in names if name not in known and LABEL.fullmatch(name)))

    def _matching(self, pattern: str) -> Iterator[str]:
        place = re.compile(re.escape(pattern).replace(re.escape(NAME), "([^/]+)"))
        for path in self._folder.glob(pattern.replace(NAME, "*")):
            if match := place.fullmatch(path.relative_to(self._folder).as_posix()):
                yield match[1]

    def _read(self, path: str) -> str | None:
        file = self._folder / path
        return file.read_bytes().decode("utf-8", errors="replace") if file.is_file() else None


def _below(paths: Iterable[str]) -> tuple[str, ...]:
    """Where the files of a device are in a copy of the folder of all: `NAME/FILE` of `configs/NAME/FILE`."""
    below = ((path, path.partition("/")[2]) for path in paths)
    return tuple(rest if "/" in rest else path for path, rest in below)
