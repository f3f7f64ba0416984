"""Strict YAML: what is read, what is refused, and that nothing takes more than bounded time and memory."""

from __future__ import annotations

import sys

import pytest

from fabric.documents import InvalidDocument, Place
from fabric.documents.reading import strict_yaml
from fabric.documents.reading.strict_yaml import read_yaml
from tests.programs import run
from tests.work import LINEAR, growth, work


def value(text):
    return read_yaml(text.encode(), "a.yaml", "intent").value


def refusal(data):
    """Code and place of the first finding."""
    with pytest.raises(InvalidDocument) as caught:
        read_yaml(data if isinstance(data, bytes) else data.encode(), "a.yaml", "intent")
    first = caught.value.diagnostics[0]
    place = caught.value.sources.place(first.origin)
    return first.code, place.line, place.column


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1", {"a": 1}),
        ("a: -1", {"a": -1}),
        ("a: 1.5", {"a": 1.5}),
        ("a: 1e3", {"a": 1000.0}),
        ("a: true\nb: false\nc: null\nd:", {"a": True, "b": False, "c": None, "d": None}),
        ("a: 'yes'\nb: \"010\"", {"a": "yes", "b": "010"}),
        ("a: 400G", {"a": "400G"}),
        ("a: 4.32.1F", {"a": "4.32.1F"}),
        ("a: 10.0.0.0/8", {"a": "10.0.0.0/8"}),
        ("a: fd00::1", {"a": "fd00::1"}),
        (
            "a: nobody\nb: yesterday\nc: only\nd: true story",
            {"a": "nobody", "b": "yesterday", "c": "only", "d": "true story"},
        ),
        ("- 1\n- [a, {b: c}]", [1, ["a", {"b": "c"}]]),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("a: &x [1, 2]\nb: *x", {"a": [1, 2], "b": [1, 2]}),
        ("a: &x 5\nb: *x", {"a": 5, "b": 5}),
        ("? a\n: b", {"a": "b"}),
        ("'a b': c", {"a b": "c"}),
        ("a: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
        ("---\na: b\n...\n", {"a": "b"}),
        ("a: größe", {"a": "größe"}),
        ("", None),
        ("# nothing", None),
    ],
)
def test_plain_documents_are_read(text, expected):
    assert value(text) == expected


SURPRISES = (
    *("y", "Y", "yes", "No", "on", "OFF", "True", "FALSE", "~", "Null"),
    *(
        "010",
        "09",
        "0o7",
        "0x1F",
        "0b1",
        "1_000",
        "1:20",
        "190:20:30",
        "+1",
        ".5",
        "5.",
        "1.e3",
        "-.inf",
        ".NaN",
    ),
    *("2026-01-01", "2026-1-1 10:00:00", "="),
)


@pytest.mark.parametrize("text", SURPRISES)
def test_what_readers_understand_differently_is_refused(text):
    assert refusal(f"a: {text}") == ("FAB007", 1, 4)
    assert value(f"a: '{text}'") == {"a": text}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: \xff", ("FAB002", 1, 4)),
        (b"\xef\xbb\xbfa: 1", ("FAB002", 1, 1)),
        ("a: 1".encode("utf-16"), ("FAB002", 1, 1)),
        (b"a: 1\nb: \x00", ("FAB002", 2, 4)),
        (b"a: \x1b[31m", ("FAB002", 1, 4)),
        ("a: \u202egnp.exe".encode(), ("FAB002", 1, 4)),
        ("a: b\u2028c".encode(), ("FAB002", 1, 5)),
        (b"a: b\rc: d", ("FAB002", 1, 5)),
        (b"a: '\nb", ("FAB004", 1, 4)),
        (b"a: [1, 2", ("FAB004", 2, 1)),
        (b"a:\n\tb: 1", ("FAB005", 2, 1)),
        (b"a: 1\na: 2", ("FAB006", 2, 1)),
        (b"a: {b: 1, b: 2}", ("FAB006", 1, 11)),
        (b"- a: 1\n  <<: {}", ("FAB008", 2, 3)),
        (b"a: !!int 1", ("FAB008", 1, 4)),
        (b"a: ! 1", ("FAB008", 1, 4)),
        (b"a: 1\n---\nb: 2", ("FAB008", 2, 1)),
        (b"1: a", ("FAB008", 1, 1)),
        (b"?\n: a", ("FAB008", 1, 2)),
        (b"[a]: b", ("FAB008", 1, 1)),
        (b"a: *b", ("FAB009", 1, 4)),
        (b"a: &b [*b]", ("FAB009", 1, 8)),
        (b"a: " + b"9" * 30, ("FAB007", 1, 4)),
    ],
)
def test_what_is_no_strict_yaml_is_refused_at_its_place(data, expected):
    assert refusal(data) == expected


