"""Each fault does what it says, is seen by the software in the boxes, and is gone when it is cleared."""

from __future__ import annotations

import json
import time

import pytest

from fabric.diagnostics import Refused
from fabric.lab import Fault, clear, inject
from fabric.lab.faults import KINDS
from fabric.lab.status import status
from tests.lab.labs import QUICK, small_lab, small_site
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def shared():
    with small_lab(small_site(routing=QUICK), configured=True) as lab:
        yield lab


@pytest.fixture
def lab(shared):
    """The lab, whole: every session up, every neighbour seen; and so it is left."""
    whole(shared)
    yield shared
    clear(shared)


def whole(lab):
    lab.wait_for_sessions(PATIENCE_S)
    ends = {end: cable.other_end(*end) for cable in lab.state.cables for end in cable.ends}
    until(lambda: neighbors(lab) == ends, PATIENCE_S, "lldp")


def neighbors(lab):
    return {
        (name, port): neighbor for name in lab.state.boxes for port, neighbor in lab.neighbors(name).items()
    }


def fabric_cables(lab):
    return [cable for cable in lab.state.cables if {cable.a, cable.b} <= set(lab.switches)]


def sessions_down(lab):
    """Switches of which a session is down."""
    return {name for name in lab.switches if any(not session.is_up for session in lab.sessions(name))}


def carrier(lab, name, port):
    link = json.loads(lab.output(name, "ip", "-j", "link", "show", "dev", port))[0]
    return "LOWER_UP" in link["flags"]


def an_example(lab, kind):
    first, *_, second = fabric_cables(lab)
    daemon = "bgpd" if kind in ("killed", "stopped") else ""
    port = first.a_port if kind in ("down", "silent", "swapped", "moved") else ""
    other = {"swapped": (second.a, second.a_port), "moved": (second.a, "swp60")}.get(kind, ("", ""))
    return Fault(kind=kind, box=first.a, port=port, other_box=other[0], other_port=other[1], daemon=daemon)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_felt_and_clearing_it_makes_the_lab_whole(lab, kind):
    before = processes(lab, "bgpd")
    fault = an_example(lab, kind)
    inject(lab, fault)

    if kind == "killed":
        until(lambda: processes(lab, "bgpd") not in (before, {}), PATIENCE_S, "a new bgpd")
        assert () == lab.state.faults
    else:
        until(lambda: fault.box in sessions_down(lab) or not lab.sessions(fault.box), PATIENCE_S, kind)
        assert (fault,) == clear(lab)
    whole(lab)


def processes(lab, daemon):
    return {
        name: pids for name in lab.switches if (pids := lab.run(name, "cat", f"/run/frr/{daemon}.pid").stdout)
    }


def test_a_port_that_is_down_takes_carrier_from_its_other_end(lab):
    cable = fabric_cables(lab)[0]
    inject(lab, Fault(kind="down", box=cable.a, port=cable.a_port))

    until(lambda: not carrier(lab, cable.b, cable.b_port), PATIENCE_S, "loss of carrier")


def test_a_silent_cable_keeps_carrier_and_loses_its_neighbours(lab):
    cable = fabric_cables(lab)[0]
    inject(lab, Fault(kind="silent", box=cable.a, port=cable.a_port))

    until(lambda: not set(cable.ends) & set(neighbors(lab)), PATIENCE_S, "lldp to forget")
    assert carrier(lab, *cable.ends[0])
    assert carrier(lab, *cable.ends[1])


def test_swapped_cables_are_seen_by_lldp_at_four_ends(lab):
    first, *_, second = fabric_cables(lab)
    swapped = {
        first.ends[0]: second.ends[1],
        second.ends[1]: first.ends[0],
        second.ends[0]: first.ends[1],
        first.ends[1]: second.ends[0],
    }
    inject(
        lab,
        Fault(kind="swapped", box=first.a, port=first.a_port, other_box=second.a, other_port=second.a_port),
    )

    until(lambda: swapped.items() <= neighbors(lab).items(), PATIENCE_S, "lldp at four ends")


def test_a_moved_cable_is_seen_at_its_new_port_and_leaves_the_old_one_without_carrier(lab):
    cable = fabric_cables(lab)[0]
    inject(lab, Fault(kind="moved", box=cable.a, port=cable.a_port, other_box=cable.a, other_port="swp60"))

    until(lambda: neighbors(lab).get(cable.ends[1]) == (cable.a, "swp60"), PATIENCE_S, "lldp")
    assert not carrier(lab, cable.a, cable.a_port)


def test_a_dead_box_runs_nothing_and_does_not_answer(lab):
    box = lab.switches[0]
    inject(lab, Fault(kind="dead", box=box))

    assert [()] == [row.daemons for row in status(lab) if row.name == box]
    assert not carrier(lab, box, "eth0")


def test_a_stopped_daemon_stays_dead(lab):
    box = lab.switches[0]
    inject(lab, Fault(kind="stopped", box=box, daemon="bgpd"))
    daemons = next(row.daemons for row in status(lab) if row.name == box)

    assert "zebra" in daemons
    assert not {"bgpd", "watchfrr"} & set(daemons)


@pytest.mark.parametrize("daemon", ["sshd", "lldpd"])
def test_what_every_box_has_comes_again_when_killed_and_stays_dead_when_stopped(lab, daemon):
    """lldpd ends by itself now and then, when a port goes that it looks at: nobody would see neighbours any more."""
    box = lab.switches[0]

    def pids():
        return lab.run(box, "pidof", daemon).stdout.split()

    before = pids()
    inject(lab, Fault(kind="killed", box=box, daemon=daemon))
    until(lambda: pids() and not set(pids()) & set(before), PATIENCE_S, f"another {daemon}")
    whole(lab)

    inject(lab, Fault(kind="stopped", box=box, daemon=daemon))
    time.sleep(2.5)  # a watchdog would have started it by now
    assert daemon not in next(row.daemons for row in status(lab) if row.name == box)
    inject(lab, Fault(kind="dead", box=box))
    clear(lab)  # the box starts with all its daemons before the one is cleared that was stopped
    until(lambda: daemon in next(row.daemons for row in status(lab) if row.name == box), PATIENCE_S, daemon)
    inject(lab, Fault(kind="stopped", box=box, daemon=daemon))
    time.sleep(2.5)
    assert daemon not in next(row.daemons for row in status(lab) if row.name == box)


def test_two_reasons_for_silence_are_cleared_one_by_one(lab):
    cable = fabric_cables(lab)[0]
    inject(lab, Fault(kind="silent", box=cable.a))
    inject(lab, Fault(kind="silent", box=cable.b, port=cable.b_port))
    clear(lab, cable.a)
    chains = lab.output(cable.a, "nft", "list", "ruleset")

    assert cable.a_port in chains
    clear(lab)
    assert "drop" not in lab.output(cable.a, "nft", "list", "ruleset")


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(kind="down", box="leaf-9"), "no box"),
        (Fault(kind="down", box="leaf-0-0", port="swp63"), "no cable"),
        (Fault(kind="killed", box="leaf-0-0", daemon="init"), "no daemon"),
        (
            Fault(kind="swapped", box="leaf-0-0", port="swp1", other_box="leaf-0-0", other_port="swp1"),
            "no cable|itself",
        ),
    ],
)
def test_a_fault_that_names_nothing_changes_nothing(lab, fault, message):
    before = lab.state
    with pytest.raises(Refused, match=message):
        inject(lab, fault)

    assert before == lab.state
