"""`fabric verify` of a simulated subnet."""

from __future__ import annotations

from fabric.devices.infiniband.model import EndKind, Subnet
from fabric.verification.infiniband import Planned, SubnetVerdict, verify_subnet
from fabric.verification.infiniband.reading.evidence import evidence_of
from tests.infiniband import oracle
from tests.infiniband.simulator import Simulator, port_guid


def verdict(subnet: Subnet, simulator: Simulator, *, keys: bool = True) -> SubnetVerdict:
    """What is to be said of cables, LIDs and routes; of P_Keys, if each port shall be asked for them."""
    texts = {tool: simulator.tool(tool) for tool in ("ibnetdiscover", "dump_lfts")}
    if keys:  # ibsim's clients get one record of the subnet administration at a time
        lids = oracle.seen(simulator).lids
        for end in subnet.ends:
            said = simulator.tool("smpquery", "-G", "pkeys", f"{port_guid(end):#x}")
            lid = lids[end.node_guid, end.port]
            texts[end.name] = f"# pkeys lid {lid} port {end.port}\n{said}"
    managers = [
        Planned(end.host, end.port_guid, None) for end in subnet.ends if end.kind is EndKind.SUBNET_MANAGER
    ]
    return verify_subnet(subnet, evidence_of(texts), managers=managers, simulated=True)
