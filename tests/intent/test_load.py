"""From the files of a site to its intent."""

from __future__ import annotations

import os
from datetime import date

import pytest

from fabric.documents import InvalidDocument, Place
from fabric.intent.load import load, load_text
from fabric.units import Speed
from tests.intent.samples import SITE
from tests.work import LINEAR, growth


def codes_of(caught):
    return [finding.code for finding in caught.value.diagnostics]


def test_twelve_lines_are_a_site():
    intent = load_text({"site.yaml": SITE})

    assert intent.site.hosts["gpu"].nics["compute"].speed_mbps == Speed(400_000)
    assert intent.site.networks["compute"].tiers.spine.count == "auto"
    assert list(intent.policies) == ["roce-lossless"]
    assert intent.diagnostics == ()


def test_a_folder_and_its_first_file_are_the_same_site(tmp_path):
    (tmp_path / "site.yaml").write_text(SITE)

    assert load(tmp_path).site == load(tmp_path / "site.yaml").site == load_text({"site.yaml": SITE}).site


def test_a_first_file_may_have_another_name(tmp_path):
    (tmp_path / "lab.yaml").write_text(SITE)

    assert load(tmp_path / "lab.yaml").site.site == "lab"


def test_places_are_shown_from_where_people_are(tmp_path, monkeypatch):
    (tmp_path / "fra1").mkdir()
    (tmp_path / "fra1" / "site.yaml").write_text(SITE)
    monkeypatch.chdir(tmp_path)

    intent = load(tmp_path / "fra1")

    assert intent.sources.documents["intent"].place(("units",)) == Place("fra1/site.yaml", 2, 8)


def test_a_site_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(InvalidDocument, match="No such file") as caught:
        load(tmp_path)

    assert codes_of(caught) == ["FAB001"]


def test_includes_join_mappings_and_lists_and_keep_their_places():
    files = {
        "site.yaml": SITE + "include: [parts/a.yaml]\noverrides:\n  - {role: leaf, max_paths: 8}\n",
        "parts/a.yaml": "include: [b.yaml]\nhosts:\n  cpu: {per_unit: 1, nics: {compute: {count: 8, speed: 400G}}}\n",
        "parts/b.yaml": "overrides:\n  - {role: spine, max_paths: 4}\nservices:\n  lldp: false\n",
    }

    intent = load_text(files)

    assert list(intent.site.hosts) == ["gpu", "cpu"]
    assert [override.max_paths for override in intent.site.overrides] == [8, 4]
    assert intent.site.services.lldp is False
    place = intent.sources.documents["intent"].place
    assert place(("hosts", "cpu", "per_unit")) == Place("parts/a.yaml", 3, 19)
    assert place(("overrides", 1, "max_paths")) == Place("parts/b.yaml", 2, 30)
    assert place(("hosts", "gpu", "per_unit")) == Place("site.yaml", 5, 15)


