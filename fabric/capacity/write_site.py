"""A layout as the text of a `site.yaml`, ready to be compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric.capacity.layout import Layout
from fabric.capacity.request import Request
from fabric.capacity.site_document import document
from fabric.units import Speed, ratio

INLINE = ("nics", "leaf", "spine", "superspine", "planes", "pods", "rails")
"""Keys whose mapping stands in one line."""


def site_text(request: Request, layout: Layout, name: str) -> str:
    """The intent of a layout; all sizes that it does not write come out of the compiler's own search."""
    counts = ", ".join(f"{tier.count} of {tier.role}" for tier in layout.tiers)
    speed = (
        f"{request.nic_ports}x{Speed(request.nic_mbps)}" if request.nic_ports > 1 else Speed(request.nic_mbps)
    )
    head = f"# By fabric size: {request.gpus} GPUs at {speed}, {ratio(request.oversubscription)}: {counts}."
    return "\n".join([head, *_lines(document(request, layout.candidate, name), "")]) + "\n"


def _lines(mapping: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in mapping.items():
        if isinstance(value, dict) and key not in INLINE:
            yield f"{indent}{key}:"
            yield from _lines(value, f"{indent}  ")
        else:
            yield f"{indent}{key}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    text = str(value)
    return f'"{text}"' if ":" in text else text
