"""A running Ethernet network against its intent: cabling, ports, sessions, queues and routes."""

from fabric.verification.ethernet.planned_network import PlannedNetwork
from fabric.verification.ethernet.read_answers import read_answers
from fabric.verification.ethernet.verify_network import Evidence, verify_network

__all__ = ["Evidence", "PlannedNetwork", "read_answers", "verify_network"]
