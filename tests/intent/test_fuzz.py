"""Whatever a file holds, the loader answers with an intent or with findings, never with anything else."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from fabric.diagnostics import FabricError
from fabric.documents.print_findings import findings_text
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.intent.load import load_text
from tests.intent.samples import FULL, SITE, fuzzing, spoilt

SNIPPETS = st.sampled_from(
    (
        *(
            "[",
            "]",
            "{",
            "}",
            "- ",
            ": ",
            "? ",
            "&a ",
            "*a",
            "!x ",
            "|\n",
            ">-\n",
            "\t",
            "\n",
            "#",
            "'",
            '"',
            "<<: ",
        ),
        *(
            "---\n",
            "...",
            "%",
            "@",
            "`",
            ",",
            "\\x1b",
            "\r",
            "\0",
            "\ufeff",
            "\u2028",
            "\ud800",
            "\U0001f600",
            "~",
        ),
        *("0x", "1e9", "  ", "site", "include: [a.yaml]\n"),
    )
)


@st.composite
def scribbled(draw, text=SITE):
    """A right file that somebody scribbled into."""
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.integers(0, 12))
        text = text[:at] + draw(st.one_of(SNIPPETS, st.text(max_size=4))) + text[at + gone :]
    return text


def try_load(files):
    check_findings(lambda: load_text(files))


def check_findings(read):
    try:
        read()
    except FabricError as error:
        text = findings_text(error.diagnostics, error.sources)
        places = [error.sources.place(finding.origin) for finding in error.diagnostics]
    else:
        return
    assert text.replace("\n", "").isprintable()
    assert all(places)


@fuzzing
@given(spoilt())
def test_fuzz_no_value_escapes_the_loader(tree):
    try_load({"site.yaml": json.dumps(tree)})


@fuzzing
@given(scribbled())
def test_fuzz_no_text_escapes_the_loader(text):
    try_load({"site.yaml": text})


@fuzzing
@given(
    scribbled('name,address,rack\nleaf-0,192.0.2.1/24,r1\nleaf-1,192.0.2.2/24,"r,1"\n'),
    scribbled("format: 1\n"),
)
def test_fuzz_no_file_beside_the_site_escapes_the_loader(table, lock):
    inventory = "devices_csv: switches.csv\nhosts_csv: switches.csv\n"
    files = {"site.yaml": SITE, "inventory.yaml": inventory, "switches.csv": table, "fabric.lock": lock}
    try_load(files | {"state.yaml": lock, "hardware/own.yaml": lock})


@fuzzing
@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(SNIPPETS, max_size=40).map("".join).map(lambda t: t.encode("utf-8", "replace")),
    )
)
def test_fuzz_no_bytes_escape_the_reader(data):
    check_findings(lambda: read_yaml(data, "a.yaml", "intent"))


@fuzzing
@given(
    st.recursive(
        st.one_of(st.integers(-(10**15), 10**15), st.booleans(), st.none(), st.text()),
        lambda s: st.lists(s) | st.dictionaries(st.text(), s),
        max_leaves=20,
    )
)
def test_fuzz_every_json_document_is_read_as_json(value):
    text = json.dumps(value)
    try:
        read = read_yaml(text.encode(), "a.json", "intent").value
    except FabricError:
        return  # control characters behind escapes, keys beyond YAML's length
    assert read == value


def test_the_full_sample_gives_no_surprise():
    try_load({"site.yaml": json.dumps(FULL)})
