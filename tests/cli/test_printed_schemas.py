"""What commands print for programs is what `fabric schema` says of it: every key, its type, its meaning."""

from __future__ import annotations

import contextlib
import io
import json

import jsonschema
import pytest

from fabric.cli import main
from fabric.cli.output_schemas import PRINTED, printed_schema
from fabric.resources import resource
from fabric.tables.column_meanings import ALWAYS, MEANINGS

LAB = str(resource("inventories") / "reference" / "lab-8")
ELSEWHERE = ("history", "history-run", "history-device", "drift", "verify")
"""Need runs, or a network: tests/cli/test_history.py, tests/cli/test_online_commands.py."""
JOBS = "jobs.csv"
WORDS = {
    "size": ["size", "--gpus", "64", "--nic", "400G"],
    "impact-take": ["impact", "--take", "leaf-0-0-0", "--jobs-file", JOBS, "-C", LAB],
}
COMMANDS = {name: WORDS.get(name, [*name.split("-"), "-C", LAB]) for name in PRINTED if name not in ELSEWHERE}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What a command prints, once."""
    kept = {}
    jobs = tmp_path_factory.mktemp("jobs") / JOBS
    jobs.write_text("name,hosts\nllm,gpu-0-0 gpu-1-0\n")

    def of(name):
        if name not in kept:
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                words = [str(jobs) if word == JOBS else word for word in COMMANDS[name]]
                main([*words, "--format", "json", "-q"])
            kept[name] = json.loads(out.getvalue())
        return kept[name]

    return of


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_its_schema_says_and_no_other_key(printed, name):
    schema, document = printed_schema(name), printed(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    rows = {
        key: value["items"]["properties"]
        for key, value in schema["properties"].items()
        if "items" in value
        if "properties" in value["items"]
    }

    assert [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(document)] == []
    assert document.keys() == schema["properties"].keys()
    for table, known in rows.items():
        assert document[table], f"lab-8 shows nothing of {table}"
        assert {key for row in document[table] for key in row} <= known.keys()
        assert all("description" in value for value in known.values())


def test_a_value_of_another_type_is_found(printed):
    spoilt = json.loads(json.dumps(printed("show-links")))
    spoilt["links"][0] |= {"speed_mbps": "400G"}

    assert [*jsonschema.Draft202012Validator(printed_schema("show-links")).iter_errors(spoilt)]


def test_a_meaning_is_written_for_columns_that_exist_and_ends_as_a_sentence():
    used = {
        key
        for name in PRINTED
        for table in printed_schema(name)["properties"].values()
        for key in table.get("items", {}).get("properties", {})
    }

    assert used == MEANINGS.keys()
    assert ALWAYS <= used
    assert all(meaning.endswith(".") for _kind, meaning in MEANINGS.values())
