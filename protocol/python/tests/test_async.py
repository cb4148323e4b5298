"""Windows, races and adapters for coroutines: nothing blocks, what is cancelled leaves the rest as it was, and what is
sent at once is sent at once."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

import scened
from scened import (
    AdapterFailed,
    Asked,
    Daemon,
    Destination,
    ExpectationFailed,
    NothingHeld,
    UnknownName,
    aio,
)
from scened.aio import App, Event, Hold, Window, expect
from scened.aio.expectations import AppExpectation, EventExpectation, WindowExpectation

Body = Callable[[App], Coroutine[Any, Any, None]]


# MARK: What waits, and what is given up


@dataclass
class Stage:
    """What calls are made about: a window with a link that waits for a sign-in, and a hold that catches nothing."""

    app: App
    window: Window
    link: Event
    hold: Hold

    async def act(self, _: aio.Client) -> None:
        """Changes a window's life, when it may."""


CALLS: dict[str, Callable[[Stage], Awaitable[object]]] = {
    "App.__aenter__": lambda stage: App(stage.app.connections.path).__aenter__(),
    "App.__aexit__": lambda stage: stage.app.__aexit__(None, None, None),
    "App.activity": lambda stage: stage.app.activity("com.example.shop.view"),
    "App.check": lambda stage: stage.app.check(),
    "App.close": lambda stage: stage.app.close(),
    "App.finish": lambda stage: stage.app.finish(),
    "App.is_at_rest": lambda stage: stage.app.is_at_rest(),
    "App.live": lambda stage: stage.app.live("A", "nothing", stage.act),
    "App.mark_stale": lambda stage: stage.app.mark_stale(),
    "App.open": lambda stage: stage.app.open("qcommerce://orders"),
    "App.push": lambda stage: stage.app.push("Hello"),
    "App.records": lambda stage: stage.app.records(),
    "App.release": lambda stage: stage.app.release(),
    "App.session": lambda stage: stage.app.session,
    "App.set": lambda stage: stage.app.set(market="de"),
    "App.settle": lambda stage: stage.app.settle(),
    "App.shortcut": lambda stage: stage.app.shortcut("com.example.shop.cart"),
    "App.sign_in": lambda stage: stage.app.sign_in("anna"),
    "App.sign_out": lambda stage: stage.app.sign_out(),
    "App.violated": lambda stage: stage.app.violated([]),
    "App.violations": lambda stage: stage.app.violations(),
    "App.widget": lambda stage: stage.app.widget("cart"),
    "App.window": lambda stage: stage.app.window("B"),
    "App.windows": lambda stage: stage.app.windows(),
    "AppExpectation.to_have_facts": lambda stage: expect(stage.app).to_have_facts(market=None),
    "AppExpectation.to_have_user": lambda stage: expect(stage.app).to_have_user(None),
    "Clock.advance": lambda stage: stage.app.clock.advance(1),
    "Clock.advance_to": lambda stage: stage.app.clock.advance_to("2100-01-01"),
    "Clock.date": lambda stage: stage.app.clock.date,
    "Clock.now": lambda stage: stage.app.clock.now,
    "Clock.run_out": lambda stage: stage.app.clock.run_out(),
    "Clock.run_until": lambda stage: stage.app.clock.run_until(stage.hold.look),
    "Event.answer": lambda stage: stage.link.answer,
    "Event.described": lambda stage: stage.link.described(),
    "Event.finished": lambda stage: stage.link.finished(),
    "Event.gate": lambda stage: stage.link.gate,
    "Event.has_settled": lambda stage: stage.link.has_settled(),
    "Event.outcome": lambda stage: stage.link.outcome,
    "Event.reason": lambda stage: stage.link.reason,
    "Event.receipt": lambda stage: stage.link.receipt,
    "Event.settled": lambda stage: stage.link.settled(),
    "EventExpectation.to_be": lambda stage: expect(stage.link).to_be("gated"),
    "EventExpectation.to_be_gated_at": lambda stage: expect(stage.link).to_be_gated_at("signedIn"),
    "Hold.__aenter__": lambda stage: stage.app.at("planned").__aenter__(),
    "Hold.__aexit__": lambda stage: stage.hold.__aexit__(None, None, None),
    "Hold.look": lambda stage: stage.hold.look(),
    "Hold.release": lambda stage: stage.hold.release(),
    "Hold.wait": lambda stage: stage.hold.wait(),
    "Window.activity": lambda stage: stage.window.activity("com.example.shop.view"),
    "Window.back": lambda stage: stage.window.back(),
    "Window.background": lambda stage: stage.window.background(),
    "Window.cancel": lambda stage: stage.window.cancel("auth"),
    "Window.complete": lambda stage: stage.window.complete("auth", user="anna"),
    "Window.connect": lambda stage: stage.window.connect(),
    "Window.disconnect": lambda stage: stage.window.disconnect(),
    "Window.discard": lambda stage: stage.window.discard(),
    "Window.dismiss": lambda stage: stage.window.dismiss(),
    "Window.foreground": lambda stage: stage.window.foreground(),
    "Window.open": lambda stage: stage.window.open("qcommerce://orders"),
    "Window.push": lambda stage: stage.window.push("Hello"),
    "Window.report": lambda stage: stage.window.report("cartTapped"),
    "Window.scene": lambda stage: stage.window.scene,
    "Window.select_tab": lambda stage: stage.window.select_tab("orders"),
    "Window.shortcut": lambda stage: stage.window.shortcut("com.example.shop.cart"),
    "Window.shown": lambda stage: stage.window.shown,
    "Window.swipe_back": lambda stage: stage.window.swipe_back(),
    "Window.swipe_down": lambda stage: stage.window.swipe_down(),
    "Window.widget": lambda stage: stage.window.widget("cart"),
    "WindowExpectation.not_to_show": lambda stage: expect(stage.window).not_to_show("cart"),
    "WindowExpectation.to_be": lambda stage: expect(stage.window).to_be("foregroundActive"),
    "WindowExpectation.to_be_connected": lambda stage: expect(stage.window).to_be_connected(),
    "WindowExpectation.to_be_locked": lambda stage: expect(stage.window).to_be_locked(),
    "WindowExpectation.to_be_transitioning": lambda stage: expect(stage.window).to_be_transitioning(),
    "WindowExpectation.to_have_modals": lambda stage: expect(stage.window).to_have_modals("auth"),
    "WindowExpectation.to_have_parked": lambda stage: expect(stage.window).to_have_parked("signedIn"),
    "WindowExpectation.to_have_stack": lambda stage: expect(stage.window).to_have_stack("home"),
    "WindowExpectation.to_have_tab": lambda stage: expect(stage.window).to_have_tab("home"),
    "WindowExpectation.to_show": lambda stage: expect(stage.window).to_show("home"),
}
PARTS = {"App.await_life", "App.send"}
"""What others in the table are made of."""


