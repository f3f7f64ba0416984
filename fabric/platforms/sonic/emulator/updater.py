"""What SONiC's generic config updater refuses, and what a reload does.

Sources: sonic-utilities generic_config_updater of 202511: gu_common.py (validate_field_operation, validate_lanes,
get_empty_tables), field_operation_validators.py, patch_sorter.py, gcu_field_operation_validators.conf.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from fabric.platforms.sonic.agent.tables import Tables
from fabric.platforms.sonic.emulator.judge import judged, without_models

MOST_MOVES = 980
"""Each move of the sorter is a frame of Python's stack."""
NEVER_REMOVED = ("PFC_WD GLOBAL", "PFC_WD GLOBAL POLL_INTERVAL", "LOOPBACK_INTERFACE Loopback0")
TUNABLE = ("dynamic_th", "xoff", "packet_discard_action")
"""Fields of a buffer profile that may be replaced; whole rows may come and go."""
WATCHED = ("restoration_time", "detection_time", "action", "POLL_INTERVAL")
VALIDATED = "generic_config_updater.field_operation_validators"


class Move(NamedTuple):
    """One element of a patch."""

    operation: str
    path: tuple[str, ...]
    value: Any = None


def patch(old: Tables, new: Tables) -> list[Move]:
    """What leads from one to the other: whole tables and rows where they are new or gone."""
    return list(_moves(old, new, ()))


def _moves(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[Move]:
    for name in sorted(old.keys() | new.keys()):
        here = (*path, name)
        if name not in new:
            yield Move("remove", here)
        elif name not in old:
            yield Move("add", here, new[name])
        elif isinstance(old[name], dict) and isinstance(new[name], dict):
            yield from _moves(old[name], new[name], here)
        elif old[name] != new[name]:
            yield Move("replace", here, new[name])


def refusal(old: Tables, new: Tables) -> str:
    """Why the updater does not take a change, in its words; empty if it does."""
    moves = patch(old, new)
    for move in moves:
        if problem := _operation(move):
            return problem
    if empty := [table for table, rows in new.items() if not rows]:
        return f"given patch is not valid because it will result in empty tables: {', '.join(empty)}"
    if unmodelled := sorted({move.path[0] for move in moves} & without_models(old, new)):
        return f"Given patch is not valid because it has changes to tables without YANG models: {unmodelled}"
    if moves and (problem := next(iter(judged(new)), "")):
        return f"Given patch will produce invalid config. Error: {problem}"
    if len(moves) > MOST_MOVES:
        return "maximum recursion depth exceeded while calling a Python object"
    return ""


def _operation(move: Move) -> str:
    place, table = " ".join(move.path), move.path[0]
    if move.operation == "remove" and place in NEVER_REMOVED:
        pointer = "/" + "/".join(move.path)
        return f"Given patch operation is invalid. Operation: remove is illegal on field: {pointer}"
    is_illegal = (
        table == "BUFFER_POOL"
        or (
            table == "BUFFER_PROFILE"
            and len(move.path) > len(("table", "row"))
            and (move.operation != "replace" or move.path[-1] not in TUNABLE)
        )
        or (table == "PFC_WD" and not _is_watched(move))
    )
    if is_illegal:
        name = f"{VALIDATED}.rdma_config_update_validator"
        return f"Modification of {table} table is illegal- validating function {name} returned False"
    return ""


def _is_watched(move: Move) -> bool:
    names = move.value if isinstance(move.value, dict) else move.path[2:]
    return all(isinstance(row, dict) or name in WATCHED for name, row in _pairs(names))


def _pairs(names: Any) -> Iterator[tuple[str, Any]]:
    for name in names:
        yield name, names[name] if isinstance(names, dict) else None
