"""A saved plan is what was saved, or it is refused."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
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


def names(plan: Path, key: str) -> None:
    """Of the plan all texts are that one."""
    content = json.loads(plan.read_text())
    for each in (*content["devices"], *content["groups"]):
        each |= {what: key for what in ("diff", "candidate", "ours") if each.get(what)}
    rewrite(plan, content)


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


def test_whatever_byte_of_the_texts_is_changed_the_plan_is_refused(folder: Path) -> None:
    """But for the line ends behind texts, which say nothing."""
    texts = folder / "plan.texts"
    whole, ends, at = texts.read_bytes(), set[int](), 0
    while match := store.HEAD.match(whole, at):
        at = match.end() + int(match[2]) + 1
        ends.add(at - 1)
    assert at == len(whole)
    for place in sorted({*range(len(whole))} - ends)[::5]:
        texts.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(Refused, match="FAB610"):
            load(folder)


@pytest.mark.parametrize("left", [0, 1, 40, 100, -2])
def test_texts_that_are_cut_short_are_refused(folder: Path, left: int) -> None:
    texts = folder / "plan.texts"
    texts.write_bytes(texts.read_bytes()[:left])

    with pytest.raises(Refused, match="FAB610"):
        load(folder)


def test_a_plan_that_is_read_stays_what_it_was_when_another_takes_its_place(
    made: tuple[Plan, Texts], folder: Path
) -> None:
    _, texts = load(folder)
    save(made[0], made[1], folder)
    (folder / "plan.texts").write_bytes(b"")

    assert dict(texts) == dict(made[1])


def test_processes_that_read_the_same_plan_do_not_disturb_each_other(folder: Path) -> None:
    """They have one file open, and so one place in it."""
    _, texts = load(folder)
    expected, read = dict(texts), 0
    child = os.fork()
    for _ in range(200):
        read += dict(texts) == expected
    if child == 0:
        os._exit(0 if read == 200 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert read == 200


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


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a" * 64 + "\n", "A" * 64, "plan.texts"])
def test_a_name_that_is_no_digest_is_never_opened(folder: Path, name: str) -> None:
    content = json.loads((folder / "plan.json").read_text())
    content["devices"][0]["candidate"] = name
    rewrite(folder / "plan.json", content)

    with pytest.raises(Refused, match="is not a digest"):
        load(folder)


@pytest.mark.parametrize("name", ["plan.json", "plan.texts"])
def test_a_link_is_not_followed(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")

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
        assert text == texts[key]
        assert (
            f"\ntext {key} {len(text.encode())}\n{text}\n".encode()
            in b"\n" + (tmp_path / "plan" / "plan.texts").read_bytes()
        )


def text_of(raw: bytes) -> bytes:
    """A text as it stands among others."""
    return b"text %s %d\n%s\n" % (digest_of(raw).encode(), len(raw), raw)


def digest_of(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def is_no_texts(texts: Path, what: str) -> None:
    texts.unlink()
    if what == "folder":
        texts.mkdir()
    elif what == "pipe":
        os.mkfifo(texts)


def lacks_one(texts: Path) -> None:
    raw = texts.read_bytes()
    first = store.HEAD.match(raw)
    assert first is not None
    texts.write_bytes(raw[first.end() + int(first[2]) + 1 :])


def has_a_binary_one(texts: Path) -> None:
    texts.write_bytes(text_of(b"\xff\xfe"))
    names(texts.with_name("plan.json"), digest_of(b"\xff\xfe"))


def has_a_huge_one(texts: Path) -> None:
    head = b"text %s %d\n" % (b"a" * 64, store.LARGEST_BYTES + 1)
    with texts.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + store.LARGEST_BYTES + 2)
    names(texts.with_name("plan.json"), "a" * 64)


def says(plan: Path, change: Callable[[str], str]) -> None:
    plan.write_text(change(plan.read_text()))


def has_a_long_name(plan: Path) -> None:
    content = json.loads(plan.read_text())
    content["devices"][0]["diff"] = "x" * 300
    rewrite(plan, content)


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "the texts are gone": (
        lambda texts: is_no_texts(texts, ""),
        "FOLDER/plan.texts: No such file or directory",
    ),
    "the texts are a folder": (
        lambda texts: is_no_texts(texts, "folder"),
        "FOLDER/plan.texts: Is a directory",
    ),
    "the texts are a pipe": (lambda texts: is_no_texts(texts, "pipe"), "FOLDER/plan.texts: Illegal seek"),
    "the texts are something else": (
        lambda texts: texts.write_bytes(b"PK\x03\x04" * 100),
        "FOLDER/plan.texts is damaged at byte 0",
    ),
    "a text is gone": (lacks_one, "FOLDER/plan.texts: the text DIGEST is not there as it was saved"),
    "a text is binary": (has_a_binary_one, "FOLDER/plan.texts: the text DIGEST: not UTF-8"),
    "a text is huge": (
        has_a_huge_one,
        f"FOLDER/plan.texts: the text DIGEST is larger than {store.LARGEST_BYTES} bytes",
    ),
}
DAMAGES_OF_THE_PLAN: dict[str, tuple[Callable[[Path], object], str]] = {
    "it is huge": (
        lambda plan: says(plan, lambda text: text + " " * store.LARGEST_BYTES),
        f"FOLDER/plan.json: larger than {store.LARGEST_BYTES} bytes",
    ),
    "it is not JSON": (
        lambda plan: says(plan, lambda _: "{"),
        "FOLDER/plan.json is not a plan: Input data was truncated",
    ),
    "it lacks a field": (
        lambda plan: says(plan, lambda _: f'{{"format_version": "{FORMAT_VERSION}"}}'),
        "FOLDER/plan.json is not a plan: Object missing required field `site`",
    ),
    "another format": (
        lambda plan: says(plan, lambda text: text.replace(f'"{FORMAT_VERSION}"', '"2.1"', 1)),
        f"FOLDER has format 2.1, this program reads {FORMAT_VERSION}",
    ),
    "it was edited": (
        lambda plan: says(plan, lambda text: re.sub(r'"impact": "[a-z]+"', '"impact": "lockout"', text)),
        "FOLDER/plan.json was changed after it was saved",
    ),
    "a name is long": (has_a_long_name, f"'{'x' * 80}' is not a digest"),
}


@pytest.mark.parametrize(
    ("name", "damage", "expected"),
    [
        pytest.param(name, *known, id=what)
        for name, damages in (("plan.texts", DAMAGES), ("plan.json", DAMAGES_OF_THE_PLAN))
        for what, known in damages.items()
    ],
)
def test_a_damaged_plan_is_refused_with_the_file_the_reason_and_what_to_do(
    folder: Path, name: str, damage: Callable[[Path], object], expected: str
) -> None:
    damage(folder / name)
    with pytest.raises(Refused) as refused:
        load(folder)

    said = re.sub("the text [0-9a-f]{64}", "the text DIGEST", str(refused.value)).replace(
        str(folder), "FOLDER"
    )
    assert said == f"FAB610: {expected}"
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


@pytest.mark.parametrize("text", [b"text %s 10\na stranger\n" % (b"a" * 64), None], ids=["another", "twice"])
def test_a_text_that_no_plan_names_or_that_is_there_twice_is_refused(
    folder: Path, text: bytes | None
) -> None:
    """No plan is saved with one; to remember where a million of them are would take long."""
    texts = folder / "plan.texts"
    texts.write_bytes(texts.read_bytes() + (text or texts.read_bytes()))

    with pytest.raises(Refused, match=r"FAB610: .* holds a text twice, or one that the plan does not name"):
        load(folder)


def test_texts_of_a_saved_plan_are_those_it_names(folder: Path) -> None:
    _, texts = load(folder)

    assert len(texts) == len([*texts]) == len(set(texts))
    with pytest.raises(KeyError):
        texts["a" * 64]
