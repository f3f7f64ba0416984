"""Kubernetes' own checks and Kueue's definitions, with the rules in them, accept what is exported.

The program in `kubernetes/` has both from Go modules. An API server checks labels, names, fields and rules by the same
code; nothing is scheduled here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.exports.large import LARGE
from tests.exports.sites import SAMPLE, ethernet, exported, of_reference
from tests.exports.test_placement import RACKS
from tests.programs import ANY, found, needed, run

pytestmark = LARGE
SOURCE = Path(__file__).parent / "kubernetes"
OLDEST = (1, 25)
"""Of Go, by `go.mod`."""
DEFINITIONS = Path("config", "components", "crd", "bases")
FILES = {"kueue": "topology.yaml", "k8s-labels": "node-labels.yaml"}
ENVIRONMENT = {**os.environ, "GOFLAGS": "-mod=readonly"}


def release() -> tuple[int, ...]:
    """Of the Go that is installed; empty without one, or if it cannot read `go.mod`."""
    if found("go") is None:
        return ()
    done = run("go", "env", "GOVERSION", cwd=SOURCE, env=ENVIRONMENT, exits=ANY)
    numbers = re.match(r"go(\d+)\.(\d+)", done.stdout)
    return tuple(map(int, numbers.groups())) if numbers else ()


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What the checks say of a text: nothing, if it is accepted whole."""
    if release() < OLDEST:
        needed(
            f"Go {OLDEST[0]}.{OLDEST[1]}", "Debian 12 has an older one, and `tools/live` does not install it"
        )
    program = tmp_path_factory.mktemp("built") / "kubernetes"
    run("go", "build", "-o", program, ".", cwd=SOURCE, env=ENVIRONMENT, limit_s=3600)
    listed = run("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kueue", cwd=SOURCE, env=ENVIRONMENT)
    definitions = Path(listed.stdout.strip()) / DEFINITIONS

    def judge(text: str) -> list[str]:
        done = run(program, definitions, input=text, exits=(0, 1))
        assert done.returncode or int(done.stdout) == text.count("---\n"), done.stdout
        return done.stdout.splitlines() if done.returncode else []

    return judge


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.parametrize("kind", FILES)
def test_every_document_is_accepted(name, kind, complaints):
    assert [] == complaints(of_reference(name, kind)[FILES[kind]])


def test_a_level_for_scale_up_domains_is_accepted(complaints):
    for file in exported(ethernet(RACKS), FILES).files:
        assert [] == complaints(file.text)


@pytest.mark.parametrize(
    ("kind", "planted", "complaint"),
    [
        ("kueue", ("run/tier-1\n", "run/tier-0\n"), "spec.levels: Invalid value: must be unique"),
        (
            "kueue",
            ("kubernetes.io/hostname\n", "kubernetes.io/hostname\n  - nodeLabel: gpu\n"),
            "at the lowest level",
        ),
        ("kueue", ("    fabric.topograph.run/tier-1: spines\n", "    {}\n"), "at least one nodeLabel"),
        ("kueue", ("topologyName", "topology"), 'unknown field "spec.topology"'),
        ("kueue", ("v1beta2", "v1beta9"), "no kind"),
        ("k8s-labels", ("tier-0: unit-0", "tier-0: unit 0"), "a valid label must be"),
        ("k8s-labels", ("name: gpu-0-0", "name: GPU-0-0"), "lowercase RFC 1123 subdomain"),
    ],
)
def test_what_is_wrong_is_refused(kind, planted, complaint, complaints):
    text = of_reference("lab-8", kind)[FILES[kind]]
    assert planted[0] in text

    assert any(complaint in line for line in complaints(text.replace(*planted)))
