"""Restarts the daemon under load, again and again, and judges what its clients were told: nobody is refused, every call that could be
sent is answered, what was acknowledged is done once, and an ID that is sent again gets its receipt.

Usage: restarts.py --scened PATH [--times N]      holds the socket and hands it to one daemon after the other, as a service manager does
       restarts.py --socket PATH COMMAND…         restarts a service that runs Tests/Kills/counters.yaml, by each of these commands
       [--rate N]                                 instead of all clients one, with so many events a second: measures its longest pause
       [--answers N] [--transition MS] [--seed N]

Exit status: 0 all was as it has to be, 1 it was not, 2 usage.
"""

import argparse
import asyncio
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).parent.parent
# How long, in seconds, anything may take before that is a fault; the machine may be busy.
PATIENCE = 180
# How many calls a client sends ahead of their answers.
AHEAD = 32
# Over how many connections a client sends so many events a second.
CONNECTIONS = 16
LARGEST = 256 << 10
TOO_EARLY = {"admitted": [], "settled": ["admitted"], "finished": ["admitted", "gated"]}


class Unsent(Exception):
    """The system did not take the call: nothing has come of it."""


class Gone(Exception):
    """There is no daemon to go on with."""


class Call:
    """An event that is sent until it is acknowledged."""

    def __init__(self, method, parameters):
        self.method, self.parameters = method, parameters
        self.id = parameters["event"]
        self.due, self.answered, self.receipt = None, None, None

    def bytes(self, **others):
        call = {"method": f"io.scened.{self.method}", "parameters": self.parameters | others}
        return json.dumps(call).encode() + b"\0"


class Line:
    """A connection, whose answers come in the order of its calls."""

    def __init__(self, load, handle):
        self.load, self.socket = load, handle
        self.pending, self.turn, self.is_over = collections.deque(), asyncio.Lock(), False
        self.reader = asyncio.create_task(self.read())

    @classmethod
    async def open(cls, load):
        for _ in range(100):
            handle = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            handle.setblocking(False)
            try:
                handle.connect(load.path)
                return cls(load, handle)
            except BlockingIOError:
                # As many wait as may wait, which a client that blocks does not see.
                handle.close()
                await asyncio.sleep(PATIENCE / 100)
            except OSError as error:
                handle.close()
                load.fault(f"a client could not connect: {error}")
                await asyncio.sleep(0.1)
        raise Gone("nobody takes the clients")

    async def read(self):
        rest = b""
        loop = asyncio.get_running_loop()
        try:
            while True:
                data = await loop.sock_recv(self.socket, LARGEST)
                if not data:
                    break
                *messages, rest = (rest + data).split(b"\0")
                for message in messages:
                    answer = self.pending.popleft()
                    if not answer.done():
                        answer.set_result(json.loads(message))
        except OSError as error:
            self.load.fault(f"a connection broke: {error}")
        self.is_over = True
        if rest:
            self.load.fault(f"half an answer: {rest[:200]}")
        for answer in self.pending:
            if not answer.done():
                self.load.fault("a call that was sent has no answer")
                answer.set_exception(Unsent())

    async def send(self, data, count=1):
        """Sends so many calls. Returns their answers to come; throws `Unsent` if nothing of them was taken."""
        async with self.turn:
            if self.is_over:
                raise Unsent
            loop = asyncio.get_running_loop()
            answers = [loop.create_future() for _ in range(count)]
            while True:
                try:
                    # The system takes all or nothing of so little.
                    self.pending.extend(answers)
                    if self.socket.send(data) < len(data):
                        self.load.fault("the system took a part of a call")
                    return answers
                except OSError as error:
                    for _ in answers:
                        self.pending.pop()
                    if not isinstance(error, BlockingIOError):
                        self.load.unsent += count
                        raise Unsent from None
                await self.writable(loop)

    async def writable(self, loop):
        ready = loop.create_future()
        loop.add_writer(self.socket, lambda: ready.done() or ready.set_result(None))
        try:
            await ready
        finally:
            loop.remove_writer(self.socket)

    async def call(self, method, **parameters):
        [answer] = await self.send(json.dumps({"method": f"io.scened.{method}", "parameters": parameters}).encode() + b"\0")
        return await answer

    async def close(self):
        self.reader.cancel()
        await asyncio.gather(self.reader, return_exceptions=True)
        self.socket.close()


