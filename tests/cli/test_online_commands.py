"""The commands that talk to devices, against a sandbox that `fabric sandbox up` started."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import jsonschema
import msgspec
import pytest

from fabric import api, sandbox
from fabric.api import open_site
from fabric.cli import main, open_sandbox
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.cli.output_schemas import printed_schema
from fabric.cli.where import Where
from fabric.deployment import WEEKDAYS, Journal, break_lock, holder
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.diagnostics import Refused
from tests.cli.test_help import ALL
from tests.ports import free_port


@pytest.fixture
def lab(fabric, site):
    """The site with a running sandbox."""
    ran = fabric("sandbox", "up", "--port", free_port())
    assert ran.code == 0, ran.err
    yield fabric
    sandbox.down(folder_of_sandbox(site))


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_site_goes_from_fresh_switches_to_nothing_to_do_and_back(lab):
    planned = lab("plan", "--sandbox", "--adopt")
    applied = lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")
    again = lab("plan", "--sandbox")
    steady = lab("drift", "--sandbox")
    typed = lab("sandbox", "drift", "leaf-0-0", "interface Ethernet1/1", "   mtu 1600")
    drifted = lab("drift", "--sandbox")
    repaired = lab("plan", "--sandbox", "--format", "json")

    assert [planned.code, applied.code, again.code, steady.code] == [2, 0, 0, 0]
    assert planned.err.splitlines()[-2].startswith("6 devices: 6 changed, 0 unchanged, 6 adopted (")
    allowed = "--allow 'lockout:leaf-*' --allow lockout:spine-0 --allow lockout:spine-1"
    next_step = f"Run `fabric apply .fabric/plan --sandbox {allowed}` to make these changes."
    assert planned.err.splitlines()[-1] == next_step
    assert applied.err.splitlines()[0].startswith("6 devices: 6 confirmed (")
    assert "No changes. Beside the intent 6 lines that are not ours run on 6 devices." in again.out
    assert [typed.code, drifted.code, repaired.code] == [0, 2, 2]
    assert "+   mtu 1600" in drifted.out
    assert [d["device"] for d in json.loads(repaired.out)["plan"]["devices"] if d["action"] != "nothing"] == [
        "leaf-0-0"
    ]


def test_devices_that_match_are_recorded_after_the_journal_was_lost(lab, site):
    lab("plan", "--sandbox", "--adopt")
    lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")
    (folder_of_sandbox(site) / "journal.sqlite").unlink()
    warned = lab("plan", "--sandbox")
    planned = lab("plan", "--sandbox", "--adopt")
    recorded = lab("apply", ".fabric/plan", "--sandbox", "--yes")
    runs = json.loads(lab("history", "--sandbox", "--format", "json").out)["runs"]
    again = lab("plan", "--sandbox", "--adopt")

    assert [warned.code, planned.code, recorded.code, again.code] == [0, 2, 0, 0]
    assert "FAB726" in warned.err
    assert "FAB730" in planned.err
    assert planned.err.splitlines()[-1] == (
        "Run `fabric apply .fabric/plan --sandbox` to record these devices as ours."
    )
    assert "adopted 6 devices as they are; nothing to change" in recorded.err
    assert [("adopt", "6 of 6", "adopted as it is", "done")] == [
        (run["kind"], run["confirmed"], run["changed"], run["state"]) for run in runs
    ]
    assert "FAB726" not in again.err


def test_what_refuses_an_apply_is_said_before_anybody_is_asked(lab, site):
    """A closed window, and a run that did not finish: of that hear those too who only look at devices."""
    lab("plan", "--sandbox", "--adopt")
    allowed = ("--allow", "lockout:*")
    text = (site / "site.yaml").read_text()
    other_day = WEEKDAYS[(datetime.now(UTC).weekday() + 3) % 7]
    window = f'{{days: [{other_day}], begins: "01:00", ends: "02:00", zone: UTC}}'
    (site / "site.yaml").write_text(f"{text}deployment:\n  windows: [{window}]\n")
    lab("plan", "--sandbox", "--adopt")
    late = lab("apply", ".fabric/plan", "--sandbox", *allowed)
    (site / "site.yaml").write_text(text)
    lab("plan", "--sandbox", "--adopt")
    journal = Journal(folder_of_sandbox(site) / "journal.sqlite")
    journal.start(journal.begin(NewRun(site="lab", kind="apply", owner="ana")))
    known = holder(journal, "lab")
    locked = lab("apply", ".fabric/plan", "--sandbox", *allowed)
    looked = lab("drift", "--sandbox")
    assert known is not None
    break_lock(journal, "lab", known)
    unfinished = lab("apply", ".fabric/plan", "--sandbox", *allowed)

    for ran, code in ((late, "FAB729"), (locked, "FAB720"), (unfinished, "FAB721")):
        assert f"error: {code}: " in ran.err
        assert "This changes the running network" not in ran.out
    assert "FAB720: lab is locked by ana" in looked.err
    assert "What it has not confirmed yet shows as well" in looked.err


def test_what_was_typed_is_shown_and_recorded_when_asked_for(lab):
    lab("plan", "--sandbox", "--adopt")
    lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")
    lab("sandbox", "drift", "leaf-0-0", "interface Ethernet1/1", "   mtu 1600")
    drifted = lab("drift", "--sandbox")
    shown = lab("plan", "--refresh-only", "--sandbox")
    recorded = lab("plan", "--refresh-only", "--record", "--sandbox")
    again = lab("plan", "--refresh-only", "--sandbox")
    planned = lab("plan", "--sandbox")
    typed = lab("history", "leaf-0-0", "--sandbox", "-v")

    assert [shown.code, recorded.code, again.code, planned.code] == [2, 0, 0, 2]
    assert shown.out == drifted.out == recorded.out
    assert "The journal has it as run 2" in recorded.err
    assert "-   mtu 1600" in planned.out
    assert "+   mtu 1600" in typed.out


def test_what_is_recorded_is_told_beside_a_device_that_does_not_answer(lab):
    lab("plan", "--sandbox", "--adopt")
    lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")
    lab("sandbox", "drift", "leaf-0-0", "interface Ethernet1/1", "   mtu 1600")
    lab("sandbox", "fault", "leaf-0-1", "--deny-login")
    recorded = lab("plan", "--refresh-only", "--record", "--sandbox")
    lab("sandbox", "fault", "leaf-0-1", "--clear")

    assert recorded.code == 1
    assert "leaf-0-1: not compared" in recorded.out
    assert "The journal has it as run 2" in recorded.err


@pytest.mark.parametrize(
    "words",
    [("--offline", "."), ("--adopt",), ("--target", "leaf-0-0"), ("--out", "x"), ("--format", "markdown")],
)
def test_to_show_what_was_typed_is_to_plan_nothing(fabric, words):
    ran = fabric("plan", "--refresh-only", *words)

    assert (ran.code, "FAB901: --refresh-only plans nothing" in ran.err) == (1, True)


def test_drift_tells_what_was_typed_what_it_does_and_what_a_plan_keeps(lab):
    lab("plan", "--sandbox", "--adopt")
    lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")
    lab("sandbox", "drift", "leaf-0-0", "interface Ethernet1/1", "   shutdown")
    lab("sandbox", "drift", "leaf-0-0", "ntp server vrf MGMT 192.0.2.66")

    text = lab("drift", "--sandbox").out
    document = json.loads(lab("drift", "--sandbox", "--format", "json").out)
    jsonschema.validate(document, printed_schema("drift"))
    (device,) = document["drifted"]

    assert "1 device: leaf-0-0: flap" in text
    assert "+   shutdown" in text
    assert "1 line that is not ours is kept by a plan" in text
    assert ("flap", ["ntp server vrf MGMT 192.0.2.66"]) == (device["impact"], device["kept"])
    assert {"flap", "none"} == {change["impact"] for change in device["changes"]}


def test_the_history_of_a_device_has_the_lines_of_each_run(lab, site):
    lab("plan", "--sandbox", "--adopt")
    lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")
    with (site / "site.yaml").open("a") as file:
        file.write("services: {ntp: {servers: [192.0.2.77]}}\n")
    lab("plan", "--sandbox")
    lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*")

    record = json.loads(lab("history", "leaf-0-0", "--sandbox", "-v", "--format", "json").out)
    text = lab("history", "leaf-0-0", "--sandbox", "-v").out

    assert [2, 1] == [row["run"] for row in record["changes"]]
    assert "192.0.2.77" in record["diffs"]["2"]
    assert "192.0.2.77" not in record["diffs"]["1"]
    assert "192.0.2.77" in text


def test_links_change_phase_by_phase_until_nothing_is_left(lab, site, monkeypatch):
    """Without a saved plan each phase follows the one before; with one, it says what comes next."""
    assert lab("plan", "--sandbox", "--adopt").code == 2
    assert lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*").code == 0
    text = (site / "site.yaml").read_text()
    pool = "    addressing: {fabric_pool: 10.192.0.0/12}\n    tiers:"
    (site / "site.yaml").write_text(text.replace("    tiers:", pool, 1))

    planned = lab("plan", "--sandbox")
    first = lab("apply", ".fabric/plan", "--sandbox", "--yes")
    rest = lab("apply", "--sandbox", "--yes")
    again = lab("apply", "--sandbox", "--yes")
    back = lab("rollback", "--sandbox", "--dry-run")

    assert [planned.code, first.code, rest.code, again.code] == [2, 0, 0, 0]
    assert "1 in later phases" in planned.out
    assert "This is one phase of the change; at most" in planned.out
    assert "Run `fabric plan --sandbox` for the next phase, or `fabric rollback" in first.err
    assert re.search(r"rollback \d+ .*--dry-run.*; then run.* 2.*, which made its earlier phases", rest.err)
    assert re.search("It was one phase of a change: what runs? 2.* did before stays", back.out)
    assert "No changes." in again.out
    assert lab("plan", "--sandbox").code == 0
    (site / "site.yaml").write_text(text)
    outside = Refused("FAB729: no maintenance window is open", "")
    windows = iter([None, None, outside, *[None] * 9])  # asked before and after each plan is shown

    def closes(*_: object) -> None:
        if refused := next(windows):
            raise refused

    with monkeypatch.context() as patched:
        patched.setattr(api, "check_window", closes)
        late = lab("apply", "--sandbox", "--yes")
    assert late.code == 2
    assert "run `fabric apply --sandbox` in the next one" in late.err
    both = lab("apply", "--sandbox", "--yes")
    assert (both.code, lab("plan", "--sandbox").code) == (0, 0)
    assert late.err.count("The next phase is planned now. Later, run `fabric rollback") == 1
    assert "for the next phase" not in both.err


def test_an_apply_is_a_stream_of_json_lines_and_can_be_taken_back(lab):
    lab("plan", "--sandbox", "--adopt", "--out", "first")

    applied = lab("apply", "first", "--sandbox", "--yes", "--allow", "lockout:*", "--format", "json")
    shown = lab("rollback", "--sandbox", "--dry-run")
    refused = lab("rollback", "--sandbox", "--yes")
    back = lab(*_next_command(shown.err)[1:], "--yes")

    lines = records(applied.out)
    assert lines[0]["type"] == "version"
    assert {"run_started", "wave_started", "device_stepped", "wave_finished", "run_finished"} <= {
        r["type"] for r in lines
    }
    assert (lines[-1]["type"], lines[-1]["outcome"]) == ("result", "done")
    assert all(record["@timestamp"] for record in lines)
    assert (shown.code, refused.code, back.code) == (2, 1, 0), back.err
    assert "is not allowed for" in refused.err
    assert _next_command(shown.err)[:4] == ["fabric", "rollback", "1", "--sandbox"]
    assert shown.out.startswith("Takes back run 1 (apply by ")
    assert lab("plan", "--sandbox").code == 2


def _next_command(text):
    return shlex.split(text.rpartition("Run `")[2].partition("`")[0])


def test_targets_of_an_apply_are_all_that_it_changes(lab):
    lab("plan", "--sandbox", "--adopt")
    options = ("--sandbox", "--yes", "--allow", "lockout:*")

    nothing = lab("apply", ".fabric/plan", *options, "--target", "rail:9")
    resumed = lab("apply", "--resume", *options, "--target", "rail:1")
    part = lab("apply", ".fabric/plan", *options, "--target", "rail:1", "--target", "spine-0")
    rest = lab("plan", "--sandbox", "--adopt", "--format", "json")
    done = lab("plan", "--sandbox", "--adopt", "--target", "rail:1", "--target", "spine-0")

    assert [1, 1, 0, 2, 0] == [nothing.code, resumed.code, part.code, rest.code, done.code]
    assert "FAB615: 'rail:9' matches no device" in nothing.err
    assert "--resume goes on with the whole run" in resumed.err
    assert part.err.splitlines()[0].startswith("2 devices: 2 confirmed (")
    left = {d["device"] for d in json.loads(rest.out)["plan"]["devices"] if d["action"] != "nothing"}
    assert {"leaf-0-0", "leaf-0-2", "leaf-0-3", "spine-1"} == left


def test_nothing_is_changed_without_a_yes(lab):
    lab("plan", "--sandbox", "--adopt")

    ran = lab("apply", ".fabric/plan", "--sandbox", "--allow", "lockout:*")

    assert ran.code == 1
    assert "error: FAB904: no terminal to confirm at" in ran.err
    assert "devices  6 in " in ran.out
    assert lab("plan", "--sandbox", "--adopt").err.splitlines()[-2].startswith("6 devices: 6 changed")


def test_a_plan_of_another_intent_is_refused(lab, site):
    lab("plan", "--sandbox", "--adopt")
    (site / "site.yaml").write_text((site / "site.yaml").read_text() + "    ip_mtu: 8000\n")

    ran = lab("apply", ".fabric/plan", "--sandbox", "--yes")

    assert ran.code == 1
    assert "the intent has changed since the plan was made" in ran.err


def test_a_device_that_does_not_answer_is_an_error_unless_it_is_left_for_later(lab, site):
    lab("sandbox", "fault", "leaf-0-1", "--refuse")

    refused = lab("plan", "--sandbox", "--adopt")
    skipped = lab("plan", "--sandbox", "--adopt", "--skip-unreachable", "--out", "five")
    drift = lab("drift", "--sandbox")
    skipping = lab("drift", "--sandbox", "--skip-unreachable")
    one = lab("plan", "--sandbox", "--adopt", "--device", "leaf-0-0", "--format", "json", "--jobs", "1")

    assert [refused.code, skipped.code, drift.code, skipping.code, one.code] == [1, 2, 1, 0, 2]
    assert "FAB605: " in refused.err
    assert "    on: leaf-0-1\n" in refused.err
    assert "will not be applied as it is" in refused.err
    assert "FAB605: warning: " in skipped.err
    assert "1 not compared" in skipping.err
    assert "FAB605" not in one.err
    planned = json.loads((site / "five" / "plan.json").read_text())["devices"]
    assert [device["device"] for device in planned] == [
        "leaf-0-0",
        "leaf-0-2",
        "leaf-0-3",
        "spine-0",
        "spine-1",
    ]
    assert lab("sandbox", "status", "--format", "csv").out.count("refuse=True") == 1
    lab("sandbox", "fault", "leaf-0-3", "--port", "*", "--mtu-bytes", "1500")
    assert "ports * mtu_bytes=1500\n" in lab("sandbox", "status").out


def test_a_plan_against_files_needs_no_device(fabric, site):
    backups = site / "backups"
    backups.mkdir()
    for name in ("leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3", "spine-0", "spine-1"):
        (backups / f"{name}.cfg").write_text(f"hostname {name}\n")

    ran = fabric("plan", "--offline", "backups", "--out", "pr")

    assert ran.code == 2
    assert "against saved configurations" in ran.out
    assert (site / "pr" / "plan.json").is_file()


def test_without_a_sandbox_the_way_to_one_is_named(fabric):
    ran = fabric("plan", "--sandbox")

    assert ran.code == 1
    assert "error: FAB910: no sandbox of this site is running\n    hint: run `fabric sandbox up" in ran.err


def test_a_sandbox_to_which_nothing_was_applied_has_an_empty_history(fabric, site, monkeypatch):
    (site / "site.yaml").write_text((site / "site.yaml").read_text() + "nonsense: 1\n")
    without = fabric("history", "--sandbox")
    monkeypatch.setattr("fabric.sandbox.status", lambda _folder: "runs")
    (site / ".fabric/sandbox").mkdir(parents=True)
    ran = fabric("history", "--sandbox")

    assert "FAB910" in without.err
    assert ran.code == 0, ran.err
    assert "FAB910" not in ran.err


def test_a_sandbox_that_does_not_run_is_no_error_to_end(fabric):
    assert main(["sandbox", "down"]) == 0


@pytest.mark.parametrize("verb", ["apply", "rollback"])
@pytest.mark.parametrize("reason", ["", "  "])
def test_a_reason_that_says_nothing_opens_no_window(fabric, verb, reason):
    ran = fabric(verb, "--now", reason)

    assert ran.code == 1
    assert "FAB901: --now needs a reason" in ran.err


@pytest.mark.parametrize("verb", ["up", "down"])
def test_fresh_devices_have_no_history_however_the_sandbox_before_them_has_ended(
    fabric, site, monkeypatch, verb
):
    """A program that was killed leaves SQLite's own files too, and a machine that was switched off all of them."""

    def refused(*_given, **_options):
        raise Refused("no port is free")

    monkeypatch.setattr("fabric.sandbox.up", refused)
    folder = site / ".fabric" / "sandbox"
    folder.mkdir(parents=True)
    for end in ("", "-wal", "-shm"):
        (folder / f"journal.sqlite{end}").touch()
    fabric("sandbox", verb)

    assert list(folder.glob("journal*")) == []


