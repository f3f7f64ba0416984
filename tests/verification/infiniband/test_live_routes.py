"""Routes of the real OpenSM, audited here and, independently, by the real ibdmchk."""

from __future__ import annotations

import re

import msgspec
import pytest

from fabric.devices.infiniband.model import SubnetLink
from fabric.verification.infiniband.reading.discovery import parse_ibnetdiscover
from fabric.verification.infiniband.reading.evidence import evidence_of
from fabric.verification.infiniband.reading.forwarding_tables import parse_lfts
from fabric.verification.infiniband.route_audit.audit_routes import audit_routes
from fabric.verification.infiniband.verify_subnet import verify_subnet
from tests.infiniband.simulator import Manager, Simulator, need_tools
from tests.infiniband.sites import FULL, SUPERPOD, compiled, routed_by
from tests.programs import ANY, run

pytestmark = pytest.mark.live
DUMPS = ("log_flags 0x43",)


@pytest.fixture(autouse=True)
def tools():
    need_tools()


def second_opinion(folder):
    """What ibdmchk says of the manager's dumps: hops, LIDs by port, and the ends of a credit loop."""
    files = ("-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs")
    ran = run("ibdmchk", *files, exits=ANY, cwd=folder)  # 1.5.7 may crash after its last word

    def histogram(title):
        body = ran.stdout.partition(title)[2].partition("-----\n\n")[0]
        return {int(many): int(count) for many, count in re.findall(r"^ +(\d+) +(\d+)$", body, re.MULTILINE)}

    assert ("no credit loops found" in ran.stdout) != ("credit loops in routing" in ran.stdout)
    ring = re.findall(r"BT credit loop through: S([0-9a-f]{16})/U1/P(\d+)", ran.stdout)
    return (
        histogram("LFT ROUTE HOP HISTOGRAM"),
        histogram("NUM DLIDS HISTOGRAM"),
        {(int(guid, 16), int(port)) for guid, port in ring},
    )


@pytest.mark.parametrize("engine", ["ftree", "updn"])
def test_a_full_tree_is_perfectly_even(tmp_path, engine):
    manager, text = compiled(FULL)["sm-1"]
    subnet = msgspec.structs.replace(manager.subnet, engine=engine)
    text = routed_by(text, engine)

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, text, DUMPS) as running:
        running.wait()
        texts = {tool: simulator.tool(tool) for tool in ("ibnetdiscover", "dump_lfts")}
        verdict = verify_subnet(subnet, evidence_of(texts), simulated=True)
        hops, lids, loop = second_opinion(running.folder)

    assert verdict.findings == ()
    assert verdict.routes is not None
    assert (len(subnet.switches), len(subnet.ends)) == (48, 1024)
    assert (verdict.routes.pairs, verdict.routes.unreachable) == (1024 * 1023, 0)
    assert (verdict.routes.uplink_min, verdict.routes.uplink_max) == (31, 31)
    assert set(verdict.routes.load.values()) == {992}
    assert len(verdict.routes.load) == 2 * 1024
    assert verdict.routes.loops == ()
    # ibdmchk counts the cable of the sending host too, and only links that go up as those of 31.
    assert hops == {many + 1: pairs for many, pairs in verdict.routes.hops.items()}
    assert lids == {1: 1024, 31: 1024}
    assert loop == set()


def ring(subnet):
    """Five leaves in a ring, without spines."""
    leaves = [switch.guid for switch in subnet.switches if switch.role == "leaf"][:5]
    hosts = tuple(link for link in subnet.links if link.upper in leaves)
    round_about = tuple(
        SubnetLink(one, 33, other, 34, 400_000)
        for one, other in zip(leaves, [*leaves[1:], leaves[0]], strict=True)
    )
    return msgspec.structs.replace(subnet, links=hosts + round_about)


def test_a_ring_has_a_credit_loop_and_ibdmchk_agrees(tmp_path):
    manager, text = compiled(SUPERPOD.format(units=1))["sm-1"]
    text = re.sub(
        r"^root_guid_file .*\n",
        "",
        routed_by(text, "minhop"),
        flags=re.MULTILINE,
    )

    with (
        Simulator(ring(manager.subnet), tmp_path) as simulator,
        Manager(simulator, manager, text, DUMPS) as running,
    ):
        running.wait()
        seen = parse_ibnetdiscover(simulator.tool("ibnetdiscover"))
        audit = audit_routes(manager.subnet, parse_lfts(simulator.tool("dump_lfts")), seen)
        _, _, loop = second_opinion(running.folder)

    assert audit.unreachable == 0
    assert [len(loop.channels) for loop in audit.loops] == [5, 5]
    # ibdmchk stops at the first ring, and names the sending host from which it came to it too.
    assert any(set(ours.channels) <= loop for ours in audit.loops)
    assert len(loop) <= 5 + 1


LANES = (
    "log_flags 0x43",
    "qos TRUE",
    "max_op_vls 4",
    "qos_max_vls 8",
    "qos_high_limit 0",
    f"qos_vlarb_high {','.join(f'{lane}:64' for lane in range(8))}",
    f"qos_vlarb_low {','.join(f'{lane}:64' for lane in range(8))}",
    f"qos_sl2vl {','.join(str(level % 8) for level in range(16))}",
)


@pytest.mark.parametrize("engine", ["lash", "dfsssp"])
def test_an_engine_that_parts_routes_by_lanes_has_no_loop_on_any(tmp_path, engine):
    site = SUPERPOD.format(units=1).partition("tenants:")[0]
    manager, text = compiled(site)["sm-1"]
    text = routed_by(text, engine)
    few = ring(manager.subnet)
    switches = {switch.guid for switch in few.switches}
    hosts = {link.upper: link.lower for link in reversed(few.links) if link.lower not in switches}
    sm = next(end.node_guid for end in few.ends if end.host == "sm-1")
    kept = tuple(link for link in few.links if link.lower in {*hosts.values(), *switches, sm})
    subnet = msgspec.structs.replace(few, links=kept, engine=engine)

    with Simulator(subnet, tmp_path) as simulator, Manager(simulator, manager, text, LANES) as running:
        running.wait()
        texts = {tool: simulator.tool(tool) for tool in ("ibnetdiscover", "dump_lfts")}
        lids = sorted(
            lid for (_, port), lid in parse_ibnetdiscover(texts["ibnetdiscover"]).lids.items() if port
        )
        texts["paths"] = "".join(
            simulator.tool("saquery", "--smkey", "1", "-p", "--slid", str(one), "--dlid", str(other))
            for one in lids
            for other in lids
            if one != other
        )
        texts["levels"] = (running.folder / "opensm-sl2vl.dump").read_text()

    assert len(lids) == 6
    without = verify_subnet(
        subnet, evidence_of({k: v for k, v in texts.items() if k != "paths"}), simulated=True
    )
    verdict = verify_subnet(subnet, evidence_of(texts), simulated=True)
    assert without.routes is not None
    assert verdict.routes is not None
    assert without.routes.loops
    assert [seen.text for seen in without.not_seen if seen.section == "routes"] == [
        (
            f"credit loops: {engine} parts routes by lanes; "
            "give path records and SL2VL tables (`saquery -p`, `saquery SL2VL`)"
        )
    ]
    assert (verdict.routes.unreachable, verdict.routes.loops) == (0, ())
    assert not [one for one in (*verdict.findings, *without.findings) if one.section == "routes"]
