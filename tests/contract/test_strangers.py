"""A device that is not the one expected, or does not let us in, is told no secret and changes nothing."""

from __future__ import annotations

import logging

import pytest

from fabric.platforms.base import Trust
from tests.contract.bench import Bench, driver
from tests.contract.test_life_of_a_change import runs


@pytest.mark.parametrize(
    "trust", [Trust(), Trust(fingerprint=f"sha256:{'0' * 64}")], ids=["nobody vouches", "another fingerprint"]
)
def test_a_stranger_is_refused(device: Bench, trust: Trust) -> None:
    stranger = driver(device, trust=trust)

    with pytest.raises(Exception, match=r".+") as refused:
        stranger.open()
    assert device.target.password not in str(refused.value)
    assert runs(device, 0)


def test_a_wrong_password_is_refused_and_told_to_nobody(
    device: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = driver(device, password="WR0NG-planted")

    with pytest.raises(Exception, match=r".+") as refused:
        wrong.open()
    assert "WR0NG-planted" not in f"{refused.value} {caplog.text}"
