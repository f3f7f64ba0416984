"""The root command and the list of all commands."""

from __future__ import annotations

import click

from fabric import __version__
from fabric.cli.command_classes import LateGroup

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("Write", "init", "Copy a reference site to start from."),
    ("Write", "size", "Find the cheapest layouts for a number of GPUs, each ready as a site."),
    ("Write", "validate", "Check a site and print everything that is wrong, each with its place."),
    ("Write", "show", "Show what a site expands to: devices, cables, addresses, ..."),
    ("Write", "compile", "Write the configuration of every device, and the files of hosts."),
    ("Write", "export", "Write cables, inventories, labs, drawings, zones and scheduler topologies."),
    ("Write", "import", "Take serial numbers, racks and management addresses from NetBox."),
    ("Write", "identify", "Match the GUIDs of a discovered InfiniBand subnet to the intent."),
    ("Write", "check", "Check what is compiled against the vendors' own schemas."),
    ("Write", "resize", "Show what moves if the capacity is changed."),
    ("Prove", "lint", "Find what is legal but unwise in a site: queues, buffers, rails, planes, ..."),
    ("Prove", "simulate", "Show what a collective operation puts on the links of a network."),
    (
        "Prove",
        "simulate-queue",
        "Draw the queue of an incast over time, and say whether PFC pauses, or packets are lost, before ECN has acted.",
    ),
    (
        "Prove",
        "why",
        "Explain lines of a device's configuration: what they say, how it is computed, and from what.",
    ),
    (
        "Prove",
        "where",
        "Show what a line of the intent makes: which devices, and which lines of their files.",
    ),
    ("Prove", "impact", "Show what failures take of the network, worst first."),
    ("Prove", "report", "Write everything that is known of a site as one page for a browser."),
    ("Change", "trust", "Show by what devices are known, and record new ones."),
    ("Change", "diff", "Show what a commit, a branch or an edit changes."),
    ("Change", "plan", "Show what would change on the network, and save it."),
    ("Change", "apply", "Make exactly the changes of a saved plan."),
    ("Change", "drift", "Show where the network has left the last applied state."),
    ("Change", "verify", "Compare a running network with the intent."),
    ("Change", "rollback", "Put devices back to what they ran before an apply."),
    ("Change", "history", "Show who changed what, when, and how it ended."),
    ("Change", "unlock", "Take away the lock that a dead run has left."),
    ("Try", "sandbox", "Emulated switches of a site, on this machine."),
    ("Try", "lab", "A site as real software in network namespaces of this machine."),
    ("Help", "docs", "Read the documentation that comes with the program."),
    ("Help", "explain", "Explain a diagnostic: the rule, why it exists, how to fix it."),
    ("Help", "schema", "Print the JSON Schema of a file, for editors and CI."),
    ("Help", "lens", "Look around in a site: devices, ports, configurations, and why each line is as it is."),
    ("Help", "mcp", "Answer the questions of an assistant about a site."),
    ("Help", "lsp", "Serve an editor: findings, completion and definitions while a site is written."),
    ("Help", "completion", "Print the shell completion script."),
)
"""Section, name, and the first line of the command's help (a test holds them equal)."""

EXAMPLES = (
    "fabric init lab-8 my-site",
    "fabric validate -C my-site",
    "fabric show devices -C my-site",
)


@click.group(
    cls=LateGroup,
    package="fabric.cli.commands",
    rows=COMMANDS,
    examples=EXAMPLES,
    formats=("text", "json", "csv"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=False,
)
@click.version_option(__version__, "-V", "--version", prog_name="fabric", message="%(prog)s %(version)s")
def fabric() -> None:
    """AI/GPU back-end networks as code: from one YAML intent to running switches."""
