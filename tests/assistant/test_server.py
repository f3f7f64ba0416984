"""`fabric mcp`, asked by the official client over real pipes."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import get_args

import pytest

from fabric.assistant.tools import Lists, Operation
from fabric.cli.commands.show import BY_NETWORK
from fabric.cli.commands.simulate.options import OPERATIONS
from tests.cli.conftest import SITE
from tests.programs import run

READING = {
    "configuration",
    "diff",
    "explain",
    "impact",
    "lint",
    "models",
    "plan_offline",
    "schema",
    "show",
    "simulate",
    "size",
    "validate",
    "where",
    "why",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("assistant") / "site"
    folder.mkdir()
    (folder / "site.yaml").write_text(SITE)
    (folder / "backups").mkdir()
    (folder / "backups" / "leaf-0-0.cfg").write_text("hostname leaf-0-0\n")
    return folder


def session(folder, *questions):
    """The answers to questions, asked one after the other of one server: structured, or the text of an error."""
    from mcp import ClientSession, StdioServerParameters  # slow
    from mcp.client.stdio import stdio_client

    async def ask():
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "fabric", "mcp", "-C", str(folder)]
        )
        async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
            await client.initialize()
            return [await question(client) for question in questions]

    return asyncio.run(asyncio.wait_for(ask(), 300))


def call(name, **arguments):
    async def question(client):
        answer = await client.call_tool(name, arguments)
        text = answer.content[0].text if answer.content else ""
        return (text, None) if answer.is_error else ("", json.loads(text))

    return question


def state(folder):
    return {
        path: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".fabric" not in path.parts
    }


def test_every_tool_reads_and_says_so(folder):
    async def listed(client):
        return (await client.list_tools()).tools

    [tools] = session(folder, listed)

    assert {tool.name for tool in tools} == READING
    assert all(tool.annotations.read_only_hint and not tool.annotations.destructive_hint for tool in tools)
    assert all(tool.description for tool in tools)


def test_a_site_is_explored_and_stays_as_it_is(folder):
    before = state(folder)

    answers = session(
        folder,
        call("validate"),
        call("show", what="devices", network="compute"),
        call("configuration", device="leaf-0-0"),
        call("lint"),
        call("impact", take="spine-0"),
        call("simulate", operation="allreduce"),
        call("plan_offline", backups="backups"),
        call("explain", code="FAB214"),
        call("models", model="arista-7060x6-32pe"),
        call("why", device="leaf-0-0", words="random-detect ecn minimum"),
        call("where", place="networks.compute.tiers.spine.count"),
    )

    assert [""] * len(answers) == [error for error, _answer in answers]
    documents = [answer for _error, answer in answers]
    assert 0 == documents[0]["exit_code"]
    assert 6 == len([d for d in documents[1]["devices"] if d["platform"]])
    assert "hostname leaf-0-0" in next(iter(documents[2]["files"].values()))
    assert "kmin" in json.dumps(documents[9])
    assert "spine-0" in json.dumps(documents[10])
    assert documents[6]["plan"]["mode"] == "offline"
    assert before == state(folder)


def test_an_edit_is_tried_without_being_written(folder):
    before = state(folder)
    broken = SITE.replace("count: 2", "count: two")

    (_, good), (_, bad) = session(
        folder,
        call("show", what="topology", files={"site.yaml": SITE.replace("count: 2", "count: 4")}),
        call("validate", files={"site.yaml": broken}),
    )

    assert 4 == next(row["count"] for row in good["tiers"] if row["tier"] == "spine")
    assert 1 == bad["exit_code"]
    assert "FAB023" in {finding["code"] for finding in bad["diagnostics"]}
    assert before == state(folder)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("configuration", {"device": "leaf-9"}, "leaf-9"),
        ("show", {"what": "devices", "device": "--svg=/tmp/x"}, "there is no device '--svg=/tmp/x'"),
        ("show", {"what": "apply"}, "what"),
        ("models", {"model": "--site=/etc"}, "--site=/etc"),
        ("diff", {"old": "--output=/tmp/x"}, "git finds no revision"),
        ("plan_offline", {"backups": "../.."}, "outside the site's folder"),
        ("validate", {"files": {"../escape.yaml": "site: x"}}, "not the name of a file below"),
        ("validate", {"files": {"/etc/passwd": "site: x"}}, "not the name of a file below"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(folder, name, arguments, words):
    before = state(folder)

    [(error, answer)] = session(folder, call(name, **arguments))

    assert answer is None
    assert words in error
    assert before == state(folder)


def test_an_assistant_may_ask_for_every_list_and_operation_of_the_command_line():
    assert get_args(Operation) == OPERATIONS
    assert set(get_args(Lists)) == set(BY_NETWORK)


def test_without_the_package_the_command_says_what_to_install(folder):
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from fabric.cli import main; sys.exit(main(['mcp', '-C', sys.argv[1]]))"
    )

    done = run(sys.executable, "-c", code, folder, exits=1)

    assert "fabric-as-code[assistant]" in done.stderr
