"""Writes what is made from the model: `python -m fabric.intent.generate` after every change of it."""

from __future__ import annotations

from pathlib import Path

from fabric.intent.reference_page import reference
from fabric.intent.schema_files import schema_files

ROOT = Path(__file__).resolve().parents[2]


def generated() -> dict[str, str]:
    """Every generated file by its path in the checkout."""
    files = {f"schemas/{name}": text for name, text in schema_files().items()}
    return files | {"docs/intent.md": reference()}


def write(root: Path = ROOT) -> None:
    """Write them."""
    for name, text in generated().items():
        (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
