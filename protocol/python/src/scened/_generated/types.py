"""The types of the socket API and the replies to its methods.

Written by generate.py from protocol/*.varlink; do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from .._codec import (
    JSON,
    Decoder,
    JSONObject,
    array,
    boolean,
    integer,
    json_object,
    mapping,
    member,
    members,
    optional,
    present,
    text,
)

Activation: TypeAlias = Literal["unattached", "foregroundActive", "foregroundInactive", "background"]
"""A scene's activation state, as UIScene.ActivationState names them."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A typed place in the app, such as product(id: p1004)."""

    id: str
    """The destination's name in the app's manifest."""
    parameters: dict[str, str] = field(default_factory=dict)
    """Its parameters by name; they are validated afterwards."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Destination:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            id=text(*member(fields, "id", path)),
            parameters=mapping(text)(*member(fields, "parameters", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "id": self.id,
                "parameters": self.parameters,
            }
        )


@dataclass(frozen=True, slots=True)
class Request:
    """What an event asks for; exactly one of the three."""

    url: str | None
    """An absolute URL. An http or https URL must match an associated domain of the app."""
    destination: Destination | None
    """A destination."""
    handled: bool | None
    """Nothing: the app is done with it, and there is nothing to navigate."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Request:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            url=optional(text)(*member(fields, "url", path)),
            destination=optional(Destination.decode)(*member(fields, "destination", path)),
            handled=optional(boolean)(*member(fields, "handled", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "url": self.url,
                "destination": None if self.destination is None else self.destination.encode(),
                "handled": self.handled,
            }
        )


@dataclass(frozen=True, slots=True)
class Target:
    """What a window shows at the destination."""

    tab: str | None
    """The tab that is selected. Null for a destination that is presented over whatever is shown."""
    path: list[Destination]
    """Its push stack, root first; empty if there is no tab."""
    modal: list[Destination]
    """What is presented over it, or over whatever is shown, bottom first."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Target:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            tab=optional(text)(*member(fields, "tab", path)),
            path=array(Destination.decode)(*member(fields, "path", path)),
            modal=array(Destination.decode)(*member(fields, "modal", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "tab": self.tab,
                "path": [item.encode() for item in self.path],
                "modal": [item.encode() for item in self.modal],
            }
        )


@dataclass(frozen=True, slots=True)
class Passed:
    """An adapter that was asked and passed the event on."""

    adapter: str
    """The adapter's name."""
    reason: str
    """Why."""
    skipped: bool
    """Whether it gave no valid answer: it was too slow, gone, or its answer made no sense."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Passed:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            adapter=text(*member(fields, "adapter", path)),
            reason=text(*member(fields, "reason", path)),
            skipped=boolean(*member(fields, "skipped", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "adapter": self.adapter,
                "reason": self.reason,
                "skipped": self.skipped,
            }
        )


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter of the app."""

    name: str
    """Its name."""
    origin: Literal["app", "process", "always"]
    """Whether it belongs to the app (declared or in Swift), to another process, or is built in."""
    kinds: list[str]
    """The kinds of event it is asked about."""
    priority: int
    """Adapters with a higher priority are asked first."""
    timeout_milliseconds: int | None
    """How long an answer may take, in milliseconds; null for an adapter within the daemon."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Adapter:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            name=text(*member(fields, "name", path)),
            origin=cast(Decoder[Literal["app", "process", "always"]], text)(*member(fields, "origin", path)),
            kinds=array(text)(*member(fields, "kinds", path)),
            priority=integer(*member(fields, "priority", path)),
            timeout_milliseconds=optional(integer)(*member(fields, "timeoutMilliseconds", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "name": self.name,
                "origin": self.origin,
                "kinds": self.kinds,
                "priority": self.priority,
                "timeoutMilliseconds": self.timeout_milliseconds,
            }
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """How an event would be handled; no window is changed."""

    kind: str
    """The kind of event."""
    adapter: str | None
    """The adapter that took or refused it."""
    extracted: dict[str, str]
    """What a declared adapter read from the event: captured names and paths, each with its text."""
    request: Request | None
    """What the adapter made of it."""
    user: str | None
    """The user whom it is for; null for anybody."""
    reason: str | None
    """Why there is no request."""
    passed: list[Passed]
    """The adapters that were asked before and passed, in the order asked."""
    warnings: list[str]
    """What was accepted but is probably a mistake."""
    decision: Literal["delivered", "proceed", "gated", "refused"]
    """The decision: the event is only delivered, it proceeds, a precondition has to be satisfied first, or it is
    refused with an error (a tapped push would be admitted and end rejected; so would anything else that leads
    nowhere if the app names a fallback, which is then shown).
    """
    target: Target | None
    """Where it leads, at once or after the precondition is satisfied."""
    precondition: str | None
    """The precondition, when gated."""
    destination: Destination | None
    """The destination that waits for it, when gated."""
    error: str | None
    """The name of the error in io.scened.Events, when refused."""
    message: str | None
    """A message about the error."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Trial:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            kind=text(*member(fields, "kind", path)),
            adapter=optional(text)(*member(fields, "adapter", path)),
            extracted=mapping(text)(*member(fields, "extracted", path)),
            request=optional(Request.decode)(*member(fields, "request", path)),
            user=optional(text)(*member(fields, "user", path)),
            reason=optional(text)(*member(fields, "reason", path)),
            passed=array(Passed.decode)(*member(fields, "passed", path)),
            warnings=array(text)(*member(fields, "warnings", path)),
            decision=cast(Decoder[Literal["delivered", "proceed", "gated", "refused"]], text)(*member(fields, "decision", path)),
            target=optional(Target.decode)(*member(fields, "target", path)),
            precondition=optional(text)(*member(fields, "precondition", path)),
            destination=optional(Destination.decode)(*member(fields, "destination", path)),
            error=optional(text)(*member(fields, "error", path)),
            message=optional(text)(*member(fields, "message", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "kind": self.kind,
                "adapter": self.adapter,
                "extracted": self.extracted,
                "request": None if self.request is None else self.request.encode(),
                "user": self.user,
                "reason": self.reason,
                "passed": [item.encode() for item in self.passed],
                "warnings": self.warnings,
                "decision": self.decision,
                "target": None if self.target is None else self.target.encode(),
                "precondition": self.precondition,
                "destination": None if self.destination is None else self.destination.encode(),
                "error": self.error,
                "message": self.message,
            }
        )


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab with its own push stack."""

    id: str
    """The tab's name; "root" if the app shows a flow in place of tabs."""
    stack: list[Destination]
    """The screens, root first; never empty."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Tab:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            id=text(*member(fields, "id", path)),
            stack=array(Destination.decode)(*member(fields, "stack", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "id": self.id,
                "stack": [item.encode() for item in self.stack],
            }
        )


@dataclass(frozen=True, slots=True)
class Modal:
    """A presentation over the tabs or over another presentation."""

    flow: str | None
    """The flow that owns it, if any."""
    style: Literal["sheet", "fullScreen", "popover", "alert"]
    """How it covers what is below it."""
    stack: list[Destination]
    """Its push stack, root first; never empty."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Modal:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            flow=optional(text)(*member(fields, "flow", path)),
            style=cast(Decoder[Literal["sheet", "fullScreen", "popover", "alert"]], text)(*member(fields, "style", path)),
            stack=array(Destination.decode)(*member(fields, "stack", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "flow": self.flow,
                "style": self.style,
                "stack": [item.encode() for item in self.stack],
            }
        )


