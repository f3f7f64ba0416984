"""What a plan says of a changed fabric."""

from __future__ import annotations

import pytest

from fabric.planning import Action, Impact, plan, summary
from fabric.planning.device_diff import is_only_secrets
from tests.planning.toy import Site, applied, canonical, observation, options, planned, pod


def without_secrets(site: Site) -> dict[str, str]:
    """What the devices run if the site is applied: secrets as the device shows them."""
    return {name: text.replace("<secret:env:NETOPS>", "8F3A") for name, text in site.texts.items()}


def codes_of(made: object) -> set[str]:
    return {finding.code for finding in made.diagnostics}  # type: ignore[attr-defined]


def test_a_plan_from_a_state_to_itself_is_empty(site: Site) -> None:
    made, texts = planned(site, without_secrets(site))

    assert made.changed == ()
    assert (made.waves, made.groups, made.couplings, made.diagnostics, len(texts)) == ((), (), (), (), 0)
    assert len(made.devices) == 6


def test_the_candidate_runs_to_an_empty_plan(site: Site) -> None:
    made, texts = planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), without_secrets(site))
    candidates = {device.device: texts[device.candidate] for device in made.changed}

    again, _ = planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), candidates)

    assert len(candidates) == 6
    assert again.changed == ()


def test_a_change_of_one_rail_plans_no_change_in_another() -> None:
    site = pod(rails=4)
    rail_3 = [name for name, switch in site.switches.items() if switch.rail == 3]
    made, _ = planned(site.edited("description host", "description gpu", *rail_3), site.texts)

    assert {site.switches[device.device].rail for device in made.changed} == {3}


def test_a_diff_is_unified_and_names_its_section(site: Site) -> None:
    made, texts = planned(site.edited("mtu 9000", "mtu 4000", "leaf-0-0-0"), without_secrets(site))

    (device,) = made.changed
    assert texts[device.diff].splitlines()[:9] == [
        "--- leaf-0-0-0 running",
        "+++ leaf-0-0-0 intended",
        "@@ -4,5 +4,5 @@ interface p1",
        " interface p1",
        "    description host-0-0",
        f"    address {site.switches['leaf-0-0-0'].ports[0].addresses[0]}",
        "-   mtu 9000",
        "+   mtu 4000",
        "    profile roce",
    ]


def test_changes_carry_action_impact_and_scope(site: Site) -> None:
    target = site.edited("   profile roce\ninterface p101", "interface p101", "leaf-0-0-0")
    target = target.with_texts({"leaf-0-0-0": target.texts["leaf-0-0-0"] + "ntp 192.0.2.77\n"})
    made, _ = planned(target, without_secrets(site))

    (device,) = made.changed
    first, second = device.changes
    assert (first.what, first.action, first.impact) == ("interface p2", "~", Impact.ISOLATING)
    assert (first.scope.ports, first.scope.peers) == (("p2",), ("host-0-1",))
    assert (second.what, second.action, second.impact) == ("ntp", "+", Impact.NONE)
    assert device.impact is Impact.ISOLATING


def test_twins_are_one_group(site: Site) -> None:
    made, _ = planned(site.edited("queue 3 priority 3", "queue 3 priority 4"), without_secrets(site))

    assert [(len(group.devices), group.impact) for group in made.groups] == [(4, "buffer"), (2, "buffer")]
    assert summary(made).by_role == {"compute leaf": 4, "compute spine": 2}


def test_twins_are_one_group_although_each_says_its_own_name(site: Site) -> None:
    made, _ = planned(site.edited("hostname ", "hostname gpu-"), without_secrets(site))

    assert [sorted({name.split("-")[0] for name in group.devices}) for group in made.groups] == [
        ["leaf"],
        ["spine"],
    ]


def test_the_waves_of_switches_begin_with_a_canary_and_none_waits_for_its_turn(site: Site) -> None:
    made, _ = planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), without_secrets(site))

    assert [(1, True, False), (5, False, False)] == [
        (len(wave.devices), wave.canary, wave.in_turn) for wave in made.waves
    ]


def test_a_sole_path_is_isolating_and_one_of_two_planes_is_not() -> None:
    one, two = pod(planes=1), pod(planes=2)
    changes = ("   description host-0-0\n", "   description host\n", "leaf-0-0-0")

    assert planned(one.edited(*changes), one.texts)[0].changed[0].impact is Impact.ISOLATING
    assert planned(two.edited(*changes), two.texts)[0].changed[0].impact is Impact.FLAP


def test_a_leaf_whose_uplinks_all_flap_isolates_its_hosts(site: Site) -> None:
    target = site.edited("description spine", "description up", "leaf-0-0-0")
    made, _ = planned(target, site.texts)
    impacts = {change.what: change.impact for change in made.changed[0].changes}

    assert impacts == {"interface p101": Impact.ISOLATING, "interface p102": Impact.ISOLATING}


