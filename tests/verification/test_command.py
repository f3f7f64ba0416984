"""`fabric check` on a site of two vendors."""

from __future__ import annotations

import json
import sys

import pytest

from fabric.cli import main
from tests.verification.test_openapi import written
from tests.yang import models, need_libyang

pytestmark = pytest.mark.live
SITE = """\
site: mixed
hosts:
  gpu: {gpus: 2, per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    tiers:
      leaf: {model: nokia-ixr-h5-64d, platform: srlinux}
      spine: {model: juniper-qfx5240-64od, platform: junos, count: 2}
"""
WRONG = """{"srl_nokia-interfaces:interface": [
  {"name": "ethernet-1/1/1", "mtu": 99999}, {"name": "ethernet-1/1/2", "mtu": 99999}]}
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    need_libyang()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.yaml").write_text(SITE)
    return tmp_path


@pytest.fixture
def check(site, capsys):
    def run(*words):
        code = main(["check", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def plant(site, text=WRONG):
    folder = site / "templates" / "srlinux"
    folder.mkdir(parents=True)
    (folder / "switch.j2").write_text(text)


NOKIA, JUNIPER = "srl-25.3.1", "junos-24.4R1"


def test_a_clean_site_says_what_was_checked(check):
    code, out, err = check("--yang", models(NOKIA), "--yang", models(JUNIPER))

    assert (0, "") == (code, out)
    assert err.startswith("no findings; checked 2 Nokia SR Linux, 2 Juniper Junos Evolved")


def test_a_finding_stands_in_the_line_of_its_tier(check, site):
    plant(site)

    code, out, err = check("--yang", models(NOKIA), "--platform", "srlinux")

    assert 1 == code
    assert "site.yaml:7:13: FAB830: networks.compute.tiers.leaf: Nokia SR Linux: " in out
    assert "/srl_nokia-interfaces:interface[name='ethernet-1/1/1']/mtu" in out
    assert "the link to " in out
    assert "4 places in all" in out
    assert "on: leaf-0-0, leaf-0-1" in out
    assert err.startswith("1 error; checked 2 Nokia SR Linux")


def test_json_is_one_document(check, site):
    plant(site)

    code, out, _err = check("--yang", models(NOKIA), "--format", "json")

    assert 1 == code
    assert {"FAB830": "error", "FAB831": "warning"} == {
        finding["code"]: finding["severity"] for finding in json.loads(out)["diagnostics"]
    }


def test_what_is_not_checked_is_named(check):
    code, out, _err = check("--yang", models(NOKIA), "--format", "concise")

    assert 0 == code
    assert (
        "FAB831: warning: networks.compute.tiers.spine: Juniper Junos Evolved: none of its models in" in out
    )


def test_nothing_to_check_against_is_a_wrong_command_line(check):
    code, _out, err = check()

    assert 1 == code
    assert "give --yang DIR or --openapi FILE" in err


@pytest.mark.parametrize(
    ("option", "reason"), [("--yang", "is not a folder"), ("--openapi", "is not a file")]
)
def test_what_is_not_there_is_an_error(check, option, reason):
    code, _out, err = check(option, "none")

    assert 1 == code
    assert reason in err


def test_no_models_of_the_site_at_all_is_an_error(check):
    code, _out, err = check("--yang", models("sonic-202511"))

    assert 1 == code
    assert "nothing was checked" in err


def test_an_openapi_file_alone_checks_no_yang(check, tmp_path):
    code, _out, err = check("--openapi", written(tmp_path))

    assert 1 == code
    assert "give --yang DIR: nokia/srlinux-yang-models" in err


def test_without_the_extra_the_way_to_it_is_told(check, monkeypatch):
    from fabric.verification.yang_models import models_of

    models_of.cache_clear()
    monkeypatch.setitem(sys.modules, "libyang", None)

    code, _out, err = check("--yang", models(NOKIA))

    assert 1 == code
    assert "pipx install '.[yang]'" in err.replace("\n", " ").replace("    ", "")


def test_a_subnet_manager_is_named_as_not_checked(check, site, tmp_path):
    (site / "site.yaml").unlink()
    assert 0 == main(["init", "superpod-h100-1su", str(tmp_path / "infiniband")])

    code, _out, err = check("-C", "infiniband", "--yang", models(NOKIA))

    assert 1 == code
    assert "nothing was checked: " in err
    assert "no schema of it is published" in err
