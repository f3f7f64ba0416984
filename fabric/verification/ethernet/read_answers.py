"""Answers of devices that were saved before: a file a device."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from fabric.diagnostics import Refused
from fabric.platforms.device_state import DeviceAnswers

LARGEST_BYTES = 256 * 1024 * 1024
"""A spine of 576 ports with 10,000 routes takes 2 MiB."""


def read_answers(folder: Path, names: Collection[str]) -> tuple[dict[str, DeviceAnswers], tuple[str, ...]]:
    """The answers by device, and the files that are none of a device of these names.

    `Refused` if there is no such folder, or no answer in it.
    """
    if not folder.is_dir():
        message = f"{folder} is not a folder"
        raise Refused(message, "`--from` names a folder that `fabric verify --save DIR` has filled")
    answers: dict[str, DeviceAnswers] = {}
    unread: list[str] = []
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        answer = _read(path)
        if answer is None or answer.device not in names or answer.device in answers:
            unread.append(path.name)
        else:
            answers[answer.device] = answer
    if not answers:
        message = f"in {folder} are no answers of this network's switches"
        raise Refused(message, "`fabric verify --save DIR` asks the switches and saves what they say")
    return answers, tuple(unread)


def _read(path: Path) -> DeviceAnswers | None:
    if path.stat().st_size > LARGEST_BYTES:
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=DeviceAnswers)
    except (msgspec.MsgspecError, ValueError):
        return None
