"""Error correction as EOS tells it: asked with all else, and left out where a switch refuses the question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from pyeapi.eapilib import CommandError

from fabric.platforms.emulation import PortFault
from fabric.platforms.eos.emulator import show
from fabric.platforms.eos.session import EosDriver, driver_options
from fabric.platforms.eos.session_answers import Ecn, ErrorCorrection, Interfaces, Pfc
from fabric.platforms.eos.session_state import port_states
from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated

PORT, QUESTION = "Ethernet1/1", "show interfaces error-correction"


@pytest.fixture(name="fabric", scope="module")
def _fabric() -> Iterator[Sandbox]:
    texts = emulated.configs()
    specs = tuple(emulated.spec(name, 11 + i, config=texts[name]) for i, name in enumerate(texts))
    with emulated.sandbox(specs, block=9) as box:
        yield box


@contextmanager
def opened(box: Sandbox) -> Iterator[EosDriver]:
    target = box.targets["leaf1"]
    options = driver_options(target)
    driver = EosDriver(target.address, target.username, target.password, 20, optional_args=options)
    driver.open()
    try:
        yield driver
    finally:
        driver.close()


def requests(driver: EosDriver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is sent from now on."""
    sent: list[str] = []
    send = driver.device.connection._exchanged

    def sends(data: str) -> Any:
        sent.append(data)
        return send(data)

    monkeypatch.setattr(driver.device.connection, "_exchanged", sends)
    return sent


def test_it_is_asked_in_the_one_request_for_all(fabric: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(fabric) as driver:
        sent = requests(driver, monkeypatch)
        _, _, ports, widths = driver.get_state()
        alone = driver.get_port_states()

    assert [QUESTION in data for data in sent] == [True, True]
    assert (ports[PORT].fec, alone[PORT].fec) == ("reedSolomon", "reedSolomon")
    assert all(isinstance(width, int) for width in widths.values())


def test_a_switch_that_refuses_the_question_tells_its_ports_and_is_not_asked_again(
    fabric: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(show.JSON, QUESTION)
    with opened(fabric) as driver:
        sent = requests(driver, monkeypatch)
        neighbors, _, ports, _ = driver.get_state(routes=False)
        alone = driver.get_port_states()

    assert [QUESTION in data for data in sent] == [True, False, False]
    assert neighbors
    assert (ports[PORT].is_up, ports[PORT].fec, alone[PORT].fec) == (True, None, None)


def test_another_question_that_is_refused_is_an_error_still(
    fabric: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(show.JSON, "show interfaces")
    with opened(fabric) as driver, pytest.raises(CommandError):
        driver.get_port_states()


def test_a_planted_word_is_told_as_it_comes(fabric: Sandbox) -> None:
    fabric.set_faults("leaf1", ports={PORT: PortFault(fec="disabled")})
    with opened(fabric) as driver:
        told = driver.get_port_states()[PORT]
    fabric.clear_faults("leaf1")

    assert (told.fec, told.is_up) == ("disabled", True)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("error-correction encoding fire-code", "fireCode"),
        ("error-correction encoding reed-solomon", "reedSolomon"),
        ("no error-correction encoding", "disabled"),
        ("speed 10g", "disabled"),
    ],
)
def test_the_emulated_switch_tells_what_is_configured(fabric: Sandbox, line: str, word: str) -> None:
    fabric.drift("leaf1", "interface Ethernet9/1", line)
    with opened(fabric) as driver:
        assert driver.get_port_states()["Ethernet9/1"].fec == word
    fabric.drift("leaf1", "no interface Ethernet9/1")


@pytest.mark.parametrize(
    "answer",
    [
        "{}",
        '{"interfaceErrCorrStatuses": null}',
        '{"interfaceErrCorrStatuses": ["Ethernet1/1"]}',
        '{"interfaceErrCorrStatuses": {"Ethernet1/1": "reedSolomon"}}',
        '{"interfaceErrCorrStatuses": {"Ethernet1/1": {"errCorrEncodingStatus": {"reedSolomon": true}}}}',
        '{"interfaceErrCorrStatuses": {"Ethernet1/1": {"errCorrEncodingStatus": ""}}}',
        '{"interfaceErrCorrStatuses": {"Ethernet1/2": {"errCorrEncodingStatus": "reedSolomon"}}}',
    ],
)
def test_what_is_told_in_another_form_is_not_told(answer: str) -> None:
    interfaces = msgspec.json.decode(
        '{"interfaces": {"Ethernet1/1": {"lineProtocolStatus": "up"}}}', type=Interfaces
    )
    corrections = msgspec.json.decode(answer, type=ErrorCorrection)

    assert port_states(interfaces, Pfc(), Ecn(), corrections)[PORT].fec is None