def awaited(found: type) -> set[str]:
    """The coroutine functions of a class, and its properties that are awaited."""
    members = {
        name: member.fget if isinstance(member, property) else member
        for each in found.__mro__[:-1]
        for name, member in vars(each).items()
    }
    return {
        f"{found.__name__}.{name}"
        for name, member in members.items()
        if inspect.iscoroutinefunction(member) and (name.startswith("__") or not name.startswith("_"))
    }


def test_the_table_has_whatever_is_awaited() -> None:
    classes = (App, Window, Event, Hold, aio.Clock, AppExpectation, EventExpectation, WindowExpectation)
    assert set(CALLS) | PARTS == set().union(*map(awaited, classes))


@contextmanager
def stopped(daemon: Daemon) -> Iterator[None]:
    """Within it the daemon answers nothing."""
    os.kill(daemon.process_id, signal.SIGSTOP)
    os.waitid(os.P_PID, daemon.process_id, os.WSTOPPED)
    try:
        yield
    finally:
        os.kill(daemon.process_id, signal.SIGCONT)


@pytest.mark.parametrize("name", CALLS)
def test_no_call_blocks_the_event_loop_and_one_that_is_cancelled_leaves_all_as_it_was(
    async_app: App, daemon: Daemon, name: str
) -> None:
    async def body() -> None:
        window = await async_app.window("A")
        link = await window.open("https://shop.example/cart")
        hold = async_app.at("planned", event="never", must_catch=False)
        async with hold:
            with stopped(daemon):
                waiting = asyncio.ensure_future(CALLS[name](Stage(async_app, window, link, hold)))
                for _ in range(50):
                    await asyncio.sleep(0)
                assert not waiting.done(), "it goes on while the daemon does not answer"
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
            assert (await async_app.client.manager.get_status()).app == "Shop"
        other = await async_app.window("C")
        assert await (await other.open("qcommerce://orders")).outcome == "applied"
        await expect(other).to_show("orders")

    asyncio.run(body())


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_what_a_hold_has_caught_is_known_also_if_whoever_looked_has_given_up(
    request: pytest.FixtureRequest, clock: str
) -> None:
    async def body(app: App) -> None:
        window = await app.window("A")
        async with window.at("planned") as hold:
            looking = asyncio.create_task(hold.look(10_000))
            for _ in range(20):
                await asyncio.sleep(0)
            looking.cancel()
            link = await window.open("qcommerce://orders", wait="admitted")
            assert (await hold.wait()).event == link.id
        assert await link.outcome == "applied"

    run(request, body, clock=clock)


