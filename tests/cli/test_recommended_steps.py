"""What a plan recommends is accepted: typed as it stands, step after step, it ends with nothing to do."""

from __future__ import annotations

import json
import re
import shlex

import msgspec
import pytest

from fabric import sandbox
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.deployment import Journal, State
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.journal_tables import tables
from fabric.resources import scratch
from tests.cli.test_help import ALL
from tests.ports import free_port

MOST = 6
"""Steps from fresh switches to nothing to do, and some to spare."""


@pytest.fixture
def lab(fabric, site):
    """The site with a running sandbox."""
    ran = fabric("sandbox", "up", "--port", free_port())
    assert ran.code == 0, ran.err
    yield fabric
    sandbox.down(folder_of_sandbox(site))


def step(ran):
    """The command that the last line names; None if it names none."""
    named = re.search(r"Run `fabric ([^`]*)`", ran.err.splitlines()[-1])
    return shlex.split(named[1]) if named else None


def walked(fabric, words):
    """Every step from a command on, as each recommends the next, up to an apply or one that has nothing to say."""
    taken = []
    while words is not None and len(taken) < MOST:
        yes = ["--yes"] if words[0] == "apply" else []
        ran = fabric(*words, *yes)
        taken.append(" ".join(words))
        assert "error:" not in ran.err, (taken, ran.err)
        if words[0] == "apply":
            return taken
        words = step(ran)
    return taken


PLANS = {
    "plain": (),
    "saved elsewhere": ("--out", "a plan"),
    "of some devices": ("--target", "role:leaf", "--device", "spine-0"),
    "with new secrets": ("--rotate-secrets",),
    "of what answers": ("--skip-unreachable",),
}


@pytest.mark.parametrize("options", PLANS.values(), ids=PLANS)
def test_every_plan_leads_to_an_apply_that_is_accepted(lab, options):
    taken = walked(lab, ["plan", "--sandbox", *options])
    again = lab("plan", "--sandbox", *options)

    assert [one.split()[0] for one in taken] == ["plan", "plan", "apply"]
    assert "--adopt" in taken[1]
    assert again.code == 0


def test_after_a_lost_journal_the_next_step_is_to_adopt(lab, site):
    walked(lab, ["plan", "--sandbox"])
    (folder_of_sandbox(site) / "journal.sqlite").unlink()
    lab("sandbox", "drift", "leaf-0-0", "interface Ethernet1/1", "   mtu 1600")

    taken = walked(lab, ["plan", "--sandbox"])

    assert [one.split()[0] for one in taken] == ["plan", "plan", "apply"]


def test_a_network_that_runs_without_a_lock_is_told_until_it_has_one(lab):
    first = lab("plan", "--sandbox", "--adopt")
    walked(lab, ["plan", "--sandbox"])
    after = lab("plan", "--sandbox")
    lab("compile")

    assert ["FAB741" in ran.err for ran in (first, after, lab("plan", "--sandbox"))] == [False, True, False]


WORDS = {
    "isolatin": "there is no impact 'isolatin' to allow",
    "flap": "there is no impact 'flap' to allow",
    ":leaf-0-0": "there is no impact '' to allow",
    "isolating:leaf-0-9": "the plan has no device 'leaf-0-9'",
    "lockout:nosuch*": "the plan has no device 'nosuch*'",
    "lockout:": "the plan has no device ''",
}
"""What allows nothing, and what is said of it."""
CHANGES = {
    "a saved plan": ("apply", ".fabric/plan", "--yes"),
    "plan by plan": ("apply", "--yes"),
    "going on": ("apply", "--resume"),
    "a rollback": ("rollback", "--yes"),
    "what a rollback would do": ("rollback", "--dry-run"),
}


def test_what_is_allowed_must_exist(lab):
    """Of every command that takes `--allow`; all read it alike, so each word is typed after one or two of them."""
    assert {"apply", "rollback"} == {
        name for name, one in ALL.items() for p in one.params if p.name == "allow"
    }
    walked(lab, ["plan", "--sandbox"])

    for number, typed in enumerate(CHANGES.values()):
        for word, reason in [*WORDS.items()][number : number + 2]:
            ran = lab(*typed, "--sandbox", "--allow", "isolating", "--allow", word)
            said = " ".join(ran.err.split())
            assert (ran.code, "Run `fabric" in ran.err) == (1, False), (typed, word)
            assert f"FAB734: --allow {word}: {reason} hint: known: " in said, (typed, word)
        assert "hint: known: isolating, lockout" in " ".join(
            lab(*typed, "--sandbox", "--allow", "isolatin").err.split()
        )


