"""The questions that an assistant may ask. Each is one command of the program that reads, and none that changes."""

from __future__ import annotations

import tempfile
from typing import Annotated, Any, Literal

from pydantic import Field

from fabric.assistant.ask_program import Site

Answer = dict[str, Any]
Files = Annotated[
    dict[str, str] | None,
    Field(
        description="To try an edit: texts in the place of files of the site, by name, such as "
        "{'site.yaml': '...'}. The files themselves stay as they are."
    ),
]
Network = Annotated[str | None, Field(description="Only this network of the site, such as `compute`.")]
Device = Annotated[str | None, Field(description="Only this switch or host, such as `leaf-0-0`.")]
Lists = Literal["topology", "devices", "links", "cables", "addresses", "asn", "qos", "bom", "sizing"]
Operation = Literal[
    "allreduce",
    "reducescatter",
    "allgather",
    "alltoall",
    "broadcast",
    "sendrecv",
    "mpi-allreduce",
    "mpi-allgather",
    "mpi-alltoall",
    "mpi-bcast",
]


class Tools:
    """One site, and what may be asked about it."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def validate(self, files: Files = None) -> Answer:
        """Check the site: every mistake with file, line, column, rule and fix. exit_code 0: it compiles."""
        return self.site.ask("validate", files=files)

    def show(
        self, what: Lists, network: Network = None, device: Device = None, files: Files = None
    ) -> Answer:
        """List what the site expands to: tiers, devices, links, cables, addresses, AS numbers, queues, parts."""
        return self.site.ask(
            "show", what, *_option("--network", network), *_option("--device", device), files=files
        )

    def configuration(
        self,
        device: Annotated[str, Field(description="A switch or host, such as `leaf-0-0`.")],
        files: Files = None,
    ) -> Answer:
        """The configuration of one device as it is compiled, in its product's own language; secrets are names."""
        return {"files": self.site.configuration(device, files)}

    def why(
        self,
        device: Annotated[str, Field(description="A switch or host, such as `leaf-0-0`.")],
        words: Annotated[str, Field(description="Of a line of its configuration: `random-detect ecn`.")],
        files: Files = None,
    ) -> Answer:
        """Where lines of a configuration come from: what they say, the formula, and the values of the intent."""
        return self.site.ask("why", "--", device, words, files=files)

    def where(
        self,
        place: Annotated[str, Field(description="`site.yaml:24`, or `networks.compute.ip_mtu`.")],
        files: Files = None,
    ) -> Answer:
        """What a value of the intent makes: which devices, and which lines of their configurations."""
        return self.site.ask("where", "--", place, files=files)

    def lint(self, files: Files = None) -> Answer:
        """Find what is legal but unwise: queues that disagree, thin headroom, polarised hashing, single points."""
        return self.site.ask("lint", files=files)

    def explain(
        self, code: Annotated[str, Field(description="Of a finding: `FAB204`.", pattern=r"^FAB\d{3,4}$")]
    ) -> Answer:
        """What a finding means, why the rule exists, and how to mend it."""
        return self.site.ask("explain", code)

    def models(
        self,
        model: Annotated[str | None, Field(description="One model, with all that is known of it.")] = None,
    ) -> Answer:
        """List the switches and hosts of the catalogue, which a tier or a group of hosts may name."""
        return self.site.ask("show", "models", *(("--", model) if model else ()))

    def schema(
        self, name: Annotated[Literal["intent", "inventory", "state", "policy", "hardware"], Field()]
    ) -> Answer:
        """The JSON Schema of a file that people write: every key, its values, and its meaning."""
        return self.site.ask("schema", name)

    def simulate(
        self,
        operation: Operation = "allreduce",
        gpus: Annotated[int | None, Field(ge=1, description="Default: all.")] = None,
        placement: Literal["contiguous", "random"] = "contiguous",
        files: Files = None,
    ) -> Answer:
        """What a collective operation gets of the network: bus bandwidth, hottest links, worst incast."""
        words = ("simulate", operation, "--placement", placement, *_option("--gpus", gpus))
        return self.site.ask(*words, files=files)

    def impact(
        self,
        take: Annotated[
            str | None,
            Field(description="May these be taken out together? `spine-0,spine-1`, or `leaf-0-0:spine-0`."),
        ] = None,
        files: Files = None,
    ) -> Answer:
        """What each single failure takes of the network, worst first; or whether a maintenance may be done."""
        return self.site.ask("impact", *_option("--take", take), files=files)

    def plan_offline(
        self,
        backups: Annotated[str, Field(description="Folder of saved configurations below the site's folder.")],
        files: Files = None,
    ) -> Answer:
        """What would change on devices that run the saved configurations: diffs, impacts, waves. None is asked."""
        folder = self.site.path_inside(backups)
        with tempfile.TemporaryDirectory(prefix="fabric-") as out:
            return self.site.ask("plan", f"--offline={folder}", f"--out={out}/plan", files=files)

    def diff(
        self,
        old: Annotated[str, Field(description="A revision of git.")] = "HEAD",
        new: Annotated[str, Field(description="A revision; empty: the files as they are.")] = "",
    ) -> Answer:
        """What a commit, a branch or an edit changes: values, devices and cables, moves, and configurations."""
        return self.site.ask("diff", "--", old, *([new] if new else []))

    def size(
        self,
        gpus: Annotated[int, Field(ge=1, le=1_000_000)],
        nic: Annotated[str, Field(description="`400G`, or `2x200G` for two ports.", pattern=r"^\d+x?\d*G$")],
        technology: Literal["ethernet", "infiniband"] = "ethernet",
    ) -> Answer:
        """The cheapest layouts for a number of GPUs: switches, optics, cables, tiers, worst single failure."""
        return self.site.ask("size", f"--gpus={gpus}", f"--nic={nic}", f"--technology={technology}")

    @property
    def all(self) -> tuple[Any, ...]:
        """Every question, in the order in which assistants list them."""
        return (
            self.validate,
            self.show,
            self.configuration,
            self.why,
            self.where,
            self.lint,
            self.explain,
            self.models,
            self.schema,
            self.simulate,
            self.impact,
            self.plan_offline,
            self.diff,
            self.size,
        )


def _option(name: str, value: object) -> tuple[str, ...]:
    """An option with its value in one word, so that no value is taken for another option."""
    return (f"{name}={value}",) if value is not None else ()
