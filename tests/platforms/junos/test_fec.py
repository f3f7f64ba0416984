"""Error correction as the emulated device tells it of ports: by their speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabric.platforms.device_state import PortState
from fabric.platforms.emulation import PortFault
from tests.platforms.junos.emulated import Lab, lab
from tests.platforms.sites import LEAF


@pytest.fixture(name="box", scope="module")
def _box() -> Iterator[Lab]:
    with lab() as made:
        yield made


def ports(box: Lab) -> dict[str, PortState]:
    driver = box.driver()
    told = driver.get_port_states()
    driver.close()
    return told


def up(box: Lab) -> str:
    return next(name for name, port in ports(box).items() if port.is_up and name.startswith("et-"))


def test_a_port_tells_what_its_speed_demands_and_nothing_while_it_is_down(box: Lab) -> None:
    name = up(box)
    usual = ports(box)[name]
    box.sandbox.set_faults(LEAF, ports={name: PortFault(down=True)})
    cut = ports(box)[name]
    box.sandbox.clear_faults(LEAF)

    assert (usual.speed_mbps, usual.fec) == (400_000, "FEC119")
    assert (cut.is_up, cut.fec) == (False, None)


def test_no_other_interface_has_any(box: Lab) -> None:
    assert {port.fec for name, port in ports(box).items() if not name.startswith("et-")} == {None}
