"""Headroom never overflows, and is not much too large: every speed, cable and ASIC of the catalogue."""

from __future__ import annotations

import pytest

from fabric.hardware import load_catalogue
from fabric.qos.headroom import PAUSE_QUANTA, UNKNOWN, standard_headroom_bytes
from fabric.qos.model import BufferTiming
from fabric.simulation.queues import most_in_buffer_bytes

CABLES_M = (1, 5, 40, 100, 300, 2000)
FRAMES_BYTES = (1518, 9216)
TOO_LARGE = 1.35


def timings() -> dict[str, BufferTiming]:
    known = {
        name: BufferTiming(
            cell_bytes=asic.cell_bytes,
            mac_phy_delay_bytes=asic.mac_phy_delay_bytes or UNKNOWN.mac_phy_delay_bytes,
            peer_response_bytes=asic.peer_response_bytes,
            extra_latency_ns=asic.extra_latency_ns,
            pipeline_latency_bytes=asic.pipeline_latency_bytes,
        )
        for name, asic in load_catalogue().asics.items()
    }
    return {**known, "unknown": UNKNOWN}


@pytest.mark.parametrize("asic", timings())
def test_headroom_holds_all_that_arrives_after_a_pause(asic: str) -> None:
    timing = timings()[asic]
    over = []
    for speed in (*PAUSE_QUANTA, 1_600_000):
        for cable in CABLES_M:
            for frame in FRAMES_BYTES:
                reserved = standard_headroom_bytes(speed, cable, timing, frame)
                needed = most_in_buffer_bytes(speed, cable, timing, frame_bytes=frame)
                over += [(speed, cable, frame, reserved, needed)] if needed > reserved else []
                dense = most_in_buffer_bytes(speed, cable, timing, frame_bytes=frame, between_frames_bytes=0)
                assert reserved <= TOO_LARGE * dense + 2048, (speed, cable, frame, reserved, dense)

    assert [] == over


@pytest.mark.parametrize("asic", timings())
def test_a_headroom_that_forgets_the_cable_or_the_answer_would_overflow(asic: str) -> None:
    """The control of the law above: what the formula counts is needed."""
    timing = timings()[asic]
    short = standard_headroom_bytes(400_000, 1, timing, 9216)

    assert most_in_buffer_bytes(400_000, 300, timing, frame_bytes=9216) > short
    assert most_in_buffer_bytes(400_000, 1, timing, frame_bytes=9216) > short // 2


def test_the_catalogue_has_asics_to_try() -> None:
    assert len(timings()) > 8