def test_growth_within_capacity_moves_nothing_and_beyond_it_is_listed(fabric, site):
    alone = fabric("resize")
    fabric("compile")
    still = fabric("resize")
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(
        text.replace("site: lab\n", "site: lab\nunits: 3\ncapacity: {units: 3}\n")
    )
    moved = fabric("resize", "--format", "json")

    assert alone.err.startswith("there is no fabric.lock to compare with: no move is known (")
    assert (still.code, still.err) == (0, still.err)
    assert still.err.startswith("nothing moves (")
    assert moved.code == 2
    assert json.loads(moved.out)["moves"]


ROOMY = """
site: roomy
units: 2
capacity: {units: 4, hosts_per_unit: 8}
hosts:
  gpu: {per_unit: 4, spare_per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    tiers:
      leaf: {model: arista-7060dx5-64s, reserved_ports: 4, max_oversubscription: "9:1"}
      spine: {model: arista-7060dx5-64s, count: 2}
attachments:
  filer: {network: compute, kind: storage, links: 4, speed: 400G}
"""


def test_resize_keeps_what_compile_keeps_and_lists_what_the_intent_changes(fabric, site):
    def told():
        ran = fabric("resize", "--write", "--format", "json")
        return Counter(move["kind"] for move in json.loads(ran.out)["moves"])

    (site / "site.yaml").write_text(ROOMY)
    fabric("compile")
    big = "  big: {per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}\nnetworks:"
    (site / "site.yaml").write_text(ROOMY.replace("networks:", big))
    early, grown, held = fabric("compile", "--locked"), told(), fabric("compile", "--locked")
    (site / "site.yaml").write_text(
        ROOMY.replace("networks:", big).replace("links: 4", "links: 4, vlan: 100")
    )
    switched = told()
    (site / "site.yaml").write_text(
        ROOMY.replace("networks:", big).replace("links: 4", "links: 4, vlan: 101")
    )

    assert "FAB906" in early.err
    assert (Counter(), 0) == (grown, held.code)
    assert Counter(address=4) == switched
    assert Counter(gateway=4) == told()  # on four leaves
    assert Counter() == told()


