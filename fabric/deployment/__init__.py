"""Talking to the devices: what they run, changing it exactly as planned, and taking it back."""

from fabric.deployment.adopting.adoption import adopt, unrecorded
from fabric.deployment.adopting.lost_journal import lost_journal
from fabric.deployment.adopting.refresh import refresh
from fabric.deployment.apply import apply, managers_beside
from fabric.deployment.between_waves.cordon import Cordon
from fabric.deployment.between_waves.windows import WEEKDAYS, Window, check_window
from fabric.deployment.check_before_apply import check_devices_of, check_plan, check_unfinished
from fabric.deployment.connection.secrets import Secrets, SecretSource
from fabric.deployment.connection.targets import targets
from fabric.deployment.drift import Drift, drift
from fabric.deployment.events import Event, OnEvent, ignore
from fabric.deployment.gates.host_paths import RailPort
from fabric.deployment.gates.links_down_now import asked_beside, cut_off_now
from fabric.deployment.gates.surroundings import Session, Surroundings
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.site_lock import break_lock, holder, under_way
from fabric.deployment.left_to_timers import endings_found, settle_left, unsettled
from fabric.deployment.observing.as_running import as_running
from fabric.deployment.observing.ask_answers import ask_answers, save_answers
from fabric.deployment.observing.observe_devices import Observations, ObserveOptions, observe
from fabric.deployment.observing.read_backups import SavedBeside, observe_folder
from fabric.deployment.options import ApplyOptions
from fabric.deployment.permissions import is_allowed_by_name, with_names
from fabric.deployment.results import DeviceResult, Result, WaveResult
from fabric.deployment.resume import resume
from fabric.deployment.site_revision import site_revision
from fabric.deployment.taking_back.earlier_phases import earlier_phases
from fabric.deployment.taking_back.restored_texts import run_to_take_back
from fabric.deployment.taking_back.rollback import check_as_left, rollback
from fabric.deployment.taking_back.rollback_plan import PlannedRollback, plan_rollback
from fabric.deployment.unlock import give_up, left_behind
from fabric.deployment.waves.bring_back import asked_for_hosts
from fabric.deployment.waves.run import Pace
from fabric.deployment.workplace import Workplace

__all__ = [
    "WEEKDAYS",
    "ApplyOptions",
    "Cordon",
    "DeviceResult",
    "Drift",
    "Event",
    "Journal",
    "Observations",
    "ObserveOptions",
    "OnEvent",
    "Pace",
    "PlannedRollback",
    "RailPort",
    "Result",
    "SavedBeside",
    "SecretSource",
    "Secrets",
    "Session",
    "State",
    "Surroundings",
    "Thresholds",
    "WaveResult",
    "Window",
    "Workplace",
    "adopt",
    "apply",
    "as_running",
    "ask_answers",
    "asked_beside",
    "asked_for_hosts",
    "break_lock",
    "check_as_left",
    "check_devices_of",
    "check_plan",
    "check_unfinished",
    "check_window",
    "cut_off_now",
    "drift",
    "earlier_phases",
    "endings_found",
    "give_up",
    "holder",
    "ignore",
    "is_allowed_by_name",
    "left_behind",
    "lost_journal",
    "managers_beside",
    "observe",
    "observe_folder",
    "plan_rollback",
    "refresh",
    "resume",
    "rollback",
    "run_to_take_back",
    "save_answers",
    "settle_left",
    "site_revision",
    "targets",
    "under_way",
    "unrecorded",
    "unsettled",
    "with_names",
]
