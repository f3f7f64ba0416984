"""The files of an example: one of the sound sites, with a change laid over it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import yaml

from fabric.linting.rule import Example

SITES = Path(__file__).parent / "sites"
DAY = re.compile(r"\{today\+(\d+)\}")


def files_of(example: Example, today: date) -> dict[str, str]:
    """File name to text; `{today+3}` in a text becomes that day."""
    site = yaml.safe_load((SITES / f"{example.site}.yaml").read_text(encoding="utf-8"))
    laid = _laid_over(site, yaml.safe_load(example.change) or {})
    texts = {"site.yaml": yaml.safe_dump(laid, sort_keys=False), **example.files}
    return {name: _dated(text, today) for name, text in texts.items()}


def _dated(text: str, today: date) -> str:
    return DAY.sub(lambda match: (today + timedelta(days=int(match[1]))).isoformat(), text)


def _laid_over(below: Any, above: Any) -> Any:
    """Mappings are joined, all else is replaced, and `null` removes."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    joined = dict(below)
    for key, value in above.items():
        if value is None:
            joined.pop(key, None)
        else:
            joined[key] = _laid_over(joined.get(key), value)
    return joined
