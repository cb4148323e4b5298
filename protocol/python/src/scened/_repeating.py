"""What a client does that goes on when its connection is lost: which calls it repeats, and how it finds out what has
become of an event. Does no input or output itself: it yields steps, which both clients do."""

from __future__ import annotations

import errno
import random
import secrets
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from ._calls import Call
from ._codec import JSON, JSONObject, integer, json_object, member, text
from ._errors import CallTimeout, ConnectionFailed, DaemonError, HostChanged, ScenedError, Unsure
from ._generated.errors import CutOff, RevisionConflict, UnknownEvent
from ._wire import Reply, Wire

T = TypeVar("T")

# A failed test is shown where it calls this, not the inside.
__tracebackhide__ = True

Repetition: TypeAlias = Literal["read", "event", "revision", "never"]
"""What may be done with a call to which no answer came: it changes nothing (read), delivers an event whose ID tells
whether it was admitted (event), names the revision of the session that it changes (revision), or nothing would tell
what it has done (never)."""

REPETITIONS: dict[str, Repetition] = {
    "io.scened.Adapters.Register": "never",
    "io.scened.Adapters.Answer": "never",
    "io.scened.Adapters.Try": "read",
    "io.scened.Adapters.List": "read",
    "io.scened.Control.Hold": "never",
    "io.scened.Control.Await": "never",
    "io.scened.Control.Release": "never",
    "io.scened.Control.Quiesce": "read",
    "io.scened.Control.Advance": "never",
    "io.scened.Control.Reset": "never",
    "io.scened.Events.OpenURL": "event",
    "io.scened.Events.OpenURLs": "event",
    "io.scened.Events.ContinueActivity": "event",
    "io.scened.Events.Push": "event",
    "io.scened.Events.TapWidget": "event",
    "io.scened.Events.PerformShortcut": "event",
    "io.scened.Events.SendIntent": "event",
    "io.scened.Events.Gesture": "event",
    "io.scened.Events.FinishFlow": "event",
    "io.scened.Events.Get": "read",
    "io.scened.Manager.GetStatus": "read",
    "io.scened.Manager.GetManifest": "read",
    "io.scened.Manager.GetMetrics": "read",
    "io.scened.Manager.Reload": "never",
    "io.scened.Manager.Drain": "never",
    "io.scened.Recording.Read": "never",
    "io.scened.Records.Read": "read",
    "io.scened.Records.Check": "read",
    "io.scened.Routing.Resolve": "read",
    "io.scened.Routing.Explain": "read",
    "io.scened.Routing.Routes": "read",
    "io.scened.Routing.Print": "read",
    "io.scened.Routing.MatchAssociation": "read",
    "io.scened.Scenes.Connect": "never",
    "io.scened.Scenes.SetActivation": "never",
    "io.scened.Scenes.Disconnect": "never",
    "io.scened.Scenes.Discard": "never",
    "io.scened.Scenes.Get": "read",
    "io.scened.Scenes.List": "read",
    "io.scened.Session.Get": "read",
    "io.scened.Session.SignIn": "never",
    "io.scened.Session.SignOut": "never",
    "io.scened.Session.MarkStale": "never",
    "io.scened.Session.Commit": "revision",
}
"""Each method of the daemon; tests compare them with the interface files and with the client in Swift."""

FOR_NOW = {"Draining", "StorageFailed"}
"""The errors after which a daemon may answer otherwise when it has started again. They do not say whether the call was
done."""

PASSING = {errno.ENOENT, errno.ECONNREFUSED, errno.ECONNRESET, errno.EPIPE, errno.EAGAIN}
"""Why nobody may listen while a daemon starts again."""

FOLLOWED = "io.scened.Records.Read"
"""The method whose stream goes on from connection to connection."""

FRESHNESS = 1.0
"""How old the index of the newest record may be when an event is sent for the first time, in seconds: the younger, the
fewer records have to be there to tell later whether it was admitted."""


def repetition(method: str, parameters: JSONObject) -> Repetition:
    """What may be done with a call; a method that is not known is never repeated."""
    if method.startswith("org.varlink.service."):
        return "read"
    known = REPETITIONS.get(method, "never")
    return "never" if known == "revision" and "expectedRevision" not in parameters else known


def random_id() -> str:
    """An ID of an event that nobody has made before."""
    return f"c-{secrets.token_hex(16)}"


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """How a client goes on when its connection is lost."""

    patience: float
    """For how long a call is tried again, in seconds. A loss that comes as long after the one before begins anew."""
    event_id: Callable[[], str] = random_id
    """Makes the ID of an event to which its caller gives none: 1 to 128 bytes of visible ASCII that this user has never
    sent."""
    shortest: float = 0.01
    """The first pause, in seconds; each is twice as long, up to 100 times the first, and shortened by up to a half at
    random."""
    now: Callable[[], float] = time.monotonic
    """The time since whenever, in seconds."""
    chance: Callable[[], float] = random.random
    """A number from 0 up to 1."""

    @staticmethod
    def of(value: float | Reconnecting | None) -> Reconnecting | None:
        """A number of seconds stands for the usual way; None for none."""
        return value if value is None or isinstance(value, Reconnecting) else Reconnecting(value)


