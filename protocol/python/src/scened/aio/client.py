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
from .._repeating import (
    FOLLOWED,
    Binding,
    Connect,
    Exchange,
    Followed,
    IsOpen,
    Line,
    Pause,
    Receive,
    Reconnecting,
    Repeated,
    Send,
    Step,
    Steps,
)
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

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        timeout: float = 10.0,
        reconnect: float | Reconnecting | None = None,
        binding: Binding | None = None,
    ) -> None:
        """
        Args:
            path: The daemon's socket; None takes the usual one.
            timeout: How long a call may take, in seconds, unless the call says otherwise.
            reconnect: For how long, in seconds, a call is tried again when its connection is lost or refused; None for
                not at all. An event is then delivered once, however often it is sent, while the daemon keeps its state.
            binding: What says to which host the client belongs, where clients share that.
        """
        self.path = os.fspath(path) if path is not None else usual_socket()
        self.timeout = timeout
        self.reconnecting = Reconnecting.of(reconnect)
        """How it goes on when its connection is lost; None if it does not."""
        self.binding = binding or Binding()
        """The host that it belongs to, if it goes on."""
        self._lock = OfLoop(asyncio.Lock)
        self._connection: _Connection | None = None
        self._doer = _Doer(self.path)
        self._line = None if self.reconnecting is None else Line(self.reconnecting, self.binding)
        self._streams: WeakSet[_Connection | _Doer] = WeakSet()
        self._has_ended = False
        super().__init__(self)

    async def call(self, call: Call[T], timeout: float | None = None) -> T:
        """Makes a call; the generated methods do so. Raises the daemon's error, `CallTimeout`, or
        `ConnectionFailed`."""
        self._refuse_after_end(call)
        limit = self.timeout if timeout is None else timeout
        if self._line is not None:
            return call.decode((await self._repeat(call, self._line, limit)).parameters, "")
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

    async def _repeat(self, call: Call[T], line: Line, limit: float) -> Reply:
        """Makes a call until it is answered; each answer may take as long as the limit says."""
        repeated = Repeated.of(call, line)
        try:
            async with asyncio.timeout(limit + line.settings.patience):
                await self._lock().acquire()
        except TimeoutError:
            raise CallTimeout(f"{call.method}: not made, because a call of another task is not answered yet") from None
        try:
            return await self._doer.run(repeated.reply(), limit, repeated)
        finally:
            self._lock().release()

    async def stream(self, call: Call[T], timeout: float | None = None) -> AsyncStream[T]:
        """Makes a call whose replies are a stream; the generated methods do so."""
        self._refuse_after_end(call)
        limit = self.timeout if timeout is None else timeout
        if self.reconnecting is not None and call.method == FOLLOWED:
            followed = Followed(call, Line(self.reconnecting, self.binding))
            doer = _Doer(self.path)
            self._streams.add(doer)
            await doer.run(followed.begin(), limit, followed)
            return _LastingReplies(doer, followed, call.decode, limit)
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
        self._doer.abort()
        self._drop()
        for stream in list(self._streams):
            stream.close()

    def end(self) -> None:
        """Closes everything for good, as `abort` does: whoever still has it, such as a task that outlives its test,
        gets `ConnectionFailed` for its next call."""
        self._has_ended = True
        self._doer.close()
        self.abort()

    def _refuse_after_end(self, call: Call[T]) -> None:
        if self._has_ended:
            raise ConnectionFailed(f"{call.method}: not made, because the test that had this app has ended")

    def _drop(self) -> None:
        self._doer.drop()
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

    def is_open(self) -> bool:
        """Whether the daemon has not closed it."""
        try:
            return self._socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

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


class _Doer:
    """Does the steps of calls that are repeated, on one connection after another."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: _Connection | None = None
        self._aborts = 0
        self.is_closed = False

    async def run(self, steps: Steps[T], limit: float, call: Repeated | Followed) -> T:
        """Does all of them, for a call. Raises `CallTimeout` if an answer takes longer than the limit."""
        aborts = self._aborts
        answer: object = None
        failure: ConnectionFailed | None = None
        while True:
            try:
                step = steps.send(answer) if failure is None else steps.throw(failure)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = failure = None
            try:
                if self.is_closed or self._aborts != aborts:
                    raise ConnectionFailed("the connection was closed")
                answer = await self._do(step, limit)
            except ConnectionFailed as error:
                self.drop()
                if self.is_closed or self._aborts != aborts:
                    raise
                failure = error
            except CallTimeout:
                self.drop()
                raise call.timed_out(limit) from None
            except BaseException:
                # What is still to come would be taken for the answer to the next call.
                self.drop()
                raise

    async def _do(self, step: Step, limit: float) -> object:
        match step:
            case Pause(seconds):
                await asyncio.sleep(seconds)
                return None
            case IsOpen():
                return self._connection is not None and self._connection.is_open()
            case Receive(method):
                return await self._opened(method).receive(method)
        method = "" if isinstance(step, Connect) else step.method
        try:
            async with asyncio.timeout(limit):
                match step:
                    case Connect():
                        self.drop()
                        self._connection = await _Connection.open(self._path)
                        return None
                    case Send(method, message):
                        await self._opened(method).send(message, method)
                        return None
                    case Exchange(method, message):
                        reply = await self._opened(method).exchange(message, method)
                        if reply is None:
                            raise ConnectionFailed(f"{method}: the daemon at {self._path} closed the connection")
                        return reply
        except TimeoutError:
            raise CallTimeout(f"{method or 'connecting'}: no answer within {limit:g} s") from None

    def _opened(self, method: str) -> _Connection:
        if self._connection is None:
            raise ConnectionFailed(f"{method}: the connection was closed")
        return self._connection

    def drop(self) -> None:
        """Closes its connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def abort(self) -> None:
        """Closes its connection; who waits for an answer is told so."""
        self._aborts += 1
        self.drop()

    def close(self) -> None:
        """Does the same for good."""
        self.is_closed = True
        self.drop()


class _LastingReplies(Generic[T]):
    """The stream of one call, on one connection after another."""

    def __init__(self, doer: _Doer, followed: Followed, decode: Decoder[T], limit: float) -> None:
        self._doer = doer
        self._followed = followed
        self._decode = decode
        self._limit = limit
        self._is_over = False

    def __aiter__(self) -> _LastingReplies[T]:
        return self

    async def __anext__(self) -> T:
        if self._is_over:
            raise StopAsyncIteration
        try:
            reply = await self._doer.run(self._followed.next(), self._limit, self._followed)
            if reply is not None:
                return self._decode(reply.parameters, "")
        except ConnectionFailed:
            if not self._is_over:
                await self.close()
                raise
        except BaseException:
            await self.close()
            raise
        await self.close()
        raise StopAsyncIteration

    async def __aenter__(self) -> _LastingReplies[T]:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connection."""
        self._is_over = True
        self._doer.close()
