"""The errors of the socket API, by the names that the interface files give them.

Written by generate.py from protocol/*.varlink; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from .._codec import Decoder, JSONObject, array, integer, json_object, member, optional, text
from .._errors import DaemonError
from .types import Problem


class CutOff(DaemonError):
    """The daemon stops, and this client has not read the rest of the history in time."""

    next: int
    """The index after which records are missing."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The daemon stops, and this client has not read the rest of the history in time.')
        self.next = integer(*member(parameters, "next"))


class Draining(DaemonError):
    """The daemon is stopping."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The daemon is stopping.')


class EventMismatch(DaemonError):
    """Another event has this ID."""

    event: str
    """The ID."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'Another event has this ID.')
        self.event = text(*member(parameters, "event"))


class ExpectedMore(DaemonError):
    """The method streams, and was called without `more`."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The method streams, and was called without `more`.')


class HoldExists(DaemonError):
    """There is a hold of this name."""

    hold: str
    """The hold."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is a hold of this name.')
        self.hold = text(*member(parameters, "hold"))


class IllegalActivation(DaemonError):
    """The automaton does not allow this step."""

    scene: str
    """The scene's ID."""
    from_: str
    """Its present state: an activation, or disconnected."""
    to: str
    """The state asked for."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The automaton does not allow this step.')
        self.scene = text(*member(parameters, "scene"))
        self.from_ = text(*member(parameters, "from"))
        self.to = text(*member(parameters, "to"))


class InterfaceNotFound(DaemonError):
    """There is no such interface."""

    interface: str
    """Its name."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such interface.')
        self.interface = text(*member(parameters, "interface"))


class InvalidAnswer(DaemonError):
    """The answer is invalid, or longer than 32 KiB; the adapter is skipped."""

    reason: str
    """What is wrong and what is expected."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The answer is invalid, or longer than 32 KiB; the adapter is skipped.')
        self.reason = text(*member(parameters, "reason"))


class InvalidFact(DaemonError):
    """A fact is not declared by the app, the value is not of its type, or it is too large."""

    fact: str
    """The fact's name."""
    reason: str
    """What is wrong and what is expected."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'A fact is not declared by the app, the value is not of its type, or it is too large.')
        self.fact = text(*member(parameters, "fact"))
        self.reason = text(*member(parameters, "reason"))


class InvalidManifest(DaemonError):
    """The manifest cannot be used; the old one stays in force."""

    problems: list[Problem]
    """Everything wrong with it."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The manifest cannot be used; the old one stays in force.')
        self.problems = array(Problem.decode)(*member(parameters, "problems"))


class InvalidParameter(DaemonError):
    """A parameter is missing, unknown, or not of its type or range."""

    parameter: str
    """Its name."""
    reason: str | None
    """What is wrong and what is expected."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'A parameter is missing, unknown, or not of its type or range.')
        self.parameter = text(*member(parameters, "parameter"))
        self.reason = optional(text)(*member(parameters, "reason"))


class Malformed(DaemonError):
    """The event is not in Apple's format."""

    reason: str
    """What is wrong, where, and what is expected."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, "The event is not in Apple's format.")
        self.reason = text(*member(parameters, "reason"))


class MemberRefused(DaemonError):
    """A URL of a set is refused by itself, and so is the whole set: nothing was admitted."""

    place: int
    """The place of the URL in the parameter urls, from 1."""
    url: str
    """The URL, at most 128 bytes of it."""
    error: str
    """The error that OpenURL has for it, such as UnknownRoute."""
    parameters: JSONObject
    """The parameters of that error."""
    reason: str
    """What is wrong, in a sentence without a full stop."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'A URL of a set is refused by itself, and so is the whole set: nothing was admitted.')
        self.place = integer(*member(parameters, "place"))
        self.url = text(*member(parameters, "url"))
        self.error = text(*member(parameters, "error"))
        self.parameters = json_object(*member(parameters, "parameters"))
        self.reason = text(*member(parameters, "reason"))


class MethodNotFound(DaemonError):
    """There is no such method."""

    method: str
    """Its full name."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such method.')
        self.method = text(*member(parameters, "method"))


class MethodNotImplemented(DaemonError):
    """The daemon does not have this method."""

    method: str
    """Its full name."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The daemon does not have this method.')
        self.method = text(*member(parameters, "method"))


class NameTaken(DaemonError):
    """Another adapter has this name."""

    name: str
    """The name."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'Another adapter has this name.')
        self.name = text(*member(parameters, "name"))


class NoAdapter(DaemonError):
    """No adapter of the app turns the event into a request."""

    kind: str
    """The kind of event."""
    reason: str
    """Why the adapters passed."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'No adapter of the app turns the event into a request.')
        self.kind = text(*member(parameters, "kind"))
        self.reason = text(*member(parameters, "reason"))


