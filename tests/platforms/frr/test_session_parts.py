"""The driver and every file of a switch: each takes effect as it says, and is taken back with the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from napalm.base.exceptions import CommitError, NapalmException

from fabric.platforms.frr import FILES
from fabric.platforms.frr.agent.parts import PARTS
from tests.platforms.frr import sites
from tests.platforms.frr.devices import CASES
from tests.platforms.frr.lab import needed_lab
from tests.platforms.frr.switches import PROGRAMS, SwitchBox, text_of
from tests.platforms.frr.test_files import IFUPDOWN2
from tests.programs import needed, needed_programs

KEY = "net.ipv4.fib_multipath_hash_policy"
IFRELOAD = """#!/bin/sh
PYTHONPATH={share}:{share}/ifupdown2 exec /usr/bin/python3 /var/tmp/ifreload "$@"
"""


@pytest.fixture
def switch(tmp_path: Path) -> Iterator[SwitchBox]:
    """A leaf with some of its ports."""
    needed_lab()
    needed_programs(*PROGRAMS)
    site = sites.eight("ipv4")
    name = site.of_role("leaf")[0]
    with SwitchBox(name, site.files[name], tmp_path / "keys", ("swp1s0", "swp1s1")) as box:
        yield box


def changed(box: SwitchBox, part: str, old: str, new: str) -> str:
    """All files of the switch, one of them with another line."""
    assert old in box.files[part]
    return text_of(box.files | {part: box.files[part].replace(old, new, 1)})


def test_the_driver_knows_every_file_and_when_it_takes_effect():
    assert set(FILES) == set(PARTS)
    assert all(part.effect for part in PARTS.values())


@pytest.mark.live
def test_frr_follows_from_any_configuration_to_any_other(switch):
    texts = {name: sites.files_of(make())["frr.conf"] for name, make in sorted(CASES.items())}
    driver = switch.opened("run-1")
    name = switch.run("hostname").strip()
    for text in texts.values():
        wanted = re.sub(r"(?m)^hostname \S+$", f"hostname {name}", text)
        driver.load_replace_candidate(config=wanted)
        driver.commit_config()  # refuses what is not wholly taken
    driver.close()
    assert len(texts) > 10


@pytest.mark.live
def test_a_switch_of_another_name_is_not_configured(switch):
    driver = switch.opened("run-1")
    with pytest.raises(NapalmException, match="set-hostname leaf-9"):
        driver.load_replace_candidate(
            config=re.sub(r"(?m)^hostname \S+$", "hostname leaf-9", text_of(switch.files))
        )
    driver.close()


@pytest.mark.live
def test_settings_of_the_kernel_change_at_once_and_go_back(switch):
    driver = switch.opened("run-1")
    before = switch.run("sysctl", "-n", KEY)
    driver.load_replace_candidate(config=changed(switch, "sysctl.conf", f"{KEY} = 1", f"{KEY} = 0"))
    assert f"+{KEY} = 0" in driver.compare_config()
    driver.commit_config(revert_in=60)

    assert ("1", "0") == (before.strip(), switch.run("sysctl", "-n", KEY).strip())
    assert f"{KEY} = 0" in driver.get_config("running")["running"]
    assert f"{KEY} = 1" in switch.text("etc/sysctl.d/90-fabric.conf")
    driver.rollback()
    assert before == switch.run("sysctl", "-n", KEY)
    assert f"{KEY} = 1" in driver.get_config("running")["running"]
    driver.close()


@pytest.mark.live
def test_what_differs_in_comments_only_is_no_difference_and_is_not_run_again(switch):
    kept = {path: switch.text(path) for path in ("etc/sysctl.d/90-fabric.conf", "usr/local/sbin/fabric-qos")}
    qos = switch.files["qos.sh"]
    files = switch.files | {
        "sysctl.conf": f"# another\n{switch.files['sysctl.conf']}",
        "qos.sh": qos.replace("set -eu\n", "# another\nset -eu\n", 1),
    }
    assert files["qos.sh"] != qos
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=text_of(files))
    assert driver.compare_config() == ""
    driver.commit_config(revert_in=60)
    driver.confirm_commit()

    assert kept == {path: switch.text(path) for path in kept}
    driver.load_replace_candidate(
        config=text_of(files | {"qos.sh": files["qos.sh"] + "echo run >/var/tmp/queues\n"})
    )
    assert "+echo run" in driver.compare_config()  # the control
    driver.discard_config()
    driver.close()


@pytest.mark.live
def test_a_daemon_that_is_named_anew_starts_at_once_and_ends_with_the_way_back(switch):
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=changed(switch, "daemons", "bfdd=yes\n", "bfdd=yes\npimd=yes\n"))
    driver.commit_config(revert_in=60)
    assert "pimd" in switch.vtysh("show daemons")
    driver.rollback()

    assert "pimd" not in switch.vtysh("show daemons")
    assert "bgpd" in switch.vtysh("show daemons")
    driver.close()


@pytest.mark.live
def test_the_script_of_queues_is_run_and_its_failure_takes_everything_back(switch):
    first = switch.files["qos.sh"].splitlines()[0]
    script = f"{first}\necho new >/var/tmp/queues\n"
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=text_of(switch.files | {"qos.sh": script}))
    driver.commit_config(revert_in=60)
    assert "new\n" == switch.text("var/tmp/queues")
    driver.confirm_commit()
    assert script == switch.text("usr/local/sbin/fabric-qos")
    assert "755" in oct((switch.root / "usr/local/sbin/fabric-qos").stat().st_mode)
    text = changed(switch, "frr.conf", "maximum-paths 16", "maximum-paths 8")
    driver.load_replace_candidate(config=text.replace(switch.files["qos.sh"], f"{script}exit 3\n"))
    with pytest.raises(CommitError, match=r"qos\.sh"):
        driver.commit_config(revert_in=60)

    assert "maximum-paths 16" in switch.vtysh("show running-config")
    assert script == switch.text("usr/local/sbin/fabric-qos")
    driver.close()


@pytest.mark.live
@pytest.mark.parametrize(
    ("part", "line", "complaint"),
    [
        ("sysctl.conf", "net.ipv4.no_such_key = 1\n", "no_such_key"),
        ("qos.sh", "if then\n", "qos.sh"),
        ("daemons", "bgpd=(\n", "daemons"),
    ],
)
def test_a_file_that_the_switch_cannot_read_is_refused_when_it_is_loaded(switch, part, line, complaint):
    driver = switch.opened("run-1")
    with pytest.raises(NapalmException, match=complaint):
        driver.load_replace_candidate(config=text_of(switch.files | {part: switch.files[part] + line}))

    assert () == driver.get_open_candidates()
    driver.close()


@pytest.fixture
def with_ifupdown2(switch: SwitchBox) -> SwitchBox:
    """With ifupdown2, which has brought up its interfaces."""
    root = next((root for root in IFUPDOWN2 if (root / "usr/share/ifupdown2/__main__.py").exists()), None)
    if root is None:
        needed("ifupdown2, installed or unpacked in .venv/ifupdown2")
    share = root / "usr/share"
    switch.run(
        "sh", "-c", f"cp {share}/ifupdown2/__main__.py /var/tmp/ifreload; cp -r {root}/etc/network /etc/"
    )
    switch.write("usr/local/sbin/ifreload", IFRELOAD.format(share=share))
    switch.run("chmod", "755", "/usr/local/sbin/ifreload")
    stanza = f"auto eth0\niface eth0\n    address {switch.address}/30\n\n"
    switch.files["interfaces"] = stanza + "".join(
        f"auto {name}\niface {name}\n    mtu 9000\n\n" for name in ("swp1s0", "swp1s1")
    )
    switch.write("etc/network/interfaces", switch.files["interfaces"])
    switch.run("/usr/local/sbin/ifreload", "-a")
    return switch


@pytest.mark.live
def test_interfaces_change_at_once_go_back_and_leave_management_alone(with_ifupdown2):
    switch = with_ifupdown2
    driver = switch.opened("run-1")
    assert "mtu 9000" in switch.run("ip", "link", "show", "swp1s0")
    driver.load_replace_candidate(config=changed(switch, "interfaces", "mtu 9000", "mtu 8000"))
    driver.commit_config(revert_in=60)

    assert "mtu 8000" in switch.run("ip", "link", "show", "swp1s0")
    assert "mtu 9000" in switch.run("ip", "link", "show", "swp1s1")
    assert "mtu 8000" not in switch.text("etc/network/interfaces")
    driver.rollback()  # over the same connection
    assert "mtu 9000" in switch.run("ip", "link", "show", "swp1s0")
    driver.close()


@pytest.mark.live
def test_an_interface_change_that_cuts_management_goes_back_by_itself(with_ifupdown2):
    switch = with_ifupdown2
    driver = switch.opened("run-1")
    driver.timeout = driver._host._timeout_s = 6
    text = changed(switch, "interfaces", f"{switch.address}/30", "203.0.113.9/30")
    driver.load_replace_candidate(config=text)
    with pytest.raises(NapalmException):
        driver.commit_config(
            revert_in=15
        )  # longer than we wait: else the answer gets through on the way back
    driver.close()

    switch.wait(lambda: switch.address in switch.run("ip", "address", "show", "eth0"), "management")
    again = switch.opened()
    assert again.get_pending_commit() is None
    again.close()
