"""Checks that need nothing but the intent: every name refers to something, and parts agree with each other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import msgspec

from fabric.diagnostics import Report
from fabric.documents import InvalidDocument
from fabric.intent.accepted_findings import check_accepted, holding
from fabric.intent.checks.borders import check_borders
from fabric.intent.checks.hosts import (
    check_attachments,
    check_host_groups,
    check_host_systems,
    check_tenants,
)
from fabric.intent.checks.infiniband import check_technologies
from fabric.intent.checks.names import check_names
from fabric.intent.checks.networks import check_networks
from fabric.intent.checks.other_files import check_expiry, check_inventory, check_lock, check_state
from fabric.intent.checks.ranges import check_ranges
from fabric.intent.checks.services import check_overrides, check_servers, check_services, check_windows
from fabric.intent.model.site import Intent

CHECKS: tuple[Callable[[Intent, Report], None], ...] = (
    check_names,
    check_host_groups,
    check_host_systems,
    check_attachments,
    check_borders,
    check_tenants,
    check_networks,
    check_ranges,
    check_technologies,
    check_services,
    check_servers,
    check_windows,
    check_overrides,
    check_inventory,
    check_state,
    check_lock,
    check_accepted,
)
"""None depends on another: each reports what it finds."""


def checked(intent: Intent, report: Report, today: date) -> Intent:
    """The intent with its warnings. `InvalidDocument` with every mistake. `today` is a day in UTC."""
    for check in CHECKS:
        check(intent, report)
    check_expiry(intent, report, today)
    if report.has_errors:
        raise InvalidDocument(report, intent.sources)
    return msgspec.structs.replace(intent, accepted=holding(intent, today), diagnostics=tuple(report))