@dataclass(frozen=True, slots=True)
class Window:
    """What a window shows."""

    tabs: list[Tab]
    """The tabs in the order shown."""
    selected_tab: str
    """The tab that is selected."""
    modals: list[Modal]
    """The presentations, bottom first."""
    transitioning: bool
    """Whether a transition is in progress."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Window:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            tabs=array(Tab.decode)(*member(fields, "tabs", path)),
            selected_tab=text(*member(fields, "selectedTab", path)),
            modals=array(Modal.decode)(*member(fields, "modals", path)),
            transitioning=boolean(*member(fields, "transitioning", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "tabs": [item.encode() for item in self.tabs],
                "selectedTab": self.selected_tab,
                "modals": [item.encode() for item in self.modals],
                "transitioning": self.transitioning,
            }
        )


@dataclass(frozen=True, slots=True)
class RequestedWindow:
    """A window that the app asked for."""

    scene: str | None
    """The ID of its scene; null if there is none."""
    error: str | None
    """Why there is none, as UIKit's UISceneError has it: the app allows one scene only
    (multipleScenesNotSupported), or no more (requestDenied).
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RequestedWindow:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=optional(text)(*member(fields, "scene", path)),
            error=optional(text)(*member(fields, "error", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "scene": self.scene,
                "error": self.error,
            }
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """How an event stands."""

    event: str
    """The event's ID: the client's, or one made by the daemon."""
    scene: str | None
    """The scene that took it; null if the app itself did, because the event is silent and no window was there for
    it.
    """
    choice: Literal["named", "preferred", "active", "recent", "oldest", "new"] | None
    """Why that scene: named by the sender; preferred, because its configuration prefers the event; of those that
    can take it the active one, the most recently active (recent) or the oldest; new, opened for the event. null
    if the app itself took it.
    """
    ticket: int | None
    """Its place in the order of that scene, or of the app, from 1 without gaps."""
    outcome: str
    """admitted, gated, or how it ended: applied, unchanged, delivered, ignored, rejected, superseded, abandoned."""
    reason: str | None
    """Why, for outcomes that have a reason."""
    precondition: str | None
    """The precondition it is parked on, when gated."""
    revision: int
    """The session's revision when the event was last resolved."""
    window: Window | None
    """The scene's window when its last attempt ended; null before that."""
    answer: JSONObject | None
    """What the coordinator that took an intent answered, by name, as facts are; at most 16 KiB; null for no
    answer.
    """
    windows: list[RequestedWindow] | None
    """The windows that the app asked for because of it, in the order asked; null for none."""
    duplicate: bool
    """Whether this event had been admitted before, so that nothing was done now."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Receipt:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            event=text(*member(fields, "event", path)),
            scene=optional(text)(*member(fields, "scene", path)),
            choice=optional(cast(Decoder[Literal["named", "preferred", "active", "recent", "oldest", "new"]], text))(*member(fields, "choice", path)),
            ticket=optional(integer)(*member(fields, "ticket", path)),
            outcome=text(*member(fields, "outcome", path)),
            reason=optional(text)(*member(fields, "reason", path)),
            precondition=optional(text)(*member(fields, "precondition", path)),
            revision=integer(*member(fields, "revision", path)),
            window=optional(Window.decode)(*member(fields, "window", path)),
            answer=optional(json_object)(*member(fields, "answer", path)),
            windows=optional(array(RequestedWindow.decode))(*member(fields, "windows", path)),
            duplicate=boolean(*member(fields, "duplicate", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "event": self.event,
                "scene": self.scene,
                "choice": self.choice,
                "ticket": self.ticket,
                "outcome": self.outcome,
                "reason": self.reason,
                "precondition": self.precondition,
                "revision": self.revision,
                "window": None if self.window is None else self.window.encode(),
                "answer": self.answer,
                "windows": None if self.windows is None else [item.encode() for item in self.windows],
                "duplicate": self.duplicate,
            }
        )


@dataclass(frozen=True, slots=True)
class Wait:
    """What an event that has not ended waits for. One that is parked waits for the precondition that its receipt
    names.
    """

    ahead: int
    """How many events and changes of its window come before it, that being handled included; 0 if it is being
    handled, or parked.
    """
    behind: str | None
    """The event being handled in its window, if that is another one of this user's; null otherwise."""
    hold: str | None
    """The hold that has caught what is being handled; null for none."""
    point: Literal["admitted", "resolved", "planned", "transition", "settled"] | None
    """The point at which it is held; null if it is not."""
    until: int | None
    """When the transition in progress ends, in milliseconds since the daemon's start or last reset; null for none."""
    now: int
    """The time now, in the same way."""
    virtual: bool
    """Whether the clock is virtual: it stands until Control.Advance."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Wait:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            ahead=integer(*member(fields, "ahead", path)),
            behind=optional(text)(*member(fields, "behind", path)),
            hold=optional(text)(*member(fields, "hold", path)),
            point=optional(cast(Decoder[Literal["admitted", "resolved", "planned", "transition", "settled"]], text))(*member(fields, "point", path)),
            until=optional(integer)(*member(fields, "until", path)),
            now=integer(*member(fields, "now", path)),
            virtual=boolean(*member(fields, "virtual", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "ahead": self.ahead,
                "behind": self.behind,
                "hold": self.hold,
                "point": self.point,
                "until": self.until,
                "now": self.now,
                "virtual": self.virtual,
            }
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a manifest."""

    severity: Literal["error", "warning"]
    """An error keeps the manifest from being used."""
    file: str | None
    """The file, if it has a name."""
    line: int | None
    """The line, from 1."""
    column: int | None
    """The column, from 1."""
    key: str
    """Where in the manifest, such as destinations[3].ancestry."""
    message: str
    """What is wrong and what is expected."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Problem:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            severity=cast(Decoder[Literal["error", "warning"]], text)(*member(fields, "severity", path)),
            file=optional(text)(*member(fields, "file", path)),
            line=optional(integer)(*member(fields, "line", path)),
            column=optional(integer)(*member(fields, "column", path)),
            key=text(*member(fields, "key", path)),
            message=text(*member(fields, "message", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "severity": self.severity,
                "file": self.file,
                "line": self.line,
                "column": self.column,
                "key": self.key,
                "message": self.message,
            }
        )


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the daemon."""

    key: str
    """Its name, as in the configuration file; dots nest."""
    value: str | None
    """Its value, as on a command line; null if it has none."""
    origin: str
    """Where the value comes from: default, a flag, an environment variable, a place in a file, or RLIMIT_NOFILE if
    the process may open too few files for what was configured.
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Setting:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            key=text(*member(fields, "key", path)),
            value=optional(text)(*member(fields, "value", path)),
            origin=text(*member(fields, "origin", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "key": self.key,
                "value": self.value,
                "origin": self.origin,
            }
        )


@dataclass(frozen=True, slots=True)
class Code:
    """An app's code in Swift, with which a daemon of its own was built."""

    name: str
    """Its name."""
    version: str
    """Its version."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Code:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            name=text(*member(fields, "name", path)),
            version=text(*member(fields, "version", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "name": self.name,
                "version": self.version,
            }
        )


@dataclass(frozen=True, slots=True)
class Memory:
    """How many bytes of memory are kept for clients, about, as the daemon counts them."""

    waiting: int
    """Events that wait for their turn or are being dispatched; the setting waitingBytes bounds these and the
    parked ones.
    """
    parked: int
    """Events that are parked."""
    receipts: int
    """Receipts of events that have ended; the setting retainedEventBytes bounds them."""
    records: int
    """Records that are retained; the setting retainedRecordBytes bounds them."""
    windows: int
    """What the windows show; each takes at most 256 KiB."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Memory:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            waiting=integer(*member(fields, "waiting", path)),
            parked=integer(*member(fields, "parked", path)),
            receipts=integer(*member(fields, "receipts", path)),
            records=integer(*member(fields, "records", path)),
            windows=integer(*member(fields, "windows", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "waiting": self.waiting,
                "parked": self.parked,
                "receipts": self.receipts,
                "records": self.records,
                "windows": self.windows,
            }
        )


@dataclass(frozen=True, slots=True)
class User:
    """What one user takes up now and was refused since the daemon started."""

    user: int | None
    """The user's ID; null for what the daemon itself sent, and for all those together who are not listed by
    themselves.
    """
    uses: dict[str, int] = field(default_factory=dict)
    """What it has, by name. Bytes: waitingBytes and parkedBytes of its events that wait or are parked (the setting
    waitingBytesPerUser bounds both together), receiptBytes of those that have ended. Calls: waiters, those that
    wait for an event, for quiet, or for a hold to catch something; timers, how many of them have one; and what
    is limited for each user: waits (Quiesce and Await), trials (Adapters.Try) and checks (Records.Check).
    """
    refused: dict[str, int] = field(default_factory=dict)
    """How often it was refused or cut off, by reason: "role act" for a call without that role, waits, trials,
    checks or holds for more than one user may have, or the kind of an incident in the metric scened_incidents.
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> User:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            user=optional(integer)(*member(fields, "user", path)),
            uses=mapping(integer)(*member(fields, "uses", path)),
            refused=mapping(integer)(*member(fields, "refused", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "user": self.user,
                "uses": self.uses,
                "refused": self.refused,
            }
        )


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of transitions, expiries and conditions on the time."""

    virtual: bool
    """Whether it is virtual: it stands until Control.Advance."""
    now: int
    """Its time, in milliseconds since the daemon's start or last reset."""
    date: str
    """Its date, in UTC: 2026-11-27T08:00:00Z."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Clock:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            virtual=boolean(*member(fields, "virtual", path)),
            now=integer(*member(fields, "now", path)),
            date=text(*member(fields, "date", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "virtual": self.virtual,
                "now": self.now,
                "date": self.date,
            }
        )


@dataclass(frozen=True, slots=True)
class Resting:
    """A window that is in the middle of something and goes on by itself only when time passes, or when a hold is
    released.
    """

    scene: str | None
    """The window; null for the app itself."""
    event: str | None
    """The event being handled; null for a sweep or a change of the window's life."""
    hold: str | None
    """The hold that has caught it; null for none."""
    point: Literal["admitted", "resolved", "planned", "transition", "settled"] | None
    """The point at which it is held; null if it is not."""
    until: int | None
    """When the transition in progress ends, in milliseconds as the clock's now; null for none."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Resting:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=optional(text)(*member(fields, "scene", path)),
            event=optional(text)(*member(fields, "event", path)),
            hold=optional(text)(*member(fields, "hold", path)),
            point=optional(cast(Decoder[Literal["admitted", "resolved", "planned", "transition", "settled"]], text))(*member(fields, "point", path)),
            until=optional(integer)(*member(fields, "until", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "scene": self.scene,
                "event": self.event,
                "hold": self.hold,
                "point": self.point,
                "until": self.until,
            }
        )


@dataclass(frozen=True, slots=True)
class Storage:
    """How the daemon keeps its state."""

    folder: str
    """The folder, as the setting state has it."""
    problem: str | None
    """Why nothing can be written at present; null if everything can. Until then what changes anything is refused
    with StorageFailed.
    """
    waiting: int
    """How many steps wait for that."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Storage:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            folder=text(*member(fields, "folder", path)),
            problem=optional(text)(*member(fields, "problem", path)),
            waiting=integer(*member(fields, "waiting", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "folder": self.folder,
                "problem": self.problem,
                "waiting": self.waiting,
            }
        )


@dataclass(frozen=True, slots=True)
class Input:
    """A call that asked for a change: an event, a change of the session, a window opened or closed, a hold made or
    released. Duplicate events and refused calls are included; their records or their error show it. A hold
    whose connection has ended is here as one that was released, with the call 0.
    """

    index: int
    """Its number among the inputs of this host, from 1."""
    monotonic: int
    """When it came, in nanoseconds on the host's clock."""
    connection: int
    """The connection it came from."""
    call: int
    """The number of the call on its connection; event.admitted names both."""
    records: int
    """How many records the host had made when it came: what followed from it has greater numbers."""
    settled: bool
    """Whether nothing went on then but what waited for a hold or for the clock."""
    quiet: bool
    """Whether nothing went on then; parked intents may have been left."""
    method: str
    """The method's full name."""
    parameters: JSONObject
    """Its parameters as sent; of a hold with the name it was given."""
    error: str | None
    """The error that it was answered with; null for none, or while it waits for its answer."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Input:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            index=integer(*member(fields, "index", path)),
            monotonic=integer(*member(fields, "monotonic", path)),
            connection=integer(*member(fields, "connection", path)),
            call=integer(*member(fields, "call", path)),
            records=integer(*member(fields, "records", path)),
            settled=boolean(*member(fields, "settled", path)),
            quiet=boolean(*member(fields, "quiet", path)),
            method=text(*member(fields, "method", path)),
            parameters=json_object(*member(fields, "parameters", path)),
            error=optional(text)(*member(fields, "error", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "index": self.index,
                "monotonic": self.monotonic,
                "connection": self.connection,
                "call": self.call,
                "records": self.records,
                "settled": self.settled,
                "quiet": self.quiet,
                "method": self.method,
                "parameters": self.parameters,
                "error": self.error,
            }
        )


@dataclass(frozen=True, slots=True)
class Violation:
    """Records that show that an invariant does not hold."""

    records: list[int]
    """Their indices, in ascending order; the first 100 of them."""
    explanation: str
    """What they show, in a sentence without a full stop; the first 1024 bytes of it."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Violation:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            records=array(integer)(*member(fields, "records", path)),
            explanation=text(*member(fields, "explanation", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "records": self.records,
                "explanation": self.explanation,
            }
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the records decide about one invariant."""

    number: int
    """The invariant's number."""
    name: str
    """Its name."""
    promise: str
    """What holds if it is not violated, in a line."""
    verdict: Literal["holds", "violated", "unknown"]
    """Whether it holds, is violated, or the records do not tell."""
    reason: str | None
    """Why the records do not tell."""
    count: int | None
    """How many violations there are; null if it is not violated."""
    violations: list[Violation] | None
    """The first 8 violations; null if it is not violated."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Verdict:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            number=integer(*member(fields, "number", path)),
            name=text(*member(fields, "name", path)),
            promise=text(*member(fields, "promise", path)),
            verdict=cast(Decoder[Literal["holds", "violated", "unknown"]], text)(*member(fields, "verdict", path)),
            reason=optional(text)(*member(fields, "reason", path)),
            count=optional(integer)(*member(fields, "count", path)),
            violations=optional(array(Violation.decode))(*member(fields, "violations", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "number": self.number,
                "name": self.name,
                "promise": self.promise,
                "verdict": self.verdict,
                "reason": self.reason,
                "count": self.count,
                "violations": None if self.violations is None else [item.encode() for item in self.violations],
            }
        )


@dataclass(frozen=True, slots=True)
class Resolution:
    """The engine's decision."""

    verdict: Literal["proceed", "gated"]
    """Whether it proceeds, or a precondition has to be satisfied first."""
    precondition: str | None
    """The first precondition that does not hold, when gated."""
    flow: str | None
    """The flow that satisfies it, when gated."""
    target: Target
    """Where it leads, at once or after the precondition is satisfied."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Resolution:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            verdict=cast(Decoder[Literal["proceed", "gated"]], text)(*member(fields, "verdict", path)),
            precondition=optional(text)(*member(fields, "precondition", path)),
            flow=optional(text)(*member(fields, "flow", path)),
            target=Target.decode(*member(fields, "target", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "verdict": self.verdict,
                "precondition": self.precondition,
                "flow": self.flow,
                "target": self.target.encode(),
            }
        )


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the way to a decision."""

    kind: Literal["url", "association", "route", "parameter", "precondition", "condition", "variant"]
    """What was checked."""
    subject: str
    """Its name or text: a pattern, a rule as written, a parameter."""
    passed: bool
    """Whether it matches, is allowed, or holds."""
    reason: str
    """Why."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Step:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            kind=cast(Decoder[Literal["url", "association", "route", "parameter", "precondition", "condition", "variant"]], text)(*member(fields, "kind", path)),
            subject=text(*member(fields, "subject", path)),
            passed=boolean(*member(fields, "passed", path)),
            reason=text(*member(fields, "reason", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "kind": self.kind,
                "subject": self.subject,
                "passed": self.passed,
                "reason": self.reason,
            }
        )


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the app."""

    pattern: str
    """The pattern as in the manifest."""
    destination: str
    """The destination it leads to, or in braces the captured value that names it."""
    captures: dict[str, str]
    """What each captured value must be, by name."""
    markets: list[str]
    """The markets in which it exists; empty for all."""
    locales: list[str]
    """The locales in which it exists; empty for all."""
    printed: bool
    """Whether URLs of the destination are printed from it."""
    needs: list[str]
    """The preconditions and conditions of the destination and its ancestry, in the order checked."""
    variants: list[str]
    """The destinations to which who is led there may be led instead, in the order checked."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Route:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            pattern=text(*member(fields, "pattern", path)),
            destination=text(*member(fields, "destination", path)),
            captures=mapping(text)(*member(fields, "captures", path)),
            markets=array(text)(*member(fields, "markets", path)),
            locales=array(text)(*member(fields, "locales", path)),
            printed=boolean(*member(fields, "printed", path)),
            needs=array(text)(*member(fields, "needs", path)),
            variants=array(text)(*member(fields, "variants", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "pattern": self.pattern,
                "destination": self.destination,
                "captures": self.captures,
                "markets": self.markets,
                "locales": self.locales,
                "printed": self.printed,
                "needs": self.needs,
                "variants": self.variants,
            }
        )


@dataclass(frozen=True, slots=True)
class Owner:
    """Who was signed in when a window was last judged."""

    host: str
    """The host's ID."""
    user: str | None
    """The user; null for nobody."""
    epoch: int
    """The session's epoch."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Owner:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            host=text(*member(fields, "host", path)),
            user=optional(text)(*member(fields, "user", path)),
            epoch=integer(*member(fields, "epoch", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "host": self.host,
                "user": self.user,
                "epoch": self.epoch,
            }
        )


@dataclass(frozen=True, slots=True)
class Parked:
    """An event that waits for a precondition."""

    event: str
    """The event's ID."""
    precondition: str
    """The precondition that it waits for."""
    parameters: dict[str, str] | None
    """The values of the parameters that the precondition looks at, by name; absent if it looks at none."""
    destination: Destination
    """Its destination."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Parked:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            event=text(*member(fields, "event", path)),
            precondition=text(*member(fields, "precondition", path)),
            parameters=optional(mapping(text))(*member(fields, "parameters", path)),
            destination=Destination.decode(*member(fields, "destination", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "event": self.event,
                "precondition": self.precondition,
                "parameters": self.parameters,
                "destination": self.destination.encode(),
            }
        )


@dataclass(frozen=True, slots=True)
class Coordinator:
    """A flow's coordinator."""

    flow: str
    """The flow, or the tab."""
    parent: str
    """The flow from which it was started, or "root"."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Coordinator:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            flow=text(*member(fields, "flow", path)),
            parent=text(*member(fields, "parent", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "flow": self.flow,
                "parent": self.parent,
            }
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """One window's session."""

    id: str
    """The scene's ID; it survives disconnection."""
    configuration: str
    """The scene configuration with which it was opened."""
    activation: Activation
    """Its activation state."""
    connected: bool
    """Whether it is connected; a disconnected scene can be reconnected."""
    locked: bool | None
    """Whether the window is locked, or will be when it comes back: what is asked of it waits for the flow of the
    app's lock.
    """
    admitted: int
    """How many events have been given a ticket."""
    settled: int
    """How many of them have ended their first attempt."""
    window: Window | None
    """What it shows; null while disconnected."""
    owner: Owner | None
    """Whose the window is; null while disconnected."""
    coordinators: list[str]
    """The flows that have a coordinator, in the order attached."""
    coordinator_tree: list[Coordinator] | None
    """The coordinators with their parents."""
    coordinators_attached: int | None
    """How many coordinators were attached since the scene was opened."""
    coordinators_detached: int | None
    """How many of them were detached again."""
    leaks: int | None
    """How many coordinators and screens outlived their purpose; each is recorded as a violation."""
    parked: list[Parked]
    """The events that wait for a precondition, in the order parked; the first 256 KiB of them."""
    parked_count: int | None
    """How many events wait for a precondition, including those that parked leaves out."""
    revision: int
    """The session's revision by which the window was last judged."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Scene:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            id=text(*member(fields, "id", path)),
            configuration=text(*member(fields, "configuration", path)),
            activation=cast(Decoder[Activation], text)(*member(fields, "activation", path)),
            connected=boolean(*member(fields, "connected", path)),
            locked=optional(boolean)(*member(fields, "locked", path)),
            admitted=integer(*member(fields, "admitted", path)),
            settled=integer(*member(fields, "settled", path)),
            window=optional(Window.decode)(*member(fields, "window", path)),
            owner=optional(Owner.decode)(*member(fields, "owner", path)),
            coordinators=array(text)(*member(fields, "coordinators", path)),
            coordinator_tree=optional(array(Coordinator.decode))(*member(fields, "coordinatorTree", path)),
            coordinators_attached=optional(integer)(*member(fields, "coordinatorsAttached", path)),
            coordinators_detached=optional(integer)(*member(fields, "coordinatorsDetached", path)),
            leaks=optional(integer)(*member(fields, "leaks", path)),
            parked=array(Parked.decode)(*member(fields, "parked", path)),
            parked_count=optional(integer)(*member(fields, "parkedCount", path)),
            revision=integer(*member(fields, "revision", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "id": self.id,
                "configuration": self.configuration,
                "activation": self.activation,
                "connected": self.connected,
                "locked": self.locked,
                "admitted": self.admitted,
                "settled": self.settled,
                "window": None if self.window is None else self.window.encode(),
                "owner": None if self.owner is None else self.owner.encode(),
                "coordinators": self.coordinators,
                "coordinatorTree": None if self.coordinator_tree is None else [item.encode() for item in self.coordinator_tree],
                "coordinatorsAttached": self.coordinators_attached,
                "coordinatorsDetached": self.coordinators_detached,
                "leaks": self.leaks,
                "parked": [item.encode() for item in self.parked],
                "parkedCount": self.parked_count,
                "revision": self.revision,
            }
        )


@dataclass(frozen=True, slots=True)
class Session:
    """The session at one revision."""

    revision: int
    """The number of commits so far."""
    epoch: int
    """How many times a user has left."""
    user: str | None
    """Who is signed in; null for nobody."""
    stale: bool
    """Whether the sign-in is stale, so that gates that need a fresh one are closed."""
    facts: JSONObject
    """The facts that have a value, by name. One takes at most 64 KiB, a list has at most 1000 elements, and all
    together take at most 256 KiB; every text counts with its bytes in JSON and 16 more.
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> Session:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            revision=integer(*member(fields, "revision", path)),
            epoch=integer(*member(fields, "epoch", path)),
            user=optional(text)(*member(fields, "user", path)),
            stale=boolean(*member(fields, "stale", path)),
            facts=json_object(*member(fields, "facts", path)),
        )

    def encode(self) -> JSONObject:
        """It as JSON, without what is None."""
        return present(
            {
                "revision": self.revision,
                "epoch": self.epoch,
                "user": self.user,
                "stale": self.stale,
                "facts": self.facts,
            }
        )


@dataclass(frozen=True, slots=True)
class AdaptersRegisterReply:
    """The reply to Adapters.Register."""

    registration: str
    """The registration, for Answer."""
    request: int | None
    """The number of this request, negative for a trial; null in the first reply and in the last, when the daemon
    stops.
    """
    kind: str | None
    """The kind of the event."""
    event: JSONObject | None
    """The event: the parameters of the call in io.scened.Events that injects it."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> AdaptersRegisterReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            registration=text(*member(fields, "registration", path)),
            request=optional(integer)(*member(fields, "request", path)),
            kind=optional(text)(*member(fields, "kind", path)),
            event=optional(json_object)(*member(fields, "event", path)),
        )


@dataclass(frozen=True, slots=True)
class AdaptersListReply:
    """The reply to Adapters.List."""

    adapters: list[Adapter]
    """The adapters."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> AdaptersListReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            adapters=array(Adapter.decode)(*member(fields, "adapters", path)),
        )


