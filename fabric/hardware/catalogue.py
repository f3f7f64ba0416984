"""Finding a model by name."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.hardware.model import Asic, HeadroomRow, HostModel, SwitchModel


class Catalogue(msgspec.Struct, frozen=True):
    """Every model by id: those shipped, and those that a site brings along in `hardware/`."""

    switches: Mapping[str, SwitchModel]
    hosts: Mapping[str, HostModel]
    asics: Mapping[str, Asic]
    headroom: Mapping[str, tuple[HeadroomRow, ...]]
    """Published headroom tables by hardware sku."""


def load_catalogue() -> Catalogue:
    """The shipped models."""
    raise NotImplementedError
