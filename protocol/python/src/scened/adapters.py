"""Adapters that are functions of a test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ._errors import DaemonError, ScenedError
from ._generated.errors import UnknownRegistration, UnknownRequest
from ._generated.types import AdaptersRegisterReply, Destination
from .client import Client


@dataclass(frozen=True, slots=True)
class Asked:
    """An event about which an adapter is asked."""

    kind: str
    """url, activity, push, widget or shortcut."""
    event: dict[str, Any]
    """The parameters of the call in io.scened.Events that sent it."""

    @property
    def payload(self) -> dict[str, Any]:
        """A push's payload; empty for other kinds."""
        payload = self.event.get("payload")
        return payload if isinstance(payload, dict) else {}

    @property
    def url(self) -> str | None:
        """The URL of a link or a widget, the web page of an activity."""
        url = self.event.get("url") or self.event.get("webpageURL")
        return url if isinstance(url, str) else None

    @property
    def user_info(self) -> dict[str, Any]:
        """The user info of an activity, a widget or a quick action; empty for none."""
        info = self.event.get("userInfo")
        return info if isinstance(info, dict) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an adapter makes of an event: exactly one of url, destination, handled, declined and refused."""

    url: str | None = None
    """It asks for this absolute URL."""
    destination: Destination | None = None
    """It asks for this destination."""
    handled: bool | None = None
    """The app is done with it, and there is nothing to navigate."""
    user: str | None = None
    """With url or destination: whom it is for."""
    declined: str | None = None
    """It is not for this adapter, for this reason; the next one is asked."""
    refused: str | None = None
    """It is for this adapter but invalid, for this reason; nobody else is asked."""


Answers: TypeAlias = Answer | Destination | str | bool | None
"""What an adapter returns: an answer, a destination, a URL, True for handled; None or False declines."""
AdapterFunction: TypeAlias = Callable[[Asked], Answers]


class AdapterFailed(ScenedError):
    """A function that is an adapter raised an error, returned what is no answer, or would wait for what waits for
    it."""


class _OfThread(threading.local):
    """What an adapter's thread has of its own."""

    client: Client | None = None


_OF_THREAD = _OfThread()


def client_in_adapter() -> Client | None:
    """The connection of the adapter that is asked on this thread, on which its function may make calls; None on any
    other thread."""
    return _OF_THREAD.client


def refuse_in_adapter(what: str) -> None:
    """Raises `AdapterFailed` on an adapter's thread: what is said would wait for the event that waits for the
    answer."""
    if _OF_THREAD.client is not None:
        raise AdapterFailed(
            f"an adapter cannot {what}: that waits for the event about which it is asked; it can look "
            "(app.session, window.shown), and send with wait='admitted'"
        )


class Adapter:
    """A function that the daemon asks, on a thread, until it is closed."""

    def __init__(
        self, path: str, function: AdapterFunction, name: str, kinds: Sequence[str], priority: int, timeout: float
    ) -> None:
        if not 0.001 <= timeout <= 10:
            raise ValueError(f"the adapter {name!r}: timeout {timeout!r}; expected 0.001 to 10 seconds")
        if isinstance(kinds, str):
            raise TypeError(f"the adapter {name!r}: kinds {kinds!r}; expected a list, [{kinds!r}]")
        self.name = name
        self.function = function
        self.errors: list[BaseException] = []
        self._timeout = timeout
        self._answers = Client(path, timeout=timeout)
        self._questions = Client(path).adapters.register(
            name, kinds, priority=priority, timeout_milliseconds=round(timeout * 1_000)
        )
        # From here on the daemon asks it.
        try:
            self._registration = next(self._questions).registration
        except BaseException:
            self._questions.close()
            raise
        self._thread = threading.Thread(target=self._run, name=f"adapter {name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Takes it back, and waits until the function has returned; if it does not, that is its error."""
        self._questions.close()
        self._thread.join(self._answers.timeout)
        if self._thread.is_alive():
            self.errors.append(AdapterFailed(f"has not returned {self._answers.timeout:g} s after the test"))
        else:
            self._answers.close()

    def _run(self) -> None:
        _OF_THREAD.client = self._answers
        try:
            for question in self._questions:
                if question.request is not None:
                    try:
                        self._answer(question, question.request)
                    except (AdapterFailed, DaemonError) as error:
                        # It is asked again all the same.
                        self.errors.append(error)
        except BaseException as error:
            self.errors.append(error)

    def _answer(self, question: AdaptersRegisterReply, request: int) -> None:
        asked_at = time.monotonic()
        try:
            answer = self._made(self.function(Asked(question.kind or "", dict(question.event or {}))))
        except BaseException as error:
            # pytest.fail, pytest.skip and sys.exit raise what is no Exception, and would end only this thread.
            self.errors.append(error)
            answer = Answer(declined=f"it raised {type(error).__name__}: {error}"[:250])
        took = time.monotonic() - asked_at
        is_late = took > self._timeout
        try:
            self._answers.adapters.answer(
                self._registration,
                request,
                url=answer.url,
                destination=answer.destination,
                handled=answer.handled,
                user=answer.user,
                declined=answer.declined,
                refused=answer.refused,
            )
        except UnknownRequest:
            is_late = True
        except UnknownRegistration:
            # The test has ended meanwhile.
            pass
        if is_late:
            raise AdapterFailed(
                f"answered after {took:.3f} s, later than its timeout of {self._timeout:g} s, and the event went on "
                "without it"
            )

    def _made(self, answer: Answers) -> Answer:
        match answer:
            case Answer():
                return answer
            case str():
                return Answer(url=answer)
            case Destination():
                return Answer(destination=answer)
            case True:
                return Answer(handled=True)
            case None | False:
                return Answer(declined="it returned nothing")
            case _:
                raise AdapterFailed(
                    f"returned {answer!r}; expected a URL, a Destination, True (handled), an Answer, or None to decline"
                )