def test_a_changed_lock_is_refused_where_nothing_may_be_decided(fabric, site):
    missing = fabric("compile", "--locked")
    made = fabric("compile")
    kept = fabric("compile", "--locked")

    assert "error: FAB906: fabric.lock is missing" in missing.err
    assert [missing.code, made.code, kept.code] == [1, 0, 0]
    assert kept.err.splitlines()[-2].startswith("6 devices: 0 written, 6 unchanged")
    assert (site / "out" / "configs" / "spine-1.cfg").read_text().startswith("!")


def test_a_lock_that_does_not_match_says_where(fabric, site):
    text = (site / "site.yaml").read_text().replace("count: 2}", "count: 2, reserved_ports: 2}")
    (site / "site.yaml").write_text(text)
    fabric("compile")
    router = "nas: {network: compute, kind: router, links: 1, speed: 400G, to: {tier: spine}}"
    (site / "site.yaml").write_text(f"{text}attachments:\n  {router}\n")

    ran = fabric("compile", "--locked")

    assert "FAB906" in ran.err, ran.err
    assert "does not match the intent: attachments.nas" in " ".join(ran.err.split())
    assert "{" not in ran.err.partition("does not match")[2]


@pytest.mark.parametrize("number", [(), ("3",)])
def test_a_rollback_without_a_run_asks_nobody(fabric, number):
    ran = fabric("rollback", *number)

    assert ran.code == 1
    assert "FAB722: nothing was applied to lab yet" in ran.err, ran.err
    assert "`fabric plan --adopt` makes the plan of the first run" in " ".join(ran.err.split())
    assert "--yes" not in ran.err


