"""The digest of an intent: what a plan is bound to."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from fabric.documents.schema.scalar_types import encode
from fabric.intent.model.site import Intent

PARTS = ("site", "policies", "inventory", "state", "lock")
"""What counts. Places, comments and the order of keys do not."""


def digest(intent: Intent) -> str:
    """SHA-256 of an intent's contents, as `sha256:…`; models that the site brings along included."""
    parts = {part: getattr(intent, part) for part in PARTS}
    own = [name.partition(":")[2] for name in intent.sources.documents if name.startswith("hardware:")]
    models = {name: intent.hardware.switches.get(name) or intent.hardware.hosts.get(name) for name in own}
    text = msgspec.json.encode(
        msgspec.to_builtins({**parts, "hardware": models}, enc_hook=encode), order="sorted"
    )
    return f"sha256:{sha256(text).hexdigest()}"