@dataclass(frozen=True, slots=True)
class AdaptersTryReply:
    """The reply to Adapters.Try."""

    trial: Trial
    """How the event would be handled."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> AdaptersTryReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            trial=Trial.decode(*member(fields, "trial", path)),
        )


@dataclass(frozen=True, slots=True)
class ControlHoldReply:
    """The reply to Control.Hold."""

    hold: str
    """The hold, for Await and Release."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ControlHoldReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            hold=text(*member(fields, "hold", path)),
        )


@dataclass(frozen=True, slots=True)
class ControlAwaitReply:
    """The reply to Control.Await."""

    scene: str | None
    """The window in which it was caught; null if the app itself gets the event."""
    ticket: int | None
    """The event's ticket; null for a sweep."""
    event: str | None
    """The event; null for a sweep."""
    point: str
    """The point at which it stands."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ControlAwaitReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=optional(text)(*member(fields, "scene", path)),
            ticket=optional(integer)(*member(fields, "ticket", path)),
            event=optional(text)(*member(fields, "event", path)),
            point=text(*member(fields, "point", path)),
        )


@dataclass(frozen=True, slots=True)
class ControlAdvanceReply:
    """The reply to Control.Advance."""

    now: int
    """The clock's time afterwards, in milliseconds since the start."""
    date: str
    """Its date, in UTC: 2026-11-27T08:00:00Z."""
    next: int | None
    """When the next thing happens that waits for time, such as the end of a transition: on the same clock, rounded
    up, later than now. Null if nothing waits for time.
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ControlAdvanceReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            now=integer(*member(fields, "now", path)),
            date=text(*member(fields, "date", path)),
            next=optional(integer)(*member(fields, "next", path)),
        )


@dataclass(frozen=True, slots=True)
class ControlResetReply:
    """The reply to Control.Reset."""

    host: str
    """The new host's ID."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ControlResetReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            host=text(*member(fields, "host", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsOpenURLReply:
    """The reply to Events.OpenURL."""

    receipt: Receipt
    """How the event stands, or how it ended."""
    warnings: list[str] | None
    """What was accepted but is probably a mistake, each as 'path: what'; null for nothing."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsOpenURLReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
            warnings=optional(array(text))(*member(fields, "warnings", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsOpenURLsReply:
    """The reply to Events.OpenURLs."""

    receipts: list[Receipt]
    """How each event stands, or how it ended, in the order of the parameter urls. Their tickets say in which order
    they came.
    """
    warnings: list[str] | None
    """What was accepted but is probably a mistake, each as 'path: what'; null for nothing."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsOpenURLsReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipts=array(Receipt.decode)(*member(fields, "receipts", path)),
            warnings=optional(array(text))(*member(fields, "warnings", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsContinueActivityReply:
    """The reply to Events.ContinueActivity."""

    receipt: Receipt
    """How the event stands, or how it ended."""
    warnings: list[str] | None
    """What was accepted but is probably a mistake, each as 'path: what'; null for nothing."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsContinueActivityReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
            warnings=optional(array(text))(*member(fields, "warnings", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsPushReply:
    """The reply to Events.Push."""

    receipt: Receipt
    """How the event stands, or how it ended."""
    warnings: list[str] | None
    """What was accepted but is probably a mistake, each as 'path: what'; null for nothing."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsPushReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
            warnings=optional(array(text))(*member(fields, "warnings", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsTapWidgetReply:
    """The reply to Events.TapWidget."""

    receipt: Receipt
    """How the event stands, or how it ended."""
    warnings: list[str] | None
    """What was accepted but is probably a mistake, each as 'path: what'; null for nothing."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsTapWidgetReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
            warnings=optional(array(text))(*member(fields, "warnings", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsPerformShortcutReply:
    """The reply to Events.PerformShortcut."""

    receipt: Receipt
    """How the event stands, or how it ended."""
    warnings: list[str] | None
    """What was accepted but is probably a mistake, each as 'path: what'; null for nothing."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsPerformShortcutReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
            warnings=optional(array(text))(*member(fields, "warnings", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsSendIntentReply:
    """The reply to Events.SendIntent."""

    receipt: Receipt
    """How the event stands, or how it ended."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsSendIntentReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsGestureReply:
    """The reply to Events.Gesture."""

    receipt: Receipt
    """How the event stands, or how it ended."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsGestureReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsFinishFlowReply:
    """The reply to Events.FinishFlow."""

    receipt: Receipt
    """How the event stands, or how it ended."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsFinishFlowReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
        )


@dataclass(frozen=True, slots=True)
class EventsGetReply:
    """The reply to Events.Get."""

    receipt: Receipt
    """How the event stands now."""
    waits: Wait | None
    """What it waits for; null if it has ended, and from older daemons."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> EventsGetReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            receipt=Receipt.decode(*member(fields, "receipt", path)),
            waits=optional(Wait.decode)(*member(fields, "waits", path)),
        )


@dataclass(frozen=True, slots=True)
class ManagerGetStatusReply:
    """The reply to Manager.GetStatus."""

    version: str
    """The daemon's version."""
    host: str
    """The host's ID, which is in every record."""
    seed: int | None
    """The seed of what is random in the host, as io.scened.Control.Reset takes it; null from older daemons."""
    app: str
    """The app's name."""
    manifest_version: str
    """The manifest's version."""
    manifest: str | None
    """The manifest's digest, by which records name it; null from older daemons."""
    manifest_file: str | None
    """The manifest's file; null for one that is built in."""
    code: Code | None
    """Whose code in Swift runs; null if the manifest alone says what the app is, and from older daemons."""
    uptime_milliseconds: int
    """How long it has been running, in milliseconds."""
    scenes: int
    """How many scenes there are."""
    connections: int
    """How many clients are connected."""
    records: int
    """The index of the newest record."""
    revision: int
    """The session's revision."""
    settings: list[Setting] | None
    """All settings in force; null from older daemons."""
    pending: int | None
    """How many admitted events have not ended their first attempt, in all scenes."""
    parked: int | None
    """How many intents wait for a precondition, in all scenes."""
    coordinators: int | None
    """How many coordinators are attached, in all scenes."""
    memory: Memory | None
    """What is kept for clients; null from older daemons."""
    process_id: int | None
    """The daemon's process ID. The peer of its socket can be another process: systemd may have made the socket."""
    resident_bytes: int | None
    """The daemon's resident memory, in bytes; this and the following are null if they cannot be read."""
    open_descriptors: int | None
    """How many file descriptors it has open."""
    threads: int | None
    """How many threads it has."""
    processor_milliseconds: int | None
    """The processor time that it has used, in milliseconds."""
    clock: Clock | None
    """The clock; null from older daemons."""
    storage: Storage | None
    """How the daemon keeps its state; null if it does not, and from older daemons."""
    resting: list[Resting] | None
    """The windows that are held or in a transition, in the order opened; null from older daemons."""
    roles: list[str] | None
    """The caller's own roles: observe, inject, act, mutate, control, manage; null from older daemons."""
    methods: list[str] | None
    """The full names of the methods that the caller may call, by these roles; null from older daemons."""
    users: list[User] | None
    """What users take up and were refused, by their IDs: the 31 who take most, and 256 who were refused something;
    null from older daemons.
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ManagerGetStatusReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            version=text(*member(fields, "version", path)),
            host=text(*member(fields, "host", path)),
            seed=optional(integer)(*member(fields, "seed", path)),
            app=text(*member(fields, "app", path)),
            manifest_version=text(*member(fields, "manifestVersion", path)),
            manifest=optional(text)(*member(fields, "manifest", path)),
            manifest_file=optional(text)(*member(fields, "manifestFile", path)),
            code=optional(Code.decode)(*member(fields, "code", path)),
            uptime_milliseconds=integer(*member(fields, "uptimeMilliseconds", path)),
            scenes=integer(*member(fields, "scenes", path)),
            connections=integer(*member(fields, "connections", path)),
            records=integer(*member(fields, "records", path)),
            revision=integer(*member(fields, "revision", path)),
            settings=optional(array(Setting.decode))(*member(fields, "settings", path)),
            pending=optional(integer)(*member(fields, "pending", path)),
            parked=optional(integer)(*member(fields, "parked", path)),
            coordinators=optional(integer)(*member(fields, "coordinators", path)),
            memory=optional(Memory.decode)(*member(fields, "memory", path)),
            process_id=optional(integer)(*member(fields, "processID", path)),
            resident_bytes=optional(integer)(*member(fields, "residentBytes", path)),
            open_descriptors=optional(integer)(*member(fields, "openDescriptors", path)),
            threads=optional(integer)(*member(fields, "threads", path)),
            processor_milliseconds=optional(integer)(*member(fields, "processorMilliseconds", path)),
            clock=optional(Clock.decode)(*member(fields, "clock", path)),
            storage=optional(Storage.decode)(*member(fields, "storage", path)),
            resting=optional(array(Resting.decode))(*member(fields, "resting", path)),
            roles=optional(array(text))(*member(fields, "roles", path)),
            methods=optional(array(text))(*member(fields, "methods", path)),
            users=optional(array(User.decode))(*member(fields, "users", path)),
        )


@dataclass(frozen=True, slots=True)
class ManagerGetManifestReply:
    """The reply to Manager.GetManifest."""

    digest: str
    """The digest."""
    text: str
    """The text, or a part of it."""
    next: int
    """What to pass as after for the part that follows; unchanged if there is no more."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ManagerGetManifestReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            digest=text(*member(fields, "digest", path)),
            text=text(*member(fields, "text", path)),
            next=integer(*member(fields, "next", path)),
        )


@dataclass(frozen=True, slots=True)
class ManagerGetMetricsReply:
    """The reply to Manager.GetMetrics."""

    open_metrics: str
    """The metrics."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ManagerGetMetricsReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            open_metrics=text(*member(fields, "openMetrics", path)),
        )


@dataclass(frozen=True, slots=True)
class ManagerReloadReply:
    """The reply to Manager.Reload."""

    manifest_version: str
    """The version now in force."""
    manifest: str
    """The digest of the manifest now in force, as GetStatus has it."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ManagerReloadReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            manifest_version=text(*member(fields, "manifestVersion", path)),
            manifest=text(*member(fields, "manifest", path)),
        )


@dataclass(frozen=True, slots=True)
class RecordingReadReply:
    """The reply to Recording.Read."""

    inputs: list[Input]
    """The inputs."""
    next: int
    """What to pass as after for those that follow; unchanged if there are no more."""
    missing: int
    """How many inputs after that index are no longer retained."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RecordingReadReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            inputs=array(Input.decode)(*member(fields, "inputs", path)),
            next=integer(*member(fields, "next", path)),
            missing=integer(*member(fields, "missing", path)),
        )


@dataclass(frozen=True, slots=True)
class RecordsReadReply:
    """The reply to Records.Read."""

    records: list[JSONObject]
    """The records; see record.schema.json. The first is a gap if records are no longer retained."""
    next: int
    """What to pass as after for those that follow."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RecordsReadReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            records=array(json_object)(*member(fields, "records", path)),
            next=integer(*member(fields, "next", path)),
        )


@dataclass(frozen=True, slots=True)
class RecordsCheckReply:
    """The reply to Records.Check."""

    host: str
    """The host's ID."""
    records: int
    """How many records were judged."""
    conclusion: Literal["holds", "violated", "unknown"]
    """violated if an invariant is, else unknown if one is, else holds."""
    verdicts: list[Verdict]
    """A verdict for each invariant, in their order."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RecordsCheckReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            host=text(*member(fields, "host", path)),
            records=integer(*member(fields, "records", path)),
            conclusion=cast(Decoder[Literal["holds", "violated", "unknown"]], text)(*member(fields, "conclusion", path)),
            verdicts=array(Verdict.decode)(*member(fields, "verdicts", path)),
        )


@dataclass(frozen=True, slots=True)
class RoutingResolveReply:
    """The reply to Routing.Resolve."""

    resolution: Resolution
    """The decision."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RoutingResolveReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            resolution=Resolution.decode(*member(fields, "resolution", path)),
        )


@dataclass(frozen=True, slots=True)
class RoutingExplainReply:
    """The reply to Routing.Explain."""

    steps: list[Step]
    """The steps in order."""
    omitted_routes: int
    """How many routes of other schemes, domains or paths are left out of the steps."""
    association: Literal["match", "exclude", "noMatch"]
    """The decision of the associated domains about the URL."""
    route: str | None
    """The route that matched the URL."""
    resolution: Resolution | None
    """The decision, if there is one."""
    error: str | None
    """Why there is none."""
    opened: str
    """What becomes of the URL if it is opened now (io.scened.Events.OpenURL), as a clause such as 'is refused as
    NotAssociated: …': the adapters of this daemon are asked, and the association and the fallback count.
    Adapters of other processes are not asked.
    """

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RoutingExplainReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            steps=array(Step.decode)(*member(fields, "steps", path)),
            omitted_routes=integer(*member(fields, "omittedRoutes", path)),
            association=cast(Decoder[Literal["match", "exclude", "noMatch"]], text)(*member(fields, "association", path)),
            route=optional(text)(*member(fields, "route", path)),
            resolution=optional(Resolution.decode)(*member(fields, "resolution", path)),
            error=optional(text)(*member(fields, "error", path)),
            opened=text(*member(fields, "opened", path)),
        )