class NoEligibleScene(DaemonError):
    """No scene can take the event, and no more may be opened."""

    content_identifier: str | None
    """The content identifier by which a scene was sought, at most 128 bytes of it."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'No scene can take the event, and no more may be opened.')
        self.content_identifier = optional(text)(*member(parameters, "contentIdentifier"))


class NotAssociated(DaemonError):
    """No associated domain of the app matches the link."""

    url: str
    """The link, at most 128 bytes of it."""
    component: str
    """The component of the association file that excludes it; empty when none matches."""
    suggestion: str | None
    """The pattern of the route that was probably meant."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'No associated domain of the app matches the link.')
        self.url = text(*member(parameters, "url"))
        self.component = text(*member(parameters, "component"))
        self.suggestion = optional(text)(*member(parameters, "suggestion"))


class PermissionDenied(DaemonError):
    """The caller lacks a role."""

    role: str | None
    """The role."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The caller lacks a role.')
        self.role = optional(text)(*member(parameters, "role"))


class QueueFull(DaemonError):
    """As many of the user's events wait in the scene, or are parked there, as may. Nothing was dropped; try again
    later.
    """

    scene: str | None
    """The scene; null for the app itself."""
    limit: int
    """How many events of one user may wait."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, "As many of the user's events wait in the scene, or are parked there, as may.")
        self.scene = optional(text)(*member(parameters, "scene"))
        self.limit = integer(*member(parameters, "limit"))


class RealClock(DaemonError):
    """The daemon uses the real clock, which cannot be advanced or set."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The daemon uses the real clock, which cannot be advanced or set.')


class RevisionConflict(DaemonError):
    """The session does not have the revision expected; nothing was changed."""

    expected: int
    """The revision the caller expected."""
    actual: int
    """The present revision."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The session does not have the revision expected; nothing was changed.')
        self.expected = integer(*member(parameters, "expected"))
        self.actual = integer(*member(parameters, "actual"))


class SceneExists(DaemonError):
    """A scene with this ID is open, or was discarded and something in it has not ended."""

    scene: str
    """The scene's ID."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'A scene with this ID is open, or was discarded and something in it has not ended.')
        self.scene = text(*member(parameters, "scene"))


class StorageFailed(DaemonError):
    """Nothing can be kept at present, such as on a full disk, so nothing that changes anything is taken; what
    reads works. This was not done, or it was and may be lost if the daemon ends before it can write again. Ask
    again later, an event with the same ID.
    """

    reason: str
    """What is wrong, and where."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'Nothing can be kept at present, such as on a full disk, so nothing that changes anything is taken; what reads works.')
        self.reason = text(*member(parameters, "reason"))


class TimePassed(DaemonError):
    """The virtual clock is past the time or the date to which it was to be advanced; it cannot go back, and has
    not moved.
    """

    now: int
    """Its time, in milliseconds since the start."""
    date: str
    """Its date, in UTC."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The virtual clock is past the time or the date to which it was to be advanced; it cannot go back, and has not moved.')
        self.now = integer(*member(parameters, "now"))
        self.date = text(*member(parameters, "date"))


class TimedOut(DaemonError):
    """The wait timed out."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The wait timed out.')


class TooManyAdapters(DaemonError):
    """The greatest number of adapters is registered."""

    limit: int
    """That number."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The greatest number of adapters is registered.')
        self.limit = integer(*member(parameters, "limit"))


class TooManyChecks(DaemonError):
    """This user has as many checks under way as one may have. Wait for one of them to end."""

    limit: int
    """That number."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'This user has as many checks under way as one may have.')
        self.limit = integer(*member(parameters, "limit"))


class TooManyHolds(DaemonError):
    """This user has as many holds as one may have."""

    limit: int
    """That number."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'This user has as many holds as one may have.')
        self.limit = integer(*member(parameters, "limit"))


class TooManyScenes(DaemonError):
    """The app allows no more scenes."""

    limit: int
    """How many it allows."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The app allows no more scenes.')
        self.limit = integer(*member(parameters, "limit"))


class TooManyTrials(DaemonError):
    """This user has as many trials under way as one may have. Wait for one of them to end."""

    limit: int
    """That number."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'This user has as many trials under way as one may have.')
        self.limit = integer(*member(parameters, "limit"))


class TooManyWaits(DaemonError):
    """This user waits in as many calls (Quiesce and Await) as it may have connections. Wait for one of them to
    end.
    """

    limit: int
    """That number."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'This user waits in as many calls (Quiesce and Await) as it may have connections.')
        self.limit = integer(*member(parameters, "limit"))


