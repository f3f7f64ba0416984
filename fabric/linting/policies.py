"""Lossless policies as rules meet them, and the policy that their examples change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.diagnostics import Origin
from fabric.intent.load import POLICIES
from fabric.linting.site import Linted
from fabric.qos.policy import LosslessPolicy

Files = Mapping[str, str]

ROCE = "{dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}"
CNP = "{dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}"
REST = "{dscp: rest, traffic_class: 0, queue: 0, share: 50}"
OWN = "networks: {compute: {lossless: own.yaml}}"
"""The network of the example takes the policy of `own_policy`."""


def policies(site: Linted) -> Iterator[tuple[str, LosslessPolicy]]:
    """Every policy that an Ethernet network has, by name, once."""
    names = dict.fromkeys(network.intent.lossless for network in site.ethernet if network.policy is not None)
    for name in names:
        assert isinstance(name, str)  # noqa: S101  # it has a policy
        yield name, site.intent.policies[name]


def in_policy(name: str, *path: str | int) -> Origin:
    """A place in a policy."""
    return Origin(path, f"policy:{name}")


def is_own(name: str) -> bool:
    """Whether a policy is a file of the site; else it comes with the program, and is not changed."""
    return not (POLICIES / f"{name}.yaml").exists()


def own_policy(
    *, roce: str = ROCE, cnp: str = CNP, rest: str = REST, more: str = "", tail: str = ""
) -> Files:
    """A sound policy for examples, or one with other classes. `more`: further lines of classes; `tail`: of the file."""
    classes = {"roce": roce, "cnp": cnp, "best-effort": rest}
    lines = ["classes:", *(f"  {name}: {text}" for name, text in classes.items())]
    lines += [f"  {line}" for line in more.splitlines()] + ["cnp: cnp", *tail.splitlines()]
    return {"own.yaml": "\n".join(lines) + "\n"}