@dataclass(frozen=True, slots=True)
class RoutingRoutesReply:
    """The reply to Routing.Routes."""

    routes: list[Route]
    """The routes."""
    next: int
    """What to pass as after for those that follow; unchanged if there are no more."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RoutingRoutesReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            routes=array(Route.decode)(*member(fields, "routes", path)),
            next=integer(*member(fields, "next", path)),
        )


@dataclass(frozen=True, slots=True)
class RoutingPrintReply:
    """The reply to Routing.Print."""

    urls: list[str]
    """Its URLs, the canonical ones first."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RoutingPrintReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            urls=array(text)(*member(fields, "urls", path)),
        )


@dataclass(frozen=True, slots=True)
class RoutingMatchAssociationReply:
    """The reply to Routing.MatchAssociation."""

    decision: Literal["match", "exclude", "noMatch"]
    """The decision of the association file of its domain."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> RoutingMatchAssociationReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            decision=cast(Decoder[Literal["match", "exclude", "noMatch"]], text)(*member(fields, "decision", path)),
        )


@dataclass(frozen=True, slots=True)
class ScenesConnectReply:
    """The reply to Scenes.Connect."""

    scene: Scene
    """The scene as it is now."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ScenesConnectReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=Scene.decode(*member(fields, "scene", path)),
        )


