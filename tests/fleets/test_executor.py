"""Plan, apply and verify through a real Dask scheduler and its workers, one of which dies, or the scheduler does."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.deployment import Journal, Result
from fabric.deployment.events import DeviceStepped, Event, WaveStarted
from fabric.deployment.fleet import worker
from fabric.deployment.fleet.dask_executor import fleet as executor_of
from fabric.deployment.fleet.plain_data import Answer
from fabric.deployment.fleet.reach_scheduler import is_exposed
from fabric.deployment.jobs import State
from fabric.diagnostics import Refused
from tests.certificates import Authority, Signed
from tests.contract.sandbox_bench import PASSWORD
from tests.fleets.fleet_site import (
    ENVIRONMENT,
    TACACS,
    TACACS_VARIABLE,
    TIMER_S,
    FleetSite,
    environment,
    fleet_site,
)
from tests.fleets.workers import Fleet, fleet, kill
from tests.ports import free_port
from tests.programs import needed_module
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

SECRETS = (PASSWORD.encode(), TACACS.encode())


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with environment(ENVIRONMENT):
        yield


@pytest.fixture(scope="module", name="authority")
def _authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"), "authority")


@pytest.fixture(scope="module", name="running")
def _running(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[Fleet]:
    """Two workers over TLS, for all tests here."""
    folder = tmp_path_factory.mktemp("fleet") / "workers"
    with fleet(folder, authority=authority, **ENVIRONMENT) as running, certificates(authority):
        yield running


@pytest.fixture
def workers(running: Fleet) -> Fleet:
    running.heal()
    return running


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """A scheduler of loopback without TLS, which has no workers yet."""
    with fleet(tmp_path_factory.mktemp("fleet") / "plain", workers=0, **ENVIRONMENT) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, running: Fleet) -> Iterator[FleetSite]:
    """A site that was applied by two workers, which looked secrets up by their names."""
    with fleet_site(tmp_path_factory.mktemp("site") / "site") as site:
        with executor_of(running.url, site.folder, named=True) as executor:
            site.plan(site.place(executor))
            assert site.apply(site.place(executor)).outcome == "done"
        yield site


def steps_of(site: FleetSite) -> dict[str, State]:
    journal = Journal(f"sqlite:///{site.folder.parent / 'journal.sqlite'}")
    return {step.job.device: step.state for step in journal.steps(journal.runs("test")[0].id)}


def test_workers_plan_apply_and_verify_as_this_process_does(site: FleetSite, workers: Fleet) -> None:
    site.edit("192.0.2.61")
    here = site.plan(site.place())
    there = site.plan(site.place(url=workers.url))
    assert [d.candidate for d in here.changed] == [d.candidate for d in there.changed]
    assert len(here.changed) == len(site.compiled.artifacts)

    assert site.apply(site.place(url=workers.url)).outcome == "done"
    verdict = api.verify(site.compiled, "compute", place=site.place(url=workers.url))

    assert verdict.findings == ()
    assert site.plan(site.place()).changed == ()


@pytest.mark.parametrize("named", [True, False])
def test_no_secret_is_seen_by_the_scheduler_or_written_by_anybody(
    site: FleetSite, workers: Fleet, *, named: bool
) -> None:
    site.edit(f"192.0.2.{62 + named}")
    looks: list[bytes] = []

    def look(event: Event) -> None:
        if isinstance(event, WaveStarted | DeviceStepped):
            looks.append(workers.seen())

    with executor_of(workers.url, site.folder, named=named) as executor:
        place = site.place(executor)
        site.plan(place)
        future = executor.submit(print, object())  # what is no plain data does not leave
        assert isinstance(future.exception(), NotImplementedError | TypeError | AttributeError)
        with slow(site, 50):
            assert site.apply(place, look).outcome == "done"
        everything = b"".join((*looks, workers.seen()))

    assert b"carry_out" in everything
    assert b"fabric-push-" in everything
    for secret in SECRETS:
        assert secret not in everything
        assert secret.hex().encode() not in everything


def test_a_step_is_begun_once_whoever_hands_it_out_again(site: FleetSite, workers: Fleet) -> None:
    orders: dict[int, bytes] = {}
    with executor_of(workers.url, site.folder, named=True) as executor:
        submit = executor._client.submit

        def kept(step: object, command: str, number: int, order: bytes, **options: object) -> object:
            orders[number] = order
            return submit(step, command, number, order, **options)

        executor._client.submit = kept
        site.plan(site.place(executor))
        number, order = min(orders.items())
        answers = {
            member.address: submit(
                worker.carry_out, executor._command, number, order, workers=[member.address], pure=False
            ).result(timeout=PATIENCE_S)
            for member, _ in executor._crew
        }
        opened = [
            msgspec.msgpack.decode(member.seal.open(answer, f"answer {number}"), type=Answer)
            for member, _ in executor._crew
            if (answer := answers[member.address])
        ]

    assert sorted(map(bool, answers.values())) == [False, True]  # to the other worker it is only noise
    assert [answer.problem for answer in opened] == ["begun before"]


def test_an_answer_that_arrives_when_its_time_is_up_is_asked_for_again(
    site: FleetSite, workers: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, asked = workers.distributed.Future.result, set()

    def late(task: Any, timeout: float | None = None) -> object:
        """As `distributed.utils.sync` fails on a busy machine."""
        if task.key not in asked:
            asked.add(task.key)
            raise UnboundLocalError
        return result(task, timeout)

    monkeypatch.setattr(workers.distributed.Future, "result", late)
    seen = api.observe(site.compiled, site.place(url=workers.url))

    assert set(seen) == set(site.targets)
    assert asked


@contextmanager
def slow(site: FleetSite, latency_ms: int = 400) -> Iterator[None]:
    """Its devices take their time."""
    for name in site.targets:
        site.sandbox.set_faults(name, latency_ms=latency_ms)
    try:
        yield
    finally:
        for name in site.targets:
            site.sandbox.clear_faults(name)


def apply_and_strike(site: FleetSite, workers: Fleet, strike: Callable[[], None]) -> Result:
    """Apply through the workers; strike while one of them pushes to a device of the last wave."""
    threads: list[Thread] = []

    def on_event(event: Event) -> None:
        if isinstance(event, WaveStarted) and len(event.devices) > 1:
            threads.append(Thread(target=_strike, args=(workers, strike)))
            threads[-1].start()

    with slow(site), executor_of(workers.url, site.folder, named=True) as executor:
        result = site.apply(site.place(executor), on_event)
    for thread in threads:
        thread.join()
    assert threads
    return result


def _strike(workers: Fleet, strike: Callable[[], None]) -> None:
    until(lambda: any("push" in step for step in workers.busy()), PATIENCE_S, "a push")
    strike()


def test_a_worker_that_dies_in_mid_wave_is_an_error_of_its_devices(site: FleetSite, workers: Fleet) -> None:
    site.edit("192.0.2.71")
    site.plan(site.place())
    before = site.running()

    result = apply_and_strike(site, workers, lambda: kill(workers.workers[0]))

    after, states = site.running(), steps_of(site)
    last = result.waves[-1]
    assert (result.outcome, last.state) == ("failed", "reverted")
    assert "was lost before it answered" in last.reason
    assert {states[device.device] for device in last.devices} == {State.REVERTED}
    for name, state in states.items():
        assert (after[name] == before[name]) == (state is not State.CONFIRMED), (name, state)
    with executor_of(workers.url, site.folder, named=True) as executor:  # by the one that is left
        site.plan(site.place(executor))
        assert site.apply(site.place(executor)).outcome == "done"
    assert site.plan(site.place()).changed == ()


def test_a_worker_that_its_nanny_starts_again_does_nothing_twice(site: FleetSite, plain: Fleet) -> None:
    site.edit("192.0.2.72")
    site.plan(site.place())
    nanny = plain.add("--nanny", "--worker-port", str(free_port()))
    (process,) = plain.client.run(os.getpid).values()
    result = apply_and_strike(site, plain, lambda: os.kill(process, signal.SIGKILL))
    until(plain.addresses, PATIENCE_S, "the nanny has started another worker")
    plain.dismiss(nanny)

    assert result.outcome == "failed"
    assert result.waves[-1].state in ("reverted", "failed")
    site.sandbox.advance(TIMER_S + 1)
    assert site.finished()


def test_when_the_scheduler_dies_the_timers_of_the_devices_take_the_wave_back(
    site: FleetSite, workers: Fleet
) -> None:
    site.edit("192.0.2.73")
    site.plan(site.place())
    before = site.running()

    result = apply_and_strike(site, workers, lambda: kill(workers.scheduler))

    states = steps_of(site)
    last = result.waves[-1]
    assert (result.outcome, last.state) == ("failed", "failed")
    assert "the scheduler of the executor was lost" in last.reason
    assert {states[device.device] for device in last.devices} == {State.LEFT_TO_TIMER}
    for process in workers.workers:  # without their scheduler they end, when what they have begun is done
        until(lambda process=process: process.poll() is not None, PATIENCE_S, "the worker has ended")
    site.sandbox.advance(TIMER_S + 1)
    after = site.running()
    for name, state in states.items():
        assert (after[name] == before[name]) == (state is not State.CONFIRMED), (name, state)
    assert site.finished()


def test_a_worker_of_another_version_is_refused_before_a_device_is_asked(
    site: FleetSite, workers: Fleet, tmp_path: Path
) -> None:
    older = tmp_path / "older.py"
    older.write_text("import fabric\nfabric.__version__ = '0.0.1'\n")
    stranger = workers.add("--preload", str(older))
    for name in site.targets:
        site.sandbox.set_faults(name, refuse=True)  # nobody could be asked
    with pytest.raises(Refused, match=r"FAB740: the worker at tls://.*: its fabric is 0\.0\.1, here it is"):
        site.plan(site.place(url=workers.url))
    for name in site.targets:
        site.sandbox.clear_faults(name)
    workers.dismiss(stranger)


def test_a_secret_that_a_worker_lacks_or_has_otherwise_is_told(site: FleetSite, plain: Fleet) -> None:
    others = [plain.add(**{TACACS_VARIABLE: value}) for value in ("an0ther", "")]
    problems = (
        f"env:{TACACS_VARIABLE} is another secret there than here",
        f"the environment variable {TACACS_VARIABLE} is not set",
    )
    with executor_of(plain.url, site.folder, named=True) as executor:
        seen = api.observe(site.compiled, site.place(executor))
    for other in others:
        plain.dismiss(other)

    assert set(seen.unreachable) == set(site.targets)
    told = {p for p in problems for reason in seen.unreachable.values() if p in reason}
    assert told == set(problems)
    assert all(any(p in reason for p in problems) for reason in seen.unreachable.values())


@pytest.mark.parametrize(
    "url", ["tcp://127.0.0.1:8786", "dask://127.0.0.1", "dask://:8786", "dask://a:b@c:1", "dask://h:0/x", "x"]
)
def test_a_url_that_is_none_of_an_executor_is_refused(site: FleetSite, url: str) -> None:
    with pytest.raises(Refused, match=r"FAB740: .* is not the URL of an executor"):
        api.observe(site.compiled, site.place(url=url))


def test_a_scheduler_that_does_not_answer_or_has_no_workers_is_refused(site: FleetSite, plain: Fleet) -> None:
    silent = free_port()
    for scheme in ("dask", "dask+tls"):
        url = f"{scheme}://127.0.0.1:{silent}"
        with pytest.raises(Refused, match=rf"FAB740: the scheduler {re.escape(url)} does not answer: Conn"):
            api.observe(site.compiled, site.place(url=url))
    assert not plain.addresses()
    with pytest.raises(Refused, match="FAB740: its scheduler has no workers"):
        api.observe(site.compiled, site.place(url=plain.url))


# --- TLS


@contextmanager
def certificates(authority: Authority | None, own: Signed | None = None, **files: str) -> Iterator[None]:
    """Dask's configuration of this process names these."""
    own = own or (authority.signed("operator") if authority else None)
    words = {
        "ca-file": str(authority.file) if authority else None,
        "client.cert": str(own.certificate) if own else None,
        "client.key": str(own.key) if own else None,
        **files,
    }
    dask = needed_module("dask")
    with dask.config.set({f"distributed.comm.tls.{word}": value for word, value in words.items()}):
        yield


