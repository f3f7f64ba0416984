"""The program of an operator who applies a saved plan through a fleet, and is killed when an event is told.

`python -m tests.fleets.killed_apply FOLDER JOURNAL SCHEDULER TARGETS KIND NUMBER`: dead at the nth event of that kind,
as by `kill -9`. It prints each event before, so that whoever started it knows what was told.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import msgspec

from fabric import api
from fabric.deployment import Event, Pace, Workplace
from fabric.platforms.base import Target
from tests.fleets.fleet_site import ALLOW, POLL_S, TIMER_S


def kind_of(event: Event) -> str:
    """What happened, in a word: the state of a step, or what the event is called."""
    return str(getattr(event, "state", "") or type(event).__struct_config__.tag)


def main(folder: str, journal: str, scheduler: str, targets: str, kind: str, number: str) -> None:
    """Apply the plan that is saved in the site's folder."""
    left = int(number)

    def on_event(event: Event) -> None:
        nonlocal left
        sys.stdout.write(f"{kind_of(event)}\n")
        sys.stdout.flush()
        left -= kind_of(event) == kind
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    site = Path(folder)
    place = Workplace(
        folder=site,
        replaced=msgspec.json.decode(Path(targets).read_bytes(), type=dict[str, Target]),
        has_routes=False,
        journal_url=journal,
        executor_url=scheduler,
    )
    pace = Pace(revert_in_s=TIMER_S, gate_poll_s=POLL_S)
    api.apply(site / "plan", api.compile(site), place, allow=ALLOW, pace=pace, on_event=on_event)


if __name__ == "__main__":
    main(*sys.argv[1:])
