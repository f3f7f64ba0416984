"""NAPALM without the drivers of its other products: importing it imports all of them, which takes seconds.

While `napalm` is imported, each module beside its base is an empty one; afterwards it is forgotten, and imported in
earnest by whoever names it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from threading import Lock, get_ident
from types import ModuleType

NAPALM = "napalm"
NEEDED = (f"{NAPALM}.base", f"{NAPALM}._SUPPORTED_DRIVERS")
"""What the package itself takes names from."""

_LOCK = Lock()


class _Empty:
    """Finds and loads an empty module for each driver that is imported by one thread; a finder and a loader."""

    def __init__(self) -> None:
        self._thread = get_ident()
        self.made: list[str] = []

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: object = None) -> ModuleSpec | None:
        parent, _, _own = name.rpartition(".")
        if parent != NAPALM or name in NEEDED or get_ident() != self._thread:
            return None
        return ModuleSpec(name, self)  # type: ignore[arg-type]  # a loader by its two methods

    def create_module(self, _spec: ModuleSpec) -> None:
        """The usual one."""

    def exec_module(self, module: ModuleType) -> None:
        self.made.append(module.__name__)


def import_napalm() -> None:
    """Import `napalm`, unless it is imported, and none of its drivers. To be called before a driver is imported."""
    with _LOCK:  # whoever comes second must not see the empty modules
        if NAPALM in sys.modules:
            return
        empty = _Empty()
        sys.meta_path.insert(0, empty)
        try:
            package = importlib.import_module(NAPALM)
        finally:
            sys.meta_path.remove(empty)
            for name in empty.made:
                del sys.modules[name]
        for name in empty.made:
            delattr(package, name.rpartition(".")[2])
