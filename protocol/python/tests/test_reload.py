"""After a reload, names and values are those of the manifest that is in force, and what has come stays so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import scened
from scened import (
    JSON,
    AdapterFailed,
    App,
    Asked,
    Daemon,
    Destination,
    ExpectationFailed,
    UnknownName,
    Window,
    aio,
    expect,
)

CARS = Path(__file__).with_name("cars.yaml")
SECRET = ("extra: { type: string, optional: true }", "extra: { type: string, optional: true, secret: true }")
NO_NOTE = (
    '{ id: string, note: { type: string, optional: true } }\n    routes: ["cars://car/{id}?note={note?}"]',
    '{ id: string }\n    routes: ["cars://car/{id}"]',
)
NEW_PARAMETER = (
    "days: { type: integer, default: 3 }, extra",
    "days: { type: integer, default: 4 }, extra",
)
TEXT_DATE = ("parameters: { start: date }\n    conditions: [inTime]", "parameters: { start: string }")
NO_RESET = (
    """  reset:
    ancestry: [home]
    parameters: { token: { pattern: "[A-Za-z0-9-]{4,40}", secret: true } }
    routes: ["cars://reset/{token}"]
""",
    "",
)
RENAMED_CONDITION = ("inTime", "stillOpen")
RENAMED_GATE = ("keyed", "unlocked")
RENAMED_FLOW = ("pairing", "coupling")
RENAMED_INTENT = ("pickedUp", "fetched")
NUMBER = ("seats: { type: integer }", "seats: { type: number }")
SECRET_FACT = ("stops: { type: strings }", "stops: { type: strings, secret: true }")
NO_FACT = ("  storm: { type: boolean }\n", "")
WITH_LOCK = ("tabs: ", "lock: { flow: unlock, when: { present: key } }\ntabs: ")
UNLOCK = ("flows:\n", "flows:\n  unlock:\n    screens: [passcode]\n    intents: { entered: { effects: [complete] } }\n")


@dataclass
class Reloaded:
    """A daemon whose manifest can be exchanged."""

    daemon: Daemon
    file: Path

    def now(self, *changes: tuple[str, str]) -> None:
        """Has the daemon read the manifest with these changes."""
        text = CARS.read_text("utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        self.file.write_text(text, "utf-8")
        with scened.Client(self.daemon.socket) as client:
            client.manager.reload()


@pytest.fixture
def manifest(program: str, tmp_path: Path) -> Iterator[Reloaded]:
    """The manifest of a daemon, which can be exchanged."""
    file = tmp_path / "cars.yaml"
    file.write_text(CARS.read_text("utf-8"), "utf-8")
    with Daemon(program, app=str(file), arguments=["--start", "2026-11-27T08:00Z"]) as daemon:
        yield Reloaded(daemon, file)


@pytest.fixture
def app(manifest: Reloaded) -> Iterator[App]:
    """The app, whose manifest has been read for an expectation."""
    with App(manifest.daemon.socket, clock="virtual") as app:
        window = app.window("A")
        expect(window).not_to_show("car(id: 1)")
        yield app


Act = Callable[[Window], object]


# MARK: What is in force


@pytest.mark.parametrize(
    ("changes", "act", "check"),
    [
        (
            [SECRET],
            lambda window: window.open("cars://hire?extra=roof"),
            lambda window: expect(window).to_show("home", "hire(extra: roof)"),
        ),
        (
            [NEW_PARAMETER],
            lambda window: window.open("cars://hire"),
            lambda window: expect(window).to_have_stack("home", "hire(days: 4)"),
        ),
        (
            [TEXT_DATE],
            lambda window: window.open("cars://cancel/2026-11-28"),
            lambda window: expect(window).to_show("home", "cancel(start: 2026-11-28)"),
        ),
        (
            [NUMBER],
            lambda window: window.app.set(seats=0.5),
            lambda window: expect(window.app).to_have_facts(seats=0.5),
        ),
        (
            [RENAMED_GATE],
            lambda window: window.open("cars://paired"),
            lambda window: expect(window).to_have_parked("unlocked"),
        ),
        (
            [RENAMED_INTENT],
            lambda window: window.report("fetched", at="2026-11-28", desk="x"),
            lambda window: expect(window.app).to_have_facts(pickup="2026-11-28"),
        ),
        (
            [WITH_LOCK, UNLOCK],
            lambda window: window.open("cars://home"),
            lambda window: expect(window).to_be_locked(False),
        ),
    ],
)
def test_what_the_manifest_in_force_says_is_met(
    manifest: Reloaded, app: App, changes: list[tuple[str, str]], act: Act, check: Act
) -> None:
    manifest.now(*changes)
    act(app.window("A"))
    check(app.window("A"))


@pytest.mark.parametrize(
    ("changes", "act", "check", "error"),
    [
        (
            [SECRET],
            lambda window: window.open("cars://hire?extra=roof"),
            lambda window: expect(window).not_to_show("hire(extra: roof)"),
            ExpectationFailed,
        ),
        ([NO_RESET], None, lambda window: expect(window).not_to_show("reset"), UnknownName),
        ([NO_NOTE], None, lambda window: expect(window).not_to_show("car(id: 1, note: x)"), UnknownName),
        ([RENAMED_GATE], None, lambda window: expect(window).to_have_parked("keyed"), UnknownName),
        ([RENAMED_FLOW], None, lambda window: expect(window).to_have_modals("pairing"), UnknownName),
        ([RENAMED_INTENT], None, lambda window: window.report("pickedUp", desk="x"), UnknownName),
        ([NO_FACT], None, lambda window: expect(window.app).to_have_facts(storm=None), UnknownName),
        (
            [SECRET_FACT],
            lambda window: window.app.set(stops=["hush"]),
            lambda window: expect(window.app).to_have_facts(stops=["hush"]),
            ValueError,
        ),
        (
            [RENAMED_CONDITION],
            lambda window: window.open("cars://home", event="link"),
            lambda window: expect(window.last).to_be("rejected", reason="inTime"),
            UnknownName,
        ),
    ],
)
def test_what_it_does_not_say_is_refused(
    manifest: Reloaded,
    app: App,
    changes: list[tuple[str, str]],
    act: Act | None,
    check: Act,
    error: type[Exception],
) -> None:
    window = app.window("A")
    app.names.check("fact", ["storm"])
    manifest.now(*changes)
    if act is not None:
        act(window)
    with pytest.raises(error) as raised:
        check(window)
    assert type(raised.value) is error


def test_a_link_is_shown_with_what_is_secret_now(manifest: Reloaded, app: App) -> None:
    window = app.window("A")
    assert "extra=roof" in repr(window.open("cars://hire?extra=roof"))
    manifest.now(SECRET)
    assert "extra={extra?}" in repr(window.open("cars://hire?extra=roof"))


def test_an_adapters_destination_is_one_of_the_manifest_in_force(manifest: Reloaded, app: App) -> None:
    @app.adapter(kinds=["push"], priority=50)
    def campaign(asked: Asked) -> Destination:
        return Destination("car", asked.payload["car"])

    def push(**car: JSON) -> scened.Event:
        return app.window("A").push({"aps": {"alert": "Hello"}, "car": car})

    manifest.now(NO_NOTE)
    expect(push(id="1")).to_be("applied")
    manifest.now()
    expect(push(id="1", note="x")).to_be("applied")
    assert app.adapter_errors() == []
    manifest.now(NO_NOTE)
    assert push(id="1", note="y").outcome != "applied"
    with pytest.raises(
        AdapterFailed, match=r"'campaign' returned a destination that cannot be: .* no parameter 'note'"
    ):
        app.finish()


# MARK: What has come


def test_a_reason_that_came_is_never_refused(manifest: Reloaded, app: App) -> None:
    window = app.window("A")
    link = window.open("cars://cancel/2026-11-26")
    manifest.now(RENAMED_CONDITION)
    with pytest.raises(UnknownName):
        expect(window).not_to_show("nowhere")
    expect(link).to_be("rejected", reason="inTime")


def test_a_reason_may_come_of_what_began_before(manifest: Reloaded, app: App) -> None:
    window = app.window("A")
    with window.at("settled"):
        link = window.open("cars://cancel/2026-11-26")
        manifest.now(RENAMED_CONDITION)
    with pytest.raises(UnknownName):
        expect(window).not_to_show("nowhere")
    expect(link).to_be("rejected", reason="inTime")


def test_what_is_found_as_it_is_written_is_never_refused(manifest: Reloaded, app: App) -> None:
    screens = ["car(id: 7, note: x)", "car"]
    manifest.now(NO_NOTE, NO_FACT)
    assert app.names.screens(screens, [Destination("car", {"id": "7", "note": "x"})]) == screens
    assert app.names.facts({"storm": True}, {"storm": True}) == {"storm": True}
    with pytest.raises(UnknownName, match="no parameter 'note'"):
        app.names.screens(screens, [Destination("car", {"id": "7"})])
    with pytest.raises(UnknownName, match="no fact 'storm'"):
        app.names.facts({"storm": True}, {"storm": False})


# MARK: For coroutines


Body = Callable[[Reloaded, aio.App, aio.Window], Coroutine[Any, Any, None]]


async def shown(manifest: Reloaded, app: aio.App, window: aio.Window) -> None:
    await window.open("cars://hire?extra=roof")
    with pytest.raises(ExpectationFailed):
        await aio.expect(window).not_to_show("hire(extra: roof)")
    await aio.expect(window).to_show("home", "hire(extra: roof)")


async def refused(manifest: Reloaded, app: aio.App, window: aio.Window) -> None:
    with pytest.raises(UnknownName):
        await aio.expect(window).not_to_show("reset")
    with pytest.raises(UnknownName):
        await window.report("pickedUp", desk="x")
    with pytest.raises(ValueError, match="'stops' is secret"):
        await aio.expect(app).to_have_facts(stops=["hush"])
    with pytest.raises(ValueError, match="no lock, so that no window is ever locked"):
        await aio.expect(window).to_be_locked(False)
    with pytest.raises(ValueError, match="of nothing is never met"):
        await aio.expect(window).to_have_stack()


async def has_come(manifest: Reloaded, app: aio.App, window: aio.Window) -> None:
    manifest.now()
    event = await window.open("cars://cancel/2026-11-26")
    manifest.now(RENAMED_CONDITION)
    with pytest.raises(UnknownName):
        await aio.expect(window).not_to_show("nowhere")
    await aio.expect(event).to_be("rejected", reason="inTime")
    with pytest.raises(UnknownName):
        await aio.expect(await window.open("cars://home")).to_be("rejected", reason="inTime")


async def at_once(manifest: Reloaded, app: aio.App, window: aio.Window) -> None:
    async def look() -> None:
        await aio.expect(app).to_have_facts(seats=0.5)

    await app.set(seats=0.5)
    await asyncio.gather(*(look() for _ in range(20)))


@pytest.mark.parametrize(
    ("changes", "body"),
    [
        ([SECRET], shown),
        ([NO_RESET, RENAMED_INTENT, SECRET_FACT], refused),
        ([RENAMED_CONDITION], has_come),
        ([NUMBER], at_once),
    ],
)
def test_coroutines_expect_what_the_manifest_in_force_says(
    manifest: Reloaded, changes: list[tuple[str, str]], body: Body
) -> None:
    async def run() -> None:
        async with aio.App(manifest.daemon.socket, clock="virtual") as app:
            window = await app.window("A")
            await aio.expect(window).not_to_show("car(id: 1)")
            manifest.now(*changes)
            await body(manifest, app, window)

    asyncio.run(run())
