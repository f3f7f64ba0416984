"""Every path that is printed is one that NVIDIA's pages show, for its release; and the grammar refuses mistakes."""

from __future__ import annotations

import pytest

from tests.platforms.cumulus.devices import device
from tests.platforms.cumulus.grammar import refused, rows_used
from tests.platforms.cumulus.grammar_rows import ROWS
from tests.platforms.cumulus.test_reading import SAYABLE
from tests.platforms.sites import printed


@pytest.mark.covering
@pytest.mark.parametrize(("case", "release"), SAYABLE)
def test_every_setting_is_in_the_grammar_of_its_release(case, release):
    assert [] == refused(printed(device(case, release)), release)


def test_no_row_of_the_grammar_is_idle():
    used = set()
    for case, release in SAYABLE:
        used |= rows_used(printed(device(case, release)), release)

    assert set() == {row for _, row, _ in ROWS} - used


def test_every_row_tells_its_page():
    assert len(ROWS) > 100
    assert all(page for _, _, page in ROWS)


MISTAKES = [
    ("leaf", "ipv4:", "ip:"),
    ("leaf", "state: enabled", "enable: 'on'"),
    ("leaf", "trust: l3", "trust: l5"),
    ("leaf", "mode: strict", "mode: loose"),
    ("leaf", "tx: enable", "tx: enabled!"),
    ("leaf", "fec: rs", "fec: rss"),
    ("leaf", "2x:", "3x:"),
    ("leaf", "type: numbered", "type: counted"),
    ("leaf", "permit: {}", "allow: {}"),
    ("leaf", "probability: 100", "probability: 101"),
    ("leaf", "ipv4-unicast", "ipv4-multicast"),
    ("leaf", "polling-interval: 100", "polling-intervall: 100"),
    ("leaf", "ecn: enable\n", "ecn: enabled\n"),
    ("leaf", "bw-percent: 95", "bw-percent: 99"),
    ("leaf", "peer-group: UP", "peer-group: UPP"),
    (
        "leaf",
        "default-lossless:\n          memory-percent: 50",
        "default-lossless:\n          memory-percent: 60",
    ),
    ("leaf", "speed: 400G", "speed: 400000"),
    ("leaf", "acl-default-dos", "acl-default-doos"),
    ("leaf", "role: system-admin", "role: root"),
    ("leaf", "profile: FABRIC", "profile: FABRICS"),
    ("vlan gateway", "access: 10", "access: 11"),
    ("vlan gateway", "server-group-name: HOSTS", "server-group-name: GUESTS"),
    ("vlan gateway", "type: svi", "type: vlan"),
    ("slaac", "autoconfig: enabled", "autoconfig: 'on'"),
    ("all services", "selector-id: FABRIC", "selector-id: OTHER"),
    ("all services", "severity: warn", "severity: warning"),
    ("tacacs", "prefer-ip-version: 6", "prefer-ip-version: 7"),
]


@pytest.mark.parametrize(("case", "right", "wrong"), MISTAKES)
def test_a_planted_mistake_is_refused(case, right, wrong):
    text = printed(device(case))

    assert right in text
    assert refused(text.replace(right, wrong), "5.16.1")
