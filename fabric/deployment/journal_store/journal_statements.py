"""Statements that run once a device. They are built once: SQLAlchemy compiles a statement that it knows only once."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import msgspec

from fabric.deployment.journal_store.journal_tables import tables


class Statements(msgspec.Struct, frozen=True):
    """What is written of a device. Columns that are set are named by the parameters."""

    change_step: Any
    """Of `of_run` and `of_device`."""
    add_entry: Any
    forget_applied: Any
    """Of `of_site` and `of_device`."""
    add_applied: Any


@cache
def statements() -> Statements:
    """The same ones for every journal."""
    from sqlalchemy import bindparam  # slow

    steps, applied = tables().steps, tables().applied
    device: Any = bindparam("of_device")
    of_step = (steps.c.run == bindparam("of_run")) & (steps.c.device == device)
    of_applied = (applied.c.site == bindparam("of_site")) & (applied.c.device == device)
    return Statements(
        change_step=steps.update().where(of_step),
        add_entry=tables().entries.insert(),
        forget_applied=applied.delete().where(of_applied),
        add_applied=applied.insert(),
    )


@cache
def keep_text(dialect: str) -> Any:
    """Keep a text once, whoever else keeps it at the same moment."""
    insert = importlib.import_module(f"sqlalchemy.dialects.{dialect}").insert
    return insert(tables().texts).on_conflict_do_nothing()
