"""What only the device's own diff shows: secrets that differ behind their masks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fabric.configuration import Change, Comparison, Dialect, Difference, compare, differences, without
from fabric.planning.model import Observation
from fabric.planning.texts import MASK, PLACEHOLDER, digest, masked
from fabric.platforms.base import AnyPlatform
from fabric.platforms.texts import HASH, OF_INTENT

Path = tuple[str, ...]
"""The keys of a line and of those above it."""
WHOLE_DEVICE = "the device's own diff"
"""What changes where its lines stand nowhere."""
FILE_HEADERS = ("--- ", "+++ ")
"""Before the lines of a file, in a unified diff."""


def by_device(dialect: Dialect, seen: Observation, intended: str, wanted: str) -> Comparison:
    """The changes that hold lines of the device's own diff, and that diff.

    `intended` has our secrets as references, so that lines with a secret differ from those of the device. A diff whose
    lines stand nowhere is one change of the whole device. `wanted`: the same text with our hashes; if it has no
    references, what differs are hashes.
    """
    if PLACEHOLDER.search(wanted) is None and (hashes := other_hashes(dialect, seen, wanted)):
        return Comparison(hashes, seen.device_diff or "")
    lines, paths = _told(seen), frozenset(seen.secrets_differ or ())
    differing = compare(dialect, seen.device, seen.text, intended).changes
    changes = tuple(
        change
        for change in differing
        if any((line.old and line.old.text in lines) or _path(line) in paths for line in differences(change))
    )
    diff = _hidden_lines(dialect, seen, intended, paths) if paths else seen.device_diff or ""
    return Comparison(changes or (Change(WHOLE_DEVICE, (), ()),), diff)


def other_hashes(dialect: Dialect, seen: Observation, wanted: str) -> tuple[Change, ...]:
    """The changes of lines whose hash of a password is another one than runs. Ours stands in them as a reference."""
    if not seen.other_hashes:
        return ()
    text = HASH.sub(
        lambda known: OF_INTENT if digest(known[0]) in seen.other_hashes else known[0], masked(wanted)
    )
    return compare(dialect, seen.device, seen.text, dialect.plain(text)).changes


def outdated_passwords(
    product: AnyPlatform, seen: Observation, intended: str, changes: Iterable[Change]
) -> frozenset[str]:
    """The BGP neighbours for which a device has a password, and not the intended one, as its own diff tells.

    `changes`: what differs. Where the diff's lines stand nowhere, it may be that of any neighbour.
    """
    had = with_password(product, seen.text) if seen.device_diff else frozenset[str]()
    if not had or (secrets := other_secrets(product, seen, intended, changes)) is None:
        return had
    if not secrets:
        return frozenset()
    return had - with_password(product, without(product.dialect(), seen.text, secrets))


def with_other_secrets(
    product: AnyPlatform, seen: Observation, intended: str, changes: Iterable[Change]
) -> tuple[tuple[Difference, ...], bool]:
    """The lines whose secret is another one on a device, and whether that is certain. Hashes are left out.

    `changes`: what differs. It is not certain where the device's own diff does not tell which secrets differ.
    """
    if not seen.device_diff:
        return (), True
    secrets = other_secrets(product, seen, intended, changes)
    if secrets == frozenset():
        return (), True
    lines = tuple(
        line
        for path, line in _secret_lines(product.dialect(), seen, intended)
        if line.new and PLACEHOLDER.search(line.new.text.replace(OF_INTENT, ""))
        if secrets is None or path in secrets
    )
    return lines, secrets is not None


def beside(
    product: AnyPlatform, seen: Observation, intended: str, differing: Comparison
) -> tuple[tuple[Change, ...], str]:
    """What a push changes behind masks, beside what the texts show, and its lines.

    Where the device's own diff does not tell which secrets differ, each may.
    """
    if not seen.device_diff:
        return (), ""
    dialect, known = product.dialect(), other_secrets(product, seen, intended, differing.changes)
    every = (path for path, _ in _secret_lines(dialect, seen, intended))
    secrets = frozenset(every) if known is None else known
    changes = tuple(
        change
        for change in compare(dialect, seen.device, seen.text, intended).changes
        if any(_path(line) in secrets for line in differences(change))
    )
    if known is None:
        return changes, _not_hidden_whole(seen) if changes else ""
    return changes, _hidden_lines(dialect, seen, intended, known)


def _hidden_lines(dialect: Dialect, seen: Observation, intended: str, secrets: frozenset[Path]) -> str:
    """The lines with these secrets, as the texts have them, removed and added."""
    lines = [line for path, line in _secret_lines(dialect, seen, intended) if path in secrets]
    return "".join(f"-{line.old.text}\n+{masked(line.new.text)}\n" for line in lines if line.old and line.new)


def _not_hidden_whole(seen: Observation) -> str:
    """The lines of a device's own diff with a mask that tell something beside it."""
    lines = (seen.device_diff or "").splitlines()
    return "".join(f"{line}\n" for line in lines if MASK in line and line[1:].strip() != MASK)