def test_a_site_without_inventory_gets_one_finding_for_all_devices(fabric, site):
    (site / "inventory.yaml").unlink()

    ran = fabric("drift")

    assert ran.code == 1
    assert ran.err.count("devices: FAB703") == ran.err.count("devices: FAB704") == 1
    assert "6 devices have no address" in ran.err
    assert "leaf-0-0" in ran.err


EXAMPLES = (
    # fresh switches, in the order in which somebody would try them
    ("fabric sandbox status", 0),
    ("fabric sandbox status --format csv", 0),
    ("fabric plan --sandbox --adopt", 2),
    (
        "fabric apply .fabric/plan --sandbox --yes",
        1,
    ),  # refused: it touches our own management access
    ("fabric apply .fabric/plan --sandbox --yes --format json", 1),
    ("fabric drift --sandbox", 0),
    ("fabric sandbox drift leaf-0-0 'ntp server 203.0.113.9'", 0),
    ("fabric sandbox fault leaf-0-0 --latency 200ms", 0),
    ("fabric sandbox fault leaf-0-0 --die-in-commit after", 0),
    ("fabric sandbox fault leaf-0-0 --port Ethernet1/1 --errors-per-s 100", 0),
    ("fabric sandbox fault leaf-0-0 --port Ethernet1/1 --port Ethernet2/1 --down", 0),
    ("fabric sandbox advance 10min", 0),
    ("fabric sandbox fault leaf-0-0 --clear", 0),
    ("fabric rollback --sandbox --yes", 1),  # nothing was applied
    ("fabric plan --offline backups", 2),
    ("fabric plan --offline backups --format json", 2),
    ("fabric plan --offline backups --target rail:3 --target 'role:spine'", 2),
    ('fabric plan --offline backups --format markdown >> "$GITHUB_STEP_SUMMARY"', 2),
    ("fabric resize", 0),
    ("fabric resize --write", 0),
    ("fabric resize --anew", 0),
    ("fabric resize --format csv", 0),
    # without a sandbox: this site's inventory names no credentials
    ("fabric plan --out plan-42", 1),
    ("fabric apply plan-42 --yes --timer 10min", 1),
    ("fabric apply", 1),
    ("fabric apply .fabric/plan", 1),
    ("fabric apply .fabric/plan --target plane:0", 1),
    ("fabric apply --resume", 1),
    ("fabric drift", 1),
    ("fabric drift --format json", 1),
    ("fabric rollback", 1),
    ("fabric rollback --dry-run", 1),
    ("fabric rollback 12 --yes --allow isolating:leaf-0-0", 1),
    ("fabric sandbox down", 0),
)
SLOW_TO_REPEAT = {"fabric sandbox up", "fabric sandbox up my-site --port 9443"}
"""What the fixture does, on a port of its own."""


