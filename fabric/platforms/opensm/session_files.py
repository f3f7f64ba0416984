"""OpenSM's files on a host: read, with the paths of the product's own folder, and sent with what a commit needs."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Mapping

import msgspec

from fabric.platforms.opensm.names import FILES, FOLDER, LID_FILE
from fabric.platforms.opensm.session_asking import PORTS_PER_S, STALL_S
from fabric.platforms.opensm.session_host import Host, Places, unpacked
from fabric.platforms.opensm.session_script import ALWAYS, ASKED, FATAL, SCRIPT
from fabric.platforms.opensm.session_text import config_of, port_of

KEPT = 20
"""So many old states stay on the host."""
READ = 'cd "$1" 2>/dev/null || exit 0; shift; set -- $(ls -d "$@" 2>/dev/null); [ $# = 0 ] || tar -cf - "$@"'


def read_files(host: Host, places: Places) -> dict[str, str]:
    """What stands in the folder, in our order, with the paths of the product's own folder."""
    files = read_folder(host, places, places.folder)
    return {name: files[name] for name in FILES if name in files}


def read_folder(host: Host, places: Places, folder: str) -> dict[str, str]:
    """The same files in any folder of the host; those that are there."""
    files = unpacked(host.run(READ, folder, *FILES))
    return {name: with_paths_of(name, text, places.folder, FOLDER) for name, text in files.items()}


def files_to_send(files: Mapping[str, str], places: Places, mode: str, patience_s: int) -> dict[str, str]:
    """The new files, with the paths of this host, their checksums, and the script that puts them in their places."""
    moved = {name: with_paths_of(name, text, FOLDER, places.folder) for name, text in files.items()}
    sums = "".join(f"{hashlib.sha256(text.encode()).hexdigest()}  {n}\n" for n, text in moved.items())
    config = config_of(files)
    guid = port_of(config)
    values = {
        **msgspec.structs.asdict(places),
        "log": places.log.replace("{guid}", guid),
        "guid": guid,
        "mode": mode,
        "names": " ".join(FILES),
        "lids": LID_FILE,
        "always": "|".join(ALWAYS),
        "fatal": "|".join(FATAL),
        "asked": ASKED,
        "patience": str(patience_s),
        "stall": str(STALL_S + len(config.lids) // PORTS_PER_S),
        "kept": str(KEPT),
    }
    settings = "".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items())
    new = {f"new/{name}": text for name, text in moved.items()}
    return {"control": SCRIPT, "settings": settings, "sums": sums, **new}


def with_paths_of(name: str, text: str, old: str, new: str) -> str:
    """The paths in opensm.conf, from one folder to another."""
    if name != "opensm.conf" or old == new:
        return text
    return re.sub(rf"(?m)^(\S+ ){re.escape(old)}/", lambda match: f"{match[1]}{new}/", text)