def test_a_hold_ends_at_once_also_if_a_look_that_was_given_up_goes_on(async_app: App) -> None:
    async def body() -> None:
        async with async_app.at("planned", must_catch=False) as hold:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.02):
                    await hold.look(3_600_000)

    asyncio.run(body())


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_a_timeout_within_a_hold_ends_the_wait_and_not_the_hold(request: pytest.FixtureRequest, clock: str) -> None:
    async def body(app: App) -> None:
        window = await app.window("A")
        async with window.at("planned"):
            link = await window.open("qcommerce://orders")
            for wait in (link.finished, link.settled):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.02):
                        await wait()
            with pytest.raises(ExpectationFailed):
                await expect(window).to_show("orders")
            assert await link.outcome == "admitted", "it is still held"
        await expect(window).to_show("orders")

    run(request, body, clock=clock)


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_an_event_whose_sending_was_cancelled_is_sent_once_and_can_be_waited_for(
    request: pytest.FixtureRequest, clock: str
) -> None:
    async def body(app: App) -> None:
        window = await app.window("A")
        async with aio.Client(app.client.path) as other:
            hold = (await other.control.hold("planned")).hold
            sending = asyncio.create_task(window.open("qcommerce://orders", event="link"))
            await other.control.await_(hold, timeout_milliseconds=9_000)
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
            await other.control.release(hold)
        link = await window.open("qcommerce://orders", event="link")
        assert await link.outcome == "applied"
        assert len(await app.records(kinds=["event.admitted"], event="link")) == 1

    run(request, body, clock=clock)


def run(request: pytest.FixtureRequest, body: Body, **settings: object) -> None:
    """Runs a coroutine with the app of a daemon with these settings."""
    request.node.add_marker(pytest.mark.scened(**settings))
    asyncio.run(body(request.getfixturevalue("async_app")))


# MARK: What is done at once


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_what_is_gathered_is_sent_from_all_windows_at_once(request: pytest.FixtureRequest, clock: str) -> None:
    async def body(app: App) -> None:
        a, b = await app.windows("A", "B")
        async with aio.Client(app.client.path) as other:
            # Of which the app knows nothing, so that it waits.
            hold = (await other.control.hold("planned")).hold
            both = asyncio.gather(a.open("qcommerce://orders"), b.open("qcommerce://product/p1"))
            caught = {(await other.control.await_(hold, timeout_milliseconds=9_000)).scene for _ in "AB"}
            assert caught == {"A", "B"} and not both.done()
            await other.control.release(hold)
            links = await both
        assert [await link.outcome for link in links] == ["applied", "applied"]
        assert (a.last, b.last) == tuple(links)

    run(request, body, clock=clock)


