"""A secret in a line that no table of ours knows is masked on every product, however it is written, and goes back."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

import pytest

from fabric.configuration import Curly, Dialect, Files, Keyed, merge, refilled
from fabric.configuration.foreign_secrets import ForeignSecrets
from fabric.configuration.syntaxes.json_documents import BRACES
from fabric.configuration.syntaxes.syntax import Syntax
from fabric.planning.texts import MASK
from tests.configuration.dialects import PRODUCTS, dialect, examples, printed
from tests.hypothesis_profiles import one_of
from tests.platforms.everywhere import FEATURES

pytestmark = pytest.mark.parametrize("name", PRODUCTS)
SECRET = "Zq9W7Tvxy"  # of no form that looks like one
WORDS = (
    "password", "passwd", "secret", "key", "key-string", "key-octet-string", "authentication-key", "md5-key",
    "passphrase", "pass-phrase", "token", "bindpw", "bind-password", "credential", "shared-secret", "community",
    "password_hash", "encryption-key", "hashed-password", "pre-shared-key", "auth-msg sha", "priv-msg aes-128",
    "auth_password", "PassWord", "message-digest-key 1 md5", "authentication text", "pap-password", "passkey",
)  # fmt: skip
"""What may stand before a secret."""
BY_TURNS = 3
"""At one of so many places a line is planted."""
LOOKS = (
    "$6$salt$Zq9W7Tvxy",
    "$9$Zq9W7Tvxy",
    "0xa1b2c3d4e5f60718293a4b5c6d7e8f90",
    "ZqW7Tvxy0123456789abcdefABCDEF==",
    "U2FsdGVkX19Zq9W7Tvxy",
)
"""What looks like one wherever it stands."""


def lines(word: str) -> Iterator[str]:
    """A line with the word before the secret, in each spacing, case and place."""
    yield f"toy {word} {SECRET}"
    yield f"{word} {SECRET}"
    yield f"toy  {word}   {SECRET}"
    yield f"toy\t{word}\t{SECRET}"
    yield f"toy {word.upper()} encrypted 7 {SECRET}"
    yield f'toy 192.0.2.1 {word} role "{SECRET}"'
    yield f"exec /toy -{word.replace(' ', '-')}=key,{SECRET} -x"


def foreign(known: Dialect, word: str) -> Iterator[str]:
    """Those for which the product's table has no row: its own masks know what it knows."""
    return (line for line in lines(word) if known.top.find(line) is None)


def planted(syntax: Syntax, text: str, line: str) -> Iterator[str]:
    """A text with the line at several places."""
    if isinstance(syntax, Files):
        for part, below in syntax.syntaxes.items():
            mark = f"{syntax.mark}{part}\n"
            before, found, after = text.partition(mark)
            end = after.find(syntax.mark)
            body, rest = (after, "") if end < 0 else (after[:end], after[end:])
            if found and part not in syntax.unseen:
                yield from (f"{before}{mark}{inner}{rest}" for inner in planted(below, body, line))
    elif isinstance(syntax, Keyed):
        word, value = (
            "_".join(re.sub("(?i)toy", "", line).split()[:-1]) or "password",
            line.rsplit(maxsplit=1)[-1],
        )
        named = [{word: value}, {word: {"1": {"value": value}}}] if SECRET not in word else []
        for content in (*named, {"text": line}):
            yield _with(syntax, text, {"toy": content})
            if syntax.frame == BRACES:
                yield _with(syntax, text, {"toy": [{"name": "x", **content}]})
    elif isinstance(syntax, Curly):
        yield f"{text}toy {{\n    {line};\n}}\n"
        yield f"{text}toy {{ below {{ {line}; other; }} }}\n"
        yield f"{text}inactive: toy {{\n    {line} {{\n        x y;\n    }}\n}}\n"
    else:
        yield _before_end(text, f"{line}\n")
        yield _before_end(text, f"toy section\n  x\n  {line}\n")
        yield _before_end(text, f"toy section\n  deeper\n     x y\n     {line}\n")


def _before_end(text: str, lines: str) -> str:
    return f"{text.rstrip().removesuffix('end').rstrip()}\n{lines}"


def _with(syntax: Keyed, text: str, content: dict[str, Any]) -> str:
    return syntax.dump({**syntax.load(text), **json.loads(json.dumps(content))}, syntax.step)


@pytest.mark.covering
@pytest.mark.parametrize("word", WORDS)
def test_a_secret_behind_a_word_that_may_precede_one_is_masked(name: str, word: str) -> None:
    """Each spacing of a word at one of the places, by turns. Every product meets every word below, in one spacing."""
    known, text = dialect(name), examples(name)[0]
    cases = []
    for turn, line in enumerate(foreign(known, word), start=WORDS.index(word)):
        places = list(planted(known.syntax, text, line))
        cases += [place for number, place in enumerate(places) if number % BY_TURNS == turn % BY_TURNS]

    assert cases
    assert all(SECRET in case for case in cases)
    assert [] == [line for case in cases for line in known.plain(case, text).splitlines() if SECRET in line]


