"""The evaluation of routes comes to what real FRR comes to, also where part of the routes is lost."""

from __future__ import annotations

import pytest

from fabric.analysis.routes.build_speakers import build
from fabric.analysis.routes.evaluate import evaluate
from fabric.devices.model import LinkRole, Relation
from fabric.topology.roles import Role
from tests.analysis.sites import intent, made
from tests.platforms.frr import sites
from tests.platforms.frr.lab import START, Lab, needed_lab

pytestmark = pytest.mark.live
PODS = {"pods": {"units": 1}}
CASES = {
    "pods, leaf numbers used again": ("pods", "unique", PODS | {"again": "per_pod"}, None),
    "pods, rfc7938": ("pods", "rfc7938", PODS, None),
    "pods, shared-spine": ("pods", "shared-spine", PODS, None),
    "zones": ("zones", "shared-spine", {"zones": {"units": 1}}, None),
    "planes that meet at superspines": ("planes that meet at superspines", "rfc7938", PODS, None),
    "pods, one number for all spines": ("pods", "shared-spine", PODS, 65001),
    "zones, one number for all spines": ("zones", "shared-spine", {"zones": {"units": 1}}, 65001),
}
"""Shape, policy, and sizes; the last two as they were before, cut in parts: both must lose the same routes."""


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def small(shape, policy, sizes, number=None, **more):
    """Two leaves and plane; all spines with one AS number if there is a `number`."""
    asn = {"leaf_numbers": sizes.get("again", "unique")}
    value = intent(shape, policy=policy, asn=asn, **more)
    value |= {"units": 2, "hosts": {"gpu": dict(value["hosts"]["gpu"], per_unit=1, gpus=1)}}
    value["hosts"]["gpu"]["nics"]["compute"]["count"] = 1
    value["networks"]["compute"] |= {key: size for key, size in sizes.items() if key != "again"}
    value["networks"]["compute"]["tiers"]["spine"]["reserved_ports"] = len(more)
    site = made(value)
    net = site.topology.networks["compute"]
    for node in net.role_start[Role.SPINE] if number else ():
        net.asn[node] = number
    return site


def table(site):
    """By switch: each prefix that BGP must put into the kernel's table, with the ports of its paths."""
    built = build(site.devices.contexts[0], site.devices, every=True)
    routes, names = evaluate(built.speakers, 4), built.speakers.names
    common = built.speakers.common[4]
    told = {node: [str(p) for p in prefixes if p.version == 4] for node, prefixes in built.prefixes.items()}
    told |= {built.speakers.count + i: [str(entry.prefix)] for i, entry in enumerate(common)}
    found = {}
    for node, name in enumerate(names):
        found[name] = rows = {}
        for origin, prefixes in told.items():
            route = routes.best(node, origin)
            if route is None or origin == node:
                continue
            peers = {names[peer] for peer in route.next_hops}
            if not peers:  # from outside, right here
                peers = {common[origin - built.speakers.count].outside}
            ports = {port.name for port in site.devices[name].ports if port.peer in peers}
            rows |= dict.fromkeys(prefixes, ports)
    return found


def agrees(site, conf=""):
    """Whether real FRR comes to the evaluated routes, and to no others; `conf`: of a border router."""
    switches = {name: site.devices[name] for name in site.devices}
    files = {name: sites.files_of(switch) for name, switch in switches.items()}
    wanted = table(site)
    untold = ["border"] if conf else []
    with Lab(switches, files, site.devices.hosts.values(), untold) as lab:
        if conf:
            start_border(lab, site, conf)
        return lab.wait(lambda: all(lab.routes(name, 4) == rows for name, rows in wanted.items())) or {
            name: (lab.routes(name, 4), rows) for name, rows in wanted.items() if lab.routes(name, 4) != rows
        }


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("case", CASES)
def test_real_frr_comes_to_the_evaluated_routes(case):
    shape, policy, sizes, number = CASES[case]
    site = small(shape, policy, sizes, number)
    leaves = [name for name in site.devices if name.startswith("leaf")]
    prefixes = {prefix for rows in table(site).values() for prefix in rows}

    assert (number is None) == all(prefixes - set(table(site)[leaf]) <= own(site, leaf) for leaf in leaves)
    assert agrees(site) is True


def own(site, name):
    """The prefixes of a switch itself."""
    switch = site.devices[name]
    return {str(p) for p in switch.routing.aggregates} | {str(one.network) for one in switch.loopbacks}


