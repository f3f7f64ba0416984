"""The files of a switch: where each is, how its text takes effect, and how that is taken back.

Until a change is confirmed, each program reads the new text from a copy: in a mount namespace of its own, where a
program knows one path only. So the files from which the switch starts are the old ones.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

from fabric.platforms.frr.agent.system import Refused, first_line, has_systemd, new_folder, run, where, write

ROUTING = "frr.conf"


class Part(NamedTuple):
    """One file."""

    path: Path
    mode: int
    owner: str
    """`user:group`, where the file is new; else it keeps its own."""
    effect: str
    """When its text takes effect."""


PARTS = {
    ROUTING: Part(Path("/etc/frr/frr.conf"), 0o640, "frr:frr", "at once, by vtysh: the lines that differ"),
    "vtysh.conf": Part(Path("/etc/frr/vtysh.conf"), 0o640, "frr:frrvty", "when vtysh starts"),
    "daemons": Part(
        Path("/etc/frr/daemons"), 0o640, "frr:frr", "new daemons start at once, all else when FRR restarts"
    ),
    "sysctl.conf": Part(Path("/etc/sysctl.d/90-fabric.conf"), 0o644, "root:root", "at once, by sysctl"),
    "qos.sh": Part(Path("/usr/local/sbin/fabric-qos"), 0o755, "root:root", "at once: it is run"),
    "qos.service": Part(
        Path("/etc/systemd/system/fabric-qos.service"), 0o644, "root:root", "when the switch starts"
    ),
    "interfaces": Part(
        Path("/etc/network/interfaces"),
        0o644,
        "root:root",
        "at once, by ifreload: the interfaces that differ",
    ),
    "ports.rules": Part(
        Path("/etc/udev/rules.d/10-fabric-ports.rules"), 0o644, "root:root", "when ports appear: at a restart"
    ),
}
"""In the order in which they are applied: queues split cages, and addresses belong before the sessions over them."""
COMMENTS = {"sysctl.conf": "#;", "qos.service": "#;"}
"""First characters of a line that says nothing, where it is not `#` alone: sysctl.d(5), systemd.syntax(7)."""
SETTING = re.compile(r"(?m)^[ \t]*(-?)([A-Za-z0-9_./*-]+)[ \t]*=[ \t]*(.*?)[ \t]*$")
DAEMON = re.compile(r"(?m)^\s*([a-z0-9]+)=[\"']?yes\b")


def differs(name: str, new: str, old: str | None) -> bool:
    """Whether one text of a file says something else than another, which may not be there: comments say nothing."""
    return old is None or _said(name, new) != _said(name, old)


def _said(name: str, text: str) -> list[str]:
    """Lines but for blank ones and comments. Behind a line that goes on, and inside a text, nothing is left out."""
    comments, said, goes_on = COMMENTS.get(name, "#"), [], False
    lines = text.splitlines()
    if name == "qos.sh" and ("<<" in text or _has_long_quotes(lines)):
        return lines
    for number, line in enumerate(lines):
        runs_it = number == 0 and line.startswith("#!")
        if goes_on or runs_it or line.strip()[:1] not in ("", *comments):
            said.append(line)
        goes_on = line.endswith("\\")
    return said


def _has_long_quotes(lines: list[str]) -> bool:
    """Whether a quoted text may span lines, which could begin as comments do."""
    code = [line for line in lines if not line.lstrip().startswith("#")]
    return any(line.count(mark) % 2 for line in code for mark in "'\"")


def on_disk() -> dict[str, str]:
    """What the switch starts with, but for frr.conf: what of that runs is asked of FRR."""
    return {name: text for name in PARTS if name != ROUTING and (text := text_of(name)) is not None}


def text_of(name: str) -> str | None:
    """A file as it is on the disk; None if there is none."""
    try:
        return PARTS[name].path.read_text(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused("command", f"{PARTS[name].path}: {error.strerror}") from None


def checked(name: str, text: str, file: Path) -> None:
    """Let the switch parse a part; nothing is applied."""
    if name == "sysctl.conf":
        for optional, key, _ in SETTING.findall(text):
            if not optional and "*" not in key and not _setting(key).exists():
                raise Refused("refused", f"sysctl.conf: the kernel does not have {key}")
    elif name in {"qos.sh", "daemons"}:
        done = run(where("bash") or "sh", "-n", str(file))
        if done.returncode:
            raise Refused("refused", f"{name}: {first_line([done.stderr])}")
    elif name == "interfaces":
        if not where("ifreload"):
            raise Refused("refused", "interfaces: ifreload is not installed: install the package ifupdown2")
        done = _beside(file, PARTS[name].path, where("ifreload"), "-a", "-s")
        if done.returncode:
            raise Refused("refused", f"interfaces: {first_line([done.stderr, done.stdout])}")


def _setting(key: str) -> Path:
    """As sysctl.d(5) has it: the first separator decides what both mean."""
    separator = re.search(r"[./]", key)
    path = key if separator and separator[0] == "/" else key.translate(str.maketrans("./", "/."))
    return Path("/proc/sys") / path


def settings(texts: Mapping[str, str]) -> dict[str, str]:
    """Values in the kernel of every key that the texts set: what a file no longer says does not go away by itself."""
    values = {}
    for _, key, _ in SETTING.findall("\n".join(texts.values())):
        with suppress(OSError):
            values[key] = _setting(key).read_text().strip()
    return values


def applied(name: str, text: str, file: Path) -> None:
    """Make the switch follow a part that is not on its disk yet. `Refused` if it does not."""
    if name == "sysctl.conf":
        _done(name, run(where("sysctl") or "sysctl", "-q", "-p", str(file)))
    elif name == "qos.sh":
        _done(name, run(where("bash") or "bash", str(file)))
    elif name == "interfaces":
        _done(name, _beside(file, PARTS[name].path, where("ifreload"), "-a"))
    elif name == "daemons":
        _started(text, file)


def taken_back(name: str, settings_before: Mapping[str, str]) -> None:
    """Make the switch follow its own files again, which were never touched."""
    path = PARTS[name].path
    if name == "sysctl.conf":
        for key, value in settings_before.items():
            with suppress(OSError):
                _setting(key).write_text(value + "\n")
    elif name == "qos.sh" and path.exists():
        _done(name, run(where("bash") or "bash", str(path)))
    elif name == "interfaces":
        _done(name, run(where("ifreload"), "-a"))


def _done(name: str, done: CompletedProcess[str]) -> None:
    if done.returncode:
        said = first_line([done.stderr, done.stdout]) or f"exit status {done.returncode}"
        raise Refused("commit", f"{name}: {said}")


def _beside(file: Path, path: Path, *words: str) -> CompletedProcess[str]:
    """Run a program that finds that file at that path, and nobody else does."""
    if not path.exists():
        path.touch()
    command = f"mount --bind {shlex.quote(str(file))} {shlex.quote(str(path))} && exec {shlex.join(words)}"
    return run(where("unshare"), "--mount", "--propagation", "private", "sh", "-c", command)


def _started(text: str, file: Path) -> None:
    """Start the daemons that the new text names and that do not run. `watchfrr` watches them from its next start."""
    from fabric.platforms.frr.agent.routing import ALWAYS, processes

    for daemon in sorted(set(DAEMON.findall(text)) - set(processes()) - ALWAYS):
        script = (
            f'. "$0"; exec /usr/lib/frr/{daemon} -d -F "${{frr_profile:-traditional}}" $frr_global_options '
        )
        _done("daemons", run(where("bash") or "bash", "-c", f"{script}${daemon}_options", str(file)))


def staged(texts: Mapping[str, str]) -> None:
    """Whole copies beside the files that they will replace: a full disk is noticed before anything is changed."""
    for name, text in texts.items():
        _write(name, text, _beside_path(name))


def installed(texts: Mapping[str, str]) -> None:
    """Put the texts in their places, each at once. May be done again after it was interrupted."""
    for name, text in texts.items():
        if text_of(name) == text:
            with suppress(FileNotFoundError):
                _beside_path(name).unlink()
        elif _beside_path(name).exists():
            _beside_path(name).replace(PARTS[name].path)
        else:
            _write(name, text, PARTS[name].path)
    if "qos.service" in texts and has_systemd():
        run("systemctl", "daemon-reload")
        run("systemctl", "enable", PARTS["qos.service"].path.name)


def unstaged() -> None:
    """Drop the copies."""
    for name in PARTS:
        with suppress(OSError):
            _beside_path(name).unlink()


def _beside_path(name: str) -> Path:
    """Beside the file, under a name that no program reads: not `*.conf`, `*.rules`, `*.service`."""
    path = PARTS[name].path
    return path.with_name(f".{path.name}.fabric-staged")


def _write(name: str, text: str, path: Path) -> None:
    part = PARTS[name]
    try:
        status = part.path.stat()
        # What is run must be executable, whoever has put the old one there.
        mode, owner = status.st_mode & 0o777 | part.mode & 0o111, (status.st_uid, status.st_gid)
    except OSError:
        mode, owner = part.mode, _numbers(part.owner)
    part.path.parent.mkdir(parents=True, exist_ok=True)
    write(path, text, mode, owner)


def _numbers(owner: str) -> tuple[int, int]:
    user, group = owner.split(":")
    try:
        return pwd.getpwnam(user).pw_uid, grp.getgrnam(group).gr_gid
    except KeyError:
        return os.getuid(), os.getgid()


def kept(folder: Path, texts: Mapping[str, str]) -> None:
    """The texts in a folder of ours."""
    new_folder(folder)
    for name, text in texts.items():
        write(folder / name, text)


def texts_in(folder: Path) -> dict[str, str]:
    """What `kept` has put there."""
    return {name: (folder / name).read_text() for name in PARTS if (folder / name).is_file()}
