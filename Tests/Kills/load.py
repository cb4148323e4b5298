"""Clients that send until the daemon is gone, go on with the next one, and remember what they were told."""

import asyncio
import json
import logging
import os
import random
import signal
import time

from daemon import PATIENCE

CLIENTS = 32
SCENES = ["A", "B", "C", "D", "E", "F"]
# What comes from inside a window, and has to name it.
INSIDE = ["Events.SendIntent", "Events.Gesture", "Events.FinishFlow"]
LIMIT = 64 << 20
# Where a hold can stop a window.
POINTS = ["admitted", "resolved", "planned", "transition", "settled"]
# How long, in milliseconds, one who holds waits for a catch at most, and then keeps it.
LONGEST_WAIT = 300
# How often a daemon may say that nothing can be written, before it is killed.
REFUSALS = 4_000
# Errors after which nobody knows whether the call was done.
UNTOLD = ("Draining", "StorageFailed")
# That a daemon is gone while somebody writes to it is what this is about.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)


class Sent:
    """A call that sends an event, or a set of them, perhaps more than once."""

    def __init__(self, method, parameters):
        self.method, self.parameters = method, parameters
        self.id, self.scene = parameters["event"], parameters.get("scene")
        count = len(parameters.get("urls", []))
        self.events = [Event(self, f"{self.id}/{place}") for place in range(1, count + 1)] or [Event(self, self.id)]
        # Whether it was refused for good, and whether at least once because nothing could be written.
        self.is_refused = self.is_refused_for_now = False

    @property
    def acknowledged(self):
        """The life in which it was acknowledged first; None if it was not."""
        return self.events[0].acknowledged


class Event:
    """An event that was sent."""

    def __init__(self, sent, id):
        self.sent, self.id = sent, id
        # The life in which it was acknowledged first, and all receipts of it, each with the life.
        self.acknowledged, self.receipts = None, []


class Memory:
    """What anybody was told in all lives of one history."""

    def __init__(self, seed, app, durability):
        self.app, self.life = app, 0
        # Whether what anybody was told is kept; else only what is kept has to be right.
        self.is_kept = durability != "relaxed"
        self.records, self.followed = {}, {}
        # Whether the host was to be reset, and the ID of the new one, if anybody was told.
        self.is_reset, self.reset_to = False, None
        self.sessions, self.scenes, self.faults = [], [], []
        # By their IDs.
        self.events = {}
        self.replies = self.acknowledged = self.repeated = self.made = self.refused = 0
        # What holds have caught, as anybody was told.
        self.catches = []
        # Who is there besides the clients.
        self.guests = []
        self.clients = [Client(self, number, random.Random(f"{seed} {number}")) for number in range(CLIENTS)]

    def fault(self, text):
        if len(self.faults) < 40:
            self.faults.append(f"life {self.life}: {text}")

    def lost(self, text):
        if self.is_kept:
            self.fault(text)

    def record(self, index, text):
        """Remembers a record by its bytes. What was told once must not be told in another way."""
        known = self.records.setdefault(index, text)
        if known != text and self.is_kept:
            self.fault(f"record {index} was told as {known.decode()} and then as {text.decode()}")
        self.followed.setdefault(index, self.life)


class Gone(Exception):
    pass