@pytest.mark.parametrize("value", LOOKS)
def test_what_looks_like_a_secret_is_masked_wherever_it_stands(name: str, value: str) -> None:
    known, text = dialect(name), examples(name)[0]
    for case in planted(known.syntax, text, f"toy of {value}"):
        assert value in case
        assert value not in known.plain(case)


@pytest.mark.covering
def test_what_was_read_before_changes_nothing(name: str) -> None:
    """Lines that were met are not searched again: neither they, nor others beside them, are taken for harmless then."""
    known, text = dialect(name), examples(name)[0]
    first, *others = (line for word in WORDS[: 3 // one_of()] for line in foreign(known, word))
    cases = [text, *(case for line in (first, *others) for case in planted(known.syntax, text, line))]
    met = dataclasses.replace(known)
    for case in (*cases, *reversed(cases)):
        assert dataclasses.replace(known).plain(case, text) == met.plain(case, text)


@pytest.mark.covering
def test_a_kept_line_goes_back_with_its_secret(name: str) -> None:
    """Each word in one spacing and each spacing with some words, at one of the places by turns."""
    known, text = dialect(name), examples(name)[0]
    forms = [list(foreign(known, word)) for word in WORDS]
    kept = [form[number % len(form)] for number, form in enumerate(forms) if form]
    every = one_of()
    cases = [
        case
        for turn, line in enumerate(kept)
        for number, case in enumerate(planted(known.syntax, text, line))
        if number % every == turn % every
    ]
    for case in dict.fromkeys(cases):  # in documents, lines of one key make one text
        _goes_back(known, text, case)


def _goes_back(known: Dialect, text: str, case: str) -> None:
    carried = merge(known, text, known.plain(case, text), text)
    if not carried.kept:  # a file with one owner: what is not ours goes
        return
    assert SECRET not in carried.text
    back = refilled(known, carried.text, case, MASK)
    assert not back.missing
    assert not known.syntax.plain(case).count(SECRET) - back.text.count(SECRET)


def test_what_was_met_before_does_not_decide_about_a_line_of_other_numbers(name: str) -> None:
    known = dialect(name)
    others = [str.maketrans("0123456789", "".join(str((n + by) % 10) for n in range(10))) for by in range(10)]
    forms = [line for word in WORDS for line in lines(word)]
    forms += [f"toy {number} {looks}" for number in range(10) for looks in (*LOOKS, "1a2b3c4d5e")]
    met = ForeignSecrets(known.top, known.mask, known.harmless)
    for line in (line.translate(other) for other in others for line in forms):
        met.line_by_line(line, "")

    assert [met.line_by_line(line, "") for line in forms] == [met.line(line) for line in forms]


def test_two_lines_that_differ_in_their_secrets_alone_both_go_back(name: str) -> None:
    known, text = dialect(name), examples(name)[0]
    if isinstance(known.syntax, Keyed | Files):  # a key of a document is there once
        return
    end = ";" if isinstance(known.syntax, Curly) else ""
    secrets = ("Zq9W7Tvxy", "Yp8V6Suwx")
    case = _before_end(text, "".join(f"toy community {secret}{end}\n" for secret in secrets))
    carried = merge(known, text, known.plain(case, text), text)
    back = refilled(known, carried.text, case, MASK)
    assert all(secret not in carried.text and secret in back.text for secret in secrets)


def test_what_is_ours_is_shown(name: str) -> None:
    """Lines of our own text hold no secret in clear, and a change of them is seen."""
    known, text = dialect(name), examples(name)[0]
    for old, new in (("Zq9W7Tvxy", "Yp8V6Suwx"),):
        for before, after in zip(
            planted(known.syntax, text, f"toy hash {old}"),
            planted(known.syntax, text, f"toy hash {new}"),
            strict=True,
        ):
            assert old in known.plain(before, before)
            assert old not in known.plain(before, after)
            assert new in known.plain(after, after)


@pytest.mark.covering
@pytest.mark.parametrize("feature", FEATURES)
def test_what_our_templates_print_is_never_masked_as_unknown(name: str, feature: str) -> None:
    """What is masked is not compared: a change of such a line would be in no plan."""
    known = dialect(name)
    without = dataclasses.replace(known, masks_unknown=False)

    assert [] == [
        line
        for text in printed(name, feature)
        for line in unified_diff(without.plain(text).splitlines(), known.plain(text).splitlines(), n=0)
    ]
