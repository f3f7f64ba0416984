"""FRR in the container `bgp`: what it runs, what a text would change, and the change itself, as one `vtysh -f`.

The container has no frr-reload.py (sonic-buildimage issue 12163), so the difference is made here. The exit status of
vtysh says little (FRR 8.4.4, run): 0 with a dead daemon, 0 after some refusals. So daemons are looked for before and
after, and what runs is read again.
"""

from __future__ import annotations

import re
import time

from fabric.platforms.sonic.agent.lines import HEAD, Delta, delta, hidden
from fabric.platforms.sonic.agent.machine import Machine, Refused, first_line
from fabric.platforms.sonic.agent.tables import Tables

FILE = "/etc/sonic/frr/frr.conf"
"""The container has the folder as /etc/frr (sonic-buildimage docker_init.sh) and starts from it where FRR is ours."""
VTYSH = ("docker", "exec", "-i", "bgp", "vtysh")
NEEDED = frozenset({"zebra", "bgpd"})
COMPLAINT = re.compile(r"(?m)^.*% .*$")
PASSES = 4
"""A removed line takes others along, which the next pass puts back."""
STARTS_S = 400.0
LOOK_S = 2.0


def is_ours(tables: Tables) -> bool:
    """Whether FRR runs frr.conf, not what a daemon makes of CONFIG_DB."""
    local = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    return local.get("docker_routing_config_mode") == "split-unified"


def vtysh(machine: Machine, *commands: str) -> str:
    """What FRR answers to commands that hold no secret."""
    words = [word for command in commands for word in ("-c", command)]
    done = machine.execute(*VTYSH, *words)
    if done.status:
        raise Refused("command", f"vtysh: {first_line(done.err, done.out) or done.status}")
    return done.out


def daemons(machine: Machine) -> frozenset[str]:
    """Those that answer; none if FRR does not run."""
    done = machine.execute(*VTYSH, "-c", "show daemons")
    return frozenset(done.out.split()) if done.status == 0 else frozenset()


def must_live(machine: Machine) -> None:
    """Refuse if a daemon is dead: vtysh would leave its lines out in silence."""
    if gone := sorted(NEEDED - daemons(machine)):
        raise Refused("command", f"FRR: {', '.join(gone)} does not run")


def running(machine: Machine) -> str:
    """What FRR runs."""
    must_live(machine)
    text = vtysh(machine, "show running-config")
    must_live(machine)
    body = HEAD.sub("", text)
    if body == text or not body.rstrip().endswith("end"):
        raise Refused("command", "vtysh prints no whole configuration")
    return body


def checked(machine: Machine, text: str) -> None:
    """Let FRR parse a text; nothing is applied."""
    done = machine.execute(*VTYSH, "-C", "-f", "/dev/stdin", stdin=text)
    complaint = first_line(*COMPLAINT.findall(done.out + done.err))
    if done.status or complaint:
        raise Refused("refused", f"frr.conf: {hidden(complaint or first_line(done.err, done.out))}")


def difference(machine: Machine, text: str) -> Delta:
    """What FRR would have to change to run that text."""
    return delta(running(machine), text)


def follow(machine: Machine, text: str) -> None:
    """Make FRR run that text. `Refused` if it does not, or if a daemon ended of it; it may run anything then."""
    before, complaint = daemons(machine), ""
    for _ in range(PASSES):
        change = difference(machine, text)
        if change.is_empty:
            return
        done = machine.execute(*VTYSH, "-f", "/dev/stdin", stdin=change.batch)
        complaint = first_line(*COMPLAINT.findall(done.out + done.err)) or complaint
        if gone := sorted(before - daemons(machine)):
            raise Refused("commit", f"FRR: {', '.join(gone)} has ended of the change")
    change = difference(machine, text)
    if not change.is_empty:
        raise Refused("commit", f"FRR does not take it: {hidden(complaint or first_line(*change.shown))}")


def wait(machine: Machine) -> None:
    """Until FRR answers after a start of its container."""
    end = machine.now() + STARTS_S
    while NEEDED - daemons(machine):
        if machine.now() > end:
            raise Refused("commit", f"FRR does not start within {STARTS_S:.0f} s")
        time.sleep(LOOK_S)


def restarted(machine: Machine, text: str) -> None:
    """Start the container from a text: for when FRR does not go back line by line."""
    machine.write(FILE, text)
    done = machine.execute("systemctl", "restart", "bgp", seconds=STARTS_S)
    if done.status:
        raise Refused("commit", f"bgp does not restart: {first_line(done.err, done.out)}")
    wait(machine)
