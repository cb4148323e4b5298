"""What can go wrong between a client and the daemon, besides the errors that the interface files declare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._codec import JSONObject


class ScenedError(Exception):
    """Anything that this package raises by itself."""


class DaemonError(ScenedError):
    """The daemon refused a call. Errors that the interface files declare have classes of their own, with their
    parameters as attributes; this one stands for those of a newer daemon."""

    name: str
    """The error's full name, such as io.scened.Events.NotAssociated."""
    parameters: JSONObject
    """Its parameters as JSON."""

    def __init__(self, name: str, parameters: JSONObject, meaning: str = "") -> None:
        details = ", ".join(
            f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in parameters.items() if key != "reason"
        )
        reason = parameters.get("reason")
        what = [
            meaning or name,
            f"({details})" if details else "",
            _sentence(reason) if isinstance(reason, str) else "",
            f"[{name}]" if meaning else "",
        ]
        super().__init__(" ".join(part for part in what if part))
        self.name = name
        self.parameters = parameters


def _sentence(text: str) -> str:
    """A text with a sign at its end."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


class ProtocolError(ScenedError):
    """The daemon sent what its interface files do not allow. It says where, and what was expected."""


class ConnectionFailed(ScenedError, ConnectionError):
    """There is no daemon at the socket, or it closed the connection before it answered."""


class CallTimeout(ScenedError, TimeoutError):
    """No answer came in time. The connection was closed with the call, and what had been held over it is released; the
    next call opens another one."""

    note: str
    """What is to be said of the event that the call delivers; empty if nothing is known of it."""

    def __init__(self, message: str, note: str = "") -> None:
        self.note = note
        super().__init__(message + note)


class Unsure(ConnectionFailed):
    """A call was sent, and whether it was done is not known: the client could not find out before its time was over, or
    nothing tells it."""

    method: str
    """The method's full name."""
    event: str | None
    """The ID of the event that may have been admitted; None for a call that delivers none."""

    def __init__(self, method: str, event: str | None, reason: str) -> None:
        done = "it may have been done" if event is None else f"the event {event} was sent and may have been admitted"
        super().__init__(f"{method}: {done}: {_sentence(reason)}")
        self.method = method
        self.event = event


class HostChanged(ConnectionFailed):
    """The daemon has another host than the one that the client belongs to: it was reset, or keeps no state. Nothing is
    repeated there; whoever wants to go on makes another client."""

    from_: str
    """The host's ID before."""
    to: str
    """The ID of the host that the daemon has now."""
    event: str | None
    """The ID of the event that was sent, and may have been admitted by either; None if none was sent."""

    def __init__(self, from_: str, to: str, event: str | None) -> None:
        done = "" if event is None else f"; the event {event} was sent and may have been admitted"
        super().__init__(f"the daemon has the host {to} now, and not {from_}: it was reset, or keeps no state{done}")
        self.from_ = from_
        self.to = to
        self.event = event