def test_more_may_be_sent_at_once_than_a_user_may_have_connections(async_app: App) -> None:
    async def body() -> None:
        windows = await async_app.windows("A", "B", "C")
        opens = [window.open("qcommerce://orders") for window in windows for _ in range(100)]
        links = await asyncio.gather(*opens)
        assert len({link.id for link in links}) == 300

    asyncio.run(body())


@pytest.mark.scened(clock="real")
def test_a_call_for_which_there_is_no_room_keeps_its_own_timeout(
    async_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(async_app.connections), "AT_ONCE", 2)

    async def body() -> None:
        window = await async_app.window("A")
        async with aio.Client(async_app.client.path) as other:
            # The first link has the manifest read, with calls of its own; from then on each is one call.
            await window.open("qcommerce://account")
            hold = (await other.control.hold("planned")).hold
            both = asyncio.gather(*(window.open("qcommerce://orders") for _ in range(2)))
            await other.control.await_(hold, timeout_milliseconds=9_000)
            # The first of the two is held; the other may be on its way still, and stays where it is once admitted.
            while (await other.scenes.get("A")).scene.admitted < 3:
                await asyncio.sleep(0)
            assert async_app.connections._room().locked()
            with pytest.raises(scened.CallTimeout, match=r"Get: not made within 0\.05 s, because 2 calls of"):
                await async_app.client.session.get(timeout=0.05)
            await other.control.release(hold)
            await both
        assert (await async_app.session).user is None

    asyncio.run(body())


def test_time_goes_no_further_by_itself_however_many_wait(request: pytest.FixtureRequest) -> None:
    async def body(app: App) -> None:
        await app.sign_in("anna", expires_in=500)
        windows = await app.windows(*"ABCDEFGH")
        links = [await window.open("qcommerce://product/p1", wait="admitted") for window in windows]
        await asyncio.gather(*(link.finished() for link in links))
        assert await app.clock.now == 350
        await expect(app).to_have_user("anna")

    run(request, body, transition=350)


def test_time_stands_still_until_the_last_that_stopped_it_goes_on(async_app: App) -> None:
    with async_app.clock.stopped() as _:
        other = async_app.clock.stopped()
        other.__enter__()
    assert not async_app.clock.is_automatic
    other.__exit__(None, None, None)
    assert async_app.clock.is_automatic and async_app.clock.was_stopped


def test_a_window_that_several_ask_for_is_one(async_app: App) -> None:
    async def body() -> None:
        a, b, c = await asyncio.gather(*(async_app.window("A") for _ in range(3)))
        assert a is b is c
        await expect(a).to_show("home")

    asyncio.run(body())


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_holds_of_several_windows_end_one_after_the_other(request: pytest.FixtureRequest, clock: str) -> None:
    async def body(app: App) -> None:
        a, b = await app.windows("A", "B")
        async with a.at("planned"):
            await a.open("qcommerce://orders")
            await a.background()
            async with b.at("planned") as hold:
                link = await b.open("qcommerce://orders")
                assert hold.caught is not None and hold.caught.event == link.id
                await b.background()
            assert await link.outcome == "applied", "only the other window is still held"
            assert (await b.scene).activation == "background"
            assert (await a.scene).activation == "foregroundActive"
            behind = await b.open("qcommerce://product/p1", wait="admitted")
            await expect(b).to_show("home", "product")
            await expect(behind).to_be("applied")
        assert (await a.scene).activation == "background"

    run(request, body, clock=clock, transition=50)


def test_races_of_several_windows_may_overlap_as_they_like(async_app: App) -> None:
    async def race(window: Window) -> None:
        async with window.at("planned") as hold:
            link = await window.open("qcommerce://orders")
            assert hold.caught is not None and hold.caught.event == link.id
            await window.background()
        assert await link.outcome == "applied"
        assert (await window.scene).activation == "background"

    async def body() -> None:
        await asyncio.gather(*(race(window) for window in await async_app.windows("A", "B", "C")))

    asyncio.run(body())