def test_the_nearest_device_is_named_first(lab):
    walked(lab, ["plan", "--sandbox"])
    ran = lab("rollback", "--sandbox", "--allow", "lockout:spine-11")

    assert "known: spine-1, spine-0, leaf" in ran.err


def test_an_apply_that_would_be_refused_asks_nobody(lab):
    plan = lab("plan", "--sandbox")
    ran = lab("apply", ".fabric/plan", "--sandbox")

    assert plan.code == 2
    assert "FAB712" in ran.err
    assert "`fabric plan --sandbox --adopt`" in " ".join(ran.err.split())
    assert ran.out == ""


DRAINED = "".join(
    f"- {{device: {spine}, mode: shut, reason: optics are swapped, owner: ops, expires: '2099-01-01'}}\n"
    for spine in ("spine-0", "spine-1")
)
REFUSED = {
    "never applied": ((), "", "FAB712"),
    "a timer that is too short": (("--timer", "1s"), "", "FAB7"),
    "what cuts hosts off": ((), "drained:\n" + DRAINED, "FAB713"),
}
"""Words of an apply, the state of the site, and the refusal."""


@pytest.mark.parametrize(("words", "state", "code"), REFUSED.values(), ids=REFUSED)
def test_a_plan_that_is_refused_is_summarised(lab, site, words, state, code):
    """Why it is refused does not stand at the end of thousands of lines; nobody is asked."""
    if state:
        walked(lab, ["plan", "--sandbox"])
        (site / "state.yaml").write_text(state)
    whole = lab("plan", "--sandbox")
    ran = lab("apply", "--sandbox", *words)

    assert (ran.code, "@@" in whole.out, "@@" in ran.out) == (1, True, False), ran.err
    assert ran.err.startswith(f"error: {code}"), ran.err
    assert ran.out.startswith("Plan for lab against the running network")
    assert " changed, " in ran.out
    assert len(ran.out.splitlines()) < 16


def test_a_commit_of_a_killed_run_that_waits_is_something_to_take_back(lab, site):
    """Though no plan shows it: the dry run ends with 2, and its last line names the rollback, which tells of it."""
    walked(lab, ["plan", "--sandbox", "--adopt"])
    journal = Journal(scratch(site) / "sandbox" / "journal.sqlite")
    last = journal.steps(journal.runs("lab")[0].id)[0]
    job = msgspec.structs.replace(last.job, before=last.after)
    run = journal.begin(NewRun(site="lab", kind="apply", owner="ana@runner", jobs=(job,)))
    journal.start(run)
    journal.mark(run, {job.device: State.COMMITTED})
    with journal.engine.begin() as connection:
        connection.execute(tables().locks.delete())
    shown = lab("rollback", run, "--sandbox", "--dry-run")
    done = lab(*step(shown), "--yes")

    assert (shown.code, done.code) == (2, 0)
    assert f"What it has left on {job.device} is taken back." in shown.out
    told = lab("rollback", "99", "--sandbox", "--format", "json")
    assert json.loads(told.out.splitlines()[-1])["error"]["code"] == "FAB722", told.out
    assert f"{job.device}: what was unconfirmed is taken back" in done.err
    assert "nothing to do" not in done.err


def test_a_dry_run_names_what_waits_beside_what_it_changes(lab, site):
    walked(lab, ["plan", "--sandbox", "--adopt"])
    journal, known = Journal(scratch(site) / "sandbox" / "journal.sqlite"), tables()
    run = journal.runs("lab")[0].id
    waits = journal.steps(run)[0].job.device
    here = (known.steps.c.run == run) & (known.steps.c.device == waits)
    with journal.engine.begin() as connection:  # as if it was killed then
        opened = {"finished": None, "state": "running"}
        connection.execute(known.runs.update().where(known.runs.c.id == run).values(**opened))
        connection.execute(known.steps.update().where(here).values(state=State.COMMITTED.value, after=""))
    shown = lab("rollback", run, "--sandbox", "--dry-run")

    assert shown.code == 2, shown.err
    assert f"What is unconfirmed on {waits} is taken back first" in shown.out
    record = json.loads(lab("rollback", run, "--sandbox", "--dry-run", "--format", "json").out)
    assert record["unconfirmed"] == [waits]
