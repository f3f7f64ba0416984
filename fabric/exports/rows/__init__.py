"""What printers of inventories, labs and drawings share: a site as plain rows, in no tool's words."""

from fabric.exports.rows.addresses import AddressRow, PrefixRow, address_rows, prefix_rows
from fabric.exports.rows.cabling import CableRow, PortRow, cable_rows, port_rows
from fabric.exports.rows.devices import DeviceRow, device_rows, manufacturers, racks, roles

__all__ = [
    "AddressRow",
    "CableRow",
    "DeviceRow",
    "PortRow",
    "PrefixRow",
    "address_rows",
    "cable_rows",
    "device_rows",
    "manufacturers",
    "port_rows",
    "prefix_rows",
    "racks",
    "roles",
]
