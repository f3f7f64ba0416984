"""Changes that must reach both ends of a link at once are recognised and refused."""

from __future__ import annotations

import pytest

from fabric.planning import Plan
from tests.planning.toy import Site, planned

LEAF, SPINE = "leaf-0-0-0", "spine-0-0"
LINK = ("leaf-0-0-0 p101", "spine-0-0 p1")


def found(made: Plan) -> set[tuple[tuple[str, str], str]]:
    return {(coupling.ends, coupling.what) for coupling in made.couplings}


def in_port(site: Site, device: str, port: str, old: str, new: str) -> Site:
    head, mark, tail = site.texts[device].partition(f"interface {port}\n")
    return site.with_texts({device: head + mark + tail.replace(old, new, 1)})


def test_a_new_as_number_couples_every_link_of_the_switch(site: Site) -> None:
    asn = str(site.switches[LEAF].routing.asn)
    made, _ = planned(site.edited(asn, "4200000001"), site.texts)

    assert found(made) == {(LINK, "AS number"), (("leaf-0-0-0 p102", "spine-0-1 p1"), "AS number")}
    assert f"AS {asn} -> AS 4200000001" in made.couplings[0].reason


def test_an_as_number_changed_at_one_end_only_is_coupled(site: Site) -> None:
    asn = str(site.switches[LEAF].routing.asn)
    made, _ = planned(site.edited(f"bgp {asn}", "bgp 4200000001", LEAF), site.texts)

    assert (LINK, "AS number") in found(made)


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [("IP MTU", "mtu 9000", "mtu 4000"), ("LACP", "   mtu 9000", "   bond 1\n   mtu 9000")],
)
@pytest.mark.parametrize("both", [True, False])
def test_what_both_ends_must_have_alike_is_coupled(
    site: Site, what: str, old: str, new: str, *, both: bool
) -> None:
    target = in_port(site, LEAF, "p101", old, new)
    if both:
        target = in_port(target, SPINE, "p1", old, new)
    made, _ = planned(target, site.texts)

    assert found(made) == {(LINK, what)}


def test_a_renumbered_link_is_coupled(site: Site) -> None:
    ours, theirs = (
        str(next(p for p in site.switches[device].ports if p.name == port).addresses[0])
        for device, port in ((LEAF, "p101"), (SPINE, "p1"))
    )
    target = site.edited(ours, "10.9.9.0/31", LEAF).edited(theirs, "10.9.9.1/31", SPINE)
    target = target.edited(theirs.split("/")[0], "10.9.9.1", LEAF).edited(
        ours.split("/")[0], "10.9.9.0", SPINE
    )
    made, _ = planned(target, site.texts)

    assert (LINK, "link address") in found(made)


def test_a_changed_set_of_paused_priorities_is_coupled_on_every_link(site: Site) -> None:
    made, _ = planned(site.edited("queue 3 priority 3", "queue 3 priority 4"), site.texts)

    assert {what for _, what in found(made)} == {"PFC priority"}
    assert len(made.couplings) == 8


def test_a_coupled_change_is_an_error_with_place_and_way_out(site: Site) -> None:
    made, _ = planned(in_port(site, LEAF, "p101", "mtu 9000", "mtu 4000"), site.texts)

    (finding,) = [f for f in made.diagnostics if f.is_error]
    assert (finding.code, str(finding.origin)) == ("FAB601", "networks.compute.tiers.leaf")
    assert finding.subjects == ("leaf-0-0-0 p101 - spine-0-0 p1",)
    assert "9000 bytes -> 4000 bytes" in finding.rule
    assert finding.hint


def test_a_shut_link_can_be_changed_end_by_end(site: Site) -> None:
    running = in_port(site, LEAF, "p101", "   mtu", "   shutdown\n   mtu")
    made, _ = planned(in_port(site, LEAF, "p101", "mtu 9000", "mtu 4000"), running.texts)

    assert made.couplings == ()


def test_a_change_that_heals_a_link_is_not_coupled(site: Site) -> None:
    running = in_port(site, LEAF, "p101", "mtu 9000", "mtu 1500")
    made, _ = planned(site, running.texts)

    assert made.couplings == ()
    assert len(made.changed) == 1


