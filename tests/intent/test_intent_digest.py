"""The digest of an intent: what it depends on, and what not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.intent.intent_digest import digest
from fabric.intent.load import load_text
from tests.intent.samples import SITE


def digest_of(**files):
    return digest(load_text({name.replace("__", "."): text for name, text in files.items()}))


PLAIN = digest_of(site__yaml=SITE)


def test_comments_spacing_and_includes_do_not_count():
    head, hosts, networks = (
        SITE.partition("hosts:")[0],
        "hosts:" + SITE.partition("hosts:")[2].partition("networks:")[0],
        "",
    )
    networks = "networks:" + SITE.partition("networks:")[2]

    assert digest_of(site__yaml="# a comment\n" + SITE.replace("units: 2", "units:   2")) == PLAIN
    assert digest_of(site__yaml=networks + hosts + head) == PLAIN


def test_spelling_does_not_count():
    assert digest_of(site__yaml=SITE.replace("400G", '"400.0G"')) == PLAIN


@given(st.permutations(["site", "units", "hosts", "networks"]))
def test_the_order_of_keys_does_not_count(order):
    tree = {
        "site": "lab",
        "units": 2,
        "hosts": {"gpu": {"per_unit": 4, "nics": {"compute": {"count": 8, "speed": "400G"}}}},
        "networks": {
            "compute": {
                "tiers": {"spine": {"model": "arista-7060x6-64pe"}, "leaf": {"model": "arista-7060x6-64pe"}}
            }
        },
    }

    assert digest_of(site__yaml=json.dumps({key: tree[key] for key in order})) == PLAIN


@pytest.mark.parametrize(
    "files",
    [
        {"site__yaml": SITE.replace("units: 2", "units: 3")},
        {"site__yaml": SITE, "inventory__yaml": "devices: {leaf-0-0: {serial: A}}"},
        {
            "site__yaml": SITE,
            "state__yaml": 'drained: [{device: a, reason: abc, owner: b, expires: "2099-01-01"}]',
        },
        {"site__yaml": SITE.replace("    tiers:", "    lossless: roce-lossy\n    tiers:")},
    ],
)
def test_everything_else_counts(files):
    assert digest_of(**files) != PLAIN
