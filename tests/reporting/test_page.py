"""The page of a report: it asks for nothing, lets nobody in, is small, and the same for the same site."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from fabric.exports.network_view import views
from fabric.intent.load import load_text
from fabric.reporting.page import Facts, Finding, PageTable, Verified, page
from fabric.reporting.page.bars import WIDE, port_fill
from fabric.reporting.page.facts import VerifyFinding
from fabric.topology.expand import expand

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
SITE = """
site: drawn
units: {units}
description: '{description}'
hosts: {{gpu: {{per_unit: {hosts}, gpus: 8, nics: {{compute: {{count: 8, speed: 400G}}}}}}}}
networks:
  compute:
    pods: {{units: {pod}}}
    tiers:
      leaf: {{model: arista-7060x6-64pe}}
      spine: {{model: arista-7060x6-64pe}}
      superspine: {{model: arista-7060x6-64pe}}
    lossless: roce-lossless
"""
INVENTORY = """
devices:
  leaf-0-0: {{address: 192.0.2.10/24, rack: '{rack}', position: 40}}
"""


def facts(*, units=2, hosts=4, pod=1, description="Small", rack="A1", **more):
    files = {
        "site.yaml": SITE.format(units=units, hosts=hosts, pod=pod, description=description),
        "inventory.yaml": INVENTORY.format(rack=rack),
    }
    intent = load_text(files)
    return Facts(views=views(intent, expand(intent)), **more)


@pytest.fixture(scope="module")
def small():
    return facts()


class Read(HTMLParser):
    """Tags, attributes and texts of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.inside, self.scripts, self.texts = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.inside.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass

    def handle_data(self, data):
        if self.inside[-1:] == ["script"]:
            self.scripts[-1] += data
        else:
            self.texts.append(data)


def data_of(text):
    return json.loads(Read(text).scripts[0])


def test_hostile_words_stay_words(small):
    finding = Finding(code="FAB1001", severity="warning", place=HOSTILE, message=HOSTILE, hint=HOSTILE)
    fault = VerifyFinding(id=HOSTILE, kind=HOSTILE, section=HOSTILE, code=HOSTILE, text=HOSTILE, hint=HOSTILE)
    table = PageTable(title=HOSTILE, headings=(HOSTILE,), rows=((HOSTILE,),), note=HOSTILE, devices=(True,))
    clean = Read(page(small))

    hostile = Read(
        page(
            facts(
                description=HOSTILE,
                rack=HOSTILE,
                findings=(finding,),
                verified=Verified(HOSTILE, HOSTILE, (fault,)),
                tables={"bom": (table,), "devices": (table,), "failures": (table,)},
                notes={"load": (HOSTILE,)},
            )
        )
    )

    assert len(hostile.scripts) == len(clean.scripts) == 2
    assert hostile.scripts[1] == clean.scripts[1]
    assert "img" not in {tag for tag, _attributes in hostile.tags}
    assert [] == [name for _tag, attributes in hostile.tags for name in attributes if name.startswith("on")]
    assert "".join(hostile.texts).count(HOSTILE) >= 10


def test_what_stands_between_backticks_is_code(small):
    finding = Finding(
        code="FAB1", severity="info", place="site.yaml:1:1", message="no `<b>`", hint="write `units: 2` there"
    )
    text = page(replace(small, findings=(finding,)))

    assert "no <code>&lt;b&gt;</code>" in text
    assert "write <code>units: 2</code> there" in text


def test_a_page_asks_for_nothing_and_runs_nothing_but_its_own_script(small):
    text = page(small)
    tags = Read(text).tags
    (policy,) = [a["content"] for tag, a in tags if tag == "meta" and "http-equiv" in a]

    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    asks = [a for _tag, a in tags for name in a if name in ("src", "srcset", "action", "style", "xlink:href")]
    assert asks == []
    assert all(a["href"].startswith("#") for tag, a in tags if tag == "a")
    assert not [
        tag for tag, _a in tags if tag in ("link", "iframe", "object", "embed", "base", "form", "image")
    ]
    assert re.findall(r"https?://[^\"'<\s]+", text) == []


