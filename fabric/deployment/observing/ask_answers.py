"""What devices say of themselves and their neighbours, asked of many at once. Nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from fabric.deployment import moments
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.events import DeviceObserved, OnEvent, device_threads, ignore
from fabric.deployment.gates.snapshot import snapshot
from fabric.deployment.observing.observe_devices import plain
from fabric.diagnostics import DeviceError
from fabric.platforms.base import Target
from fabric.platforms.device_state import DeviceAnswers
from fabric.platforms.registry import platform


def ask_answers(
    targets: Mapping[str, Target],
    platform_of: Callable[[str], str],
    *,
    executor: Executor | None = None,
    on_event: OnEvent = ignore,
) -> tuple[dict[str, DeviceAnswers], dict[str, str]]:
    """The answers by device, and why the others gave none."""
    answers: dict[str, DeviceAnswers] = {}
    silent: dict[str, str] = {}
    jobs = ((name, (target, platform_of(name))) for name, target in targets.items())
    with device_threads(executor, on_event) as pool:
        for name, answer in each(pool, _ask, jobs):
            if isinstance(answer, DeviceError):
                silent[name] = str(answer).removeprefix(f"{name}: ")
            else:
                answers[name] = answer
            on_event(DeviceObserved(device=name, reached=name in answers, reason=silent.get(name, "")))
    return {name: answers[name] for name in targets if name in answers}, silent


def _ask(target: Target, product: str) -> DeviceAnswers:
    kind = platform(product)
    with Connection(target, kind) as device:
        seen = snapshot(device, kind)
        queues = device.port_queues()
        running = plain(kind, target.name, device.running())
    return DeviceAnswers(
        device=target.name,
        when=moments.now(),
        neighbors=tuple(sorted(seen.neighbors)),
        sessions=seen.sessions,
        ports=seen.ports,
        widths=seen.widths,
        queues=queues,
        running=running,
    )


def save_answers(folder: Path, answers: Mapping[str, DeviceAnswers]) -> None:
    """A file a device, for `fabric verify --from`. Secrets are masked."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, answer in answers.items():
        text = json.dumps(msgspec.to_builtins(answer, str_keys=True), sort_keys=True, indent=1)
        (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
