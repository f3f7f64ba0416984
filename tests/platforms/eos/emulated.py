"""A small sandbox for tests: two leaves and a spine, NAPALM's own driver in front of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabric.platforms.eos.emulator.secrets import hashed
from fabric.sandbox import Emulated, Sandbox, Wire
from tests.ports import free_port

USER = "netops"
PASSWORD = "correct horse"
MANAGEMENT = "198.51.100.{number}/24"

# pyeapi logs whole tracebacks of every refused command.
logging.getLogger("pyeapi").setLevel(logging.CRITICAL)

DRIVERS: list[Any] = []
"""Every driver of the running test."""

WIRES = {
    "leaf1": (
        Wire("Ethernet1/1", "spine1", "Ethernet1/1"),
        Wire("Ethernet2/1", "host1", "nic0"),
        Wire("Ethernet3/1", "spine1", "Ethernet3/1"),
    ),
    "leaf2": (Wire("Ethernet1/1", "spine1", "Ethernet2/1"),),
    "spine1": (
        Wire("Ethernet1/1", "leaf1", "Ethernet1/1"),
        Wire("Ethernet2/1", "leaf2", "Ethernet1/1"),
        Wire("Ethernet3/1", "leaf1", "Ethernet3/1"),
    ),
}


def spec(name: str, number: int = 11, **changes: Any) -> Emulated:
    """A device as it comes from provisioning."""
    values: dict[str, Any] = {
        "name": name,
        "platform": "eos",
        "hardware": "arista-7060x6-64pe",
        "wires": WIRES.get(name, ()),
        "management": MANAGEMENT.format(number=number),
        "management_vrf": "MGMT",
        "username": USER,
        "password": PASSWORD,
        **changes,
    }
    return Emulated(**values)


def specs() -> tuple[Emulated, ...]:
    """The three devices."""
    return tuple(spec(name, 11 + i) for i, name in enumerate(WIRES))


def head(name: str, number: int) -> str:
    """What every configuration needs to keep our management access."""
    return f"""
username {USER} privilege 15 role network-admin secret sha512 {hashed(PASSWORD)}
hostname {name}
spanning-tree mode none
vrf instance MGMT
management api http-commands
   no shutdown
   !
   vrf MGMT
      no shutdown
!
interface Management1
   vrf MGMT
   ip address {MANAGEMENT.format(number=number)}
!
ip routing
no ip routing vrf MGMT
ipv6 unicast-routing
""".strip()


def port(name: str, *lines: str) -> str:
    """An interface."""
    return "\n   ".join((f"interface {name}", "mtu 9214", "no switchport", *lines)) + "\n!"


def bgp(asn: int, *lines: str, group: tuple[str, ...] = ()) -> str:
    """A BGP section with one group."""
    inner = [
        "no bgp default ipv4-unicast",
        "neighbor FABRIC peer group",
        *(f"neighbor FABRIC {g}" for g in group),
    ]
    family = "address-family ipv4\n      neighbor FABRIC activate"
    return "\n   ".join((f"router bgp {asn}", f"router-id 10.255.0.{asn % 100}", *inner, *lines, family))


def session(address: str, asn: int) -> tuple[str, str]:
    """A neighbour's lines."""
    return f"neighbor {address} peer group FABRIC", f"neighbor {address} remote-as {asn}"


PASSPHRASE = ("password 0 shared",)


def configs(leaf_group: tuple[str, ...] = PASSPHRASE) -> dict[str, str]:
    """Configurations of the three that bring both sessions up."""
    leaf1 = (port("Ethernet1/1", "ip address 10.0.0.1/31"), port("Ethernet2/1", "ip address 10.1.0.0/31"))
    spine = (port("Ethernet1/1", "ip address 10.0.0.0/31"), port("Ethernet2/1", "ip address 10.0.0.2/31"))
    spine_bgp = bgp(65000, *session("10.0.0.1", 65101), *session("10.0.0.3", 65102), group=PASSPHRASE)
    return {
        "leaf1": "\n".join(
            (head("leaf1", 11), *leaf1, bgp(65101, *session("10.0.0.0", 65000), group=leaf_group))
        ),
        "leaf2": "\n".join(
            (
                head("leaf2", 12),
                port("Ethernet1/1", "ip address 10.0.0.3/31"),
                bgp(65102, *session("10.0.0.2", 65000), group=PASSPHRASE),
            )
        ),
        "spine1": "\n".join((head("spine1", 13), *spine, spine_bgp)),
    }


@contextmanager
def sandbox(devices: tuple[Emulated, ...] | None = None, block: int = 1) -> Iterator[Sandbox]:
    """A sandbox that answers."""
    with Sandbox(devices or specs(), port=free_port(), block=block) as made:
        yield made
        # A driver that is collected closes itself: over the network, in whatever thread the collector runs.
        for device in DRIVERS:
            device.config_session = None
        DRIVERS.clear()


def driver(made: Sandbox, name: str, **changes: Any) -> Any:
    """NAPALM's own driver, not opened."""
    from napalm import get_network_driver

    target = made.targets[name]
    values = {"username": target.username, "password": target.password, "timeout": 10, **changes}
    made_driver = get_network_driver("eos")(target.address, optional_args={"port": target.port}, **values)
    DRIVERS.append(made_driver)
    return made_driver


def opened(made: Sandbox, name: str) -> Any:
    """NAPALM's own driver, opened."""
    device = driver(made, name)
    device.open()
    return device


def applied(made: Sandbox, name: str, config: str) -> None:
    """Replace a device's configuration, as NAPALM does."""
    device = opened(made, name)
    device.load_replace_candidate(config=config)
    device.commit_config()
    device.close()
