"""The client that blocks."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Generic, TypeVar

from ._calls import Call, Stream
from ._codec import Decoder
from ._errors import CallTimeout, ConnectionFailed, ProtocolError
from ._generated.methods import Interfaces
from ._repeating import (
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
from ._wire import Reply, Wire

T = TypeVar("T")

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True


def usual_socket() -> str:
    """The socket that `scenectl` takes if it is told none: the environment's SCENED_SOCKET, else the service's as root,
    else the user's. Raises `ConnectionFailed` if there is no such."""
    if path := os.environ.get("SCENED_SOCKET"):
        return path
    folder = "/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR")
    if not folder:
        raise ConnectionFailed(
            "XDG_RUNTIME_DIR is not set, so there is no usual socket: name one, or set SCENED_SOCKET"
        )
    return os.path.join(folder, "scened", "io.scened")


class Client(Interfaces):
    """A connection to a daemon. Every interface is an attribute, every method of it a function:

        with Client() as client:
            receipt = client.events.open_url("https://shop.example/cart", scene="A").receipt

    Calls are answered in the order made, so one client serves one thread at a time; others wait, each for at most its
    call's timeout. What a client holds
    (`control.hold`) is released when it closes. It connects with the first call.
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
        self._lock = threading.Lock()
        self._connection: _Connection | None = None
        self._doer = _Doer(self.path)
        self._line = None if self.reconnecting is None else Line(self.reconnecting, self.binding)
        super().__init__(self)

    def call(self, call: Call[T], timeout: float | None = None) -> T:
        """Makes a call; the generated methods do so. Raises the daemon's error, `CallTimeout`, or
        `ConnectionFailed`."""
        limit = self.timeout if timeout is None else timeout
        if self._line is not None:
            return call.decode(self._repeat(call, self._line, limit).parameters, "")
        deadline = time.monotonic() + limit
        if not self._lock.acquire(timeout=max(limit, 0)):
            raise CallTimeout(
                f"{call.method}: not made within {limit:g} s, because a call of another thread is not answered yet; "
                "give each thread a client of its own"
            )
        try:
            if self._connection is None:
                self._connection = _Connection(self.path, deadline)
            try:
                message = Wire.call(call.method, call.parameters)
                try:
                    self._connection.send(message, call.method, limit, deadline)
                    reply = self._connection.receive(call.method, limit, deadline)
                    if reply is None:
                        raise ConnectionFailed(f"{call.method}: the daemon at {self.path} closed the connection")
                except ConnectionFailed as error:
                    raise ConnectionFailed(f"{error}{Wire.doubt(message)}") from error.__cause__
            except BaseException:
                # What is still to come would be taken for the answer to the next call.
                self._drop()
                raise
        finally:
            self._lock.release()
        if reply.error is not None:
            raise reply.error
        return call.decode(reply.parameters, "")

    def _repeat(self, call: Call[T], line: Line, limit: float) -> Reply:
        """Makes a call until it is answered; each answer may take as long as the limit says."""
        repeated = Repeated.of(call, line)
        if not self._lock.acquire(timeout=max(limit, 0) + line.settings.patience):
            raise CallTimeout(f"{call.method}: not made, because a call of another thread is not answered yet")
        try:
            return self._doer.run(repeated.reply(), limit, repeated)
        finally:
            self._lock.release()

    def stream(self, call: Call[T], timeout: float | None = None) -> Stream[T]:
        """Makes a call whose replies are a stream; the generated methods do so."""
        limit = self.timeout if timeout is None else timeout
        if self.reconnecting is not None and call.method == FOLLOWED:
            return _LastingReplies(self.path, Followed(call, Line(self.reconnecting, self.binding)), call.decode, limit)
        deadline = time.monotonic() + limit
        connection = _Connection(self.path, deadline)
        try:
            connection.send(Wire.call(call.method, call.parameters, more=True), call.method, limit, deadline)
        except BaseException:
            connection.close()
            raise
        return _Replies(connection, call.method, call.decode)

    def close(self) -> None:
        """Closes the connection; the next call opens another one."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        self._doer.drop()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Connection:
    """A socket and what it has said so far."""

    def __init__(self, path: str, deadline: float) -> None:
        self._wire = Wire()
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise ConnectionFailed(f"no daemon answers at {path}: {error}") from error

    def send(self, message: bytes, method: str, limit: float, deadline: float) -> None:
        try:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            self._socket.sendall(message)
        except TimeoutError:
            raise CallTimeout(f"{method}: the daemon did not read the call within {limit:g} s") from None
        except OSError as error:
            raise ConnectionFailed(f"{method}: {error}") from error

    def receive(self, method: str, limit: float | None, deadline: float | None) -> Reply | None:
        """The next reply; None if the connection is closed."""
        while (reply := self._wire.next()) is None:
            try:
                self._socket.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
                data = self._socket.recv(65_536)
            except TimeoutError:
                raise CallTimeout(f"{method}: no answer within {limit or 0:g} s") from None
            except OSError as error:
                raise ConnectionFailed(f"{method}: {error}") from error
            if not data:
                return None
            self._wire.receive(data)
        return reply

    def is_open(self) -> bool:
        """Whether the daemon has not closed it."""
        try:
            self._socket.settimeout(0)
            return self._socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def shut(self) -> None:
        """Ends what another thread waits for, and closes nothing under it."""
        # It may be closed already.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.shut()
        self._socket.close()


