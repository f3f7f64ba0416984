"""A device that refuses the login, on every driven product: who logged in, with what, from where, never the secret."""

from __future__ import annotations

import msgspec
import pytest

from fabric.deployment.connection.device_session import Connection
from fabric.diagnostics import DeviceError
from fabric.platforms.registry import platform
from tests.contract.bench import Bench
from tests.contract.test_trust import EMULATED


@EMULATED
def test_a_refused_login_names_the_user_and_where_the_secret_came_from(device: Bench) -> None:
    device.faults(deny_login=True)
    known = {field: f"env:LAB_{field.upper()}" for field in ("password", "enable")}
    target = msgspec.structs.replace(device.target, references=known)

    with pytest.raises(DeviceError) as caught, Connection(target, platform(device.platform)):
        pass
    told = str(caught.value)

    assert caught.value.is_login
    assert f"connecting: the login as {target.username} with " in told
    assert told.endswith(" is refused")
    assert target.password not in told
    assert [("env:LAB_PASSWORD" in told), "Error" in told] == [bool(target.password), False]


@EMULATED
def test_a_device_that_restarts_has_not_refused_the_login(device: Bench) -> None:
    device.faults(die_in="login:before")

    with pytest.raises(DeviceError) as caught, Connection(device.target, platform(device.platform)):
        pass

    assert not caught.value.is_login