class TooMuchWaiting(DaemonError):
    """The events that wait or are parked take up as much memory as they may, of all users together or of this one.
    What happens inside a window (intents, gestures, flow results) is measured only against what waits, so that
    it can always open a gate.
    """

    size: int
    """How many bytes the event takes."""
    waiting: int
    """How many bytes the events that wait take."""
    limit: int
    """How many bytes they may take."""
    scope: Literal["user", "all"]
    """Whether that is the limit for this user or for all."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The events that wait or are parked take up as much memory as they may, of all users together or of this one.')
        self.size = integer(*member(parameters, "size"))
        self.waiting = integer(*member(parameters, "waiting"))
        self.limit = integer(*member(parameters, "limit"))
        self.scope = cast(Decoder[Literal["user", "all"]], text)(*member(parameters, "scope"))


class UnknownAdapter(DaemonError):
    """There is no such adapter."""

    adapter: str
    """The name as given."""
    suggestion: str | None
    """The adapter that was probably meant."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such adapter.')
        self.adapter = text(*member(parameters, "adapter"))
        self.suggestion = optional(text)(*member(parameters, "suggestion"))


class UnknownConfiguration(DaemonError):
    """The app has no such scene configuration."""

    configuration: str
    """The configuration's name as given."""
    suggestion: str | None
    """The configuration that was probably meant."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The app has no such scene configuration.')
        self.configuration = text(*member(parameters, "configuration"))
        self.suggestion = optional(text)(*member(parameters, "suggestion"))


class UnknownEvent(DaemonError):
    """There is no such event, or it has been forgotten."""

    event: str
    """The event's ID as given."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such event, or it has been forgotten.')
        self.event = text(*member(parameters, "event"))


class UnknownHold(DaemonError):
    """There is no such hold."""

    hold: str
    """The hold as given."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such hold.')
        self.hold = text(*member(parameters, "hold"))


class UnknownKind(DaemonError):
    """There is no such kind of event."""

    kind: str
    """The kind as given."""
    suggestion: str | None
    """The kind or family that was probably meant; null if none is similar."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such kind of event.')
        self.kind = text(*member(parameters, "kind"))
        self.suggestion = optional(text)(*member(parameters, "suggestion"))


class UnknownManifest(DaemonError):
    """No manifest with this digest is known; it may have been in force too long ago."""

    digest: str
    """The digest, at most 128 bytes of it."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'No manifest with this digest is known; it may have been in force too long ago.')
        self.digest = text(*member(parameters, "digest"))


class UnknownRegistration(DaemonError):
    """This user has no such registration; a registration ends with its connection."""

    registration: str
    """The registration as given."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'This user has no such registration; a registration ends with its connection.')
        self.registration = text(*member(parameters, "registration"))


class UnknownRequest(DaemonError):
    """The request was answered already, or the answer came too late."""

    request: int
    """The number as given."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The request was answered already, or the answer came too late.')
        self.request = integer(*member(parameters, "request"))


class UnknownRoute(DaemonError):
    """The input is well formed, but no route of the app matches it."""

    url: str
    """The URL, at most 128 bytes of it."""
    suggestion: str | None
    """The pattern of the route that was probably meant."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'The input is well formed, but no route of the app matches it.')
        self.url = text(*member(parameters, "url"))
        self.suggestion = optional(text)(*member(parameters, "suggestion"))


