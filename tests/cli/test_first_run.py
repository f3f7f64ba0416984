"""Who follows what is printed gets from nothing to a changed network: each printed command works as it stands."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.ports import free_port

COMMAND = re.compile(r"`fabric ([^`]+)`")
OK, CHANGES = 0, 2


@pytest.fixture
def followed(fabric, tmp_path, monkeypatch):
    """Run a command line and give the commands that it proposes, in order."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FABRIC_PASSWORD", raising=False)

    def run(words, *more):
        ran = fabric(*shlex.split(words), *more)
        assert ran.code in (OK, CHANGES), f"fabric {words}: {ran.out}{ran.err}"
        return COMMAND.findall("\n".join(line for line in ran.err.splitlines() if "explain" not in line))

    return run


def test_the_commands_that_are_printed_lead_to_a_network_that_matches(followed, fabric):
    validate, show = followed("init lab-8 'my site'")
    followed(validate)
    followed(show)
    up, plan = followed("compile -C 'my site'")
    try:
        [again] = followed(up, "--port", free_port())
        assert plan == again

        [apply] = followed(plan)
        [look] = followed(apply, "--yes")

        assert followed(plan) == []
        assert "--allow 'lockout:" in apply
        assert shlex.split(look)[:2] == ["rollback", "1"]
        assert {"--dry-run", "--sandbox"} <= set(shlex.split(look))
        [rollback] = followed(look)
        assert all(f"--allow '{impact}:" in rollback for impact in ("isolating", "lockout"))
        assert followed(rollback, "--yes") == [look.replace("1", "2", 1)]
    finally:
        fabric("-q", "sandbox", "down", "-C", "my site")


def test_where_the_devices_can_be_reached_the_plan_is_next(followed, monkeypatch):
    followed("init lab-8 other")
    monkeypatch.setenv("FABRIC_PASSWORD", "secret")

    assert followed("compile -C other") == ["plan -C other"]
