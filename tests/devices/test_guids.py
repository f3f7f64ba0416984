"""GUIDs come from the inventory, from tables, from a discovered subnet; or they are invented by position."""

from __future__ import annotations

import pytest

from fabric.devices.infiniband.derive_subnet import subnet
from fabric.diagnostics import Invalid, Report
from fabric.intent.load import load_text
from fabric.topology.expand import expand
from fabric.verification.infiniband.cables.match_nodes import identify

SITE = """site: lab
units: 2
hosts:
  gpu: {gpus: 2, per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    technology: infiniband
    tiers:
      leaf: {model: qm9700, reserved_ports: 2, max_oversubscription: "3:2"}
      spine: {model: qm9700, count: 2}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0, rails: [0]}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 1, rails: [0]}}
"""
HEAD = "name,network,nic,node_guid,port_guids\n"


def made(**files):
    intent = load_text(
        {"site.yaml": SITE, **{name.replace("_", ".", 1): text for name, text in files.items()}}
    )
    report = Report()
    found = subnet(intent, expand(intent).networks["compute"], report)
    report.finish()
    return found


def table(rows, more=""):
    return {"inventory_yaml": f"guids_csv: guids.csv\n{more}", "guids_csv": HEAD + rows}


def end(found, host, nic):
    return next(e for e in found.ends if (e.host, e.nic) == (host, nic))


def test_a_table_gives_node_and_port_guids_apart_and_in_any_order():
    rows = (
        "gpu-0-0,compute,1,0x0002c90300000200,0x0002c90300000201 0x0002c90300000202\n"
        "gpu-0-0,compute,0,0x0002c90300000100,0x0002c90300000100\n"
    )

    found = made(**table(rows))

    first, second = end(found, "gpu-0-0", 0), end(found, "gpu-0-0", 1)
    assert (first.node_guid, first.port_guid) == (0x0002C90300000100, 0x0002C90300000100)
    assert (second.node_guid, second.port_guid) == (0x0002C90300000200, 0x0002C90300000201)
    assert found.placeholders  # all others


@pytest.mark.parametrize(
    ("rows", "code", "text"),
    [
        ("gpu-0-0,compute,1,0x0002c90300000200,0x0002c90300000200\n", "FAB010", "no row for NIC 0"),
        ("gpu-0-0,compute,,0x0002c90300000200,0x0002c90300000200\n", "FAB010", "its adapter"),
        ("gpu-0-0,compute,0,0x0002c90300000200,\n" * 2, "FAB102", "defined twice"),
        ("gpu-0-0,compute,0,0x2c90300000200,0x0002c90300000200\n", "FAB025", "right form"),
        ("gpu-0-0,compute,0,0x0002c90300000200,0002c903:0200\n", "FAB025", "right form"),
        ("gpu-0-0,compute,0,0x0002c90300000200,\n", "FAB022", "port_guids"),
    ],
)
def test_a_wrong_row_is_refused_at_its_line(rows, code, text):
    with pytest.raises(Invalid) as refused:
        made(**table(rows))

    first = refused.value.diagnostics[0]
    place = refused.value.sources.place(first.origin)
    assert (first.code, text in first.rule, place.file) == (code, True, "guids.csv"), (first, place)


def test_adapters_in_two_places_are_refused():
    own = 'hosts: {gpu-0-0: {hcas: {compute: [{node_guid: "0x0002c90300000300", port_guids: ["0x0002c90300000300"]}]}}}'

    with pytest.raises(Invalid, match="defined twice"):
        made(**table("gpu-0-0,compute,0,0x0002c90300000200,0x0002c90300000200\n", own + "\n"))


def test_switches_have_their_guids_from_the_table_of_devices():
    files = {
        "inventory_yaml": "devices_csv: switches.csv\n",
        "switches_csv": "name,guid\nleaf-0-0,0x0002c90300000aa0\n",
    }

    found = made(**files)

    assert {s.guid for s in found.switches if s.name == "leaf-0-0"} == {0x0002C90300000AA0}


def test_invented_guids_are_the_same_in_every_run_local_and_all_different():
    one, two = made(), made()
    guids = [s.guid for s in one.switches]
    guids += [guid for e in one.ends for guid in (e.node_guid, e.port_guid)]

    assert one == two
    assert one.placeholders
    assert len(set(guids)) == len(guids)
    assert all(guid >> 56 & 0x02 for guid in guids)  # the local bit of an EUI-64


def test_with_every_guid_known_nothing_is_invented():
    plan = made()
    devices = "".join(f'  {s.name}: {{guid: "{s.guid + (1 << 50):#018x}"}}\n' for s in plan.switches)
    rows = "".join(
        f"{e.host},compute,{e.nic},{e.node_guid + (1 << 50):#018x},{e.port_guid + (1 << 50):#018x}\n"
        for e in plan.ends
    )

    found = made(**table(rows, f"devices:\n{devices}"))

    assert not found.placeholders
    assert [s.guid - (1 << 50) for s in found.switches] == [s.guid for s in plan.switches]


