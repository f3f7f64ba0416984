"""Faults: each step of a driver, each moment; restarts; and every fault has its option."""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import get_args

import msgspec
import pytest

from fabric.cli.commands.sandbox_commands import fault as command
from fabric.platforms.emulation import ConnectionDies, Faults, PortFault, Step, strikes
from fabric.sandbox import Sandbox


def is_closed(sock: socket.socket) -> bool:
    """Wait for what comes: the end, and nothing else."""
    try:
        return sock.recv(1) == b""
    except ConnectionError:
        return True


STEPS = get_args(Step)
NO_FAULTS = Faults()


def asked(box: Sandbox, name: str = "toy-0") -> int:
    target = box.targets[name]
    context = ssl.create_default_context(cafile=str(box.ca_file))
    client = http.client.HTTPSConnection(target.address, target.port, context=context, timeout=30)
    client.request("GET", "/")
    reply = client.getresponse()
    reply.read()
    client.close()
    return reply.status


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_device_dies_once_in_its_step_before_or_after_it_took_effect(toys, step, moment):
    device, done = toys.network["toy-0"], []
    toys.set_faults("toy-0", die_in=f"{step}:{moment}")
    for other in STEPS:
        if other != step:
            with strikes(device, other):
                pass
    with pytest.raises(ConnectionDies), strikes(device, step):
        done.append(step)

    assert ([step] if moment == "after" else []) == done
    assert NO_FAULTS == device.faults


def test_a_step_that_is_refused_spends_no_fault(toys):
    device = toys.network["toy-0"]
    toys.set_faults("toy-0", die_in="load:after")
    with pytest.raises(ValueError, match="refused"), strikes(device, "load"):
        raise ValueError("refused")

    assert "load:after" == device.faults.die_in


def test_a_device_restarts_behind_its_commit(toys):
    device = toys.network["toy-0"]
    toys.set_faults("toy-0", reboot_in_commit=True)
    with pytest.raises(ConnectionDies), strikes(device, "commit"):
        device.ran.append(("commit", b""))

    assert ["commit", "reboot"] == [name for name, _ in device.ran]
    assert NO_FAULTS == device.faults


def test_nobody_answers_while_a_device_restarts(toys):
    toys.set_faults("toy-0", reboot_s=120)
    toys.run(lambda: toys.network.restarts("toy-0"))
    with pytest.raises(OSError, match=r"."):
        asked(toys)
    assert 200 == asked(toys, "toy-1")
    toys.advance(121)

    assert 200 == asked(toys)


@pytest.mark.parametrize("transport", ["https", "ssh"])
def test_a_restart_drops_the_connections_of_that_device(toys, transport):
    import paramiko

    target = toys.targets["toy-0"]
    if transport == "ssh":
        client = paramiko.SSHClient()
        client.load_host_keys(str(toys.known_hosts))
        client.connect(target.address, target.ports["ssh"], "netops", "correct horse", allow_agent=False)
        toys.run(lambda: toys.network.restarts("toy-0"))
        client.get_transport().join(30)
        assert not client.get_transport().is_active()
        return
    context = ssl.create_default_context(cafile=str(toys.ca_file))
    client = http.client.HTTPSConnection(target.address, target.port, context=context, timeout=30)
    client.request("GET", "/")
    client.getresponse().read()
    toys.run(lambda: toys.network.restarts("toy-0"))

    assert is_closed(client.sock)


def test_an_answer_over_https_can_be_cut_short_once(toys):
    toys.set_faults("toy-0", cut_answer_after=70)
    with pytest.raises(http.client.HTTPException):
        asked(toys)

    assert 200 == asked(toys)


@pytest.mark.parametrize(
    "wrong",
    [{"die_in": "lunch:before"}, {"die_in": "load"}, {"cut_answer_after": -1}, {"wrong_certificate": "x"}],
)
def test_a_fault_that_is_none_is_refused(toys, wrong):
    with pytest.raises(msgspec.ValidationError):
        toys.set_faults("toy-0", **wrong)

    assert NO_FAULTS == toys.network["toy-0"].faults


def test_every_fault_can_be_set_from_the_command_line():
    options = {parameter.name for parameter in command.run.params}
    renamed = {option: fault for option, (fault, _) in command.TIMES.items()}
    renamed |= {"port": "ports", "speed": "speed_mbps"}

    assert fields_of(Faults) | fields_of(PortFault) <= {renamed.get(name, name) for name in options}
    assert fields_of(PortFault) == {renamed.get(name, name) for name in command.OF_A_PORT}


def fields_of(record: type[msgspec.Struct]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(record)}
