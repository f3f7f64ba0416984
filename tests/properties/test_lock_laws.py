"""A lock that was damaged, in any one value: it is refused by name, or nothing is different."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import yaml

from fabric.cli.write_lock_file import lock_text
from fabric.diagnostics import Invalid
from fabric.documents import InvalidDocument
from fabric.intent.load import load_text
from fabric.topology.expand import expand
from tests.hypothesis_profiles import one_of
from tests.properties.test_growth_laws import facts

ROUTED = """
site: lab
units: 2
hosts:
  gpu: {per_unit: 4, spare_per_unit: 1, nics: {compute: {count: 2, speed: 400G}, storage: {count: 1, speed: 400G}}}
  cpu: {per_unit: 2, nics: {storage: {count: 1, speed: 400G}}}
networks:
  compute:
    pods: {units: 1}
    tiers:
      leaf: {model: nvidia-sn5600, reserved_ports: 2, max_oversubscription: "9:1"}
      spine: {model: nvidia-sn5600}
      superspine: {model: nvidia-sn5600}
  storage:
    tiers:
      leaf: {model: nvidia-sn5600, max_oversubscription: "9:1"}
      spine: {model: nvidia-sn5600}
attachments:
  filer: {network: compute, kind: storage, links: 2, speed: 400G}
  wan: {network: compute, kind: router, links: 1, speed: 400G}
"""
SUBNET = """
site: lab
units: auto
hosts: {gpu: {per_unit: auto, total: 16, nics: {compute: {count: 2, speed: 400G}}}}
networks:
  compute:
    technology: infiniband
    tiers: {leaf: {model: qm9700, reserved_ports: 3, max_oversubscription: "9:1"}, spine: {model: qm9700}}
attachments:
  filer: {network: compute, kind: storage, links: 2, speed: 400G}
  ufm: {network: compute, kind: subnet_manager, links: 1, speed: 400G}
"""
TORUS = """
site: lab
units: 9
hosts: {gpu: {per_unit: 2, nics: {compute: {count: 1, speed: 400G}}}}
networks:
  compute:
    technology: infiniband
    rails: none
    layout: {kind: torus, dimensions: [3, 3], links: 2}
    tiers: {leaf: {model: qm9700}}
"""
SITES = {"routed": ROUTED, "subnet": SUBNET, "torus": TORUS}
HISTORY = frozenset({"asn_bases", "attachments", "attachment_slots", "attachment_slots_end", "pools"})
"""What the first day decided, and nothing but the lock knows: there the digest alone tells a slip."""
MANY = 70_000
"""More than 16 bits hold, and than a switch has ports. A million host slots are laid out before they are refused."""
Path = tuple[Any, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value of a lock that holds no others, with its path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def slips(value: Any) -> list[Any]:
    """Other values in place of one."""
    number = isinstance(value, int) and not isinstance(value, bool)
    numbers = [value - 1, value + 1, value * 1000] if number else []
    others = [0, True, False, None, "x", "", [], {}, 1.5, MANY, 99_999_999, 10**30, *numbers]
    return [other for other in others if (type(other), other) != (type(value), value)]


def damaged(content: dict[str, Any], every: int) -> Iterator[tuple[Path, Any, dict[str, Any]]]:
    """The lock with each of its values wrong in one of so many ways by turns, one at a time."""
    for turn, (path, value) in enumerate(leaves(content)):
        for slip in slips(value)[turn % every :: every]:
            changed = deepcopy(content)
            target: Any = changed
            for step in path[:-1]:
                target = target[step]
            target[path[-1]] = slip
            yield path, slip, changed


def outcome(site: str, lock: dict[str, Any]) -> tuple[Any, list[Any]]:
    """What the site is with a lock, or the errors."""
    try:
        topology = expand(
            load_text({"site.yaml": site, "fabric.lock": yaml.dump(lock, Dumper=yaml.CSafeDumper)})
        )
    except (Invalid, InvalidDocument) as invalid:
        return None, [finding for finding in invalid.diagnostics if finding.is_error]
    return facts(topology), []


def is_in_the_lock(finding: Any) -> bool:
    return bool(finding.origin.document.partition("@")[0] == "lock")


def names_the_lock(finding: Any) -> bool:
    return is_in_the_lock(finding) or "fabric.lock" in f"{finding.rule} {finding.hint}"


@pytest.fixture(params=SITES)
def site(request: pytest.FixtureRequest) -> str:
    return SITES[request.param]


@pytest.fixture
def content(site: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(lock_text(expand(load_text({"site.yaml": site})).lock))
    return found


@pytest.mark.covering
def test_every_slip_in_a_lock_is_refused_at_its_place(site: str, content: dict[str, Any]) -> None:
    # By the digest, whatever the slip: each kind of slip meets fewer of the values than below, without it.
    for path, slip, lock in damaged(content, 3 * one_of()):
        _, errors = outcome(site, lock)

        if path == ("digest",) and slip is None:  # that is how a change by hand is approved
            assert not errors
        else:
            assert errors, (path, slip)
            assert all(map(is_in_the_lock, errors)), (path, slip)


@pytest.mark.covering
def test_a_slip_in_a_lock_without_a_digest_is_refused_or_changes_nothing(
    site: str, content: dict[str, Any]
) -> None:
    del content["digest"]
    right, errors = outcome(site, content)
    assert not errors
    for path, slip, lock in damaged(content, one_of()):
        found, errors = outcome(site, lock)

        if errors:
            assert any(map(names_the_lock, errors)), (path, slip, errors)
        elif not HISTORY & set(path):
            assert found == right, (path, slip)
