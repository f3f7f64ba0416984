"""What a change takes down on purpose, read from what a device runs: not what it prints of its own accord."""

from __future__ import annotations

import msgspec

from fabric.deployment.gates.purpose import TURNED_OFF, purpose
from fabric.deployment.observing.observe_devices import plain
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform
from tests.contract.bench import Bench


def facts(device: Bench, text: str) -> Facts:
    kind = platform(device.platform)
    return kind.read(plain(kind, "it", text)).facts


def test_a_text_that_a_device_runs_already_takes_nothing_down(device: Bench) -> None:
    """Else every harmless change were watched as long as one that ends sessions."""
    old, new = (facts(device, text) for text in (device.running(), device.texts[0]))
    none = purpose("it", old, new, drains="")

    assert not none
    assert not none.touches_sessions
    assert not none.touches_lldp


def test_a_port_that_is_gone_or_shut_is_taken_down(device: Bench) -> None:
    old, new = (facts(device, text) for text in (device.running(), device.texts[0]))
    name = next(name for name, port in new.interfaces.items() if port.enabled and port.addresses)
    port = new.interfaces[name]
    for ports in (
        {key: other for key, other in new.interfaces.items() if key != name},
        {**new.interfaces, name: msgspec.structs.replace(port, enabled=False)},
    ):
        taken = purpose("it", old, msgspec.structs.replace(new, interfaces=ports), drains="")

        assert {name} == taken.ports
        assert taken.touches_sessions


def test_lldp_that_is_turned_off_gives_up_its_neighbours_and_is_not_waited_for(device: Bench) -> None:
    """Where a text tells of LLDP at all: what it says of it is removed, or says that it is off."""
    on = facts(device, device.texts[0])
    words = on.services.get("lldp", "")
    if not words or TURNED_OFF.fullmatch(words):
        return  # this text says nothing of it
    for off in ("", "off", "disabled", "admin-state disable", "state disabled"):
        services = {**on.services, "lldp": off}
        taken = purpose("it", on, msgspec.structs.replace(on, services=services), drains="")

        assert taken.without_lldp
        assert not taken.touches_lldp
    partly = {**on.services, "lldp": f"{words}\ninterface one disable"}
    taken = purpose("it", on, msgspec.structs.replace(on, services=partly), drains="")
    assert not taken.without_lldp
    assert taken.touches_lldp
