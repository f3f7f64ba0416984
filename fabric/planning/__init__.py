"""What would change on the network, how much that hurts, and in which order it is done."""

from fabric.planning.model import (
    Action,
    Change,
    Coupling,
    DevicePlan,
    DiffGroup,
    Impact,
    Observation,
    Plan,
    Wave,
)
from fabric.planning.options import LastApplied, PlanOptions
from fabric.planning.ownership import Ownership
from fabric.planning.plan import plan
from fabric.planning.report import Summary, summary
from fabric.planning.store import load, plan_digest, save
from fabric.planning.targets import chosen, matching, narrowed
from fabric.planning.texts import Texts

__all__ = [
    "Action",
    "Change",
    "Coupling",
    "DevicePlan",
    "DiffGroup",
    "Impact",
    "LastApplied",
    "Observation",
    "Ownership",
    "Plan",
    "PlanOptions",
    "Summary",
    "Texts",
    "Wave",
    "chosen",
    "load",
    "matching",
    "narrowed",
    "plan",
    "plan_digest",
    "save",
    "summary",
]