def test_a_port_that_is_its_adapter_is_no_second_guid():
    """ConnectX: port 1 has the adapter's own."""
    made(**table("".join(f"gpu-0-0,compute,{n},0x0002c9030000010{n},0x0002c9030000010{n}\n" for n in (0, 1))))


def test_adapters_are_called_as_their_host_calls_them():
    system = (
        "system: {owner: operator, network_files: none, nccl: none, "
        "nics: {compute: {kind: mlx5, interface: 'ib{nic}', rdma: 'mlx5_3,mlx5_7'}}}"
    )
    intent = load_text({"site.yaml": SITE.replace("gpus: 2,", f"gpus: 2, {system},")})

    found = subnet(intent, expand(intent).networks["compute"], Report())

    assert {"gpu-0-0 mlx5_3", "gpu-0-0 mlx5_7", "sm-1 mlx5_0"} <= {e.name for e in found.ends}


# --- a discovered subnet


def discovered(found, *, rename=None, swap=()):
    """What `ibnetdiscover` prints of a subnet with other GUIDs, some names and some cables."""
    guid = {s.guid: s.guid ^ 0xABCDEF for s in found.switches} | {
        e.node_guid: e.node_guid ^ 0xABCDEF for e in found.ends
    }
    called = {s.guid: s.name for s in found.switches} | {e.node_guid: e.name for e in found.ends}
    called |= rename or {}
    kind = {s.guid: "S" for s in found.switches}
    links = {}
    for link in found.links:
        one, two = (link.lower, link.lower_port), (link.upper, link.upper_port)
        links[one], links[two] = two, one
    for a, b in [swap] if swap else []:
        links[a], links[b] = links[b], links[a]
        links[links[a]], links[links[b]] = a, b
    port_guid = {(e.node_guid, e.port): e.port_guid ^ 0xABCDEF for e in found.ends}
    text = ""
    for node, name in called.items():
        mark = kind.get(node, "H")
        word = "Switch" if mark == "S" else "Ca"
        ports = {port: links[node, port] for n, port in links if n == node}
        text += f'{word}\t{max(ports)} "{mark}-{guid[node]:016x}"\t\t# "{name}"\n'
        for port, (peer, at) in sorted(ports.items()):
            own = f"({port_guid[node, port]:x})" if mark == "H" else ""
            text += f'[{port}]{own}\t"{kind.get(peer, "H")}-{guid[peer]:016x}"[{at}]\t\t# "x" lid 1 4xNDR\n'
        text += "\n"
    return text


def test_a_discovered_subnet_is_known_by_its_names():
    found = made()

    known = identify(found, discovered(found))

    assert (known.missing, known.doubts) == ((), ())
    assert {s.name: s.guid for s in known.switches} == {s.name: s.guid ^ 0xABCDEF for s in found.switches}
    assert {(a.host, a.nic): (a.node_guid, *a.port_guids) for a in known.adapters} == {
        (e.host, e.nic): (e.node_guid ^ 0xABCDEF, e.port_guid ^ 0xABCDEF) for e in found.ends
    }
    assert {a.by for a in known.adapters} == {"name and cabling"}


def test_nodes_without_names_are_known_by_their_cables():
    found = made()
    nameless = {e.node_guid: "MT4129 ConnectX7 Mellanox Technologies" for e in found.ends}
    nameless |= {s.guid: "Quantum-2 Mellanox Technologies" for s in found.switches if s.role == "spine"}

    known = identify(found, discovered(found, rename=nameless))

    assert (known.missing, known.doubts) == ((), ())
    assert {s.by for s in known.switches} == {"name", "cabling"}
    assert {a.by for a in known.adapters} == {"cabling"}
    assert {a.node_guid ^ 0xABCDEF for a in known.adapters} == {e.node_guid for e in found.ends}


def test_two_swapped_hosts_are_a_doubt_and_nothing_is_guessed_of_them():
    found = made()
    one, two = end(found, "gpu-0-0", 0), end(found, "gpu-0-1", 0)

    known = identify(found, discovered(found, swap=((one.node_guid, 1), (two.node_guid, 1))))

    assert len(known.doubts) == 2
    assert "'gpu-0-0 mlx5_0' and is plugged where gpu-0-1 mlx5_0 should be" in " ".join(known.doubts)
    assert set(known.missing) == {one.name, two.name}
    assert len(known.adapters) == len(found.ends) - 2


def test_two_switches_of_one_name_are_a_doubt():
    found = made()
    spines = [s for s in found.switches if s.role == "spine"]

    known = identify(found, discovered(found, rename={spines[1].guid: spines[0].name}))

    assert known.doubts == (f"2 nodes announce the name {spines[0].name}",)
    assert set(known.missing) == {s.name for s in spines}


def test_a_subnet_without_any_name_is_not_guessed():
    found = made()
    nameless = dict.fromkeys([s.guid for s in found.switches] + [e.node_guid for e in found.ends], "")

    known = identify(found, discovered(found, rename=nameless))

    assert (known.switches, known.adapters) == ((), ())
    assert len(known.missing) == len(found.switches) + len(found.ends)
