"""Varlink as bytes: what to send for a call, and which replies the bytes received make. Does no input or output
itself."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass

from ._codec import JSON, JSONObject, json_object
from ._errors import DaemonError, ProtocolError
from ._generated.errors import BY_NAME


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
        """The bytes of a call. Raises ValueError for what JSON cannot say: NaN, infinities, half a surrogate pair."""
        message: JSONObject = {"method": method, "parameters": parameters}
        if more:
            message["more"] = True
        return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\0"

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
