"""Both clients and a live daemon."""

import asyncio
import importlib.metadata
import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import scened
from scened import Client, Daemon, aio


def test_calls_and_replies_are_typed(client: Client) -> None:
    scene = client.scenes.connect(scene="A").scene
    assert scene.activation == "foregroundActive" and scene.window and scene.window.tabs[0].stack[0].id == "home"
    receipt = client.events.open_url("qcommerce://cart", scene="A", event="cart").receipt
    assert (receipt.outcome, receipt.precondition) == ("gated", "signedIn")
    assert client.session.sign_in("anna", facts={"market": "de"}).session.facts["market"] == "de"
    assert client.control.quiesce() is None  # type: ignore[func-returns-value]
    # What was shown is a parameter of another call.
    shown = client.scenes.get("A").scene
    assert shown.window and shown.owner
    client.scenes.connect(scene="B", window=shown.window, owner=shown.owner)
    restored = client.scenes.get("B").scene.window
    assert restored and restored.tabs == shown.window.tabs


def test_an_error_is_an_exception_of_its_class(client: Client) -> None:
    client.scenes.connect(scene="A")
    with pytest.raises(scened.SceneExists) as exists:
        client.scenes.connect(scene="A")
    assert (exists.value.scene, exists.value.name) == ("A", "io.scened.Scenes.SceneExists")
    with pytest.raises(scened.IllegalActivation) as illegal:
        client.scenes.set_activation("A", "unattached")
    assert (illegal.value.from_, illegal.value.to) == ("foregroundActive", "unattached")
    with pytest.raises(scened.InvalidParameter) as invalid:
        client.records.read(limit=0)
    assert invalid.value.parameter == "limit"
    # The connection is as good as before.
    assert client.scenes.get("A").scene.id == "A"


def test_a_call_that_takes_too_long_ends_and_the_next_one_works(client: Client) -> None:
    client.scenes.connect(scene="A")
    hold = Client(client.path)
    with hold:
        hold.control.hold("planned", scene="A")
        with pytest.raises(scened.CallTimeout, match=r"io\.scened\.Events\.OpenURL: no answer within 0\.05 s"):
            client.events.open_url("qcommerce://orders", scene="A", event="late", timeout=0.05)
        assert client.events.get("late").receipt.outcome == "admitted", (
            "the answer is to this call, not to the one before"
        )


def test_a_stream_is_an_iterator_that_ends_with_the_host(client: Client) -> None:
    with client.records.follow_read(limit=1) as pages:
        assert next(pages).records[0]["kind"] == "host.started"
        client.control.reset()
        assert [record["kind"] for page in pages for record in page.records] == ["host.stopped"]
        assert list(pages) == []


def test_an_error_ends_a_stream(client: Client) -> None:
    with pytest.raises(scened.UnknownKind) as unknown:
        next(client.records.follow_read(kinds=["gate.praked"]))
    assert unknown.value.suggestion == "gate.parked"


def test_who_waits_in_a_stream_is_told_when_another_thread_closes_it(client: Client) -> None:
    pages = client.session.follow_get()
    next(pages)
    rest: list[object] = []
    thread = threading.Thread(target=lambda: rest.extend(pages))
    thread.start()
    pages.close()
    thread.join(30)
    assert not thread.is_alive() and rest == []


def test_threads_may_share_a_client(client: Client) -> None:
    client.scenes.connect(scene="A")
    found: list[str] = []

    def ask(number: int) -> None:
        for index in range(20):
            name = f"{number}-{index}"
            found.append(
                client.events.open_url("qcommerce://orders", scene="A", event=name, wait="admitted").receipt.event
            )

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found) == sorted(f"{number}-{index}" for number in range(4) for index in range(20))


def test_where_no_daemon_is_the_error_says_where(tmp_path: Path) -> None:
    with pytest.raises(scened.ConnectionFailed, match=f"no daemon answers at {tmp_path}/none"):
        Client(tmp_path / "none").scenes.list()
    with pytest.raises(ConnectionError):
        asyncio.run(in_async(tmp_path / "none", lambda client: client.scenes.list()))


