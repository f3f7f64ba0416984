"""Auto-negotiation: always on, whatever the release makes of `link speed`; off where the cage cannot."""

from __future__ import annotations

import re

import pytest

from tests.platforms.cases import case
from tests.platforms.cumulus.devices import SLOW, changed
from tests.platforms.sites import printed

NEGOTIATION = [
    ("nvidia-sn5600", "5.13.1", "'on'"),
    ("nvidia-sn5600", "5.14.0", ""),
    ("nvidia-sn5600", "5.16.1", ""),
    ("nvidia-sn4700", "5.13.1", "'off'"),
    ("nvidia-sn4700", "5.14.0", "'off'"),
    ("nvidia-sn4700", "5.16.1", "disabled"),
]


@pytest.mark.parametrize(("model", "release", "word"), NEGOTIATION)
def test_ports_negotiate_unless_the_cage_cannot(model, release, word):
    text = printed(changed(case(SLOW, model=model), release=release))
    links = re.findall(r"link:\n(?: +auto-negotiate: (.+)\n)?(?:.+\n){2} +speed: 400G", text)

    assert len(links) >= 4
    assert {word} == set(links)
