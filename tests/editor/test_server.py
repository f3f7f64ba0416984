"""`fabric lsp`, asked by pygls's own client over real pipes."""

from __future__ import annotations

import asyncio
import sys

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from fabric.documents.codes import SYNTAX
from fabric.intent.load import POLICIES
from tests.cli.conftest import SITE
from tests.programs import run

INVENTORY = "devices:\n  leaf-0-0: {rack: A1}\nhosts:\n  gpu-0-0: {rack: A2}\n"
STATE = "drained:\n- device: spine-1\n  reason: optics are swapped\n  owner: ops\n  expires: '2099-01-01'\n"
LONGEST_S = 90


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("editor") / "site"
    folder.mkdir()
    (folder / "site.yaml").write_text(SITE)
    (folder / "inventory.yaml").write_text(INVENTORY)
    (folder / "state.yaml").write_text(STATE)
    return folder


class Session:
    """An editor with one site."""

    def __init__(self, folder):
        self.folder = folder
        self.client = LanguageClient("test", "1")
        self.findings = asyncio.Queue()
        self.version = 0

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params):
            self.findings.put_nowait(params)

    async def start(self):
        await self.client.start_io(sys.executable, "-m", "fabric", "lsp")
        folders = [types.WorkspaceFolder(self.folder.as_uri(), "site")]
        asked = types.InitializeParams(types.ClientCapabilities(), workspace_folders=folders)
        answer = await self.client.initialize_async(asked)
        self.client.initialized(types.InitializedParams())
        return answer

    async def end(self):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def uri(self, name):
        return (self.folder / name).as_uri()

    async def open(self, name, text):
        item = types.TextDocumentItem(self.uri(name), "yaml", 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.published(name)

    async def change(self, name, text):
        self.edit(name, text)
        return await self.published(name)

    def edit(self, name, text):
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def published(self, name):
        while True:
            params = await self.findings.get()
            if params.uri == self.uri(name):
                return params.diagnostics

    def at(self, name, text, words, after=0):
        """The position of some words in a text."""
        before = text[: text.index(words) + after]
        position = types.Position(before.count("\n"), len(before.rpartition("\n")[2]))
        return types.TextDocumentIdentifier(self.uri(name)), position

    async def completed(self, name, text, words):
        answer = await self.client.text_document_completion_async(
            types.CompletionParams(*self.at(name, text, words, len(words)))
        )
        return {item.label: item.text_edit.new_text for item in answer.items}

    async def hovered(self, name, text, words):
        answer = await self.client.text_document_hover_async(types.HoverParams(*self.at(name, text, words)))
        return answer.contents.value if answer else None

    async def defined(self, name, text, words, after=0):
        asked = types.DefinitionParams(*self.at(name, text, words, after))
        answer = await self.client.text_document_definition_async(asked)
        return (answer.uri.rpartition("/")[2], answer.range.start.line) if answer else None


def in_session(folder, story):
    async def told():
        session = Session(folder)
        answer = await session.start()
        try:
            return await story(session, answer)
        finally:
            await session.end()

    return asyncio.run(asyncio.wait_for(told(), LONGEST_S))


def line_of(text, words):
    return text[: text.index(words)].count("\n")


def test_findings_appear_while_a_site_is_typed_and_go_when_it_is_mended(folder):
    broken = SITE.replace("count: 2", "count: two").replace("gpus: 4\n", "gpu: 4\n", 1)
    broken = broken.replace("description: Two", "description: \N{GRINNING FACE} Two")

    async def story(session, _answer):
        first = await session.open("site.yaml", broken)
        session.edit("site.yaml", broken.replace("two", "tw"))
        mended = await session.change("site.yaml", SITE)
        left = await session.change("site.yaml", SITE.replace("networks:", "networks: {"))
        return first, mended, left

    first, mended, left = in_session(folder, story)

    found = {(d.code, d.range.start.line, d.range.start.character, d.range.end.character) for d in first}
    count = broken.split("\n")[line_of(broken, "two}")]
    key = line_of(broken, "gpu: 4")
    assert ("FAB023", line_of(broken, "two}"), count.index("two"), count.index("two") + 3) in found
    assert ("FAB021", key, 4, 7) in found
    assert (13, 13 + len("xx Two tiers, four rails.")) in {place[2:] for place in found}  # in units of UTF-16
    assert all("hint: " in d.message and d.source == "fabric" for d in first)
    assert [] == [d for d in mended if d.severity is types.DiagnosticSeverity.Error]
    assert [SYNTAX.code] == [d.code for d in left]


def test_a_key_is_explained_and_what_the_program_has_decided_is_told(folder):
    text = SITE.replace("count: 2", "count: auto") + "    lossless: policies/ours.yaml\n"
    policy = (POLICIES / "roce-lossless.yaml").read_text()
    (folder / "policies").mkdir()
    (folder / "policies" / "ours.yaml").write_text(policy)

    async def story(session, answer):
        await session.open("site.yaml", text)
        await session.open("policies/ours.yaml", policy)
        capabilities = answer.capabilities
        return capabilities, (
            await session.hovered("site.yaml", text, "count: auto"),
            await session.hovered("site.yaml", text, "per_unit"),
            await session.hovered("policies/ours.yaml", policy, "ecn: auto"),
        )

    capabilities, (count, per_unit, ecn) = in_session(folder, story)

    assert capabilities.hover_provider
    assert "tiers.spine.count: **2** (the fewest spines" in count
    assert "kmin: **" in ecn
    assert "kmax: **" in ecn
    assert "Default: `auto`" in count
    assert "Hosts of this group in a full unit" in per_unit


def test_what_may_be_written_is_offered(folder):
    texts = {
        "site.yaml": SITE + "    tec\noverrides:\n- device: \n",
        "state.yaml": STATE + "accept:\n- finding: \n",
        "inventory.yaml": INVENTORY + "  \n",
    }

    async def story(session, _answer):
        for name, text in (("site.yaml", SITE), ("state.yaml", STATE), ("inventory.yaml", INVENTORY)):
            await session.open(name, text)
        for name, text in texts.items():
            session.edit(name, text)
        return (
            await session.completed("site.yaml", texts["site.yaml"], "    tec"),
            await session.completed("site.yaml", texts["site.yaml"], "spine: {model: "),
            await session.completed("site.yaml", texts["site.yaml"], "- device: "),
            await session.completed("state.yaml", texts["state.yaml"], "- finding: "),
            await session.completed("inventory.yaml", texts["inventory.yaml"], "{rack: A2}\n  "),
        )

    keys, models, devices, codes, hosts = in_session(folder, story)

    assert "technology: " == keys["technology"]
    assert "tiers" not in keys
    assert "arista-7060x6-32pe" in models
    assert not any("qm9700" in model for model in models)
    assert {"leaf-0-0", "spine-1"} <= set(devices)
    assert "FAB342" in codes
    assert "gpu-0-1" in hosts
    assert "gpu-0-0" not in hosts


def test_a_name_leads_to_its_definition(folder):
    text = SITE + "    lossless: roce-lossy\n"

    async def story(session, _answer):
        await session.open("site.yaml", text)
        await session.open("state.yaml", STATE)
        await session.open("inventory.yaml", INVENTORY)
        return (
            await session.defined("state.yaml", STATE, "spine-1"),
            await session.defined("inventory.yaml", INVENTORY, "gpu-0-0"),
            await session.defined("site.yaml", text, "compute: {count"),
            await session.defined("site.yaml", text, "arista-7060x6-32pe"),
            await session.defined("site.yaml", text, "roce-lossy"),
            await session.defined("site.yaml", text, "per_unit"),
        )

    spine, host, network, model, policy, nothing = in_session(folder, story)

    assert ("site.yaml", line_of(text, "spine:")) == spine
    assert ("site.yaml", line_of(text, "gpu:")) == host
    assert ("site.yaml", line_of(text, "  compute:\n")) == network
    assert ("arista-7060x6-32pe.yaml", 0) == model
    assert ("roce-lossy.yaml", 0) == policy
    assert nothing is None


def test_without_the_package_the_command_says_what_to_install():
    code = "import sys; sys.modules['pygls'] = None\nfrom fabric.cli import main; sys.exit(main(['lsp']))"

    done = run(sys.executable, "-c", code, exits=1)

    assert "fabric-as-code[editor]" in done.stderr
