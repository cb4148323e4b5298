"""Several users with one daemon: user 1001 tries adapters on 80 connections at once, while an adapter of the daemon's user
serves that user's pushes. Uses only the socket, and needs root, to become other users.

Usage: strangers.py SOCKET PUSHES. Prints a JSON object: the outcomes of the pushes and what the stranger was answered.
"""

import collections
import json
import os
import selectors
import socket
import sys
import threading
import time

PATH, PUSHES = sys.argv[1], int(sys.argv[2])
STRANGER, CONNECTIONS = 1001, 80


class Connection:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(PATH)
        self.input = b""

    def send(self, method, more=False, **parameters):
        call = {"method": "io.scened." + method, "parameters": parameters}
        if more:
            call["more"] = True
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def messages(self):
        """The messages that one read completes."""
        data = self.socket.recv(65536)
        if not data:
            raise EOFError
        *whole, self.input = (self.input + data).split(b"\0")
        return [json.loads(message) for message in whole]

    def call(self, method, **parameters):
        self.send(method, **parameters)
        while True:
            for message in self.messages():
                return message


def stranger(output):
    """Tries all the time; what the answers were goes to `output` when its own input ends."""
    os.setgroups([])
    os.setgid(STRANGER)
    os.setuid(STRANGER)
    event = {"payload": {"aps": {"alert": "x"}, "url": "qcommerce://cart"}}
    answers = collections.Counter()
    selector = selectors.DefaultSelector()
    for _ in range(CONNECTIONS):
        connection = Connection()
        connection.send("Adapters.Try", event=event)
        selector.register(connection.socket, selectors.EVENT_READ, connection)
    os.write(output, b"begun\n")
    end = time.monotonic() + 60
    while time.monotonic() < end and not done(output):
        for key, _ in selector.select(0.1):
            for message in key.data.messages():
                answers[message.get("error", "tried").removeprefix("io.scened.Adapters.")] += 1
                # Each as often as it can, but no connection in a tight loop.
                key.data.send("Adapters.Try", event=event)
        time.sleep(0.005)
    roles = {}
    for method, parameters in [
        ("Events.FinishFlow", {"flow": "auth", "result": "completed", "user": "eve", "scene": "A"}),
        ("Events.Gesture", {"gesture": "back", "scene": "A"}),
        ("Session.SignIn", {"user": "eve"}),
        ("Adapters.Register", {"name": "eve", "kinds": ["push"]}),
        ("Manager.GetStatus", {}),
    ]:
        roles[method] = Connection().call(method, **parameters).get("parameters", {}).get("role")
    os.write(output, json.dumps({"answers": answers, "lacks": roles}).encode() + b"\n")


def done(descriptor):
    """Whether the other end has shut down."""
    with socket.socket(fileno=os.dup(descriptor)) as end:
        end.setblocking(False)
        try:
            return end.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False


def adapter(ready):
    """Takes every push, one after the other, 20 ms each."""
    asked, answers = Connection(), Connection()
    asked.send("Adapters.Register", more=True, name="serving", kinds=["push"], priority=50)
    while True:
        for message in asked.messages():
            parameters = message["parameters"]
            if parameters.get("request") is None:
                ready.set()
                continue
            time.sleep(0.02)
            answers.call(
                "Adapters.Answer",
                registration=parameters["registration"],
                request=parameters["request"],
                destination={"id": "product", "parameters": {"id": "p1"}},
            )


ours, theirs = socket.socketpair()
child = os.fork()
if child == 0:
    ours.close()
    try:
        stranger(theirs.detach())
    finally:
        os._exit(0)
theirs.close()

ready = threading.Event()
threading.Thread(target=adapter, args=[ready], daemon=True).start()
ready.wait()
result = ours.makefile()
assert result.readline() == "begun\n"
client = Connection()
client.call("Scenes.Connect", scene="A")
outcomes = collections.Counter()
slowest = 0
for number in range(PUSHES):
    begun = time.monotonic()
    payload = {"aps": {"alert": "x"}, "number": number}
    receipt = client.call("Events.Push", payload=payload, scene="A")["parameters"]["receipt"]
    outcomes[receipt["outcome"] + (" " + receipt["reason"] if receipt.get("reason") else "")] += 1
    slowest = max(slowest, time.monotonic() - begun)
ours.shutdown(socket.SHUT_WR)
report = json.loads(result.readline())
os.waitpid(child, 0)
users = client.call("Manager.GetStatus")["parameters"].get("users")
print(json.dumps({"outcomes": outcomes, "slowest": slowest, "users": users, **report}))
