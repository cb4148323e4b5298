"""What a test has in its hands: an app, its windows, the events sent to them, and holds that keep a window where a race
needs it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Literal, Protocol, TypeAlias, get_args

from .. import _shown
from .._codec import JSON, JSONObject
from .._errors import CallTimeout, ConnectionFailed, ScenedError
from .._failures import AdapterFailed, HistoryViolated, NothingExpected, NothingHeld
from .._generated.async_methods import AsyncEvents
from .._generated.errors import SceneExists, TimedOut, UnknownHold, UnknownScene
from .._generated.types import (
    Activation,
    ControlAwaitReply,
    Owner,
    Receipt,
    RecordsCheckReply,
    Scene,
    Session,
    Verdict,
)
from .._generated.types import Window as ShownWindow
from .._repeating import Reconnecting
from .._vocabulary import refuse_unknown
from ..daemon import ClockKind
from ._concurrency import Act, AdapterFunction, Background, Connections, unbroken
from ._names import Names
from .adapters import Adapter, client_in_adapter, refuse_in_adapter
from .client import Client
from .clock import Clock

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True

Point: TypeAlias = Literal["admitted", "resolved", "planned", "transition", "settled"]
"""Where a window can be held: its turn has come, the engine has answered, the plan is made, a transition has begun, it
has ended."""
Work: TypeAlias = Literal["dispatch", "resume", "sweep"]
"""What can be held: a first attempt, the resume of what waited for a gate, what a commit removes."""
Wait: TypeAlias = Literal["admitted", "settled", "finished"]
"""When sending returns: at once, when the first attempt has ended, or at the terminal outcome."""
Interaction: TypeAlias = Literal["present", "open", "dismiss", "action"]
"""What a user does with a notification."""
Push: TypeAlias = Mapping[str, JSON] | str
"""An APNs payload, or the text of an alert."""


class _Send(Protocol):
    """Sends an event, or sent again with its ID, waits for it."""

    async def __call__(
        self, event: str | None, wait: Wait, timeout: float | None, /
    ) -> tuple[Receipt, Sequence[str]]: ...


class Event:
    """An event that was sent. Its attributes say how it stands now."""

    def __init__(self, app: App, send: _Send, receipt: Receipt, warnings: Sequence[str], description: str) -> None:
        self.app = app
        """The app."""
        self._send = send
        self.known = receipt
        """How it stood when the test last looked."""
        self.id = receipt.event
        """Its ID."""
        self.scene = receipt.scene
        """The window that gets it; None for the app itself."""
        self.warnings = list(warnings)
        """What was accepted but is probably a mistake."""
        self.description = description
        """What was sent, in a few words."""

    @property
    async def receipt(self) -> Receipt:
        """How it stands, or how it ended."""
        self.known = (await self.app.client.events.get(self.id)).receipt
        return self.known

    @property
    async def outcome(self) -> str:
        """admitted, gated, or how it ended: applied, unchanged, delivered, ignored, rejected, superseded, abandoned."""
        return (await self.receipt).outcome

    @property
    async def reason(self) -> str | None:
        """Why, for outcomes that have a reason."""
        return (await self.receipt).reason

    @property
    async def gate(self) -> str | None:
        """The precondition for which it waits."""
        return (await self.receipt).precondition

    @property
    async def answer(self) -> JSONObject | None:
        """What the coordinator that took an intent answered."""
        return (await self.receipt).answer

    async def finished(self, timeout: float | None = None) -> Event:
        """Waits until it has ended, for at most `timeout` seconds (the client's, for None). Raises `CallTimeout`."""
        if self.app.clock.is_virtual:
            await self.app.clock.run_until(self._has_finished)
        if not await self._has_finished():
            await self._await_call("finished", timeout)
        return self

    async def settled(self, timeout: float | None = None) -> Event:
        """Waits until its first attempt has ended, for at most `timeout` seconds (the client's, for None). Raises
        `CallTimeout`."""
        if not await self.has_settled():
            await self._await_call("settled", timeout)
        return self

    async def has_settled(self) -> bool:
        """Whether its first attempt has ended."""
        return await self.outcome != "admitted"

    async def _has_finished(self) -> bool:
        return await self.outcome not in ("admitted", "gated")

    async def _await_call(self, wait: Wait, timeout: float | None) -> None:
        try:
            # Sent again, it is only waited for.
            await self._send(self.id, wait, timeout)
        except CallTimeout as error:
            limit = self.app.client.timeout if timeout is None else timeout
            raise CallTimeout(f"{await self.described()} has not {wait} within {limit:g} s") from error

    async def described(self) -> str:
        """How it stands now, in short."""
        try:
            return self._described(await self.receipt)
        except ScenedError:
            return f"<event {self.id}: {self.description}>"

    def _described(self, receipt: Receipt) -> str:
        at = f" at {receipt.precondition}" if receipt.precondition is not None else ""
        why = f" ({receipt.reason})" if receipt.reason is not None else ""
        return f"<event {self.id}: {self.description}, {receipt.outcome}{at}{why}>"

    def __repr__(self) -> str:
        # sync: return self.described()
        return self._described(self.known)  # async


class Hold:
    """Keeps what reaches a point there, from the beginning of a `with` to its end, also if that ends by an error:

    async with window.at("planned"):
        link = await window.open("bank://account/a1")    # returns when it is planned
        await app.sign_out()                             # … and now it must not be shown
    """

    def __init__(
        self, app: App, point: Point, scene: str | None, event: str | None, kind: Work | None, must_catch: bool
    ) -> None:
        self.point = point
        """Where it holds."""
        self.scene = scene
        """The only window it holds; None for all."""
        self._app = app
        self._event = event
        self._kind = kind
        self._must_catch = must_catch
        # It belongs to a connection, on which nothing waits that may be given up.
        self._client = app.connections.another()
        self._hold = ""
        self.was_entered = False
        """Whether a block has begun with it."""
        self.was_left = False
        """Whether that block has ended."""
        self.caught: ControlAwaitReply | None = None
        """What it has caught, as far as anybody has looked."""

    async def __aenter__(self) -> Hold:
        self.was_entered = True
        reply = await self._client.control.hold(self.point, scene=self.scene, event=self._event, kind=self._kind)
        self._hold = reply.hold
        self._app.hold_begins(self)
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        self.was_left = True
        try:
            if error is None and self._must_catch and self in self._app.holds:
                await self._await_catch()
        finally:
            await self.release()
        if error is None:
            await self._app.settle(self.scene)
            await self._app.await_life()
            if self._must_catch and self.caught is None:
                raise NothingHeld(f"{self!r} caught nothing; if it need not, say must_catch=False")

    async def wait(self, timeout: float | None = None) -> ControlAwaitReply:
        """Waits until it has caught something, for at most `timeout` seconds (the client's, for None). Raises
        `TimedOut`."""
        if self._app.clock.is_virtual:
            await self._app.clock.run_until(self.look)
        deadline = time.monotonic() + (self._client.timeout if timeout is None else timeout)
        while (caught := self.caught) is None:
            left = deadline - time.monotonic()
            # Not in one call, because another task may look, too.
            if not await self.look(max(0, min(50, round(1_000 * left)))) and left <= 0:
                raise TimedOut("io.scened.Control.TimedOut", {})
        return caught

    async def look(self, milliseconds: int = 0) -> bool:
        """Whether it has caught something by now, or does within so many milliseconds."""
        # What it has caught is told once.
        return self.caught is not None or await unbroken(self._look(milliseconds))

    async def _look(self, milliseconds: int) -> bool:
        with suppress(TimedOut):
            self.caught = await self._app.client.control.await_(self._hold, timeout_milliseconds=milliseconds)
        return self.caught is not None

    def may_catch(self, scene: str | None, event: str) -> bool:
        """Whether it may catch this event, or keep it waiting behind what it has caught.

        Args:
            scene: The window that gets the event; None for the app itself.
            event: The event's ID.
        """
        if self.scene not in (None, scene):
            return False
        catches = self._kind in (None, "dispatch") and self._event in (None, event)
        return catches or self.caught is not None

    async def release(self) -> None:
        """Lets everything go on that it caught; the end of the `with` does so too."""
        if self in self._app.holds:
            self._app.holds.remove(self)
            # A reset has released it, or the end of the daemon.
            with suppress(UnknownHold, ConnectionFailed):
                async with self._client:
                    await self.look()
                    await self._client.control.release(self._hold)

    async def _await_catch(self) -> None:
        """Waits until it has caught something, or nothing more can come."""
        if self._app.clock.is_virtual:
            await self._app.clock.run_until(self.look)
            return
        deadline = time.monotonic() + self._client.timeout
        while not await self.look(20) and not await self._app.is_at_rest() and time.monotonic() < deadline:
            pass

    def __repr__(self) -> str:
        options = {"event": self._event, "kind": self._kind}
        given = "".join(f", {name}={value!r}" for name, value in options.items() if value is not None)
        return f"{'app' if self.scene is None else f'window {self.scene}'}.at({self.point!r}{given})"


class LifeCall:
    """A change of a window's life behind what is held in it: made on a connection of its own while the test goes on,
    because it ends only when what is held has ended."""

    def __init__(self, client: Client, scene: str, what: str, act: Act, after: LifeCall | None) -> None:
        self.scene = scene
        """The window."""
        self.what = what
        """What was asked for, in a few words."""
        # The hold, not the call, says how long it may take; a reset or the daemon's end ends it, too.
        client.timeout = 86_400
        self._client = client
        self._act = act
        self._after = after
        self._error: Exception | None = None
        self._background = Background(self._run, what)

    async def has_ended(self, timeout: float | None) -> bool:
        """Whether it has, or does within so many seconds; None for however long it takes."""
        return await self._background.has_ended(timeout)

    def check(self) -> None:
        """Raises what it raised, when it has ended."""
        if self._error is not None:
            raise self._error

    async def _run(self) -> None:
        try:
            if self._after is not None:
                await self._after.has_ended(None)
            async with self._client:
                await self._act(self._client)
        except Exception as error:
            self._error = error


class Target(ABC):
    """What iOS delivers events to: a window, or the app, for which the daemon chooses the window.

    Each method returns when `wait` says so: at once (admitted), when the first attempt has ended (settled), or at the
    terminal outcome (finished). `event` is the event's ID; the daemon makes one for None. An event that nothing could
    become of, such as a link that no route takes, is refused with an error.
    """

    _scene: str | None
    """The window; None lets the daemon choose one."""

    @property
    @abstractmethod
    def app(self) -> App:
        """The app."""

    async def open(
        self, url: str, *, source_application: str | None = None, wait: Wait = "settled", event: str | None = None
    ) -> Event:
        """Opens a URL: a universal link, or one of the app's schemes."""

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await self._events.open_url(
                url, source_application=source_application, scene=self._scene, event=event, wait=wait, timeout=timeout
            )
            return reply.receipt, reply.warnings or []

        return await self._deliver(await self.app.names.concealed(url), send, wait, event)

    async def push(
        self,
        payload: Push,
        *,
        interaction: Interaction | None = None,
        action: str | None = None,
        text: str | None = None,
        voip: bool | None = None,
        wait: Wait = "settled",
        event: str | None = None,
    ) -> Event:
        """Delivers a remote notification, and what the user does with it.

        Args:
            payload: The APNs payload, or just the text of an alert.
            interaction: What the user does; None is a tap, or nothing if it shows no notification.
            action: The action of the notification's category that the user chooses.
            text: What the user types for it.
            voip: Whether it is a VoIP push.
            wait: When to return.
            event: The event's ID.
        """
        body: Mapping[str, JSON] = {"aps": {"alert": payload}} if isinstance(payload, str) else payload
        if interaction is not None:
            refuse_unknown("there is no interaction", interaction, get_args(Interaction))
        done = interaction or ("action" if action is not None else None)

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await self._events.push(
                body,
                interaction=done,
                action=action,
                text=text,
                voip=voip,
                scene=self._scene,
                event=event,
                wait=wait,
                timeout=timeout,
            )
            return reply.receipt, reply.warnings or []

        return await self._deliver("a push", send, wait, event)

    async def activity(
        self,
        activity_type: str,
        user_info: Mapping[str, JSON] | None = None,
        *,
        webpage_url: str | None = None,
        handoff: bool | None = None,
        announced: bool | None = None,
        failure: str | None = None,
        target_content_identifier: str | None = None,
        wait: Wait = "settled",
        event: str | None = None,
    ) -> Event:
        """Continues a user activity: a universal link, Handoff, Spotlight, Siri.

        Args:
            activity_type: Its type.
            user_info: Its user info.
            webpage_url: Its web page.
            handoff: Whether it comes from another device.
            announced: Whether only its type is known yet.
            failure: Why it will not come after all.
            target_content_identifier: The content by which a window is chosen.
            wait: When to return.
            event: The event's ID.
        """

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await self._events.continue_activity(
                activity_type,
                user_info=user_info,
                webpage_url=webpage_url,
                handoff=handoff,
                announced=announced,
                failure=failure,
                target_content_identifier=target_content_identifier,
                scene=self._scene,
                event=event,
                wait=wait,
                timeout=timeout,
            )
            return reply.receipt, reply.warnings or []

        return await self._deliver(activity_type, send, wait, event)

    async def widget(
        self,
        kind: str,
        *,
        url: str | None = None,
        user_info: Mapping[str, JSON] | None = None,
        wait: Wait = "settled",
        event: str | None = None,
    ) -> Event:
        """Taps a widget of this kind, which may have a URL and user info."""

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await self._events.tap_widget(
                kind, url=url, user_info=user_info, scene=self._scene, event=event, wait=wait, timeout=timeout
            )
            return reply.receipt, reply.warnings or []

        return await self._deliver(f"the widget {kind}", send, wait, event)

    async def shortcut(
        self,
        type: str,
        user_info: Mapping[str, JSON] | None = None,
        *,
        wait: Wait = "settled",
        event: str | None = None,
    ) -> Event:
        """Chooses a quick action of the app's icon."""

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await self._events.perform_shortcut(
                type, user_info=user_info, scene=self._scene, event=event, wait=wait, timeout=timeout
            )
            return reply.receipt, reply.warnings or []

        return await self._deliver(f"the quick action {type}", send, wait, event)

    @property
    def _events(self) -> AsyncEvents:
        return self.app.client.events

    async def _deliver(self, description: str, send: _Send, wait: Wait, event: str | None) -> Event:
        return await self.app.send(self._scene, description, send, wait, event)


class App(Target):
    """An app in a daemon: what iOS delivers to it, who is signed in, its windows."""

    def __init__(
        self,
        path: str,
        *,
        clock: ClockKind | None = None,
        timeout: float = 10.0,
        reconnect: float | Reconnecting | None = None,
    ) -> None:
        """
        Args:
            path: The daemon's socket.
            clock: What time is for the daemon's windows; None takes virtual if the daemon's clock is, else real.
            timeout: How long a call may take, in seconds.
            reconnect: For how long, in seconds, a call is tried again when its connection is lost or refused; None for
                not at all.
        """
        self._scene = None
        self.connections = Connections(path, timeout=timeout, reconnect=reconnect)
        """What calls are made with outside of adapters."""
        self.clock = Clock(self.connections, clock)
        """Time as the windows have it."""
        self.holds: list[Hold] = []
        """The holds that are in force."""
        self.expectations: dict[object, str] = {}
        """The expectations that have been begun and have not looked yet, with what they are about and where."""
        self._windows: dict[str, Window] = {}
        self._adapters: list[Adapter] = []
        self._holds_made: list[Hold] = []
        self._holds_at_end: list[Hold] = []
        self._life: list[LifeCall] = []
        self.names = Names(lambda: self.client)
        """The names that the app's manifest gives."""

    @property
    def client(self) -> Client:
        """All methods of the socket API; in an adapter's function, on that adapter's connection."""
        return client_in_adapter() or self.connections

    @property
    def app(self) -> App:
        """Itself."""
        return self

    # MARK: Windows

    async def window(self, name: str = "A", *, connect: bool = True, configuration: str | None = None) -> Window:
        """The window of this name, opened if this test has not had it yet.

        Args:
            name: The scene's ID: 1 to 64 letters, digits, '-', '_' or '.'.
            connect: Whether to open it; else it is only named, such as one that the daemon has opened, or that is
                opened later.
            configuration: The scene configuration; None for the app's first.
        """
        window = self._windows.get(name)
        if window is None:
            window = Window(self, name)
            if connect:
                # The app itself may have opened it.
                with suppress(SceneExists):
                    await window.connect(configuration=configuration)
            window = self._named(window)
        return window

    def _named(self, window: Window) -> Window:
        """The window that the test has by this name, which is this one if it has none yet."""
        return self._windows.setdefault(window.name, window)

    async def windows(self, *names: str) -> list[Window]:
        """The windows of these names, opened if they have never been; without names, all that the daemon has."""
        if names:
            return [await self.window(name) for name in names]
        found: list[str] = []
        after = 0
        while True:
            page = await self.client.scenes.list(after=after)
            found += [scene.id for scene in page.scenes]
            if page.next <= after:
                return [self._named(Window(self, name)) for name in found]
            after = page.next

    # MARK: The session

    @property
    async def session(self) -> Session:
        """Who is signed in, and the app's facts."""
        return (await self.client.session.get()).session

    async def sign_in(
        self,
        user: str,
        *,
        expires_in: int | None = None,
        stale_in: int | None = None,
        **facts: JSON,
    ) -> Session:
        """Signs a user in, and sets facts in the same commit. Windows that must change begin to at once; expectations
        wait for it.

        Args:
            user: Who signs in.
            expires_in: Signs out after so many milliseconds on the windows' clock.
            stale_in: Makes the sign-in stale after so many milliseconds on the windows' clock.
            facts: Facts to set, by name.
        """
        reply = await self.client.session.sign_in(
            user, facts=facts or None, expires_in_milliseconds=expires_in, stale_in_milliseconds=stale_in
        )
        return reply.session

    async def sign_out(self) -> Session:
        """Signs out."""
        return (await self.client.session.sign_out()).session

    async def mark_stale(self) -> Session:
        """Makes the sign-in stale: gates that need a fresh one close."""
        return (await self.client.session.mark_stale()).session

    async def set(self, **facts: JSON) -> Session:
        """Sets facts in one commit; None resets one to what the app declares."""
        changed = {name: value for name, value in facts.items() if value is not None}
        reset = [name for name, value in facts.items() if value is None]
        return (await self.client.session.commit(set=changed or None, remove=reset or None)).session

    # MARK: Adapters, holds, rest

    def adapter(
        self, kinds: Sequence[str], *, name: str | None = None, priority: int = 0, timeout: float = 10.0
    ) -> Callable[[AdapterFunction], AdapterFunction]:
        """Makes a function an adapter of the app until the test ends. The daemon asks it, in a task of its own, what
        becomes of an event; an error in it declines the event and fails the test.

        Args:
            kinds: The kinds of event it is asked about: url, activity, push, widget, shortcut.
            name: Its name; None takes the function's.
            priority: Adapters with a higher priority are asked first.
            timeout: How long an answer may take, 0.001 to 10 seconds of real time; then the event goes on without it.
        """

        def register(function: AdapterFunction) -> AdapterFunction:
            named = name or str(getattr(function, "__name__", "adapter"))
            adapter = Adapter(self.connections, self.names, function, named, kinds, priority, timeout)
            # From the next call on, the daemon asks it.
            self.connections.before_next_call(adapter.register)
            self._adapters.append(adapter)
            return function

        return register

    def at(self, point: Point, *, event: str | None = None, kind: Work | None = None, must_catch: bool = True) -> Hold:
        """Holds every window that reaches a point; see `Window.at`."""
        return self.hold(point, None, event, kind, must_catch)

    def hold(self, point: Point, scene: str | None, event: str | None, kind: Work | None, must_catch: bool) -> Hold:
        """Makes a hold, which begins with its `with`."""
        refuse_unknown("there is no point", point, get_args(Point))
        if kind is not None:
            refuse_unknown("there is no kind of work", kind, get_args(Work))
        made = Hold(self, point, scene, event, kind, must_catch)
        self._holds_made.append(made)
        return made

    def hold_begins(self, hold: Hold) -> None:
        """Notes a hold that is in force from now on."""
        self.holds.append(hold)

    def not_in_script(self) -> list[str]:
        """What the test did that a script of its calls does not repeat."""
        done = {
            "adapter functions": bool(self._adapters),
            "a clock that stood still while the test waited": self.clock.was_stopped,
        }
        return [what for what, is_done in done.items() if is_done]

    async def live(self, scene: str, what: str, act: Act) -> None:
        """Changes a window's life; behind what a hold keeps in it, only begins to, and `await_life` waits for it."""
        refuse_in_adapter("change a window's life")
        if self.clock.is_virtual:
            # The change comes when everything has ended that was admitted, for which a virtual clock has to move.
            await self.settle()
        if await self._is_held(scene):
            before = [call for call in self._life if call.scene == scene]
            self._life.append(LifeCall(self.connections.another(), scene, what, act, before[-1] if before else None))
        else:
            await act(self.client)

    async def _is_held(self, scene: str) -> bool:
        for hold in list(self.holds):
            if await hold.look() and hold.caught is not None and hold.caught.scene == scene:
                return True
        return False

    async def await_life(self) -> None:
        """Waits until the windows' lives have changed as asked within holds, but for windows that a hold still keeps,
        and unless the clock stands still. Raises what a change raised, and `CallTimeout`."""
        deadline = time.monotonic() + self.client.timeout
        may_wait = self.clock.is_automatic or not self.clock.is_virtual
        while free := [call for call in self._life if not await self._is_held(call.scene)]:
            call = free[0]
            if may_wait:
                await self.settle(call.scene)
            if await call.has_ended(0.02 if may_wait else 0):
                if call in self._life:
                    self._life.remove(call)
                    call.check()
            elif not may_wait:
                return
            elif time.monotonic() > deadline:
                raise CallTimeout(f"{call.what}: not done {self.client.timeout:g} s after the hold's end")

    async def settle(self, scene: str | None = None) -> None:
        """Waits until nothing is going on any more, or what is going on is held. An automatic clock moves on
        meanwhile.

        Args:
            scene: The window that counts where time is real and others are held; None for all.
        """
        refuse_in_adapter("wait for the windows")
        if self.clock.is_virtual:
            await self.clock.run_out()
        elif not self.holds:
            await self._quiesce(self.client.timeout)
        elif scene is not None:
            deadline = time.monotonic() + self.client.timeout
            while not await self.is_at_rest(scene, 20) and not await self._is_held(scene):
                if time.monotonic() > deadline:
                    return

    async def check(self) -> RecordsCheckReply:
        """The checker's verdict about everything that was recorded since the start: each invariant, and whether the app
        did what its manifest says."""
        return await self.client.records.check(timeout=max(self.client.timeout, 60))

    async def records(
        self, *, kinds: Sequence[str] | None = None, scene: str | None = None, event: str | None = None
    ) -> list[JSONObject]:
        """The records, oldest first; see record.schema.json.

        Args:
            kinds: Only those of these kinds, such as dispatch.ended, or families of kinds, such as gate.
            scene: Only those about this window.
            event: Only those about this event.
        """
        found: list[JSONObject] = []
        after = 0
        while True:
            page = await self.client.records.read(after=after, kinds=kinds, scene=scene, event=event)
            found += page.records
            if page.next <= after:
                return found
            after = page.next

    # MARK: The end of a test

    async def release(self) -> None:
        """Releases all holds and takes back all adapters."""
        for hold in list(self.holds):
            await hold.release()
        for adapter in list(self._adapters):
            await adapter.close()

    async def finish(self) -> None:
        """Ends a test: releases holds, takes back adapters, waits until everything rests, and judges the history.
        Raises an adapter's error as `AdapterFailed`, and `HistoryViolated`."""
        in_force = list(self.holds)
        await self.release()
        for said, error in self.adapter_errors():
            raise AdapterFailed(said) from error
        for hold in self._holds_made:
            if not hold.was_entered:
                raise NothingHeld(f"{hold!r} held nothing: it holds only within a block, 'async with {hold!r}:'")
        for begun in self.expectations.values():
            raise NothingExpected(f"{begun}: nothing was looked at; write 'await expect(…).to_be(…)' or the like")
        await self.settle()
        await self.await_life()
        await self._quiesce(0 if self.clock.is_virtual else self.client.timeout)
        verdicts = await self.violations()
        if verdicts:
            raise await self.violated(verdicts)
        self._holds_at_end = in_force

    def refuse_endless_holds(self) -> None:
        """Raises `NothingHeld` for a hold that the end of the test has released, unless its block has ended meanwhile,
        as a fixture's does."""
        for hold in self._holds_at_end:
            if not hold.was_left:
                raise NothingHeld(f"{hold!r} was never left, and held to the end of the test: 'async with {hold!r}:'")

    def adapter_errors(self) -> list[tuple[str, BaseException]]:
        """What has failed in adapters, with what is said of it."""
        return [
            (f"the adapter {adapter.name!r} {said}", error)
            for adapter in self._adapters
            for said, error in adapter.errors
        ]

    async def violations(self) -> list[Verdict]:
        """The verdicts about the invariants that are violated."""
        return [verdict for verdict in (await self.check()).verdicts if verdict.verdict == "violated"]

    async def violated(self, verdicts: Sequence[Verdict]) -> HistoryViolated:
        """The error for these verdicts, with the records that they name."""
        wanted = {
            index for verdict in verdicts for violation in verdict.violations or [] for index in violation.records[-6:]
        }
        records = {
            index: record
            for record in await self.records()
            if (index := record.get("index")) in wanted and isinstance(index, int)
        }
        return HistoryViolated(verdicts, records)

    async def close(self) -> None:
        """Releases everything and closes the connections."""
        await self.release()
        await self.connections.close()

    async def __aenter__(self) -> App:
        await self.connections.ready()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def is_at_rest(self, scene: str | None = None, milliseconds: int = 0) -> bool:
        """Whether nothing is going on, nor held, in a window or for None in any, or within so many milliseconds."""
        try:
            await self.client.control.quiesce(scene=scene, timeout_milliseconds=milliseconds)
        except TimedOut:
            return False
        except UnknownScene:
            # It was closed for good.
            return True
        return True

    async def _quiesce(self, timeout: float) -> None:
        # If something goes on all the same, whoever looks sees it.
        with suppress(TimedOut):
            await self.client.control.quiesce(timeout_milliseconds=int(timeout * 1_000), timeout=timeout + 5)

    # MARK: How events are sent

    async def send(self, scene: str | None, description: str, send: _Send, wait: Wait, event_id: str | None) -> Event:
        """Sends an event, and waits; in a window that is held, only until it is caught."""
        refuse_unknown("there is no wait", wait, get_args(Wait))
        if wait != "admitted":
            refuse_in_adapter("wait for another event")
        # A virtual clock may have to move, and a held window to be let go, before it settles; neither happens while a
        # call waits.
        waits_here = self.clock.is_virtual or bool(self.holds) or wait == "finished"
        receipt, warnings = await send(event_id, "admitted" if waits_here else wait, None)
        event = Event(self, send, receipt, warnings, description)
        if receipt.scene is not None:
            self._named(Window(self, receipt.scene)).last = event
        if waits_here and wait != "admitted":
            await self._await(event, wait, [hold for hold in self.holds if hold.may_catch(receipt.scene, event.id)])
        return event

    async def _await(self, event: Event, wait: Wait, holds: Sequence[Hold]) -> None:
        """Waits until an event has settled or finished, or, in a window that is held, is caught."""

        async def is_caught(milliseconds: int = 0) -> bool:
            for hold in holds:
                if await hold.look(milliseconds):
                    return True
            return False

        async def is_done() -> bool:
            return await is_caught() or await event.has_settled()

        if self.clock.is_virtual:
            await self.clock.run_until(is_done)
            if not await event.has_settled() and (self.holds or not self.clock.is_automatic):
                return
        elif holds:
            deadline = time.monotonic() + self.client.timeout
            # Each look waits until something is caught; in between it may have settled without passing the point.
            while not await event.has_settled() and not await is_caught(50):
                if time.monotonic() > deadline:
                    what = await event.described()
                    raise CallTimeout(f"{what} neither settled nor was held within {self.client.timeout:g} s")
            return
        if wait == "settled":
            await event.settled()
        if wait == "finished":
            await event.finished()


class Window(Target):
    """A window of an app."""

    def __init__(self, app: App, name: str) -> None:
        self._app = app
        self._scene = name
        self.name = name
        """The scene's ID."""
        self.last: Event | None = None
        """The last event that this test sent to it."""

    @property
    def app(self) -> App:
        """Its app."""
        return self._app

    # MARK: What it shows

    @property
    async def scene(self) -> Scene:
        """Its state now: activation, tabs, presentations, coordinators, what is parked. Raises `UnknownScene` before it
        was opened."""
        return (await self.app.client.scenes.get(self.name)).scene

    @property
    async def shown(self) -> list[str]:
        """What it shows: the screens of the selected tab, root first, then those presented over it; empty while
        disconnected."""
        try:
            return [screen for _, stack in _shown.stacks((await self.scene).window) for screen in stack]
        except UnknownScene:
            return []

    # MARK: What somebody does in it

    async def report(
        self,
        intent: str,
        parameters: Mapping[str, str] | None = None,
        /,
        *,
        by: str | None = None,
        wait: Wait = "settled",
        event: str | None = None,
        **named: str,
    ) -> Event:
        """The topmost screen reports what happened: an intent with its parameters. Raises `UnknownName` for an intent
        that the app's manifest does not have, unless code of the app's own runs.

        Args:
            intent: Its name, as the app declares it.
            by: The screen or container that reports it by itself; None for the topmost screen.
            wait: When to return.
            event: The event's ID.
            named: Its parameters, by their names.
            parameters: Further ones, whose names are by, wait or event, or no names in Python.
        """
        client = self.app.client
        given = {**(parameters or {}), **named}
        await self.app.names.intent(intent)

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await client.events.send_intent(
                intent,
                parameters=given or None,
                from_=by,
                scene=self.name,
                event=event,
                wait=wait,
                timeout=timeout,
            )
            return reply.receipt, []

        return await self._deliver(intent, send, wait, event)

    async def back(self, *, wait: Wait = "settled", event: str | None = None) -> Event:
        """Taps the back button."""
        return await self._gesture("back", None, None, wait, event)

    async def swipe_back(self, *, cancelled: bool = False, wait: Wait = "settled", event: str | None = None) -> Event:
        """Swipes from the edge; `cancelled` does not complete it."""
        return await self._gesture("swipeBack", None, cancelled, wait, event)

    async def dismiss(self, *, wait: Wait = "settled", event: str | None = None) -> Event:
        """Taps the button that closes a presentation."""
        return await self._gesture("dismiss", None, None, wait, event)

    async def swipe_down(self, *, cancelled: bool = False, wait: Wait = "settled", event: str | None = None) -> Event:
        """Pulls a presentation down; `cancelled` does not complete it."""
        return await self._gesture("swipeDown", None, cancelled, wait, event)

    async def select_tab(self, tab: str, *, wait: Wait = "settled", event: str | None = None) -> Event:
        """Taps a tab."""
        return await self._gesture("selectTab", tab, None, wait, event)

    async def _gesture(
        self,
        gesture: Literal["back", "swipeBack", "dismiss", "swipeDown", "selectTab"],
        tab: str | None,
        cancelled: bool | None,
        wait: Wait,
        event: str | None,
    ) -> Event:
        client = self.app.client

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await client.events.gesture(
                gesture, tab=tab, cancelled=cancelled, scene=self.name, event=event, wait=wait, timeout=timeout
            )
            return reply.receipt, []

        return await self._deliver(gesture, send, wait, event)

    async def complete(
        self,
        flow: str,
        *,
        user: str | None = None,
        facts: Mapping[str, JSON] | None = None,
        values: Mapping[str, str] | None = None,
        wait: Wait = "settled",
        event: str | None = None,
    ) -> Event:
        """The last screen of a flow reports that it is complete.

        Args:
            flow: The flow.
            user: Who signed in by it.
            facts: Facts to set.
            values: What it hands to the flow that started it.
            wait: When to return.
            event: The event's ID.
        """
        return await self._finish(flow, "completed", user, facts, values, wait, event)

    async def cancel(self, flow: str, *, wait: Wait = "settled", event: str | None = None) -> Event:
        """The last screen of a flow reports that it was cancelled."""
        return await self._finish(flow, "cancelled", None, None, None, wait, event)

    async def _finish(
        self,
        flow: str,
        result: Literal["completed", "cancelled"],
        user: str | None,
        facts: Mapping[str, JSON] | None,
        values: Mapping[str, str] | None,
        wait: Wait,
        event: str | None,
    ) -> Event:
        client = self.app.client

        async def send(event: str | None, wait: Wait, timeout: float | None) -> tuple[Receipt, Sequence[str]]:
            reply = await client.events.finish_flow(
                flow,
                result,
                user=user,
                facts=facts,
                values=values,
                scene=self.name,
                event=event,
                wait=wait,
                timeout=timeout,
            )
            return reply.receipt, []

        return await self._deliver(f"{flow} {result}", send, wait, event)

    # MARK: Its life

    async def connect(
        self,
        *,
        configuration: str | None = None,
        restore: ShownWindow | None = None,
        owner: Owner | None = None,
        background: bool | None = None,
    ) -> Window:
        """Opens it, or brings it back after `disconnect`.

        Args:
            configuration: The scene configuration; None for the app's first, or the one it had.
            restore: What it is to show again, from an earlier run.
            owner: Whose that was.
            background: Whether nobody looks at it.
        """

        async def act(client: Client) -> None:
            await client.scenes.connect(
                scene=self.name, configuration=configuration, window=restore, owner=owner, background=background
            )

        await self.app.live(self.name, f"window {self.name}: connect", act)
        return self

    async def disconnect(self) -> Window:
        """The system releases it; the next event, or `connect`, brings it back."""

        async def act(client: Client) -> None:
            await client.scenes.disconnect(self.name)

        await self.app.live(self.name, f"window {self.name}: disconnect", act)
        return self

    async def discard(self) -> Window:
        """Somebody closes it for good."""
        await self.app.client.scenes.discard(self.name)
        return self

    async def background(self) -> Window:
        """Puts it into the background, by the steps that UIKit takes."""
        return await self._go("foregroundInactive", "background")

    async def foreground(self) -> Window:
        """Brings it to the front, by the steps that UIKit takes."""
        return await self._go("foregroundInactive", "foregroundActive")

    async def _go(self, *steps: Activation) -> Window:
        async def act(client: Client) -> None:
            for step in steps:
                activation = (await client.scenes.get(self.name)).scene.activation
                if activation == steps[-1]:
                    break
                if activation != step:
                    await client.scenes.set_activation(self.name, step)

        await self.app.live(self.name, f"window {self.name}: {steps[-1]}", act)
        return self

    def at(self, point: Point, *, event: str | None = None, kind: Work | None = None, must_catch: bool = True) -> Hold:
        """Holds what reaches a point in this window, within a `with`. An event that is sent to it meanwhile returns
        when it is caught, or at once if something is caught already.

        Args:
            point: Where: its turn has come (admitted), the engine has answered (resolved), the plan is made (planned),
                a transition has begun (transition), it has ended (settled).
            event: Only this event.
            kind: Only first attempts (dispatch), resumes of what waited for a gate (resume), or what a commit removes
                (sweep).
            must_catch: Whether to raise `NothingHeld` at the end if nothing was caught.
        """
        return self.app.hold(point, self.name, event, kind, must_catch)

    def __repr__(self) -> str:
        shown = ""  # async
        # sync: shown = f": {_shown.trail(self.shown)}"
        return f"<window {self.name}{shown}>"


__all__ = [
    "App",
    "Event",
    "HistoryViolated",
    "Hold",
    "Interaction",
    "NothingHeld",
    "Point",
    "Push",
    "Wait",
    "Window",
    "Work",
]
