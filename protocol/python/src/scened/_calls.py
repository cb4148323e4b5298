"""What the generated methods are made of: a call, who makes it, and the stream of its replies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from ._codec import Decoder, JSONObject

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A call that has not been made yet."""

    method: str
    """The method's full name."""
    parameters: JSONObject
    """Its parameters."""
    decode: Decoder[T]
    """Reads a reply."""


class Stream(Protocol[T_co]):
    """The replies to one call, on a connection of their own. Iterating blocks until the next one; it ends with the last
    one. Leave it by `close`, or use it in `with`; then, or from another thread, whoever iterates gets the end."""

    def __iter__(self) -> Iterator[T_co]: ...
    def __next__(self) -> T_co: ...
    def __enter__(self) -> Stream[T_co]: ...
    def __exit__(self, *error: object) -> None: ...
    def close(self) -> None:
        """Closes its connection."""


class AsyncStream(Protocol[T_co]):
    """The replies to one call, on a connection of their own, as they come. Use it in `async with`, or leave it by
    `close`."""

    def __aiter__(self) -> AsyncIterator[T_co]: ...
    async def __anext__(self) -> T_co: ...
    async def __aenter__(self) -> AsyncStream[T_co]: ...
    async def __aexit__(self, *error: object) -> None: ...
    async def close(self) -> None:
        """Closes its connection."""


class Caller(Protocol):
    """Makes calls, and blocks until they are answered."""

    def call(self, call: Call[T], timeout: float | None) -> T: ...
    def stream(self, call: Call[T], timeout: float | None) -> Stream[T]: ...


class AsyncCaller(Protocol):
    """Makes calls, and awaits their answers."""

    async def call(self, call: Call[T], timeout: float | None) -> T: ...
    async def stream(self, call: Call[T], timeout: float | None) -> AsyncStream[T]: ...