@dataclass(frozen=True, slots=True)
class ScenesSetActivationReply:
    """The reply to Scenes.SetActivation."""

    scene: Scene
    """The scene as it is now."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ScenesSetActivationReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=Scene.decode(*member(fields, "scene", path)),
        )


@dataclass(frozen=True, slots=True)
class ScenesDisconnectReply:
    """The reply to Scenes.Disconnect."""

    scene: Scene
    """The scene as it is now."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ScenesDisconnectReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=Scene.decode(*member(fields, "scene", path)),
        )


@dataclass(frozen=True, slots=True)
class ScenesDiscardReply:
    """The reply to Scenes.Discard."""

    scene: Scene
    """The scene's last state."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ScenesDiscardReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=Scene.decode(*member(fields, "scene", path)),
        )


@dataclass(frozen=True, slots=True)
class ScenesGetReply:
    """The reply to Scenes.Get."""

    scene: Scene
    """The scene."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ScenesGetReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scene=Scene.decode(*member(fields, "scene", path)),
        )


@dataclass(frozen=True, slots=True)
class ScenesListReply:
    """The reply to Scenes.List."""

    scenes: list[Scene]
    """The scenes."""
    discarded: list[str] | None
    """With more: the scenes that were discarded since the last reply; null for none."""
    next: int
    """What to pass as after for those that follow; unchanged if there are no more."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> ScenesListReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            scenes=array(Scene.decode)(*member(fields, "scenes", path)),
            discarded=optional(array(text))(*member(fields, "discarded", path)),
            next=integer(*member(fields, "next", path)),
        )


@dataclass(frozen=True, slots=True)
class SessionGetReply:
    """The reply to Session.Get."""

    session: Session
    """The session."""
    gap: int | None
    """How many commits before this one were left out; null for none."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> SessionGetReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            session=Session.decode(*member(fields, "session", path)),
            gap=optional(integer)(*member(fields, "gap", path)),
        )


