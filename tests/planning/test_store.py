"""A saved plan is what was saved, or it is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabric.diagnostics import Refused
from fabric.planning import Plan, Texts, load, plan_digest, save
from tests.planning.toy import Site, planned


@pytest.fixture
def made(site: Site) -> tuple[Plan, Texts]:
    return planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), site.texts)


@pytest.fixture
def folder(made: tuple[Plan, Texts], tmp_path: Path) -> Path:
    save(*made, tmp_path / "plans" / "one")
    return tmp_path / "plans" / "one"


def test_a_plan_comes_back_as_it_was_saved(made: tuple[Plan, Texts], folder: Path) -> None:
    plan, texts = load(folder)

    assert plan == made[0]
    assert dict(texts) == dict(made[1])
    assert plan_digest(plan) == plan_digest(made[0])


def test_equal_plans_are_equal_bytes(made: tuple[Plan, Texts], folder: Path, tmp_path: Path) -> None:
    save(*made, tmp_path / "two")

    assert (tmp_path / "two" / "plan.json").read_bytes() == (folder / "plan.json").read_bytes()


def test_a_plan_replaces_an_earlier_one_and_nothing_else(
    made: tuple[Plan, Texts], folder: Path, tmp_path: Path
) -> None:
    save(*made, folder)

    assert load(folder)[0] == made[0]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "precious").write_text("x")
    with pytest.raises(Refused, match="not a saved plan"):
        save(*made, tmp_path / "home")
    assert (tmp_path / "home" / "precious").read_text() == "x"


def test_a_changed_text_is_refused(folder: Path) -> None:
    text = min((folder / "texts").iterdir())
    text.write_text(text.read_text() + "\n")

    with pytest.raises(Refused, match=r"FAB610: .* is not the text that was saved"):
        load(folder)


def test_a_missing_text_is_refused(folder: Path) -> None:
    min((folder / "texts").iterdir()).unlink()

    with pytest.raises(Refused, match="No such file"):
        load(folder)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format_version": 1}', b"\xff\xfe", b"{}" * 3])
def test_a_damaged_plan_is_refused(folder: Path, damage: bytes) -> None:
    (folder / "plan.json").write_bytes(damage)

    with pytest.raises(Refused, match="FAB610"):
        load(folder)


def test_another_major_format_is_refused_and_a_minor_one_is_read(
    made: tuple[Plan, Texts], folder: Path
) -> None:
    content = json.loads((folder / "plan.json").read_text())
    (folder / "plan.json").write_text(json.dumps({**content, "format_version": "1.9", "later": {}}))
    assert load(folder)[0].devices == made[0].devices

    (folder / "plan.json").write_text(json.dumps({**content, "format_version": "2.0"}))
    with pytest.raises(Refused, match=r"format 2\.0"):
        load(folder)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a" * 64 + "\n", "A" * 64, "texts/../x"])
def test_a_name_that_is_no_digest_is_never_opened(folder: Path, name: str) -> None:
    content = json.loads((folder / "plan.json").read_text())
    content["devices"][0]["candidate"] = name
    (folder / "plan.json").write_text(json.dumps(content))

    with pytest.raises(Refused, match="is no digest"):
        load(folder)


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    text = min((folder / "texts").iterdir())
    text.rename(tmp_path / "elsewhere")
    text.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(Refused, match="FAB610"):
        load(folder)


def test_a_save_that_fails_leaves_the_earlier_plan(made: tuple[Plan, Texts], folder: Path) -> None:
    with pytest.raises(KeyError):
        save(made[0], {}, folder)

    assert load(folder)[0] == made[0]
    assert [path.name for path in folder.parent.iterdir()] == ["one"]
