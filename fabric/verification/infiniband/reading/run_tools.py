"""Querying a running subnet with its own tools, on a host that is connected to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from fabric.devices.infiniband.model import Subnet
from fabric.diagnostics import Refused, ToolMissing
from fabric.verification.infiniband.check_partitions import ends_by_lid
from fabric.verification.infiniband.check_virtual_lanes import has_lanes, without_levels
from fabric.verification.infiniband.reading.evidence import Evidence, evidence_of

TIMEOUT_S = 600
PACKAGE = "install infiniband-diags, or give outputs of the tools with `--from DIR`"
MEMORY = Path("/dev/shm")  # noqa: S108  # folders with names that nobody can guess are made in it
"""Where Linux keeps files in memory."""


class Tools:
    """The programs of infiniband-diags. Keys reach them in a file that only we can read, not on the command line."""

    def __init__(self, folder: Path, config: Path | None, environment: Mapping[str, str]) -> None:
        """They run in `folder`."""
        self._folder, self._config, self._environment = folder, config, environment

    def run(self, program: str, *words: str) -> str:
        """What a program prints. `ToolMissing` without it, `Refused` if it fails without useful output."""
        path = shutil.which(program)
        if path is None:
            message = f"{program} is not installed: {PACKAGE}"
            raise ToolMissing(message)
        config = () if self._config is None else ("--config", str(self._config))
        try:
            done = subprocess.run(  # noqa: S603  # a tool of infiniband-diags with words of ours
                [str(Path(path).absolute()), *config, *words],
                cwd=self._folder,
                env={**os.environ, **self._environment},
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Refused(f"{program} did not end within {TIMEOUT_S} s", PACKAGE) from None
        if done.returncode and not done.stdout.strip():
            error_text = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
            raise Refused(
                f"{program}: {error_text[:300]}",
                "run it on a host of the subnet, with the right to use its HCA",
            )
        return done.stdout


@contextmanager
def tools(
    management_key: str = "", administration_key: str = "", *, environment: Mapping[str, str] | None = None
) -> Iterator[Tools]:
    """The tools, with the keys of the subnet in a configuration file of their own.

    `environment`: leads them to a simulated subnet; without it they ask that of this machine's adapters.

    They run in a folder of their own, in memory where there is one: keys reach no disk. Led to a simulated subnet,
    each run of a tool makes hundreds of files where it runs and removes them.
    """
    with tempfile.TemporaryDirectory(prefix="fabric-verify-", dir=in_memory()) as name:
        folder = Path(name).absolute()
        if not (management_key or administration_key):
            yield Tools(folder, None, environment or {})
            return
        config = folder / "ibdiag.conf"
        with os.fdopen(os.open(config, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            keys = (("m_key", management_key), ("sa_key", administration_key))
            file.writelines(f"{name}={value}\n" for name, value in keys if value)
        yield Tools(folder, config, environment or {})


def in_memory() -> Path | None:
    """Where files are kept in memory; None if this system has no such place for us."""
    return MEMORY if os.access(MEMORY, os.W_OK | os.X_OK) else None


def collect(subnet: Subnet, asked: Tools, managers: Iterable[int] = ()) -> Evidence:
    """Managers, topology, forwarding tables, P_Keys and, where classes have lanes, SL2VL and arbitration.

    `managers`: GUIDs of the ports on which managers shall run.
    """
    dump = "dump_fts" if shutil.which("dump_fts") else "dump_lfts"
    texts = {"ibnetdiscover": asked.run("ibnetdiscover"), dump: asked.run(dump)}
    texts["PKTR"], texts["IsSM"] = _records(asked, "PKTR"), _records(asked, "-s")
    if has_lanes(subnet):
        texts["SL2VL"], texts["VLAR"] = _records(asked, "SL2VL"), _records(asked, "VLAR")
    evidence = evidence_of(texts)
    texts["sminfo"] = "".join(_sminfo(subnet, evidence, asked, frozenset(managers)))
    more = {f"{query} {lid} {port}": text for query, lid, port, text in _one_by_one(subnet, evidence, asked)}
    return evidence_of({**texts, **more})


def _sminfo(subnet: Subnet, evidence: Evidence, asked: Tools, managers: frozenset[int]) -> Iterator[str]:
    """What each manager reports of itself: where one shall run, and where one is reported to run."""
    ends = ends_by_lid(subnet, evidence.discovered)
    lids = {lid for lid, end in ends.items() if end.port_guid in managers}
    listed = evidence.managers.listed if evidence.managers else None
    for lid in sorted(lids | (listed or set())):
        yield f"# sminfo lid {lid}\n"
        with suppress(Refused):  # that it does not answer is an answer
            yield asked.run("sminfo", str(lid))


def _records(asked: Tools, table: str) -> str:
    """Records of the subnet administration; nothing if it refuses."""
    try:
        return asked.run("saquery", table)
    except Refused:
        return ""


def _one_by_one(subnet: Subnet, evidence: Evidence, asked: Tools) -> Iterator[tuple[str, int, int, str]]:
    """What the records left out, queried from the ports themselves."""
    seen, tables = evidence.discovered, evidence.tables
    have: Sequence[tuple[str, set[int]]] = (("pkeys", {lid for lid, port in tables.pkeys if port}),)
    if has_lanes(subnet):
        levels, weights = {lid for lid, _, _ in tables.levels}, {lid for lid, _ in tables.weights}
        have = (*have, ("sl2vl", levels), ("vlarb", weights))
    for lid, end in sorted(ends_by_lid(subnet, seen).items()):
        for query, known in have:
            if lid not in known:
                text = asked.run("smpquery", query, str(lid), *([str(end.port)] if query == "pkeys" else []))
                head = f"# pkeys lid {lid} port {end.port}\n" if query == "pkeys" else ""
                yield query, lid, end.port, head + text
    if has_lanes(subnet):
        for lid, port in without_levels(subnet, tables, seen):
            yield "sl2vl", lid, port, asked.run("smpquery", "sl2vl", str(lid), str(port))