def test_a_link_that_comes_up_is_not_coupled(site: Site) -> None:
    made, _ = planned(site, dict.fromkeys(site.texts, "hostname blank\n"), last_applied=None)

    assert made.couplings == ()


def test_hosts_that_must_follow_are_named(site: Site) -> None:
    made, _ = planned(in_port(site, LEAF, "p1", "mtu 9000", "mtu 4000"), site.texts)

    assert made.couplings == ()
    assert [(f.code, f.subjects) for f in made.diagnostics if f.code == "FAB607"] == [
        ("FAB607", ("host-0-0",))
    ]


@pytest.mark.parametrize("shut_before", [True, False])
def test_hosts_behind_a_port_that_is_shut_or_opens_need_not_follow(site: Site, *, shut_before: bool) -> None:
    def shut(texts: Site) -> Site:
        return in_port(texts, LEAF, "p1", "   mtu", "   shutdown\n   mtu")

    target = in_port(site, LEAF, "p1", "mtu 9000", "mtu 4000")
    before, after = (shut(site), target) if shut_before else (site, shut(target))
    made, _ = planned(after, before.texts)

    assert made.changed
    assert [] == [f for f in made.diagnostics if f.code == "FAB607"]


def test_a_host_that_must_follow_is_told_with_port_and_place(site: Site) -> None:
    made, _ = planned(in_port(site, LEAF, "p1", "mtu 9000", "mtu 4000"), site.texts)

    (finding,) = [f for f in made.diagnostics if f.code == "FAB607"]
    assert "networks.compute.tiers.leaf" == str(finding.origin)
    assert "IP MTU changes towards hosts, first host-0-0 on leaf-0-0-0 p1" == finding.rule
    assert finding.hint


def test_the_other_end_is_judged_as_it_runs_if_it_does_not_change(site: Site) -> None:
    running = {name: text for name, text in site.texts.items() if name != SPINE}
    made, _ = planned(in_port(site, LEAF, "p101", "mtu 9000", "mtu 4000"), running)

    assert "spine-0-0 was not observed" in made.couplings[0].reason


def test_beside_an_end_that_nobody_observed_only_what_it_must_have_alike_is_coupled(site: Site) -> None:
    """Whether it agrees cannot be told: a new IP MTU is held back, a new description is not."""
    running = {name: text for name, text in site.texts.items() if not name.startswith("spine")}
    mtu = planned(site.edited("mtu 9000", "mtu 4000", "leaf-0-0-0"), running, skip_unreachable=True)[0]
    text = planned(
        site.edited("description", "description new", "leaf-0-0-0"), running, skip_unreachable=True
    )[0]

    assert {(c.what, c.reason.split("; ")[1].partition(":")[0]) for c in mtu.couplings} == {
        ("IP MTU", "spine-0-0 was not observed"),
        ("IP MTU", "spine-0-1 was not observed"),
    }
    assert text.couplings == ()


CARRIERS = {
    "an address": "",
    "no address of its own": "   unnumbered\n",
    "a bond": "   bond 1\n",
    "a VLAN": "   vlan 7\n",
}


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    ("what", "old", "new"), [("IP MTU", "mtu 9000", "mtu 4000"), ("PFC priority", "   profile roce\n", "")]
)
def test_what_a_port_carries_its_traffic_by_makes_no_difference_to_coupling(
    site: Site, carrier: str, what: str, old: str, new: str
) -> None:
    """Both ends of a link carry it alike; a port with none of them carries nothing and couples nobody."""
    running = site
    for device, port in ((LEAF, "p101"), (SPINE, "p1")):
        address = next(p for p in site.switches[device].ports if p.name == port).addresses[0]
        line = f"   address {address}\n"
        running = in_port(running, device, port, line, CARRIERS[carrier] or line)
        idle = in_port(running, device, port, CARRIERS[carrier] or line, "")

    assert found(planned(in_port(running, LEAF, "p101", old, new), running.texts)[0]) == {(LINK, what)}
    assert found(planned(in_port(idle, SPINE, "p1", old, new), idle.texts)[0]) == set()