class Line:
    """A connection."""

    def __init__(self, life, reader, writer):
        self.life, self.reader, self.writer = life, reader, writer

    @classmethod
    async def open(cls, life):
        try:
            return cls(life, *await asyncio.open_unix_connection(life.path, limit=LIMIT))
        except OSError as error:
            raise Gone from error

    def send(self, method, parameters, **flags):
        call = {"method": f"io.scened.{method}", "parameters": parameters, **flags}
        self.writer.write(json.dumps(call).encode() + b"\0")

    async def receive(self):
        try:
            return (await asyncio.wait_for(self.reader.readuntil(b"\0"), PATIENCE))[:-1]
        except (asyncio.IncompleteReadError, OSError) as error:
            raise Gone from error
        except TimeoutError:
            if self.life.is_killed:
                raise Gone from None
            self.life.memory.fault(f"no answer within {PATIENCE} s")
            self.life.kill()
            raise Gone from None

    async def answer(self):
        reply = json.loads(await self.receive())
        error = reply.get("error")
        if error and error.endswith("StorageFailed"):
            # Until the disk works again there is nothing to hurry for.
            self.life.was_refused()
            await asyncio.sleep(0.05)
        else:
            self.life.heard()
        return reply.get("parameters") or {}, error

    async def call(self, method, **parameters):
        self.send(method, parameters)
        return await self.answer()

    def close(self):
        self.writer.close()


class Life:
    """One life of the daemon under load."""

    def __init__(self, memory, place, process, plan, budget):
        self.memory, self.path, self.process, self.plan = memory, place.socket, process, plan
        self.place, self.budget = place, budget
        self.replies, self.refused, self.is_killed, self.is_stopping, self.reached = 0, 0, False, False, 0
        self.catches = 0

    def heard(self):
        self.replies += 1
        self.memory.replies += 1
        plan = self.plan
        if self.is_killed or self.is_stopping:
            return
        if plan.fails and not self.reached and self.place.control.call:
            # The host forgets events if more and more come.
            self.reached = self.replies
            self.budget = self.replies + 300
        if plan.kind == "replies" and self.replies >= plan.at:
            self.kill()
        elif plan.kind == "power" and self.replies >= plan.at:
            control = self.place.control
            control["at"] = control["count"] + 1 + plan.seed % 40
            self.is_stopping = True
        elif plan.kind == "stop" and self.replies >= 40:
            control = self.place.control
            if plan.mode == "forget":
                control["failing"] = plan.at
            else:
                control["at"] = control["count"] + plan.at
            self.is_stopping = True
            self.process.send_signal(signal.SIGTERM)
        elif self.replies >= self.budget:
            self.kill()

    async def caught(self):
        """Something is held: perhaps the daemon is to end now."""
        self.catches += 1
        if self.plan.kind != "held" or self.catches != self.plan.at:
            return
        # What comes meanwhile waits for what is held.
        await asyncio.sleep(self.plan.seed % 4 * 0.02)
        if self.plan.mode == "power":
            control = self.place.control
            control["at"] = control["count"] + 1 + self.plan.seed % 20
            self.is_stopping = True
        else:
            self.kill()

    def saw_session(self, session):
        # While nothing can be written, reads tell what is not kept yet.
        if not self.plan.fails:
            self.memory.sessions.append((self.memory.life, session))

    def kill(self):
        self.is_killed = True
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)

    def was_refused(self):
        self.memory.refused += 1
        self.refused += 1
        # If it never works again, that is enough.
        if self.refused == REFUSALS:
            self.kill()

    @property
    def is_over(self):
        """Whether the clients are to end, because the host is going to be reset."""
        return self.plan.kind == "reset" and self.replies >= 40

    async def run(self):
        """Runs all clients and a follower until the daemon is gone. Returns how it ended: a status as of subprocess."""
        watch = asyncio.create_task(self.watch())
        try:
            async with asyncio.TaskGroup() as group:
                follower = group.create_task(self.follow())
                guests = [group.create_task(guest.work(self)) for guest in self.memory.guests]
                work = [group.create_task(client.work(self)) for client in self.memory.clients]
                if self.plan.kind == "reset":
                    await asyncio.wait(work)
                    await self.reset()
                    for task in (follower, *guests):
                        task.cancel()
        finally:
            watch.cancel()
        return self.process.wait(PATIENCE)

    async def reset(self):
        """Has the host begin anew, and kills it if that comes to its end."""
        memory = self.memory
        try:
            line = await Line.open(self)
            control = self.place.control
            control["at"] = control["count"] + self.plan.at
            self.is_stopping, memory.is_reset = True, True
            answer, error = await line.call("Control.Reset")
            if error:
                memory.fault(f"Control.Reset: {error} {answer}")
            else:
                memory.reset_to = answer["host"]
        except Gone:
            pass
        self.kill()

    async def watch(self):
        """Ends what goes on for too long."""
        began = time.monotonic()
        while time.monotonic() < began + 2 * PATIENCE:
            await asyncio.sleep(0.5)
            if self.is_stopping and self.replies >= self.budget:
                self.kill()
        self.kill()

    async def follow(self):
        """Follows the records, sometimes from the first on."""
        memory = self.memory
        newest = max(memory.records, default=0)
        after = 0 if memory.life % 7 == 0 else max(0, newest - 20)
        try:
            line = await Line.open(self)
            line.send("Records.Read", {"after": after}, more=True)
            while True:
                for index, text in records_of(await line.receive()):
                    memory.record(index, text)
        except Gone:
            pass


