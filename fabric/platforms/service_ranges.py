"""The refusal of times and counts of management that a product does not take, the same for every product."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Code, Diagnostic, Origin

SERVICES = Origin(("services",))
MINUTE_MS = 60_000


def whole_minutes(switch: Switch, product: str, code: Code) -> Iterator[Diagnostic]:
    """A finding, if idle SSH sessions would be closed after another time than so many minutes."""
    time = switch.services.ssh.idle_timeout_ms
    if time % MINUTE_MS:
        rule = f"{product} counts the idle timeout in minutes, not {time}"
        hint = "write a whole number of minutes, as 30min"
        yield code.at(SERVICES.child("ssh", "idle_timeout"), rule, value=str(time), hint=hint)


def most_name_servers(switch: Switch, product: str, most: int, code: Code) -> Iterator[Diagnostic]:
    """A finding for more name servers than the product asks."""
    count = len(switch.services.management.dns)
    if count > most:
        rule = f"{product} asks at most {most} name servers, not {count}"
        place = SERVICES.child("management", "dns")
        yield code.at(place, rule, value=count, hint="leave the others out")


def most_ssh_keys(switch: Switch, rule: str, most: int, code: Code) -> Iterator[Diagnostic]:
    """A finding for each user with more SSH keys than the product holds; `rule` says so."""
    for name, user in switch.services.users.items():
        count = len(user.ssh_keys)
        if count > most:
            place, hint = SERVICES.child("users", name, "ssh_keys"), f"keep {most}, or add a second user"
            yield code.at(place, f"{rule}, {name} has {count}", value=count, hint=hint)
