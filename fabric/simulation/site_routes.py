"""How a network of a site forwards: its equal paths as far as the intent lets them be used, or its subnet's tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fabric.devices.infiniband.derive_subnet import subnet
from fabric.diagnostics import Report
from fabric.graph import Graph
from fabric.graph.model import Ints
from fabric.intent.model import Intent
from fabric.simulation.engine_tables import IN_TURN, tables_of
from fabric.simulation.forwarding import SubnetTables, forwarding_of
from fabric.simulation.routes import Routes, own_hosts_alone, routes_of
from fabric.topology.override_scope import covered

ANY_WIDTH = 1 << 20
"""Of switches that use as many equal paths as there are: `auto` is never fewer."""


def ethernet_routes(intent: Intent, graph: Graph) -> Routes:
    """The routes that switches install: `max_paths` of equal ones, and only towards what leaves advertise."""
    routing = intent.site.networks[graph.net.name].routing
    routes = replace(routes_of(graph), fields=routing.hashing.fields, widths=_widths(intent, graph))
    return own_hosts_alone(routes) if routing.advertise_host_links == "none" else routes


def _widths(intent: Intent, graph: Graph) -> Ints | None:
    """Most equal paths of each switch; None: nothing in the intent limits them."""
    written = intent.site.networks[graph.net.name].routing.max_paths
    own = [override for override in intent.site.overrides if override.max_paths]
    if written == "auto" and not own:
        return None
    widths = np.full(len(graph.net.switches), ANY_WIDTH if written == "auto" else written, np.int32)
    for override in own:  # later ones win
        widths[covered(graph.net, override)] = override.max_paths or ANY_WIDTH
    return widths


def subnet_routes(
    intent: Intent, graph: Graph, given: SubnetTables | None, nic_links: NDArray[np.int32]
) -> Routes:
    """The routes with the tables that files hold, or else those that the subnet manager's engine computes."""
    routes = routes_of(graph)
    if given is not None:
        forwarding = forwarding_of(graph, intent.hardware, given, nic_links)
        return replace(routes, forwarding=forwarding)
    planned = subnet(intent, graph.net, Report())
    if planned.engine == IN_TURN:
        return replace(routes, engine=IN_TURN)
    return replace(routes, engine=planned.engine, forwarding=tables_of(routes, planned, intent.hardware))
