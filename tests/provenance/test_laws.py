"""The laws of provenance, on a sample of every product's sites.

Soundness: a line that another value of the intent changes names that value among its causes or conditions.
Completeness: a value that a line is said to stem from changes it, for some other value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from fabric.compiler import Compiled
from fabric.diagnostics import Invalid
from fabric.provenance import Cause, printed, why
from fabric.provenance.change_value import Changed, changed_sites
from fabric.provenance.config_lines import Files
from fabric.provenance.model import IntentValue, Line
from fabric.provenance.places import Value, values_of_site
from tests import hypothesis_profiles
from tests.provenance.sites import golden, lab

SITES = (
    "border-router",
    "cumulus-spectrum-x",
    "dual-tor-lacp",
    "every-service",
    "frr-lossless-unnumbered",
    "host-mixed",
    "infiniband-two-tenants",
    "junos-lossless-rails",
    "night-shift",
    "nxos-unnumbered-flowlets",
    "overrides-and-extra-lines",
    "sonic-three-routing-modes",
    "srlinux-every-service",
    "ufm-two-tenants",
)
SAMPLE = 60 if hypothesis_profiles.chosen() == "thorough" else 3
"""Values of each site, always the same ones: `make thorough` looks at nearly all."""
LINES = 1
OTHER_VALUES = 4


def texts(compiled: Compiled, device: str) -> dict[str, str]:
    if device in compiled.devices:
        return dict(compiled.artifacts[device].files)
    artifact = compiled.host_artifacts[device]
    return {artifact.path(file): file.text for file in artifact.files}


def is_there(compiled: Compiled, device: str) -> bool:
    return device in compiled.devices or device in compiled.host_artifacts


def changed_lines(base: Compiled, changed: Compiled, device: str) -> list[Line]:
    """Lines of a device that it has no more."""
    left = Counter((line.file, line.above, line.text) for line in Files(texts(changed, device)).lines)
    gone = []
    for line in Files(texts(base, device)).lines:
        key = (line.file, line.above, line.text)
        if left[key]:
            left[key] -= 1
        else:
            gone.append(line)
    return gone


def names(cause: Cause, common: tuple[IntentValue, ...], value: Value) -> bool:
    """Whether a cause names a value, or a list that it is an item of."""
    named = [v for fact in cause.facts for v in (*fact.values, *fact.conditions)]
    return any(
        v.document == value.document and value.path[: len(v.path)] == v.path for v in (*named, *common)
    )


def examples(compiled: Compiled) -> list[str]:
    """A device of each role, and a host."""
    by_role = {device.role: name for name, device in reversed(list(compiled.devices.items()))}
    return [*by_role.values(), *islice(compiled.host_artifacts, 1)]


def valid(compiled: Compiled, value: Value) -> Iterator[Changed]:
    for changed in islice(changed_sites(compiled, value), OTHER_VALUES):
        try:
            changed.compiled.artifacts.check()
        except Invalid:
            continue
        if changed.base is compiled:
            yield changed


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("name", SITES)
def test_a_line_names_every_value_that_changes_it(name):
    compiled, chosen = golden(name), Random(name)  # noqa: S311  # a sample
    values = [value for value in values_of_site(compiled) if value.document not in ("lock", "hardware")]
    unnamed = []
    for value in chosen.sample(values, min(SAMPLE, len(values))):
        changed = next(valid(compiled, value), None)
        for device in examples(compiled) if changed else ():
            if not is_there(changed.compiled, device):
                continue
            lines = changed_lines(compiled, changed.compiled, device)
            common = printed(compiled, device)
            for line in chosen.sample(lines, min(LINES, len(lines))):
                (cause,) = why(compiled, device, [line])
                if not names(cause, (*common.values, *common.conditions), value):
                    unnamed.append((value, device, line))

    assert unnamed == []


def test_a_value_that_is_not_named_would_be_found():
    site = lab()
    value = Value("intent", ("services", "ntp", "servers", 0))
    changed = next(valid(site, value))
    line = next(
        line for line in changed_lines(site, changed.compiled, "leaf-0-0-0") if "ntp server" in line.text
    )
    (cause,) = why(site, "leaf-0-0-0", [line])

    assert names(cause, (), value)
    assert not names(cause, (), Value("intent", ("services", "syslog", "level")))


@pytest.mark.parametrize("device", ["leaf-0-0-0", "spine-0-0"])
def test_a_value_that_a_line_stems_from_changes_it(device):
    site, chosen = lab(), Random(device)  # noqa: S311  # a sample
    lines = Files(texts(site, device)).lines
    some = chosen.sample(lines, 2 * SAMPLE)
    idle, tried = [], 0
    for cause in why(site, device, some):
        own = [fact for fact in cause.facts if not fact.of_section]
        for stem in {(v.document, v.path): v for fact in own for v in fact.values}.values():
            others = list(valid(site, Value(stem.document, stem.path)))
            tried += bool(others)
            if others and not any(
                cause.line in changed_lines(site, each.compiled, device) for each in others
            ):
                idle.append((cause.line, stem))

    assert tried
    assert idle == []
