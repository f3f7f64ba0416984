"""Secrets come back as EOS keeps them, so that only a masked comparison finds nothing to do."""

from __future__ import annotations

import re

import pytest

from fabric.platforms.eos.emulator.secrets import accepts, decrypt_cbc, encrypt7, encrypt_cbc, localized
from fabric.platforms.sha512crypt import sha512_crypt
from tests.platforms.eos import emulated
from tests.platforms.eos.test_emulator_grammar import typed
from tests.programs import needed_module

PLAIN = "s3cret-phrase"


@pytest.mark.parametrize(
    ("rows", "stored"),
    [
        (
            (f"username x privilege 15 role network-admin secret {PLAIN}",),
            r"secret sha512 \$6\$\S{16}\$\S{86}",
        ),
        (
            (f"username x privilege 15 role network-admin secret 0 {PLAIN}",),
            r"secret sha512 \$6\$\S{16}\$\S{86}",
        ),
        ((f"tacacs-server host 192.0.2.1 vrf MGMT key 0 {PLAIN}",), r"key 7 (?:0\d|1[0-5])[0-9A-F]{26}"),
        ((f"tacacs-server host 192.0.2.1 key {PLAIN}",), r"key 7 (?:0\d|1[0-5])[0-9A-F]{26}"),
        (("router bgp 1", f"neighbor UP password 0 {PLAIN}"), r"neighbor UP password 7 [A-Za-z0-9+/]{32}"),
        (
            ("router bgp 1", f"neighbor 10.0.0.1 password {PLAIN}"),
            r"neighbor 10.0.0.1 password 7 [A-Za-z0-9+/]{32}",
        ),
        (
            (f"snmp-server user u G v3 auth sha256 {PLAIN} priv aes256 {PLAIN}",),
            r"v3 localized [0-9a-f]{22} auth sha256 [0-9a-f]{64} priv aes256 [0-9a-f]{64}",
        ),
    ],
)
def test_a_plain_secret_is_stored_encoded(rows, stored):
    shown = typed(*rows)

    assert re.search(stored, shown)
    assert PLAIN not in shown


@pytest.mark.parametrize(
    "row",
    [
        "username x privilege 15 role network-admin secret sha512 $6$abcdefgh$" + "x" * 86,
        "tacacs-server host 192.0.2.1 key 7 071B245F5A",
        "snmp-server user u G v3 localized f5717f001c73 auth sha256 abcd priv aes256 abcd",
        "username x privilege 15 role network-admin nopassword",
    ],
)
def test_an_encoded_secret_is_kept(row):
    assert f"{row}\n" in typed(row)


def test_the_same_plain_secret_is_stored_in_another_way_each_time():
    row = f"username x privilege 15 role network-admin secret 0 {PLAIN}"

    assert typed(row) != typed(row)


def test_a_second_load_of_plain_secrets_differs_in_the_secret_lines_and_nowhere_else():
    plain = emulated.configs()["leaf1"] + f"\ntacacs-server host 192.0.2.1 vrf MGMT key 0 {PLAIN}"
    plain += f"\nusername x privilege 15 role network-admin secret 0 {PLAIN}"
    with emulated.sandbox((emulated.spec("leaf1"),), block=3) as box:
        device = emulated.opened(box, "leaf1")
        device.load_replace_candidate(config=plain)
        device.commit_config()
        device.load_replace_candidate(config=plain)
        changed = [line for line in device.compare_config().splitlines() if re.match(r"[-+](?![-+])", line)]

    assert {"username x", "tacacs-server host"} >= {" ".join(line[1:].split()[:2]) for line in changed}
    assert changed


def test_bgp_passwords_are_encrypted_as_avd_encrypts_them():
    passwords = needed_module("pyavd_utils.passwords")

    for password in ("a", "arista", PLAIN, "twenty-four characters!!"):
        assert passwords.cbc_encrypt("UP_passwd", password) == encrypt_cbc(password, "UP")


def test_a_bgp_password_is_only_readable_under_its_own_name():
    encoded = encrypt_cbc(PLAIN, "UP")

    assert PLAIN == decrypt_cbc(encoded, "UP")
    assert decrypt_cbc(encoded, "DOWN") is None
    assert decrypt_cbc("no base64!", "UP") is None


def test_tacacs_keys_are_encrypted_as_avd_encrypts_them():
    passwords = needed_module("pyavd_utils.passwords")

    for offset in range(16):
        assert passwords.simple_7_encrypt(PLAIN, offset) == encrypt7(PLAIN, offset)


@pytest.mark.parametrize(
    ("password", "salt", "expected"),
    [
        (
            "Hello world!",
            "saltstring",
            "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1",
        )
    ],
)
def test_hashes_are_those_of_the_specification(password, salt, expected):
    assert expected == sha512_crypt(password, salt)
    assert accepts(expected, password)
    assert not accepts(expected, password + "x")


def test_a_placeholder_is_no_hash_and_lets_nobody_in():
    assert not accepts("$6$REPLACE$REPLACE", "anything")
    assert not accepts("*", "anything")


def test_localized_keys_are_those_of_rfc_3414_but_for_the_engine(monkeypatch):
    # RFC 3414, appendix A.3.2: "maplesyrup" at engine 00 00 00 00 00 00 00 00 00 00 00 02.
    monkeypatch.setattr("fabric.platforms.eos.emulator.secrets.ENGINE_ID", bytes(11) + b"\x02")
    localized.cache_clear()
    key = localized("maplesyrup", "sha1").hex()
    localized.cache_clear()

    assert "6695febc9288e36282235fc7151f128497b38f3f" == key


def test_tacacs_logins_are_those_of_the_sandboxs_server():
    config = emulated.head("leaf1", 11).replace("username ", "username local-")
    login = "aaa authentication login default group tacacs+ local"
    tacacs = f"tacacs-server host 192.0.2.1 vrf MGMT key 0 {PLAIN}\n{login}"
    with emulated.sandbox((emulated.spec("leaf1"),), block=3) as box:
        emulated.applied(box, "leaf1", f"{config}\n{tacacs}")

        assert emulated.opened(box, "leaf1").get_facts()