def test_a_file_reports_all_that_can_be_read_past():
    with pytest.raises(InvalidDocument) as caught:
        read_yaml(b"a: yes\nb: 010\nb: 1\n1: x\n", "a.yaml", "intent")

    found = [(d.code, caught.value.sources.place(d.origin).line) for d in caught.value.diagnostics]
    assert found == [("FAB007", 1), ("FAB007", 2), ("FAB006", 3), ("FAB008", 4)]


def test_places_are_those_of_values_and_of_keys_whose_value_stands_below():
    document = read_yaml(b"a:\n  b: 1\n  c:\n    - x\n    - {d: 2}\n", "a.yaml", "intent")

    assert document.place(("a", "b")) == Place("a.yaml", 2, 6)
    assert document.place(("a",)) == Place("a.yaml", 1, 1)
    assert document.place(("a", "c", 1, "d")) == Place("a.yaml", 5, 11)
    assert document.place(("a", "missing", 3)) == Place("a.yaml", 1, 1)


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30)
)


LADDER = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 1200))


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 200_000,
        b"{a: " * 200_000,
        b"- " * 200_000,
        b"? " * 200_000,
        b"a:\n" + b" " * 3 + b"- " * 150_000,
        BOMB.encode(),
        LADDER.encode(),
        b"x" * (100 << 20),
        b"[" + b"x," * 5_000_000,
    ],
    ids=[
        "brackets",
        "braces",
        "hyphens",
        "question marks",
        "deep lists",
        "alias bomb",
        "alias ladder",
        "100 MB",
        "many values",
    ],
)
def test_hostile_files_are_refused_at_their_limit_and_not_read_to_the_end(data, monkeypatch):
    monkeypatch.setattr(strict_yaml, "MAX_NODES", 10_000)
    found = []

    work(lambda: found.append(refusal(data)), at_most=60 * 10_000)

    assert found[0][0] in {"FAB003", "FAB004", "FAB008"}


def test_a_hostile_file_takes_bounded_memory():
    """Of the process alone: `ru_maxrss` would count what the one that has started it had."""
    program = (
        "import re\n"
        "from fabric.documents import InvalidDocument\n"
        "from fabric.documents.reading.strict_yaml import read_yaml\n"
        "try: read_yaml(b'[' + b'x,' * 15_000_000, 'a', 'intent')\n"
        "except InvalidDocument as error: print(error.diagnostics[0].code)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
    )

    out = run(sys.executable, "-c", program)

    code, peak_kib = out.stdout.split()
    assert code == "FAB003"
    assert int(peak_kib) < 500 * 1024


def lines(devices):
    return "".join(
        f"leaf-{i}:\n  address: 10.0.0.1/24\n  serial: A{i}\n  rack: r1\n  position: 7\n"
        for i in range(devices)
    ).encode()


def test_twice_the_lines_are_twice_the_work():
    assert len(read_yaml(lines(20_000), "a.yaml", "inventory").value) == 20_000
    assert growth(lambda devices: read_yaml(lines(devices), "a.yaml", "inventory"), 1_000) <= LINEAR
