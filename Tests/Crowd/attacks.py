"""What the hostile clients do: each attack is a function that misbehaves once, and is repeated until the time is up.

None of them names a method: they attack whatever the daemon describes.
"""

import collections
import json
import os
import random
import signal
import socket
import time

from values import Values, nested
from wire import Connection, Gone, message

ATTACKS = {}

# What is asked of the daemon as a whole, and lawfully stops or clears it for everybody, is left out.
LAWFUL = {
    "io.scened.Control.Reset": "starts over for everybody",
    "io.scened.Manager.Drain": "stops the daemon",
}


def attack(function):
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


class Member:
    """One process of the crowd: who it is, what it draws from, and what it has counted."""

    def __init__(self, path, methods, windows, seed, until):
        self.path, self.until = path, until
        self.random = random.Random(seed)
        self.values = Values(self.random, windows)
        self.methods = [method for method in methods if method.name not in LAWFUL]
        self.tally = collections.Counter()
        self.made = 0

    def work(self, attack):
        while time.monotonic() < self.until:
            try:
                attack(self)
            except Gone:
                self.tally["closed"] += 1
            except TimeoutError:
                self.tally["no answer in 2 s"] += 1
            except BlockingIOError:
                self.tally["backlog full"] += 1
                time.sleep(0.01)
            except ConnectionError:
                self.tally["not connected"] += 1

    def connect(self, timeout=2):
        connection = Connection(self.path, timeout)
        self.tally["connections"] += 1
        return connection

    def several(self, count):
        return [self.connect() for _ in range(count)]

    def say(self, connection, data, calls=1):
        self.tally["calls"] += calls
        self.tally["bytes"] += len(data)
        connection.send(data)

    def hear(self, connection):
        _, error = connection.answer()
        self.tally[error or "answered"] += 1

    def method(self, *kinds):
        """A random method, if possible one with a parameter whose type contains one of these."""
        fit = [method for method in self.methods if any(kind in repr(method.parameters) for kind in kinds)]
        return self.random.choice(fit if fit and self.random.random() < 0.8 else self.methods)

    def with_one(self, method, value, *kinds):
        """Ordinary arguments of a method, one of which is this value; if possible one of these types."""
        fit = [name for name, kind in method.parameters if name != "scene" and any(word in repr(kind) for word in kinds)]
        return self.values.arguments(method, 0) | {self.random.choice(fit or ["undeclared"]): value}

    def call(self, method=None, extreme=0.0, more=None, **fixed):
        """A call of a random method, once in a while as oneway or with more."""
        method = method or self.random.choice(self.methods)
        flag = self.random.random()
        flags = {"more": True} if more or flag < 0.1 else {"oneway": True} if flag > 0.9 and more is None else {}
        return message(method.name, self.values.arguments(method, extreme, **fixed), **flags)


def close(connections):
    for connection in connections:
        connection.close()


@attack
def floods(me):
    """Two hundred calls of one method at once, and only then their answers."""
    method = me.random.choice(me.methods)
    with me.connect() as connection:
        me.say(connection, b"".join(message(method.name, me.values.arguments(method, 0)) for _ in range(200)), 200)
        for _ in range(200):
            me.hear(connection)


@attack
def any_method(me):
    """Every method in turn, with random and extreme arguments."""
    with me.connect() as connection:
        for _ in range(50):
            call = me.call(extreme=0.2)
            me.say(connection, call)
            if b'"oneway": true' not in call:
                me.hear(connection)


@attack
def half_messages(me):
    """Calls of which a half comes, or byte after byte, or nothing."""
    connections = me.several(20)
    for connection in connections:
        call = me.call()
        me.say(connection, call[: me.random.randrange(len(call))], 0)
    for _ in range(50):
        me.say(me.random.choice(connections), b" ", 0)
        time.sleep(0.005)
    close(connections)


@attack
def never_reading(me):
    """Calls for as long as the daemon takes them; no answer is ever read."""
    connections = me.several(8)
    call = me.call(me.method("string"), more=False) * 50
    for connection in connections:
        connection.socket.settimeout(0.05)
        try:
            for _ in range(100):
                me.say(connection, call, 50)
        except TimeoutError:
            me.tally["taken no further"] += 1
    time.sleep(me.random.random() * 2)
    close(connections)


@attack
def huge_texts(me):
    """A text of up to a mebibyte, or more than a message may have, wherever a text can be."""
    length = me.random.choice([200_000, 900_000, 1_100_000])
    with me.connect() as connection:
        method = me.method("string")
        me.say(connection, message(method.name, me.with_one(method, "x" * length, "string")))
        me.hear(connection)


@attack
def combining_marks(me):
    """Texts that are expensive to compare as characters: as method, as member and as any argument."""
    half = me.random.choice([500, 10_000, 100_000])
    text = "a" + "\u0301" * half + "\u0323" * half
    method = me.method("string")
    call = me.random.choice(
        [
            {"method": text},
            {"method": method.name.rpartition(".")[0] + "." + text},
            {"method": method.name, "parameters": me.with_one(method, text, "string")},
            {"method": method.name, "parameters": me.with_one(method, [text, text + "b"], "[]", "object")},
            {"method": method.name, "parameters": me.with_one(method, {text: 1, text + "b": 2}, "map", "object")},
            {"method": method.name, "parameters": {text: 1}},
        ]
    )
    with me.connect() as connection:
        me.say(connection, json.dumps(call, ensure_ascii=False).encode(errors="replace") + b"\0")
        me.hear(connection)


