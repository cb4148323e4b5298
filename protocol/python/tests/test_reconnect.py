"""Clients that go on when their connection is lost: cut after every byte, with a host that counts what it was asked,
and with a real daemon that is killed again and again."""

import asyncio
import json
import re
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cut_host import CutHost

import scened
from scened import Client, Daemon, aio
from scened._repeating import FOR_NOW, REPETITIONS, Binding, Reconnecting
from scened.aio._concurrency import Connections

PROTOCOL = Path(__file__).resolve().parents[2]
AT_ONCE = Reconnecting(60, shortest=0)

Act = Callable[[Any], Any]
"""Makes a call with a client of either kind."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[CutHost]:
    with CutHost(tmp_path / "socket") as host:
        yield host


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, host: CutHost) -> Callable[..., Any]:
    """Makes a call with a client of its own, which goes on."""

    def blocking(act: Act, reconnect: Reconnecting | None = AT_ONCE) -> Any:
        with Client(host.path, reconnect=reconnect) as client:
            return act(client)

    def awaiting(act: Act, reconnect: Reconnecting | None = AT_ONCE) -> Any:
        async def body() -> Any:
            async with aio.Client(host.path, reconnect=reconnect) as client:
                found = act(client)
                return await found if isinstance(found, Awaitable) else found

        return asyncio.run(body())

    return blocking if request.param == "sync" else awaiting


def open_one(client: Any) -> Any:
    return client.events.open_url("shop://cart", scene="A")


def open_named(client: Any) -> Any:
    return client.events.open_url("shop://cart", event="mine", wait="finished")


def open_set(client: Any) -> Any:
    return client.events.open_urls(["shop://cart", "shop://home"], event="set")


def test_each_method_says_whether_it_is_repeated() -> None:
    declared = []
    for file in sorted(PROTOCOL.glob("io.scened.*.varlink")):
        declared += [
            f"{file.stem}.{name}" for name in re.findall(r"^method (\w+)", file.read_text("utf-8"), re.MULTILINE)
        ]
    assert sorted(REPETITIONS) == sorted(declared)
    # Each error that is repeated is one of the interface files.
    assert all(hasattr(scened, name) for name in FOR_NOW)


@pytest.mark.parametrize(("act", "events"), [(open_one, 1), (open_named, 1), (open_set, 2)])
@pytest.mark.parametrize("cuts", ["once", "once and on the way back", "before the answer and on the way back"])
def test_an_event_is_admitted_once_wherever_the_connection_is_cut(
    host: CutHost, make: Callable[..., Any], act: Act, events: int, cuts: str
) -> None:
    if cuts == "before the answer and on the way back":
        # The host has done it, and not a byte of the answer has come.
        make(act)
        first = length_to_the_answer(host)
    for place in count():
        host.events, host.admitted, host.requests = {}, [], []
        match cuts:
            case "once":
                host.cuts = [place]
            case "once and on the way back":
                host.cuts = [place, place]
            case _:
                host.cuts = [first, place]
        planned, host.cuts_made = len(host.cuts), 0
        reply = make(act)
        receipts = reply.receipts if events > 1 else [reply.receipt]
        assert [receipt.event for receipt in receipts] == host.admitted, place
        assert len(host.admitted) == events
        sent = {request for request in host.requests if b'"urls' in request or b'"url"' in request}
        assert len(sent) == 1, "the same bytes each time"
        if host.cuts_made < planned:
            break
    assert place > 250, "so many bytes have passed"


def length_to_the_answer(host: CutHost) -> int:
    """How many bytes pass until the host has done what it was asked, without those of its answer."""
    status = json.dumps({"parameters": {"host": host.host, "records": 1}}).encode()
    return sum(len(request) + 1 for request in host.requests) + len(status) + 1


@pytest.mark.parametrize("act", [lambda client: client.session.get(), lambda client: client.events.get("known")])
def test_what_only_reads_is_made_again(host: CutHost, make: Callable[..., Any], act: Act) -> None:
    host._admit("known")
    for place in range(300):
        host.cuts = [place, place // 2]
        assert make(act)
    assert host.admitted == ["known"]


def test_a_change_of_the_session_is_made_once_at_most(host: CutHost, make: Callable[..., Any]) -> None:
    outcomes = Counter[str]()
    for place in range(400):
        host.cuts, before = [place], host.revision

        def commit(client: Any, before: int = before) -> Any:
            return client.session.commit(set={"a": 1}, expected_revision=before)

        error = failure_of(make, commit)
        outcomes["done" if error is None else "unsure"] += 1
        assert host.revision == before + 1, "if it is not sure, its answer was lost"
        assert error is None or (error.method, error.event) == ("io.scened.Session.Commit", None)
    assert outcomes["done"] > 100 and outcomes["unsure"] > 50


def failure_of(make: Callable[..., Any], act: Act) -> scened.Unsure | None:
    """How a call fails that may have been done; None if it is answered."""
    try:
        make(act)
    except scened.Unsure as error:
        return error
    return None


@pytest.mark.parametrize(
    "act",
    [
        lambda client: client.session.sign_in("anna"),
        lambda client: client.session.commit(set={"a": 1}),
    ],
)
def test_what_cannot_be_repeated_is_sent_once(host: CutHost, make: Callable[..., Any], act: Act) -> None:
    outcomes = Counter[str]()
    for place in range(400):
        host.cuts, host.signed_in, host.revision, host.requests = [place], 0, 0, []
        error = failure_of(make, act)
        outcomes["done" if error is None else "unsure"] += 1
        assert host.signed_in + host.revision <= 1
        assert host.signed_in + host.revision == 1 if error is None else "it may have been done" in str(error)
        assert sum(b"Session" in request for request in host.requests) <= 1
    assert outcomes["done"] > 100 and outcomes["unsure"] > 50


@pytest.mark.parametrize("error", sorted(FOR_NOW))
def test_a_daemon_that_cannot_just_now_is_asked_again(host: CutHost, make: Callable[..., Any], error: str) -> None:
    refused = Counter[str]()

    def before(method: str, parameters: dict[str, Any]) -> str | None:
        refused[method] += 1
        return error if refused[method] < 4 else None

    host.before = before
    assert make(open_one).receipt.event == host.admitted[0]
    assert len(host.admitted) == 1 and refused["io.scened.Events.OpenURL"] == 4
    host.before = lambda method, parameters: error if "SignIn" in method else None
    with pytest.raises(getattr(scened, error)):
        make(lambda client: client.session.sign_in("anna"))


def test_another_host_is_told_and_gets_nothing(host: CutHost, make: Callable[..., Any]) -> None:
    def before(method: str, parameters: dict[str, Any]) -> str | None:
        if method.endswith("OpenURL"):
            # Its daemon ends just now, and keeps no state.
            host.before = lambda method, parameters: None
            host.restart("host-2")
            raise ConnectionAbortedError
        return None

    host.before = before
    with pytest.raises(scened.HostChanged) as changed:
        make(open_named)
    assert (changed.value.from_, changed.value.to, changed.value.event) == ("host-1", "host-2", "mine")
    assert "the event mine was sent and may have been admitted" in str(changed.value)
    assert host.admitted == []


def test_a_reset_between_the_question_and_the_repetition_is_told(host: CutHost, make: Callable[..., Any]) -> None:
    sent = 0

    def before(method: str, parameters: dict[str, Any]) -> str | None:
        nonlocal sent
        if method.endswith("OpenURL"):
            sent += 1
            if sent == 1:
                raise ConnectionAbortedError
            host.restart("host-2")
        return None

    host.before = before
    with pytest.raises(scened.HostChanged, match="may have been admitted"):
        make(open_named)
    assert sent == 2


def test_the_clients_own_reset_is_no_other_host(host: CutHost) -> None:
    with Client(host.path, reconnect=AT_ONCE) as client:
        open_one(client)
        assert client.control.reset().host == "host-1+"
        client.events.open_url("shop://cart", event="after")
        assert host.connections == 1
        client.close()
        assert client.events.get("after").receipt.event == "after"


def test_a_reset_by_another_client_of_the_same_app_is_another_host_for_what_was_sent_before(host: CutHost) -> None:
    binding = Binding()

    def before(method: str, parameters: dict[str, Any]) -> str | None:
        if method.endswith("OpenURL"):
            host.before = lambda method, parameters: None
            host.restart("host-2")
            binding.host = "host-2"
            raise ConnectionAbortedError
        return None

    host.before = before
    with Client(host.path, reconnect=AT_ONCE, binding=binding) as client:
        with pytest.raises(scened.HostChanged, match="the event mine was sent") as changed:
            open_named(client)
        assert (changed.value.from_, changed.value.to) == ("host-1", "host-2") and host.admitted == []
        # What comes after the reset is for the new host.
        assert open_one(client).receipt.event == host.admitted[0]


@pytest.mark.parametrize("are_records_lost", [False, True])
def test_what_was_forgotten_is_not_done_again(host: CutHost, make: Callable[..., Any], are_records_lost: bool) -> None:
    answers = 0

    def before(method: str, parameters: dict[str, Any]) -> str | None:
        nonlocal answers
        if method.endswith("OpenURL"):
            answers += 1
            if answers > 1:
                return None
            host._admit(parameters["event"])
            host.events = {}
            if are_records_lost:
                host.records.append({"index": 3, "kind": "dispatch.ended", "event": "mine"})
                host.gap = 2
            raise ConnectionAbortedError
        return None

    host.before = before
    said = "no longer retained" if are_records_lost else r"admitted \(record 2\), and the daemon has forgotten"
    with pytest.raises(scened.Unsure, match=said) as unsure:
        make(open_named)
    assert unsure.value.event == "mine" and host.admitted == ["mine"] and answers == 1


def test_after_its_time_it_says_what_is_not_known(host: CutHost, make: Callable[..., Any]) -> None:
    ticks = count()
    short = Reconnecting(20, shortest=0, now=lambda: float(next(ticks)))

    def before(method: str, parameters: dict[str, Any]) -> str | None:
        if method.endswith("OpenURL") or method.endswith("Session.Get"):
            raise ConnectionAbortedError
        return None

    host.before = before
    with pytest.raises(scened.Unsure, match="the event mine was sent and may have been admitted") as unsure:
        make(open_named, short)
    assert unsure.value.event == "mine"
    with pytest.raises(scened.ConnectionFailed) as failed:
        make(lambda client: client.session.get(), short)
    assert not isinstance(failed.value, scened.Unsure)
    host.cuts = [0] * 1_000
    with pytest.raises(scened.ConnectionFailed) as failed:
        make(open_named, short)
    assert not isinstance(failed.value, scened.Unsure), "nothing was sent"


@contextmanager
def silence(host: CutHost, method: str, losses: int = 0) -> Iterator[None]:
    """Has the host answer nothing to a method meanwhile, once it has closed so many connections in place of an answer,
    but for one to `GetStatus`."""
    is_over = threading.Event()
    left = losses

    def before(asked: str, parameters: dict[str, Any]) -> str | None:
        nonlocal left
        if left > 0 and not asked.endswith("GetStatus"):
            left -= 1
            raise ConnectionAbortedError
        if left == 0 and asked.endswith(method):
            is_over.wait()
            raise ConnectionAbortedError
        return None

    host.before = before
    try:
        yield
    finally:
        is_over.set()


@pytest.mark.parametrize(
    ("act", "losses", "silent", "says"),
    [
        (open_named, 0, "GetStatus", "Events.OpenURL: no answer within 0.5 s; the event mine was not sent"),
        (open_named, 0, "OpenURL", "Events.OpenURL: no answer within 0.5 s; the event mine may have been admitted"),
        (open_named, 1, "GetStatus", "Events.OpenURL: no answer within 0.5 s; the event mine may have been admitted"),
        (open_named, 1, "Events.Get", "Events.OpenURL: no answer within 0.5 s; the event mine may have been admitted"),
        (open_named, 1, "OpenURL", "Events.OpenURL: no answer within 0.5 s; the event mine may have been admitted"),
        (lambda client: client.session.get(), 0, "GetStatus", "Session.Get: no answer within 0.5 s"),
        (lambda client: client.session.get(), 1, "Session.Get", "Session.Get: no answer within 0.5 s"),
    ],
)
def test_a_timeout_names_the_call_that_was_made_and_not_what_was_asked_for_it(
    host: CutHost, make: Callable[..., Any], act: Act, losses: int, silent: str, says: str
) -> None:
    def act_in_time(client: Any) -> Any:
        client.timeout = 0.5
        return act(client)

    with silence(host, silent, losses), pytest.raises(scened.CallTimeout) as late:
        make(act_in_time)
    assert str(late.value) == f"io.scened.{says}"


def test_a_timeout_of_one_connection_among_several_names_the_event_too(host: CutHost) -> None:
    async def body() -> None:
        async with Connections(str(host.path), timeout=0.5, reconnect=AT_ONCE) as client:
            await open_named(client)

    with silence(host, "OpenURL"), pytest.raises(scened.CallTimeout) as late:
        asyncio.run(body())
    assert str(late.value) == "io.scened.Events.OpenURL: no answer within 0.5 s; the event mine may have been admitted"


def test_a_timeout_of_what_follows_records_names_that(host: CutHost) -> None:
    client = Client(host.path, timeout=0.5, reconnect=AT_ONCE)
    with silence(host, "GetStatus"), pytest.raises(scened.CallTimeout) as late:
        client.records.follow_read()
    assert str(late.value) == "io.scened.Records.Read: no answer within 0.5 s"


def test_by_default_a_lost_connection_is_an_error(host: CutHost, make: Callable[..., Any]) -> None:
    host.cuts = [30]
    with pytest.raises(scened.ConnectionFailed):
        make(lambda client: client.events.open_url("shop://cart", event="one"), None)
    assert host.requests == [] and host.admitted == []


def test_records_are_followed_without_loss_and_without_doubles(host: CutHost) -> None:
    for number in range(4):
        host._admit(f"event-{number}")
    everything = [record["index"] for record in host.records]

    def follow() -> list[Any]:
        with Client(host.path, reconnect=AT_ONCE) as client, client.records.follow_read() as pages:
            return [record["index"] for page in pages for record in page.records]

    async def follow_async() -> list[Any]:
        async with (
            aio.Client(host.path, reconnect=AT_ONCE) as client,
            await client.records.follow_read() as pages,
        ):
            return [record["index"] async for page in pages for record in page.records]

    for place in range(900):
        host.cuts = [place, place // 2 + 100]
        host.host, host.next_host = f"host-{place}", f"host-{place}-after"
        seen = follow() if place % 2 else asyncio.run(follow_async())
        assert seen == everything, place


def test_a_history_that_went_back_is_told(host: CutHost) -> None:
    for number in range(4):
        host._admit(f"event-{number}")
    with Client(host.path, reconnect=AT_ONCE) as client, client.records.follow_read() as pages:
        for _ in range(5):
            next(pages)
        host.records = host.records[:2]
        with pytest.raises(scened.Unsure, match="record 5 was read, and the host has only 2 now"):
            list(pages)


COUNTER = """
format: 2
version: "1"
name: Counter
schemes: [counter]
facts:
  count: { type: integer, default: 0 }
