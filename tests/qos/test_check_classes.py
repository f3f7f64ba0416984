"""The classes of a policy fit together."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Report, Severity
from fabric.qos.check_classes import code_points
from fabric.qos.derive_queueing import check_policy
from fabric.qos.policy import LosslessPolicy
from tests.qos.policies import READY, policy, ready


def findings(written: LosslessPolicy) -> list[tuple[str, str]]:
    report = Report()
    check_policy(written, "policy:mine", report)
    return [(found.code, str(found.origin)) for found in report]


@pytest.mark.parametrize("name", sorted(path.stem for path in READY.glob("*.yaml")))
def test_a_ready_policy_has_no_finding_but_what_it_is_called_for(name):
    expected = [("FAB342", "watchdog")] if name.endswith("-no-watchdog") else []

    assert expected == findings(ready(name))


def test_the_policy_that_the_cases_below_change_is_right():
    assert [] == findings(policy())


def test_the_rest_is_every_code_point_that_no_class_names():
    points = code_points(policy().classes)

    assert ((26,), (48,)) == (points["roce"], points["cnp"])
    assert 62 == len(points["other"])
    assert list(range(64)) == sorted(point for of in points.values() for point in of)


SPARE = {"traffic_class": 1, "queue": 1, "strict": True}
CASES = {
    "a code point in two classes": ({"cnp": {"dscp": [48, 26]}}, "FAB301", "classes.cnp.dscp[1]"),
    "a code point twice in a class": ({"roce": {"dscp": [26, 26]}}, "FAB301", "classes.roce.dscp[1]"),
    "nobody takes the rest": ({"other": {"dscp": [0]}}, "FAB302", "classes"),
    "two take the rest": ({"more": SPARE | {"dscp": "rest"}}, "FAB302", "classes.more.dscp"),
    "nothing is left for the rest": (
        {"roce": {"dscp": [n for n in range(64) if n != 48]}},
        "FAB312",
        "classes.other.dscp",
    ),
    "two classes on one queue": ({"cnp": {"queue": 3}}, "FAB303", "classes.cnp.queue"),
    "two classes with one traffic class": (
        {"cnp": {"traffic_class": 3}},
        "FAB304",
        "classes.cnp.traffic_class",
    ),
    "one priority for two classes": (
        {"more": SPARE | {"dscp": [1], "priority": 3, "ecn": "auto"}},
        "FAB305",
        "classes.more.priority",
    ),
    "a priority without code points": ({"roce": {"dscp": []}}, "FAB306", "classes.roce.priority"),
    "a priority for the rest": (
        {"other": {"priority": 0, "ecn": "auto"}},
        "FAB306",
        "classes.other.priority",
    ),
    "a class without code points": ({"more": SPARE | {"dscp": []}}, "FAB312", "classes.more.dscp"),
    "a lossless class without marking": ({"roce": {"ecn": "none"}}, "FAB310", "classes.roce"),
    "a strict class with a share": ({"cnp": {"share": 0}}, "FAB308", "classes.cnp.share"),
    "a class with neither": ({"cnp": {"strict": False}}, "FAB308", "classes.cnp"),
    "shares that make 90": ({"other": {"share": 30}}, "FAB308", "classes"),
    "a curve that runs backwards": (
        {"roce": {"ecn": {"kmin": "500KB", "kmax": "400KB"}}},
        "FAB309",
        "classes.roce.ecn.kmin",
    ),
    "a curve that marks everything": (
        {"roce": {"ecn": {"kmin": "0B", "kmax": "400KB"}}},
        "FAB309",
        "classes.roce.ecn.kmin",
    ),
    "a lossless CNP class": ({"cnp": {"priority": 6, "ecn": "auto"}}, "FAB307", "cnp"),
    "a starving CNP class": (
        {"cnp": {"strict": False, "share": 0}},
        "FAB307",
        "cnp",
    ),
}


@pytest.mark.parametrize(("changes", "code", "place"), CASES.values(), ids=CASES)
def test_is_told_where_it_stands(changes, code, place):
    assert (code, place) in findings(policy(changes))


def test_a_cnp_class_that_does_not_exist_is_told_with_those_that_do():
    assert [("FAB307", "cnp")] == findings(policy(cnp="cnps"))


def test_marking_without_a_cnp_class_is_told():
    assert [("FAB307", "")] == findings(policy(cnp=None))


def test_a_third_lossless_class_is_a_warning():
    more = {
        name: {"dscp": [n], "traffic_class": n, "queue": n, "priority": n, "strict": True, "ecn": "auto"}
        | {"max_rate": 5}
        for name, n in (("one", 1), ("two", 2))
    }
    report = Report()

    check_policy(policy(more), "policy:mine", report)

    assert [("FAB311", Severity.WARNING)] == [(found.code, found.severity) for found in report]


def test_a_lossless_class_without_a_watchdog_is_a_warning():
    assert [("FAB342", "watchdog")] == findings(policy(watchdog="none"))


def test_a_watchdog_that_polls_too_seldom_is_told():
    assert [("FAB340", "watchdog.poll")] == findings(policy(watchdog={"poll": "150ms"}))


def test_all_mistakes_come_together():
    wrong = policy({"cnp": {"queue": 3, "dscp": [26]}, "other": {"share": 50}})

    assert {"FAB301", "FAB303", "FAB308"} == {code for code, _ in findings(wrong)}
