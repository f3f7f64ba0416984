"""Talking to the devices: what they run, changing it exactly as planned, and taking it back."""

from fabric.deployment.apply import apply, managers_beside
from fabric.deployment.backups import observe_folder
from fabric.deployment.checks import check_unfinished
from fabric.deployment.drift import Drift, drift
from fabric.deployment.events import Event, OnEvent, ignore
from fabric.deployment.jobs import State
from fabric.deployment.journal import Journal
from fabric.deployment.locks import break_lock, holder
from fabric.deployment.observe import Observations, ObserveOptions, observe
from fabric.deployment.options import ApplyOptions
from fabric.deployment.recovery import resume
from fabric.deployment.results import DeviceResult, Result, WaveResult
from fabric.deployment.rollback import rollback
from fabric.deployment.secrets import Secrets, SecretSource
from fabric.deployment.targets import targets
from fabric.deployment.waves import Pace
from fabric.deployment.workplace import Workplace

__all__ = [
    "ApplyOptions",
    "DeviceResult",
    "Drift",
    "Event",
    "Journal",
    "Observations",
    "ObserveOptions",
    "OnEvent",
    "Pace",
    "Result",
    "SecretSource",
    "Secrets",
    "State",
    "WaveResult",
    "Workplace",
    "apply",
    "break_lock",
    "check_unfinished",
    "drift",
    "holder",
    "ignore",
    "managers_beside",
    "observe",
    "observe_folder",
    "resume",
    "rollback",
    "targets",
]
