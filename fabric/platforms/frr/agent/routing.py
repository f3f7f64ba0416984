"""FRR: what it runs, what a text would change, and the change itself, as one `vtysh -f`.

The exit status of vtysh says little (8.4.4, run): 0 with a dead daemon, 0 after a refusal at run time. So daemons are
looked for before and after, and what runs is read again. frr-reload.py only computes: its own `--reload` writes
passwords to a log that everybody may read, and replaces frr.conf whatever is dead.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

from fabric.platforms.frr.agent.system import Refused, ended, first_line, has_systemd, run, where

RUN = Path("/run/frr")
DAEMONS = Path("/etc/frr/daemons")
RESTART_S = 60.0
ANSWER_S = 3.0
LISTENING = "show daemons"
"""Prints the names of those that vtysh can talk to, on one line."""
ALWAYS = frozenset({"zebra"})
NO_DAEMONS = frozenset({"watchfrr", "vtysh"})
HEAD = re.compile(r"(?s)\A.*?^Current configuration:\n(?:!\n)?", re.MULTILINE)
COMPLAINT = re.compile(r"(?m)^.*% .*$")
PASSWORD = re.compile(r"(\b(?:password|key|auth-key|message-digest-key \d+ md5)\s+(?:[08] )?)\S+")
AUTOMATIC = re.compile(
    r"\s*no (?:ipv6 nd ra-interval 10|no ipv6 nd suppress-ra|ipv6 nd suppress-ra|frr version .*)\s*"
)
"""Lines that FRR adds by itself, to an interface with a session without addresses; frr-reload.py says why it does not
delete them either."""
HOST_NAME = re.compile(r"(?m)^hostname (\S+)$")
PASSES = 3
"""A removed line takes others along, which the next pass puts back."""


class Delta(NamedTuple):
    """What `frr-reload.py --test` says: lines of removals, then of additions."""

    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is a change of ours."""
        return not self.added and not any(_is_change(line) for line in self.removed)


def _is_change(line: str) -> bool:
    """Whether a line removes something that does not come back by itself: headings alone remove nothing."""
    return line.strip().startswith("no ") and AUTOMATIC.fullmatch(line) is None


def hidden(text: str) -> str:
    """The text without passwords."""
    return PASSWORD.sub(r"\1<masked>", text)


def asked(*commands: str, seconds: float | None = None) -> CompletedProcess[str]:
    """How one start of vtysh ends that carries out commands, and what it prints of all of them."""
    words = [word for command in commands for word in ("-c", command)]
    return run(where("vtysh") or "vtysh", *words, seconds=seconds)


def vtysh(*commands: str, seconds: float | None = None) -> str:
    """What FRR answers to commands that hold no secret."""
    done = asked(*commands, seconds=seconds)
    if done.returncode:
        raise Refused("command", f"vtysh: {first_line([done.stderr, done.stdout])}")
    return done.stdout


def expected(daemons: str | None = None) -> frozenset[str]:
    """Daemons that FRR was told to run, or has run since the machine started."""
    try:
        text = DAEMONS.read_text() if daemons is None else daemons
    except OSError:
        text = ""
    named = set(re.findall(r"(?m)^\s*(\w+)=[\"']?(?:yes|1)\b", text)) - {"vtysh_enable"}
    started = {file.stem for file in RUN.glob("*.pid")}
    return frozenset((ALWAYS | named | started) - NO_DAEMONS)


def processes() -> dict[str, int]:
    """Process of each daemon, by the files that they write when they start."""
    numbers = {}
    for file in RUN.glob("*.pid"):
        try:
            number = int(file.read_text())
            name = Path(f"/proc/{number}/comm").read_text().strip()
        except (OSError, ValueError):
            continue
        if name == file.stem[:15] and file.stem not in NO_DAEMONS:
            numbers[file.stem] = number
    return numbers


def dead(shown: str | None = None) -> list[str]:
    """Daemons that do not run, or do not listen to vtysh, which has `shown` those that do."""
    alive = set((vtysh(LISTENING) if shown is None else shown).split())
    return sorted(expected() - (alive & set(processes())))


def must_live(shown: str | None = None) -> None:
    """Refuse if a daemon is dead."""
    if gone := dead(shown):
        raise Refused("command", f"FRR: {', '.join(gone)} does not run")


