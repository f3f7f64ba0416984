"""What overrides bring verbatim, by file.

    extra:
      nht: ip nht resolve-via-default        # any name: frr.conf
      interfaces: |                          # whole stanzas of interfaces that are not ours
        auto dummy0
        iface dummy0
            link-type dummy
      sysctl: net.ipv4.tcp_ecn = 1           # keys of net and vm that we do not write

The script of ports and queues, qos.sh, takes no lines: it runs as root, and every port of the switch is ours. Sources:
interfaces(5) of ifupdown2 (`auto`, `allow-`, `iface`; hooks, `source`; a backslash joins lines), its
ifupdown2.conf(5) (Mako templates) and examples (`bridge-ports glob`); sysctl.d(5) (`-`, `/`, globs); Linux,
Documentation/admin-guide/sysctl/kernel.rst (`core_pattern`, `modprobe`) and binfmt-misc.rst name programs to run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.frr import codes
from fabric.platforms.frr.lower_system import lower_sysctls
from fabric.platforms.frr.names import MANAGEMENT, vlan_name
from fabric.platforms.overrides.lines import EXECUTED, RUNS, Fault, faults, paths
from fabric.platforms.overrides.prefixes_in_lines import networks_of, overlapping
from fabric.platforms.overrides.vtysh import ALSO_CONFIGURED

SECTIONS = {"interfaces": "interfaces", "sysctl": "sysctl.conf"}
"""Overrides of these names go into these files, all others but `qos` into frr.conf."""
SCRIPT = "qos"
HOOKS = frozenset(
    {"pre-up", "up", "post-up", "pre-down", "down", "post-down", "mapping", "map", "script", "template"}
    | {"source", "source-directory", "rename"}
)
"""Words of /etc/network/interfaces that run a command, or bring another file."""
MAKO = re.compile(r"^%|<%|\$\{")
"""ifupdown2 hands a file that holds these to a template engine, which runs Python."""
SEVERAL = re.compile(r"[*?\[\]\\]|\b(?:glob|regex)\b|\d-\d")
"""Names of several interfaces, and lines that go on."""
HEADERS = re.compile(r"(?i)(?:auto|iface|allow-[a-z]+)\s")
SYSCTL = re.compile(r"-?((?:net|vm)[./][A-Za-z0-9_./*?\[\]-]+)\s*=\s*[\w ,.:/-]+")
HARMLESS = re.compile(
    r"net\.core\.(?:(?:rmem|wmem)_(?:default|max)|netdev_max_backlog|somaxconn|default_qdisc)"
    r"|net\.ipv4\.tcp_(?:congestion_control|ecn|keepalive_[a-z]+|mtu_probing|rmem|sack|timestamps|wmem)"
    r"|vm\.(?:dirty_[a-z_]+|swappiness|vfs_cache_pressure)"
)
"""Keys that change neither forwarding nor the tables of neighbours: Linux, Documentation/networking/ip-sysctl.rst and
Documentation/admin-guide/sysctl (`net.rst`, `vm.rst`)."""


def lower_extra(switch: Switch, report: Report) -> dict[str, tuple[str, ...]]:
    """Verbatim lines by file."""
    blocks: dict[str, list[str]] = {name: [] for name in ("frr.conf", *SECTIONS.values())}
    for lines in switch.extra:
        file = SECTIONS.get(lines.section, "frr.conf")
        for number, line, effect, hint in _faults(lines.section, lines.text, switch):
            rule = (
                f"{file if lines.section != SCRIPT else 'qos.sh'} would {effect} at the line {line.strip()!r}"
            )
            report.add(codes.TEXT.at(lines.place_of(number), rule, value=line, hint=hint))
        blocks[file].append(lines.text.rstrip("\n"))
    return {name: tuple(texts) for name, texts in blocks.items()}


def _faults(section: str, text: str, switch: Switch) -> Iterator[Fault]:
    """What must not stand in a block of that name."""
    if section == SCRIPT:
        first = next(iter(text.splitlines()), "")
        hint = "remove the override; put commands into a script and unit of your own"
        yield Fault(1, first, "run it as root", hint)
    elif section == "interfaces":
        yield from _stanzas(text, _names(switch))
        yield from _addresses(text, switch)
    elif section == "sysctl":
        yield from _settings(text, switch)
    else:
        yield from faults(text, EXECUTED - ALSO_CONFIGURED)


def _names(switch: Switch) -> set[str]:
    """Every interface that we write."""
    vlans = {vlan_name(gateway.vlan) for gateway in switch.gateways}
    return {port.name for port in switch.ports} | vlans | {"lo", "bridge", MANAGEMENT, switch.management.vrf}


def _stanzas(text: str, ours: set[str]) -> Iterator[Fault]:
    """Lines of /etc/network/interfaces that are not stanzas of other interfaces, or run something."""
    is_open = False
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        header = HEADERS.match(line) is not None
        is_open = is_open or header
        vrf = words[0] == "vrf"  # joining the table of management takes nothing from it
        if words[0].casefold() in HOOKS or MAKO.search(line.strip()):
            hint = "remove it; what runs on a switch is set up outside of this program"
            yield Fault(number, line, RUNS, hint)
        elif (not vrf and ours & set(words[1:])) or SEVERAL.search(line):
            hint = "name one interface that is not ours"
            yield Fault(number, line, "change interfaces of ours, or several at once", hint)
        elif not is_open or (not header and not line[0].isspace()):
            hint = "write `auto NAME` and `iface NAME`, and indent what is below"
            yield Fault(number, line, "continue the stanza above", hint)


def _addresses(text: str, switch: Switch) -> Iterator[Fault]:
    """Addresses of dummies and tunnels that are ours, or those of a neighbour."""
    ours = networks_of(switch)
    for number, path in paths(text, comment="#"):
        if (pair := overlapping(path[-1:], ours)) is not None:
            effect = f"take {pair[0]} ({pair[1]} is ours)"
            yield Fault(number, path[-1], effect, "choose an address outside of the networks of the site")


def _settings(text: str, switch: Switch) -> Iterator[Fault]:
    """Lines of sysctl.conf that set what we set, what stops forwarding, or what runs programs."""
    keys = [key for key, _ in lower_sysctls(switch)]
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.strip().startswith(("#", ";")):
            continue
        match = SYSCTL.fullmatch(line.strip())
        if match is None:
            yield Fault(number, line, RUNS, "write `KEY = VALUE` with a key of net or vm")
            continue
        key = match[1].replace("/", ".")
        if any(fnmatchcase(pattern, key) for pattern in keys):
            yield Fault(number, line, "set again what follows from the intent", "remove the line")
        elif HARMLESS.fullmatch(key) is None:
            hint = "remove the line: only keys that are known to leave forwarding alone are taken"
            yield Fault(number, line, "change how the switch forwards", hint)
