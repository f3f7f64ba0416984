"""A running InfiniBand subnet against its intent: cables, partitions, lanes and routes."""

from fabric.verification.infiniband.cabling import cabling_findings
from fabric.verification.infiniband.discovered import Discovered, parse_ibnetdiscover
from fabric.verification.infiniband.evidence import Evidence, read_folder
from fabric.verification.infiniband.finding import SECTIONS, Finding
from fabric.verification.infiniband.labels import Panel, panel
from fabric.verification.infiniband.lanes import lane_findings
from fabric.verification.infiniband.lfts import Lfts, parse_lfts
from fabric.verification.infiniband.live import collect, tools
from fabric.verification.infiniband.partitions import partition_findings
from fabric.verification.infiniband.routes import RouteAudit, audit_routes
from fabric.verification.infiniband.tables import Tables, parse_pkeys, parse_tables
from fabric.verification.infiniband.verify import SubnetVerdict, verify_subnet

__all__ = [
    "SECTIONS",
    "Discovered",
    "Evidence",
    "Finding",
    "Lfts",
    "Panel",
    "RouteAudit",
    "SubnetVerdict",
    "Tables",
    "audit_routes",
    "cabling_findings",
    "collect",
    "lane_findings",
    "panel",
    "parse_ibnetdiscover",
    "parse_lfts",
    "parse_pkeys",
    "parse_tables",
    "partition_findings",
    "read_folder",
    "tools",
    "verify_subnet",
]
