"""What is refused: each with place, numbers and way out."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from tests.platforms.host.hosts import (
    BONDED,
    FOUR,
    MIXED,
    ONE,
    another,
    artifact,
    balanced,
    files,
    lossless,
    nics,
    system,
)
from tests.platforms.sites import POLICY, Words, site

REST = "rest: {dscp: rest, traffic_class: 0, queue: 0, share: 100}"
ROCE = "roce: {dscp: [26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}"
CNP = "cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}"
PAUSED_AS_CNP = "roce: {dscp: [26], traffic_class: 3, priority: 6, queue: 3, share: 50, ecn: auto}"
STRICT = "strict: true, max_rate: 50"


def policy(*classes: str, cnp: str = "cnp: cnp") -> Words:
    """These classes; the network's switches have no watchdog."""
    return lossless(f"{{classes: {{{', '.join(classes)}}}, {cnp}, watchdog: none}}")


def rest(share: int) -> str:
    return REST.replace("100", str(share))


def strict(klass: str, share: int) -> str:
    return klass.replace(f"share: {share}", STRICT)


TWO = (
    *ONE,
    nics("kind: pollara"),
    another("storage", "kind: pollara, interface: rail9, rdma: ionic_9"),
    policy(ROCE, CNP, rest(50)),
    site(f"networks: {{compute: {{lossless: null}}, storage: {{lossless: {POLICY}}}}}"),
)
"""Two networks, each with a policy of its own."""
BAD = {
    "FAB590 kind": ("no public source", (*ONE, nics("kind: bnxt"))),
    "FAB591 priority twice": ("priorities [0, 6, 6]", (*ONE, policy(PAUSED_AS_CNP, CNP, rest(50)))),
    "FAB593 all strict": ("every class is strict", (*ONE, policy(strict(ROCE, 50), CNP, strict(REST, 100)))),
    "FAB593 no share": ("class rest has none", (*ONE, policy(ROCE.replace("50", "100"), CNP, rest(0)))),
    "FAB594 no RoCE": ("needs a RoCE class", (*ONE, policy(CNP, REST))),
    "FAB594 no CNP": (
        "one for CNP",
        (*ONE, policy(ROCE.replace("ecn: auto", "ecn: none"), rest(50), cnp="cnp: null")),
    ),
    "FAB596 a bond's name": ("bond0 is the name", (*BONDED, nics('interface: "bond{port}"'))),
    "FAB596 Linux's table": ("254 (main)", (*ONE, system("first_table: 254"))),
    "FAB598 parameter": ("rpg_ai_rat", (*ONE, nics("dcqcn: {rpg_ai_rat: 5}"))),
    "FAB599 one tool": ("different classes", TWO),
}
"""By number and reason: the words of the rule, and of the intent."""


@pytest.mark.parametrize("case", BAD)
def test_it_is_refused_with_a_way_out(case):
    words, intent = BAD[case]

    with pytest.raises(Invalid) as refused:
        files(*intent)

    [found] = [d for d in refused.value.diagnostics if d.is_error]
    assert case.split()[0] == found.code
    assert words in found.rule
    assert all(d.hint for d in refused.value.diagnostics)


MENDED = {
    "FAB591 priority twice": policy(ROCE, CNP, rest(50)),
    "FAB593 all strict": policy(
        strict(ROCE, 50).replace(STRICT, "share: 100, strict: null, max_rate: null"), CNP, strict(REST, 100)
    ),
    "FAB593 no share": policy(ROCE.replace("50", "99"), CNP, rest(1)),
    "FAB594 no RoCE": policy(ROCE, CNP, rest(50)),
    "FAB594 no CNP": policy(ROCE, CNP, rest(50)),
    "FAB596 a bond's name": nics('interface: "nic{port}"'),
    "FAB596 Linux's table": system("first_table: 252"),
}
"""What the hint says."""


@pytest.mark.parametrize("case", MENDED)
def test_doing_what_the_hint_says_helps(case):
    assert files(*BAD[case][1], MENDED[case])


def told(*words: Words) -> list[str]:
    return [one.code for one in artifact(*words).diagnostics]


def test_in_kernel_dcb_warns_of_what_it_cannot_set():
    assert ["FAB595"] == told(*ONE, nics("kind: dcb"))


def test_a_bnxt_in_the_hands_of_an_operator_is_fine():
    own = files(*ONE, nics("kind: bnxt"), system("owner: operator"))

    assert "etc/fabric/expected.json" in own
    assert "usr/local/sbin/fabric-roce-verify" not in own


def test_several_paths_are_written_onto_nics_that_can_be_told():
    own = files(*FOUR, balanced("per_packet"))

    assert "NCCL_IB_ADAPTIVE_ROUTING=1" in own["etc/nccl.conf"].splitlines()
    assert 4 == own["usr/local/sbin/fabric-roce-qos"].count("\n  several_paths rail")


def test_flowlets_need_nothing_written():
    own = files(*FOUR, balanced("flowlet"))

    assert "several_paths rail" not in own["usr/local/sbin/fabric-roce-qos"]
    assert "NCCL_IB_ADAPTIVE_ROUTING" not in own["etc/nccl.conf"]


def test_several_paths_warn_of_nics_that_cannot_be_told():
    pollara = (*ONE, nics("kind: pollara"))

    assert [] == told(*pollara)
    assert ["FAB597"] == told(*pollara, balanced("per_packet"))


def test_nics_of_several_kinds_are_told_what_each_cannot():
    assert ["FAB595"] == told(*MIXED)
