"""131,072 GPUs: ten thousand switches as integer columns."""

from __future__ import annotations

import json
import sys

from tests.programs import run

MEASURE = """
import json, resource, time
from tests.topology.builders import SPLIT, count, hosts, intent_of, small
from fabric.topology.expand import expand
from fabric.topology.model import Role
value = small(units=512, gpu=hosts(32, 8), pods={"units": 4}, superspine={"model": SPLIT})
expand(intent_of(small()))
intent = intent_of(value)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
net = expand(intent).networks["compute"]
cpu_s = time.process_time() - start
grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([8 * count(net, Role.HOST), len(net.switches), len(net.peer), cpu_s, grown_kib]))
"""


def test_131072_gpus_expand_in_seconds_and_megabytes() -> None:
    done = run(sys.executable, "-c", MEASURE)  # its own process: peak memory is counted from the start
    gpus, switches, ports, cpu_s, grown_kib = json.loads(done.stdout)

    assert (131_072, 9_216, 786_432) == (gpus, switches, ports)
    assert grown_kib < 150 * 1024
    assert cpu_s < 4  # about 0.4 on a quiet machine
