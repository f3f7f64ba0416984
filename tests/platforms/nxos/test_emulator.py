"""What the emulated switch takes, prints and refuses, for every configuration that we compile."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from fabric.configuration import compare
from fabric.devices.model import Switch
from fabric.platforms.nxos.dialect import DIALECT
from fabric.platforms.nxos.emulator.judge import patch, refused, typed
from fabric.platforms.nxos.session import NxosDriver, driver_options
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import ADDRESSES, LOGIN, PASSWORD, USERNAME
from tests.platforms.nxos.devices import CASES
from tests.platforms.sites import LEAF, compiled, network, printed
from tests.ports import free_port


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_we_compile_is_taken_and_printed_as_it_was(case: str) -> None:
    text = printed(CASES[case]())
    nodes = DIALECT.whole(text)
    shown = DIALECT.written(nodes.values())

    assert refused(nodes) == []
    assert not compare(DIALECT, "it", DIALECT.plain(text), DIALECT.plain(shown)).changes
    assert patch(nodes, DIALECT.whole(shown)) == []


@pytest.mark.parametrize("case", sorted(CASES))
def test_a_line_that_nobody_knows_is_refused_wherever_it_stands(case: str) -> None:
    text = printed(CASES[case]())
    for place in ("interface mgmt0\n", "router bgp ", "vrf context management\n"):
        if place not in text:
            continue
        head, _, rest = text.partition(place)
        line, _, rest = f"{place}{rest}".partition("\n")
        assert refused(DIALECT.whole(f"{head}{line}\n  frobnicate 7\n{rest}")) == ["frobnicate 7"]


@pytest.mark.parametrize("feature", ["bgp", "bfd", "grpc", "tacacs+", "interface-vlan"])
def test_lines_of_a_feature_that_is_off_are_refused(feature: str) -> None:
    texts = [printed(make()) for make in CASES.values()]
    texts = [text for text in texts if f"feature {feature}\n" in text]

    assert any(refused(DIALECT.whole(text.replace(f"feature {feature}\n", ""))) for text in texts)


def test_typed_lines_take_the_place_of_what_sets_the_same() -> None:
    nodes = DIALECT.whole("hostname a\nfeature bgp\ninterface mgmt0\n  vrf member management\n")
    typed(nodes, DIALECT.whole("hostname b\nno feature bgp\ninterface mgmt0\n  ip address 192.0.2.1/24\n"))

    assert DIALECT.written(nodes.values()).split("\n") == [
        "hostname b",
        "interface mgmt0",
        "  vrf member management",
        "  ip address 192.0.2.1/24",
        "",
    ]


@pytest.fixture(name="driver", params=["unnumbered", "ipv6", "ipv4"])
def _driver(request: pytest.FixtureRequest) -> Iterator[NxosDriver]:
    devices = compiled("nxos", LOGIN, ADDRESSES, network(f"addressing: {{family: {request.param}}}"))
    specs = [
        msgspec.structs.replace(spec, config=printed(switch))
        for spec in emulated_switches(devices.values(), lambda _name: (USERNAME, PASSWORD))
        if isinstance(switch := devices[spec.name], Switch)
    ]
    with Sandbox(specs, port=free_port()) as sandbox:
        target = sandbox.targets[LEAF]
        driver = NxosDriver(target.address, target.username, target.password, 20, driver_options(target))
        driver.open()
        yield driver
        driver.close()


def test_sessions_of_every_form_of_addressing_are_up(driver: NxosDriver) -> None:
    sessions = driver.get_bgp_sessions()

    assert len(sessions) == 2
    assert all(session.is_up and sum(session.received.values()) for session in sessions.values())
    assert {session.port for session in sessions.values()} in ({""}, {"Ethernet1/3", "Ethernet1/4"})
