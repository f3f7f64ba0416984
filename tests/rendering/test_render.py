"""Printing devices, and remembering what was printed."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from fabric import api
from fabric.cli import main
from fabric.cli.write_lock_file import lock_text
from fabric.compiler import RECORDS
from fabric.diagnostics import Invalid
from fabric.platforms.base import Part
from fabric.platforms.registry import platform
from fabric.rendering import RenderRecord, read_records
from fabric.resources import SCRATCH

SITE = """site: lab
units: 2
hosts: {{gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: eos}}
      spine: {{model: arista-7060x6-64pe, platform: eos, count: 2}}
{rest}"""


@pytest.fixture
def compiled(tmp_path):
    def made(rest: str = "") -> api.Compiled:
        (tmp_path / "site.yaml").write_text(SITE.format(rest=rest))
        return api.compile(tmp_path)

    return made


def remembered(compiled: api.Compiled) -> dict[str, str]:
    for name in compiled.artifacts:
        assert compiled.artifacts[name].name == name
    api.remember(compiled.artifacts, compiled.folder)
    return {
        name: card.fingerprint for name, card in read_records(compiled.folder / SCRATCH / RECORDS).items()
    }


def test_a_card_tells_the_digest_that_printing_would_give(compiled):
    cards = remembered(compiled())
    again = compiled()

    for name in cards:
        assert again.artifacts.record(name).digest == again.artifacts[name].digest
    assert not again.artifacts.is_new


def test_the_lock_that_a_first_compile_writes_changes_no_fingerprint(compiled):
    first = compiled()
    before = remembered(first)
    (first.folder / "fabric.lock").write_text(lock_text(first.topology.lock))

    assert before == {name: card.fingerprint for name, card in _cards(compiled()).items()}


def _cards(compiled: api.Compiled) -> dict[str, RenderRecord]:
    return {name: compiled.artifacts.record(name) for name in compiled.artifacts}


def test_a_device_that_does_not_change_is_not_derived_again(compiled, monkeypatch):
    remembered(compiled())
    again = compiled("overrides: [{device: leaf-0-1, max_paths: 4}]\n")
    derived = []
    original = type(again.devices).__getitem__
    monkeypatch.setattr(
        type(again.devices), "__getitem__", lambda self, name: derived.append(name) or original(self, name)
    )

    for name in again.artifacts:
        again.artifacts.record(name)

    assert set(derived) == {"leaf-0-1"}


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("overrides: [{device: leaf-0-0, max_paths: 4}]\n", {"leaf-0-0"}),
        ("overrides: [{role: spine, max_paths: 4}]\n", {"spine-0", "spine-1"}),
        ("overrides: [{device: spine-1, asn: 65001}]\n", None),
        ("services: {ntp: {servers: [192.0.2.1]}}\n", None),
        ("capacity: {units: 3}\n", None),
    ],
)
def test_the_fingerprint_changes_with_what_a_device_is_derived_from(compiled, rest, expected):
    before = remembered(compiled())
    after = compiled(rest)

    changed = {name for name in before if after.artifacts.record(name).fingerprint != before[name]}

    assert changed == (set(before) if expected is None else expected)


@pytest.mark.parametrize("rest", ["services: {ntp: {servers: [192.0.2.1]}}\n", "capacity: {units: 3}\n"])
def test_equal_fingerprints_mean_equal_texts(compiled, rest):
    first, second = compiled(), compiled(rest)

    for name in set(first.devices) & set(second.devices):
        same = first.devices.fingerprint(name) == second.devices.fingerprint(name)
        assert not same or first.artifacts[name].text == second.artifacts[name].text


def test_cards_that_are_no_cards_are_forgotten(tmp_path):
    (tmp_path / "cards").write_bytes(msgspec.msgpack.encode({"leaf": "nonsense"}))

    assert read_records(tmp_path / "cards") == {}
    assert read_records(tmp_path / "none") == {}


def test_a_sites_own_template_comes_first_and_is_sandboxed(compiled, tmp_path):
    (tmp_path / "templates" / "eos").mkdir(parents=True)
    template = tmp_path / "templates" / "eos" / "switch.j2"
    template.write_text("! {{ config.hostname }} by our own template\n")
    made = compiled()

    assert made.artifacts["leaf-0-0"].text == "! leaf-0-0 by our own template\n"

    template.write_text("{{ config.__class__.__mro__ }}\n")
    with pytest.raises(Invalid, match="FAB580"):
        compiled().artifacts["leaf-0-0"]


def test_a_template_that_asks_for_what_is_not_there_is_told_so(compiled, tmp_path):
    (tmp_path / "templates" / "eos").mkdir(parents=True)
    (tmp_path / "templates" / "eos" / "switch.j2").write_text("{{ config.hostnam }}\n")

    with pytest.raises(Invalid, match=r"FAB580.*hostnam"):
        compiled().artifacts["leaf-0-0"]


def test_the_command_line_prints_only_what_changed(tmp_path):
    def fabric(*words: str) -> int:
        return main([*words, "-C", str(tmp_path), "--quiet"])

    (tmp_path / "site.yaml").write_text(SITE.format(rest=""))
    assert fabric("compile", "-o", str(tmp_path / "out")) == 0
    before = read_records(tmp_path / SCRATCH / RECORDS)
    (tmp_path / "site.yaml").write_text(SITE.format(rest="overrides: [{device: spine-0, max_paths: 4}]\n"))
    assert fabric("plan", "--offline", str(tmp_path / "out")) == 2
    after = read_records(tmp_path / SCRATCH / RECORDS)

    assert {name for name in after if after[name] != before.get(name)} == {"spine-0"}


def test_a_product_with_several_files_is_one_text_and_several_artifacts():
    parts = (
        Part(name="one", path="configs/{name}/one.json"),
        Part(name="two", path="configs/{name}/two.conf"),
    )
    several = dataclasses.replace(platform("eos"), parts=parts)
    text = "#!part one\n{}\n#!part two\nline\n"

    files = several.files("leaf", text)

    assert files == {"configs/leaf/one.json": "{}\n", "configs/leaf/two.conf": "line\n"}
    assert several.joined("leaf", files.get) == text
    assert several.joined("leaf", {}.get) is None
