"""Typed values are made by many threads at once: what each type is made of is worked out by one of them."""

from __future__ import annotations

import ast
import sys

import pytest

from fabric.decoding import convert, from_json, from_msgpack, json_decoder
from tests.programs import ROOT, run
from tests.test_architecture import modules
from tests.waiting import PATIENCE_S

AT_ONCE = """
import importlib, pkgutil, sys, threading
import msgspec
import fabric
from fabric.decoding import convert

for module in pkgutil.walk_packages(fabric.__path__, "fabric."):
    if module.name.startswith(("fabric.platforms.", "fabric.deployment")):
        importlib.import_module(module.name)


def structs(kind):
    for below in kind.__subclasses__():
        yield below
        yield from structs(below)


kinds = [kind for kind in structs(msgspec.Struct) if kind.__module__.startswith("fabric.")]
started = threading.Barrier(4)


def meet(kind):
    value = dict.fromkeys(kind.__struct_encode_fields__)
    started.wait()
    try:
        convert(value, kind)
    except (msgspec.ValidationError, TypeError):  # no value of the type; no type that msgspec reads
        pass


sys.setswitchinterval(1e-6)
for kind in kinds:
    threads = [threading.Thread(target=meet, args=[kind]) for _ in range(started.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(len(kinds))
"""


def test_threads_that_meet_a_type_at_once_all_get_it():
    """Seen: an apply died of a segmentation fault while two threads read what their managers ran. Values of all fields
    are looked at: a type of which msgspec knows half has fields without one."""
    assert int(run(sys.executable, "-c", AT_ONCE, cwd=ROOT).stdout) > 200


FORKED = """
import os, threading
from fabric import decoding

held, go = threading.Event(), threading.Event()


def prepare():
    with decoding._preparing:
        held.set()
        go.wait()


threading.Thread(target=prepare).start()
held.wait()
threading.Timer(0.2, go.set).start()
if child := os.fork():
    print(os.waitpid(child, 0)[1])
else:
    decoding.convert([1], tuple[int, ...])
    os._exit(0)
"""


def test_a_fork_waits_until_a_type_is_prepared():
    assert run(sys.executable, "-c", FORKED, cwd=ROOT, limit_s=PATIENCE_S).stdout == "0\n"


MADE_BY = {"convert", "decode", "Decoder"}


def typed_calls(text):
    """Lines on which msgspec is asked for a typed value."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).startswith("msgspec."):
            continue
        made_by = ast.unparse(node.func).rpartition(".")[2]
        is_plain = made_by == "decode" and "type" not in {word.arg for word in node.keywords}
        if made_by in MADE_BY and not is_plain:
            yield node.lineno


def test_nobody_else_asks_msgspec_for_a_typed_value():
    found = {path.relative_to(ROOT).as_posix() for path in modules() if any(typed_calls(path.read_text()))}

    assert found == {"fabric/decoding.py"}


@pytest.mark.parametrize(
    "line",
    [
        "msgspec.convert(x, K)",
        "msgspec.json.decode(x, type=K)",
        "msgspec.json.Decoder(K)",
        "msgspec.msgpack.Decoder(K)",
    ],
)
def test_such_a_call_would_be_found(line):
    assert [1] == list(typed_calls(line))
    assert [] == list(typed_calls("msgspec.json.decode(x)"))


def test_values_of_every_kind_of_document():
    assert convert([1, 2], tuple[int, ...]) == (1, 2)
    assert from_json(b"[1, 2]", tuple[int, ...]) == (1, 2)
    assert from_msgpack(b"\x92\x01\x02", tuple[int, ...]) == (1, 2)
    assert json_decoder(tuple[int, ...]).decode(b"[1, 2]") == (1, 2)