def test_an_app_outlives_an_event_loop(async_app: App) -> None:
    async def sign_in() -> None:
        await async_app.sign_in("anna")
        await async_app.window("A")

    async def look() -> None:
        await expect(async_app).to_have_user("anna")
        assert await (await async_app.window("A")).shown == ["home"]

    client = async_app.connections.another()

    async def wait_for_each_other() -> None:
        await asyncio.gather(*(client.session.get() for _ in range(3)))

    asyncio.run(sign_in())
    asyncio.run(look())
    asyncio.run(wait_for_each_other())
    asyncio.run(wait_for_each_other())


def test_without_the_plugin_an_app_knows_its_clock(daemon: Daemon) -> None:
    async def body() -> None:
        async with App(daemon.socket) as app:
            assert app.clock.kind == "virtual" and app.clock.is_automatic
            await (await app.window("A")).open("qcommerce://orders")
        unknown = App(daemon.socket)
        with pytest.raises(scened.ScenedError, match="known within 'async with App"):
            print(unknown.clock.kind)
        assert (await unknown.session).user is None
        await unknown.settle()
        await unknown.close()

    asyncio.run(body())


def test_what_is_of_the_other_package_is_refused_by_its_name(app: scened.App, async_app: App) -> None:
    with pytest.raises(TypeError, match=r"expect\(\) of scened\.app\.App; expected a Window, .* of scened\.aio$"):
        expect(app)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"expect\(\) of scened\.aio\.app\.App; expected a Window, .* of scened$"):
        scened.expect(async_app)  # type: ignore[call-overload]


# MARK: Adapters


def test_an_adapter_may_await_what_the_test_does_meanwhile(async_app: App) -> None:
    asked_for = asyncio.Event()
    known = asyncio.Event()

    @async_app.adapter(kinds=["push"], priority=50)
    async def campaign(asked: Asked) -> Destination:
        asked_for.set()
        await known.wait()
        return Destination("product", {"id": asked.payload["product"]})

    async def body() -> None:
        window = await async_app.window("A")
        async with asyncio.TaskGroup() as group:
            group.create_task(window.push({"aps": {"alert": "Cheap"}, "product": "p7"}))
            await asked_for.wait()
            assert await window.shown == ["home"]
            known.set()
        await expect(window).to_show("home", "product(id: p7)")
        await async_app.finish()

    asyncio.run(body())


def test_an_event_loop_can_end_while_an_adapter_is_asked(async_app: App) -> None:
    async def body() -> None:
        asked_for = asyncio.Event()

        @async_app.adapter(kinds=["push"], priority=50)
        async def campaign(asked: Asked) -> None:
            asked_for.set()
            await asyncio.Event().wait()

        window = await async_app.window("A")
        pushing = asyncio.create_task(window.push("Hello"))
        await asked_for.wait()
        assert not pushing.done()

    asyncio.run(body())


def test_an_adapter_that_has_not_returned_is_ended_with_the_app(daemon: Daemon) -> None:
    async def body() -> None:
        ended = asyncio.Event()
        app = App(daemon.socket, clock="virtual")

        @app.adapter(kinds=["push"], priority=50, timeout=0.05)
        async def campaign(asked: Asked) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        await (await app.window("A")).push("Hello")
        with pytest.raises(AdapterFailed, match=r"has not returned 0\.05 s after the test"):
            await app.finish()
        async with asyncio.timeout(60):
            await ended.wait()

    asyncio.run(body())


def test_an_adapter_may_be_a_function_that_answers_at_once(async_app: App) -> None:
    @async_app.adapter(kinds=["push"], priority=50)
    def campaign(asked: Asked) -> str:
        return "qcommerce://orders"

    async def body() -> None:
        await (await async_app.window("A")).push("Hello")
        await expect(await async_app.window("A")).to_show("orders")
        await async_app.finish()

    asyncio.run(body())