def test_every_example_does_what_it_says_and_none_is_a_wrong_command_line(lab, site):
    (site / "backups").mkdir()
    (site / "backups" / "leaf-0-0.cfg").write_text("hostname leaf-0-0\n")
    (site / "plan-42").mkdir()

    for example, code in EXAMPLES:
        ran = lab(*shlex.split(example.partition(" >")[0])[1:])

        assert "FAB901" not in ran.err, example
        assert "FAB999" not in ran.err, example
        assert ran.code in {code, 0 if code == 1 and "apply .fabric/plan --sandbox" in example else code}, (
            example
        )


def test_no_example_is_left_out():
    online = {
        example
        for name, made in ALL.items()
        for example in made.examples
        if name.split()[0] in ("plan", "apply", "drift", "rollback", "resize", "sandbox")
    }

    assert online == {example for example, _code in EXAMPLES} | SLOW_TO_REPEAT


class Counting(ThreadPoolExecutor):
    """Counts what it is given."""

    submitted = 0

    def submit(self, *arguments, **options):
        self.submitted += 1
        return super().submit(*arguments, **options)


def test_the_executor_of_the_workplace_talks_to_the_devices(lab, site):
    compiled = api.compile(site)
    with Counting(2) as executor:
        place = msgspec.structs.replace(open_sandbox.workplace(compiled), given_executor=executor)
        planned, _texts = api.plan(compiled, place, adopt=True)
        asked = executor.submitted
        api.drift(compiled, place)

        assert len(planned.devices) == asked == 6
        assert executor.submitted == 12


