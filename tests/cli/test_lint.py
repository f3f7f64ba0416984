"""`fabric lint`: what it tells, keeps as known, and mends."""

from __future__ import annotations

import csv
import json
import sys
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from io import StringIO

import pytest

from fabric import diagnostics
from fabric.cli.commands.explain import _code_table
from fabric.cli.commands.lint import _rule_table
from fabric.cli.printing.write_tables import write_terminal
from fabric.diagnostics import Origin, codes
from fabric.linting import Example, rules
from fabric.linting.example_site import files_of
from fabric.linting.fix import Fix
from fabric.operations.lint import mend

MENDED = [rule for rule in rules() if rule.name == "one-curve-for-all-speeds"]
BASELINE = "lint-baseline.json"


@pytest.fixture
def unwise(site):
    """A site with two findings, of which one value mends one."""
    example = MENDED[0].fails
    one_plane = Example(
        example.site, "hosts: {gpu: {nics: {compute: {ports: 1, speed: 200G}}}}\n", example.files
    )
    files = files_of(one_plane, datetime.now(UTC).date())
    text = files["site.yaml"].replace("lossless: roce-lossless", "lossless: own.yaml  # ours")
    text = text.replace("    planes:\n      count: 2\n", "").replace("platform: eos\n", "platform: eos\n", 1)
    leaf = "      leaf:\n        model: arista-7060x6-64pe\n"
    text = text.replace(leaf, f"{leaf}        up: {{speed: 400G}}\n")
    for name, body in {**files, "site.yaml": text}.items():
        (site / name).write_text(body)
    for name in ("fabric.lock", "inventory.yaml", "state.yaml"):
        (site / name).unlink(missing_ok=True)
    return site


def test_findings_are_told_with_place_and_fix_and_do_not_fail(fabric, unwise):
    ran = fabric("lint")

    assert ran.code == 0
    assert "own.yaml:3" in ran.out
    assert "FAB1101: warning" in ran.out
    assert "FAB1401: warning" in ran.out
    assert "`fabric explain FAB1" in ran.err


def test_one_rule_is_judged_by_its_name_or_code(fabric, unwise):
    by_name, by_code = fabric("lint", "--rule", "one-leaf-per-rail"), fabric("lint", "--rule", "fab1401")

    assert by_name.out == by_code.out
    assert "FAB1401" in by_name.out
    assert "FAB1101" not in by_name.out


def test_a_rule_that_is_not_there_is_refused_with_the_nearest(fabric, unwise):
    ran = fabric("lint", "--rule", "one-leaf-per-rails")

    assert ran.code == 1
    assert "did you mean one-leaf-per-rail" in ran.err.replace("'", "").replace("`", "")


def test_a_baseline_hides_what_it_holds_until_it_is_asked_for(fabric, unwise):
    before = fabric("lint").out
    assert fabric("lint", "--write-baseline").code == 0

    later = fabric("lint")
    assert later.out.strip() == ""
    assert f"more in {BASELINE}" in later.err
    assert fabric("lint", "--no-baseline").out == before


def test_what_a_baseline_holds_and_nobody_finds_is_told(fabric, unwise):
    fabric("lint", "--write-baseline")
    fabric("lint", "--fix", "--no-baseline")

    assert f"1 of {BASELINE} found no more" in fabric("lint").err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"findings": [1]}'])
def test_a_broken_baseline_is_refused(fabric, unwise, text):
    (unwise / BASELINE).write_text(text)
    ran = fabric("lint")

    assert ran.code == 1
    assert "FAB903" in ran.err
    assert "--write-baseline" in ran.err


def test_what_one_value_mends_is_mended_and_nothing_else_is_changed(fabric, unwise):
    before = {path.name: path.read_text() for path in unwise.iterdir() if path.is_file()}
    ran = fabric("lint", "--fix")

    assert "mended FAB1101" in ran.err
    assert "FAB1101" not in ran.out
    after = {path.name: path.read_text() for path in unwise.iterdir() if path.is_file()}
    curve = "{kmin: 400KB, kmax: 1600KB, pmax: 20}"
    assert after == {**before, "own.yaml": before["own.yaml"].replace(curve, "auto")}


