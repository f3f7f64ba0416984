"""A running InfiniBand subnet against its intent: managers, cables, partitions, lanes and routes."""

from fabric.verification.finding import Finding
from fabric.verification.infiniband.cables.check_cables import cabling_findings
from fabric.verification.infiniband.check_managers import Planned, manager_warnings, planned_managers
from fabric.verification.infiniband.check_partitions import partition_findings
from fabric.verification.infiniband.check_virtual_lanes import lane_findings
from fabric.verification.infiniband.device_labels import DeviceLabels, device_labels
from fabric.verification.infiniband.reading.discovery import Discovered, parse_ibnetdiscover
from fabric.verification.infiniband.reading.evidence import Evidence, read_folder
from fabric.verification.infiniband.reading.forwarding_tables import ForwardingTables, parse_lfts
from fabric.verification.infiniband.reading.query_tables import Tables, parse_pkeys, parse_tables
from fabric.verification.infiniband.reading.run_tools import collect, tools
from fabric.verification.infiniband.route_audit.audit_routes import RouteAudit, audit_routes
from fabric.verification.infiniband.verify_subnet import SubnetVerdict, verify_subnet

__all__ = [
    "DeviceLabels",
    "Discovered",
    "Evidence",
    "Finding",
    "ForwardingTables",
    "Planned",
    "RouteAudit",
    "SubnetVerdict",
    "Tables",
    "audit_routes",
    "cabling_findings",
    "collect",
    "device_labels",
    "lane_findings",
    "manager_warnings",
    "parse_ibnetdiscover",
    "parse_lfts",
    "parse_pkeys",
    "parse_tables",
    "partition_findings",
    "planned_managers",
    "read_folder",
    "tools",
    "verify_subnet",
]
