"""A Varlink client and a reader of interface descriptions, independent of the project's own."""

import json
import re
import socket

# How long, in seconds, the daemon's own user waits for an answer before the daemon counts as dead.
PATIENCE = 30


class Gone(Exception):
    """The daemon closed the connection."""


class Connection:
    """A connection that sends calls, or any bytes, and reads whole answers."""

    def __init__(self, path, timeout=None):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.unread = b""
        try:
            # Waits while too many others connect.
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.socket.settimeout(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Gone from error

    def receive(self):
        """The bytes of the next answer, without its NUL."""
        pieces = [self.unread]
        while b"\0" not in pieces[-1]:
            try:
                piece = self.socket.recv(1 << 20)
            except ConnectionResetError as error:
                raise Gone from error
            if not piece:
                raise Gone
            pieces.append(piece)
        answer, _, self.unread = b"".join(pieces).partition(b"\0")
        return answer

    def answer(self):
        """The next answer: its parameters, and the name of its error or None."""
        reply = json.loads(self.receive())
        return reply.get("parameters") or {}, reply.get("error")

    def call(self, method, **parameters):
        """Calls and returns the answer; an error is an exception."""
        self.send(message(method, parameters))
        parameters, error = self.answer()
        if error:
            raise RuntimeError(f"{method}: {error} {json.dumps(parameters)[:200]}")
        return parameters


def message(method, parameters=None, **flags):
    return json.dumps({"method": method, "parameters": parameters or {}, **flags}).encode() + b"\0"


class Method:
    """A method of the daemon: its full name, and its parameters as pairs of name and type."""

    def __init__(self, name, parameters, types):
        self.name, self.parameters, self.types = name, parameters, types


def methods(connection):
    """Every method that the daemon describes, so that a new one is attacked without being named."""
    found = []
    for interface in connection.call("org.varlink.service.GetInfo")["interfaces"]:
        text = connection.call("org.varlink.service.GetInterfaceDescription", interface=interface)["description"]
        found += Description(interface, text).methods
    return found


class Description:
    """Reads an interface description. A type is a string, or ('?', type), ('[]', type), ('map', type), ('enum', names) or
    ('struct', fields)."""

    def __init__(self, interface, text):
        self.words = re.findall(r"\[string\]|\[\]|->|[\w.]+|[():,?]", re.sub(r"#.*", "", text))
        self.types, self.methods = {}, []
        del self.words[:2]  # interface NAME
        while self.words:
            word, name = self.words.pop(0), self.words.pop(0)
            kind, members = self.type()
            if word == "type":
                self.types[name] = kind, members
            elif word == "method":
                self.methods.append(Method(f"{interface}.{name}", members, self.types))
                self.words.pop(0)  # ->
                self.type()

    def type(self):
        word = self.words.pop(0)
        if word == "?":
            return "?", self.type()
        if word == "[]":
            return "[]", self.type()
        if word == "[string]":
            return "map", self.type()
        if word != "(":
            return word
        members, is_struct = [], self.words[:1] == [")"]
        while (word := self.words.pop(0)) != ")":
            if word == ",":
                continue
            if self.words[0] == ":":
                self.words.pop(0)
                members.append((word, self.type()))
                is_struct = True
            else:
                members.append(word)
        return ("struct" if is_struct else "enum"), members