def test_files_that_are_included_are_mended_too_and_a_second_run_mends_nothing(fabric, unwise):
    files = files_of(Example("two-tier"), datetime.now(UTC).date())
    head, services = files["site.yaml"].split("services:\n")
    routing = """    # how fast a dead neighbour is found:
    routing:
        bfd: {interval:   50ms,  multiplier: 3}   # as the old fabric
        bgp:
            max_prefixes:   none    # nobody counted
"""
    site, included = unwise / "site.yaml", unwise / "parts" / "services.yaml"
    included.parent.mkdir()
    head = head.replace("ports: 2", "ports: 1").replace("400G", "200G")
    head = head.replace("    planes:\n      count: 2\n", "")
    site.write_text(f"include: [parts/services.yaml]   # of both halls\n{head}{routing}")
    included.write_text(f"services:\n  lldp:    false     # asked for by security\n{services}")
    before = site.read_text(), included.read_text()

    ran = fabric("lint", "--fix")

    assert all(f"mended {code}" in ran.err for code in ("FAB1505", "FAB1509", "FAB1806"))
    assert site.read_text() == before[0].replace("50ms", '"100ms"').replace("none ", "auto ")
    assert included.read_text() == before[1].replace("false", "true")
    assert "FAB1401" in ran.out  # no value mends it: it is told still
    after = site.read_text(), included.read_text()
    again = fabric("lint", "--fix")
    assert "mended" not in again.err
    assert "FAB1401" in again.out
    assert after == (site.read_text(), included.read_text())


def test_values_that_would_make_the_site_invalid_are_not_written(unwise, monkeypatch):
    from fabric.diagnostics import Invalid
    from fabric.linting import fix

    made = fix.fixes
    monkeypatch.setattr(fix, "fixes", lambda *of: (one._replace(value="nothing") for one in made(*of)))
    before = (unwise / "own.yaml").read_text()
    with pytest.raises(Invalid):
        mend(unwise)
    assert (unwise / "own.yaml").read_text() == before


def test_an_accepted_finding_is_not_told_and_an_acceptance_of_nothing_is(fabric, unwise):
    entry = "{finding: FAB1401, reason: jobs restart, owner: ben, expires: 2099-01-01}"
    nothing = entry.replace("1401", "1801")
    (unwise / "state.yaml").write_text(
        f"accept:\n  - {entry}\n  - {nothing}\n".replace("2099-01-01", "'2099-01-01'")
    )
    ran = fabric("lint")

    assert "FAB1401:" not in ran.out
    assert "FAB150" in ran.out
    assert "nothing of this site is FAB1801" in ran.out
    assert "FAB150" not in fabric("validate").out


def test_a_finding_is_a_row_of_csv(fabric, unwise):
    rows = list(csv.DictReader(fabric("lint", "--format", "csv").out.splitlines()))

    assert {"FAB1101", "FAB1401"} <= {row["code"] for row in rows}
    assert {"warning"} >= {row["severity"] for row in rows if row["code"] in ("FAB1101", "FAB1401")}
    assert all(row["line"].isdigit() for row in rows)


def test_line_breaks_of_windows_stay(fabric, unwise):
    before = {
        path.name: path.read_bytes().replace(b"\n", b"\r\n") for path in unwise.iterdir() if path.is_file()
    }
    for name, body in before.items():
        (unwise / name).write_bytes(body)
    fabric("lint", "--fix")

    curve = b"{kmin: 400KB, kmax: 1600KB, pmax: 20}"
    after = {path.name: path.read_bytes() for path in unwise.iterdir() if path.is_file()}
    assert after == {**before, "own.yaml": before["own.yaml"].replace(curve, b"auto")}


def test_what_has_an_anchor_is_left_alone_and_told(fabric, unwise):
    own = unwise / "own.yaml"
    own.write_text(own.read_text().replace("ecn: {kmin", "ecn: &curve {kmin"))
    before = own.read_text()
    ran = fabric("lint", "--fix")

    assert "&curve" in before
    assert own.read_text() == before
    assert "not mended, it has a YAML anchor" in ran.err
    assert "mended FAB" not in ran.err


def test_what_is_mended_is_told_as_yaml():
    assert str(Fix("FAB1", Origin(("a", "b")), {"x": True, "y": None})) == "FAB1 a.b: {x: true, y: null}"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A distribution with rules is installed."""

    def install(*modules):
        monkeypatch.syspath_prepend(tmp_path)
        info = tmp_path / "our_rules-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: our-rules\nVersion: 1.0\n")
        entries = []
        for number, text in enumerate(modules):
            (tmp_path / f"our_lint_{number}.py").write_text(text)
            entries.append(f"rules{number} = our_lint_{number}\n")
        (info / "entry_points.txt").write_text("[fabric.lint_rules]\n" + "".join(entries))
        _forget()

    known = dict(diagnostics._codes)
    yield install
    for name in [name for name in sys.modules if name.startswith("our_lint_")]:
        del sys.modules[name]
    monkeypatch.undo()
    diagnostics._codes.clear()
    diagnostics._codes.update(known)
    _forget()


def _forget():
    rules.cache_clear()
    diagnostics.installed_rules.cache_clear()


OWN = """
from fabric.linting import Example, Found, rule

