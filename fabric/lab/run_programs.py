"""Running the system's programs: by whole path, to their end, never through a shell of ours."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping

from fabric.diagnostics import Refused

SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where Debian has daemons, which users do not look through; and nothing of a virtual environment."""
PROGRAMS: Mapping[str, str] = {
    "ip": "iproute2",
    "nsenter": "util-linux",
    "unshare": "util-linux",
    "mount": "mount",
    "sysctl": "procps",
    "nft": "nftables",
    "sshd": "openssh-server",
    "ssh-keygen": "openssh-client",
    "lldpd": "lldpd",
    "lldpcli": "lldpd",
}
"""What every lab needs, and the Debian package that has it."""
LIMIT_S = 300.0
"""A hang, not a measure."""
ENVIRONMENT = {"PATH": SYSTEM, "LC_ALL": "C", "TERM": "dumb", "HOME": "/root"}


def run(*words: str, stdin: str = "", timeout_s: float = LIMIT_S) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, whatever its exit code. `Refused` if it is missing or takes too long."""
    try:
        return subprocess.run(  # noqa: S603  # programs of the table, no shell
            words,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=timeout_s,
            env=ENVIRONMENT,
        )
    except FileNotFoundError:
        message = f"the program {words[0]} is missing"
        raise Refused(message, _install([PROGRAMS.get(words[0], words[0])])) from None
    except subprocess.TimeoutExpired:
        message = f"{words[0]} does not end within {timeout_s:.0f} s"
        raise Refused(message) from None


def failure(what: str, done: subprocess.CompletedProcess[str]) -> str:
    """What a failed program said, in one line."""
    lines = [line.strip() for line in (done.stderr + "\n" + done.stdout).splitlines() if line.strip()]
    return f"{what} failed: {lines[0][:300] if lines else f'exit code {done.returncode}'}"


def check_this_machine(programs: Mapping[str, str]) -> None:
    """`Refused` unless a lab can run here: Linux, root, and every program, all missing ones named at once.

    `programs`: whole paths and their packages, beside those that every lab needs.
    """
    if os.uname().sysname != "Linux":
        message = "a lab needs network namespaces, which only Linux has"
        raise Refused(message, "run it on a Linux machine, or try `fabric sandbox up`")
    if os.geteuid() != 0:
        message = "a lab needs root: it makes network namespaces and starts daemons"
        raise Refused(message, "run the command as root, or try `fabric sandbox up`, which needs no root")
    packages = {package for path, package in programs.items() if not os.access(path, os.X_OK)}
    packages |= {package for name, package in PROGRAMS.items() if shutil.which(name, path=SYSTEM) is None}
    if packages:
        missing = sorted(
            [path for path in programs if not os.access(path, os.X_OK)]
            + [name for name in PROGRAMS if shutil.which(name, path=SYSTEM) is None]
        )
        message = f"missing for a lab: {', '.join(missing)}"
        raise Refused(message, _install(sorted(packages)))


def _install(packages: list[str]) -> str:
    return f"on Debian, as root: apt-get install {' '.join(packages)}"
