"""Tables of failures and what they take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabric.tables.table import Column, Row, Table
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.failures import Effect, Impact, Maintenance

FAILURES, CLASSES, PAIRS = ("failure", "failures"), ("class", "classes"), ("pair", "pairs")


def _percent(value: Any) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") + " %"


def _ratio(value: Any) -> str:
    if value is None:
        return "no uplink"
    return f"{value:.4f}".rstrip("0").rstrip(".") + ":1" if value else ""


def _style(value: Any) -> str:
    return "red" if value else ""


EFFECTS = (
    Column(key="hosts_cut_off", heading="HOSTS CUT OFF", right=True, style=_style),
    Column(key="rails_isolated", heading="RAILS ISOLATED", right=True, style=_style),
    Column(key="host_pairs_parted", heading="PAIRS PARTED", right=True, style=_style, rank=1),
    Column(key="leaf_pairs_lost", heading="LEAF PAIRS LOST", right=True, style=_style, rank=2),
    Column(key="hosts_slowed", heading="HOSTS SLOWED", right=True, rank=3),
    Column(key="allreduce_percent", heading="ALLREDUCE", right=True, show=_percent),
    Column(key="rail_percent", heading="SLOWEST RAIL", right=True, show=_percent, rank=4),
    Column(key="scattered_percent", heading="SCATTERED", right=True, show=_percent, rank=5),
    Column(key="bisection_percent", heading="BISECTION", right=True, show=_percent),
    Column(key="leaf_oversubscription", heading="LEAVES", right=True, show=_ratio, rank=6),
    Column(key="spine_oversubscription", heading="SPINES", right=True, show=_ratio, rank=7),
)
"""One for each number of an effect, by its name."""


def failure_table(impacts: Sequence[Impact], most: int | None) -> Table:
    """One row a class of failures, the worst first; of each network the worst `most`."""
    several = len(impacts) > 1

    def rows() -> Iterator[Row]:
        for impact in impacts:
            for row in impact.classes[:most]:
                effect = (getattr(row.effect, column.key) for column in EFFECTS)
                yield (
                    *([impact.network] if several else []),
                    row.kind,
                    row.count,
                    row.example,
                    *effect,
                )

    columns = (
        *([Column(key="network", heading="NETWORK", rank=1)] if several else []),
        Column(key="failure", heading="FAILURE"),
        Column(key="count", heading="COUNT", right=True, show=lambda value: f"{value:,}"),
        Column(key="example", heading="EXAMPLE", rank=1),
        *EFFECTS,
    )
    return Table(name="failures", columns=columns, rows=rows, noun=CLASSES)


def _effects(effect: Effect) -> Iterator[Any]:
    return (getattr(effect, column.key) for column in EFFECTS)


def taken_table(answers: Sequence[Maintenance]) -> Table:
    """What taking something out does, a row a network."""

    def rows() -> Iterator[Row]:
        for answer in answers:
            yield answer.network, answer.is_allowed, answer.links, *_effects(answer.effect), answer.reasons

    columns = (
        Column(key="network", heading="NETWORK"),
        Column(key="is_allowed", heading="ALLOWED"),
        Column(key="links", heading="LINKS", right=True),
        # What is left out in a narrow terminal leaves room for the reasons.
        *(replace(column, rank=column.rank + 1) for column in EFFECTS),
        Column(key="reasons", heading="WHY NOT", wraps=True),
    )
    return Table(name="networks", columns=columns, rows=rows, noun=("network", "networks"))


def job_table(answers: Sequence[Maintenance]) -> Table:
    """The jobs that feel it."""

    def rows() -> Iterator[Row]:
        for answer in answers:
            for job in answer.jobs:
                yield job.job, answer.network, job.hosts, *_effects(job.effect)

    columns = (
        Column(key="job", heading="JOB"),
        Column(key="network", heading="NETWORK", rank=1),
        Column(key="hosts", heading="HOSTS", right=True),
        *EFFECTS,
    )
    return Table(name="jobs", columns=columns, rows=rows, noun=("job", "jobs"), title="Jobs that feel it")


def summary(impacts: Sequence[Impact]) -> str:
    """`45,482 failures in 5 classes`."""
    failures = sum(impact.failures for impact in impacts)
    classes = sum(len(impact.classes) for impact in impacts)
    orbits = sum(impact.classes_by_orbit for impact in impacts)
    if orbits:
        by_orbit = counted(orbits, CLASSES)
        return f"{counted(failures, PAIRS)} in {by_orbit}, {counted(classes, CLASSES)} of equal effect"
    return f"{counted(failures, FAILURES)} in {counted(classes, CLASSES)} of equal effect"


SPARE_HOSTS = ("spare host is left out: it carries", "spare hosts are left out: they carry")
LINKS_OUT = ("link that is taken out already carries", "links that are taken out already carry")


def notes(impact: Impact) -> Iterator[str]:
    """What people should know of how the answer came about."""
    if impact.spare_hosts:
        yield f"{impact.network}: {counted(impact.spare_hosts, SPARE_HOSTS)} nothing yet"
    if impact.links_out:
        yield f"{impact.network}: {counted(impact.links_out, LINKS_OUT)} nothing"
    if impact.broken:
        yield (
            f"{impact.network}: {len(impact.broken):,} symmetries of the layout do not hold on the links "
            f"({impact.broken[0]}, ...): they are not used, and more failures are looked at one by one"
        )
