"""CONFIG_DB as the switch's own commands change it.

Sources: sonic-utilities config/main.py, generic_config_updater (202511): a refusal exits with 2, the last line of its
errors says why. Every patch goes to the switch's syslog, with the secrets that it changes.
"""

from __future__ import annotations

from fabric.platforms.sonic.agent.machine import STATE, Machine, Refused, first_line, last_line
from fabric.platforms.sonic.agent.tables import Tables, hidden, own, parsed, printed, with_automatic

FILE = "/etc/sonic/config_db.json"
"""What a switch starts from."""
PATCH_S, RELOAD_S = 900.0, 600.0
"""The updater sorts its moves, which may take minutes; a reload waits for all services."""


def running(machine: Machine) -> Tables:
    """All of it."""
    done = machine.execute("sonic-cfggen", "-d", "--print-data")
    if done.status:
        raise Refused("command", f"sonic-cfggen: {last_line(done.err) or done.status}")
    return parsed(done.out)


def target_file(machine: Machine, name: str, tables: Tables, now: Tables) -> str:
    """Put tables where a command can take them; the rows that the switch has made stay."""
    path = f"{STATE}/{name}.json"
    machine.write(path, printed(with_automatic(tables, now)))
    return path


def tried(machine: Machine, tables: Tables, now: Tables, seconds: float) -> None:
    """Let the updater go through a change without making it."""
    path = target_file(machine, "try", tables, now)
    try:
        _config(machine, ("replace", "-d", path), "refused", seconds, tables, now)
    finally:
        machine.remove(path)


def replaced(machine: Machine, path: str, tables: Tables) -> None:
    """Change row by row. `Refused` if CONFIG_DB is not that then; it may be anything between."""
    _config(machine, ("replace", path), "commit", PATCH_S, tables, running(machine))
    _must_be(machine, tables)


def reloaded(machine: Machine, path: str, tables: Tables) -> None:
    """Start all services from a file. All ports go down."""
    _config(machine, ("reload", "-y", "-f", path), "commit", RELOAD_S, tables, running(machine))
    _must_be(machine, tables)


def saved(machine: Machine) -> None:
    """A restart brings what runs. `config save` cuts the file short before it writes; so it writes beside it."""
    path, now = f"{STATE}/saved.json", running(machine)
    try:
        _config(machine, ("save", "-y", path), "command", PATCH_S, now)
        text = machine.read(path) or ""
        if own(parsed(text)) != own(now):
            raise Refused("command", "config save has not written what runs")
        machine.write(FILE, text)
    finally:
        machine.remove(path)


def _must_be(machine: Machine, tables: Tables) -> None:
    if own(running(machine)) != own(tables):
        raise Refused("commit", "CONFIG_DB is not what was asked for")


def _config(machine: Machine, words: tuple[str, ...], kind: str, seconds: float, *secrets: Tables) -> None:
    done = machine.execute("config", *words, seconds=seconds)
    if done.status:
        problem = hidden(last_line(done.err) or first_line(done.out), *secrets)
        raise Refused(kind, f"config {words[0]}: {problem or done.status}")