def test_a_leaf_that_keeps_one_uplink_isolates_nobody(site: Site) -> None:
    target = site.edited("description spine-0-1", "description up", "leaf-0-0-0")
    made, _ = planned(target, site.texts)

    assert [change.impact for change in made.changed[0].changes] == [Impact.FLAP]


def test_a_port_that_carries_nothing_is_opened_without_harm(site: Site) -> None:
    running = site.edited("   address", "   shutdown\n   address", "leaf-0-0-0")
    made, _ = planned(site, running.texts)

    assert made.changed[0].impact is Impact.HITLESS


def test_a_changed_way_in_is_a_lockout(site: Site) -> None:
    made, _ = planned(site.edited("way-in 192.0.2.10", "way-in 192.0.2.99", "leaf-0-0-0"), site.texts)

    assert made.changed[0].impact is Impact.LOCKOUT
    assert "FAB602" in codes_of(made)


def test_a_device_that_was_never_applied_is_adopted(site: Site) -> None:
    made, _ = planned(site, dict.fromkeys(site.texts, "hostname blank\n"), last_applied={})

    assert {device.action for device in made.changed} == {Action.ADOPT}
    assert "FAB604" in codes_of(made)
    assert "FAB604" not in codes_of(
        planned(site, dict.fromkeys(site.texts, ""), last_applied={}, adopt=True)[0]
    )


def test_a_device_that_was_not_observed_is_reported_and_left_out(site: Site) -> None:
    running = {name: text for name, text in site.texts.items() if name != "spine-0-1"}
    made, _ = planned(site, running, unreachable={"spine-0-1": "timed out"})

    assert "spine-0-1" not in {device.device for device in made.devices}
    (finding,) = made.diagnostics
    assert ("FAB605", True, "timed out", ("spine-0-1",)) == (
        finding.code,
        finding.is_error,
        finding.rule,
        finding.subjects,
    )
    assert ("inventory", ("devices", "spine-0-1")) == (finding.origin.document, finding.origin.path)


def test_a_device_that_was_not_observed_is_a_warning_where_it_is_left_for_later(site: Site) -> None:
    running = {name: text for name, text in site.texts.items() if name != "spine-0-1"}
    made, _ = planned(site, running, unreachable={"spine-0-1": "timed out"}, skip_unreachable=True)

    assert [(f.code, f.is_error) for f in made.diagnostics] == [("FAB605", False)]


def test_devices_that_are_silent_for_the_same_reason_are_one_finding(site: Site) -> None:
    silent = {name: f"connecting: 192.0.2.{i}:22 times out" for i, name in enumerate(sorted(site.texts))}
    made, _ = planned(site, {}, unreachable=silent)

    (finding,) = [finding for finding in made.diagnostics if finding.code == "FAB605"]
    assert ("connecting: ADDRESS times out", sorted(silent)) == (finding.rule, sorted(finding.subjects))


@pytest.mark.parametrize(
    ("reason", "way_in"),
    [
        ("connecting: its certificate is not trusted: self-signed certificate", "`fabric trust`"),
        ("connecting: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", "`fabric trust`"),
        ("connecting: Server '192.0.2.1' not found in known_hosts", "`fabric trust`"),
        ("connecting: it shows an SSH host key which is not the one expected", "`fabric trust`"),
        ("connecting: the login as ops with the password is refused", "Correct the credentials"),
        ("connecting: timed out", "Make the device reachable"),
        ("load: configuration sessions are open: draft of bob", "Let who is named there end it"),
        ("load: configuration database locked by: bob terminal p0", "Let who is named there end it"),
        ("load: the candidate has changes of bob that nobody has committed", "Let who is named there end it"),
    ],
)
def test_who_answers_and_is_not_observed_is_told_with_what_lets_us_in(
    site: Site, reason: str, way_in: str
) -> None:
    running = {name: text for name, text in site.texts.items() if name != "spine-0-1"}
    made, _ = planned(site, running, unreachable={"spine-0-1": reason})

    (finding,) = made.diagnostics
    assert (finding.hint or "").startswith(way_in)


def test_devices_that_nobody_asked_for_are_not_missed(site: Site) -> None:
    running = {name: text for name, text in site.texts.items() if name == "spine-0-0"}
    made, _ = planned(site, running, only=frozenset({"spine-0-0"}))

    assert made.diagnostics == ()


@pytest.mark.parametrize(("diff", "changed"), [("", 0), ("-   old\n+   new", 1)])
def test_online_the_diff_of_the_device_decides(site: Site, diff: str, changed: int) -> None:
    target = site.edited("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")
    seen = {"leaf-0-0-0": observation("leaf-0-0-0", site.texts["leaf-0-0-0"], diff)}
    artifacts = {"leaf-0-0-0": target.artifacts()["leaf-0-0-0"]}
    made, _ = plan(artifacts, seen, switches=site.switches, options=options(last_applied=applied(site.texts)))

    assert len(made.changed) == changed
    assert ("FAB606" in codes_of(made)) is (changed == 0)


