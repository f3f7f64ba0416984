"""What NX-OS cannot say is told, with a way out; what it derives itself, too."""

from __future__ import annotations

from ipaddress import ip_address

import msgspec
import pytest

from fabric.diagnostics import Report, Severity
from fabric.intent.model import Gnmi, Hashing, Management, User
from fabric.platforms.nxos import PLATFORM
from fabric.platforms.nxos.names import is_since
from tests.platforms.eos import cases as generic
from tests.platforms.eos.cases import KEY
from tests.platforms.eos.devices import (
    FABRIC_PROFILE,
    HOST_PROFILE,
    change,
    change_routing,
    queueing,
    queueing_of,
)
from tests.platforms.nxos.devices import CASES, CLOUD_SCALE, SILICON_ONE, hardware, nexus
from tests.platforms.nxos.printing import printed


def with_user(user: User):
    return with_services(users={"a": user})


def with_services(**changes):
    return change(leaf(), services=msgspec.structs.replace(leaf().services, **changes))


def with_peer(name: str):
    first, *others = leaf().routing.neighbors
    return change_routing(leaf(), neighbors=(msgspec.structs.replace(first, peer=name), *others))


def told(device, severity: Severity) -> set[str]:
    report = Report()
    PLATFORM.lower(device, report)
    assert all(one.hint for one in report)
    return {one.code for one in report if one.severity is severity}


def found(device) -> set[str]:
    return told(device, Severity.ERROR)


def leaf():
    return CASES["leaf"]()


def reclassed(**changes):
    classes = tuple(
        msgspec.structs.replace(one, **changes) if one.name == "roce" else one
        for one in FABRIC_PROFILE.classes
    )
    return change(leaf(), queueing=queueing(msgspec.structs.replace(FABRIC_PROFILE, classes=classes)))


def carrying(*profiles):
    """The leaf with a port for each of these profiles."""
    ports = leaf().ports
    queued = (msgspec.structs.replace(p, queueing=q) for p, q in zip(ports, profiles, strict=False))
    others = (msgspec.structs.replace(port, queueing=profiles[0]) for port in ports[len(profiles) :])
    return change(leaf(), ports=(*queued, *others), queueing=queueing(*profiles))


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_cases_are_not_refused(case):
    assert set() == found(CASES[case]())


@pytest.mark.parametrize(
    ("code", "device"),
    [
        ("FAB511", lambda: reclassed(priority=1)),
        ("FAB511", lambda: reclassed(priority=None, queue=7)),
        ("FAB511", lambda: reclassed(priority=0)),
        ("FAB512", lambda: reclassed(share_percent=90)),
        ("FAB512", lambda: reclassed(strict=True, priority=None)),
        ("FAB512", lambda: reclassed(strict=True, ecn=None)),
        ("FAB513", lambda: carrying(queueing_of(800_000, 150))),
        (
            "FAB511",
            lambda: carrying(HOST_PROFILE, queueing_of(800_000, 40, lossless=False)),
        ),
        ("FAB510", lambda: change(leaf(), queueing=generic.CASES["notifying watchdog"]().queueing)),
        ("FAB510", lambda: change_routing(leaf(), load_balancing="flowlet")),
        (
            "FAB510",
            lambda: change_routing(
                change(leaf(), hardware=hardware(CLOUD_SCALE), release="10.4(3)"), load_balancing="flowlet"
            ),
        ),
        ("FAB510", lambda: change(CASES["unnumbered"](), release="9.3(5)")),
        ("FAB510", lambda: change_routing(leaf(), hashing=Hashing(fields=("src_ip", "dst_ip")))),
        (
            "FAB510",
            lambda: change(
                leaf(), ports=(msgspec.structs.replace(leaf().ports[0], vrf="blue"), *leaf().ports[1:])
            ),
        ),
        (
            "FAB515",
            lambda: change(leaf(), services=msgspec.structs.replace(leaf().services, gnmi=Gnmi(port=443))),
        ),
        ("FAB515", lambda: change_routing(leaf(), max_paths=128)),
        ("FAB515", lambda: change_routing(leaf(), keepalive_ms=1500)),
        ("FAB515", lambda: change_routing(leaf(), bfd_interval_ms=2000)),
        ("FAB515", lambda: change_routing(leaf(), hash_seed=0)),
        ("FAB510", lambda: nexus(generic.CASES["dual ToR"]())),
        ("FAB510", lambda: nexus(generic.CASES["default vrf"]())),
        ("FAB510", lambda: change(leaf(), services=generic.CASES["all services"]().services)),
        (
            "FAB518",
            lambda: change(
                leaf(),
                services=msgspec.structs.replace(leaf().services, users={"a": User(password_hash="$6$a$b")}),
            ),
        ),
        ("FAB515", lambda: with_services(management=Management(dns=(ip_address("192.0.2.1"),) * 7))),
        ("FAB518", lambda: with_user(User(password_hash="$6$a$b", ssh_keys=(KEY,)))),
        ("FAB518", lambda: with_user(User(password_hash_sha256="$5$a$b", ssh_keys=(KEY, KEY)))),
        ("FAB517", lambda: change(leaf(), services=msgspec.structs.replace(leaf().services, banner="a # b"))),
    ],
)
def test_what_cannot_be_said_is_refused(code, device):
    assert code in found(device())


def test_a_login_by_key_alone_has_no_password():
    text = printed(with_user(User(ssh_keys=(KEY,))))

    assert f"username a password 5 ! role network-operator\nusername a sshkey {KEY}\n" in text
    assert "username a password 5 ! role network-operator\n" in PLATFORM.canonical(text)


def test_silicon_one_is_not_cloud_scale():
    assert not PLATFORM.capabilities(None, hardware(SILICON_ONE)).flowlet_balancing
    assert PLATFORM.capabilities(None, hardware(CLOUD_SCALE)).flowlet_balancing


def test_lossless_quantities_of_the_product_are_told():
    told = PLATFORM.derived(leaf())

    assert {"lossless-400g-5m headroom", "lossless-800g-40m headroom", "watchdog timers", "class cnp"} == set(
        told
    )
    assert "queue 7 of NX-OS, not 6: the number is its own matter" == told["class cnp"]


def test_a_policy_beside_dynamic_balancing_is_warned_of():
    device = change_routing(change(leaf(), hardware=hardware(CLOUD_SCALE)), load_balancing="flowlet")

    assert set() == found(device)
    assert {"FAB514"} == told(device, Severity.WARNING)


@pytest.mark.parametrize(
    ("device", "text"),
    [
        (leaf, "names the VRF of mgmt0 `management`, not `MGMT`"),
        (CASES["services"], "serves gNMI with a certificate that it makes itself"),
        (CASES["unnumbered"], "is not documented to run BFD over link-local sessions"),
    ],
)
def test_what_the_product_settles_itself_is_told(device, text):
    report = Report()
    PLATFORM.lower(device(), report)

    assert any(one.code == "FAB519" and text in one.rule for one in report)


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