DECODER = json.JSONDecoder()


def records_of(reply):
    """The records of a reply, each as its index and its bytes."""
    text = reply.decode()
    begin = text.find('"records":[') + len('"records":[')
    if begin < len('"records":['):
        return
    while text[begin] != "]":
        if text[begin] == ",":
            begin += 1
        record, end = DECODER.raw_decode(text, begin)
        yield record["index"], text[begin:end].encode()
        begin = end


class Client:
    """A client with one connection at a time."""

    def __init__(self, memory, number, random):
        self.memory, self.number, self.random = memory, number, random
        self.home = SCENES[number % len(SCENES)]
        self.sent = []
        self.extra = 0

    async def work(self, life):
        try:
            line = await Line.open(life)
            try:
                await self.go_on(life, line)
                while not life.is_over:
                    await self.act(life, line)
            finally:
                line.close()
        except Gone:
            pass

    async def go_on(self, life, line):
        """Repeats what was not acknowledged, in its order, and asks for what was in the last life."""
        await self.deliver(life, line, [sent for sent in self.sent if sent.acknowledged is None and not sent.is_refused])
        known = [sent for sent in self.sent if sent.acknowledged == life.memory.life - 1]
        events = [event for sent in known for event in sent.events]
        for event in events:
            line.send("Events.Get", {"event": event.id})
        for event in events:
            parameters, error = await line.answer()
            if error and error.endswith(UNTOLD):
                continue
            if error:
                life.memory.lost(f"{event.id} was acknowledged as {event.receipts[-1]}, and now: {error}")
            else:
                self.told(life, event, parameters["receipt"])
        again = self.random.sample(known, min(3, len(known)))
        life.memory.repeated += len(again)
        await self.deliver(life, line, again)

    async def deliver(self, life, line, batch):
        """Sends events, all before the first answer."""
        if not batch:
            return
        for sent in batch:
            line.send(sent.method, sent.parameters)
        for sent in batch:
            parameters, error = await line.answer()
            if error and error.endswith(UNTOLD):
                sent.is_refused_for_now |= error.endswith("StorageFailed")
                continue
            if error:
                if sent.acknowledged is not None:
                    life.memory.lost(f"{sent.id} was acknowledged, and sent again: {error} {parameters}")
                elif not error.endswith(("QueueFull", "TooMuchWaiting", "UnknownScene", "NoEligibleScene")):
                    life.memory.fault(f"{sent.id} {sent.method} {sent.parameters}: {error} {parameters}")
                sent.is_refused = True
                continue
            receipts = parameters.get("receipts") or [parameters["receipt"]]
            for event, receipt in zip(sent.events, receipts, strict=True):
                if event.acknowledged is not None and not receipt["duplicate"]:
                    life.memory.lost(f"{event.id} was acknowledged, and was admitted again: {receipt}")
                self.told(life, event, receipt)

    def told(self, life, event, receipt):
        if event.acknowledged is None:
            event.acknowledged = life.memory.life
            life.memory.acknowledged += 1
        event.receipts.append((life.memory.life, {name: receipt.get(name) for name in ("scene", "ticket", "outcome", "reason")}))

    async def act(self, life, line):
        random, memory = self.random, life.memory
        kind = random.random()
        if kind < 0.80:
            batch = []
            for _ in range(random.choice([1, 1, 2, 4])):
                memory.made += 1
                method, parameters = memory.app.event(random, memory.made)
                scene = self.home if random.random() < 0.8 else random.choice(SCENES)
                if method not in INSIDE and (random.random() < 0.2 or parameters.get("interaction") == "action"):
                    scene = None
                wait = random.choice(["admitted", "settled"])
                if memory.app.counts(method, parameters) and parameters.get("name") != "buyNow":
                    wait = random.choice(["admitted", "settled", "finished"])
                parameters = parameters | {"event": f"c{self.number}-{memory.made}", "wait": wait}
                if scene:
                    parameters["scene"] = scene
                sent = Sent(method, parameters)
                memory.events |= {event.id: event for event in sent.events}
                self.sent.append(sent)
                batch.append(sent)
            await self.deliver(life, line, batch)
        elif kind < 0.805 and memory.app.manifests:
            await self.reload(life, line)
        elif kind < 0.86:
            memory.made += 1
            method, parameters = memory.app.session_call(random, memory.made)
            answer, error = await line.call(method, **parameters)
            if not error:
                life.saw_session(answer["session"])
        elif kind < 0.91:
            await self.change_scene(life, line)
        elif kind < 0.94:
            answer, error = await line.call("Session.Get")
            if not error:
                life.saw_session(answer["session"])
        elif kind < 0.97:
            answer, error = await line.call("Scenes.Get", scene=random.choice(SCENES))
            if not error:
                self.saw(life, answer["scene"])
        elif self.sent:
            event = random.choice(random.choice(self.sent[-50:]).events)
            answer, error = await line.call("Events.Get", event=event.id)
            if not error:
                self.told(life, event, answer["receipt"])
            elif event.acknowledged is not None and not error.endswith(UNTOLD):
                memory.lost(f"{event.id} was acknowledged, and now: {error}")

    async def reload(self, life, line):
        """Puts the other version of the manifest in force."""
        place = life.place
        is_second = place.manifest.read_text() == self.memory.app.manifests[1]
        new = place.folder / f"new-{self.number}"
        new.write_text(self.memory.app.manifests[0 if is_second else 1])
        new.rename(place.manifest)
        answer, error = await line.call("Manager.Reload")
        if error and not error.endswith(UNTOLD):
            life.memory.fault(f"Manager.Reload: {error} {answer}")

    def saw(self, life, scene):
        if life.plan.fails:
            return
        seen = {name: scene[name] for name in ("id", "admitted", "settled", "revision", "connected")}
        life.memory.scenes.append((life.memory.life, seen))

    async def change_scene(self, life, line):
        random = self.random
        kind = random.random()
        if kind < 0.35:
            answer = await line.call("Scenes.Connect", scene=self.home, background=random.random() < 0.3)
        elif kind < 0.6:
            answer = await line.call("Scenes.Disconnect", scene=self.home)
        elif kind < 0.9:
            activation = random.choice(["foregroundActive", "foregroundInactive", "background"])
            answer = await line.call("Scenes.SetActivation", scene=self.home, activation=activation)
        else:
            self.extra += 1
            scene = f"extra-{self.number}-{self.extra}"
            answer = await line.call("Scenes.Connect", scene=scene, background=True)
            if not answer[1]:
                self.saw(life, answer[0]["scene"])
                answer = await line.call("Scenes.Discard", scene=scene)
            return
        if not answer[1]:
            self.saw(life, answer[0]["scene"])