@pytest.mark.parametrize("stand_ins", ["", "sandbox"])
def test_jobs_bound_the_devices_of_a_command(lab, site, stand_ins):
    assert Where(stand_ins).opened(open_site(site), jobs=3)[1].jobs == 3


CHOOSING = sorted(
    name for name, command in ALL.items() if "--sandbox" in {o for p in command.params for o in p.opts}
)


def test_plan_apply_drift_and_rollback_choose_their_devices():
    assert {"plan", "apply", "drift", "rollback"} <= set(CHOOSING)


@pytest.mark.parametrize("name", CHOOSING)
def test_a_command_talks_to_the_sandbox_or_to_the_lab_and_never_to_both(fabric, name):
    words = {"unlock": ["1"], "apply": ["--resume"]}.get(name, [])

    both = fabric(name, *words, "--sandbox", "--lab")
    no_lab = fabric(name, *words, "--lab")

    assert "--sandbox and --lab are different devices" in both.err
    assert [1, 1] == [both.code, no_lab.code]
    assert "no lab of this site is running" in no_lab.err


def test_a_plan_for_the_sandbox_is_not_applied_to_the_network(lab):
    lab("plan", "--sandbox", "--adopt")

    ran = lab("apply", ".fabric/plan", "--yes")

    assert 1 == ran.code
    assert "FAB728: the plan is for those of the sandbox, not for the site's own devices" in ran.err