def other_secrets(
    product: AnyPlatform, seen: Observation, intended: str, changes: Iterable[Change]
) -> frozenset[Path] | None:
    """The lines in which a device has another secret than ours, as its own diff tells; None: in any, perhaps.

    `changes`: what differs. Where the diff's lines stand nowhere, it may be any secret.
    """
    if seen.secrets_differ is not None:
        return frozenset(seen.secrets_differ)
    if all(not (change.old or change.new) for change in changes):
        return None
    told = (
        {line.strip() for line in (seen.device_diff or "").splitlines()} if is_opaque(seen) else _told(seen)
    )
    hidden = {line for line in told if MASK in line} - _shown(changes)
    if is_opaque(seen):
        return None if hidden else frozenset()
    known = [(path, line.old) for path, line in _secret_lines(product.dialect(), seen, intended)]
    if not hidden <= {old.text for _, old in known if old}:
        return None  # the device writes a secret otherwise than its text
    return frozenset(path for path, old in known if old and old.text in hidden)


def kept_and_outdated(product: AnyPlatform, seen: Observation, intended: str) -> frozenset[str]:
    """The BGP neighbours, new ones too, for which a device that keeps its secrets will have an outdated password.

    Of a device whose own diff tells nothing (`is_opaque`): all whose password stands in a line that it has already.
    """
    if MASK not in (seen.device_diff or ""):
        return frozenset()
    told, dialect = _told(seen), product.dialect()
    lines = {path: line.old.text for path, line in _secret_lines(dialect, seen, intended) if line.old}
    # A line that is hidden whole is one that stands in neither text.
    hidden = {line for line in told if MASK in line} - {MASK}
    is_any = not told or not hidden <= set(lines.values())
    secrets = {path for path, line in lines.items() if is_any or line in hidden}
    if not secrets:
        return frozenset()
    return with_password(product, intended) - with_password(product, without(dialect, intended, secrets))


def is_opaque(seen: Observation) -> bool:
    """Whether a device's own diff has no lines that were removed or added: commands, with their secrets hidden."""
    return bool(seen.device_diff) and not _told(seen)


def differing_secrets(
    product: AnyPlatform, seen: Observation, intended: str, running: str, pushed: str
) -> tuple[Path, ...]:
    """The lines in which a device that shows secrets has another one than a push would bring.

    `intended` has references, and `pushed` their values, as `running` has those of the device.
    """
    dialect = product.dialect()
    plain = (dialect.syntax.plain(dialect.lasting(text)) for text in (running, pushed))
    differing = {
        _path(line)
        for change in compare(dialect, seen.device, *plain).changes
        for line in differences(change)
    }
    return tuple(path for path, _ in _secret_lines(dialect, seen, intended) if path in differing)


def _shown(changes: Iterable[Change]) -> set[str]:
    """The lines that differ anyway, masked: those of which one side at most has a secret."""
    found: set[str] = set()
    for change in changes:
        for line in differences(change):
            texts = [masked(side.text).strip() for side in (line.old, line.new) if side]
            if sum(MASK in text for text in texts) < 2:  # both sides
                found.update(texts)
    return found


def _secret_lines(dialect: Dialect, seen: Observation, intended: str) -> Iterator[tuple[Path, Difference]]:
    """The lines that hold a secret on both sides; one of them may be in quotation marks."""
    for change in compare(dialect, seen.device, seen.text, intended).changes:
        for line in differences(change):
            if line.old and line.new and MASK in line.old.text and MASK in masked(line.new.text):
                yield _path(line), line


def _path(line: Difference) -> Path:
    return (*(node.key for node in line.above), line.node.key)


def with_password(product: AnyPlatform, text: str) -> frozenset[str]:
    """The BGP neighbours whose sessions have a password, by a text."""
    neighbors = product.read(text).facts.neighbors.items()
    return frozenset(key for key, neighbor in neighbors if neighbor.has_password)


def _told(seen: Observation) -> set[str]:
    """The lines of a device's own diff."""
    return {line[1:].strip() for line in (seen.device_diff or "").splitlines() if line[:1] in {"+", "-"}}


def counts(seen: Observation, comparison: Comparison, *, ignored: bool) -> bool:
    """Whether the device's own diff is a change; `ignored`: one that shows nothing but secrets is none."""
    if comparison.changes or not ignored:
        return seen.device_diff != ""
    return not is_only_secrets(seen.device_diff or "")


def is_only_secrets(device_diff: str) -> bool:
    """Whether a device's masked diff removes and adds the same lines: what differs is behind the masks."""
    lines = [line for line in device_diff.splitlines() if not line.startswith(FILE_HEADERS)]
    removed, added = (Counter(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return removed == added