tabs: { home: home }
destinations:
  home:
    tab: home
    routes: ["counter://home"]
intents:
  tapped: { effects: [{ add: count, value: 1 }] }
"""


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_each_tap_counts_once_however_often_the_daemon_is_killed(program: str, tmp_path: Path, is_async: bool) -> None:
    (tmp_path / "counter.yaml").write_text(COUNTER)
    clients, taps, kills = 4, 25, 5
    answered = threading.Semaphore(0)
    receipts: list[Any] = []

    def tap_all(path: str, window: str) -> None:
        with Client(path, reconnect=600, timeout=600) as client:
            for _ in range(taps):
                receipts.append(client.events.send_intent("tapped", scene=window).receipt)
                answered.release()

    async def tap_all_async(path: str, window: str) -> None:
        async with aio.Client(path, reconnect=600, timeout=600) as client:
            for _ in range(taps):
                receipts.append((await client.events.send_intent("tapped", scene=window)).receipt)
                answered.release()

    with Daemon(program, app=str(tmp_path / "counter.yaml"), clock="real", state=True) as daemon:
        with Client(daemon.socket) as client:
            for window in "AB":
                client.scenes.connect(scene=window)

        def run(number: int) -> None:
            window = "AB"[number % 2]
            if is_async:
                asyncio.run(tap_all_async(daemon.socket, window))
            else:
                tap_all(daemon.socket, window)

        threads = [threading.Thread(target=run, args=(number,)) for number in range(clients)]
        for thread in threads:
            thread.start()
        for kill in range(kills):
            # While the others send.
            for _ in range(3 + 5 * kill):
                answered.acquire()
            daemon.restart()
        for thread in threads:
            thread.join()
        with Client(daemon.socket, timeout=600) as client:
            client.control.quiesce(timeout_milliseconds=120_000)
            assert client.session.get().session.facts["count"] == clients * taps
            events = {receipt.event for receipt in receipts}
            assert len(receipts) == len(events) == clients * taps
            check = client.records.check()
            assert check.conclusion == "holds", check
            admitted: list[str] = []
            after = -1
            while (page := client.records.read(after=max(after, 0), kinds=["event.admitted"])).next > after:
                after = page.next
                admitted += [str(record["event"]) for record in page.records]
            assert sorted(admitted) == sorted(events)


def test_a_fixture_goes_on_where_the_daemon_was_killed(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest, scened
        from scened import aio, expect

        @pytest.mark.scened(clock="real", state=True, reconnect=60)
        def test_goes_on(app, daemon):
            window = app.window("A")
            window.open("qcommerce://orders")
            daemon.restart()
            expect(window).to_have_tab("orders")
            link = window.open("qcommerce://cart")
            expect(link).to_be_gated_at("signedIn")

        @pytest.mark.scened(clock="real", state=True, reconnect=60)
        async def test_goes_on_with_coroutines(async_app, daemon):
            window = await async_app.window("A")
            daemon.restart()
            link = await window.open("qcommerce://cart")
            await aio.expect(link).to_be_gated_at("signedIn")

        @pytest.mark.scened(clock="real", fresh=True, reconnect=60)
        def test_says_that_the_host_is_another_one(app, daemon):
            window = app.window("A")
            daemon.restart()
            with pytest.raises(scened.HostChanged):
                window.open("qcommerce://cart")

        @pytest.mark.scened(clock="real", fresh=True)
        def test_is_told_by_default(app, daemon):
            window = app.window("A")
            daemon.restart()
            with pytest.raises(scened.ConnectionFailed):
                window.open("qcommerce://cart")
        """
    )
    suite.runpytest_subprocess("-p", "no:cacheprovider", "-o", "asyncio_mode=auto").assert_outcomes(passed=4)