@rule("FAB9001", "hosts-counted", "Hosts are counted", why="We count.", fix="Count.", source="our runbook",
      fails=Example("two-tier"), passes=Example("two-tier"))
def hosts_counted(site):
    \"\"\"Always.\"\"\"
    yield Found(next(iter(site.networks.values())).at, "it is counted")
"""
FAILS = (
    OWN.replace("FAB9001", "FAB9002")
    .replace("hosts-counted", "divides")
    .replace("    yield", "    1 / 0\n    yield")
)


def test_own_rules_are_explained(fabric, unwise, installed):
    installed(OWN)
    ran, listed = fabric("explain", "FAB9001"), fabric("explain", "--format", "json")

    assert (ran.code, "hosts-counted" in ran.out, "our runbook" in ran.out) == (0, True, True)
    assert "FAB9001" in listed.out


def test_what_own_rules_find_can_be_accepted(fabric, unwise, installed):
    installed(OWN)
    before = fabric("lint")
    entry = "accept: [{finding: FAB9001, reason: known, owner: ben, expires: '2099-01-01'}]\n"
    (unwise / "state.yaml").write_text(entry)

    assert "FAB9001" in before.out
    assert "FAB9001" not in fabric("lint").out
    assert (fabric("validate").code, "FAB150" in fabric("validate").out) == (0, False)
    (unwise / "state.yaml").write_text(entry.replace("9001", "9005"))
    unknown = fabric("validate")
    assert (unknown.code, "there is no finding FAB9005" in unknown.out) == (1, True)


@pytest.mark.parametrize(
    "text",
    [
        FAILS,
        "import no_such_module",
        "1 / 0",
        OWN.replace("FAB9001", "FAB9003").replace("hosts-counted", "cnp-used"),
    ],
)
def test_a_rule_that_fails_is_named_and_the_others_go_on(fabric, unwise, installed, text):
    installed(text, OWN)
    ran = fabric("lint")

    assert ran.code == 1
    assert ran.out.count("FAB890:") == 1
    assert "our-rules" in ran.out
    assert all(code in ran.out for code in ("FAB1101", "FAB1401", "FAB9001"))
    assert "FAB999" not in ran.err + ran.out
    assert fabric("lint", "--rule", "one-leaf-per-rail").code == 0
    assert fabric("lint", "--fix").code == 1


@pytest.mark.parametrize("form", ["json", "github", "gitlab", "sarif", "junit", "concise", "full"])
def test_every_format_tells_the_same_findings(fabric, unwise, form):
    text = fabric("lint", "--format", form).out

    assert text.count("FAB1101") >= 1
    assert text.count("FAB1401") >= 1
    if form in ("json", "gitlab", "sarif"):
        json.loads(text)
    if form == "sarif":
        assert json.loads(text)["runs"][0]["automationDetails"] == {"id": "fabric/lint"}
    if form == "junit":
        ET.fromstring(text)  # noqa: S314  # our own text


def test_the_list_has_every_rule(fabric):
    rows = json.loads(fabric("lint", "--list", "--format", "json").out)["rules"]

    assert [row["rule"] for row in rows] == [rule.name for rule in rules()]


def test_a_site_that_does_not_compile_is_told_so_and_fails(fabric, unwise):
    path = unwise / "site.yaml"
    fields = "routing: {hashing: {fields: [src_ip, dst_ip]}}"
    path.write_text(path.read_text().replace("\n  compute:\n", "\n" + f"  compute:\n    {fields}\n", 1))
    refused, ran = fabric("validate", "--format", "json"), fabric("lint", "--format", "json")

    errors = [
        {one["code"] for one in json.loads(each.out)["diagnostics"] if one["severity"] == "error"}
        for each in (refused, ran)
    ]
    assert errors == [{"FAB579"}, {"FAB579"}]
    assert (refused.code, ran.code) == (1, 1)


def test_codes_and_names_are_whole_in_a_narrow_terminal(monkeypatch):
    """Where all columns have no room, the first keep theirs."""
    for width in (40, 60, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        for table in (_rule_table(), _code_table(codes().values())):
            written = StringIO()
            write_terminal(table, written, color=False)
            told = {line.split()[0] for line in written.getvalue().splitlines() if line.startswith("FAB")}
            assert told == {row[0] for row in table.rows()}, width