class Load:
    """All clients, and what they were told."""

    def __init__(self, path, seed):
        self.path, self.random = path, random.Random(seed)
        # A service may know the events of an earlier run.
        self.run, self.taps_before = f"{time.time_ns():x}", 0
        self.calls, self.faults = {}, []
        self.answers = self.draining = self.unsent = 0
        # Once so many are answered in a step that takes long, nobody needs more.
        self.enough = 0
        self.is_ending = asyncio.Event()
        self.progress = asyncio.Condition()

    def fault(self, text):
        if len(self.faults) < 20 and text not in self.faults:
            self.faults.append(text)

    def make(self, method, client, **parameters):
        call = Call(method, parameters | {"event": f"{self.run}-{client}-{len(self.calls)}"})
        self.calls[call.id] = call
        return call

    def tap(self, client, scene, wait="admitted"):
        return self.make("Events.SendIntent", client, name="tapped", scene=scene, wait=wait)

    async def heard(self, call, reply):
        """Whether the call is acknowledged; if not, it is to be sent again."""
        if error := reply.get("error"):
            if error != "io.scened.Events.Draining":
                self.fault(f"{call.id} was answered {reply}")
            self.draining += 1
            return False
        receipt = reply["parameters"]["receipt"]
        if call.receipt and receipt["ticket"] != call.receipt["ticket"]:
            self.fault(f"{call.id} was told {call.receipt} and then {receipt}")
        if receipt["outcome"] in TOO_EARLY[call.parameters["wait"]]:
            self.fault(f"{call.id} waits until it is {call.parameters['wait']} and was told {receipt}")
        call.receipt = receipt
        if call.answered is None:
            call.answered = time.monotonic()
            self.answers += 1
            async with self.progress:
                self.progress.notify_all()
        return True

    async def reach(self, answers):
        """Waits for so many more answers."""
        aim = self.answers + answers
        async with asyncio.timeout(PATIENCE):
            async with self.progress:
                await self.progress.wait_for(lambda: self.answers >= aim)


class Client:
    """Sends what it has to over one connection, and over the next one once that ends."""

    def __init__(self, load, name):
        self.load, self.name, self.line, self.turn = load, name, None, asyncio.Lock()
        self.former = []

    async def connection(self, former=None):
        async with self.turn:
            if self.line is former or self.line.is_over:
                if self.line:
                    # It is read to its end: what was sent there is answered there.
                    self.former.append(self.line)
                self.line = await Line.open(self.load)
            return self.line

    async def deliver(self, *calls):
        """Sends calls in one piece until they are acknowledged."""
        line = self.line or await self.connection()
        left = list(calls)
        while left:
            try:
                answers = await line.send(b"".join(call.bytes() for call in left), len(left))
                replies = await asyncio.gather(*answers)
                left = [call for call, reply in zip(left, replies) if not await self.load.heard(call, reply)]
            except Unsent:
                pass
            if left:
                line = await self.connection(line)

    async def close(self):
        for line in [*self.former, *([self.line] if self.line else [])]:
            await line.close()


async def steadily(load, rate):
    """Sends ahead of the answers, or so many events a second whatever the answers do."""
    # A daemon that keeps its state answers a connection's call before it takes the next one, so each waits for the disk.
    clients = [Client(load, f"steady{number}") for number in range(CONNECTIONS if rate else 1)]
    window = asyncio.Semaphore(AHEAD)
    async with asyncio.TaskGroup() as group:

        async def deliver(client, call):
            await client.deliver(call)
            window.release()

        begin, number = time.monotonic(), 0
        while not load.is_ending.is_set():
            number += 1
            if rate:
                due = begin + number / rate
                await asyncio.sleep(max(0, due - time.monotonic()))
            else:
                await window.acquire()
                if load.answers > load.enough > 0:
                    await asyncio.sleep(0.05)
                due = time.monotonic()
            call = load.tap("steady", "S")
            call.due = due
            group.create_task(deliver(clients[number % len(clients)], call))
    for client in clients:
        await client.close()


