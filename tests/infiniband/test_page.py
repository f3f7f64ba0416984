"""The page for newcomers runs as it stands: init, compile, verify, tenants, plan and apply, GUIDs."""

from __future__ import annotations

import re

import pytest

from tests.console_blocks import Shell, page, steps, without_times
from tests.infiniband.simulator import need_tools
from tests.programs import needed_programs

PAGE = page("infiniband.md")
BLOCK = re.compile(r"```console\n(.*?)```|```yaml\n# (site\.yaml|networks\.compute)\n(.*?)```", re.DOTALL)


def lines(text: str) -> set[str]:
    """Lines without the time that something took; table rows without their widths."""
    return {" ".join(line.split()) for line in without_times(text).splitlines() if line.strip()}


@pytest.fixture
def shell(tmp_path):
    made = Shell(tmp_path)
    yield made
    made.run("[ ! -d sim/compute/state ] || sim/compute/run stop; fabric sandbox down")


def steps_and_additions():
    """Commands with the lines that they shall print, and additions to files, in the page's order."""
    for block in BLOCK.finditer(PAGE):
        if block[1] is None:
            yield block[2], block[3]
        else:
            yield from steps(block[0])


def add(shell: Shell, where: str, text: str) -> None:
    path = shell.folder / "site.yaml"
    old = path.read_text()
    after = "    technology: infiniband\n"
    path.write_text(old + text if where == "site.yaml" else old.replace(after, after + text))


@pytest.mark.live
def test_the_page_runs_as_it_stands(shell):
    need_tools()
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")
    for command, output in steps_and_additions():
        if command in ("site.yaml", "networks.compute"):
            add(shell, command, output)
            continue
        done = shell.run(command)
        told = lines(done.stdout + done.stderr)
        pending = 2 if command.startswith("fabric plan") else 0
        assert done.returncode == pending, (command, done.stdout, done.stderr)
        assert lines(output) <= told, (command, lines(output) - told, told)


@pytest.mark.live
def test_the_guids_of_the_simulated_subnet_are_known_and_then_none_is_invented(shell):
    need_tools()
    for command in (
        *(
            "fabric init superpod-h100",
            "cd superpod-h100",
            "fabric compile --simulate sim",
            "sim/compute/run start",
        ),
        "sim/compute/run ibnetdiscover > found.txt",
    ):
        assert shell.run(command).returncode == 0, command

    done = shell.run("fabric identify found.txt --csv guids.csv -o inventory.yaml")
    again = shell.run("fabric compile")

    assert done.returncode == 0, done.stderr
    assert lines(re.search(r"^12 switches and 252 .*$", PAGE, re.MULTILINE)[0]) <= lines(done.stderr)
    assert again.returncode == 0
    assert "FAB438" not in again.stderr


def test_the_inventory_of_the_page_is_one():
    from fabric.intent.load import load_text
    from tests.devices.test_guids import SITE

    inventory = re.search(r"```yaml\n# inventory.yaml\n(.*?)```", PAGE, re.DOTALL)[1]
    site = SITE.replace("sm-1:", "ufm-1:").replace("sm-2:", "ufm-2:")

    intent = load_text(
        {
            "site.yaml": site,
            "inventory.yaml": inventory,
            "guids.csv": "name,network,nic,node_guid,port_guids\n",
        }
    )

    assert set(intent.inventory.devices) == {"ufm-1", "ufm-2", "leaf-0-0"}


def test_every_setting_of_the_page_is_one():
    from fabric.intent.load import load_text
    from tests.devices.test_derive_subnet import site

    rows = re.findall(r"^\| [^|]+ \| `([^`]+)`", PAGE.partition("## Settings")[2], re.MULTILINE)

    assert len(rows) == 7
    for row in rows:
        written = row.replace("ufm-1", "sm-1").replace("dgx-0-00", "gpu-0-0")
        load_text({"site.yaml": site(written)})
