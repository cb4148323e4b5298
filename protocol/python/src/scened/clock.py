"""Time as the windows have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ._errors import ScenedError
from .adapters import refuse_in_adapter
from .client import Client
from .daemon import ClockKind

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True


class Clock:
    """A daemon's clock, in milliseconds since its start or last reset.

    A virtual clock stands still, but while a test waits for an event or an expectation: then it goes to the end of the
    transition that is under way, and to the next, until what the test waits for has happened. It never goes further by
    itself than a transition lasts, so that no sign-in expires by the way.
    """

    def __init__(self, client: Client, kind: ClockKind | None) -> None:
        status = client.manager.get_status()
        self._client = client
        self.kind: ClockKind = kind or ("virtual" if status.clock is not None and status.clock.virtual else "real")
        """What time is for the windows."""
        self.is_automatic = self.kind == "virtual"
        """Whether it goes on while a test waits."""
        self.was_stopped = self.kind == "manual"
        """Whether it has stood still while a test waited."""
        settings = {setting.key: setting.value for setting in status.settings or []}
        # The end of a transition is never further away.
        self._longest = int(settings.get("transition") or 0)

    @property
    def is_virtual(self) -> bool:
        """Whether it can be advanced."""
        return self.kind != "real"

    @property
    def now(self) -> int:
        """The time, in milliseconds. Raises `RealClock` if it is the machine's."""
        return self._client.control.advance(milliseconds=0).now

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
        return self._client.control.advance(milliseconds=total).now

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Within it time stands still unless it is advanced, also while the test waits: a window stays in its
        transition."""
        if not self.is_virtual:
            raise ScenedError("the real clock cannot be stopped; mark the test with scened(clock='virtual')")
        before = self.is_automatic
        self.is_automatic = False
        self.was_stopped = True
        try:
            yield
        finally:
            self.is_automatic = before

    def run_until(self, is_done: Callable[[], bool]) -> None:
        """Lets everything happen that can, and time pass if the clock is automatic, until `is_done` says so or every
        window is idle, held, or waits for something that is further away than a transition lasts. For a virtual
        clock."""
        refuse_in_adapter("wait for the windows")
        reply = self._client.control.advance(milliseconds=0)
        while (
            not is_done() and self.is_automatic and reply.next is not None and reply.next - reply.now <= self._longest
        ):
            reply = self._client.control.advance(milliseconds=reply.next - reply.now)
