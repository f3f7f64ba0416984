"""Models are found as their vendors publish them: in a repository, on a switch, in one folder."""

from __future__ import annotations

import shutil

import pytest

from fabric.diagnostics import Refused
from fabric.platforms.junos import PLATFORM as JUNOS
from fabric.platforms.sonic import PLATFORM as SONIC
from fabric.platforms.srlinux import PLATFORM as SRLINUX
from fabric.verification.check_schemas import known_of
from fabric.verification.yang_models import model_files, models_of
from tests.yang import models, need_libyang

pytestmark = pytest.mark.live


@pytest.fixture(autouse=True)
def _libyang():
    need_libyang()
    model_files.cache_clear()


HOMES = {
    "evo": "24.4R1-EVO/native/conf-and-rpcs/conf",
    "qfx": "24.4R1/native/conf-and-rpcs/junos-qfx/conf",
}


def juniper(release):
    """The folders of Juniper/yang: types that all import stand beside the products."""
    source = models("junos-24.4R1")
    for product, home in HOMES.items():
        folder = release / home / "models"
        folder.mkdir(parents=True)
        common = next(p for p in folder.parents if p.name == "conf-and-rpcs") / "common" / "models"
        common.mkdir(parents=True)
        for file in (source / product).iterdir():
            shutil.copy(file, common if file.name.startswith("junos-common") else folder)
        shutil.copytree(folder, folder.parent.with_name("conf-with-extensions") / "models")


def test_the_repository_of_juniper_is_read_as_it_is(tmp_path):
    juniper(tmp_path)
    other = tmp_path / "24.4R1" / "native" / "conf-and-rpcs" / "junos" / "conf" / "models"
    other.mkdir(parents=True)
    (other / "junos-conf-root@2024-01-01.yang").touch()  # not Evolved: not ours

    found = models_of(known_of(JUNOS), (tmp_path,))

    assert {"evo", "qfx"} == set(found)
    assert "bgp" in found["evo"].root.below["configuration"].below["protocols"].below
    assert ["class-of-service"] == [n for n in found["qfx"].root.below["configuration"].below if "of-s" in n]


def test_half_of_juniper_is_refused():
    with pytest.raises(Refused, match="one folder with junos-qfx-conf-root is needed, found: none"):
        models_of(known_of(JUNOS), (models("junos-24.4R1") / "evo",))


def test_the_repository_of_nokia_is_read_as_it_is(tmp_path):
    home = tmp_path / "srlinux-yang-models"
    for file in models("srl-25.3.1").glob("*.yang"):
        own = file.name.startswith("srl_nokia-")
        folder = home / ("srl_nokia/models/" + file.stem.split("-")[1] if own else "ietf")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder)
    (home / "openconfig").mkdir()
    (home / "openconfig" / "broken.yang").write_text("module {")

    assert {"srl_nokia"} == set(models_of(known_of(SRLINUX), (tmp_path,)))


def test_templates_of_sonics_sources_are_printed(tmp_path):
    home, templates = tmp_path / "yang-models", tmp_path / "yang-templates"
    shutil.copytree(models("sonic-202511"), home)
    templates.mkdir()
    text = (home / "sonic-types.yang").read_text()
    own, _, rest = text.partition("{")
    (templates / "sonic-types.yang.j2").write_text(
        own + '{ {% if yang_model_type == "py" %}\n' + rest + "{% else %}broken{% endif %}"
    )
    (home / "sonic-types.yang").unlink()

    assert "sonic-port" in models_of(known_of(SONIC), (tmp_path,))["config_db"].root.below


def test_a_template_cannot_leave_its_sandbox(tmp_path):
    shutil.copytree(models("sonic-202511"), tmp_path / "yang-models")
    evil = tmp_path / "yang-templates" / "evil.yang.j2"
    evil.parent.mkdir()
    evil.write_text("{{ ''.__class__.__mro__[1].__subclasses__() }}")

    with pytest.raises(Refused, match="template"):
        models_of(known_of(SONIC), (tmp_path,))


@pytest.mark.parametrize(("product", "name"), [(SONIC, "sonic-202511"), (SRLINUX, "srl-25.3.1")])
def test_two_releases_are_one_too_many(product, name, tmp_path):
    for copy in ("one", "two"):
        shutil.copytree(models(name), tmp_path / copy)

    with pytest.raises(Refused, match=r"several releases: .*one.*two"):
        models_of(known_of(product), (tmp_path,))


def test_a_folder_given_twice_is_one(tmp_path):
    name = models("sonic-202511")

    assert {"config_db"} == set(models_of(known_of(SONIC), (name, name)))


def test_what_is_no_folder_is_refused(tmp_path):
    with pytest.raises(Refused, match="is not a folder"):
        models_of(known_of(SONIC), (tmp_path / "none",))


@pytest.mark.parametrize("product", [JUNOS, SONIC, SRLINUX])
def test_where_there_are_none_there_are_none(product, tmp_path):
    assert {} == models_of(known_of(product), (tmp_path,))
