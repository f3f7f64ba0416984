"""What the types of a platform's functions are held to, by `make types`: `joint.py` gives each of them to its field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from fabric.platforms.base import Facts, Platform, Reading
from fabric.platforms.functions import Home, Late
from fabric.platforms.registry import ROWS, platform

JOINT = Path(__file__).parent / "joint.py"
HEAD = '''"""Each function that a platform names by a text, given to its field: the types must agree.

Written by `pytest --update-golden tests/platforms/test_joint.py`, read by `make types`, never run.
"""

from __future__ import annotations
'''


def named_functions(name: str) -> dict[str, str]:
    """The functions of a platform that its record names by a text, or leaves to be found, by field."""
    product = platform(name)
    functions = {}
    for field in fields(product):
        value, home = getattr(product, field.name), field.default
        if isinstance(value, Late):
            functions[field.name] = value.target
        elif isinstance(home, Home) and value is not home.otherwise:
            functions[field.name] = f"{product.package}.{home.module}:{home.function}"
    return functions


def module() -> Iterator[str]:
    yield HEAD
    for name in sorted(ROWS):
        yield f"\n\ndef {name}() -> None:\n    from {ROWS[name].partition(':')[0]} import PLATFORM\n"
        for field, target in sorted(named_functions(name).items(), key=lambda item: item[1].partition(":")):
            yield f"    from {target.replace(':', ' import ')} as late_{field}\n"
        for field in named_functions(name):
            yield f"\n    _{field} = PLATFORM.{field}\n    _{field} = late_{field}\n"


def test_every_function_named_by_a_text_is_held_to_the_type_of_its_field(update_golden):
    text = "".join(module())
    if update_golden:
        JOINT.write_text(text)

    assert JOINT.read_text() == text


def test_every_platform_names_functions_so() -> None:
    needed = {
        field.name for field in fields(Platform) if isinstance(field.default, Home) and field.default.now
    }

    assert {"capabilities", "port_name", "management_port"} == needed
    assert all({"port_name", "lower", "read", "dialect"} <= named_functions(name).keys() for name in ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_what_is_found_by_convention_is_there(name: str) -> None:
    for target in named_functions(name).values():
        assert callable(Late(target).function)


def test_a_platform_without_a_function_it_needs_is_refused_with_its_place() -> None:
    with pytest.raises(
        TypeError, match=r"needs `port_name`: in its record, or in fabric\.platforms\.host\.names"
    ):
        Platform(package="fabric.platforms.host", title="None", path="{name}")


def test_what_a_record_gives_itself_is_kept() -> None:
    def read(_text: str) -> Reading:
        return Reading(Facts())

    assert replace(platform(min(ROWS)), read=read).read is read