def running() -> str:
    """What FRR runs. Refuses to answer for a daemon that is dead: vtysh would leave its lines out in silence.

    vtysh reads its whole grammar at each start, which costs more than its answers: one start for all three.
    """
    before, _, rest = vtysh(LISTENING, "show running-config", LISTENING).partition("\n")
    text, _, after = rest.rstrip("\n").rpartition("\n")
    for shown in (before, after):
        must_live(shown)
    body = HEAD.sub("", f"{text}\n")
    if body == f"{text}\n" or not body.rstrip().endswith("end"):
        raise Refused("command", "vtysh prints no whole configuration")
    return body


def checked(file: Path) -> None:
    """Let FRR parse a file; nothing is applied. Its host name is the system's, whatever the file says."""
    wanted, own = HOST_NAME.search(file.read_text()), os.uname().nodename
    if wanted and wanted[1] != own:
        fix = f"hostnamectl set-hostname {wanted[1]}"
        raise Refused("refused", f"frr.conf: the switch is called {own}, not {wanted[1]}: {fix}")
    if not where("frr-reload.py"):
        raise Refused("refused", "frr-reload.py is not installed: install the package frr-pythontools")
    done = run(where("vtysh") or "vtysh", "-C", "-f", str(file))
    complaints = COMPLAINT.findall(done.stdout + done.stderr)
    if complaints or done.returncode:
        message = first_line(complaints or [done.stderr, done.stdout]) or f"vtysh ends with {done.returncode}"
        raise Refused("refused", f"frr.conf: {hidden(message)}")


def delta(file: Path) -> Delta:
    """What would change if FRR ran that file."""
    done = run(where("frr-reload.py"), "--test", "--stdout", str(file))
    if done.returncode:
        problem = hidden(first_line(done.stderr.splitlines()[::-1]))
        raise Refused("command", f"frr-reload.py: {problem or done.returncode}")
    parts: dict[str, list[str]] = {"Delete": [], "Add": []}
    lines: list[str] = []
    for line in done.stdout.splitlines():
        if line.startswith("Lines To "):
            lines = parts[line.split()[2]]
        elif line.strip("= "):
            lines.append(line)
    return Delta(tuple(parts["Delete"]), tuple(parts["Add"]))


def follow(file: Path) -> None:
    """Make FRR run that file. `Refused` if it does not, or if a daemon ended of it; what runs may be anything then."""
    before = processes()
    said = ""
    for _ in range(PASSES):
        change = delta(file)
        if change.is_empty:
            break
        batch = "\n".join((*change.removed, *change.added, ""))
        done = run(where("vtysh"), "-f", "/dev/stdin", stdin=batch)
        said = said or first_line(COMPLAINT.findall(done.stdout + done.stderr))
        if gone := dead():
            raise Refused("commit", f"FRR: {', '.join(gone)} has ended of the change")
    else:
        change = delta(file)
    if not change.is_empty:
        kept = first_line([*(line for line in change.added), *change.removed])
        raise Refused("commit", f"FRR does not take it: {hidden(said or kept)}")
    now = processes()
    if restarted := sorted(name for name, process in before.items() if now.get(name) != process):
        raise Refused("commit", f"FRR: {', '.join(restarted)} was restarted")


def restart() -> None:
    """Start all of FRR anew, from frr.conf on the disk: for when it cannot be brought back line by line."""
    for name, process in processes().items():
        try:
            run(where("vtysh"), "-d", name, "-c", "show version", seconds=ANSWER_S)
        except Refused:
            ended(process)  # a process that is stopped would hold up those that end the others
    if has_systemd():
        run("systemctl", "restart", "frr", seconds=RESTART_S)
    else:
        run("/usr/lib/frr/frrinit.sh", "restart", seconds=RESTART_S)
    end = time.monotonic() + RESTART_S
    while gone := _starting():
        if time.monotonic() > end:
            raise Refused("commit", f"FRR does not start: {', '.join(gone)}")
        time.sleep(0.2)


def _starting() -> list[str]:
    try:
        return dead()
    except Refused:
        return ["vtysh"]


def stopped(daemons: set[str]) -> None:
    """End daemons that a change has started."""
    for name, process in processes().items():
        if name in daemons - ALWAYS:
            ended(process)
            for suffix in ("pid", "vty"):
                (RUN / f"{name}.{suffix}").unlink()