@dataclass(slots=True)
class Binding:
    """The host that a client, and what shares connections with it, belongs to."""

    host: str | None = None
    """Its ID; None before the first connection, and when it is not known whether a reset was made."""


# MARK: Steps.


@dataclass(frozen=True, slots=True)
class Connect:
    """Opens a connection, in place of the one before. Raises `ConnectionFailed`."""


@dataclass(frozen=True, slots=True)
class IsOpen:
    """Whether there is a connection on which something can be sent."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Sends a call and returns its reply. Raises `ConnectionFailed`."""

    method: str
    message: bytes


@dataclass(frozen=True, slots=True)
class Send:
    """Sends a call whose replies are a stream. Raises `ConnectionFailed`."""

    method: str
    message: bytes


@dataclass(frozen=True, slots=True)
class Receive:
    """The next reply of the stream, whenever it comes. Raises `ConnectionFailed`."""

    method: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Lets time pass, in seconds."""

    seconds: float


Step: TypeAlias = Connect | IsOpen | Exchange | Send | Receive | Pause
Steps: TypeAlias = Generator[Step, Any, T]


class _Failure(Exception):
    """Why an attempt came to nothing."""

    def __init__(self, kind: Literal["not sent", "lost", "refused for now", "answered"], error: ScenedError) -> None:
        self.kind = kind
        self.error = error


class _Attempts:
    """The attempts that one call has made in vain."""

    def __init__(self, settings: Reconnecting) -> None:
        self._settings = settings
        self._begin = 0.0
        self._last: float | None = None
        self._pause = settings.shortest

    def wait(self) -> Steps[bool]:
        """Waits until the next one is due. Returns whether there is to be one."""
        now = self._settings.now()
        if self._last is None or now - self._last > self._settings.patience:
            self._begin = now
            self._pause = self._settings.shortest
        self._last = now
        left = self._begin + self._settings.patience - now
        if left <= 0:
            return False
        yield Pause(min(self._pause * (1 - self._settings.chance() / 2), left))
        self._pause = min(self._pause * 2, 100 * self._settings.shortest)
        return True


class Line:
    """What is known of a client's connection."""

    def __init__(self, settings: Reconnecting, binding: Binding) -> None:
        self.settings = settings
        self.binding = binding
        self.host: str | None = None
        """The host when it was last asked."""
        self.index = 0
        """The index of a record that was there then."""
        self._asked = 0.0

    def open(self) -> Steps[None]:
        """Sees that there is a connection to the host that the client belongs to."""
        if not (yield IsOpen()):
            yield from self.connect()

    def connect(self) -> Steps[None]:
        """Opens another one."""
        self.host = None
        try:
            yield Connect()
        except ConnectionFailed as error:
            cause = error.__cause__
            is_passing = isinstance(cause, OSError) and cause.errno in PASSING
            raise _Failure("not sent" if is_passing else "answered", error) from error
        yield from self.look()

    def look(self) -> Steps[None]:
        """Asks how far the records are, and whether the host is the same."""
        status = yield from self.ask("io.scened.Manager.GetStatus", {})
        host = text(*member(status, "host"))
        index = integer(*member(status, "records"))
        if self.binding.host is None:
            self.binding.host = host
        if host != self.binding.host:
            raise _Failure("answered", HostChanged(self.binding.host, host, None))
        self.host, self.index, self._asked = host, index, self.settings.now()

    def refresh(self) -> Steps[None]:
        """Looks again if that was some time ago, or there was a reset."""
        if self.host != self.binding.host or self.settings.now() - self._asked >= FRESHNESS:
            yield from self.look()

    def ask(self, method: str, parameters: JSONObject) -> Steps[JSONObject]:
        """Asks something before a call is made."""
        try:
            reply: Reply = yield Exchange(method, Wire.call(method, parameters))
        except ConnectionFailed as error:
            raise _Failure("not sent", error) from error
        if reply.error is not None:
            raise _Failure("not sent" if _is_for_now(reply.error) else "answered", reply.error)
        return reply.parameters


def _is_for_now(error: DaemonError) -> bool:
    return error.name.rpartition(".")[2] in FOR_NOW


