"""`fabric` with or without the evaluation of routes: `python -m bench.routes_case with|without ARGUMENTS`.

The last line of stdout says how many CPU seconds the evaluation took.
"""

from __future__ import annotations

import sys
import time

from fabric import analysis
from fabric.analysis import check_routes
from fabric.cli import main
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic
from fabric.rendering.render import nothing_found

spent = [0.0]


def timed(devices: Devices) -> tuple[Diagnostic, ...]:
    """The evaluation, with its CPU time noted."""
    started = time.process_time()
    found = check_routes(devices)
    spent[0] += time.process_time() - started
    return found


if __name__ == "__main__":
    choice, *arguments = sys.argv[1:]
    vars(analysis)["check_routes"] = timed if choice == "with" else nothing_found
    code = main(arguments)
    print(spent[0])
    sys.exit(code)
