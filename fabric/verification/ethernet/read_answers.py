"""Answers of devices that were saved before: a file a device."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.platforms.device_state import DeviceAnswers
from fabric.verification.ethernet.read_folder import FolderKind, read_folder

SAVED_ANSWERS = FolderKind(
    contents="answers of this network's switches",
    largest_bytes=256 * 1024 * 1024,  # a spine of 576 ports with 10,000 routes takes 2 MiB
    folder_hint="`--from` names a folder that `fabric verify --save DIR` has filled",
    empty_hint="`fabric verify --save DIR` asks the switches and saves what they say",
)


def read_answers(folder: Path, names: Collection[str]) -> tuple[dict[str, DeviceAnswers], tuple[str, ...]]:
    """The answers by device, and the files that are not from a device of these names.

    `Refused` if there is no such folder, or no answer in it.
    """
    return read_folder(folder, SAVED_ANSWERS, names, _parse)


def _parse(content: bytes) -> tuple[str, DeviceAnswers] | None:
    try:
        answers = from_json(content, DeviceAnswers)
    except (msgspec.MsgspecError, ValueError):
        return None
    return answers.device, answers