@dataclass(slots=True)
class Repeated:
    """A call that is made until it is answered."""

    line: Line
    method: str
    parameters: JSONObject
    """The same each time."""
    message: bytes
    kind: Repetition
    doubt: tuple[str, int] | None = None
    """Set once the daemon may have done it: the host, and an index before all records that it can have made."""
    must_connect: bool = False
    is_sent: bool = False
    """Whether any of it may have reached a daemon."""

    @classmethod
    def of(cls, call: Call[Any], line: Line) -> Repeated:
        kind = repetition(call.method, call.parameters)
        parameters = call.parameters
        if kind == "event" and "event" not in parameters:
            parameters = {**parameters, "event": line.settings.event_id()}
        return cls(line, call.method, parameters, Wire.call(call.method, parameters), kind)

    @property
    def event(self) -> str | None:
        """The ID of what it delivers."""
        found = self.parameters.get("event")
        return found if self.kind == "event" and isinstance(found, str) else None

    def reply(self) -> Steps[Reply]:
        """Makes it until it is answered. Raises what it is answered, `Unsure`, `HostChanged` or `ConnectionFailed`."""
        attempts = _Attempts(self.line.settings)
        while True:
            try:
                if self.must_connect:
                    self.must_connect = False
                    yield from self.line.connect()
                else:
                    yield from self.line.open()
                return (yield from self._made())
            except _Failure as failure:
                self.must_connect = failure.kind != "answered"
                is_over = failure.kind == "answered" or (self.kind == "never" and failure.kind != "not sent")
                if is_over or not (yield from attempts.wait()):
                    raise self._told(failure) from failure.error.__cause__

    def _made(self) -> Steps[Reply]:
        line = self.line
        is_repeated = self.doubt is not None
        if self.kind == "event":
            if self.doubt is not None:
                if (known := (yield from self._known(*self.doubt))) is not None:
                    return known
            else:
                yield from line.refresh()
        doubt = (line.host or "", line.index if line.host == line.binding.host else 0)
        self.is_sent = True
        try:
            reply: Reply = yield Exchange(self.method, self.message)
        except ConnectionFailed as error:
            if reason := Wire.doubt(self.message):
                # It would be refused again.
                raise _Failure("answered", ConnectionFailed(f"{error}{reason}")) from error
            if self.kind != "read":
                self.doubt = self.doubt or doubt
            if self.method == "io.scened.Control.Reset":
                line.binding.host = None
            raise _Failure("lost", error) from error
        if reply.error is not None and _is_for_now(reply.error):
            if self.kind != "read":
                self.doubt = self.doubt or doubt
            raise _Failure("refused for now", reply.error)
        if is_repeated and self.kind == "event":
            # No host comes back: if it is the same now, it was when it was asked.
            yield from line.look()
        if reply.error is not None:
            raise _Failure("answered", reply.error)
        if self.method == "io.scened.Control.Reset":
            line.binding.host, line.index = text(*member(reply.parameters, "host")), 0
        return reply

    def _told(self, failure: _Failure) -> ScenedError:
        """What the caller is told in the end."""
        error = failure.error
        if isinstance(error, HostChanged):
            return HostChanged(error.from_, error.to, None if self.doubt is None else self.event)
        if failure.kind == "refused for now" and self.kind == "never":
            return error
        if failure.kind == "answered" and not (
            self.kind == "revision" and self.doubt is not None and isinstance(error, RevisionConflict)
        ):
            return error
        return error if self.doubt is None else self._unsure(str(error))

    def _unsure(self, reason: str) -> Unsure:
        return Unsure(self.method, self.event, reason)

    def timed_out(self, limit: float) -> CallTimeout:
        """What the caller is told when an answer takes longer than the limit, whatever was asked then."""
        note = ""
        if self.event is not None:
            note = f"; the event {self.event} " + ("may have been admitted" if self.is_sent else "was not sent")
        return CallTimeout(f"{self.method}: no answer within {limit:g} s", note)

    # MARK: What has become of an event.

    def _known(self, host: str, index: int) -> Steps[Reply | None]:
        """The reply to events that were sent before; None if they are to be sent again, because they were not admitted,
        or to wait for them: the daemon knows them by their ID."""
        if self.line.host != host:
            raise _Failure("answered", HostChanged(host, self.line.host or "", self.event))
        urls = self.parameters.get("urls")
        events = [f"{self.event}/{place + 1}" for place in range(len(urls))] if isinstance(urls, list) else [self.event]
        receipts: list[JSON] = []
        for event in events:
            try:
                known = yield from self.line.ask("io.scened.Events.Get", {"event": event})
            except _Failure as failure:
                if not isinstance(failure.error, UnknownEvent):
                    raise
                # A set is admitted as a whole.
                yield from self._expect_never_admitted(event, index)
                return None
            receipts.append(known.get("receipt"))
        if not all(self._is_enough(receipt) for receipt in receipts):
            return None
        return Reply({"receipts": receipts} if isinstance(urls, list) else {"receipt": receipts[0]}, None, False)

    def _is_enough(self, receipt: JSON) -> bool:
        """Whether a receipt says all that the caller waits for."""
        outcome = json_object(receipt).get("outcome")
        match self.parameters.get("wait"):
            case "admitted":
                return True
            case "finished":
                return outcome not in ("admitted", "gated")
            case _:
                return outcome != "admitted"

    def _expect_never_admitted(self, event: str | None, index: int) -> Steps[None]:
        """The daemon does not know the event: because it was never admitted, or because too many others have ended
        since. The records tell."""
        after = index
        while True:
            query: JSONObject = {"after": after, "event": event, "kinds": ["event.admitted"], "limit": 1}
            page = yield from self.line.ask(FOLLOWED, query)
            for record in _records(page):
                if record.get("kind") == "event.admitted":
                    raise _Failure(
                        "answered",
                        self._unsure(
                            f"it was admitted (record {record.get('index')}), "
                            "and the daemon has forgotten what became of it"
                        ),
                    )
            found = integer(*member(page, "next"))
            if found <= after:
                break
            after = found
        # Asked last: what is there now was there before.
        first = _records((yield from self.line.ask(FOLLOWED, {"after": index, "limit": 1})))
        if first and (first[0].get("index") != index + 1 or first[0].get("kind") == "gap"):
            raise _Failure(
                "answered",
                self._unsure("the daemon does not know it, and the records that would tell are no longer retained"),
            )