@pytest.mark.parametrize(
    ("user", "environment", "path"),
    [
        (0, {}, "/run/scened/io.scened"),
        (1000, {"XDG_RUNTIME_DIR": "/run/user/1000"}, "/run/user/1000/scened/io.scened"),
        (1000, {"XDG_RUNTIME_DIR": "/run/user/1000", "SCENED_SOCKET": "/tmp/mine"}, "/tmp/mine"),
    ],
)
def test_the_usual_socket_is_that_of_scenectl(
    monkeypatch: pytest.MonkeyPatch, user: int, environment: dict[str, str], path: str
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.delenv("SCENED_SOCKET", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Client().path == aio.Client().path == path


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        (b"", scened.ConnectionFailed, "closed the connection"),
        (b'{"parameters":', scened.ConnectionFailed, "closed the connection"),
        (b"nonsense\0", scened.ProtocolError, "not JSON"),
        (b'{"parameters":{"scenes":3}}\0', scened.ProtocolError, "scenes: found 3, expected a list"),
    ],
)
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_daemon_that_answers_nonsense_is_an_error(
    tmp_path: Path, answer: bytes, error: type[Exception], text: str, is_async: bool
) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(error, match=text):
            asyncio.run(in_async(path, lambda client: client.scenes.list())) if is_async else Client(path).scenes.list()
        thread.join(30)


def test_a_call_beyond_the_limits_is_told_with_its_size(live: Daemon, client: Client) -> None:
    facts = {"market": "x" * (1 << 20)}
    said = r"SignIn: .*; the call has 1,048,[67][0-9]{2} bytes, more than limits\.message, which is 1,048,576"
    with pytest.raises(scened.ConnectionFailed, match=said):
        client.session.sign_in("anna", facts=facts)
    with pytest.raises(scened.ConnectionFailed, match=said):
        asyncio.run(in_async(live.socket, lambda client: client.session.sign_in("anna", facts=facts)))
    # The next call has a connection.
    assert client.manager.get_status().app == "Shop"


def test_a_call_that_is_too_deep_is_told_with_its_depth(client: Client) -> None:
    deep: scened.JSON = "x"
    for _ in range(70):
        deep = [deep]
    with pytest.raises(scened.ConnectionFailed, match=r"; the call is 73 levels deep, more than limits\.nesting"):
        client.session.sign_in("anna", facts={"market": deep})


async def in_async(path: Path | str, body: Callable[[aio.Client], Awaitable[object]]) -> object:
    async with aio.Client(path) as client:
        return await body(client)


def test_the_async_client_does_the_same(live: Daemon, client: Client) -> None:
    async def body(client: aio.Client) -> None:
        await client.scenes.connect(scene="A")
        with pytest.raises(scened.SceneExists):
            await client.scenes.connect(scene="A")
        async with await client.scenes.follow_list() as changes:
            first = await anext(changes)
            assert [scene.id for scene in first.scenes] == ["A"]
            receipts = await asyncio.gather(
                *(client.events.open_url("qcommerce://orders", scene="A", event=f"e{number}") for number in range(5))
            )
            assert [reply.receipt.event for reply in receipts] == [f"e{number}" for number in range(5)]
            assert (await anext(changes)).scenes[0].id == "A"
        async with aio.Client(live.socket) as other:
            await other.control.hold("planned", scene="A")
            with pytest.raises(scened.CallTimeout):
                await client.events.open_url("qcommerce://cart", scene="A", event="late", timeout=0.05)
            assert (await client.events.get("late")).receipt.outcome == "admitted"

    asyncio.run(in_async(live.socket, body))


def test_a_call_that_waits_for_another_threads_call_keeps_its_own_timeout(live: Daemon, client: Client) -> None:
    client.scenes.connect(scene="A")
    with Client(live.socket) as holder:
        hold = holder.control.hold("planned", scene="A").hold
        link = threading.Thread(target=client.events.open_url, args=("qcommerce://orders",), kwargs={"scene": "A"})
        link.start()
        holder.control.await_(hold, timeout_milliseconds=10_000)
        with pytest.raises(scened.CallTimeout, match=r"GetStatus: not made within 0.05 s, .* another thread"):
            client.manager.get_status(timeout=0.05)
    link.join(30)
    assert not link.is_alive()
    assert client.manager.get_status().app == "Shop"


def test_a_daemon_can_be_stopped_twice_and_its_log_outlives_it(program: str) -> None:
    with Daemon(program) as daemon:
        size = daemon.log_size()
        daemon.stop()
        # What it says of its start may come after it has said that it is ready.
        assert len(daemon.log().encode()) == daemon.log_size() >= max(size, 1)
    assert daemon.status == 0


def test_the_package_has_the_daemons_version(client: Client) -> None:
    assert importlib.metadata.version("scened") == client.manager.get_status().version


def test_the_checker_answers(client: Client) -> None:
    client.scenes.connect(scene="A")
    client.control.quiesce()
    check = client.records.check()
    assert check.conclusion == "holds" and [verdict.number for verdict in check.verdicts] == list(range(1, 16))
