"""Emulated devices over SSH, seen by a real client (paramiko): logins, commands, shells, subsystems, files, faults."""

from __future__ import annotations

import io
import socket
import time
from typing import Any

import paramiko
import pytest
from scp import SCPClient

from fabric.sandbox import Sandbox
from tests.ports import free_port
from tests.sandbox.toy_device import PASSWORD, USER, toy
from tests.waiting import PATIENCE_S, until

CLIENT_S = 30


def client(box: Sandbox, name: str = "toy-0", **changes: Any) -> paramiko.SSHClient:
    """A client that knows the sandbox's host keys and takes no other."""
    target = box.targets[name]
    made = paramiko.SSHClient()
    made.load_host_keys(str(box.known_hosts))
    options: dict[str, Any] = {"username": USER, "password": PASSWORD, "timeout": CLIENT_S, **changes}
    for what in ("banner_timeout", "auth_timeout"):
        options.setdefault(what, options["timeout"])
    made.connect(target.address, target.ports["ssh"], look_for_keys=False, allow_agent=False, **options)
    return made


def ran(ssh: paramiko.SSHClient, command: str, given: bytes = b"") -> tuple[int, bytes, bytes]:
    stdin, out, errors = ssh.exec_command(command, timeout=CLIENT_S)
    if given:
        stdin.write(given)
        stdin.channel.shutdown_write()
    return out.channel.recv_exit_status(), out.read(), errors.read()


def heard(channel: paramiko.Channel, word: bytes) -> bytes:
    """What comes until a word does."""
    got = b""
    while word not in got:
        got += channel.recv(4096)
    return got


def test_a_command_answers_with_output_errors_and_status(toys):
    with client(toys) as ssh:
        assert (0, b"show version", b"warning") == ran(ssh, "show version")
        assert (3, b"false", b"warning") == ran(ssh, "false")


def test_a_command_that_reads_gets_all_of_its_input(toys):
    text = b"line\n" * 50_000
    with client(toys) as ssh:
        assert text == ran(ssh, "cat > /etc/x", text)[1]


@pytest.mark.parametrize("open_channel", ["invoke_shell", "netconf"])
def test_shells_and_subsystems_are_conversations_until_the_device_hangs_up(toys, open_channel):
    with client(toys) as ssh:
        if open_channel == "netconf":
            channel = ssh.get_transport().open_session()
            channel.invoke_subsystem("netconf")
        else:
            channel = ssh.invoke_shell()
        channel.settimeout(CLIENT_S)

        assert b"toy> " == heard(channel, b"> ")
        channel.sendall(b"hello\n")
        assert b"HELLO\ntoy> " == heard(channel, b"> ")
        channel.sendall(b"exit\n")
        heard(channel, b"> ")
        assert b"" == channel.recv(4096)


def test_a_subsystem_that_the_device_lacks_is_refused(toys):
    with client(toys) as ssh, pytest.raises(paramiko.SSHException):
        ssh.get_transport().open_session().invoke_subsystem("gnmi")


def test_files_are_sent_and_fetched_by_sftp(toys):
    with client(toys) as ssh, ssh.open_sftp() as files:
        files.putfo(io.BytesIO(b"one\n"), "bootflash:candidate.txt")
        files.posix_rename("bootflash:candidate.txt", "/mnt/flash/b.txt")
        with files.open("/mnt/flash/b.txt") as file:
            assert b"one\n" == file.read()
        assert ["b.txt"] == files.listdir("/mnt/flash")
        files.remove("/mnt/flash/b.txt")
        with pytest.raises(FileNotFoundError):
            files.stat("/mnt/flash/b.txt")

    assert {} == toys.network["toy-0"].files


def test_files_are_sent_and_fetched_by_scp(toys, tmp_path):
    (tmp_path / "sent").write_bytes(b"x" * 100_000)
    with client(toys) as ssh, SCPClient(ssh.get_transport()) as files:
        files.put(str(tmp_path / "sent"), "bootflash:candidate.txt")
        files.get("bootflash:candidate.txt", str(tmp_path / "got"))

    assert {"bootflash:candidate.txt": b"x" * 100_000} == toys.network["toy-0"].files
    assert b"x" * 100_000 == (tmp_path / "got").read_bytes()


