"""How the record of a platform names its functions: by a text, or not at all, if they stand where they always do."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import MISSING, dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Late:
    """The function `package.module:name`, imported at its first call: port names must not wait for readers."""

    target: str

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function itself."""
        module, _, name = self.target.partition(":")
        function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return function

    def __call__(self, *arguments: Any) -> Any:
        """Import it and call it."""
        return self.function(*arguments)


def late(target: str) -> Callable[..., Any]:
    """`Late` of a field of `Platform`; `tests/platforms/joint.py` holds its type to that of the field."""
    return Late(target)


class Home(NamedTuple):
    """Where the function of a field stands if the record does not give it."""

    module: str
    """Of the platform's own package."""
    function: str
    now: bool = False
    """Imported with the record, not at the first call."""
    otherwise: Any = MISSING
    """What holds if there is no such module; without it, there must be one."""

    def of(self, package: str) -> Any:
        """The function in a package; `TypeError` if there is none and must be."""
        place = f"{package}.{self.module}"
        if package and find_spec(place):
            own = Late(f"{place}:{self.function}")
            return own.function if self.now else own
        if self.otherwise is MISSING:
            message = f"a platform needs `{self.function}`: in its record, or in {place}"
            raise TypeError(message)
        return self.otherwise


def home(module: str, function: str, *, now: bool = False, otherwise: Any = MISSING) -> Any:
    """`Home` of a field of `Platform`; `tests/platforms/joint.py` holds what is found to the type of the field."""
    return Home(module, function, now, otherwise)
