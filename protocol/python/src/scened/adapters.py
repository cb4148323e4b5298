# Written by generate.py from aio/adapters.py; do not edit.
"""Adapters that are functions of a test."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar

from ._answers import Answer, Asked, made
from ._calls import Stream
from ._errors import DaemonError, ScenedError
from ._failures import AdapterFailed
from ._generated.errors import NameTaken, UnknownRegistration, UnknownRequest
from ._generated.types import AdaptersRegisterReply
from ._vocabulary import EVENT_KINDS, refuse_unknown
from ._concurrency import AdapterFunction, Background, Connections, answered, refuse_function
from ._names import Names
from .client import Client

_IN_ADAPTER: ContextVar[Client | None] = ContextVar("scened_adapter", default=None)
"""The connection on which an adapter's function, and whatever it starts, may make calls."""


def client_in_adapter() -> Client | None:
    """The connection of the adapter that is asked here, on which its function may make calls; None elsewhere."""
    return _IN_ADAPTER.get()


def refuse_in_adapter(what: str) -> None:
    """Raises `AdapterFailed` in an adapter's function: what is said would wait for the event that waits for the
    answer."""
    if _IN_ADAPTER.get() is not None:
        raise AdapterFailed(
            f"an adapter cannot {what}: that waits for the event about which it is asked; it can look "
            "(app.session, window.shown), and send with wait='admitted'"
        )


class Adapter:
    """A function that the daemon asks, beside the test, until it is closed."""

    def __init__(
        self,
        connections: Connections,
        names: Names,
        function: AdapterFunction,
        name: str,
        kinds: Sequence[str],
        priority: int,
        timeout: float,
    ) -> None:
        if not 0.001 <= timeout <= 10:
            raise ValueError(f"the adapter {name!r}: timeout {timeout!r}; expected 0.001 to 10 seconds")
        if isinstance(kinds, str):
            raise TypeError(f"the adapter {name!r}: kinds {kinds!r}; expected a list, [{kinds!r}]")
        for kind in kinds:
            refuse_unknown(f"the adapter {name!r}: there is no kind of event", kind, EVENT_KINDS)
        refuse_function(function, name)
        self.name = name
        self.function = function
        self.errors: list[tuple[str, BaseException]] = []
        """What has failed, with what is said of the adapter, such as "raised KeyError: 'id'"."""
        self._names = names
        self._kinds = kinds
        self._priority = priority
        self._timeout = timeout
        self._answers = connections.another()
        self._answers.timeout = timeout
        self._asks = connections.another()
        self._questions: Stream[AdaptersRegisterReply] | None = None
        self._background: Background | None = None
        self._was_cut_off = False

    def register(self, _: Client) -> None:
        """Has the daemon ask it from here on."""
        try:
            questions, registration = self._registered()
        except NameTaken:
            # A call that was cut off may have reached the daemon, which has not seen yet that its connection is closed.
            if not self._was_cut_off or not self._is_forgotten():
                raise
            questions, registration = self._registered()
        self._questions = questions

        def work() -> None:
            self._run(questions, registration)

        self._background = Background(work, f"adapter {self.name}")

    def _registered(self) -> tuple[Stream[AdaptersRegisterReply], str]:
        questions = self._asks.adapters.register(
            self.name, self._kinds, priority=self._priority, timeout_milliseconds=round(self._timeout * 1_000)
        )
        try:
            return questions, (next(questions)).registration
        except NameTaken:
            questions.close()
            raise
        except BaseException:
            self._was_cut_off = True
            questions.close()
            raise

    def _is_forgotten(self) -> bool:
        """Whether the daemon has no adapter of its name, within 10 s."""
        for _ in range(10_000):
            if all(one.name != self.name for one in (self._answers.adapters.list()).adapters):
                return True
            time.sleep(0.001)
        return False

    def close(self) -> None:
        """Takes it back, and waits until the function has returned and the daemon knows it no more; if the function
        does not return, that is its error."""
        if self._questions is None or self._background is None:
            return
        self._questions.close()
        if self._background.has_ended(self._timeout):
            # The daemon takes it back once it has seen that the connection is closed, and the next test may have one of
            # the name.
            with suppress(ScenedError):
                if not self._is_forgotten():
                    self._fails(AdapterFailed("the daemon still has an adapter of its name 10 s after it was closed"))
            self._answers.close()
        else:
            self._background.give_up()
            self._fails(AdapterFailed(f"has not returned {self._timeout:g} s after the test"))

    def _run(self, questions: Stream[AdaptersRegisterReply], registration: str) -> None:
        _IN_ADAPTER.set(self._answers)
        try:
            for question in questions:
                if question.request is not None:
                    try:
                        self._answer(question, registration, question.request)
                    except AdapterFailed as error:
                        # It is asked again all the same.
                        self._fails(error)
                    except DaemonError as error:
                        self._fails(error, _raised(error))
        except BaseException as error:
            self._fails(error, _raised(error))

    def _fails(self, error: BaseException, said: str | None = None) -> str:
        """Notes an error, and what is said of the adapter; None for the error's own words. Returns that."""
        said = said or str(error)
        self.errors.append((said, error))
        return said

    def _answer(self, question: AdaptersRegisterReply, registration: str, request: int) -> None:
        asked_at = time.monotonic()
        try:
            asked = Asked(question.kind or "", dict(question.event or {}))
            answer = self._made(answered(self.function, asked))
        except BaseException as error:
            # pytest.fail, pytest.skip and sys.exit raise what is no Exception, and would end only this.
            answer = _declined(self._fails(error, _raised(error)))
        took = time.monotonic() - asked_at
        is_late = took > self._timeout
        try:
            self._give(answer, registration, request)
        except UnknownRequest:
            is_late = True
        except UnknownRegistration:
            # The test has ended meanwhile.
            pass
        except DaemonError as error:
            # It is no answer, such as one for a user whose name is none, and the event still waits for one.
            said = self._fails(error, f"returned what the daemon refuses: {type(error).__name__}: {error}")
            with suppress(UnknownRequest, UnknownRegistration):
                self._give(_declined(said), registration, request)
        if is_late:
            raise AdapterFailed(
                f"answered after {took:.3f} s, later than its timeout of {self._timeout:g} s, and the event went on "
                "without it"
            )

    def _give(self, answer: Answer, registration: str, request: int) -> None:
        self._answers.adapters.answer(
            registration,
            request,
            url=answer.url,
            destination=answer.destination,
            handled=answer.handled,
            user=answer.user,
            declined=answer.declined,
            refused=answer.refused,
        )

    def _made(self, returned: object) -> Answer:
        """The answer that was returned, or one that declines for what is none; nor is a destination that the app cannot
        show: of that the daemon makes an event like any other that leads nowhere."""
        try:
            answer = made(returned)
            if answer.destination is not None:
                self._names.destination(answer.destination)
        except AdapterFailed as error:
            return _declined(self._fails(error))
        except ValueError as error:
            return _declined(self._fails(error, f"returned a destination that cannot be: {error}"))
        return answer


def _raised(error: BaseException) -> str:
    return f"raised {type(error).__name__}: {error}"


def _declined(said: str) -> Answer:
    return Answer(declined=f"it {said}"[:250])


__all__ = ["Adapter", "AdapterFunction", "client_in_adapter", "refuse_in_adapter"]
