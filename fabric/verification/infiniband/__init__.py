"""A running InfiniBand subnet against its intent: managers, cables, partitions, lanes and routes."""

from fabric.verification.infiniband.cabling import cabling_findings
from fabric.verification.infiniband.discovered import Discovered, parse_ibnetdiscover
from fabric.verification.infiniband.evidence import Evidence, read_folder
from fabric.verification.infiniband.finding import SECTIONS, Finding
from fabric.verification.infiniband.labels import Panel, panel
from fabric.verification.infiniband.lanes import lane_findings
from fabric.verification.infiniband.lfts import Lfts, parse_lfts
from fabric.verification.infiniband.live import collect, tools
from fabric.verification.infiniband.managers import Planned, planned_managers
from fabric.verification.infiniband.partitions import partition_findings
from fabric.verification.infiniband.routes import RouteAudit, audit_routes
from fabric.verification.infiniband.tables import Tables, parse_pkeys, parse_tables
from fabric.verification.infiniband.verify import SubnetVerdict, verify_subnet
from fabric.verification.infiniband.warnings import manager_warnings

__all__ = [
    "SECTIONS",
    "Discovered",
    "Evidence",
    "Finding",
    "Lfts",
    "Panel",
    "Planned",
    "RouteAudit",
    "SubnetVerdict",
    "Tables",
    "audit_routes",
    "cabling_findings",
    "collect",
    "lane_findings",
    "manager_warnings",
    "panel",
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
