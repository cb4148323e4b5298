"""A host that is no more than what a client that repeats relies on, behind a socket that is cut after any byte."""

import json
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

JSONObject: TypeAlias = dict[str, Any]


class CutHost:
    """Serves connections one after the other, each of them until it has passed on so many bytes, in both directions
    together: what is left of a request is not read, and what is left of a reply not written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.host = "host-1"
        self.cuts: list[int] = []
        """After how many bytes the next connections are cut; those after them are not."""
        self.connections = 0
        """How many connections there have been."""
        self.cuts_made = 0
        """How many of them were."""
        self.requests: list[bytes] = []
        """All that arrived as a whole."""
        self.events: dict[str, JSONObject] = {}
        """What is known of events."""
        self.admitted: list[str] = []
        """Each admission, also of what is forgotten."""
        self.records: list[JSONObject] = [{"index": 1, "kind": "host.started", "event": None}]
        self.gap = 0
        """The newest record that is not retained any more."""
        self.next_host: str | None = None
        """What the host is called once a stream has been passed on to its end."""
        self.revision = 0
        self.signed_in = 0
        self.before: Callable[[str, JSONObject], str | None] = lambda method, parameters: None
        """Called before each request; an error that it returns is the reply."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> "CutHost":
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def restart(self, host: str) -> None:
        """Forgets everything, and has another host."""
        self.host = host
        self.events, self.records = {}, [{"index": 1, "kind": "host.started", "event": None}]

    # MARK: The socket.

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection, suppress(OSError):
                self._talk(connection, self.cuts.pop(0) if self.cuts else 1 << 60)

    def _talk(self, connection: socket.socket, left: int) -> None:
        waiting = b""
        while True:
            while b"\0" not in waiting:
                if left == 0:
                    self.cuts_made += 1
                    return
                data = connection.recv(min(left, 65_536))
                if not data:
                    return
                left -= len(data)
                waiting += data
            message, _, waiting = waiting.partition(b"\0")
            self.requests.append(message)
            call = json.loads(message)
            for reply in self._answers(call):
                whole = json.dumps(reply).encode() + b"\0"
                part = whole[:left]
                connection.sendall(part)
                left -= len(part)
                if len(part) < len(whole):
                    self.cuts_made += 1
                    return
                if self.next_host is not None and call.get("more") and "continues" not in reply:
                    self.host = self.next_host

    # MARK: The host.

    def _answers(self, call: JSONObject) -> list[JSONObject]:
        method, parameters = call["method"], call.get("parameters", {})
        if (error := self.before(method, parameters)) is not None:
            told = {"reason": "the disk is full"} if error == "StorageFailed" else {}
            return [{"error": f"{method.rpartition('.')[0]}.{error}", "parameters": told}]
        if call.get("more"):
            # One record in each reply, and the host ends with the last.
            pages = [self._page([record], record["index"]) for record in self._after(parameters)]
            return [{"parameters": page, "continues": True} for page in pages] + [
                {"parameters": self._page([], self.records[-1]["index"])}
            ]
        match method.removeprefix("io.scened."):
            case "Manager.GetStatus":
                return [{"parameters": {"host": self.host, "records": self.records[-1]["index"]}}]
            case "Events.Get":
                event = parameters["event"]
                if event in self.events:
                    return [{"parameters": {"receipt": self.events[event]}}]
                return [{"error": "io.scened.Events.UnknownEvent", "parameters": {"event": event}}]
            case "Events.OpenURL":
                return [{"parameters": {"receipt": self._admit(parameters["event"]), "warnings": []}}]
            case "Events.OpenURLs":
                names = [f"{parameters['event']}/{place + 1}" for place in range(len(parameters["urls"]))]
                return [{"parameters": {"receipts": [self._admit(name) for name in names], "warnings": []}}]
            case "Records.Read":
                return [{"parameters": self._read(parameters)}]
            case "Session.Commit":
                if parameters.get("expectedRevision", self.revision) != self.revision:
                    conflict = {"expected": parameters["expectedRevision"], "actual": self.revision}
                    return [{"error": "io.scened.Session.RevisionConflict", "parameters": conflict}]
                self.revision += 1
                return [{"parameters": {"session": self._session()}}]
            case "Session.SignIn":
                self.signed_in += 1
                return [{"parameters": {"session": self._session()}}]
            case "Session.Get":
                return [{"parameters": {"session": self._session()}}]
            case "Control.Reset":
                self.restart(f"{self.host}+")
                return [{"parameters": {"host": self.host}}]
            case _:
                return [{"error": "org.varlink.service.MethodNotFound", "parameters": {"method": method}}]

    def _admit(self, event: str) -> JSONObject:
        if event not in self.events:
            self.admitted.append(event)
            self.records.append({"index": self.records[-1]["index"] + 1, "kind": "event.admitted", "event": event})
            self.events[event] = {
                "event": event,
                "scene": "A",
                "ticket": len(self.admitted),
                "outcome": "applied",
                "revision": 0,
                "duplicate": False,
            }
            return self.events[event]
        return {**self.events[event], "duplicate": True}

    def _after(self, parameters: JSONObject) -> list[JSONObject]:
        return [record for record in self.records if record["index"] > parameters.get("after", 0)]

    def _read(self, parameters: JSONObject) -> JSONObject:
        found = [record for record in self._after(parameters) if record["index"] > self.gap]
        if parameters.get("after", 0) < self.gap:
            found = [{"index": self.gap + 1, "kind": "gap", "event": None}, *found]
        if "event" in parameters:
            kinds = [*parameters["kinds"], "gap"]
            chosen = [
                record for record in found if record["kind"] in kinds and record["event"] in (parameters["event"], None)
            ]
            return self._page(chosen, self.records[-1]["index"])
        chosen = found[: parameters["limit"]]
        return self._page(chosen, chosen[-1]["index"] if chosen else parameters["after"])

    @staticmethod
    def _page(records: list[JSONObject], after: int) -> JSONObject:
        return {"records": records, "next": after}

    def _session(self) -> JSONObject:
        return {"revision": self.revision, "epoch": 0, "user": None, "stale": False, "facts": {}}
