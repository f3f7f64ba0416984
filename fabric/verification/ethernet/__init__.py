"""A running Ethernet network against its intent: cabling, ports, sessions, queues, hosts and routes."""

from fabric.verification.ethernet.host_results import read_host_results
from fabric.verification.ethernet.planned_network import PlannedNetwork
from fabric.verification.ethernet.read_answers import read_answers
from fabric.verification.ethernet.verify_network import Evidence, verify_network

__all__ = ["Evidence", "PlannedNetwork", "read_answers", "read_host_results", "verify_network"]
