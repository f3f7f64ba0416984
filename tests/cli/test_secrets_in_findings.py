"""A secret that somebody wrote in clear is found, and shown by no format."""

from __future__ import annotations

import pytest

from tests.cli.conftest import SITE

PLANTED = "hunter2xyzzy"
FORMATS = ("full", "concise", "json", "github", "gitlab", "sarif", "junit")
SPOILT = {
    "in clear": f"services:\n  tacacs: {{servers: [192.0.2.1], secret: {PLANTED}}}\n",
    "a list": f"services:\n  tacacs: {{servers: [192.0.2.1], secret: [{PLANTED}]}}\n",
    "a mapping": f"services:\n  tacacs: {{servers: [192.0.2.1], secret: {{a: {PLANTED}}}}}\n",
    "on lines of its own": f"services:\n  tacacs:\n    servers: [192.0.2.1]\n    secret: |\n      {PLANTED}\n",
    "below its key": f"services:\n  tacacs:\n    servers: [192.0.2.1]\n    secret:\n      [{PLANTED}]\n",
    "under a key that is mistyped": f"services:\n  tacacs: {{servers: [192.0.2.1], secert: {PLANTED}}}\n",
    "a password for a hash": f"services:\n  users: {{ops: {{password_hash: {PLANTED}}}}}\n",
    "beside another mistake": f"services:\n  tacacs: {{servers: [192.0.2.256], secret: {PLANTED}}}\n",
    "in a broken scalar": f'services:\n  tacacs: {{servers: [192.0.2.1], secret: "a\\q{PLANTED}"}}\n',
    "as two values": f"services:\n  tacacs:\n    servers: [192.0.2.1]\n    secret: a: {PLANTED}\n",
    "with a tag": f"services:\n  tacacs: {{servers: [192.0.2.1], secret: !x {PLANTED}}}\n",
    "in a verbatim line": f"overrides:\n  - {{role: leaf, extra: {{s: snmp-server community {PLANTED}}}}}\n",
    "an alias": f"services:\n  tacacs: {{servers: [192.0.2.1], secret: *{PLANTED}}}\n",
    "as a tag": f"services:\n  tacacs: {{servers: [192.0.2.1], secret: !{PLANTED}!x}}\n",
    "not closed": f'services:\n  tacacs:\n    servers: [192.0.2.1]\n    secret: "{PLANTED}\n',
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", SPOILT)
def test_a_secret_in_clear_is_found_and_shown_by_no_format(fabric, site, form, how):
    (site / "site.yaml").write_text(SITE + SPOILT[how])

    ran = fabric("validate", "--format", form)

    assert "FAB" in ran.out
    assert PLANTED not in ran.out + ran.err


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("form", ["text", "json"])
def test_other_commands_do_not_show_it_either(fabric, site, form, how):
    (site / "site.yaml").write_text(SITE + SPOILT[how])

    ran = fabric("show", "devices", "--format", form)

    assert "FAB" in ran.err or how == "in a verbatim line"
    assert PLANTED not in ran.out + ran.err


def test_a_number_that_is_a_secret_is_not_repeated(fabric, site):
    (site / "site.yaml").write_text(SITE + "services:\n  tacacs: {servers: [192.0.2.1], secret: 0123456}\n")

    ran = fabric("validate", "--format", "json")

    assert '"code": "FAB' in ran.out
    assert "123456" not in ran.out + ran.err


def test_what_is_no_secret_is_still_shown(fabric, site):
    (site / "site.yaml").write_text(SITE.replace("count: 2", "count: two"))

    ran = fabric("validate")

    assert "spine: {model: arista-7060x6-32pe, count: two}" in ran.out
    assert "'two' is not one of the choices" in ran.out


INVENTORIES = {
    "a password": f"credentials: {{ops: {{username: ops, password: {PLANTED}}}}}\n",
    "an enable secret": f"credentials:\n  ops:\n    username: ops\n    password: env:A\n    enable: {PLANTED}\n",
    "beside a mistake": f"credentials:\n  ops: {{username: 'o p', password: {PLANTED}}}\n",
    "a number": "credentials:\n  ops: {username: ops, password: 8811223344}\n",
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", INVENTORIES)
def test_a_secret_in_the_inventory_is_shown_by_no_format(fabric, site, form, how):
    (site / "inventory.yaml").write_text(INVENTORIES[how])

    ran = fabric("validate", "--format", form)

    assert "FAB027" in ran.out
    assert PLANTED not in ran.out + ran.err
    assert "8811223344" not in ran.out + ran.err


def test_a_verbatim_line_that_the_product_refuses_is_not_quoted_if_it_holds_a_secret(fabric, site):
    lines = f'overrides: [{{role: leaf, extra: {{s: "snmp-server community {PLANTED}\\n!\\nend\\nexit"}}}}]\n'
    (site / "site.yaml").write_text(SITE + lines)

    for form in FORMATS:
        ran = fabric("validate", "--format", form)

        assert "FAB114" in ran.out
        assert PLANTED not in ran.out + ran.err
