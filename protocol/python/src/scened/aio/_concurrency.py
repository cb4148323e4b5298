"""What is done with tasks here, and with threads in the module of this name beside this package."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeAlias, TypeVar

from .._answers import Answers, Asked
from .._calls import AsyncStream, Call
from .._errors import CallTimeout, ConnectionFailed
from .._repeating import Reconnecting
from .client import Client, OfLoop

T = TypeVar("T")

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True

AdapterFunction: TypeAlias = Callable[[Asked], Answers | Awaitable[Answers]]
"""A function of a test that is an adapter: a coroutine function, or one that answers at once."""


class Act(Protocol):
    """What makes some calls with a client."""

    async def __call__(self, client: Client, /) -> None: ...


class Connections(Client):
    """What an app makes its calls with: a connection for each that is not answered yet, so that tasks need not wait for
    each other, and a call that is cancelled takes only its own with it."""

    AT_ONCE = 64
    """How many calls may be unanswered at once; more wait for one of them. The daemon has a limit, too, of connections
    for each user."""

    def __init__(self, path: str, *, timeout: float, reconnect: float | Reconnecting | None = None) -> None:
        super().__init__(path, timeout=timeout, reconnect=reconnect)
        self._clients: list[Client] = []
        self._idle: list[Client] = []
        self._acts: list[Act] = []
        self._turn = OfLoop(asyncio.Lock)
        self._room = OfLoop(lambda: asyncio.Semaphore(self.AT_ONCE))

    def before_next_call(self, act: Act) -> None:
        """Has something done before the next call, where nothing can be awaited now. If it is cancelled, or the daemon
        does not answer, it is done before the call after that."""
        self._acts.append(act)

    async def ready(self) -> None:
        """Does what is to be done before a call."""
        if not self._acts:
            return
        async with self._turn():
            while self._acts:
                act = self._acts[0]
                try:
                    async with self.another() as client:
                        await act(client)
                except (CallTimeout, ConnectionFailed):
                    raise
                except Exception:
                    self._acts.remove(act)
                    raise
                self._acts.remove(act)

    def another(self) -> Client:
        """A connection for whoever holds something by it, or waits for long."""
        client = Client(self.path, timeout=self.timeout, reconnect=self.reconnecting, binding=self.binding)
        self._clients.append(client)
        if self._has_ended:
            client.end()
        return client

    async def call(self, call: Call[T], timeout: float | None = None) -> T:
        """Makes a call, on a connection that no other call is made on meanwhile."""
        limit = self.timeout if timeout is None else timeout
        await self.ready()
        began = time.monotonic()
        room = self._room()
        try:
            async with asyncio.timeout(limit):
                await room.acquire()
        except TimeoutError:
            raise CallTimeout(
                f"{call.method}: not made within {limit:g} s, because {self.AT_ONCE} calls of other tasks are not "
                "answered yet"
            ) from None
        client = self._idle.pop() if self._idle else self.another()
        try:
            return await client.call(call, max(0, limit - (time.monotonic() - began)))
        except CallTimeout as error:
            raise CallTimeout(f"{call.method}: no answer within {limit:g} s", error.note) from None
        finally:
            self._idle.append(client)
            room.release()

    async def stream(self, call: Call[T], timeout: float | None = None) -> AsyncStream[T]:
        """Makes a call whose replies are a stream."""
        await self.ready()
        return await super().stream(call, timeout)

    async def close(self) -> None:
        """Closes all connections, also those on which somebody waits; the next call opens another one."""
        self.abort()

    def abort(self) -> None:
        """Closes all connections and streams at once, also where no event loop runs any more."""
        super().abort()
        for client in self._clients:
            client.abort()

    def end(self) -> None:
        """Closes everything for good."""
        super().end()
        for client in self._clients:
            client.end()


class Background:
    """Something that is done while others go on."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._task = asyncio.create_task(work(), name=name)

    async def has_ended(self, timeout: float | None) -> bool:
        """Whether it has, or does within so many seconds; None for however long it takes."""
        if not self._task.done():
            await asyncio.wait({self._task}, timeout=timeout)
        return self._task.done()

    def give_up(self) -> None:
        """Ends it."""
        self._task.cancel()


async def answered(function: AdapterFunction, asked: Asked) -> object:
    """What an adapter's function returns."""
    answer = function(asked)
    return await answer if inspect.isawaitable(answer) else answer


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Does something to its end, also if whoever waits for it is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        # Nobody else looks at what it raises.
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        raise


def refuse_function(function: AdapterFunction, name: str) -> None:
    """Raises `TypeError` for a function that cannot be an adapter here."""
    if not callable(function):
        raise TypeError(f"the adapter {name!r}: found {function!r}, expected a function")
