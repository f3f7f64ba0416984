"""Whether a subnet is managed: one master that has swept it and that its ports know, and the others stand by.

Plain data in, words out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fabric.platforms.manager_state import ManagerState

States = Mapping[str, ManagerState]
"""The managers of one subnet, by name."""

ROLES: Mapping[str, str] = {
    "master": "is the master",
    "standby": "stands by",
    "discovering": "is discovering",
    "not active": "is not active",
    "silent": "does not answer",
}


def roles(states: States) -> tuple[str, ...]:
    """`sm-1 is the master (priority 14)`, one for each manager."""
    return tuple(_role(name, state) for name, state in states.items())


def _role(name: str, state: ManagerState) -> str:
    if state.role == "silent":
        return f"{name} {ROLES[state.role]}"
    swept = "" if state.role != "master" or state.swept else " and has not finished a sweep"
    return f"{name} {ROLES[state.role]}{swept} (priority {state.priority})"


def complaints(states: States, changed: Collection[str], before: States) -> tuple[str, ...]:
    """Why a subnet is not managed as planned. Empty: it is.

    `changed` are the managers with new files, which must answer; others may have been dead `before`. A master that
    nobody has planned is told by `fabric plan`, and no change of ours is held up by it.
    """
    return (*_silent(states, changed), *_about_masters(states, before), *_idle(states, changed, before))


def _silent(states: States, changed: Collection[str]) -> Iterator[str]:
    for name, state in states.items():
        if state.role == "silent" and (name in changed or len(states) == 1):
            yield f"{name} does not answer"


def _about_masters(states: States, before: States) -> Iterator[str]:
    masters = _masters(states)
    if not masters:
        if not _is_managed_by_a_stranger(states):
            yield f"no manager is the master: {', '.join(roles(states))}"
    elif len(masters) > 1:
        yield f"{' and '.join(masters)} are masters at once"
    else:
        yield from _about_master(masters[0], states, before)


def _about_master(name: str, states: States, before: States) -> Iterator[str]:
    master = states[name]
    if not master.swept:
        yield f"{name} is the master and has not finished a sweep"
    elif master.wrong:
        yield f"{name} is the master: {master.wrong}"
    if unaware := _unaware(states, name):
        yield f"{name} is the master, and has not announced it to the ports of {' and '.join(unaware)}"
    if (first := _passed_over(states)) and first != _passed_over(before):
        yield f"{name} is the master, and {first} stands by with a higher priority"


def _idle(states: States, changed: Collection[str], before: States) -> Iterator[str]:
    if not _masters(states) and not _is_managed_by_a_stranger(states):
        return  # all of them are told already
    for name, state in states.items():
        is_new = name in changed or name not in before or before[name].role != state.role
        if state.role in ("discovering", "not active") and is_new:
            yield f"{name} {ROLES[state.role]}"


def _masters(states: States) -> list[str]:
    return [name for name, state in states.items() if state.role == "master"]


def _passed_over(states: States) -> str:
    """Who stands by although it has a higher priority than the one master; empty: nobody."""
    masters = _masters(states)
    if len(masters) != 1:
        return ""
    waiting = [name for name in _by_priority(states) if states[name].role == "standby"]
    is_higher = bool(waiting) and states[waiting[0]].priority > states[masters[0]].priority
    return waiting[0] if is_higher else ""


def _is_managed_by_a_stranger(states: States) -> bool:
    """Whether the master that the hosts' ports know is not one of these."""
    own = {state.guid for state in states.values()}
    return any(state.master and state.master not in own for state in states.values())


def _unaware(states: States, master: str) -> list[str]:
    """Managers whose own port has another of ours as its master, or none that works.

    So it is when a second master has ended, and the first one has not swept since: whoever asks the subnet's
    administration asks the wrong one.
    """
    known, own = states[master].guid, {state.guid for state in states.values()} | {0}
    reachable = [name for name in _by_priority(states) if states[name].guid] if known else []
    return [name for name in reachable if states[name].master != known and states[name].master in own]


def _by_priority(states: States) -> list[str]:
    """Those that answer, the highest priority first."""
    reachable = [name for name, state in states.items() if state.role != "silent"]
    return sorted(reachable, key=lambda name: (-states[name].priority, name))


def stalled(states: States, changed: Collection[str], before: States) -> tuple[str, ...]:
    """Whom to end and start anew when nothing has moved for long, in the order in which they are to be started.

    Where one master works, those that do not stand by. Else all of them, the highest priority first: of two that talk
    to each other, a restart of one alone may leave the other one waiting for an answer that never comes. Seen were two
    that both stand by, two masters of which neither sweeps, one that discovers for ever, and one that goes on as the
    master after another one has told all ports that it is. What does not answer and was not changed may have been
    ended on purpose: it is left alone.
    """
    ours = [name for name in states if states[name].role != "silent" or name in changed]
    if is_managed(states):
        ours = [name for name in ours if states[name].role not in ("master", "standby")]
    known = {name: max(state.priority, _priority(before, name)) for name, state in states.items()}
    return tuple(sorted(ours, key=lambda name: (-known[name], name)))


def _priority(states: States, name: str) -> int:
    return states[name].priority if name in states else -1


def is_working(state: ManagerState | None) -> bool:
    """Whether a manager is the master and has swept."""
    return state is not None and state.role == "master" and state.swept


def is_managed(states: States) -> bool:
    """Whether one of them is the master as it should be, whatever the others do."""
    masters = _masters(states)
    if len(masters) != 1 or not is_working(states[masters[0]]):
        return False
    return not _unaware(states, masters[0]) and not _passed_over(states)
