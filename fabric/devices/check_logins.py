"""Whether each login of the inventory fits the products of the devices that name it."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.devices import codes
from fabric.devices.switch_kinds import Products
from fabric.diagnostics import Origin, Report
from fabric.intent.inventory import Credentials, Inventory

LOGINS = Origin(("credentials",), "inventory")


def check_logins(
    inventory: Inventory, platform_of: Mapping[str, str], products: Products, report: Report
) -> None:
    """A finding at each part of a login that a product has no use for, with all devices that it concerns."""
    for name in inventory.devices:
        label = inventory.devices[name].credentials or inventory.default_credentials
        credentials = inventory.credentials.get(label) if label else None
        product = platform_of.get(name)
        if label is None or credentials is None or product is None:
            continue
        ways = products.login_ways(product)
        if ways is not None:
            _check(name, product, LOGINS.child(label), credentials, ways, report)


def _check(
    name: str, product: str, origin: Origin, login: Credentials, ways: frozenset[str], report: Report
) -> None:
    unfit = codes.LOGIN_UNFIT
    if login.enable is not None and "enable" not in ways:
        rule = f"devices of {product} have no enable secret: whoever has logged in has the rights of the user"
        hint = "remove `enable`, or give these devices credentials of their own"
        report.add(unfit.at(origin.child("enable"), rule, hint=hint, subjects=(name,)))
    has_password = login.password is not None
    for key, given in (("key_file", login.key_file is not None), ("agent", login.agent)):
        if given and key not in ways and not has_password:
            rule = f"devices of {product} log in with a password, and not with an SSH key"
            hint = "write `password: env:NAME` there, or give these devices credentials of their own"
            report.add(unfit.at(origin.child(key), rule, hint=hint, subjects=(name,)))
