"""Each function that a platform names by a text, given to its field: the types must agree.

Written by `pytest --update-golden tests/platforms/test_joint.py`, read by `make types`, never run.
"""

from __future__ import annotations


def cumulus() -> None:
    from fabric.platforms.cumulus import PLATFORM
    from fabric.platforms.cumulus.capabilities import capabilities as late_capabilities
    from fabric.platforms.cumulus.dialect import dialect as late_dialect
    from fabric.platforms.cumulus.facts import port_facts as late_port_facts
    from fabric.platforms.cumulus.lower import derived as late_derived
    from fabric.platforms.cumulus.lower import lower as late_lower
    from fabric.platforms.cumulus.names import management_port as late_management_port
    from fabric.platforms.cumulus.names import port_name as late_port_name
    from fabric.platforms.cumulus.override_rules import override_rules as late_override_rules
    from fabric.platforms.cumulus.read import read as late_read
    from fabric.platforms.cumulus.schema import check as late_schema_check
    from fabric.platforms.cumulus.secrets import fill as late_fill
    from fabric.platforms.cumulus.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _override_rules = PLATFORM.override_rules
    _override_rules = late_override_rules

    _derived = PLATFORM.derived
    _derived = late_derived

    _fill = PLATFORM.fill
    _fill = late_fill

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _schema_check = PLATFORM.schema_check
    _schema_check = late_schema_check


def dellsonic() -> None:
    from fabric.platforms.dellsonic import PLATFORM
    from fabric.platforms.dellsonic.capabilities import capabilities as late_capabilities
    from fabric.platforms.dellsonic.dialect import dialect as late_dialect
    from fabric.platforms.dellsonic.facts import port_facts as late_port_facts
    from fabric.platforms.dellsonic.lower import lower as late_lower
    from fabric.platforms.dellsonic.lower_qos import derived as late_derived
    from fabric.platforms.dellsonic.names import management_port as late_management_port
    from fabric.platforms.dellsonic.names import port_name as late_port_name
    from fabric.platforms.dellsonic.read import read as late_read

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _derived = PLATFORM.derived
    _derived = late_derived


def eos() -> None:
    from fabric.platforms.eos import PLATFORM
    from fabric.platforms.eos.capabilities import capabilities as late_capabilities
    from fabric.platforms.eos.dialect import dialect as late_dialect
    from fabric.platforms.eos.facts import port_facts as late_port_facts
    from fabric.platforms.eos.lower import derived as late_derived
    from fabric.platforms.eos.lower import lower as late_lower
    from fabric.platforms.eos.names import management_port as late_management_port
    from fabric.platforms.eos.names import port_name as late_port_name
    from fabric.platforms.eos.override_rules import override_rules as late_override_rules
    from fabric.platforms.eos.read import read as late_read
    from fabric.platforms.eos.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _override_rules = PLATFORM.override_rules
    _override_rules = late_override_rules

    _derived = PLATFORM.derived
    _derived = late_derived

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options


def frr() -> None:
    from fabric.platforms.frr import PLATFORM
    from fabric.platforms.frr.capabilities import capabilities as late_capabilities
    from fabric.platforms.frr.dialect import dialect as late_dialect
    from fabric.platforms.frr.facts import port_facts as late_port_facts
    from fabric.platforms.frr.lab import lab_box as late_lab_box
    from fabric.platforms.frr.lower import derived as late_derived
    from fabric.platforms.frr.lower import lower as late_lower
    from fabric.platforms.frr.names import management_port as late_management_port
    from fabric.platforms.frr.names import port_name as late_port_name
    from fabric.platforms.frr.override_rules import override_rules as late_override_rules
    from fabric.platforms.frr.read import read as late_read
    from fabric.platforms.frr.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _override_rules = PLATFORM.override_rules
    _override_rules = late_override_rules

    _derived = PLATFORM.derived
    _derived = late_derived

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _lab_box = PLATFORM.lab_box
    _lab_box = late_lab_box


def junos() -> None:
    from fabric.platforms.junos import PLATFORM
    from fabric.platforms.junos.capabilities import capabilities as late_capabilities
    from fabric.platforms.junos.derived import derived as late_derived
    from fabric.platforms.junos.dialect import dialect as late_dialect
    from fabric.platforms.junos.facts import port_facts as late_port_facts
    from fabric.platforms.junos.lower import lower as late_lower
    from fabric.platforms.junos.names import management_port as late_management_port
    from fabric.platforms.junos.names import port_name as late_port_name
    from fabric.platforms.junos.override_rules import override_rules as late_override_rules
    from fabric.platforms.junos.read import read as late_read
    from fabric.platforms.junos.schema import check as late_schema_check
    from fabric.platforms.junos.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _override_rules = PLATFORM.override_rules
    _override_rules = late_override_rules

    _derived = PLATFORM.derived
    _derived = late_derived

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _schema_check = PLATFORM.schema_check
    _schema_check = late_schema_check


