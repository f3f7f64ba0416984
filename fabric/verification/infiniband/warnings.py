"""What is wrong with the managers of subnets, told with a plan: as their own hosts see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fabric.devices.model import Device, SubnetManager
from fabric.diagnostics import Diagnostic, Severity, codes
from fabric.planning import Observation
from fabric.platforms.registry import platform
from fabric.verification.infiniband.answers import Answers, parse_managers
from fabric.verification.infiniband.finding import Finding
from fabric.verification.infiniband.managers import Managers, manager_findings, planned_managers


def manager_warnings(
    devices: Iterable[Device], observations: Mapping[str, Observation]
) -> tuple[Diagnostic, ...]:
    """Findings about the managers of every subnet whose hosts were asked: one a kind, as warnings."""
    subnets: dict[str, list[SubnetManager]] = {}
    for device in devices:
        if isinstance(device, SubnetManager):
            subnets.setdefault(device.network, []).append(device)
    return tuple(one for managers in subnets.values() for one in _warnings(managers, observations))


def _warnings(
    devices: Sequence[SubnetManager], observations: Mapping[str, Observation]
) -> Iterable[Diagnostic]:
    seen = {one.name: observations[one.name] for one in devices if one.name in observations}
    answers = Answers()
    for one in seen.values():
        answers = answers.joined(parse_managers(one.managers))
    shared = platform(devices[0].platform).shares_database
    planned = planned_managers(devices, shared=shared)
    fresh = {name for name, one in seen.items() if not one.text}  # nothing runs there yet, as it should be
    managers = Managers(devices[0].subnet, [one for one in planned if one.name not in fresh], answers)
    by_code: dict[str, list[Finding]] = {}
    for found in manager_findings(managers):
        by_code.setdefault(found.code, []).append(found)
    for number, alike in by_code.items():
        yield codes()[number].at(
            devices[0].origin,
            "; ".join(one.text for one in alike),
            severity=Severity.WARNING,
            hint=alike[0].hint,
            subjects=tuple(name for one in alike for name in one.subjects),
        )
