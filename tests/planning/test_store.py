"""A saved plan is what was saved, or it is refused."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest

from fabric.diagnostics import Refused
from fabric.planning import Plan, Texts, load, plan_digest, save, store
from fabric.planning.model import FORMAT_VERSION
from fabric.planning.texts import digest
from tests.planning.toy import Site, planned


@pytest.fixture
def made(site: Site) -> tuple[Plan, Texts]:
    return planned(site.edited("ntp 192.0.2.9", "ntp 192.0.2.10"), site.texts)


@pytest.fixture
def folder(made: tuple[Plan, Texts], tmp_path: Path) -> Path:
    save(*made, tmp_path / "plans" / "one")
    return tmp_path / "plans" / "one"


def rewrite(plan: Path, content: dict[str, Any]) -> None:
    """A plan as a program of another version, or with other checks, would save it."""
    text = json.dumps({**content, "seal": ""})
    plan.write_text(text.replace('"seal": ""', f'"seal": "{digest(text)}"'))


def numbers_and_words(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value stands that holds no other."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers_and_words(inner, (*path, key))
    else:
        yield path


def test_a_plan_that_was_changed_by_hand_is_refused_whatever_was_changed(folder: Path) -> None:
    """An impact that is milder, a wave that is wider, a finding that is gone: all that `apply` believes."""
    plan = folder / "plan.json"
    text = plan.read_text()
    content = json.loads(text)
    paths = [path for path in numbers_and_words(content) if path[0] != "format_version"]
    assert {"impact", "action", "devices"} <= {step for path in paths for step in path}
    for *above, last in paths:
        changed = json.loads(text)
        place: Any = reduce(getitem, above, changed)
        place[last] = (
            next(word for word in ("hitless", "none") if word != place[last]) if last == "impact" else 7
        )
        plan.write_text(json.dumps(changed, indent=2) + "\n")
        with pytest.raises(Refused, match="FAB610"):
            load(folder)
    for key in ("diagnostics", "waves", "seal"):
        plan.write_text(json.dumps({k: v for k, v in content.items() if k != key}, indent=2) + "\n")
        with pytest.raises(Refused, match="FAB610"):
            load(folder)
    plan.write_text(text)
    load(folder)


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
    rewrite(folder / "plan.json", {**content, "format_version": "1.9", "later": {}})
    assert load(folder)[0].devices == made[0].devices

    (folder / "plan.json").write_text(json.dumps({**content, "format_version": "2.0"}))
    with pytest.raises(Refused, match=r"format 2\.0"):
        load(folder)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a" * 64 + "\n", "A" * 64, "texts/../x"])
def test_a_name_that_is_no_digest_is_never_opened(folder: Path, name: str) -> None:
    content = json.loads((folder / "plan.json").read_text())
    content["devices"][0]["candidate"] = name
    rewrite(folder / "plan.json", content)

    with pytest.raises(Refused, match="is not a digest"):
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


def test_a_save_that_the_disk_refuses_names_the_plan(made: tuple[Plan, Texts], folder: Path) -> None:
    """The error of a write to a full disk names no file."""

    class Full(dict[str, str]):
        def __getitem__(self, key: str) -> str:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)) as failed:
        save(made[0], Full(made[1]), folder)

    assert failed.value.filename == str(folder)


def test_a_text_is_saved_byte_by_byte(site: Site, tmp_path: Path) -> None:
    plan, texts = planned(site.edited("ntp 192.0.2.9", "banner \r\näö"), site.texts)
    save(plan, texts, tmp_path / "plan")

    for key, text in load(tmp_path / "plan")[1].items():
        assert (tmp_path / "plan" / "texts" / key).read_bytes() == text.encode() == texts[key].encode()


def damaged(folder: Path, what: str) -> None:
    plan, text = folder / "plan.json", min((folder / "texts").iterdir())
    if what == "a text is gone":
        text.unlink()
    elif what == "a text is binary":
        text.write_bytes(b"\xff\xfe")
    elif what == "a text is a folder":
        text.unlink()
        text.mkdir()
    elif what == "a text is huge":
        with text.open("wb") as file:
            file.truncate(store.LARGEST_BYTES + 1)
    elif what == "the plan is not JSON":
        plan.write_text("{")
    elif what == "the plan lacks a field":
        plan.write_text(f'{{"format_version": "{FORMAT_VERSION}"}}')
    elif what == "another format":
        plan.write_text(plan.read_text().replace(f'"{FORMAT_VERSION}"', '"2.1"', 1))
    elif what == "a name is long":
        content = json.loads(plan.read_text())
        content["devices"][0]["diff"] = "x" * 300
        rewrite(plan, content)
    elif what == "the plan was edited":
        plan.write_text(re.sub(r'"impact": "[a-z]+"', '"impact": "lockout"', plan.read_text()))


DAMAGED = {
    "a text is gone": "FOLDER/texts/DIGEST: No such file or directory",
    "a text is binary": "FOLDER/texts/DIGEST: not UTF-8",
    "a text is a folder": "FOLDER/texts/DIGEST: Is a directory",
    "a text is huge": "FOLDER/texts/DIGEST: larger than 67108864 bytes",
    "the plan is not JSON": "FOLDER/plan.json is not a plan: Input data was truncated",
    "the plan lacks a field": "FOLDER/plan.json is not a plan: Object missing required field `site`",
    "another format": f"FOLDER has format 2.1, this program reads {FORMAT_VERSION}",
    "the plan was edited": "FOLDER/plan.json was changed after it was saved",
    "a name is long": f"'{'x' * 80}' is not a digest",
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_plan_is_refused_with_the_file_the_reason_and_what_to_do(folder: Path, what: str) -> None:
    text = min((folder / "texts").iterdir()).name
    damaged(folder, what)
    with pytest.raises(Refused) as refused:
        load(folder)

    assert (
        str(refused.value).replace(str(folder), "FOLDER").replace(text, "DIGEST")
        == f"FAB610: {DAMAGED[what]}"
    )
    assert refused.value.hint == "Make the plan again with `fabric plan`."


@pytest.mark.parametrize("what", ["a file", "a folder", "a link to a plan", "a link to nothing"])
def test_what_is_no_saved_plan_is_never_replaced(made: tuple[Plan, Texts], folder: Path, what: str) -> None:
    place = folder.parent / "here"
    if what == "a file":
        place.write_text("precious")
    elif what == "a folder":
        place.mkdir()
    else:
        place.symlink_to(folder if what == "a link to a plan" else folder / "nothing")
    before = sorted(folder.parent.iterdir())

    with pytest.raises(Refused, match=f"^{place} exists and is not a saved plan$") as refused:
        save(*made, place)
    assert refused.value.hint == "name a new directory, or an earlier plan"
    assert sorted(folder.parent.iterdir()) == before
    assert load(folder)[0] == made[0]


def test_texts_of_a_saved_plan_are_those_it_names(folder: Path) -> None:
    (folder / "texts" / ("a" * 64)).write_text("a stranger")
    _, texts = load(folder)

    assert len(texts) == len([*texts]) == len(set(texts))
    with pytest.raises(KeyError):
        texts["a" * 64]