@dataclass(frozen=True, slots=True)
class SessionSignInReply:
    """The reply to Session.SignIn."""

    session: Session
    """The session after the commit."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> SessionSignInReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            session=Session.decode(*member(fields, "session", path)),
        )


@dataclass(frozen=True, slots=True)
class SessionSignOutReply:
    """The reply to Session.SignOut."""

    session: Session
    """The session after the commit."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> SessionSignOutReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            session=Session.decode(*member(fields, "session", path)),
        )


@dataclass(frozen=True, slots=True)
class SessionMarkStaleReply:
    """The reply to Session.MarkStale."""

    session: Session
    """The session after the commit."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> SessionMarkStaleReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            session=Session.decode(*member(fields, "session", path)),
        )


@dataclass(frozen=True, slots=True)
class SessionCommitReply:
    """The reply to Session.Commit."""

    session: Session
    """The session after the commit."""

    @classmethod
    def decode(cls, value: JSON, path: str = "") -> SessionCommitReply:
        """Reads it from JSON; raises `ProtocolError` with the place of what is not as declared."""
        fields = members(value, path)
        return cls(
            session=Session.decode(*member(fields, "session", path)),
        )


__all__ = [
    "Activation",
    "Adapter",
    "AdaptersListReply",
    "AdaptersRegisterReply",
    "AdaptersTryReply",
    "Clock",
    "Code",
    "ControlAdvanceReply",
    "ControlAwaitReply",
    "ControlHoldReply",
    "ControlResetReply",
    "Coordinator",
    "Destination",
    "EventsContinueActivityReply",
    "EventsFinishFlowReply",
    "EventsGestureReply",
    "EventsGetReply",
    "EventsOpenURLReply",
    "EventsOpenURLsReply",
    "EventsPerformShortcutReply",
    "EventsPushReply",
    "EventsSendIntentReply",
    "EventsTapWidgetReply",
    "Input",
    "ManagerGetManifestReply",
    "ManagerGetMetricsReply",
    "ManagerGetStatusReply",
    "ManagerReloadReply",
    "Memory",
    "Modal",
    "Owner",
    "Parked",
    "Passed",
    "Problem",
    "Receipt",
    "RecordingReadReply",
    "RecordsCheckReply",
    "RecordsReadReply",
    "Request",
    "RequestedWindow",
    "Resolution",
    "Resting",
    "Route",
    "RoutingExplainReply",
    "RoutingMatchAssociationReply",
    "RoutingPrintReply",
    "RoutingResolveReply",
    "RoutingRoutesReply",
    "Scene",
    "ScenesConnectReply",
    "ScenesDiscardReply",
    "ScenesDisconnectReply",
    "ScenesGetReply",
    "ScenesListReply",
    "ScenesSetActivationReply",
    "Session",
    "SessionCommitReply",
    "SessionGetReply",
    "SessionMarkStaleReply",
    "SessionSignInReply",
    "SessionSignOutReply",
    "Setting",
    "Step",
    "Storage",
    "Tab",
    "Target",
    "Trial",
    "User",
    "Verdict",
    "Violation",
    "Wait",
    "Window",
]
