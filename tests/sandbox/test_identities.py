"""Certificates of emulated devices: a client that checks them knows each device, and no other."""

from __future__ import annotations

import socket
import ssl

import pytest

from fabric.sandbox import Sandbox

CLIENT_S = 30


def greeted(box: Sandbox, name: str = "toy-0", expected: str = "") -> bytes:
    """The certificate of a device, checked against the sandbox's authority and its address."""
    context = ssl.create_default_context(cafile=str(box.ca_file))
    target = box.targets[name]
    with (
        socket.create_connection((target.address, target.port), CLIENT_S) as plain,
        context.wrap_socket(plain, server_hostname=expected or target.address) as client,
    ):
        return client.getpeercert(binary_form=True) or b""


def test_each_device_shows_a_certificate_of_its_own_that_the_authority_signed(toys):
    assert 2 == len({greeted(toys, name) for name in toys.targets})
    assert greeted(toys) == greeted(toys)


def test_nobody_takes_one_device_for_another(toys):
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        greeted(toys, "toy-0", expected=toys.targets["toy-1"].address)


def test_another_sandbox_is_not_believed(toys):
    stranger = ssl.create_default_context()
    target = toys.targets["toy-0"]
    with (
        socket.create_connection((target.address, target.port), CLIENT_S) as plain,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        stranger.wrap_socket(plain, server_hostname=target.address)


@pytest.mark.parametrize(("wrong", "complaint"), [("other_name", "mismatch"), ("self_signed", "self-signed")])
def test_a_wrong_certificate_is_shown_on_request_and_only_by_that_device(toys, wrong, complaint):
    greeted(toys)
    toys.set_faults("toy-0", wrong_certificate=wrong)

    with pytest.raises(ssl.SSLCertVerificationError, match=complaint):
        greeted(toys)
    greeted(toys, "toy-1")
    toys.clear_faults("toy-0")
    greeted(toys)


def test_nothing_is_left_on_the_disk(toys):
    folder = toys.ca_file.parent
    toys.stop()

    assert not folder.exists()
