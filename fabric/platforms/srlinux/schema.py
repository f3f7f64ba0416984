"""SR Linux's tree against Nokia's models (nokia/srlinux-yang-models).

The text is JSON-IETF already. The models need two things of us: their `must` statements are written for an XPath of
Nokia's own (`. = true()` compares values there, an identity's prefix is left out, an absent leaf equals its default),
so a standard engine would raise false alarms and they are taken out; and no list of the features of a platform is
published, so all are on, except those that exclude XGS or the network instance of management.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fabric.diagnostics import Refused
from fabric.platforms.schema import (
    Complaint,
    Instance,
    ModelSet,
    SchemaCheck,
    SchemaNode,
    YangModule,
    without_secrets,
)

NAME = "srl_nokia"
LANDMARK = "srl_nokia-features.yang"
ABSENT = frozenset(
    {
        "loopback-mode-facility",
        "vlan-loopback",
        "qos-multi-traffic-queue",
        "qos-ecn-dscp-policy",
        "qos-pfc-dnx",
        "platform-imgmt",
        "fpcx",
    }
)
"""Features that are off; the last is the chip of 7730 SXR, which hashes otherwise."""
MODULES = (
    "features",
    "common",
    "system",
    "platform",
    "interfaces",
    "interfaces-vlans",
    "if-ip",
    "interfaces-router-adv",
    "interfaces-nbr",
    "network-instance",
    "linux",
    "bgp",
    "routing-policy",
    "qos",
    "platform-qos",
    "bfd",
    "acl",
    "lldp",
    "ip-route-tables",
    "load-balancing",
    "system-name",
    "system-info",
    "system-snmp",
    "grpc",
    "interfaces-ip-dhcp-relay",
    "system-banner",
    "ntp",
    "dns",
    "logging",
    "ssh",
    "aaa-types",
    "aaa",
    "configuration",
    "configuration-role",
    "static-routes",
    "next-hop-groups",
    "aggregate-routes",
)
"""What the configurations of this program use, in an order in which augmented nodes are there."""
MUST = re.compile(r"\n[ \t]*must\s+(?=[\"'])")
OPENCONFIG = re.compile(r"\n\s*(?:import openconfig-metadata|uses oc-meta:[\w-]+)\s*\{[^}]*\}")
"""What one module takes from a set of models that is not Nokia's: annotations, no data."""
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[;{}]')


def check() -> SchemaCheck:
    """What is known of Nokia's models."""
    return SchemaCheck(
        language="yang", models="nokia/srlinux-yang-models of one release", find=find, instances=instances
    )


def find(files: Sequence[Path]) -> tuple[ModelSet, ...]:
    """Nokia's modules, from one folder or from the folders of its repository."""
    landmarks = [file for file in files if file.name == LANDMARK]
    if not landmarks:
        return ()
    if len(landmarks) > 1:
        message = f"Nokia models of several releases: {', '.join(str(f.parent) for f in landmarks)}"
        raise Refused(message, "name the folder of the release that the switches run")
    text = landmarks[0].read_text(encoding="utf-8", errors="replace")
    load = tuple(
        YangModule(f"{NAME}-{name}", features(text) if name == "features" else ()) for name in MODULES
    )
    return (ModelSet(name=NAME, files=_around(landmarks[0], files), load=load, amend=amended),)


def _around(landmark: Path, files: Sequence[Path]) -> tuple[Path, ...]:
    """The files of the same release: those of the folder, or of the repository's tree (`models/<topic>/`)."""
    home = landmark.parent
    if not (home / "srl_nokia-interfaces.yang").exists():
        home = next((p for p in home.parents if p.name == "srlinux-yang-models"), home.parents[2])
    return tuple(f for f in files if f.is_relative_to(home) and "openconfig" not in f.parts)


def features(text: str) -> tuple[str, ...]:
    """Names of the features that are on: not those that need an absent one."""
    bodies = dict(re.findall(r"(?ms)^  feature\s+([\w.-]+)\s*\{(.*?)^  \}", text))
    off, before = set(ABSENT), 0
    while before != len(off):
        before = len(off)
        needs = "|".join(map(re.escape, sorted(off)))
        needing = re.compile(rf'if-feature\s+"?[^";]*(?<!not )\b(?:{needs})\b')
        off |= {name for name, body in bodies.items() if needing.search(body)}
    return tuple(name for name in re.findall(r"(?m)^\s*feature\s+([\w.-]+)", text) if name not in off)


def amended(name: str, text: str) -> str:
    """The module without what a standard engine or a set of Nokia's own modules cannot take."""
    return OPENCONFIG.sub("", without_musts(name, text))


def without_musts(_name: str, text: str) -> str:
    """The module without its `must` statements."""
    kept, at = [], 0
    for match in MUST.finditer(text):
        if match.start() >= at:
            kept.append(text[at : match.start()])
            at = _end_of_statement(text, match.end())
    return "".join((*kept, text[at:]))


def _end_of_statement(text: str, start: int) -> int:
    """Behind the semicolon, or behind the brace that closes the statement's own."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0 and token[0] in (";", "}"):
            return token.end()
    return len(text)


def instances(text: str, schemas: Mapping[str, SchemaNode]) -> tuple[Instance, ...]:
    """The text as it is; what belongs to a module that is not loaded is named."""
    try:
        tree = json.loads(without_secrets(text, "secret-of-the-site"))
    except (ValueError, RecursionError) as error:
        return (Instance(NAME, {}, complaints=(Complaint("/", f"no JSON: {error}"),)),)
    if not isinstance(tree, dict):
        return (Instance(NAME, {}, complaints=(Complaint("/", "not an object"),)),)
    unknown = {name for name in tree if name.rpartition(":")[2] not in schemas[NAME].below}
    kept = {name: value for name, value in tree.items() if name not in unknown}
    return (Instance(NAME, kept, complaints=tuple(_strangers(unknown))),)


def _strangers(names: set[str]) -> Iterator[Complaint]:
    for name in sorted(names):
        yield Complaint(f"/{name}", "the models have no such node at the top")