def test_real_frr_comes_to_the_evaluated_routes_beside_a_border_with_a_default():
    bgp = {"asn": 65010, "prefixes": ["0.0.0.0/0"], "advertise": ["10.0.0.0/10"]}
    router = {"kind": "router", "network": "compute", "links": 1, "speed": "400G", "to": {"tier": "spine"}}
    value = {"attachments": {"border": router | {"bgp": bgp}}}
    site = small("pods", "rfc7938", PODS, **value)

    assert "0.0.0.0/0" in {prefix for rows in table(site).values() for prefix in rows}
    assert agrees(site, border_conf(site)) is True


def border(site):
    """The switch that the border router hangs on, its port there, and the session over it."""
    near = next(
        s for s in site.devices.values() if any(p.role is LinkRole.ATTACHMENT and p.peer for p in s.ports)
    )
    link = next(port for port in near.ports if port.role is LinkRole.ATTACHMENT and port.peer)
    return near, link, next(one for one in near.routing.neighbors if one.relation is Relation.EXTERNAL)


def border_conf(site):
    """The border router's configuration, by hand: it sends a default."""
    near, link, session = border(site)
    return f"""frr defaults datacenter
router bgp {session.remote_asn}
 bgp router-id 192.0.2.1
 no bgp ebgp-requires-policy
 neighbor {link.addresses[0].ip} remote-as {near.routing.asn}
 neighbor {link.addresses[0].ip} timers 3 9
 address-family ipv4 unicast
  neighbor {link.addresses[0].ip} default-originate
 exit-address-family
exit
"""


def start_border(lab, site, conf):
    """The border router's address, and its FRR."""
    _, link, session = border(site)
    box = lab.boxes["border"]
    length = link.addresses[0].prefix_length
    box.batch([f"addr add {session.address}/{length} dev {link.peer_port}"])
    for file, text in {**sites.system_files(), "frr.conf": conf}.items():
        if file in ("frr.conf", "daemons", "vtysh.conf"):
            box.write(f"etc/frr/{file}", text)
    said = box.run("sh", "-c", START)
    assert (box.root / "run/frr/bgpd.vty").exists(), said


@pytest.mark.parametrize("cleaned", [True, False], ids=["as written", "control: what it sends is kept"])
def test_a_border_that_sets_our_mark_is_heard_by_every_leaf_and_hears_of_no_mark(cleaned):
    bgp = {"asn": 65010, "prefixes": ["0.0.0.0/0"], "advertise": ["10.0.0.0/10"]}
    router = {"kind": "router", "network": "compute", "links": 1, "speed": "400G", "to": {"tier": "leaf"}}
    value = intent("two tiers", attachments={"border": router | {"bgp": bgp}})
    value |= {"units": 2, "hosts": {"gpu": dict(value["hosts"]["gpu"], per_unit=1, gpus=1)}}
    value["hosts"]["gpu"]["nics"]["compute"]["count"] = 1
    value["networks"]["compute"]["tiers"]["leaf"]["reserved_ports"] = 1
    site = made(value)
    switches = {name: site.devices[name] for name in site.devices}
    files = {name: sites.files_of(switch) for name, switch in switches.items()}
    if not cleaned:
        files = {
            name: {**parts, "frr.conf": parts["frr.conf"].replace(" set comm-list FROM-ABOVE delete\n", "")}
            for name, parts in files.items()
        }
    marking = border_conf(site).replace(" default-originate\n", " default-originate route-map MARK\n")
    marking += "route-map MARK permit 10\n set community 64999:1\nexit\n"
    near = border(site)[0].name
    other = next(name for name in switches if name.startswith("leaf") and name != near)
    with Lab(switches, files, site.devices.hosts.values(), ["border"]) as lab:
        start_border(lab, site, marking)
        assert lab.wait(lambda: "0.0.0.0/0" in lab.routes(near, 4))
        assert lab.wait(lambda: len(lab.routes(near, 4)) > 1 and len(lab.routes("border", 4)) > 1)
        assert lab.wait(lambda: "0.0.0.0/0" in lab.routes(other, 4), 20 if cleaned else 5) == cleaned
        heard = lab.vtysh("border", "show bgp ipv4 unicast community 64999:1")
        assert ("10.0." in heard) == (not cleaned)
