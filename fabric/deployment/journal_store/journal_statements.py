"""Statements that run for each device. They are built once: SQLAlchemy compiles a statement that it knows only once."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import msgspec

from fabric.deployment.journal_store.journal_tables import tables


class Statements(msgspec.Struct, frozen=True):
    """What is written of a device, and what is asked before. Columns that are set are named by the parameters."""

    change_step: Any
    """Of `of_run` and `of_device`."""
    add_entry: Any
    forget_applied: Any
    """Of `of_site` and `of_device`."""
    add_applied: Any
    held_lock: Any
    """Of `of_token`; nobody else takes it away, where the database has locks of rows, until the transaction ends."""


@cache
def statements() -> Statements:
    """The same ones for every journal."""
    from sqlalchemy import bindparam  # slow

    steps, applied, locks = tables().steps, tables().applied, tables().locks
    of_token = locks.c.token == bindparam("of_token")
    device: Any = bindparam("of_device")
    of_step = (steps.c.run == bindparam("of_run")) & (steps.c.device == device)
    of_applied = (applied.c.site == bindparam("of_site")) & (applied.c.device == device)
    return Statements(
        change_step=steps.update().where(of_step),
        add_entry=tables().entries.insert(),
        forget_applied=applied.delete().where(of_applied),
        add_applied=applied.insert(),
        held_lock=locks.select().with_only_columns(locks.c.token).where(of_token).with_for_update(),
    )


@cache
def keep_text(dialect: str) -> Any:
    """Keep a text once, whoever else keeps it at the same moment."""
    insert = importlib.import_module(f"sqlalchemy.dialects.{dialect}").insert
    return insert(tables().texts).on_conflict_do_nothing()
