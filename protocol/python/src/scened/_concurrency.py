"""What is done with threads here, and with tasks in `aio/_concurrency.py`."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from ._answers import Answers, Asked
from .client import Client

T = TypeVar("T")

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True

AdapterFunction: TypeAlias = Callable[[Asked], Answers]
"""A function of a test that is an adapter."""


class Act(Protocol):
    """What makes some calls with a client."""

    def __call__(self, client: Client, /) -> None: ...


class Connections(Client):
    """What an app makes its calls with: one connection, because a test that blocks makes one call after the other."""

    def before_next_call(self, act: Act) -> None:
        """Has something done, at once."""
        act(self)

    def ready(self) -> None:
        """Does what is to be done before a call: nothing is left."""

    def another(self) -> Client:
        """A connection for whoever holds something by it, or waits for long."""
        return Client(self.path, timeout=self.timeout, reconnect=self.reconnecting, binding=self.binding)


class Background:
    """Something that is done while others go on."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self._thread = threading.Thread(target=work, name=name, daemon=True)
        self._thread.start()

    def has_ended(self, timeout: float | None) -> bool:
        """Whether it has, or does within so many seconds; None for however long it takes."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def give_up(self) -> None:
        """Leaves it alone, because nothing ends a thread; the process does not wait for it."""


def answered(function: AdapterFunction, asked: Asked) -> object:
    """What an adapter's function returns."""
    return function(asked)


def unbroken(result: T) -> T:
    """What was done to its end: nothing cancels what blocks."""
    return result


def refuse_function(function: AdapterFunction, name: str) -> None:
    """Raises `TypeError` for a function that cannot be an adapter here."""
    if not callable(function):
        raise TypeError(f"the adapter {name!r}: found {function!r}, expected a function")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"the adapter {name!r} is a coroutine function, which only an app of scened.aio awaits")
