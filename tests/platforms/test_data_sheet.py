"""A product's data sheet: what is claimed of a flag stands in one row, and a wrong row fails at import."""

from __future__ import annotations

import msgspec
import pytest

from fabric.hardware import load_catalogue
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.data_sheet import DataSheet, in_releases, no, on_models, some, where, yes

MODEL, OTHER = list(load_catalogue().switches.values())[:2]
KNOWN = {"known_release": yes("manual"), "known_hardware": yes("manual")}


def test_a_row_holds_value_source_and_reason():
    sheet = DataSheet(
        **KNOWN,
        bfd=yes("chapter 1"),
        max_strict_queues=some(2, "chapter 2", because="two, not {missing}"),
        hash_seed=no("chapter 3", because="no seed", fix="leave it out"),
    )

    can = sheet.capabilities("1.0", MODEL)

    assert (
        Capabilities(
            release="1.0",
            known_release=True,
            known_hardware=True,
            bfd=True,
            max_strict_queues=2,
            reasons={
                "max_strict_queues": Reason("two, not {missing}"),
                "hash_seed": Reason("no seed", "leave it out"),
            },
            sources={
                "known_release": "manual",
                "known_hardware": "manual",
                "bfd": "chapter 1",
                "max_strict_queues": "chapter 2",
                "hash_seed": "chapter 3",
            },
        )
        == can
    )


@pytest.mark.parametrize("flag", ["bdf", "release", "sources"])
def test_a_row_that_is_no_flag_is_refused(flag):
    with pytest.raises(TypeError, match=flag):
        DataSheet(**{flag: yes("manual")})


@pytest.mark.parametrize("row", [some("7", "manual"), where(on_models(bool), "manual", value="7")])
def test_a_value_of_another_type_is_refused(row):
    with pytest.raises(msgspec.ValidationError, match="max_strict_queues"):
        DataSheet(max_strict_queues=row)


def test_a_condition_looks_at_release_and_model():
    sheet = DataSheet(
        **KNOWN,
        gnmi=where(in_releases(lambda release: release != "1.0"), "notes of 2.0"),
        max_lossless_priorities=where(on_models(lambda model: model is MODEL), "manual", value=2),
    )

    assert (True, 2) == supported(sheet, None, MODEL)
    assert (False, 2) == supported(sheet, "1.0", MODEL)
    assert (True, 0) == supported(sheet, "2.0", OTHER)


def test_a_condition_may_say_why_not():
    sheet = DataSheet(
        **KNOWN, gnmi=where(lambda release, _model: release is None or Reason(f"not in {release}"), "notes")
    )

    assert not supported(sheet, "1.0", MODEL)[0]
    assert {"gnmi": Reason("not in 1.0")} == sheet.capabilities("1.0", MODEL).reasons
    assert {} == sheet.capabilities(None, MODEL).reasons


def test_without_a_known_release_nothing_is_supported():
    sheet = DataSheet(
        known_release=where(in_releases(lambda release: release is None), "manual"),
        known_hardware=yes("manual"),
        gnmi=yes("manual"),
        max_lossless_priorities=some(2, "manual"),
    )

    assert (False, 0) == supported(sheet, "1.0", MODEL)
    assert (True, 2) == supported(sheet, None, MODEL)


def supported(sheet: DataSheet, release: str | None, model) -> tuple[bool, int]:
    """What a sheet says of gNMI and of lossless priorities."""
    can = sheet.capabilities(release, model)
    return can.gnmi, can.max_lossless_priorities
