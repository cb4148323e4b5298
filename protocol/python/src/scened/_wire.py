"""Varlink as bytes: what to send for a call, and which replies the bytes received make. Does no input or output
itself."""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass

from ._codec import JSON, JSONObject, json_object
from ._errors import DaemonError, ProtocolError
from ._generated.errors import BY_NAME

LARGEST = 1 << 20
"""How many bytes a message may have, unless the daemon's setting limits.message says otherwise."""
DEEPEST = 64
"""How deep lists and objects may be in each other, unless the daemon's setting limits.nesting says otherwise."""


def _depth(message: bytes) -> int:
    """How deep lists and objects are in each other in JSON."""
    deepest = depth = 0
    for sign in re.sub(rb'"(?:[^"\\]|\\.)*"', b"", message):
        depth += (sign in b"[{") - (sign in b"]}")
        deepest = max(deepest, depth)
    return deepest


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to the oldest call that is not answered yet."""

    parameters: JSONObject
    """What the method returned."""
    error: DaemonError | None
    """Why it refused, in place of the parameters."""
    continues: bool
    """Whether further replies to the same call follow."""


class Wire:
    """One side of a Varlink connection: messages are JSON objects, each ended by NUL."""

    __slots__ = ("_buffer", "_replies", "_searched")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._replies: deque[Reply] = deque()

    @staticmethod
    def call(method: str, parameters: JSONObject, *, more: bool = False) -> bytes:
        """The bytes of a call. Raises ValueError for what JSON cannot say: NaN, infinities, half a surrogate pair,
        lists and objects in each other without end."""
        message: JSONObject = {"method": method, "parameters": parameters}
        if more:
            message["more"] = True
        try:
            text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except RecursionError:
            raise ValueError(f"{method}: has too many lists and mappings within each other to be sent") from None
        return text.encode() + b"\0"

    @staticmethod
    def doubt(message: bytes) -> str:
        """What may be why a daemon has closed the connection in place of an answer to a call; empty if nothing is. It
        does so with a call that is beyond its limits, and says why in its log."""
        if len(message) > LARGEST:
            return f"; the call has {len(message):,} bytes, more than limits.message, which is {LARGEST:,} unless set"
        if (depth := _depth(message)) > DEEPEST:
            return f"; the call is {depth} levels deep, more than limits.nesting, which is {DEEPEST} unless set"
        return ""

    def receive(self, data: bytes) -> None:
        """Takes bytes as they come, in pieces of any size. Raises `ProtocolError` for what is not a reply."""
        self._buffer += data
        while (end := self._buffer.find(0, self._searched)) >= 0:
            message = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            self._replies.append(self._reply(message))
        self._searched = len(self._buffer)

    def next(self) -> Reply | None:
        """The next reply that is complete."""
        return self._replies.popleft() if self._replies else None

    @staticmethod
    def _reply(message: bytes) -> Reply:
        try:
            value: JSON = json.loads(message)
        except ValueError as error:
            raise ProtocolError(f"the daemon sent what is not JSON: {error}") from error
        except RecursionError:
            raise ProtocolError("the daemon sent lists and objects too deep in each other to be read") from None
        reply = json_object(value)
        parameters = json_object(reply.get("parameters") or {}, "parameters")
        name = reply.get("error")
        if name is None:
            return Reply(parameters, None, reply.get("continues") is True)
        if not isinstance(name, str):
            raise ProtocolError(f"error: found {name!r}, expected a text")
        return Reply(
            parameters, BY_NAME[name](name, parameters) if name in BY_NAME else DaemonError(name, parameters), False
        )