class UnknownScene(DaemonError):
    """There is no such scene."""

    scene: str
    """The scene's ID as given."""
    suggestion: str | None
    """The scene that was probably meant."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'There is no such scene.')
        self.scene = text(*member(parameters, "scene"))
        self.suggestion = optional(text)(*member(parameters, "suggestion"))


class ValidationFailed(DaemonError):
    """A value is not allowed, or a condition does not hold."""

    parameter: str
    """The parameter, a member of the call or the condition."""
    reason: str
    """What is wrong with it and what is expected."""

    def __init__(self, name: str, parameters: JSONObject) -> None:
        super().__init__(name, parameters, 'A value is not allowed, or a condition does not hold.')
        self.parameter = text(*member(parameters, "parameter"))
        self.reason = text(*member(parameters, "reason"))


BY_NAME: dict[str, Callable[[str, JSONObject], DaemonError]] = {
    "io.scened.Adapters.Draining": Draining,
    "io.scened.Adapters.InvalidAnswer": InvalidAnswer,
    "io.scened.Adapters.Malformed": Malformed,
    "io.scened.Adapters.NameTaken": NameTaken,
    "io.scened.Adapters.TooManyAdapters": TooManyAdapters,
    "io.scened.Adapters.TooManyTrials": TooManyTrials,
    "io.scened.Adapters.UnknownAdapter": UnknownAdapter,
    "io.scened.Adapters.UnknownKind": UnknownKind,
    "io.scened.Adapters.UnknownRegistration": UnknownRegistration,
    "io.scened.Adapters.UnknownRequest": UnknownRequest,
    "io.scened.Control.Draining": Draining,
    "io.scened.Control.HoldExists": HoldExists,
    "io.scened.Control.RealClock": RealClock,
    "io.scened.Control.StorageFailed": StorageFailed,
    "io.scened.Control.TimePassed": TimePassed,
    "io.scened.Control.TimedOut": TimedOut,
    "io.scened.Control.TooManyHolds": TooManyHolds,
    "io.scened.Control.TooManyWaits": TooManyWaits,
    "io.scened.Control.UnknownHold": UnknownHold,
    "io.scened.Control.UnknownScene": UnknownScene,
    "io.scened.Events.Draining": Draining,
    "io.scened.Events.EventMismatch": EventMismatch,
    "io.scened.Events.InvalidFact": InvalidFact,
    "io.scened.Events.Malformed": Malformed,
    "io.scened.Events.MemberRefused": MemberRefused,
    "io.scened.Events.NoAdapter": NoAdapter,
    "io.scened.Events.NoEligibleScene": NoEligibleScene,
    "io.scened.Events.NotAssociated": NotAssociated,
    "io.scened.Events.QueueFull": QueueFull,
    "io.scened.Events.StorageFailed": StorageFailed,
    "io.scened.Events.TooMuchWaiting": TooMuchWaiting,
    "io.scened.Events.UnknownEvent": UnknownEvent,
    "io.scened.Events.UnknownRoute": UnknownRoute,
    "io.scened.Events.UnknownScene": UnknownScene,
    "io.scened.Events.ValidationFailed": ValidationFailed,
    "io.scened.Manager.Draining": Draining,
    "io.scened.Manager.InvalidManifest": InvalidManifest,
    "io.scened.Manager.StorageFailed": StorageFailed,
    "io.scened.Manager.UnknownManifest": UnknownManifest,
    "io.scened.Records.CutOff": CutOff,
    "io.scened.Records.TooManyChecks": TooManyChecks,
    "io.scened.Records.UnknownKind": UnknownKind,
    "io.scened.Routing.InvalidFact": InvalidFact,
    "io.scened.Routing.Malformed": Malformed,
    "io.scened.Routing.UnknownRoute": UnknownRoute,
    "io.scened.Routing.ValidationFailed": ValidationFailed,
    "io.scened.Scenes.Draining": Draining,
    "io.scened.Scenes.IllegalActivation": IllegalActivation,
    "io.scened.Scenes.Malformed": Malformed,
    "io.scened.Scenes.QueueFull": QueueFull,
    "io.scened.Scenes.SceneExists": SceneExists,
    "io.scened.Scenes.StorageFailed": StorageFailed,
    "io.scened.Scenes.TooManyScenes": TooManyScenes,
    "io.scened.Scenes.UnknownConfiguration": UnknownConfiguration,
    "io.scened.Scenes.UnknownScene": UnknownScene,
    "io.scened.Session.Draining": Draining,
    "io.scened.Session.InvalidFact": InvalidFact,
    "io.scened.Session.RevisionConflict": RevisionConflict,
    "io.scened.Session.StorageFailed": StorageFailed,
    "io.scened.Session.UnknownScene": UnknownScene,
    "org.varlink.service.ExpectedMore": ExpectedMore,
    "org.varlink.service.InterfaceNotFound": InterfaceNotFound,
    "org.varlink.service.InvalidParameter": InvalidParameter,
    "org.varlink.service.MethodNotFound": MethodNotFound,
    "org.varlink.service.MethodNotImplemented": MethodNotImplemented,
    "org.varlink.service.PermissionDenied": PermissionDenied,
}
"""The class for each error's full name."""

__all__ = [
    "CutOff",
    "Draining",
    "EventMismatch",
    "ExpectedMore",
    "HoldExists",
    "IllegalActivation",
    "InterfaceNotFound",
    "InvalidAnswer",
    "InvalidFact",
    "InvalidManifest",
    "InvalidParameter",
    "Malformed",
    "MemberRefused",
    "MethodNotFound",
    "MethodNotImplemented",
    "NameTaken",
    "NoAdapter",
    "NoEligibleScene",
    "NotAssociated",
    "PermissionDenied",
    "QueueFull",
    "RealClock",
    "RevisionConflict",
    "SceneExists",
    "StorageFailed",
    "TimePassed",
    "TimedOut",
    "TooManyAdapters",
    "TooManyChecks",
    "TooManyHolds",
    "TooManyScenes",
    "TooManyTrials",
    "TooManyWaits",
    "TooMuchWaiting",
    "UnknownAdapter",
    "UnknownConfiguration",
    "UnknownEvent",
    "UnknownHold",
    "UnknownKind",
    "UnknownManifest",
    "UnknownRegistration",
    "UnknownRequest",
    "UnknownRoute",
    "UnknownScene",
    "ValidationFailed",
]
