"""The law of reading over random switches, in each routing mode, on each way of buffers."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.platforms.sonic import PLATFORM
from tests.platforms.expected_facts import expected_facts
from tests.platforms.sites import merged, network, printed
from tests.platforms.sonic.devices import SPECTRUM, TH5
from tests.platforms.strategies import PLAIN, switches

OUT_OF_REACH = "bgp: {password: null, max_prefixes: none, ttl_security: false}"
"""Of the tables of bgpcfgd."""
FRRCFGD = network("routing: {bfd: {interval: 300ms, multiplier: 3}, bgp: {password: null}}")
BGPCFGD = merged(
    network(f"routing: {{bfd: none, advertise_host_links: specific, {OUT_OF_REACH}}}"),
    network("addressing: {asn: {policy: shared-spine, leaf_numbers: unique}, host_links: {mode: vlan}}"),
    {"site.yaml": {"attachments": None}, "state.yaml": {"drained": []}},
)
MODES = {"": PLAIN, "-frrcfgd": st.just(FRRCFGD), "-bgpcfgd": st.just(BGPCFGD)}


@pytest.mark.parametrize("mode", MODES)
def test_any_switch_that_can_be_printed_reads_back_as_itself(mode):
    releases = (f"202511{mode}", f"master{mode}")

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(switches("sonic", releases=releases, models=(TH5, SPECTRUM), more=MODES[mode]))
    def holds(device):
        reading = PLATFORM.read(printed(device))

        assert () == reading.unread
        assert expected_facts(device) == reading.facts

    holds()
