"""Names of a package that are imported when first used, so that a command loads no more than it needs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def late_names(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module (PEP 562) that imports each name of `homes` from the module that it is mapped to.

    Checkers of types do not see the table: they read the same names in a stub or below `if TYPE_CHECKING`.
    """

    def import_name(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            message = f"module {module!r} has no attribute {name!r}"
            raise AttributeError(message)
        return getattr(importlib.import_module(home), name)

    return import_name