def test_an_adapter_is_asked_from_the_next_call_on_also_if_that_was_cancelled(async_app: App, daemon: Daemon) -> None:
    async def body() -> None:
        window = await async_app.window("A")
        asked_about: list[str] = []

        @async_app.adapter(kinds=["push"], priority=50)
        async def campaign(asked: Asked) -> None:
            asked_about.append(asked.kind)

        with stopped(daemon):
            first = asyncio.create_task(window.push("Hello"))
            for _ in range(50):
                await asyncio.sleep(0)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
        await window.push("Hello")
        assert asked_about == ["push"]
        await async_app.finish()

    asyncio.run(body())


@pytest.mark.parametrize(
    ("wait", "error"),
    [
        (lambda window: window.open("qcommerce://orders"), AdapterFailed),
        (lambda window: expect(window).to_show("orders"), AdapterFailed),
        (lambda window: expect(window).to_show("oders"), UnknownName),
        (lambda window: window.background(), AdapterFailed),
        (lambda window: window.app.clock.advance(1), AdapterFailed),
        (lambda window: window.app.settle(), AdapterFailed),
        (lambda window: asyncio.gather(window.app.settle()), AdapterFailed),
        (lambda window: asyncio.wait_for(window.open("qcommerce://orders", wait="admitted"), 10), None),
        (lambda window: window.shown, None),
    ],
)
def test_an_adapter_can_look_and_send_but_not_wait_for_what_waits_for_it(
    async_app: App, wait: Callable[[Window], Awaitable[object]], error: type[Exception] | None
) -> None:
    async def body() -> None:
        window = await async_app.window("A")
        raised: list[Exception | None] = []

        @async_app.adapter(kinds=["push"], priority=50)
        async def campaign(asked: Asked) -> bool:
            try:
                await wait(window)
                raised.append(None)
            except (AdapterFailed, UnknownName) as failed:
                raised.append(failed)
            return True

        await window.push("Hello")
        assert [type(each) if each else None for each in raised] == [error]
        await async_app.finish()

    asyncio.run(body())


def test_an_answer_that_the_daemon_refuses_declines_the_event(daemon: Daemon) -> None:
    async def body() -> None:
        app = App(daemon.socket)

        @app.adapter(kinds=["push"], priority=50)
        async def campaign(asked: Asked) -> scened.Answer:
            return scened.Answer(url="qcommerce://orders", user="a b")

        async with app:
            window = await app.window("A")
            assert await (await window.push("Hello")).outcome != "admitted"
            with pytest.raises(
                AdapterFailed, match=r"'campaign' returned .*: InvalidParameter: .* a character that no"
            ):
                await app.finish()

    asyncio.run(body())


def test_a_function_is_registered_where_somebody_can_await_it(app: scened.App, async_app: App) -> None:
    async def campaign(asked: Asked) -> None: ...

    with pytest.raises(TypeError, match=r"'campaign' is a coroutine function, which only an app of scened\.aio "):
        app.adapter(kinds=["push"])(campaign)  # type: ignore[arg-type]
    for each in (app, async_app):
        with pytest.raises(TypeError, match="found 3, expected a function"):
            each.adapter(kinds=["push"])(3)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"timeout 11; expected 0\.001 to 10 seconds"):
            each.adapter(kinds=["push"], timeout=11)(lambda asked: None)


def test_a_hold_that_catches_nothing_is_an_error_of_its_line(async_app: App) -> None:
    async def body() -> None:
        with pytest.raises(NothingHeld, match=r"^window A\.at\('planned', event='other'\) caught nothing; "):
            async with (await async_app.window("A")).at("planned", event="other"):
                pass

    asyncio.run(body())


# MARK: What is expected


