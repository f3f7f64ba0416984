"""One set of intents through all platforms: the table of capabilities tells the truth, and all mean the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fabric import rendering
from fabric.devices.derive import derive
from fabric.devices.model import LinkRole, Relation, Switch
from fabric.diagnostics import Invalid
from fabric.hardware import load_catalogue
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.applied import applied
from fabric.platforms.base import Capabilities
from fabric.platforms.meaning import disagreements, port_meaning
from fabric.platforms.registry import ROWS
from fabric.rendering.check_rounding import representatives
from fabric.topology.expand import expand
from fabric.units import Bytes, Quantity
from tests.platforms.everywhere import (
    EXPECTATIONS,
    FEATURES,
    MODELS,
    SITE,
    capabilities,
    devices,
    intended,
    policy,
    product,
    texts,
)
from tests.platforms.expected_facts import expected_facts

EVERY = [(name, feature) for name in sorted(MODELS) for feature in FEATURES]
ABLE = [(name, feature) for name, feature in EVERY if FEATURES[feature].able(capabilities(name))]
UNABLE = [case for case in EVERY if case not in ABLE]


def test_no_platform_is_left_out():
    assert set(MODELS) == {name for name in ROWS if product(name).technology == "ethernet"}


def test_no_capability_is_of_no_product():
    """A row that says `no` everywhere guards what no intent can ask for."""
    told = [capabilities(name) for name in MODELS]
    flags = [field.name for field in msgspec.structs.fields(Capabilities) if field.type is bool]

    assert [] == [flag for flag in flags if not any(getattr(one, flag) for one in told)]


@pytest.mark.parametrize(("name", "feature"), ABLE)
def test_what_a_platform_says_that_it_can_comes_back_from_its_text(name, feature):
    """Interfaces, sessions and classes are those that the neutral model asked for."""
    for switch, text in texts(devices(name, feature)):
        reading = product(name).read(text)
        facts = reading.facts

        assert reading.unread == ()
        assert facts == expected_facts(switch)
        assert (facts.hostname, facts.asn) == (switch.name, switch.routing.asn)
        assert facts.router_id == str(switch.routing.router_id)
        for port in switch.ports:
            if port.role is LinkRole.UNUSED:
                continue
            found = facts.interfaces[port.name]
            assert (port.name, found.enabled) == (port.name, port.enabled)
            assert (port.name, sorted(found.addresses)) == (port.name, sorted(map(str, port.addresses)))
            assert (port.name, found.link_local) == (port.name, port.link_local)
        for neighbor in switch.routing.neighbors:
            session = facts.neighbors[str(neighbor.address) if neighbor.address else neighbor.port]
            assert session.remote_asn == neighbor.remote_asn
            assert session.bfd == neighbor.bfd
            assert session.ttl_security == neighbor.ttl_security
            assert session.max_prefixes == neighbor.max_prefixes
            assert session.has_password == bool(neighbor.password or switch.routing.password)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_sessions_are_guarded_as_the_intent_says(name):
    """What is compared above is there at all."""
    made = devices(name, "border router with BFD and a limit")
    sessions = [one for switch in made.values() for one in switch.routing.neighbors]
    outside = [one for one in sessions if one.relation is Relation.EXTERNAL]

    assert {(one.bfd, one.max_prefixes) for one in outside} == {(True, 100)}
    assert {(one.bfd, one.max_prefixes) for one in sessions if one not in outside} == {(True, 128)}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_leaf_whose_number_is_used_again_accepts_it_and_the_spine_advertises_it(name):
    """Taking either away changes what the product is told, or the product needs no word for it."""
    for switch, text in texts(devices(name, "leaf AS numbers used again in every pod")):
        changes = {"leaf": {"allow_own_asn": 0}, "spine": {"peers_reuse_asn": False}}.get(switch.role, {})
        assert all(getattr(switch.routing, key) != value for key, value in changes.items())
        without = replace(switch, routing=replace(switch.routing, **changes))
        same = product(name).read(text).facts == expected_facts(without)

        assert same == (
            switch.role == "superspine" or (switch.role == "spine" and EXPECTATIONS[name].sends_own_asn)
        )


@pytest.mark.parametrize(
    ("name", "feature"), [case for case in ABLE if case[1] in ("two tiers", "three tiers")]
)
def test_every_port_does_to_a_packet_what_the_policy_says(name, feature):
    for switch, text in texts(devices(name, feature)):
        facts = product(name).read(text).facts
        for port, wanted in intended(switch).items():
            if not any(wanted.classes):
                continue
            found = [
                d
                for d in disagreements(wanted, port_meaning(facts, port))
                if d.what not in EXPECTATIONS[name].disagreements
            ]

            assert found == []


@pytest.mark.parametrize(("name", "feature"), UNABLE)
def test_what_a_platform_says_that_it_cannot_is_refused_with_a_way_out(name, feature):
    with pytest.raises(Invalid) as caught:
        list(texts(devices(name, feature)))

    errors = [finding for finding in caught.value.diagnostics if finding.is_error]
    assert all(finding.code.startswith("FAB5") for finding in errors)
    assert all(finding.hint for finding in errors)
    assert all(product(name).title.split()[0] in finding.rule for finding in errors), [f.rule for f in errors]


NOT_DERIVED = {"hardware", "services"}
"""Fields of a switch that are a document's own record, handed on as it was read."""