def test_the_same_site_gives_the_same_bytes(small):
    assert page(small) == page(facts())
    assert page(small) != page(facts(hosts=5))


def runs(numbers):
    return [value for value, count in zip(numbers[::2], numbers[1::2], strict=True) for _ in range(count)]


def sums(numbers):
    total, found = 0, []
    for step in runs(numbers):
        total += step
        found.append(total)
    return found


def test_the_script_gets_every_device_and_every_link(small):
    (network,) = data_of(page(small))["networks"]
    net = small.views[0].topology

    assert network["names"] == net.names
    assert list(net.port_base) == sums(network["base"])
    links = list(zip(sums(network["low"]), sums(network["high"]), strict=True))
    assert sorted(tuple(sorted(link)) for link in links) == [(p, q) for p, q in enumerate(net.peer) if q > p]
    assert [net.cable[low] for low, _high in links] == sums(network["cable"])
    assert set().union(*(_nodes(scope) for scope in network["scopes"])) == set(range(len(net.names)))


def _nodes(scope):
    return {node - 1 for node in sums(scope["nodes"])}


def test_every_part_that_can_be_opened_has_a_drawing(small):
    text = page(small)
    tags = Read(text).tags
    (network,) = data_of(text)["networks"]
    names = {scope["id"] for scope in network["scopes"]}

    assert {a["data-s"] for _tag, a in tags if "data-s" in a} <= names
    assert {scope["parent"] for scope in network["scopes"]} <= names | {""}
    shapes = [tag for tag, a in tags if tag == "template" and a.get("class") == "shape"]
    assert {scope["shape"] for scope in network["scopes"]} == {-1, *range(len(shapes))}


def test_who_cannot_see_it_has_landmarks_headings_and_tables(small):
    text = page(small)
    tags = Read(text).tags
    ids = [a["id"] for _tag, a in tags if "id" in a]

    assert {"header", "nav", "main"} <= {tag for tag, _a in tags}
    assert len(ids) == len(set(ids))
    assert all(a["href"][1:] in ids for tag, a in tags if tag == "a" and a["href"].startswith("#s-"))
    for tag, attributes in tags:
        for name in ("aria-labelledby", "aria-controls", "for"):
            assert attributes.get(name, ids[0]) in ids, (tag, name)
    captions = sum(tag == "caption" for tag, _a in tags)
    assert captions == sum(tag == "table" for tag, _a in tags) > 0
    assert all(a.get("scope") for tag, a in tags if tag == "th")


def test_a_thousand_switches_are_at_most_two_megabytes():
    large = facts(units=72, hosts=32, pod=4)
    switches = len(large.views[0].topology.switches)
    table = PageTable(
        title="Switches",
        headings=("DEVICE", *("ADDRESS",) * 10),
        rows=tuple((f"leaf-{i:04}",) + ("2001:db8:0:17::1",) * 10 for i in range(switches)),
        devices=(True,) + (False,) * 10,
    )
    text = page(replace(large, tables={"devices": (table,)}))

    assert switches >= 1000
    assert len(text.encode()) <= 2_000_000
    assert len(data_of(text)["networks"][0]["names"]) == switches + 72 * 32


def test_a_switch_whose_cages_are_empty_does_not_look_full(small):
    fills = list(port_fill(small.views))
    leaves = fills[0]

    assert (leaves.tier, leaves.cages) == ("leaf", 64 * leaves.switches)
    assert leaves.cabled
    assert all(0 < sum(fill.shares) <= fill.used_cages < fill.cages for fill in fills)
    assert f"{leaves.used_cages:,} of {leaves.cages:,} cages in use" in page(small)
    widths = [width for _x, width, _css in leaves.bar.pieces]
    assert sum(widths) == pytest.approx(WIDE * sum(leaves.shares) / leaves.cages)
