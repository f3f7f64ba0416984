"""What Dell Enterprise SONiC does not support, beyond what its capabilities tell: place, rule and fix."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Diagnostic, Origin
from fabric.intent.model import Services
from fabric.platforms.dellsonic import codes
from fabric.platforms.dellsonic.lower_qos import CABLES_M, KBYTES, LOSSLESS
from fabric.platforms.dellsonic.names import TITLE
from fabric.platforms.needs.table import unsupported
from fabric.platforms.port_places import mtu_place
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing, WatchdogTimers

SERVICES = Origin(("services",))
LEAST_MTU = 1312
MOST_CURVE_KBYTES = 12_480
MOST_PIR_MBPS = 400_000
MOST_SEED = 0xFFFFFF
TIMERS_MS = {"detect": (100, 5000), "restore": (100, 60_000), "poll": (100, 3000)}
"""Sources: Ansible dellemc.enterprise_sonic 4.1 (`sonic_qos_interfaces`); public grammar (polling-interval)."""


def refusals(switch: Switch) -> Iterator[Diagnostic]:
    """One finding for each thing that is needed and cannot be said."""
    yield from _services(switch)
    yield from _numbers(switch)
    if switch.queueing is not None and switch.queueing.profiles:
        yield from _queueing(switch.queueing)


def _services(switch: Switch) -> Iterator[Diagnostic]:
    for origin, feature, fix in _not_shown(switch.services):
        yield unsupported(switch, TITLE, origin, f"{feature}: no source shows one", fix, about=feature)


def _not_shown(services: Services) -> Iterator[tuple[Origin, str, str]]:
    if services.management.domain:
        yield SERVICES.child("management", "domain"), "no domain name", "leave `domain` out"
    if services.banner:
        yield SERVICES.child("banner"), "no banner", "leave `banner` out"
    for name, user in services.users.items():
        if user.ssh_keys:
            fix = "give the user a password, or put the key on the switch by hand"
            yield SERVICES.child("users", name, "ssh_keys"), "no SSH key of a user", fix


def _range(place: Origin, what: str, value: object, most: object, fix: str) -> Diagnostic:
    return codes.RANGE.at(place, f"{TITLE} takes {what} of {most}, not {value}", value=str(value), hint=fix)


def _numbers(switch: Switch) -> Iterator[Diagnostic]:
    for port in switch.ports:
        if port.role is not LinkRole.UNUSED and port.ip_mtu_bytes < LEAST_MTU:
            place, mtu = mtu_place(switch, port), port.ip_mtu_bytes
            yield _range(place, "an MTU", mtu, f"{LEAST_MTU} to 9216", f"write {LEAST_MTU} or more")
            break
    seed = switch.routing.hash_seed
    if seed is not None and seed > MOST_SEED:
        place = Origin(("networks", switch.network, "routing", "hashing", "seed"))
        yield _range(place, "a hash seed", seed, f"0 to {MOST_SEED}", "use `seed: per_tier`")


def _queueing(queueing: Queueing) -> Iterator[Diagnostic]:
    place = Origin((), f"policy:{queueing.policy}")
    for service_class in queueing.profiles[0].classes:
        if service_class.priority is not None and (
            service_class.priority not in LOSSLESS or service_class.queue != service_class.priority
        ):
            text = f"{TITLE} has lossless buffers for priority and queue 3, or both 4; class {service_class.name} "
            text += f"has priority {service_class.priority} in queue {service_class.queue}"
            yield codes.LOSSLESS.at(
                place.child("classes", service_class.name, "priority"), text, hint=codes.LOSSLESS.fix
            )
    for kind in queueing.profiles:
        yield from _kind(place, kind)
    if queueing.watchdog is not None:
        yield from _watchdog(place.child("watchdog"), queueing.watchdog)


def _kind(place: Origin, kind: PortQueueing) -> Iterator[Diagnostic]:
    if kind.priorities and kind.cable_m > CABLES_M[-1]:
        fix = "use shorter cables, a lossy class, or another platform for the tier"
        yield _range(place, "a cable", f"{kind.cable_m}m", f"at most {CABLES_M[-1]}m", fix)
    for service_class in kind.classes:
        yield from _class(place.child("classes", service_class.name), service_class, kind)


def _class(place: Origin, service_class: ClassQueueing, kind: PortQueueing) -> Iterator[Diagnostic]:
    if service_class.ecn is not None and service_class.ecn.in_units(KBYTES)[1] > MOST_CURVE_KBYTES:
        most = MOST_CURVE_KBYTES * KBYTES
        yield _range(
            place.child("ecn"),
            "a threshold",
            f"{service_class.ecn.kmax_bytes}B",
            f"at most {most}B",
            "lower `kmax`",
        )
    rate = service_class.max_rate_mbps(kind.speed_mbps)
    if rate is not None and rate > MOST_PIR_MBPS:
        most_rate = f"at most {MOST_PIR_MBPS // 1000}G"
        yield _range(place.child("max_rate"), "a rate", f"{rate // 1000}G", most_rate, "lower `max_rate`")


def _watchdog(place: Origin, timers: WatchdogTimers) -> Iterator[Diagnostic]:
    values = {"detect": timers.detect_ms, "restore": timers.restore_ms, "poll": timers.poll_ms}
    for key, value in values.items():
        least, most = TIMERS_MS[key]
        if not least <= value <= most:
            nearest = max(least, min(value, most))
            bounds = f"{least}ms to {most}ms"
            yield _range(place.child(key), f"a {key} time", f"{value}ms", bounds, f"write {nearest}ms")