def refused(site: FleetSite, url: str) -> str:
    """Reason and fix. Nobody was asked."""
    with pytest.raises(Refused, match="FAB740") as told:
        api.observe(site.compiled, site.place(url=url))
    assert told.value.hint
    return f"{told.value}\n{told.value.hint}"


def test_who_has_not_the_right_certificate_is_told_which_file_and_what_to_do(
    site: FleetSite, workers: Fleet, plain: Fleet, authority: Authority, tmp_path: Path
) -> None:
    other = Authority(tmp_path, "stranger")
    stranger = other.signed("operator")
    no_tls = f"dask+tls://127.0.0.1:{plain.port}"
    with certificates(authority, stranger):
        text = refused(site, workers.url)
        assert f"the scheduler {workers.url} does not accept the certificate {stranger.certificate}: " in text
        assert "distributed.comm.tls.client" in text
        assert f"the scheduler {no_tls} does not speak TLS" in refused(site, no_tls)
    with certificates(other, authority.signed("operator")):
        text = refused(site, workers.url)
        assert f"the scheduler {workers.url} shows a certificate that {other.file} has not signed: " in text
        assert "distributed.comm.tls.ca-file" in text
    with certificates(None):
        lacks = "lacks distributed.comm.tls.ca-file and distributed.comm.tls.client.cert"
        assert lacks in refused(site, workers.url)
    gone = {"client.cert": str(tmp_path / "gone.pem")}
    with certificates(authority, **gone):
        text = refused(site, workers.url)
        assert str(tmp_path / "gone.pem") in text
        assert "cannot be used: No such file or directory" in text
    text = refused(site, f"dask://127.0.0.1:{workers.port}")
    assert "does not answer" in text

    assert set(api.observe(site.compiled, site.place(url=workers.url))) == set(site.targets)


@pytest.mark.parametrize("host", ["192.0.2.1", "[2001:db8::1]"])
def test_nothing_is_sent_over_a_network_without_tls(site: FleetSite, host: str) -> None:
    text = refused(site, f"dask://{host}:8786")

    assert "leads over a network without TLS" in text
    assert "dask+tls://" in text


@pytest.mark.parametrize(
    ("address", "exposed"),
    [
        ("tcp://127.0.0.1:1", False),
        ("tcp://[::1]:1", False),
        ("tls://192.0.2.1:1", False),
        ("tcp://192.0.2.1:1", True),
        ("tcp://[2001:db8::1]:1", True),
        ("ws://worker.example:1", True),
        ("", True),
    ],
)
def test_a_worker_beyond_loopback_without_tls_is_refused(address: str, *, exposed: bool) -> None:
    assert is_exposed(address) is exposed
