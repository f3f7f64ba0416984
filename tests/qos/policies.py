"""Policies as a user writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fabric.qos
from fabric.diagnostics import Report
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.documents.schema.validate import converted
from fabric.qos.policy import LosslessPolicy

READY = Path(fabric.qos.__file__).parent / "policies"


def ready(name: str) -> LosslessPolicy:
    """A shipped policy."""
    return read((READY / f"{name}.yaml").read_text())


def read(text: str) -> LosslessPolicy:
    """A policy from its file's text, through the schema as users' files go."""
    report = Report()
    made = converted(read_yaml(text.encode(), "policy.yaml", "policy:mine"), LosslessPolicy, "policy", report)
    assert [] == [finding.rule for finding in report]
    assert made is not None
    return made


CLASSES: dict[str, dict[str, Any]] = {
    "roce": {"dscp": [26], "traffic_class": 3, "priority": 3, "queue": 3, "share": 60, "ecn": "auto"},
    "cnp": {"dscp": [48], "traffic_class": 6, "queue": 6, "strict": True, "max_rate": 5},
    "other": {"dscp": "rest", "traffic_class": 0, "queue": 0, "share": 40},
}


def policy(changes: dict[str, dict[str, Any]] | None = None, **keys: Any) -> LosslessPolicy:
    """A right policy with some keys of some classes changed (None: taken away), and keys of its own."""
    import json

    classes = {name: dict(keys) for name, keys in CLASSES.items()}
    for name, changed in (changes or {}).items():
        merged = classes.get(name, {}) | changed
        classes[name] = {key: value for key, value in merged.items() if value is not None}
    return read(json.dumps({"classes": classes, "cnp": "cnp"} | keys))