def nxos() -> None:
    from fabric.platforms.nxos import PLATFORM
    from fabric.platforms.nxos.capabilities import capabilities as late_capabilities
    from fabric.platforms.nxos.dialect import dialect as late_dialect
    from fabric.platforms.nxos.facts import port_facts as late_port_facts
    from fabric.platforms.nxos.lower import derived as late_derived
    from fabric.platforms.nxos.lower import lower as late_lower
    from fabric.platforms.nxos.names import management_port as late_management_port
    from fabric.platforms.nxos.names import port_name as late_port_name
    from fabric.platforms.nxos.override_rules import override_rules as late_override_rules
    from fabric.platforms.nxos.read import read as late_read
    from fabric.platforms.nxos.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _override_rules = PLATFORM.override_rules
    _override_rules = late_override_rules

    _derived = PLATFORM.derived
    _derived = late_derived

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options


def opensm() -> None:
    from fabric.platforms.opensm import PLATFORM
    from fabric.platforms.opensm.dialect import dialect as late_dialect
    from fabric.platforms.opensm.emulator import furnish as late_simulated_host
    from fabric.platforms.opensm.lower import lower as late_lower
    from fabric.platforms.opensm.names import management_port as late_management_port
    from fabric.platforms.opensm.names import port_name as late_port_name
    from fabric.platforms.opensm.read import proof as late_proof
    from fabric.platforms.opensm.read import read as late_read
    from fabric.platforms.opensm.session import driver_options as late_driver_options
    from fabric.platforms.opensm.simulation_run import simulation as late_simulation

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _simulated_host = PLATFORM.simulated_host
    _simulated_host = late_simulated_host

    _proof = PLATFORM.proof
    _proof = late_proof

    _simulation = PLATFORM.simulation
    _simulation = late_simulation


def sonic() -> None:
    from fabric.platforms.sonic import PLATFORM
    from fabric.platforms.sonic.capabilities import capabilities as late_capabilities
    from fabric.platforms.sonic.dialect import dialect as late_dialect
    from fabric.platforms.sonic.facts import port_facts as late_port_facts
    from fabric.platforms.sonic.lower import lower as late_lower
    from fabric.platforms.sonic.lower_buffers import derived as late_derived
    from fabric.platforms.sonic.lower_buffers import derived_headroom as late_headroom
    from fabric.platforms.sonic.names import announced_port as late_announced_port
    from fabric.platforms.sonic.names import management_port as late_management_port
    from fabric.platforms.sonic.names import port_name as late_port_name
    from fabric.platforms.sonic.override_rules import override_rules as late_override_rules
    from fabric.platforms.sonic.read import read as late_read
    from fabric.platforms.sonic.schema import check as late_schema_check
    from fabric.platforms.sonic.secrets import fill as late_fill
    from fabric.platforms.sonic.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _announced_port = PLATFORM.announced_port
    _announced_port = late_announced_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _override_rules = PLATFORM.override_rules
    _override_rules = late_override_rules

    _derived = PLATFORM.derived
    _derived = late_derived

    _headroom = PLATFORM.headroom
    _headroom = late_headroom

    _fill = PLATFORM.fill
    _fill = late_fill

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _schema_check = PLATFORM.schema_check
    _schema_check = late_schema_check


def srlinux() -> None:
    from fabric.platforms.srlinux import PLATFORM
    from fabric.platforms.srlinux.buffers import derived as late_derived
    from fabric.platforms.srlinux.capabilities import capabilities as late_capabilities
    from fabric.platforms.srlinux.dialect import dialect as late_dialect
    from fabric.platforms.srlinux.facts import port_facts as late_port_facts
    from fabric.platforms.srlinux.lower import lower as late_lower
    from fabric.platforms.srlinux.names import management_port as late_management_port
    from fabric.platforms.srlinux.names import port_name as late_port_name
    from fabric.platforms.srlinux.read import read as late_read
    from fabric.platforms.srlinux.schema import check as late_schema_check
    from fabric.platforms.srlinux.session import driver_options as late_driver_options

    _capabilities = PLATFORM.capabilities
    _capabilities = late_capabilities

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _port_facts = PLATFORM.port_facts
    _port_facts = late_port_facts

    _derived = PLATFORM.derived
    _derived = late_derived

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _schema_check = PLATFORM.schema_check
    _schema_check = late_schema_check


def ufm() -> None:
    from fabric.platforms.ufm import PLATFORM
    from fabric.platforms.ufm.dialect import dialect as late_dialect
    from fabric.platforms.ufm.half_commits import is_half_commit as late_is_half_commit
    from fabric.platforms.ufm.lower import lower as late_lower
    from fabric.platforms.ufm.names import management_port as late_management_port
    from fabric.platforms.ufm.names import port_name as late_port_name
    from fabric.platforms.ufm.read import read as late_read
    from fabric.platforms.ufm.session import driver_options as late_driver_options

    _port_name = PLATFORM.port_name
    _port_name = late_port_name

    _management_port = PLATFORM.management_port
    _management_port = late_management_port

    _lower = PLATFORM.lower
    _lower = late_lower

    _read = PLATFORM.read
    _read = late_read

    _dialect = PLATFORM.dialect
    _dialect = late_dialect

    _driver_options = PLATFORM.driver_options
    _driver_options = late_driver_options

    _is_half_commit = PLATFORM.is_half_commit
    _is_half_commit = late_is_half_commit