@attack
def wide_json(me):
    """Arrays and objects with as many members as a message holds."""
    count = me.random.choice([1_000, 10_000, 60_000])
    method = me.method("object", "[]", "map")
    wide = me.random.choice([["x"] * count, [{}] * count, {str(number): 0 for number in range(count)}])
    with me.connect() as connection:
        me.say(connection, message(method.name, me.with_one(method, wide, "object", "[]", "map")))
        me.hear(connection)


@attack
def deep_json(me):
    """Arrays in arrays, closed or not."""
    method = me.method("object")
    with me.connect() as connection:
        if me.random.random() < 0.5:
            deep = nested(me.random.choice([10, 55, 70, 400]))
            call = message(method.name, me.with_one(method, deep, "object"))
        else:
            call = me.random.choice([b"[", b'{"a":']) * me.random.choice([100, 100_000]) + b"\0"
        me.say(connection, call)
        me.hear(connection)


@attack
def broken_json(me):
    """Bytes that are no call: cut, changed, not UTF-8, twice the same member."""
    call = bytearray(me.call())
    for _ in range(me.random.randrange(1, 4)):
        call[me.random.randrange(len(call))] = me.random.choice(b'"\\{}[]:,\xff\xc0\xed\x00u')
    with me.connect() as connection:
        me.say(connection, bytes(call) + b"\0")
        me.hear(connection)


@attack
def forgotten_waits(me):
    """Calls that may wait for ever, made and forgotten, oneway or not; half of the clients leave, half stay for a while."""
    waits = [method for method in me.methods if {"timeoutMilliseconds", "wait"} & {name for name, _ in method.parameters}]
    connections = me.several(5)
    for connection in connections:
        for _ in range(100):
            method = me.random.choice(waits or me.methods)
            arguments = me.values.arguments(method, 0, timeoutMilliseconds=me.random.choice([0, 10**7, None]), wait="finished")
            me.say(connection, message(method.name, arguments, oneway=me.random.random() < 0.7))
    if me.random.random() < 0.5:
        time.sleep(1)
    close(connections)


@attack
def subscribe_and_stall(me):
    """Every method with more, of which not a byte is read."""
    connections = me.several(8)
    for connection in connections:
        me.say(connection, me.call(more=True))
    time.sleep(1 + me.random.random())
    close(connections)


@attack
def connect_and_leave(me):
    """Clients that come and go, some in the middle of a call or before its answer."""
    for _ in range(20):
        with me.connect() as connection:
            call = me.call()
            me.say(connection, call[: me.random.choice([0, 5, len(call)])], 0)


@attack
def crowding(me):
    """As many connections as one user gets."""
    connections = me.several(100)
    for connection in connections:
        me.say(connection, message("org.varlink.service.GetInfo"))
    for connection in connections:
        try:
            me.hear(connection)
        except Gone:
            me.tally["refused"] += 1
    close(connections)


@attack
def hoarding(me):
    """Whatever the daemon keeps for later: new windows, big objects, flows that are never finished."""
    with me.connect() as connection:
        for _ in range(20):
            me.made += 1
            method = me.method("object", "map", "scene")
            window = f"hoard-{os.getuid()}-{os.getpid()}-{me.made}"
            arguments = me.values.arguments(method, 0)
            for name, kind in method.parameters:
                if name == "scene" and me.random.random() < 0.5:
                    arguments[name] = window
                elif "object" in kind or "map" in kind:
                    arguments[name] = {window: "x" * me.random.choice([10, 10_000, 300_000])}
            me.say(connection, message(method.name, arguments, oneway=True))
        me.say(connection, message("org.varlink.service.GetInfo"))
        me.hear(connection)


@attack
def passed_descriptors(me):
    """Descriptors sent along with whole and half calls."""
    with me.connect() as connection:
        descriptors = [os.open("/dev/null", os.O_RDONLY) for _ in range(me.random.choice([1, 50, 250]))]
        try:
            call = me.call(more=False)
            me.tally["descriptors"] += len(descriptors)
            me.tally["calls"] += 1
            half = me.random.randrange(1, len(call))
            socket.send_fds(connection.socket, [call[:half]], descriptors)
            socket.send_fds(connection.socket, [call[half:]], descriptors[:1])
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        me.hear(connection)


@attack
def killed(me):
    """Clients that are ended by SIGKILL at any moment."""
    child = os.fork()
    if child == 0:
        try:
            me.random.seed(me.random.random())
            while True:
                me.random.choice([any_method, half_messages, hoarding, forgotten_waits])(me)
        finally:
            os._exit(0)
    time.sleep(me.random.random() * 0.3)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    me.tally["clients killed"] += 1
