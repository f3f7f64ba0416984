"""The real slurmctld on loopback, with the nodes of a site and one of our topologies. Ended by its process."""

from __future__ import annotations

import getpass
import os
import re
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from tests.ports import free_port
from tests.programs import LIMIT_S, SEARCHED, needed_programs, path_of, run, start

TIED = ("setpriv", "--pdeathsig", "TERM")
"""Ends it when the test process goes, however it goes."""

CONF = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser={user}
SlurmctldPort={port}
SlurmdPort={other}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}
SlurmctldPidFile={folder}/pid
SlurmdSpoolDir={folder}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
TopologyPlugin=topology/tree
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def need_slurm() -> None:
    """Skip, by name, where Slurm is missing."""
    needed_programs("slurmctld", "scontrol", "setpriv")


class Slurmctld:
    """A running controller."""

    def __init__(self, folder: Path, nodes: Iterable[str], topology: str) -> None:
        self.folder = folder
        lines = "\n".join(f"NodeName={node} CPUs=1 NodeAddr=127.0.0.1" for node in nodes)
        text = CONF.format(
            user=getpass.getuser(), port=free_port(), other=free_port(), folder=folder, nodes=lines
        )
        (folder / "slurm.conf").write_text(text)
        (folder / "topology.conf").write_text(topology)

    def __enter__(self) -> Self:
        with (self.folder / "log").open("w") as log:
            self.process = start(
                *(*TIED, path_of("slurmctld"), "-D", "-f", self.folder / "slurm.conf"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PATH": SEARCHED},
                cwd=self.folder,
            )
        end = time.monotonic() + LIMIT_S
        while "Running as primary controller" not in self.log and self.process.poll() is None:
            if time.monotonic() > end:
                self.__exit__()
                raise TimeoutError(self.log)
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(5)

    @property
    def log(self) -> str:
        """What it says."""
        return (self.folder / "log").read_text(errors="replace")

    @property
    def complaints(self) -> list[str]:
        """What it does not like about the topology."""
        words = re.compile(r"fatal|switch|leaf|TOPOLOGY", re.IGNORECASE)
        return [line for line in self.log.splitlines() if words.search(line) and "state" not in line]

    def scontrol(self, *words: str) -> str:
        """What an operator sees."""
        place = {"PATH": SEARCHED, "SLURM_CONF": str(self.folder / "slurm.conf")}
        return run("scontrol", *words, env={**os.environ, **place}).stdout

    def topology(self) -> dict[str, tuple[int, frozenset[str]]]:
        """Level and all nodes below, of every switch."""
        seen = re.findall(
            r"SwitchName=(\S+) Level=(\d+) LinkSpeed=\d+ Nodes=(\S+)", self.scontrol("show", "topology")
        )
        return {name: (int(level), frozenset(self.expanded(nodes))) for name, level, nodes in seen}

    def expanded(self, hostlist: str) -> list[str]:
        """A hostlist as Slurm reads it."""
        return self.scontrol("show", "hostnames", hostlist).split()