def test_a_changed_secret_shows_only_in_the_diff_of_the_device(site: Site) -> None:
    diff = "-user netops secret <masked>\n+user netops secret <masked>"
    seen = {"leaf-0-0-0": observation("leaf-0-0-0", site.texts["leaf-0-0-0"], diff)}
    artifacts = {"leaf-0-0-0": site.artifacts()["leaf-0-0-0"]}
    known = applied(site.texts)

    rotating = options(last_applied=known, ignore_secrets=False)
    made, _ = plan(artifacts, seen, switches=site.switches, options=rotating)
    quiet, _ = plan(artifacts, seen, switches=site.switches, options=options(last_applied=known))

    assert [(c.what, c.impact) for c in made.changed[0].changes] == [("user netops secret", Impact.NONE)]
    assert [(f.code, f.rule, f.subjects) for f in made.diagnostics] == [
        ("FAB609", "only the device's own diff shows a change", ("leaf-0-0-0",))
    ]
    assert quiet.changed == ()


def test_a_plan_holds_no_secret_of_the_device(site: Site) -> None:
    running = {name: text.replace("<secret:env:NETOPS>", "HUNTER2") for name, text in site.texts.items()}
    running["leaf-0-0-0"] += "foreign secret HUNTER3\n"
    made, texts = planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), running)
    everything = repr(made) + "".join(texts.values())

    assert "HUNTER" not in everything
    assert "foreign secret <masked>" in everything
    assert canonical("user netops secret HUNTER2") == "user netops secret <masked>"


@pytest.mark.parametrize(
    ("ports", "cut"),
    [(("0-0",), "host-0-0 rail 0 in compute"), (("0-0", "0-1"), "host-0-0 rail 0 in compute and 1 more")],
)
def test_a_reason_counts_the_rails_that_lose_their_path(site: Site, ports: tuple[str, ...], cut: str) -> None:
    target = site
    for port in ports:
        target = target.edited(f"description host-{port}", f"description gpu-{port}", "leaf-0-0-0")
    made, _ = planned(target, site.texts)

    assert {change.reason.partition("the only path of ")[2] for change in made.changed[0].changes} == {cut}


@pytest.mark.parametrize(
    ("diff", "only_secrets"),
    [
        ("-user a secret <masked>\n+user a secret <masked>", True),
        ("-   secret <masked>\n+secret <masked>", True),
        ("-secret a <masked>\n-secret b <masked>\n+secret b <masked>\n+secret a <masked>", True),
        ("--- a running\n+++ a candidate\n@@ -4 +4 @@\n-key <masked>\n+key <masked>", True),
        ("-ab <masked>\n+cb <masked>", False),
        ("-secret <masked>", False),
        ("+secret <masked>", False),
        ("-secret <masked>\n-secret <masked>\n+secret <masked>", False),
    ],
)
def test_a_diff_shows_nothing_but_secrets_if_the_same_lines_go_and_come(
    diff: str, *, only_secrets: bool
) -> None:
    assert is_only_secrets(diff) is only_secrets


DONE = {"removed": ("1", ""), "added": ("", "1"), "changed": ("1", "2")}
HARMFUL = {
    "login": {"removed", "added", "changed"},
    "filter": {"added", "changed"},
    "allow": {"removed", "changed"},
}
"""What is done to a line on which management access stands, and what of it can lock us out."""


@pytest.mark.parametrize("vrf", ["MGMT", "tenant"])
@pytest.mark.parametrize("done", DONE)
@pytest.mark.parametrize("word", HARMFUL)
def test_what_locks_out_is_in_our_vrf_and_takes_away_what_we_stand_on(
    site: Site, word: str, done: str, vrf: str
) -> None:
    running, intended = (
        site.with_texts(
            {"leaf-0-0-0": site.texts["leaf-0-0-0"] + (f"vrf {vrf} {word} {value}\n" if value else "")}
        )
        for value in DONE[done]
    )
    made, _ = planned(intended, running.texts)
    (device,) = made.changed
    shown = {
        "removed": f"`vrf {vrf} {word} 1` is removed",
        "added": f"`vrf {vrf} {word} 1` is added",
        "changed": f"`vrf {vrf} {word} 1` becomes `vrf {vrf} {word} 2`",
    }

    reasons = [change.reason for change in device.changes if change.impact is Impact.LOCKOUT]
    is_harmful = vrf == "MGMT" and done in HARMFUL[word]
    assert reasons == ([f"vrf {vrf} {word}: {shown[done]}"] if is_harmful else [])