def test_nothing_outside_the_folder_is_read(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secret.yaml").write_text("description: stolen\n")
    (site / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (site / "site.yaml").write_text(SITE + "include: [link.yaml]\n")

    with pytest.raises(InvalidDocument, match="leads out of the site's folder"):
        load(site)


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "site.yaml").write_text(SITE + "include: [pipe.yaml]\n")

    with pytest.raises(InvalidDocument, match="not a regular file"):
        load(tmp_path)


def test_links_in_a_circle_and_endless_names_are_findings(tmp_path):
    (tmp_path / "circle.yaml").symlink_to(tmp_path / "circle.yaml")
    (tmp_path / "site.yaml").write_text(SITE + f"include: [circle.yaml, {'a' * 300}.yaml]\n")

    with pytest.raises(InvalidDocument) as caught:
        load(tmp_path)

    assert codes_of(caught) == ["FAB001", "FAB001"]


def test_a_large_inventory_comes_as_csv():
    files = {
        "site.yaml": SITE,
        "inventory.yaml": "devices_csv: inv/switches.csv\nhosts_csv: inv/hosts.csv\ndevices:\n  leaf-9: {serial: S9}\n",
        "inv/switches.csv": "name,address,serial,position\nleaf-0-0,192.0.2.10/24,S0,7\n",
        "inv/hosts.csv": "name,serial,bmc\ngpu-0-0,H0,192.0.2.99\n",
    }

    inventory = load_text(files).inventory

    assert str(inventory.devices["leaf-0-0"].address) == "192.0.2.10/24"
    assert inventory.devices["leaf-0-0"].position == 7
    assert list(inventory.devices) == ["leaf-9", "leaf-0-0"]
    assert inventory.hosts["gpu-0-0"].facts == {"bmc": "192.0.2.99"}


def test_an_empty_state_is_a_state():
    assert load_text({"site.yaml": SITE, "state.yaml": "# nothing is out of service\n"}).state.drained == ()


STATE = 'drained:\n  - {device: leaf-0-0, reason: optics, owner: ann, expires: "2026-06-01"}\n'


@pytest.mark.parametrize(("today", "expected"), [(date(2026, 6, 1), []), (date(2026, 6, 2), ["FAB116"])])
def test_an_entry_holds_through_its_last_day_and_then_warns(today, expected):
    intent = load_text({"site.yaml": SITE, "state.yaml": STATE}, today=today)

    assert [finding.code for finding in intent.diagnostics] == expected
    assert intent.state.drained


def test_a_site_brings_its_own_policy():
    policy = "classes:\n  all:\n    dscp: rest\n    traffic_class: 0\n    queue: 0\n    share: 100\nwatchdog: none\n"
    site = SITE.replace("    tiers:", "    lossless: policies/mine.yaml\n    tiers:")

    intent = load_text({"site.yaml": site, "policies/mine.yaml": policy})

    assert intent.policies["policies/mine.yaml"].classes["all"].queue == 0
    assert (
        intent.sources.documents["policy:policies/mine.yaml"].place(("classes",)).file == "policies/mine.yaml"
    )


def test_errors_of_all_files_come_together():
    files = {
        "site.yaml": SITE.replace("units: 2", "untis: 2"),
        "state.yaml": "draned: []\n",
        "fabric.lock": "a: [\n",
    }

    with pytest.raises(InvalidDocument) as caught:
        load_text(files)

    assert sorted(codes_of(caught)) == ["FAB004", "FAB021", "FAB021"]


def inventory(devices, more=""):
    rows = "".join(
        f"  leaf-{i}: {{address: 10.{i >> 8}.{i & 255}.1/8, serial: S{i}, rack: r{i}, position: 7}}\n"
        for i in range(devices)
    )
    return {"site.yaml": SITE, "inventory.yaml": f"devices:\n{rows}{more}"}


def test_twice_the_devices_are_twice_the_work_to_read():
    assert growth(lambda devices: load_text(inventory(devices)), 250) <= LINEAR


def test_twice_the_devices_are_twice_the_work_to_explain():
    def explained(devices):
        with pytest.raises(InvalidDocument) as caught:
            load_text(inventory(devices, more="  leaf-x: {serail: S}\n"))
        assert [finding.hint for finding in caught.value.diagnostics] == ["did you mean 'serial'?"]

    assert growth(explained, 250) <= LINEAR


def test_a_secret_in_the_wrong_place_is_not_repeated():
    site = SITE + "services:\n  tacacs: {servers: [192.0.2.1], secret: hunter2}\n"

    with pytest.raises(InvalidDocument) as caught:
        load_text({"site.yaml": site})

    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in repr(caught.value.diagnostics)


INJECTIONS = [
    "a\nshutdown",
    "a\n",
    "../a",
    "a/../../b",
    "a b",
    "a;b",
    "a\tb",
    "$(id)",
    "`id`",
    "a'b",
    'a"b',
    "-a",
    "",
    "ä",
    "a" * 64,
    "A",
]


@pytest.mark.parametrize("name", INJECTIONS)
@pytest.mark.parametrize("where", ["site", "host group", "network", "release", "platform", "device"])
def test_no_name_carries_lines_paths_or_options(name, where):
    import json

    tree = {
        "site": "lab",
        "hosts": {"gpu": {"per_unit": 1, "nics": {"compute": {"count": 1, "speed": "400G"}}}},
        "networks": {"compute": {"tiers": {"leaf": {"model": "arista-7060x6-64pe"}}}},
        "overrides": [{"device": "leaf-0", "max_paths": 2}],
    }
    match where:
        case "site":
            tree["site"] = name
        case "host group":
            tree["hosts"][name] = tree["hosts"].pop("gpu")
        case "network":
            tree["networks"][name] = tree["networks"].pop("compute")
        case "device":
            tree["overrides"][0]["device"] = name
        case _:
            if where == "release" and name in {"a" * 64, "A"}:
                name += "*"  # releases may be long and have capitals
            tree["networks"]["compute"]["tiers"]["leaf"][where] = name

    with pytest.raises(InvalidDocument):
        load_text({"site.yaml": json.dumps(tree)})
