"""131,072 GPUs: ten thousand switches as integer columns."""

from __future__ import annotations

import json
import sys
from functools import cache

from fabric.intent.model import Intent
from fabric.topology.expand import expand
from tests.programs import run
from tests.topology.builders import SWITCH, hosts, intent_of, small
from tests.work import LINEAR, growth

MEASURE = """
import json, resource
from tests.topology.builders import SPLIT, count, hosts, intent_of, small
from fabric.topology.expand import expand
from fabric.topology.model import Role
value = small(units=512, gpu=hosts(32, 8), pods={"units": 4}, superspine={"model": SPLIT})
expand(intent_of(small()))
intent = intent_of(value)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
net = expand(intent).networks["compute"]
grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([8 * count(net, Role.HOST), len(net.switches), len(net.peer), grown_kib]))
"""


def test_131072_gpus_expand_in_megabytes() -> None:
    done = run(sys.executable, "-c", MEASURE)  # its own process: peak memory is counted from the start
    gpus, switches, ports, grown_kib = json.loads(done.stdout)

    assert (131_072, 9_216, 786_432) == (gpus, switches, ports)
    assert grown_kib < 150 * 1024


def test_twice_the_units_are_twice_the_work_to_expand() -> None:
    @cache
    def intent(units: int) -> Intent:
        return intent_of(small(units=units, gpu=hosts(8, 8), pods={"units": 2}, superspine={"model": SWITCH}))

    assert growth(lambda units: expand(intent(units)), 16) <= LINEAR
