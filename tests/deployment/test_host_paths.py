"""A host with two leaves never loses both by a change that needs no `--allow`, whatever is dead on the other one."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator

import msgspec
import pytest

from fabric import api
from fabric.compiler import Compiled
from fabric.deployment.codes import CUT_OFF_NOW
from fabric.deployment.events import Event, HostsCutOff, RunStarted
from fabric.deployment.gates.bystanders import summary_of
from fabric.deployment.gates.host_paths import EVERY_PORT, Leaves, RailPort, last_paths
from fabric.devices.model import LinkRole
from fabric.diagnostics import Refused
from fabric.planning import Impact, Plan
from fabric.platforms.emulation import PortFault
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import Words, network, site, state

IMPATIENT = msgspec.structs.replace(PACE, gate_timeout_s=1)
NIC = "{count: 1, ports: 2, speed: 400G}"
TWO_LEAVES = (
    site(f"units: 1\nhosts: {{gpu: {{gpus: 2, per_unit: 4, nics: {{compute: {NIC}}}}}}}"),
    network("planes: {count: 2, meet_at: spine}\nrails: {leaves: 1}"),
)
OURS, OTHER, HOST = "leaf-0-0-0", "leaf-1-0-0", "gpu-0-0"
WHY = "reason: bad night, owner: ops, expires: '2099-01-01'"
OTHER_TIMERS = network("routing: {bgp: {keepalive: 2s, hold: 6s}}")
SHUT = f"{{device: {OURS}, mode: shut, {WHY}}}"


def ports(made: PlayedSite, leaf: str, role: LinkRole) -> list[str]:
    return [port.name for port in made.compiled(*TWO_LEAVES).devices[leaf].ports if port.role is role]


def shut(leaf: str, names: list[str]) -> str:
    return ", ".join(f"{{device: {leaf}, port: {name}, {WHY}}}" for name in names)


def drained(_made: PlayedSite) -> Words:
    return state(f"drained: [{SHUT}]")


def host_ports_shut(made: PlayedSite) -> Words:
    return state(f"shut_ports: [{shut(OURS, ports(made, OURS, LinkRole.HOST))}]")


def other_timers(_made: PlayedSite) -> Words:
    return OTHER_TIMERS


def without_uplinks(made: PlayedSite) -> dict[str, PortFault]:
    return {name: PortFault(down=True) for name in ports(made, OTHER, LinkRole.UP)}


def without_hosts(made: PlayedSite) -> dict[str, PortFault]:
    return {name: PortFault(down=True) for name in ports(made, OTHER, LinkRole.HOST)}


@pytest.fixture(scope="module", params=PLAYED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    with played_site(tmp_path_factory.mktemp("site"), request.param, *TWO_LEAVES) as running:
        assert ended(running.apply(*TWO_LEAVES)) in ("done", "nothing")
        yield running


@pytest.fixture
def settled(made: PlayedSite) -> Iterator[PlayedSite]:
    """Afterwards it runs what it ran before."""
    yield made
    made.sandbox.clear_faults(OTHER)
    made.sandbox.advance(60)
    assert ended(made.apply(*TWO_LEAVES)) in ("done", "nothing")
    made.sandbox.advance(60)


def warned(plan: Plan) -> set[str]:
    found = (finding for finding in plan.diagnostics if finding.code == CUT_OFF_NOW.code)
    return {name for finding in found for name in finding.subjects}


def isolating(plan: Plan) -> set[str]:
    return {device.device for device in plan.changed if device.impact is Impact.ISOLATING}


def is_refused(made: PlayedSite, compiled: Compiled, plan: Plan, target: tuple[str, ...] = ()) -> bool:
    """Whether a plan is not carried out without `--allow`, with a reason and nothing changed on the leaf."""
    before = made.running(OURS)
    try:
        result = made.carry_out(compiled, pace=IMPATIENT, allow=(), target=target)
    except Refused as error:
        return OURS in isolating(plan) and "isolating" in str(error)
    assert re.match(rf".*{OURS} is the last path in service of [^:]*\b{HOST}\b", ended(result))
    assert f"`--allow isolating:{OURS}`" in ended(result)
    assert before == made.running(OURS)
    return result.outcome == "failed" and (bool(target) or OURS in warned(plan))


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("change", [drained, host_ports_shut, other_timers])
@pytest.mark.parametrize("fault", [without_uplinks, without_hosts])
def test_what_is_dead_on_the_other_leaf_counts(
    settled: PlayedSite,
    change: Callable[[PlayedSite], Words],
    fault: Callable[[PlayedSite], dict[str, PortFault]],
) -> None:
    words = change(settled)
    assert OURS not in warned(settled.planned(*TWO_LEAVES, words)[1])
    settled.sandbox.set_faults(OTHER, ports=fault(settled))
    settled.sandbox.advance(60)

    assert is_refused(settled, *settled.planned(*TWO_LEAVES, words))


@pytest.mark.covering(most=1, apart=True)
def test_another_leaf_that_does_not_answer_counts_for_nothing(settled: PlayedSite) -> None:
    settled.sandbox.set_faults(OTHER, refuse=True)

    assert is_refused(settled, *settled.planned(*TWO_LEAVES, drained(settled), only={OURS}))


@pytest.mark.covering(most=1, apart=True)
def test_uplinks_of_the_other_leaf_that_are_shut_count(settled: PlayedSite) -> None:
    lame = f"shut_ports: [{shut(OTHER, ports(settled, OTHER, LinkRole.UP))}]"
    assert ended(settled.apply(*TWO_LEAVES, state(lame))) == "done"
    settled.sandbox.advance(60)

    for more in (f"drained: [{SHUT}]", shut(OURS, ports(settled, OURS, LinkRole.HOST))):
        words = state(f"{lame}\n{more}" if more.startswith("drained") else lame.replace("[", f"[{more}, "))
        compiled, plan = settled.planned(*TWO_LEAVES, words)
        assert OURS in isolating(plan)
        assert is_refused(settled, compiled, plan)


@pytest.mark.covering(most=1, apart=True)
def test_the_other_leaf_is_back_before_this_one_goes(settled: PlayedSite) -> None:
    back = f"drained: [{{device: {OTHER}, mode: shut, {WHY}}}]"
    assert ended(settled.apply(*TWO_LEAVES, state(back))) == "done"
    compiled, plan = settled.planned(*TWO_LEAVES, drained(settled))
    assert [(OTHER,), (OURS,)] == [wave.devices for wave in plan.waves]
    assert OURS not in warned(plan)  # by then the other one is back

    assert is_refused(settled, compiled, plan, (OURS,))
    settled.sandbox.set_faults(OTHER, ports=without_uplinks(settled))
    settled.sandbox.advance(60)
    compiled, plan = settled.planned(*TWO_LEAVES, drained(settled))
    before = settled.running(OURS)
    result = settled.carry_out(compiled, pace=IMPATIENT, allow=())
    assert result.outcome == "failed"
    assert before == settled.running(OURS)


@pytest.mark.covering(most=1, apart=True)
def test_a_rollback_does_not_take_the_last_leaf(settled: PlayedSite) -> None:
    compiled, _ = settled.planned(*TWO_LEAVES, OTHER_TIMERS)
    assert ended(settled.carry_out(compiled)) == "done"
    settled.sandbox.advance(60)
    settled.sandbox.set_faults(OTHER, ports=without_uplinks(settled))
    settled.sandbox.advance(60)
    before = settled.running(OURS)

    result = api.rollback(compiled, settled.place, pace=IMPATIENT)

    assert re.match(rf".*{OURS} is the last path in service of [^:]*\b{HOST}\b", ended(result))
    assert result.outcome == "failed"
    assert before == settled.running(OURS)


@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_whose_stand_in_works_needs_no_word(settled: PlayedSite) -> None:
    assert ended(settled.carry_out(settled.planned(*TWO_LEAVES, drained(settled))[0], allow=())) == "done"


@pytest.mark.parametrize("hosts", [1, 2, 40])
@pytest.mark.parametrize("rails", [1, 2, 8])
@pytest.mark.parametrize("leaves", [1, 2, 4, 64])
def test_however_many_are_cut_off_it_is_said_in_a_line(hosts: int, rails: int, leaves: int) -> None:
    """How many hosts, the first few, and which other switches; `plan` and `apply` say the same."""
    names = [f"leaf-0-{number}" for number in range(leaves)]
    rows = [
        RailPort(f"gpu-{host:02}", rail, f"p{host}-{rail}", (("other", "p"),))
        for host in range(hosts)
        for rail in range(rails)
    ]
    gone = {name: frozenset({EVERY_PORT}) for name in names}
    silent = Leaves({}, {"other"}, (), {}, gone, (), ())
    text = summary_of(last_paths(dict.fromkeys(names, rows), silent))

    assert text.startswith("leaf-0-0 is the last path in service of ")
    assert ("gpu-00 rail" in text) is (hosts == 1)
    assert f"{hosts} hosts, gpu-00, gpu-01" in text or hosts == 1
    assert (f"{leaves - 1} more switches cut somebody off, too: leaf-0-1" in text) is (leaves > 2)
    assert ("another switch cuts somebody off, too: leaf-0-1" in text) is (leaves == 2)
    assert len(text) < 200


@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.covering(most=1, apart=True)
def test_a_run_that_is_gone_on_with_takes_a_last_path_only_where_that_is_allowed(
    settled: PlayedSite, *, allowed: bool
) -> None:
    made = settled
    compiled, _ = made.planned(*TWO_LEAVES, drained(made))

    def killed(event: Event) -> None:
        if isinstance(event, RunStarted):
            made.sandbox.set_faults(OTHER, ports=without_uplinks(made))
            made.sandbox.advance(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.apply(made.folder / "plan", compiled, made.place, pace=IMPATIENT, on_event=killed)
    allow = (f"isolating:{OURS}",) if allowed else ()
    result = api.resume(compiled, made.place, allow=allow, pace=IMPATIENT)

    assert result.outcome == ("done" if allowed else "failed")
    assert allowed or f"`--allow isolating:{OURS}`" in ended(result)


@pytest.mark.covering(most=1, apart=True)
def test_hosts_that_a_wave_is_allowed_to_cut_off_are_taken_out_of_service(settled: PlayedSite) -> None:
    """By the plan it takes nobody's last path; by its name the operator has said that it may."""
    hook = settled.folder / "hook"
    hook.write_text('#!/bin/sh\ncat >> "$1"\n')
    hook.chmod(stat.S_IRWXU)
    cordon = site("deployment: {cordon: {before: ./hook before, after: ./hook after}}")
    assert ended(settled.apply(*TWO_LEAVES, cordon)) in ("done", "nothing")
    settled.sandbox.set_faults(OTHER, ports=without_uplinks(settled))
    settled.sandbox.advance(60)
    compiled, _ = settled.planned(*TWO_LEAVES, cordon, drained(settled))
    allow = (f"isolating:{OURS}", "lockout:*")

    assert ended(settled.carry_out(compiled, pace=IMPATIENT, allow=allow)) == "done"
    assert HOST in json.loads((settled.folder / "before").read_text())["hosts"]
    assert not (settled.folder / "after").exists()
    assert HOST in settled.of(HostsCutOff)[0].hosts
    settled.sandbox.clear_faults(OTHER)
    settled.sandbox.advance(60)
    compiled, _ = settled.planned(*TWO_LEAVES, cordon)
    assert ended(settled.carry_out(compiled, pace=IMPATIENT, allow=("isolating", "lockout:*"))) == "done"
    assert HOST in json.loads((settled.folder / "after").read_text())["hosts"]