@pytest.mark.parametrize("name", ["plan", "apply", "drift", "rollback"])
def test_every_command_that_talks_to_devices_takes_jobs(fabric, name):
    assert "--jobs N" in fabric(name, "--help").out
    assert "FAB901" in fabric(name, "--jobs", "0").err


def test_a_new_secret_is_pushed_when_it_is_asked_for(fabric, site, monkeypatch):
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(text + "services: {tacacs: {servers: [192.0.2.9], secret: env:TACACS}}\n")
    monkeypatch.setenv("TACACS", "first-secret")
    assert fabric("sandbox", "up", "--port", free_port()).code == 0
    try:
        fabric("plan", "--sandbox", "--adopt")
        assert fabric("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*").code == 0
        monkeypatch.setenv("TACACS", "second-secret")

        quiet = fabric("plan", "--sandbox")
        rotated = fabric("plan", "--sandbox", "--rotate-secrets")
    finally:
        sandbox.down(folder_of_sandbox(site))

    assert (quiet.code, rotated.code) == (0, 2)
    assert "6 devices: 6 changed" in rotated.err
    assert "second-secret" not in rotated.out + rotated.err + (site / ".fabric/plan/plan.json").read_text()


def test_a_site_that_does_not_compile_leaves_nothing_behind(fabric, site):
    path = site / "site.yaml"
    path.write_text(f"{path.read_text()}\noverrides: [{{device: nobody, max_paths: 2}}]\n")
    before = {p.name for p in site.iterdir()}

    assert fabric("compile").code == 1
    assert {p.name for p in site.iterdir()} == before