def _records(page: JSONObject) -> list[JSONObject]:
    found = page.get("records")
    return [json_object(record) for record in found] if isinstance(found, list) else []


class Followed:
    """Records that are followed from connection to connection."""

    def __init__(self, call: Call[Any], line: Line) -> None:
        self._method = call.method
        self._parameters = call.parameters
        self._line = line
        self._attempts = _Attempts(line.settings)
        self._host: str | None = None
        self._has_read = False
        self._is_connected = False
        self._has_ended = False

    def timed_out(self, limit: float) -> CallTimeout:
        """What the caller is told when an answer takes longer than the limit, whatever was asked then."""
        return CallTimeout(f"{self._method}: no answer within {limit:g} s")

    def begin(self) -> Steps[None]:
        """Sends the call, unless there is no daemon just now."""
        try:
            yield from self._connect()
        except _Failure as failure:
            if not (yield from self._goes_on(failure)):
                raise failure.error from failure.error.__cause__

    def next(self) -> Steps[Reply | None]:
        """The next page; None at the end, which is that of the host."""
        while True:
            try:
                if not self._is_connected:
                    if self._has_ended and not (yield from self._attempts.wait()):
                        raise _Failure("answered", ConnectionFailed(f"{self._method}: the daemon has stopped"))
                    yield from self._connect()
                return (yield from self._page())
            except _Failure as failure:
                if self._has_ended and isinstance(failure.error, HostChanged):
                    return None
                if not (yield from self._goes_on(failure)):
                    raise failure.error from failure.error.__cause__

    def _goes_on(self, failure: _Failure) -> Steps[bool]:
        self._is_connected = False
        return failure.kind != "answered" and (yield from self._attempts.wait())

    def _connect(self) -> Steps[None]:
        line = self._line
        yield from line.connect()
        self._host = self._host or line.host
        if line.host != self._host:
            raise _Failure("answered", HostChanged(self._host or "", line.host or "", None))
        after = self._parameters.get("after")
        if self._has_read and isinstance(after, int) and line.index < after:
            reason = f"record {after} was read, and the host has only {line.index} now"
            raise _Failure("answered", Unsure(self._method, None, reason))
        try:
            yield Send(self._method, Wire.call(self._method, self._parameters, more=True))
        except ConnectionFailed as error:
            raise _Failure("not sent", error) from error
        self._is_connected = True

    def _page(self) -> Steps[Reply]:
        try:
            reply: Reply | None = yield Receive(self._method)
        except ConnectionFailed as error:
            raise _Failure("lost", error) from error
        if reply is None:
            raise _Failure("lost", ConnectionFailed(f"{self._method}: the daemon closed the connection"))
        if reply.error is not None:
            is_passing = isinstance(reply.error, CutOff) or _is_for_now(reply.error)
            raise _Failure("lost" if is_passing else "answered", reply.error)
        self._parameters = {**self._parameters, "after": integer(*member(reply.parameters, "next"))}
        self._has_read = True
        # Its host ends, or only its daemon.
        self._is_connected = reply.continues
        self._has_ended = not reply.continues
        return Reply(reply.parameters, None, True)