def quantities(value: Any, place: str) -> Iterator[tuple[str, Quantity]]:
    """Every number below a value that prints itself with its unit, with where it is."""
    if isinstance(value, Quantity):
        yield place, value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            if name not in NOT_DERIVED:
                yield from quantities(getattr(value, name), f"{place}.{name}")
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from quantities(one, place)
    elif isinstance(value, dict):
        for one in value.values():
            yield from quantities(one, place)


TRIMMING = [
    (name, "packet trimming", model)
    for name in sorted(MODELS)
    for model, hardware in load_catalogue().switches.items()
    if name in {software.name for software in hardware.software}
    and product(name).capabilities(None, hardware).packet_trimming
]
"""Where packets are trimmed, by product and model."""


@pytest.mark.covering
@pytest.mark.parametrize(
    ("name", "feature", "model"),
    [
        *((name, feature, None) for name, feature in ABLE),
        *TRIMMING,
    ],
)
def test_a_number_of_a_derived_switch_is_a_plain_one(name, feature, model):
    """`256B` of an intent prints as `256B` wherever it is put into a text: a device is told 256."""
    for switch in devices(name, feature, model).values():
        assert [] == list(quantities(switch, "switch"))


def test_a_number_with_its_unit_would_be_found():
    (switch, *_) = devices(*TRIMMING[0]).values()
    assert isinstance(switch, Switch)
    assert switch.queueing is not None
    assert switch.queueing.trimming is not None
    wrong = msgspec.structs.replace(switch.queueing.trimming, size_bytes=Bytes(512))

    assert ["trim.size_bytes"] == [place for place, _ in quantities(wrong, "trim")]


CURVES = ["ecn: auto", "ecn: {kmin: 200KB, kmax: 800KB, pmax: 20}", "ecn: {kmin: 20MB, kmax: 40MB}"]


def joint_findings(made):
    """What is said of all switches together, before one is printed."""
    return rendering.render(made).diagnostics