async def waiting(load, number):
    """Waits for each of its events to be settled or finished, which takes a transition, and sends some of them together."""
    client, scene = Client(load, f"waiting{number}"), f"W{number}"
    while not load.is_ending.is_set():
        wait, count = load.random.choice(["settled", "finished"]), load.random.choice([1, 1, 5])
        await client.deliver(
            *(
                load.make("Events.OpenURL", client.name, url=f"counters://page/{len(load.calls)}", scene=scene, wait=wait)
                for _ in range(count)
            )
        )
    await client.close()


async def parked(load, number):
    """Waits for an event that needs a sign-in, which comes in the end."""
    client = Client(load, f"parked{number}")
    await client.deliver(load.make("Events.OpenURL", client.name, url=f"counters://vault/{number}", scene="P", wait="finished"))
    await client.close()


async def coming(load, number):
    """Connects for each of its events, and is in no hurry to send it."""
    while not load.is_ending.is_set():
        call = load.tap(f"coming{number}", "C")
        is_done = False
        while not is_done:
            line = await Line.open(load)
            await asyncio.sleep(load.random.choice([0, 0, 0.001, 0.01, 0.05]))
            try:
                [answer] = await line.send(call.bytes())
                if load.random.random() < 0.3:
                    line.socket.shutdown(socket.SHUT_WR)
                is_done = await load.heard(call, await answer)
            except (Unsent, OSError):
                pass
            await line.close()


class Succession:
    """One daemon after the other at one socket, which this holds as a service manager does."""

    def __init__(self, options, folder):
        self.options, self.folder, self.path = options, folder, str(folder / "s")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(self.path)
        self.listener.listen(4096)
        self.process = None
        self.start()

    def start(self):
        sys.path.append(str(TESTS / "Crowd"))
        from processes import end_with_parent

        arguments = ["--config", "/dev/null", "--log", "text", "--log-level", "warning", "--app", str(TESTS / "Kills/counters.yaml")]
        arguments += ["--state", str(self.folder / "state"), "--transition", str(self.options.transition)]
        for setting in ["retainedEvents=1000000", "retainedRecords=10000000", "retainedRecordBytes=1000000000"]:
            arguments += ["--set", setting]
        command = 'export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=varlink; exec "$0" "$@" 3<&0 0< /dev/null'
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["sh", "-c", command, self.options.scened, *arguments],
                stdin=self.listener,
                stdout=log,
                stderr=log,
                preexec_fn=end_with_parent,
            )

    async def restart(self, load):
        await self.stop(load)
        self.start()

    async def stop(self, load):
        self.process.send_signal(signal.SIGTERM)
        status = await asyncio.to_thread(self.process.wait, PATIENCE)
        if status:
            load.fault(f"a daemon ended with {status}: {(self.folder / 'log').read_text()[-600:]}")


