"""Emulated switches on loopback addresses: try plan and apply without a lab.

In a test: `with Sandbox(devices) as sandbox: ...`. As a user's tool, outliving the command: `up`, `update`, `status`,
`inject`, `clear`, `drift`, `reboot`, `advance`, `down`, each with the folder that holds the sandbox's state.
"""

from fabric.platforms.emulation import Emulated, Faults, Wire
from fabric.sandbox.emulated_network import Growth
from fabric.sandbox.sandbox import Sandbox
from fabric.sandbox.sandbox_process import (
    SUBNETS,
    State,
    Status,
    advance,
    clear,
    down,
    drift,
    inject,
    reboot,
    running_config,
    status,
    up,
    update,
)
from fabric.sandbox.simulated_subnets import SimulatedManager, environments, simulated

__all__ = [
    "SUBNETS",
    "Emulated",
    "Faults",
    "Growth",
    "Sandbox",
    "SimulatedManager",
    "State",
    "Status",
    "Wire",
    "advance",
    "clear",
    "down",
    "drift",
    "environments",
    "inject",
    "reboot",
    "running_config",
    "simulated",
    "status",
    "up",
    "update",
]
