"""The law of reading over random switches."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings

from fabric.diagnostics import Report
from fabric.platforms.sonic import PLATFORM
from tests.platforms.eos.devices import change, change_routing
from tests.platforms.eos.strategies import switches
from tests.platforms.sonic.devices import on, plain, printed


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches())
def test_any_switch_that_can_be_printed_reads_back_as_itself(device):
    said = change_routing(plain(device), load_balancing="ecmp", max_paths=64)
    device = on(change(said, host_addressing=type(said.host_addressing)("static")))
    report = Report()
    PLATFORM.lower(device, report)
    assume(not report.has_errors)
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts
