"""A secret of any characters is masked on every product, also one that begins as our own references do."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fabric.platforms.texts import SECRET
from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, product, texts

WITH_SECRETS = ("bgp password", "border router with a password", "snmpv3", "tacacs")
VALUES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=40)
"""What a secret may be: printable, no blanks, no line breaks (`fabric.deployment.connection.secrets`)."""


@cache
def leaves(name: str) -> tuple[str, ...]:
    """What is printed for a spine with each feature that has a secret."""
    able = [one for one in WITH_SECRETS if FEATURES[one].able(capabilities(name))]
    return tuple(text for one in able for *_, (_, text) in [texts(devices(name, one))])


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=25)
@given(value=VALUES)
@example(value="<secret:0000")
@example(value="<masked>and-more")
@example(value="<begins-so")
def test_a_secret_of_any_characters_is_masked(name: str, value: str) -> None:
    for text in leaves(name):
        shown = product(name).dialect().plain(product(name).fill(text, lambda _reference: value))

        assert SECRET.search(text)
        assert shown == SECRET.sub("<masked>", product(name).dialect().plain(text))


def test_every_product_has_a_place_for_a_secret() -> None:
    assert all(leaves(name) for name in MODELS)
