"""A value is masked whatever it begins with, and what says how it is encoded is none."""

from __future__ import annotations

import pytest

from fabric.platforms.eos.secrets import mask_text

LINES = {
    "username u secret {}": ("", "5 ", "0 ", "sha512 "),
    "enable password {}": ("", "5 ", "sha512 "),
    "ntp authentication-key 1 sha1 {}": ("", "7 ", "8a "),
    "   key-string {}": ("", "7 ", "8a "),
    "   passphrase {}": ("", "0 ", "7 "),
    "   ip ospf message-digest-key 1 sha256 {}": ("", "7 "),
    "   ip ospf authentication md5 {}": ("", "8a "),
    "   password {}": ("", "7 ", "8a ", "sha512 "),
}
VALUES = ("x", "7", "7abc", "8ab", "5a", "sha512x", "0x12")


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("line", LINES)
def test_a_value_is_masked_whatever_it_begins_with(line: str, value: str) -> None:
    for kind in LINES[line]:
        shown = mask_text(line.format(f"{kind}{value}"))
        assert shown in (line.format("<masked>"), line.format("sha512 <masked>"))


@pytest.mark.parametrize("line", LINES)
def test_what_is_masked_stays_as_it_is(line: str) -> None:
    for value in ("<masked>", "<secret:env:KEY>"):
        for kind in LINES[line]:
            shown = mask_text(line.format(f"{kind}{value}"))
            assert mask_text(shown) == shown
            assert value in shown