@pytest.mark.scened(app="cars.yaml", arguments=["--start", "2026-11-27T08:00Z"])
@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("cancel(start: 2026-11-28)", ExpectationFailed),
        ("cancel(start: tomorrow)", ValueError),
        ("cancel(Start: 2026-11-28)", UnknownName),
    ],
)
def test_a_value_is_compared_in_the_form_in_which_it_is_shown(
    async_app: App, written: str, error: type[Exception]
) -> None:
    async def body() -> None:
        window = await async_app.window("A")
        await window.open("cars://cancel/2026-11-28")
        await async_app.set(pickup="2026-11-28")
        await expect(async_app).to_have_facts(pickup="2026-11-28")
        with pytest.raises(error):
            await expect(window).not_to_show(written)

    asyncio.run(body())


def test_words_that_nothing_has_are_refused(async_app: App) -> None:
    async def body() -> None:
        window = await async_app.window("A")
        link = await window.open("qcommerce://product/p1")
        with pytest.raises(UnknownName, match="did you mean 'applied'"):
            await expect(link).to_be("aplied")
        with pytest.raises(UnknownName, match="did you mean 'inStock'"):
            await expect(link).to_be("rejected", reason="inStok")
        with pytest.raises(UnknownName, match="'ignored' has no reason 'inStock'"):
            await expect(link).to_be("ignored", reason="inStock")
        with pytest.raises(ValueError, match="'applied' has no reason, such as 'inStock'"):
            await expect(link).to_be("applied", reason="inStock")
        with pytest.raises(ValueError, match="write to_be_gated_at"):
            await expect(link).to_be("gated", reason="signedIn")
        with pytest.raises(ValueError, match="has settled as 'applied'"):
            await expect(link).to_be("admitted")
        with pytest.raises(ValueError, match="None means nobody"):
            await expect(async_app).to_have_user("")
        with pytest.raises(ValueError, match="the user 'a b' cannot be; expected 1 to 128"):
            await expect(async_app).to_have_user("a b")
        with pytest.raises(UnknownName, match="did you mean 'cartTapped'"):
            await window.report("cartTaped")
        await expect(link).to_be("applied")

    asyncio.run(body())


@pytest.mark.scened(app="cars.yaml")
def test_what_a_fact_a_word_or_an_adapters_destination_can_never_be_is_an_error(daemon: Daemon) -> None:
    async def body() -> None:
        app = App(daemon.socket, clock="virtual")

        @app.adapter(kinds=["push"], priority=50)
        async def campaign(asked: Asked) -> Destination:
            return Destination("cars", {"id": "1"})

        async with app:
            window = await app.window("A")
            kept = (await app.set(storm=True, token="hush4711")).facts["token"]
            await expect(app).to_have_facts(storm=True, token=kept)
            with pytest.raises(ValueError, match="'storm' cannot be 'yes': it is of type boolean; expected True or"):
                await expect(app).to_have_facts(storm="yes")
            with pytest.raises(ValueError, match="'token' is secret"):
                await expect(app).to_have_facts(token="hush4711")
            with pytest.raises(UnknownName, match="there is no wait 'admited'; did you mean 'admitted'"):
                await window.push("Hello", wait="admited")  # type: ignore[arg-type]
            await window.push("Hello")
            with pytest.raises(
                AdapterFailed,
                match="'campaign' returned a destination that cannot be: the app has no destination 'cars'",
            ):
                await app.finish()

    asyncio.run(body())


@pytest.mark.scened(app="cars.yaml")
def test_a_secret_of_a_link_is_shown_nowhere(async_app: App) -> None:
    async def body() -> None:
        link = await (await async_app.window("A")).open("cars://reset/Hush-4711")
        assert "cars://reset/{token}" in repr(link) and "cars://reset/{token}" in await link.described()
        assert "Hush" not in repr(link) + await link.described()

    asyncio.run(body())


def test_a_clock_goes_to_a_date(async_app: App) -> None:
    async def body() -> None:
        await async_app.clock.advance_to("2100-01-01T00:00:01Z")
        assert await async_app.clock.date == datetime(2100, 1, 1, 0, 0, 1, tzinfo=UTC)

    asyncio.run(body())
