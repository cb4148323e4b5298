"""The client for asyncio: the same interfaces and methods, each to be awaited.

async with scened.aio.Client() as client:
    receipt = (await client.events.open_url("https://shop.example/cart", scene="A")).receipt
    async with await client.records.follow_read() as pages:
        async for page in pages: ...
"""

from __future__ import annotations

import asyncio
import os
from types import TracebackType
from typing import Generic, TypeVar

from ._calls import AsyncStream, Call
from ._codec import Decoder
from ._errors import CallTimeout, ConnectionFailed, ProtocolError
from ._generated.async_methods import AsyncInterfaces
from ._wire import Reply, Wire
from .client import usual_socket

T = TypeVar("T")


class Client(AsyncInterfaces):
    """A connection to a daemon. Calls are answered in the order made; tasks that share a client wait for each other."""

    def __init__(self, path: str | os.PathLike[str] | None = None, *, timeout: float = 10.0) -> None:
        """
        Args:
            path: The daemon's socket; None takes the usual one.
            timeout: How long a call may take, in seconds, unless the call says otherwise.
        """
        self.path = os.fspath(path) if path is not None else usual_socket()
        self.timeout = timeout
        self._lock = asyncio.Lock()
        self._connection: _Connection | None = None
        super().__init__(self)

    async def call(self, call: Call[T], timeout: float | None = None) -> T:
        """Makes a call; the generated methods do so. Raises the daemon's error, `CallTimeout`, or
        `ConnectionFailed`."""
        limit = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(limit), self._lock:
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
        return _Replies(connection, call.method, call.decode)

    async def close(self) -> None:
        """Closes the connection; the next call opens another one."""
        async with self._lock:
            self._drop()

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
    """A pair of asyncio's streams and what was read so far."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._wire = Wire()
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, path: str) -> _Connection:
        try:
            return cls(*await asyncio.open_unix_connection(path))
        except OSError as error:
            raise ConnectionFailed(f"no daemon answers at {path}: {error}") from error

    async def send(self, message: bytes, method: str) -> None:
        try:
            self._writer.write(message)
            await self._writer.drain()
        except OSError as error:
            raise ConnectionFailed(f"{method}: {error}") from error

    async def exchange(self, message: bytes, method: str) -> Reply | None:
        await self.send(message, method)
        return await self.receive(method)

    async def receive(self, method: str) -> Reply | None:
        """The next reply; None if the connection is closed."""
        while (reply := self._wire.next()) is None:
            try:
                data = await self._reader.read(65_536)
            except OSError as error:
                raise ConnectionFailed(f"{method}: {error}") from error
            if not data:
                return None
            self._wire.receive(data)
        return reply

    def close(self) -> None:
        self._writer.close()


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
