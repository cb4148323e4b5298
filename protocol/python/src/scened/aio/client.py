"""The client for asyncio: the same interfaces and methods, each to be awaited."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from .._calls import AsyncStream, Call
from .._codec import Decoder
from .._errors import CallTimeout, ConnectionFailed, ProtocolError
from .._generated.async_methods import AsyncInterfaces
from .._wire import Reply, Wire
from ..client import usual_socket

T = TypeVar("T")

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True


class OfLoop(Generic[T]):
    """One of something for each event loop, because a lock of asyncio belongs to the first one in which a task had to
    wait for it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._loop: asyncio.AbstractEventLoop | None = None
        self._made = make()

    def __call__(self) -> T:
        """The one of the loop that runs now."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._made = loop, self._make()
        return self._made


class Client(AsyncInterfaces):
    """A connection to a daemon. Every interface is an attribute, every method of it a coroutine function:

        async with Client() as client:
            receipt = (await client.events.open_url("https://shop.example/cart", scene="A")).receipt
            async with await client.records.follow_read() as pages:
                async for page in pages: ...

    Calls are answered in the order made; tasks that share a client wait for each other. What a client holds
    (`control.hold`) is released when it closes. It connects with the first call, and again after a call that was
    cancelled or not answered in time. It belongs to no event loop: between two calls the loop may be another one.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, timeout: float = 10.0) -> None:
        """
        Args:
            path: The daemon's socket; None takes the usual one.
            timeout: How long a call may take, in seconds, unless the call says otherwise.
        """
        self.path = os.fspath(path) if path is not None else usual_socket()
        self.timeout = timeout
        self._lock = OfLoop(asyncio.Lock)
        self._connection: _Connection | None = None
        self._streams: WeakSet[_Connection] = WeakSet()
        self._has_ended = False
        super().__init__(self)

    async def call(self, call: Call[T], timeout: float | None = None) -> T:
        """Makes a call; the generated methods do so. Raises the daemon's error, `CallTimeout`, or
        `ConnectionFailed`."""
        self._refuse_after_end(call)
        limit = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(limit), self._lock():
                try:
                    if self._connection is None:
                        self._connection = await _Connection.open(self.path)
                    message = Wire.call(call.method, call.parameters)
                    try:
                        reply = await self._connection.exchange(message, call.method)
                        if reply is None:
                            raise ConnectionFailed(f"{call.method}: the daemon at {self.path} closed the connection")
                    except ConnectionFailed as error:
                        raise ConnectionFailed(f"{error}{Wire.doubt(message)}") from error.__cause__
                except BaseException:
                    # What is still to come would be taken for the answer to the next call.
                    self._drop()
                    raise
        except TimeoutError:
            raise CallTimeout(f"{call.method}: no answer within {limit:g} s") from None
        if reply.error is not None:
            raise reply.error
        return call.decode(reply.parameters, "")

    async def stream(self, call: Call[T], timeout: float | None = None) -> AsyncStream[T]:
        """Makes a call whose replies are a stream; the generated methods do so."""
        self._refuse_after_end(call)
        limit = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(limit):
                connection = await _Connection.open(self.path)
                try:
                    await connection.send(Wire.call(call.method, call.parameters, more=True), call.method)
                except BaseException:
                    connection.close()
                    raise
        except TimeoutError:
            raise CallTimeout(f"{call.method}: the daemon did not read the call within {limit:g} s") from None
        self._streams.add(connection)
        return _Replies(connection, call.method, call.decode)

    async def close(self) -> None:
        """Closes the connection; the next call opens another one."""
        async with self._lock():
            self._drop()

    def abort(self) -> None:
        """Closes the connection and its streams at once, also where no event loop runs any more. A call that is not
        answered yet raises `ConnectionFailed`."""
        self._drop()
        for connection in self._streams:
            connection.close()

    def end(self) -> None:
        """Closes everything for good, as `abort` does: whoever still has it, such as a task that outlives its test,
        gets `ConnectionFailed` for its next call."""
        self._has_ended = True
        self.abort()

    def _refuse_after_end(self, call: Call[T]) -> None:
        if self._has_ended:
            raise ConnectionFailed(f"{call.method}: not made, because the test that had this app has ended")

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class _Connection:
    """A socket and what it has said so far.

    Not one of asyncio's transports, because those belong to a loop, and a test's app outlives it: pytest's teardown has
    none.
    """

    def __init__(self, opened: socket.socket) -> None:
        self._wire = Wire()
        self._socket = opened
        self._is_in_use = False
        self._is_closed = False

    @classmethod
    async def open(cls, path: str) -> _Connection:
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            await asyncio.get_running_loop().sock_connect(opened, path)
        except OSError as error:
            opened.close()
            raise ConnectionFailed(f"no daemon answers at {path}: {error}") from error
        except BaseException:
            opened.close()
            raise
        return cls(opened)

    async def send(self, message: bytes, method: str) -> None:
        await self._do(asyncio.get_running_loop().sock_sendall(self._socket, message), method)

    async def exchange(self, message: bytes, method: str) -> Reply | None:
        await self.send(message, method)
        return await self.receive(method)

    async def receive(self, method: str) -> Reply | None:
        """The next reply; None if the connection is closed."""
        while (reply := self._wire.next()) is None:
            data = await self._do(asyncio.get_running_loop().sock_recv(self._socket, 65_536), method)
            if not data:
                return None
            self._wire.receive(data)
        return reply

    def close(self) -> None:
        self._is_closed = True
        # Ends what another task waits for. That one then closes the socket, which its loop watches until then.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        if not self._is_in_use:
            self._socket.close()

    async def _do(self, work: Coroutine[Any, Any, T], method: str) -> T:
        self._is_in_use = True
        try:
            return await work
        except OSError as error:
            raise ConnectionFailed(f"{method}: {error}") from error
        finally:
            self._is_in_use = False
            if self._is_closed:
                self._socket.close()


class _Replies(Generic[T]):
    """The stream of one call."""

    def __init__(self, connection: _Connection, method: str, decode: Decoder[T]) -> None:
        self._connection = connection
        self._method = method
        self._decode = decode
        self._is_over = False

    def __aiter__(self) -> _Replies[T]:
        return self

    async def __anext__(self) -> T:
        if self._is_over:
            raise StopAsyncIteration
        reply = await self._connection.receive(self._method)
        if reply is None:
            if self._is_over:
                raise StopAsyncIteration
            raise ConnectionFailed(f"{self._method}: the daemon closed the connection before the stream's end")
        if not reply.continues:
            await self.close()
        if reply.error is not None:
            raise reply.error
        try:
            return self._decode(reply.parameters, "")
        except ProtocolError:
            await self.close()
            raise

    async def __aenter__(self) -> _Replies[T]:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connection."""
        self._is_over = True
        self._connection.close()
