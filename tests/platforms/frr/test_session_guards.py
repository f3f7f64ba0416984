"""GTSM and limits of prefixes between switches, in real FRR: what comes up, what stays down, what stays up.

FRR 8.4.4 counts what it has before it takes the next prefix: the second one above a limit ends the session.
"""

from __future__ import annotations

import pytest

from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, needed_lab
from tests.platforms.frr.test_live import reload

pytestmark = pytest.mark.live
GTSM = "ttl-security hops 1"
FAMILIES = ["ipv4", "dual", "unnumbered"]


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def guarded(family):
    """The eight switches with GTSM."""
    text = sites.EIGHT.format(family=family, platform="frr", model="nvidia-sn5600")
    return sites.Site(text.replace("env:BGP}", "env:BGP, ttl_security: true}"))


def keys(switch):
    """The sessions of a switch as FRR names them."""
    return {str(one.address) if one.address else one.port for one in switch.routing.neighbors}


def is_up(lab, name, among):
    """Whether all of some sessions are established."""
    found = lab.sessions(name)
    return {"Established"} == {found.get(key) for key in among}


def between(switch, peer):
    """The sessions of a switch with one neighbour."""
    return {str(n.address) if n.address else n.port for n in switch.routing.neighbors if n.peer == peer}


@pytest.mark.parametrize("family", FAMILIES)
def test_sessions_with_gtsm_at_both_ends_come_up(family):
    site = guarded(family)

    assert all(GTSM in files["frr.conf"] for files in site.files.values())
    with Lab(site.switches, site.files) as lab:
        for name, switch in site.switches.items():
            assert lab.wait(lambda name=name, switch=switch: is_up(lab, name, keys(switch))), name


@pytest.mark.parametrize("family", FAMILIES)
def test_a_session_with_gtsm_at_one_end_alone_stays_down(family):
    """The other end sends with a TTL of 1, as eBGP does: nothing of it is taken."""
    site = guarded(family)
    leaf, (right, wrong) = site.of_role("leaf")[0], site.of_role("spine")[:2]
    bare = {line for line in site.files[wrong]["frr.conf"].splitlines() if GTSM not in line}
    kept = [line for line in site.files[wrong]["frr.conf"].splitlines() if line in bare]
    files = site.files | {wrong: site.files[wrong] | {"frr.conf": "\n".join(kept) + "\n"}}
    chosen = {name: site.switches[name] for name in (leaf, right, wrong)}
    with Lab(chosen, {name: files[name] for name in chosen}) as lab:
        switch = site.switches[leaf]
        assert lab.wait(lambda: is_up(lab, leaf, between(switch, right)))
        assert not lab.wait(lambda: "Established" in states(lab, leaf, between(switch, wrong)), limit_s=5)


def states(lab, name, among):
    """States of some sessions."""
    return {state for key, state in lab.sessions(name).items() if key in among}


def established(lab, name):
    """How often each session has come up."""
    found = lab.asked(name, "show bgp neighbors json")
    return {peer: one["connectionsEstablished"] for peer, one in found.items()}


def limited(text, most):
    """A configuration with another limit."""
    return text.replace("maximum-prefix 128", f"maximum-prefix {most}")


def test_a_limit_that_is_changed_and_not_exceeded_ends_no_session():
    """Superspines send far fewer prefixes than 99."""
    site = sites.eight("ipv4")
    spine = site.of_role("spine")[0]
    switch, text = site.switches[spine], site.files[spine]["frr.conf"]

    assert {128} == {one.max_prefixes for one in switch.routing.neighbors}
    with Lab(site.switches, site.files) as lab:
        assert lab.wait(lambda: is_up(lab, spine, keys(switch)))
        before = established(lab, spine)
        lab.boxes[spine].write("etc/frr/frr.conf", limited(text, 99))
        reload(lab, spine, "--reload")

        assert "maximum-prefix 99" in lab.vtysh(spine, "show running-config")
        assert is_up(lab, spine, keys(switch))
        assert before == established(lab, spine)


def test_a_limit_that_is_exceeded_ends_the_session():
    """A spine sends a leaf more than two prefixes."""
    site = sites.eight("ipv4")
    leaf = site.of_role("leaf")[0]
    strict = {"frr.conf": limited(site.files[leaf]["frr.conf"], 1)}
    with Lab(site.switches, site.files | {leaf: site.files[leaf] | strict}) as lab:
        assert lab.wait(lambda: "(PfxCt)" in lab.vtysh(leaf, "show bgp summary"))
