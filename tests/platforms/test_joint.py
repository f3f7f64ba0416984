"""What the types of a platform's functions are held to, by `make types`: `joint.py` gives each of them to its field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from fabric.platforms.base import Late
from fabric.platforms.registry import ROWS, platform

JOINT = Path(__file__).parent / "joint.py"
HEAD = '''"""Each function that a platform names by a text, given to its field: the types must agree.

Written by `pytest --update-golden tests/platforms/test_joint.py`, read by `make types`, never run.
"""

from __future__ import annotations
'''


def late_ones(name: str) -> dict[str, str]:
    """The functions of a platform that are named by a text, by field."""
    found = ((field.name, getattr(platform(name), field.name)) for field in fields(platform(name)))
    return {field: value.target for field, value in found if isinstance(value, Late)}


def module() -> Iterator[str]:
    yield HEAD
    for name in sorted(ROWS):
        yield f"\n\ndef {name}() -> None:\n    from {ROWS[name].partition(':')[0]} import PLATFORM\n"
        for field, target in sorted(late_ones(name).items(), key=lambda one: one[1].partition(":")):
            yield f"    from {target.replace(':', ' import ')} as late_{field}\n"
        for field in late_ones(name):
            yield f"\n    _{field} = PLATFORM.{field}\n    _{field} = late_{field}\n"


def test_every_function_named_by_a_text_is_held_to_the_type_of_its_field(update_golden):
    text = "".join(module())
    if update_golden:
        JOINT.write_text(text)

    assert JOINT.read_text() == text


def test_every_platform_names_functions_so() -> None:
    assert all({"lower", "read", "dialect"} <= late_ones(name).keys() for name in ROWS)
