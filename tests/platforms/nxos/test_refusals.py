"""What NX-OS does not support is told, with a way out; what it derives itself, too."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Severity
from fabric.platforms.nxos import PLATFORM
from fabric.platforms.nxos.names import is_since
from tests.platforms.cases import CASES as ALL
from tests.platforms.cases import of
from tests.platforms.nxos.devices import CASES, CLOUD_SCALE, REFUSED, SLOW, balanced
from tests.platforms.sites import (
    HASH,
    HASH256,
    KEY,
    POLICY,
    klass,
    leaf,
    network,
    policy,
    printed,
    refusals,
    services,
)

FLOWLETS = network("routing: {load_balancing: flowlet}")
LONG = network("cables: {leaf_spine: {length: 150m}}")


def codes(device, severity: Severity = Severity.ERROR) -> set[str]:
    return {one.code for one in refusals(device, severity)}


def user(words: str):
    """One user in place of the others."""
    return services(f"users: {{netops: null, a: {{{words}}}}}")


def four_lossless():
    """Three more classes that are paused."""
    more = {
        f"c{n}": f"{{dscp: [{n}], traffic_class: {n}, queue: {n}, priority: {n}, share: 1, ecn: auto}}"
        for n in (2, 4, 5)
    }
    classes = ", ".join(f"{name}: {words}" for name, words in more.items())
    return policy(f"classes: {{{classes}, rest: {{share: 2}}}}")


def release(text: str):
    return network(f'tiers: {{leaf: {{release: "{text}"}}, spine: {{release: "{text}"}}}}')


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_cases_are_not_refused(case):
    assert set() == codes(CASES[case]())


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_case_that_is_left_out_is_refused(case):
    assert {"FAB579", "FAB518"} & codes(of("nxos", ALL[case]))


@pytest.mark.parametrize(
    ("code", "words", "model"),
    [
        ("FAB511", (klass("roce", "priority: 1"),), None),
        ("FAB511", (klass("roce", "{priority: null, queue: 7}"), policy("watchdog: none")), None),
        ("FAB511", (klass("roce", "priority: 0"),), None),
        ("FAB579", (klass("roce", "{strict: true, share: null}"), klass("rest", "share: 100")), None),
        ("FAB579", (klass("cnp", "ecn: auto"),), None),
        ("FAB513", (LONG,), None),
        ("FAB579", (FLOWLETS,), None),
        ("FAB579", (SLOW, FLOWLETS, release("10.4(3)")), CLOUD_SCALE),
        ("FAB579", (network("addressing: {family: unnumbered}"), release("9.3(5)")), None),
        ("FAB579", (network("routing: {hashing: {fields: [src_ip, dst_ip]}}"),), None),
        ("FAB579", (four_lossless(),), None),
        ("FAB515", (services("{gnmi: {port: 443}, certificate: {name: fabric}}"),), None),
        ("FAB515", (network("routing: {max_paths: 128}"),), None),
        ("FAB515", (network("routing: {bfd: {interval: 2s}}"),), None),
        (
            "FAB515",
            (services(f"management: {{dns: [{', '.join(f'192.0.2.{n}' for n in range(1, 8))}]}}"),),
            None,
        ),
        ("FAB518", (user(f"password_hash: {HASH}"),), None),
        ("FAB518", (user(f'password_hash: {HASH}, ssh_keys: ["{KEY}"]'),), None),
        ("FAB518", (user(f'password_hash_sha256: {HASH256}, ssh_keys: ["{KEY}", "{KEY}x"]'),), None),
        ("FAB517", (services('banner: "a # b"'),), None),
    ],
)
def test_what_cannot_be_said_is_refused(code, words, model):
    assert code in codes(leaf("nxos", *words, model=model))


def test_a_login_by_key_alone_has_no_password():
    text = printed(leaf("nxos", user(f'ssh_keys: ["{KEY}"]')))

    assert f"username a password 5 ! role network-operator\nusername a sshkey {KEY}\n" in text
    assert "username a password 5 ! role network-operator\n" in PLATFORM.dialect().plain(text)


def test_silicon_one_is_not_cloud_scale():
    assert not PLATFORM.capabilities(None, leaf("nxos").hardware).flowlet_balancing
    assert PLATFORM.capabilities(None, leaf("nxos", SLOW, model=CLOUD_SCALE).hardware).flowlet_balancing


def test_lossless_quantities_of_the_product_are_told():
    told = PLATFORM.derived(leaf("nxos"))

    assert {"lossless-400g-5m headroom", "lossless-800g-40m headroom", "watchdog timers", "class cnp"} == set(
        told
    )
    assert "queue 7 of NX-OS, not 6: the number is its own matter" == told["class cnp"]


def test_a_policy_beside_dynamic_balancing_is_warned_of():
    alone = of("nxos", balanced("flowlet"))
    device = of("nxos", balanced("flowlet"), network(f"lossless: {POLICY}"))

    assert set() == codes(alone, Severity.WARNING)
    assert set() == codes(device)
    assert {"FAB514"} == codes(device, Severity.WARNING)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        ("leaf", "names the VRF of mgmt0 `management`, not `MGMT`"),
        ("unnumbered", "is not documented to run BFD over link-local sessions"),
    ],
)
def test_what_the_product_settles_itself_is_told(case, text):
    assert any(one.code == "FAB519" and text in one.rule for one in refusals(CASES[case](), Severity.INFO))


@pytest.mark.parametrize(
    ("words", "said"), [("gnmi: {}", True), ("{gnmi: {}, certificate: {name: fabric}}", False)]
)
def test_a_certificate_of_its_own_making_is_told(words, said):
    remarks = {one.rule for one in refusals(leaf("nxos", services(words)), Severity.INFO)}

    assert said == any("serves gNMI with a certificate that it makes itself" in rule for rule in remarks)


@pytest.mark.parametrize(
    ("release", "first", "since"),
    [
        ("10.5(3)F", (10, 5, 1), True),
        ("10.5.1F", (10, 5, 1), True),
        ("9.3.5", (9, 3, 6), False),
        ("10.4(5)M", (10, 5, 1), False),
        ("9.3(10)", (9, 3, 6), True),
        (None, (10, 5, 1), True),
    ],
)
def test_releases_are_compared_by_number(release, first, since):
    assert since == is_since(release, *first)
