"""SONiC's own commands for a switch in a box: CONFIG_DB is a real Redis, FRR is real; each refuses what SONiC's does.

Started as `python -m tests.platforms.sonic.box_commands NAME WORDS...` in the box. Timers of systemd are processes.
What takes long to import is imported where it is used: a change of a switch runs dozens of these.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.programs import ANY, run, start

Tables = dict[str, dict[str, dict[str, Any]]]
STARTUP = "/etc/sonic/config_db.json"
CONFIG_DB = 4
DATABASES = {"APPL_DB": 0, "ASIC_DB": 1, "COUNTERS_DB": 2, "CONFIG_DB": CONFIG_DB}
SOCKET = "/run/redis.sock"
UNITS, SLOW = Path("/run/units"), Path("/run/slow")
"""Timers that count; a file that makes the updater wait between two rows."""
MODELS = "sonic-202511"


def redis(number: int, *lines: list[str]) -> list[str]:
    """What Redis answers to commands, one line each."""
    text = "".join(" ".join(map(json.dumps, line)) + "\n" for line in lines)
    done = run("redis-cli", "-s", SOCKET, "-n", str(number), "--json", input=text)
    return [line for line in done.stdout.splitlines() if line]


def rows(number: int) -> dict[str, dict[str, str]]:
    """Every hash of a database."""
    [answer] = redis(number, ["KEYS", "*"])
    keys = sorted(json.loads(answer))
    return dict(zip(keys, map(json.loads, redis(number, *(["HGETALL", key] for key in keys))), strict=True))


def running() -> Tables:
    """CONFIG_DB: a row without fields holds `NULL`, a list has `@` behind its name."""
    tables: Tables = {}
    for key, row in rows(CONFIG_DB).items():
        table, _, name = key.partition("|")
        fields = {
            field.removesuffix("@"): value.split(",") if field.endswith("@") else value
            for field, value in row.items()
            if field != "NULL"
        }
        tables.setdefault(table, {})[name] = fields
    return tables


def written(tables: Tables) -> Iterator[list[str]]:
    """Commands that write rows."""
    for table, entries in tables.items():
        for key, row in entries.items():
            fields = [
                word
                for name, value in row.items()
                for word in ((f"{name}@", ",".join(value)) if isinstance(value, list) else (name, value))
            ]
            yield ["HSET", f"{table}|{key}", *(fields or ["NULL", "NULL"])]


def printed(tables: Tables) -> str:
    """As SONiC prints it."""
    return json.dumps(tables, indent=4, sort_keys=True) + "\n"


def error(message: str, status: int = 2) -> int:
    """Say why, as the real command does."""
    sys.stderr.write(f"Error: {message}\n")
    return status


def replace(path: str, *, is_dry: bool) -> int:
    """`config replace`: row by row, in no way undone if it ends in the middle."""
    from fabric.platforms.sonic.emulator.updater import patch, refusal

    judges()
    old, new = running(), json.loads(Path(path).read_text())
    if problem := refusal(old, new):
        return error(problem)
    if is_dry:
        return 0
    changed = {move.path[:2] for move in patch(old, new)}
    keys = sorted(
        {(table, key) for table, key in _rows(old) | _rows(new) if {(table,), (table, key)} & changed}
    )
    for table, key in keys:
        time.sleep(30 if SLOW.exists() else 0)
        redis(CONFIG_DB, ["DEL", f"{table}|{key}"])
        if key in new.get(table, {}):
            redis(CONFIG_DB, *written({table: {key: new[table][key]}}))
    return 0


def _rows(tables: Tables) -> set[tuple[str, str]]:
    return {(table, key) for table, entries in tables.items() for key in entries}


def reload(path: str) -> int:
    """`config reload`: a named file is judged before anything stops."""
    from fabric.platforms.sonic.emulator.judge import judged

    judges()
    tables = json.loads(Path(path).read_text())
    if path != STARTUP and (problems := judged(tables)):
        return error(f"Config Validation failed: {problems[0]}", 1)
    redis(CONFIG_DB, ["FLUSHDB"], *written(tables))
    return restart()


def restart() -> int:
    """The container of FRR starts anew, from its file."""
    from tests.platforms.frr.lab import START

    for file in Path("/run/frr").glob("*.pid"):
        try:
            os.kill(int(file.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            continue
        file.unlink()
    return run("sh", "-c", START, exits=ANY).returncode


def config(words: list[str]) -> int:
    """Of sonic-utilities."""
    match words:
        case ["replace", "-d", path]:
            return replace(path, is_dry=True)
        case ["replace", path]:
            return replace(path, is_dry=False)
        case ["reload", "-y", "-f", path]:
            return reload(path)
        case ["save", "-y", path]:
            Path(path).write_text(printed(running()))
        case ["checkpoint", name]:
            Path(f"/etc/sonic/{name}.cp.json").write_text(printed(running()))
        case ["delete-checkpoint", name]:
            Path(f"/etc/sonic/{name}.cp.json").unlink(missing_ok=True)
        case _:
            return error(f"No such command {words}")
    return 0


def dump(words: list[str]) -> int:
    """`sonic-db-dump -n NAME -y -k PATTERN`."""
    name, pattern = words[1], words[4]
    values = {key: {"value": row} for key, row in rows(DATABASES[name]).items() if fnmatchcase(key, pattern)}
    sys.stdout.write(json.dumps(values))
    return 0


def systemd_run(words: list[str]) -> int:
    """A process that waits, whoever hangs up."""
    options = dict(word.partition("=")[::2] for word in words if word.startswith("--"))
    command = shlex.join(word for word in words if not word.startswith("--"))
    file = UNITS / f"{options['--unit']}.timer"
    UNITS.mkdir(exist_ok=True)
    if file.exists():
        return error(f"Unit {file.name} already exists.", 1)
    script = f"sleep {options['--on-active']}; rm {file}; exec {command}"
    quiet = subprocess.DEVNULL
    process = start("sh", "-c", script, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    file.write_text(str(process.pid))
    return 0


def systemctl(words: list[str]) -> int:
    """Timers, the container of FRR, and what is enabled at the start."""
    match words:
        case ["stop", name] if (UNITS / name).exists():
            os.killpg(int((UNITS / name).read_text()), signal.SIGKILL)
            (UNITS / name).unlink()
        case ["is-active", "--quiet", name]:
            return 0 if (UNITS / name).exists() else 3
        case ["restart", "bgp"]:
            return restart()
        case ["enable", name]:
            Path(f"/etc/sonic/enabled-{name}").touch()
        case ["disable", name]:
            Path(f"/etc/sonic/enabled-{name}").unlink(missing_ok=True)
    return 0


def cfggen(words: list[str]) -> int:
    """`sonic-cfggen -d --print-data`."""
    if words != ["-d", "--print-data"]:
        return error("usage", 2)
    sys.stdout.write(printed(running()))
    return 0


def by_models(text: str) -> Iterator[str]:
    """What SONiC's own models say."""
    from fabric.platforms.sonic import PLATFORM
    from tests.yang import said

    yield from (f"{complaint.path}: {complaint.message}" for complaint in said(PLATFORM, text, MODELS))


def judges() -> None:
    """SONiC's own models judge, too, where libyang is installed."""
    from fabric.platforms.sonic.emulator.judge import JUDGES

    if find_spec("libyang"):
        JUDGES.append(by_models)


def load_startup(_words: list[str]) -> int:
    """CONFIG_DB when the machine starts."""
    redis(CONFIG_DB, *written(json.loads(Path(STARTUP).read_text())))
    return 0


COMMANDS = {
    "config": config,
    "decode-syseeprom": lambda _words: 1,
    "load-startup": load_startup,
    "sonic-cfggen": cfggen,
    "sonic-db-dump": dump,
    "systemctl": systemctl,
    "systemd-run": systemd_run,
}

if __name__ == "__main__":
    sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
