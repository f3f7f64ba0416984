"""What a plan says of each kind of change, read from start to end: one file a case.

`pytest --update-golden` writes the files anew; read their diff.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.diagnostics import Diagnostic
from fabric.planning import Observation, Plan, Texts, codes, plan, summary
from fabric.platforms import registry
from fabric.platforms.base import Artifact, Part, Reason
from tests.infiniband.sites import SMALL_HARDWARE, TINY
from tests.planning.toy import NOW, PLATFORM, Site, applied, digest, observation, options, planned, pod

FOLDER = Path(__file__).parent / "plans"
BY_HAND = dataclasses.replace(PLATFORM, parts=(Part("main", ""), Part("host", "", by_hand=True)))
UNDRIVEN = dataclasses.replace(
    PLATFORM, undriven=Reason("no public source shows a way to take a change back", "push the file yourself")
)
LEAF = "leaf-0-0-0"
SECRETS = "-user netops secret <masked>\n+user netops secret <masked>"
Made = tuple[Plan, Texts]


def same(site: Site) -> Made:
    return planned(site, site.texts)


def edited(*changes: tuple[str, ...], **fields: Any) -> Callable[[Site], Made]:
    """From what runs to the site with some changes: old, new, and the devices, or all of them."""

    def case(site: Site) -> Made:
        running, target = dict(site.texts), site
        for old, new, *names in changes:
            target = target.edited(old, new, *names)
        return planned(target, running, **fields)

    return case


def adopted(site: Site) -> Made:
    return planned(site, dict.fromkeys(site.texts, "hostname blank\nbanner THEIRS\n"), last_applied={})


def unknown(site: Site) -> Made:
    """Nothing is saved of three devices; one of them was applied before."""
    known = applied({LEAF: site.texts[LEAF]})
    seen = {name: observation(name, site.texts[name]) for name in site.texts}
    for name in (LEAF, "leaf-0-0-1", "spine-0-0"):
        seen[name] = Observation(device=name, source="nothing", when=NOW, text="", digest=digest(""))
    rest = {name: applied({name: site.texts[name]})[name] for name in ("spine-0-1",)}
    fields = options(last_applied=known | rest, mode="offline", removed=("leaf-9-9", "spine-9"))
    return plan(site.artifacts(), seen, switches=site.switches, options=fields)


def apart(site: Site) -> Made:
    """A leaf gets another AS number, and nobody asked for its spines."""
    asn = f"bgp {site.switches[LEAF].routing.asn}"
    running = {LEAF: site.texts[LEAF]}
    return planned(site.edited(asn, "bgp 4200000001", LEAF), running, only=frozenset((LEAF,)))


def unobserved(*, later: bool) -> Callable[[Site], Made]:
    def case(site: Site) -> Made:
        running = {name: text for name, text in site.texts.items() if not name.startswith("spine")}
        target = site.edited("mtu 9000", "mtu 4000", LEAF)
        return planned(target, running, unreachable={"spine-0-0": "timed out"}, skip_unreachable=later)

    return case


def by_device(diff: str, old: str = "", new: str = "", **fields: Any) -> Callable[[Site], Made]:
    """One device, asked online: its own diff."""

    def case(site: Site) -> Made:
        target = site.edited(old, new, LEAF) if old else site
        seen = {LEAF: observation(LEAF, site.texts[LEAF], diff)}
        fields_ = options(**{"last_applied": applied(site.texts), **fields})
        return plan({LEAF: target.artifacts()[LEAF]}, seen, switches=site.switches, options=fields_)

    return case


def foreign(site: Site) -> Made:
    running = {name: text + "foreign tap\n   mirror p1\n" for name, text in site.texts.items()}
    return planned(
        site.edited("ntp 192.0.2.9", "ntp 192.0.2.10", LEAF), running, last_applied=applied(site.texts)
    )


def overridden(site: Site) -> Made:
    """Somebody has shut a port of ours, and nothing else changes."""
    running = {LEAF: site.texts[LEAF].replace("interface p1\n", "interface p1\n   shutdown\n")}
    return planned(site, site.texts | running, last_applied=applied(site.texts))


def without_journal(site: Site) -> Made:
    """As a pull request plans that has no journal."""
    running = {name: text + "foreign tap\n" for name, text in site.texts.items()}
    return planned(site, running, last_applied=None)


def derived(site: Site) -> Made:
    """Of a product that computes some quantities itself."""
    made = {
        name: msgspec.structs.replace(artifact, derived={"headroom": "49 KB"})
        for name, artifact in site.artifacts().items()
    }
    seen = {name: observation(name, text) for name, text in site.texts.items()}
    return plan(made, seen, switches=site.switches, options=options(last_applied=applied(site.texts)))


def waits(site: Site) -> Made:
    """A timer runs on a device that says what it should."""
    waiting = "fabric-9.1-00000000-1-abcd-bob of netops, which goes back by itself in 42 s"
    seen = {name: observation(name, text, "") for name, text in site.texts.items()}
    seen[LEAF] = msgspec.structs.replace(seen[LEAF], waiting=waiting)
    fields = options(last_applied=applied(site.texts))
    return plan(site.artifacts(), seen, switches=site.switches, options=fields)


PORT = ("   description host-0-0\n", "   description gpu\n", LEAF)
CASES: dict[str, Callable[[Site], Made]] = {
    "nothing": same,
    "a harmless change": edited(("ntp 192.0.2.9", "ntp 192.0.2.10")),
    "a port of a host": edited(PORT),
    "all uplinks": edited(("description spine", "description up", LEAF)),
    "a spine and its twin": edited(("description leaf", "description l", "spine-0-0", "spine-0-1")),
    "a link": edited(("mtu 9000", "mtu 4000", LEAF)),
    "a drain that cuts others off": edited(PORT, separating={LEAF: "whom it cuts off"}),
    "management access": edited(("way-in 192.0.2.10", "way-in 192.0.2.99", LEAF)),
    "management access goes": edited(("way-in 192.0.2.10/24\n", "", LEAF)),
    "all links": edited(("mtu 9000", "mtu 4000")),
    "an AS number": edited(("bgp ", "bgp 9", LEAF)),
    "a target without the other end": apart,
    "an adoption": adopted,
    "no saved configurations": unknown,
    "switches that were not observed": unobserved(later=False),
    "switches left for later": unobserved(later=True),
    "lines that are not ours": foreign,
    "lines that may override ours": overridden,
    "no journal": without_journal,
    "what the device writes otherwise": by_device("", "ntp 192.0.2.9", "ntp 192.0.2.10"),
    "a secret": by_device(SECRETS, ignore_secrets=False),
    "what only the device sees": by_device("-   old\n+   new"),
    "secrets that are ignored": by_device(SECRETS),
    "quantities of the product": derived,
    "a commit that waits": waits,
}


@pytest.fixture
def site() -> Site:
    return pod(units=1)


@pytest.mark.parametrize("name", CASES)
def test_a_plan_reads_as_it_did(name: str, site: Site, *, update_golden: bool) -> None:
    made, texts = CASES[name](site)

    assert shown(name, made, update=update_golden)
    assert {device.diff for device in made.changed} | {device.candidate for device in made.changed} <= {
        *texts
    }


def test_files_that_nobody_compares_are_named(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, update_golden: bool
) -> None:
    monkeypatch.setitem(registry.ROWS, "toy", "tests.planning.test_whole_plans:BY_HAND")
    registry.platform.cache_clear()

    assert shown("files that nobody compares", same(site)[0], update=update_golden)


def test_a_plan_of_a_product_that_nobody_drives_reads_as_it_did(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, update_golden: bool
) -> None:
    monkeypatch.setitem(registry.ROWS, "toy", "tests.planning.test_whole_plans:UNDRIVEN")
    registry.platform.cache_clear()

    assert shown("switches that nobody drives", unobserved(later=True)(site)[0], update=update_golden)


@pytest.fixture(scope="module")
def managers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """An InfiniBand site before and after a host joins a tenant."""
    folder = tmp_path_factory.mktemp("managers")
    found = []
    for text in (TINY, TINY.replace("hosts: [gpu-0-2, gpu-1-2]", "hosts: [gpu-0-2, gpu-1-2, gpu-0-3]")):
        for name, body in {"site.yaml": text, **SMALL_HARDWARE}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(body)
        found.append(api.compile(folder))
    return found[0], found[1]


def test_managers_of_a_subnet_change_in_turn_and_invented_guids_are_told(
    managers: tuple[Any, Any], *, update_golden: bool
) -> None:
    before, after = managers
    names = [name for name, device in before.devices.items() if device.role == "subnet_manager"]
    kind = registry.platform(before.devices[names[0]].platform)
    seen = {}
    for name in names:
        text = kind.dialect().plain(before.artifacts[name].text)
        text = re.sub(r"<secret:[^>]+>", "<masked>", text)
        seen[name] = Observation(device=name, source="folder", when=NOW, text=text, digest=digest(text))
    artifacts: Mapping[str, Artifact] = {name: after.artifacts[name] for name in names}
    made, _ = plan(artifacts, seen, switches=after.devices, options=options(last_applied=None))

    assert shown("managers of a subnet", made, update=update_golden)


def test_every_finding_of_planning_is_in_one_of_the_files() -> None:
    texts = "".join(file.read_text() for file in FOLDER.iterdir())
    known = {value.code: value for name, value in vars(codes).items() if name.isupper()}

    # Of a saved plan, of a command, of passwords that wait, of other keys: test_store, test_targets,
    # test_rotated_secrets, test_other_devices, test_trust.
    left = {"FAB610", "FAB615", "FAB619", "FAB620", "FAB621", "FAB706"}
    assert left == {code for code in known if code not in texts}


def shown(name: str, made: Plan, *, update: bool) -> bool:
    text, file = "".join(f"{line}\n" for line in lines(made)), FOLDER / f"{name.replace(' ', '-')}.txt"
    if update:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    assert file.read_text() == text
    return True


def lines(made: Plan) -> Iterator[str]:
    counted = msgspec.to_builtins(summary(made))
    yield f"summary: {words(counted)}"
    yield f"plan: {made.site} {made.mode} by {made.program}, adopt {made.adopt}, removed {made.removed}"
    for device in made.devices:
        keys = ("platform", "network", "role", "group", "plane", "kept_lines", "derived", "drained")
        about = words({key: getattr(device, key) for key in keys})
        yield f"{device.device}: {device.action.value} {device.impact.value} {about}"
        for change in device.changes:
            yield f"   {change.action} {change.what}: {change.impact.value}: {change.reason} ({scope(change.scope)})"
    for wave in made.waves:
        marks = words({"canary": wave.canary, "in_turn": wave.in_turn, "together": wave.together})
        yield f"wave {wave.number} {wave.impact.value} {marks}: {', '.join(wave.devices)}: {wave.reason}"
    for group in made.groups:
        yield f"group {group.impact.value}: {', '.join(group.devices)}"
    if made.held or made.phases_left:
        yield f"held: {', '.join(made.held)}: {made.phases_left} phases left"
    for link in made.couplings:
        yield f"coupled {link.ends}: {link.what}: {link.reason}"
    yield from (finding(told) for told in made.diagnostics)


def finding(told: Diagnostic) -> str:
    where = f"{told.origin.document}:{told.origin}"
    about = f" [{told.about}]" if told.about else ""
    return (
        f"{told.code} {told.severity.value} {where}{about} {told.subjects}: {told.rule}\n   hint: {told.hint}"
    )


def scope(what: Any) -> str:
    return words(msgspec.to_builtins(what)) or "nothing"


def words(fields: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in fields.items() if value or value == -1)