def site_with(name, curve, more=""):
    """The switches of the shared site with one marking curve."""
    words = {"model": MODELS[name], "platform": name}
    site = SITE.format(**words, network="", tiers="", rest="", ports="", spine="", leaf="")
    files = {
        "site.yaml": site,
        "policy.yaml": policy(name).replace("ecn: auto", curve) + more,
        "inventory.yaml": "{}",
    }
    intent = load_text(files)
    return derive(intent, expand(intent), registry)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_what_is_shown_of_a_curve_is_what_the_text_says_and_a_shift_is_told_with_the_fix(name, curve):
    made = site_with(name, curve)
    if printed_or_none(made) is None:  # a threshold beyond the largest that the product takes
        assert curve == CURVES[-1]
        return
    for switch in representatives(made):
        for one in applied(switch, product(name)):
            text = rendering.render(made).of(switch).text
            port = next(p.name for p in switch.ports if p.queueing and p.queueing.name == one.profile.name)
            meaning = port_meaning(product(name).read(text).facts, port)
            there = [c.ecn for c in meaning.classes if c and c.ecn]

            assert not there or one.curve in there
    shifted = [finding for finding in joint_findings(made) if finding.code == "FAB345"]

    assert bool(shifted) == any(
        one.is_shifted for switch in representatives(made) for one in applied(switch, product(name))
    )
    for finding in shifted:
        assert set(finding.subjects) == {
            one.name for one in made.values() if any(c.is_shifted for c in applied(one, product(name)))
        }
        better = joint_findings(site_with(name, finding.hint.split("`")[1]))
        assert not [again for again in better if again.code == "FAB345"]


STRICT = "cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}"
STRICT_CLASSES = {
    "as in the ready policies": STRICT,
    "another rate": STRICT.replace("max_rate: 5", "max_rate: 12"),
    "without a rate": STRICT.replace(", max_rate: 5", ""),
    "that marks": STRICT.replace("max_rate: 5", "max_rate: 5, ecn: auto"),
    "in queue 7": STRICT.replace("6, queue: 6", "7, queue: 7"),
}


def site_of_a_strict_class(name, changed, speed="400G"):
    """The shared site with another class of notifications."""
    words = {"model": MODELS[name], "platform": name}
    site = SITE.format(**words, network="", tiers="", rest="", ports="", spine="", leaf="").replace(
        "400G", speed
    )
    rules = policy(name).replace(STRICT, STRICT_CLASSES[changed])
    intent = load_text({"site.yaml": site, "policy.yaml": rules, "inventory.yaml": "{}"})
    return derive(intent, expand(intent), registry)


def printed_or_none(made):
    """Every switch with its text; None if the product refuses the policy."""
    try:
        return list(texts(made))
    except Invalid:
        return None


@pytest.mark.covering(2)
@pytest.mark.parametrize("speed", ["400G", "800G"])
@pytest.mark.parametrize("changed", STRICT_CLASSES)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_strict_queue_that_hosts_reach_is_limited_in_the_text_or_the_compile_says_that_it_is_not(
    name, changed, speed
):
    """Hosts choose code points: a strict queue without a limit starves all others."""
    made = site_of_a_strict_class(name, changed, speed)
    printed = printed_or_none(made)
    if printed is None:
        assert changed in ("that marks", "in queue 7")
        return
    said = {finding.code for finding in (*made.diagnostics, *joint_findings(made))}
    unlimited = False
    for switch, text in printed:
        facts = product(name).read(text).facts
        for port in (port for port in switch.ports if port.queueing is not None):
            strict = [one for one in port_meaning(facts, port.name).classes if one is not None and one.strict]
            assert strict
            unlimited |= not all(one.is_limited for one in strict)

    assert unlimited == bool(said & {"FAB346", "FAB348"})
    if changed in ("as in the ready policies", "another rate"):
        assert not unlimited or not capabilities(name).max_rate


@pytest.mark.parametrize("changed", ["as in the ready policies", "in queue 7"])
@pytest.mark.parametrize("name", sorted(MODELS))
def test_hosts_do_not_reach_the_queue_of_bgp_or_the_compile_says_that_they_may(name, changed):
    """No code point leads to the queue of the switch's own packets; where that queue is not known, so it is said."""
    made = site_of_a_strict_class(name, changed)
    own, said = capabilities(name).own_queue, {finding.code for finding in joint_findings(made)}
    facts = [product(name).read(text).facts for _switch, text in printed_or_none(made) or ()]
    shared = own == "7" and any(7 in queues for one in facts for queues in one.profiles.values())

    assert shared == ("FAB349" in said)
    assert not facts or (own == "unknown") == ("FAB350" in said)
    assert not (shared and changed == "as in the ready policies")