class _Replies(Generic[T]):
    """The stream of one call."""

    def __init__(self, connection: _Connection, method: str, decode: Decoder[T]) -> None:
        self._connection = connection
        self._method = method
        self._decode = decode
        self._is_closed = False
        self._is_over = False

    def __iter__(self) -> _Replies[T]:
        return self

    def __next__(self) -> T:
        if self._is_over or self._is_closed:
            raise StopIteration
        try:
            reply = self._connection.receive(self._method, None, None)
        except ConnectionFailed:
            if self._is_closed:
                raise StopIteration from None
            raise
        if reply is None:
            if self._is_closed:
                raise StopIteration
            raise ConnectionFailed(f"{self._method}: the daemon closed the connection before the stream's end")
        if not reply.continues:
            self._is_over = True
            self._connection.close()
        if reply.error is not None:
            raise reply.error
        try:
            return self._decode(reply.parameters, "")
        except ProtocolError:
            self.close()
            raise

    def __enter__(self) -> _Replies[T]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connection."""
        self._is_closed = True
        self._connection.close()


class _Doer:
    """Does the steps of calls that are repeated, on one connection after another."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: _Connection | None = None
        self.is_closed = False

    def run(self, steps: Steps[T], limit: float, call: Repeated | Followed) -> T:
        """Does all of them, for a call. Raises `CallTimeout` if an answer takes longer than the limit."""
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
                if self.is_closed:
                    raise ConnectionFailed("the connection was closed")
                answer = self._do(step, limit)
            except ConnectionFailed as error:
                self.drop()
                if self.is_closed:
                    raise
                failure = error
            except CallTimeout:
                self.drop()
                raise call.timed_out(limit) from None
            except BaseException:
                # What is still to come would be taken for the answer to the next call.
                self.drop()
                raise

    def _do(self, step: Step, limit: float) -> object:
        deadline = time.monotonic() + limit
        match step:
            case Pause(seconds):
                time.sleep(seconds)
            case IsOpen():
                return self._connection is not None and self._connection.is_open()
            case Connect():
                self.drop()
                self._connection = _Connection(self._path, deadline)
            case Exchange(method, message):
                connection = self._opened(method)
                connection.send(message, method, limit, deadline)
                reply = connection.receive(method, limit, deadline)
                if reply is None:
                    raise ConnectionFailed(f"{method}: the daemon at {self._path} closed the connection")
                return reply
            case Send(method, message):
                self._opened(method).send(message, method, limit, deadline)
            case Receive(method):
                return self._opened(method).receive(method, None, None)
        return None

    def _opened(self, method: str) -> _Connection:
        if self._connection is None:
            raise ConnectionFailed(f"{method}: the connection was closed")
        return self._connection

    def drop(self) -> None:
        """Closes its connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Closes its connection for good; who waits for an answer is told so."""
        self.is_closed = True
        self.drop()


class _LastingReplies(Generic[T]):
    """The stream of one call, on one connection after another."""

    def __init__(self, path: str, followed: Followed, decode: Decoder[T], limit: float) -> None:
        self._followed = followed
        self._decode = decode
        self._limit = limit
        self._doer = _Doer(path)
        self._is_over = False
        self._doer.run(followed.begin(), limit, followed)

    def __iter__(self) -> _LastingReplies[T]:
        return self

    def __next__(self) -> T:
        if self._is_over:
            raise StopIteration
        try:
            reply = self._doer.run(self._followed.next(), self._limit, self._followed)
            if reply is not None:
                return self._decode(reply.parameters, "")
        except ConnectionFailed:
            if not self._doer.is_closed:
                self.close()
                raise
        except BaseException:
            self.close()
            raise
        self.close()
        raise StopIteration

    def __enter__(self) -> _LastingReplies[T]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connection."""
        self._is_over = True
        self._doer.close()
