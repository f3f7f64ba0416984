"""What the intent says of the links of an attachment, and `fabric.lock` keeps: addresses, VLAN, its subnets."""

from __future__ import annotations

from ipaddress import IPv6Interface
from typing import Annotated

from msgspec import Meta

from fabric.documents.schema.scalar_types import Interface, Part

VlanId = Annotated[int, Meta(ge=2, le=4094)]
"""A number of a VLAN (802.1Q) but for 1, every product's default."""
SubnetLength = Annotated[int, Meta(ge=22, le=29)]
"""IPv4 prefix length of the subnet of an attachment's VLAN."""
DEFAULT_SUBNET_LENGTH = 27


class AttachmentLink(Part, frozen=True, kw_only=True):
    """Addresses of one link, if they are not taken from the pools."""

    ours: Interface
    """Address and prefix length on our switch."""
    theirs: Interface
    """Address and prefix length at the other end."""
    ours6: IPv6Interface | None = None
    """The IPv6 address on our switch, where `ours` is IPv4 and the link has both."""
    theirs6: IPv6Interface | None = None
    """The IPv6 address at the other end."""
