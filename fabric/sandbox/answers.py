"""What faults do to any answer of an emulated device, whatever its protocol."""

from __future__ import annotations

import asyncio

from fabric.platforms.emulation import Faults

LOOK_AGAIN_S = 0.05
"""A device that hangs is looked at this often: the fault may have been cleared."""


async def answering(faults: Faults) -> None:
    """Return when it is time to answer: behind the latency, and not while the device hangs."""
    if faults.latency_ms:
        await asyncio.sleep(faults.latency_ms / 1000)
    while faults.hang:  # noqa: ASYNC110  # a plain flag, which anybody sets
        await asyncio.sleep(LOOK_AGAIN_S)


def cut(faults: Faults, data: bytes) -> tuple[bytes, bool]:
    """What of an answer is sent, and whether the connection drops behind it."""
    if faults.cut_answer_after is None or not data:
        return data, False
    sent_bytes, faults.cut_answer_after = faults.cut_answer_after, None
    return data[:sent_bytes], True
