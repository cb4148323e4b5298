# Written by generate.py from aio/clock.py; do not edit.
"""Time as the windows have it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol

from . import _values
from ._errors import ScenedError
from ._generated.errors import TimePassed
from ._vocabulary import refuse_unknown
from .daemon import CLOCKS, ClockKind
from ._concurrency import Connections
from .adapters import refuse_in_adapter
from .client import Client

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True


class _Asks(Protocol):
    """Says whether something has happened."""

    def __call__(self) -> bool: ...


class Clock:
    """A daemon's clock, in milliseconds since its start or last reset.

    A virtual clock stands still, but while a test waits for an event or an expectation: then it goes to the end of the
    transition that is under way, and to the next, until what the test waits for has happened. It never goes further by
    itself than a transition lasts, so that no sign-in expires by the way.
    """

    def __init__(self, connections: Connections, kind: ClockKind | None) -> None:
        if kind is not None:
            refuse_unknown("there is no clock", kind, CLOCKS)
        self._client = connections
        self._kind = kind
        # Where several wait at once, time stands still until the last of their blocks has ended.
        self._stops = 0
        self._was_stopped = False
        # The end of a transition is never further away, in milliseconds.
        self._longest = 0
        connections.before_next_call(self._learn)

    @property
    def kind(self) -> ClockKind:
        """What time is for the windows."""
        if self._kind is None:
            raise ScenedError("what the clock is, is known within 'with App(…)' and after the first call")
        return self._kind

    @property
    def is_virtual(self) -> bool:
        """Whether it can be advanced."""
        return self.kind != "real"

    @property
    def is_automatic(self) -> bool:
        """Whether it goes on while a test waits."""
        return self.kind == "virtual" and self._stops == 0

    @property
    def was_stopped(self) -> bool:
        """Whether it has stood still while a test waited."""
        return self.kind == "manual" or self._was_stopped

    @property
    def now(self) -> int:
        """The time, in milliseconds. Raises `RealClock` if it is the machine's."""
        return (self._client.control.advance(milliseconds=0)).now

    def advance(
        self, milliseconds: int = 0, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0
    ) -> int:
        """Lets time pass, and everything happen that waits for it. Returns when every window is idle, held, or waits
        for a later time. Raises `RealClock` if the clock is the machine's.

        Returns:
            The time, in milliseconds.
        """
        refuse_in_adapter("advance the clock")
        total = milliseconds + round(1_000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days))))
        if total < 0:
            raise ValueError(f"{total} ms: expected 0 or more; a clock cannot go back")
        return (self._client.control.advance(milliseconds=total)).now

    @property
    def date(self) -> datetime:
        """The date and time, in UTC, to the second. Raises `RealClock` if it is the machine's."""
        return datetime.fromisoformat((self._client.control.advance(milliseconds=0)).date)

    def advance_to(self, when: datetime | str) -> int:
        """Lets time pass until a date, as `advance` does. Raises `TimePassed` if it is later already, and `RealClock`
        if the clock is the machine's.

        Args:
            when: The date: in UTC, such as "2026-11-27" or "2026-11-27T08:00Z"; or with a time zone, to the second.

        Returns:
            The time, in milliseconds.
        """
        refuse_in_adapter("advance the clock")
        return (self._client.control.advance(date=_values.instant(when))).now

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Within it time stands still unless it is advanced, also while the test waits: a window stays in its
        transition."""
        if not self.is_virtual:
            raise ScenedError("the real clock cannot be stopped; mark the test with scened(clock='virtual')")
        self._stops += 1
        self._was_stopped = True
        try:
            yield
        finally:
            self._stops -= 1

    def run_until(self, is_done: _Asks) -> None:
        """Lets everything happen that can, and time pass if the clock is automatic, until `is_done` says so or every
        window is idle, held, or waits for something that is further away than a transition lasts. For a virtual
        clock."""
        refuse_in_adapter("wait for the windows")
        reply = self._client.control.advance(milliseconds=0)
        while (
            not is_done()
            and self.is_automatic
            and reply.next is not None
            and reply.next - reply.now <= self._longest
        ):
            # Not by how much but to when, because somebody else may move it at the same time.
            try:
                reply = self._client.control.advance(time=reply.next)
            except TimePassed:
                reply = self._client.control.advance(milliseconds=0)

    def run_out(self) -> None:
        """Lets everything happen that can, as `run_until` does."""

        def is_done() -> bool:
            return False

        self.run_until(is_done)

    def _learn(self, client: Client) -> None:
        status = client.manager.get_status()
        if self._kind is None:
            self._kind = "virtual" if status.clock is not None and status.clock.virtual else "real"
        settings = {setting.key: setting.value for setting in status.settings or []}
        self._longest = int(settings.get("transition") or 0)
