"""Reference sites and ready policies are files to copy."""

from __future__ import annotations

import json


def test_the_ready_policies_are_listed(fabric):
    ran = fabric("init", "--policy", "--format", "json")

    assert [row["name"] for row in json.loads(ran.out)["policies"]] == [
        "roce-lossless-no-watchdog",
        "roce-lossless",
        "roce-lossy",
    ]
    assert "3 policies (" in ran.err


def test_a_copied_policy_is_used_by_the_name_that_is_told(fabric, site):
    ran = fabric("init", "--policy", "roce-lossy")
    copied = site / "policies" / "roce-lossy.yaml"
    copied.write_text(copied.read_text().replace("description: RDMA data", "description: ours"))
    (site / "site.yaml").write_text(
        (site / "site.yaml").read_text() + "    lossless: policies/roce-lossy.yaml\n"
    )

    shown = fabric("show", "qos", "--format", "json")

    assert ran.out == "policies/roce-lossy.yaml\n"
    assert "Write `lossless: policies/roce-lossy.yaml` in each network" in ran.err
    assert {row["policy"] for row in json.loads(shown.out)["classes"]} == {"policies/roce-lossy.yaml"}


def test_a_policy_goes_into_the_site_under_the_name_that_is_given(fabric, site, monkeypatch):
    monkeypatch.chdir(site.parent)

    ran = fabric("init", "--policy", "roce-lossless", "mine/ours.yaml", "-C", "site")

    assert (site / "mine" / "ours.yaml").is_file()
    assert "Write `lossless: mine/ours.yaml`" in ran.err


def test_a_policy_never_replaces_a_file(fabric, site):
    (site / "ours.yaml").write_text("mine")

    ran = fabric("init", "--policy", "roce-lossy", "ours.yaml")

    assert (ran.code, "FAB905: ours.yaml exists" in ran.err) == (1, True)
    assert (site / "ours.yaml").read_text() == "mine"


def test_the_nearest_policy_is_named(fabric):
    ran = fabric("init", "--policy", "roce-losless")

    assert (
        "FAB902: there is no ready policy 'roce-losless'\n    hint: did you mean 'roce-lossless'?" in ran.err
    )


def test_a_policy_is_one_file(fabric):
    assert "FAB901: --policy takes one file" in fabric("init", "--policy", "roce-lossy", "a", "b").err


def test_a_reference_site_is_copied_and_is_sound(fabric, site):
    ran = fabric("init", "lab-8", "copy")

    assert (ran.code, fabric("validate", "-C", "copy").code) == (0, 0)
    assert "copy/site.yaml\n" in ran.out


def test_a_folder_with_something_in_it_is_left_alone(fabric, site):
    assert "FAB905" in fabric("init", "lab-8", ".").err


def test_without_its_size_the_smallest_site_is_meant(fabric, site):
    ran = fabric("init", "superpod-b200", "copy")

    assert ran.code == 0
    assert "site: superpod-b200-8su\n" in (site / "copy" / "site.yaml").read_text()


def test_the_folder_is_called_as_what_was_asked_for(fabric, site):
    fabric("init", "superpod-h100")

    assert "site: superpod-h100-1su\n" in (site / "superpod-h100" / "site.yaml").read_text()


def test_half_a_name_is_no_name(fabric, site):
    ran = fabric("init", "superpod")

    assert (ran.code, "FAB902" in ran.err) == (1, True)


def test_a_modeline_names_the_schema_that_is_copied_beside_it_and_changes_nothing(fabric, tmp_path):
    folders = {option: tmp_path / (option.strip("-") or "plain") for option in ("", "--modeline")}
    for option, folder in folders.items():
        assert fabric("init", "lab-8", str(folder), *filter(None, [option])).code == 0
    first, rest = (folders["--modeline"] / "site.yaml").read_text().split("\n", 1)
    schema = folders["--modeline"] / first.partition("$schema=")[2]

    assert first.startswith("# yaml-language-server: $schema=")
    assert rest == (folders[""] / "site.yaml").read_text()
    assert fabric("schema", "intent").out == schema.read_text()
    assert fabric("validate", "-C", str(folders["--modeline"])).code == 0
    assert fabric("init", "--policy", "roce-lossless", "--modeline").code == 1
