"""Where a network has left what was applied last, and what the journal is to know of it."""

from __future__ import annotations

import msgspec

from fabric import deployment
from fabric.compiler import Compiled
from fabric.deployment import OnEvent, Workplace, ignore
from fabric.operations.apply_options import apply_options
from fabric.operations.observe import manager_findings, observe, ownership_of


def drift(
    compiled: Compiled, place: Workplace, on_event: OnEvent = ignore, *, record: bool = False
) -> deployment.Drift:
    """Where the network has left the last applied state.

    `record`: what runs is what the journal knows from now on. No device is changed.
    """
    journal, site = place.journal(), compiled.intent.site.site
    seen = observe(compiled, place, on_event=on_event)
    found = deployment.drift(
        seen,
        journal.last_applied(site, compiled.known_platform),
        compiled.platform_of,
        compiled.devices,
        ownership=ownership_of(compiled),
    )
    number = None
    if record:
        names = [one.device for one in found.drifted]
        with place.executor() as executor:
            number = deployment.refresh(
                site,
                found,
                seen,
                {name: compiled.platform_of(name) for name in names},
                targets=place.targets(compiled.intent.inventory, names),
                journal=journal,
                options=apply_options(compiled, place, (), None),
                executor=executor,
            )
    findings = (*seen.endings, *manager_findings(compiled, seen))
    return msgspec.structs.replace(found, findings=findings, recorded=number)
