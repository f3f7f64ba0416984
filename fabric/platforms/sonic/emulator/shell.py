"""The commands of an emulated switch, as root runs them. Each refuses what the real one refuses.

Sources: sonic-utilities config/main.py (statuses and texts), sonic-cfggen, sonic-db-cli; systemd-run(1), systemctl(1).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from fabric.platforms.sonic.agent import database, timer
from fabric.platforms.sonic.agent.machine import Done, Refused
from fabric.platforms.sonic.agent.tables import Tables, parsed, printed
from fabric.platforms.sonic.emulator import show
from fabric.platforms.sonic.emulator.judge import judged, without_models
from fabric.platforms.sonic.emulator.switch import SonicSwitch
from fabric.platforms.sonic.emulator.updater import refusal

CHECKPOINTS = "/etc/sonic/checkpoints"
COMMIT_FAILS = "localhost: after applying patch to config, there are still some parts not updated"
"""What a commit that is to fail answers."""
FULL = "[Errno 28] No space left on device"
Words = Sequence[str]
OK = Done(0, "", "")


def _error(message: str, status: int = 2) -> Done:
    return Done(status, "", f"Error: {message}\n")


def _checkpoint(name: str) -> str:
    return f"{CHECKPOINTS}/{name}.cp.json"


class Shell:
    """Runs commands."""

    def __init__(self, switch: SonicSwitch, starts: Callable[[Words], None]) -> None:
        self._switch, self._starts = switch, starts
        self.units: dict[str, Callable[[], None]] = {}
        """Timers that count, each with what cancels it."""
        self.enabled: set[str] = set()
        self._programs: dict[str, Callable[[Words, str], Done]] = {
            "config": self._config,
            "decode-syseeprom": lambda _w, _i: Done(0, f"{switch.serial}\n", ""),
            "docker": self._docker,
            "show": self._show,
            "sonic-cfggen": self._cfggen,
            "sonic-db-cli": self._db_cli,
            "sonic-db-dump": self._db_dump,
            "systemctl": self._systemctl,
            "systemd-run": self._systemd_run,
            "vtysh": self._vtysh,
        }

    def run(self, words: list[str], given: str) -> Done:
        """One command with its input."""
        program = self._programs.get(words[0]) if words else None
        if program is None:
            return Done(127, "", f"{' '.join(words[:1])}: command not found\n")
        return program(words[1:], given)

    def reads_input(self, words: Words) -> bool:
        """Whether it waits for the end of its input."""
        return "/dev/stdin" in words

    def _config(self, words: Words, _given: str) -> Done:
        disk, tables = self._switch.disk, self._switch.tables
        done = _error(f"No such command '{' '.join(words[:1])}'.")
        match list(words):
            case ["replace", "-d", path]:
                done = self._replace(path, is_dry=True)
            case ["replace", path]:
                done = self._replace(path, is_dry=False)
            case ["rollback", name]:
                done = self._replace(_checkpoint(name), is_dry=False)
            case ["reload", "-y", "-f", path]:
                done = self._reload(path)
            case ["reload", "-y"]:
                done = self._reload(database.FILE)
            case ["save", "-y", *rest]:
                done = self._write((rest or [database.FILE])[0], printed(tables), status=1)
            case ["checkpoint", name]:
                done = self._write(_checkpoint(name), printed(tables))
            case ["delete-checkpoint", name]:
                is_there = disk.pop(_checkpoint(name), None) is not None
                done = OK if is_there else _error(f"Checkpoint '{name}' does not exist")
            case ["list-checkpoints"]:
                done = Done(0, json.dumps([path for path in disk if path.startswith(CHECKPOINTS)]) + "\n", "")
        return done

    def _write(self, path: str, text: str, status: int = 2) -> Done:
        if self._switch.faults.disk_full:
            return _error(FULL, status)
        self._switch.disk[path] = text
        return OK

    def _replace(self, path: str, *, is_dry: bool) -> Done:
        text = self._switch.disk.get(path)
        if text is None:
            return _error(f"[Errno 2] No such file or directory: '{path}'")
        try:
            tables = _tables(text)
        except Refused as error:
            return _error(str(error))
        old = self._switch.tables
        if problem := refusal(old, tables):
            return _error(problem)
        if is_dry:
            return Done(0, "** DRY RUN EXECUTION **\nConfig replaced successfully.\n", "")
        if self._switch.faults.fail_commit:
            return _error(COMMIT_FAILS)
        self._switch.reconfigured(lambda: setattr(self._switch, "tables", parsed(text)))
        return Done(0, "Config replaced successfully.\n", "")

    def _reload(self, path: str) -> Done:
        text = self._switch.disk.get(path)
        try:
            tables = _tables(text or "")
        except Refused as error:
            return _error(str(error), status=1)
        problems = judged(tables) if path != database.FILE else ()
        if unknown := sorted(without_models(tables)) if path != database.FILE else []:
            problems = (f"tables without YANG models: {unknown}", *problems)
        if problems or self._switch.faults.fail_commit:
            return _error(f"Config Validation failed: {(*problems, COMMIT_FAILS)[0]}", status=1)
        self._switch.restart_services(parsed(text or ""))
        return OK

    def _cfggen(self, words: Words, _given: str) -> Done:
        if list(words) != ["-d", "--print-data"]:
            return Done(2, "", "usage: sonic-cfggen: only -d --print-data is played\n")
        return Done(0, printed(self._switch.tables), "")

    def _db_dump(self, words: Words, _given: str) -> Done:
        match list(words):
            case ["-n", "CONFIG_DB" | "APPL_DB" | "COUNTERS_DB" | "ASIC_DB" as source, "-y", "-k", pattern]:
                return Done(0, show.dump(self._switch, source, pattern), "")
        return Done(1, "", "Invalid database name input\n")

    def _db_cli(self, words: Words, _given: str) -> Done:
        """What is written here is checked by nobody, as on the switch."""
        tables = {table: dict(rows) for table, rows in self._switch.tables.items()}
        match [word.upper() if number == 1 else word for number, word in enumerate(words)]:
            case ["CONFIG_DB", "HSET", key, *fields] if fields and len(fields) % 2 == 0:
                table, _, name = key.partition("|")
                row = dict(tables.get(table, {}).get(name, {}))
                row.update(zip(fields[::2], fields[1::2], strict=True))
                row.pop("NULL", None)  # what Redis has of a row without fields; nothing prints it
                tables.setdefault(table, {})[name] = row
            case ["CONFIG_DB", "DEL", key]:
                table, _, name = key.partition("|")
                tables.get(table, {}).pop(name, None)
            case _:
                return Done(1, "", "ERR unknown command\n")
        self._switch.reconfigured(
            lambda: setattr(self._switch, "tables", {t: r for t, r in tables.items() if r})
        )
        return Done(0, "1\n", "")

    def _docker(self, words: Words, given: str) -> Done:
        match list(words):
            case ["exec", "-i", "bgp", "vtysh", *rest]:
                return self._vtysh(rest, given)
            case ["exec", "-i", "lldp", "lldpctl", "-f", "json0"]:
                return Done(0, show.lldp(self._switch), "")
        return Done(1, "", "Error: No such container\n")

    def _vtysh(self, words: Words, given: str) -> Done:
        switch = self._switch
        match list(words):
            case ["-C", "-f", "/dev/stdin"]:
                complaints = switch.frr.checked(given)
                return Done(2 if complaints else 0, "".join(f"{line}\n" for line in complaints), "")
            case ["-f", "/dev/stdin"]:
                if switch.faults.fail_commit:
                    return Done(2, f"% Configuration failed: {COMMIT_FAILS}\n", "")
                complaints = switch.frr_applies(given)
                unknown = any(line.startswith("% Unknown") for line in complaints)
                return Done(2 if unknown else 0, "".join(f"{line}\n" for line in complaints), "")
            case ["-c", "configure terminal", *rest]:
                complaints = switch.frr_applies("".join(f"{line}\n" for line in rest[1::2]))
                return Done(1 if complaints else 0, "".join(f"{line}\n" for line in complaints), "")
            case ["-c", command]:
                return self._vtysh_show(command)
        return Done(1, "", "vtysh: only -c, -f and -C are played\n")

    def _vtysh_show(self, command: str) -> Done:
        switch = self._switch
        answers: dict[str, Callable[[], str]] = {
            "show daemons": lambda: " zebra bgpd staticd bfdd\n",
            "show running-config": lambda: switch.frr.text,
            "show bgp summary json": lambda: show.summary(switch),
            "show bgp neighbors json": lambda: show.neighbors(switch),
            "show ip route bgp json": lambda: show.routes(switch, 4),
            "show ipv6 route bgp json": lambda: show.routes(switch, 6),
        }
        if command not in answers:
            return Done(1, f"% Unknown command: {command}\n", "")
        return Done(0, answers[command](), "")

    def _show(self, words: Words, _given: str) -> Done:
        match list(words):
            case ["version"]:
                return Done(0, f"\nSONiC Software Version: SONiC.{self._switch.release}\n", "")
            case ["runningconfiguration", "all"]:
                return Done(0, printed(self._switch.tables), "")
        return Done(2, "", f"Error: No such command '{' '.join(words[:1])}'.\n")

    def _systemd_run(self, words: Words, _given: str) -> Done:
        options = dict(word.partition("=")[::2] for word in words if word.startswith("--"))
        command = [word for word in words if not word.startswith("--")]
        name, delay = f"{options['--unit']}.timer", float(options["--on-active"].rstrip("s"))
        if name in self.units:
            return Done(1, "", f"Failed to start transient timer unit: Unit {name} already exists.\n")

        def fire() -> None:
            self.units.pop(name, None)
            self._starts(command)

        self.units[name] = self._switch.around.later(delay, fire)
        return Done(0, "", f"Running timer as unit: {name}\n")

    def _systemctl(self, words: Words, _given: str) -> Done:
        match list(words):
            case ["stop", name]:
                self.units.pop(name, lambda: None)()
                return OK
            case ["is-active", "--quiet", name]:
                return OK if name in self.units else Done(3, "", "")
            case ["restart", "bgp"]:
                self._switch.reconfigured(self._switch.start_frr)
                return OK
            case ["enable", name]:
                self.enabled.add(name)
                return OK
            case ["disable", name]:
                self.enabled.discard(name)
                return OK
        return Done(1, "", f"Unknown command verb {' '.join(words[:1])}.\n")

    def stop_timers(self) -> None:
        """The machine restarts."""
        for cancel in self.units.values():
            cancel()
        self.units.clear()

    @property
    def guards_boot(self) -> bool:
        """Whether our unit runs at the next start."""
        return timer.UNIT in self.enabled


def _tables(text: str) -> Tables:
    """As a command reads a file: tables, empty ones among them."""
    tables = parsed(text)
    empty: Tables = {name: {} for name, rows in json.loads(text).items() if rows == {}}
    return tables | empty
