"""One small site for every platform, and words that change its intent: YAML in, derived devices out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from fabric import hardware as models
from fabric.devices.derive import derive
from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Report, Severity
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.needs.table import lowered
from fabric.rendering.render import print_switch
from fabric.topology.expand import expand
from tests.platforms.everywhere import MODELS, capabilities

Words = Mapping[str, Any]
"""A part of a site: values by file, and below it as the file has them."""

HASH = "$6$abcdefgh$" + "0123456789abcdef" * 5 + "012345"
HASH256 = "$5$abcdefgh$" + "0123456789abcdef" * 2 + "0123456789a"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBd netops@example.net"
NULL = "<null>"
"""A null that the file shall have."""
LEAF, SPINE = "leaf-0-0", "spine-0"
POLICY = "roce.yaml"
SITE = f"""
site: test
units: 2
hosts:
  gpu: {{gpus: 2, per_unit: 4, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    lossless: {POLICY}
    tiers:
      leaf: {{up: {{speed: 800G}}}}
      spine: {{count: 2}}
services:
  management: {{gateway: 198.51.100.1, dns: [192.0.2.53]}}
  ntp: {{servers: [192.0.2.20, 192.0.2.3]}}
  syslog: {{servers: [192.0.2.10]}}
  users: {{netops: {{role: admin, password_hash: {HASH}, password_hash_sha256: {HASH256}}}}}
"""
RULES = """
classes:
  rest: {dscp: rest, traffic_class: 1, queue: 1, share: 5}
  roce: {dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 95, ecn: auto}
  cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}
cnp: cnp
watchdog: {action: drop, detect: 200ms, restore: 200ms}
"""


def read(text: str) -> Any:
    """YAML of a test, which is ours."""
    return yaml.load(text, yaml.CSafeLoader) or {}  # its safe loader in C


def site(text: str) -> Words:
    """Of `site.yaml`."""
    return {"site.yaml": read(text)}


def network(text: str) -> Words:
    """Of the network."""
    return {"site.yaml": {"networks": {"compute": read(text)}}}


def services(text: str) -> Words:
    """Of the management services."""
    return {"site.yaml": {"services": read(text)}}


def override(text: str) -> Words:
    """The overrides: a list."""
    return {"site.yaml": {"overrides": read(text)}}


def extra(section: str, text: str) -> Words:
    """An override of the first leaf: lines of a section."""
    return {"site.yaml": {"overrides": [{"device": LEAF, "extra": {section: text}}]}}


def attachments(text: str) -> Words:
    """What else hangs on the network."""
    return {"site.yaml": {"attachments": read(text)}}


def policy(text: str) -> Words:
    """Of the lossless policy."""
    return {POLICY: read(text)}


def klass(name: str, text: str) -> Words:
    """Of a class of the policy."""
    return {POLICY: {"classes": {name: read(text)}}}


def state(text: str) -> Words:
    """`state.yaml`: what is out of service."""
    return {"state.yaml": read(text)}


def inventory(text: str) -> Words:
    """Of `inventory.yaml`."""
    return {"inventory.yaml": read(text)}


def own_model(name: str, **changes: Any) -> Words:
    """A model of the site's own, `mine`: that of the catalogue with other words."""
    known = read((Path(models.__file__).parent / "models" / f"{name}.yaml").read_text())
    return {"hardware/mine.yaml": {**known, "id": "mine", **changes}}


def merged(*parts: Any) -> Any:
    """Mappings key by key, later ones over earlier ones; of everything else the last one."""
    if not all(isinstance(part, Mapping) for part in parts):
        return parts[-1]
    found: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            found[key] = merged(found[key], value) if key in found else value
    return found


def without_nothing(value: Any) -> Any:
    """Without the keys whose value is None: that is how a change takes one away. NULL stays, as the file's null."""
    if isinstance(value, Mapping):
        return {key: without_nothing(one) for key, one in value.items() if one is not None}
    return None if value == NULL else value


BASE: Words = {"site.yaml": read(SITE), POLICY: read(RULES)}


def files(platform: str, *changes: Words, model: str | None = None) -> dict[str, str]:
    """The files of the small site (JSON is YAML too), all of one platform and model, with changes."""
    words = {"model": model or MODELS[platform], "platform": platform}
    able = {} if capabilities(platform).pfc_watchdog else policy("watchdog: none")
    whole = without_nothing(merged(BASE, able, *changes))
    tiers = whole["site.yaml"]["networks"]["compute"]["tiers"]
    for name, tier in tiers.items():
        tiers[name] = words | tier
    return {name: json.dumps(value) for name, value in whole.items()}


def compiled(platform: str, *changes: Words, model: str | None = None) -> Devices:
    """The devices of the small site with these changes. `Invalid` if the intent is wrong."""
    return _compiled(tuple(files(platform, *changes, model=model).items()))


@lru_cache(maxsize=64)
def _compiled(texts: tuple[tuple[str, str], ...]) -> Devices:
    return derived(dict(texts))


def derived(texts: Mapping[str, str]) -> Devices:
    """The devices of a site, from its files."""
    intent = load_text(texts)
    return derive(intent, expand(intent), registry)


def switch(platform: str, name: str, *changes: Words, model: str | None = None) -> Switch:
    """One of its switches, with a management address."""
    address = inventory(f"devices: {{{name}: {{address: 198.51.100.11/24}}}}")
    found = compiled(platform, address, *changes, model=model)[name]
    assert isinstance(found, Switch)
    return found


def leaf(platform: str, *changes: Words, model: str | None = None) -> Switch:
    """Its first leaf."""
    return switch(platform, LEAF, *changes, model=model)


def printed(device: Switch) -> str:
    """Its configuration. `Invalid` if its product cannot say it."""
    return print_switch(device, registry.platform(device.platform)).text


def refusals(device: Switch, severity: Severity = Severity.ERROR) -> tuple[Diagnostic, ...]:
    """What its product has to say against it. All of it has a hint."""
    report = Report()
    lowered(device, registry.platform(device.platform), report)
    assert all(one.hint for one in report)
    return tuple(one for one in report if one.severity is severity)
