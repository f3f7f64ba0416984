"""What a switch has of its own, and what provisioning leaves on a new one: enough for NX-API and SCP to answer."""

from __future__ import annotations

from fabric.platforms.emulation import Emulated

RELEASE = "10.5(3)F"
"""Emulated where the intent names none."""
OWN = """version {release} Bios:version
boot nxos bootflash:/nxos64-cs.{release}.bin
vdc {name} id 1
  limit-resource vlan minimum 16 maximum 4094
"""
NEW = """hostname {name}
feature scp-server
username {user} password 5 !  role network-admin
vrf context {vrf}
interface mgmt0
  vrf member {vrf}
{address}"""


def with_own(spec: Emulated, release: str) -> str:
    """A configuration with what the switch has beside it: its release, its image, and NX-API."""
    text = spec.config or factory(spec)
    nxapi = "" if "feature nxapi" in text.splitlines() else "feature nxapi\n"
    own = "" if text.startswith("version ") else OWN.format(release=release, name=spec.name)
    return f"{own}{nxapi}{text}"


def factory(spec: Emulated) -> str:
    """Host name, management port, a user."""
    family = "ipv6" if ":" in spec.management else "ip"
    address = f"  {family} address {spec.management}\n" if spec.management else ""
    return NEW.format(name=spec.name, user=spec.username, vrf="management", address=address)
