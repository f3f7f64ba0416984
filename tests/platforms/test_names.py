"""What a text defines by name is used in it, and what it uses is defined: on every platform, for every shape."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.devices.derive import derive
from fabric.devices.site_devices import Devices
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.alike import shared_names
from fabric.platforms.object_names import NameRule, object_name
from fabric.topology.expand import expand
from tests.platforms.everywhere import (
    EXPECTATIONS,
    FEATURES,
    MODELS,
    SITE,
    capabilities,
    devices,
    policy,
    texts,
)
from tests.platforms.names import named
from tests.platforms.profiles import equal_ones, indented

CASES = [
    (name, feature)
    for name in sorted(MODELS)
    for feature, asked in FEATURES.items()
    if asked.able(capabilities(name))
]


@pytest.mark.parametrize(("name", "feature"), CASES)
def test_every_named_object_is_defined_and_used(name, feature):
    for switch, text in texts(devices(name, feature)):
        defined, used = named(name, text)

        assert defined
        assert (switch.name, set()) == (switch.name, defined - used), "defined, and never used"
        assert (switch.name, set()) == (switch.name, used - defined), "used, and never defined"


@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_object_that_nothing_uses_and_one_that_is_missing_would_be_noticed(name):
    for _switch, text in texts(devices(name, "two tiers")):
        defined, used = named(name, text)
        (_kind, victim) = max(
            (pair for pair in defined & used if "-" in pair[1]), key=lambda pair: len(pair[1])
        )
        there = text.rindex(victim)
        changed = f"{text[:there]}{victim}x{text[there + len(victim) :]}"
        defined, used = named(name, changed)

        assert defined ^ used


def in_a_file(name: str, path: str, one: str = "roce") -> Devices:
    """The switches of the shared site, whose policy is this file and names its lossless class so."""
    words = {"model": MODELS[name], "platform": name}
    site = SITE.format(**words, network="", tiers="", rest="", ports="", leaf="", spine="").replace(
        "policy.yaml", path
    )
    text = policy(name).replace("roce:", f"{one}:", 1)
    intent = load_text({"site.yaml": site, path: text, "inventory.yaml": "{}"})
    return derive(intent, expand(intent), registry)


PATHS = (
    "policies/two.yaml",
    "p.yaml",
    "a/very/long/way/down/to/the/policy/of/the/compute/network/lossless.yaml",
)


@pytest.mark.parametrize("one", ["roce", "r" + 50 * "o" + "ce"])
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_name_made_from_a_file_or_a_class_is_one_that_the_product_takes(name, path, one):
    for _switch, text in texts(in_a_file(name, path, one)):
        defined, used = named(name, text)
        for kind, word in defined | used:
            assert re.fullmatch(EXPECTATIONS[name].names, word), (kind, word)
            assert kind not in ("policy-map", "class-map") or len(word) <= 40


@pytest.mark.parametrize("name", sorted(MODELS))
def test_long_names_of_attachments_fit_the_product_and_stay_apart(name):
    """Two names of 63 characters that differ in the last one: of each, what is made of its name is its own."""
    short, long = (
        {switch.name: named(name, text)[0] for switch, text in texts(devices(name, feature))}
        for feature in ("attachments with names alike", "attachments with long names alike")
    )

    for switch, defined in long.items():
        assert Counter(kind for kind, _ in defined) == Counter(kind for kind, _ in short[switch])
        for kind, word in defined:
            assert re.fullmatch(EXPECTATIONS[name].names, word), (kind, word)
            assert kind not in ("policy-map", "class-map") or len(word) <= 40


@given(
    st.lists(
        st.text(st.characters(codec="ascii", categories=("L", "N", "P")), min_size=1), min_size=2, unique=True
    ),
    st.sampled_from(["", "-IN"]),
)
def test_two_texts_never_become_one_name(texts_, suffix):
    rule = NameRule("A-Za-z0-9_-", 40)
    made = [
        object_name(text, rule, suffix=suffix) for text in (*texts_, *(object_name(t, rule) for t in texts_))
    ]
    inputs = {*texts_, *(object_name(t, rule) for t in texts_)}

    assert len(set(made)) == len(inputs)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name) and name.endswith(suffix) for name in made)


def test_what_fits_keeps_its_name():
    assert object_name("roce-lossless", NameRule("A-Za-z0-9_-", 40), suffix="-IN") == "roce-lossless-IN"


SHAPES = ("as it is", "two speeds", "one marking curve for all")


def shaped(name: str, shape: str) -> Devices:
    """The shared site with kinds of ports that differ in cable or speed alone."""
    words = {"model": MODELS[name], "platform": name}
    leaf = ", up: {speed: 800G}" if shape != "as it is" else ""
    site = SITE.format(**words, network="", tiers="", rest="", ports="", spine="", leaf=leaf)
    rules = policy(name)
    if shape == "one marking curve for all":
        rules = rules.replace("ecn: auto", "ecn: {kmin: 800KB, kmax: 3200KB}")
    intent = load_text({"site.yaml": site, "policy.yaml": rules, "inventory.yaml": "{}"})
    return derive(intent, expand(intent), registry)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_no_two_profiles_of_a_kind_say_the_same(name, shape):
    for switch, text in texts(shaped(name, shape)):
        profiles = dict(EXPECTATIONS[name].profiles(text))

        assert profiles
        assert (switch.name, []) == (switch.name, equal_ones(profiles))


def test_two_equal_profiles_would_be_found():
    text = "qos profile a\n   qos trust dscp\n!\nqos profile b\n   qos trust dscp\n"

    assert [("a", "b")] == equal_ones(dict(indented("qos profile")(text)))


@given(st.dictionaries(st.from_regex(r"[a-c](-[a-c]){0,2}", fullmatch=True), st.integers(0, 3), min_size=1))
def test_what_differs_never_gets_one_name_and_what_is_equal_does(bodies):
    names = shared_names(bodies)

    for one, body in bodies.items():
        for other, its in bodies.items():
            assert (names[one] == names[other]) == (body == its)
