"""Files of SSH host keys are read as paramiko reads them, host by host."""

from __future__ import annotations

from pathlib import Path

import paramiko
import pytest

from fabric.platforms.trust import add_known_keys, host_name
from tests.platforms.recorded_devices import knows_nobody

ED = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
RSA = paramiko.RSAKey.generate(2048).get_base64()
HOSTS = (
    "192.0.2.1",
    "192.0.2.10",
    "leaf",
    host_name("192.0.2.1", 830),
    "2001:db8::1",
    host_name("2001:db8::1", 1),
)
LINES = (
    "# a comment",
    "",
    f"192.0.2.1 ssh-ed25519 {ED}",
    f"192.0.2.1 ssh-rsa {RSA} and a comment",
    f"leaf,192.0.2.10 ssh-ed25519 {ED}",
    f"{paramiko.HostKeys.hash_host('192.0.2.10')} ssh-rsa {RSA}",
    f"{paramiko.HostKeys.hash_host('[192.0.2.1]:830')} ssh-ed25519 {ED}",
    f"2001:db8::1,[2001:db8::1]:1 ssh-rsa {RSA}",
    "leaf ssh-rsa",
    "leaf ssh-dss AAAAB3NzaC1kc3MAAAAB",
    "garbage",
)
DAMAGED = (
    f"@cert-authority leaf ssh-rsa {RSA}",
    "leaf ssh-rsa not-base64!",
    "leaf ssh-rsa AAAA",
    "|1|broken ssh-rsa AAAA",
    f"|1|{'A' * 5}|{'A' * 5} ssh-rsa {RSA}",
)
"""Paramiko gives the whole file up for some of these."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    knows_nobody(tmp_path / "home", monkeypatch)


@pytest.mark.parametrize("host", [*HOSTS, "198.51.100.1"])
def test_a_host_has_the_keys_that_paramiko_reads(host: str, tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    path.write_text("\n".join(LINES))
    whole, own = paramiko.HostKeys(str(path)), paramiko.HostKeys()
    path.write_text("\n".join([*DAMAGED, *LINES, *DAMAGED]))

    add_known_keys(own, str(path), host)

    assert dict(own.lookup(host) or {}) == dict(whole.lookup(host) or {})
    assert (own.lookup(host) is None) == (host == "198.51.100.1")


def test_what_is_known_already_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    path.write_text(f"leaf ssh-rsa {RSA}\nleaf ssh-ed25519 {ED}\n")
    keys, first = paramiko.HostKeys(), paramiko.RSAKey.generate(2048)
    keys.add("leaf", "ssh-rsa", first)

    add_known_keys(keys, str(path), "leaf")

    assert keys.lookup("leaf")["ssh-rsa"] == first
    assert keys.lookup("leaf")["ssh-ed25519"].get_base64() == ED


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    for count in range(3):
        path.write_text("".join(f"192.0.2.{n} ssh-ed25519 {ED}\n" for n in range(count)))
        keys = paramiko.HostKeys()
        add_known_keys(keys, str(path), *(f"192.0.2.{n}" for n in range(3)))
        assert len(keys) == count


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        add_known_keys(paramiko.HostKeys(), str(tmp_path / "none"), "leaf")