class Catch:
    """What a hold has caught: the window, the event, and its ticket; of a sweep only the window."""

    def __init__(self, life, told):
        self.life, self.event, self.scene, self.ticket = life, told.get("event"), told.get("scene"), told.get("ticket")
        # Whether it was released by one who knew that the daemon was there; else it was held when the daemon ended.
        self.is_released = False


class Guest:
    """Somebody who sends nothing that has to be kept, until the daemon is gone."""

    def __init__(self, number, random):
        self.name, self.random = f"guest-{number}", random

    async def work(self, life):
        try:
            line = await Line.open(life)
            try:
                await self.visit(life, line)
            finally:
                line.close()
        except Gone:
            pass


class Holder(Guest):
    """Holds windows at a point of their work, and lets them go on after a while."""

    async def visit(self, life, line):
        """A hold ends with its connection, so however this ends, nothing is held on."""
        await self.find_none(life, line)
        while True:
            await self.hold(life, line)
            await asyncio.sleep(self.random.random() * 0.05)
            # Now and then by another connection.
            if self.random.random() < 0.3:
                await self.hold_once(life)

    async def hold_once(self, life):
        """Does not release what it holds, but closes the connection."""
        line = await Line.open(life)
        try:
            await self.hold(life, line, releases=False)
        finally:
            line.close()

    async def find_none(self, life, line):
        """No hold is kept over the daemon's end."""
        answer, error = await line.call("Control.Await", hold=self.name, timeoutMilliseconds=0)
        if not error or not error.endswith(("UnknownHold", *UNTOLD)):
            life.memory.fault(f"{self.name}, a hold of the life before, is still there: {error} {answer}")

    def ended(self, life):
        """With what a call may be answered whose hold is there no more: a daemon that stops in order releases all."""
        return (*UNTOLD, "UnknownHold") if life.plan.kind == "stop" and life.is_stopping else UNTOLD

    async def hold(self, life, line, releases=True):
        """Holds until something is caught, or nothing was for a while."""
        random = self.random
        which = {"point": random.choice(POINTS), "hold": self.name}
        if random.random() < 0.7:
            which["scene"] = random.choice(SCENES)
        if random.random() < 0.3:
            which["kind"] = random.choice(["dispatch", "resume", "sweep"])
        answer, error = await line.call("Control.Hold", **which)
        # A hold of this name may be on its way out with the connection before; a window may not be there.
        if error and error.endswith(("HoldExists", "UnknownScene", *UNTOLD)):
            await asyncio.sleep(0.02)
            return
        if error:
            life.memory.fault(f"Control.Hold {which}: {error} {answer}")
            return
        told, error = await line.call("Control.Await", hold=self.name, timeoutMilliseconds=random.randrange(LONGEST_WAIT))
        catch = None if error else Catch(life.memory.life, told)
        if catch:
            life.memory.catches.append(catch)
            await life.caught()
            await asyncio.sleep(random.random() * LONGEST_WAIT / 1_000)
        elif not error.endswith(("TimedOut", *self.ended(life))):
            life.memory.fault(f"Control.Await {which}: {error} {told}")
        if releases:
            answer, error = await line.call("Control.Release", hold=self.name)
            if error and not error.endswith(self.ended(life)):
                life.memory.fault(f"Control.Release {which}: {error} {answer}")
        if catch:
            catch.is_released = True


class Reader(Guest):
    """Reads all records again and again, so that often somebody still reads an earlier state of the database, and not all of the
    log can move into it."""

    async def visit(self, life, line):
        while True:
            line.send("Records.Read", {"after": 0, "limit": 5_000})
            await line.receive()


async def connect_scenes(life):
    """Opens the windows that are not there yet."""
    try:
        line = await Line.open(life)
        for scene in SCENES:
            await line.call("Scenes.Connect", scene=scene)
        line.close()
    except Gone:
        pass
