"""The law of reading over random switches, in each routing mode, on each way of buffers."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.devices.model import HostAddressing, Switch
from fabric.diagnostics import Report
from fabric.platforms.sonic import PLATFORM
from tests.platforms.eos.devices import change, change_routing
from tests.platforms.eos.strategies import switches
from tests.platforms.sonic.devices import SPECTRUM, TH5, for_bgpcfgd, for_frrcfgd, on, printed, sayable

FOR = {"": lambda device: device, "-frrcfgd": for_frrcfgd, "-bgpcfgd": for_bgpcfgd}


def as_sonic_has_it(device: Switch) -> Switch:
    """The switch without what SONiC refuses everywhere, so that most random ones can be printed."""
    routing = {"load_balancing": "ecmp", "max_paths": min(device.routing.max_paths, 256)}
    if device.routing.bfd_interval_ms is not None:
        routing["bfd_interval_ms"] = min(device.routing.bfd_interval_ms, 60_000)
    way_in, vlan = device.management, bool(device.gateways)
    if way_in.gateway is not None and way_in.gateway.version not in {one.version for one in way_in.addresses}:
        device = change(device, management=replace(way_in, gateway=None))
    static = device.host_addressing.assignment == "slaac" or not vlan
    return change(
        change_routing(sayable(device), **routing),
        host_addressing=HostAddressing("static") if static else device.host_addressing,
    )


@settings(max_examples=90, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    switches(),
    st.sampled_from(sorted(FOR)),
    st.sampled_from(["202511", "master"]),
    st.sampled_from([TH5, SPECTRUM]),
)
def test_any_switch_that_can_be_printed_reads_back_as_itself(device, mode, release, model):
    device = on(FOR[mode](as_sonic_has_it(device)), model, release + mode)
    report = Report()
    PLATFORM.lower(device, report)
    assume(not report.has_errors)
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts
