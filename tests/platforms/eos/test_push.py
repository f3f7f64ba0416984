"""Our text through NAPALM's own driver, which strips indentation, into an emulated switch."""

from __future__ import annotations

import re

import pytest

from fabric.platforms.eos.emulator.secrets import hashed
from tests.platforms.eos import emulated
from tests.platforms.eos.sites import CASES, text_of
from tests.platforms.judging import differing


def filled(case: str) -> str:
    """A configuration with its secrets put in, and the password of the user that we log in as."""
    stored = hashed(emulated.PASSWORD)
    text = re.sub(r"sha512 \S+", lambda _match: f"sha512 {stored}", text_of(case))
    return re.sub(r"<secret:[^>]+>", "hunter2hunter2", text)


@pytest.fixture(name="device", scope="module")
def _device():
    with emulated.sandbox() as box:
        yield emulated.opened(box, "leaf1")


@pytest.mark.parametrize("case", sorted(set(CASES) - {"jericho"}))  # the emulated one has no line cards
def test_every_line_arrives_in_its_section(device, case):
    device.load_replace_candidate(config=filled(case))
    candidate = device.get_config(retrieve="candidate")["candidate"]
    device.discard_config()

    assert differing("eos", candidate, filled(case)) == {}


def test_a_second_push_finds_nothing_to_do(device):
    for case in ("leaf", "all services"):
        device.load_replace_candidate(config=filled(case))
        device.commit_config()
        device.load_replace_candidate(config=filled(case))

        assert "" == device.compare_config()

        device.discard_config()
        running = device.get_config()["running"]

        assert differing("eos", running, filled(case)) == {}