def test_a_full_disk_keeps_an_empty_file_and_the_client_is_told(toys):
    toys.set_faults("toy-0", disk_full=True)
    with client(toys) as ssh, ssh.open_sftp() as files, pytest.raises(OSError, match="size mismatch"):
        files.putfo(io.BytesIO(b"one\n"), "x")

    assert {"x": b""} == toys.network["toy-0"].files


def test_only_the_right_password_lets_in(toys):
    with pytest.raises(paramiko.AuthenticationException):
        client(toys, password="wrong")
    toys.set_faults("toy-0", deny_login=True)
    with pytest.raises(paramiko.AuthenticationException):
        client(toys)


def test_the_users_own_key_lets_in_and_no_other(toys):
    key, other = paramiko.RSAKey.generate(2048), paramiko.RSAKey.generate(2048)
    spec = toy("toy-0", public_key=f"{key.get_name()} {key.get_base64()} me@here")
    with Sandbox((spec,), port=free_port(), block=26) as box:
        with client(box, password=None, pkey=key) as ssh:
            assert 0 == ran(ssh, "show version")[0]
        with pytest.raises(paramiko.AuthenticationException):
            client(box, password=None, pkey=other)


def test_each_device_has_a_host_key_of_its_own_and_a_wrong_one_is_noticed(toys):
    keys = {tuple(line.split()[1:]) for line in toys.known_hosts.read_text().splitlines()}
    toys.set_faults("toy-0", wrong_host_key=True)

    assert 2 == len(keys)
    with pytest.raises(paramiko.BadHostKeyException):
        client(toys)
    client(toys, "toy-1").close()
    toys.clear_faults("toy-0")
    client(toys).close()


def test_a_device_that_refuses_or_has_lost_its_ssh_server_hangs_up(toys):
    toys.set_faults("toy-0", refuse=True)
    with pytest.raises((paramiko.SSHException, OSError)):
        client(toys)
    toys.clear_faults("toy-0")
    with client(toys) as ssh:
        ran(ssh, "lose ssh")
        until(lambda: not ssh.get_transport().is_active(), PATIENCE_S, "the device hangs up")
    with pytest.raises((paramiko.SSHException, OSError)):
        client(toys)


def test_a_device_that_hangs_answers_nothing_until_it_is_cleared(toys):
    with client(toys) as ssh:
        toys.set_faults("toy-0", hang=True)
        with pytest.raises((paramiko.SSHException, OSError)):
            client(toys, timeout=0.5)
        _, out, _ = ssh.exec_command("show version", timeout=0.3)
        with pytest.raises(TimeoutError):
            out.read()
        toys.clear_faults("toy-0")
        out.channel.settimeout(CLIENT_S)

        assert b"show version" == out.read()


def test_latency_is_added_to_every_answer(toys):
    with client(toys) as ssh:
        toys.set_faults("toy-0", latency_ms=150)
        start = time.monotonic()
        ran(ssh, "show version")

    assert 0.15 <= time.monotonic() - start


def test_an_answer_can_be_cut_short_once(toys):
    with client(toys) as ssh:
        toys.set_faults("toy-0", cut_answer_after=5)
        status, output, _ = ran(ssh, "show version")

    assert (-1, b"show ") == (status, output)
    with client(toys) as ssh:
        assert b"show version" == ran(ssh, "show version")[1]


def test_a_device_that_dies_drops_the_connection_and_the_others_do_not_notice(toys):
    with client(toys) as ssh, client(toys, "toy-1") as other:
        assert -1 == ran(ssh, "die")[0]
        assert 0 == ran(other, "show version")[0]


def test_a_device_has_https_and_ssh_at_one_address(toys):
    target = toys.targets["toy-0"]

    assert ["https", "ssh"] == list(target.ports)
    assert target.port == target.ports["https"]
    for port in target.ports.values():
        socket.create_connection((target.address, port), CLIENT_S).close()


def test_a_device_can_ask_for_a_port(toys):
    port = free_port()
    with Sandbox((toy("toy-0", ports={"ssh": port}),), port=free_port(), block=27) as box:
        assert port == box.targets["toy-0"].ports["ssh"]
        client(box).close()


def test_many_devices_are_served_at_once(toys):
    with Sandbox((toy(f"toy-{i}") for i in range(64)), port=free_port(), block=28) as box:
        clients = [client(box, name) for name in box.targets]

        assert {0} == {ran(each, "show version")[0] for each in clients}
        for each in clients:
            each.close()