async def command(words, load):
    process = await asyncio.create_subprocess_shell(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output, _ = await process.communicate()
    if process.returncode:
        load.fault(f"'{words}' ended with {process.returncode}: {output.decode()[-600:]}")


async def run(options, load, steps):
    """Runs the load through all steps, each of which restarts the daemon once."""
    line = await Line.open(load)
    load.taps_before = await taps(line)
    for scene in ["S", "C", "P", *(f"W{number}" for number in range(6))]:
        await line.call("Scenes.Connect", scene=scene)
    await line.close()
    pauses = []
    async with asyncio.TaskGroup() as group:
        group.create_task(steadily(load, options.rate))
        if not options.rate:
            for number in range(6):
                group.create_task(waiting(load, number))
                group.create_task(coming(load, number))
            for number in range(2):
                group.create_task(parked(load, number))
        for name, step in steps:
            await load.reach(options.answers)
            began, load.enough = time.monotonic(), load.answers + 10 * options.answers
            await step()
            await load.reach(options.answers)
            pauses.append((name, began, time.monotonic()))
        load.is_ending.set()
        if not options.rate:
            line = await Line.open(load)
            if error := (await line.call("Session.SignIn", user="anna")).get("error"):
                load.fault(f"nobody could sign in: {error}")
            await line.close()
    return pauses


async def taps(line):
    """How many taps were counted."""
    return (await line.call("Session.Get"))["parameters"]["session"]["facts"]["all"]


async def judge(load):
    """What was acknowledged is in the history once, is done, and is known when it is sent again."""
    line = await Line.open(load)
    await line.call("Control.Quiesce")
    calls = list(load.calls.values())
    for begin in range(0, len(calls), AHEAD):
        part = calls[begin : begin + AHEAD]
        answers = await asyncio.gather(*await line.send(b"".join(call.bytes(wait="admitted") for call in part), len(part)))
        for call, answer in zip(part, answers):
            receipt = answer.get("parameters", {}).get("receipt", {})
            if not receipt.get("duplicate") or receipt["ticket"] != call.receipt["ticket"]:
                load.fault(f"{call.id} was told {call.receipt}, and sent again {answer}")
            elif receipt["outcome"] in ("admitted", "gated", "abandoned"):
                load.fault(f"{call.id} is not done: {receipt}")
    admitted, after = collections.Counter(), 0
    while records := (page := (await line.call("Records.Read", after=after, limit=10_000))["parameters"])["records"]:
        for record in records:
            if record["index"] != after + 1:
                load.fault(f"record {record['index']} follows record {after}")
            after = record["index"]
            if record["kind"] == "event.admitted":
                admitted[record["event"]] += 1
        if page.get("next", after) < after:
            break
    for call in calls:
        if admitted[call.id] != 1:
            load.fault(f"{call.id} was told {call.receipt} and admitted {admitted[call.id]} times")
    sent, counted = sum(call.method == "Events.SendIntent" for call in calls), await taps(line) - load.taps_before
    if counted != sent:
        load.fault(f"of {sent} taps, {counted} were counted")
    check = (await line.call("Records.Check")).get("parameters", {})
    if check.get("conclusion") != "holds":
        load.fault(f"the history: {json.dumps(check)[:600]}")
    await line.close()


def report(load, pauses):
    times = sorted((call.due, call.answered) for call in load.calls.values() if call.due is not None and call.answered)
    for name, began, ended in pauses:
        longest = max((answered - due for due, answered in times if answered >= began and due <= ended), default=0)
        print(f"restarts: longest pause at '{name}': {longest * 1000:.0f} ms")
    usual = sorted(answered - due for due, answered in times)
    print(f"restarts: of all answers, half came within {usual[len(usual) // 2] * 1000:.1f} ms")


async def main(options):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scened-restarts-")).resolve()
    succession = None
    try:
        if options.scened:
            (folder / "state").mkdir(mode=0o700)
            succession = Succession(options, folder)
            load = Load(succession.path, options.seed)
            steps = [("a restart", lambda: succession.restart(load))] * options.times
        else:
            load = Load(options.socket, options.seed)
            steps = [(words, lambda words=words: command(words, load)) for words in options.commands]
        pauses = await run(options, load, steps)
        await judge(load)
        if succession:
            await succession.stop(load)
    except* (Gone, TimeoutError) as group:
        load.fault(f"{group.exceptions[0]!r}")
    finally:
        if succession and succession.process.poll() is None:
            succession.process.kill()
        shutil.rmtree(folder, ignore_errors=True)
    if options.rate:
        report(load, pauses)
    for fault in load.faults:
        print(f"restarts: {fault}")
    print(
        f"restarts: {len(steps)} restarts, {load.answers} events acknowledged, {load.draining} answers Draining,"
        f" {load.unsent} calls that could not be sent: {'something was lost' if load.faults else 'nothing was lost'}"
    )
    return 1 if load.faults else 0


def parse():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("commands", nargs="*")
    parser.add_argument("--scened", type=os.path.abspath)
    parser.add_argument("--socket")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--rate", type=int, default=0)
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--transition", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if bool(options.scened) == bool(options.socket and options.commands):
        sys.exit(__doc__)
    return options


if __name__ == "__main__":
    sys.exit(asyncio.run(main(parse())))
