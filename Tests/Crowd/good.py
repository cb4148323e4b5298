"""The clients who must not notice the crowd, and what became of them."""

import collections
import contextlib
import json
import re
import signal
import subprocess
import time

from processes import Told, until_told
from wire import PATIENCE, Connection, Gone, message


def good_client(path, number):
    """Works in a window of its own until SIGTERM, and checks every answer. Returns when each call began and how long it took, and
    the same of visits: connections made anew for one call."""
    signal.signal(signal.SIGTERM, until_told)
    scene, sent, wrong, calls, visits, began = f"good-{number}", 0, [], [], [], None
    revision = 0

    def call(connection, method, **parameters):
        nonlocal began
        began = time.monotonic()
        answer = connection.call(method, **parameters)
        calls.append((began, time.monotonic() - began))
        began = None
        return answer

    def expect(what, found, wanted):
        if found not in wanted:
            wrong.append(f"{what} of {scene}: {found!r}")

    try:
        with Connection(path) as connection:
            call(connection, "io.scened.Scenes.Connect", scene=scene)
            while True:
                event, product = f"{scene}-{sent + 1}", f"p{sent % 997 + 1}"
                receipt = call(
                    connection,
                    "io.scened.Events.OpenURL",
                    url=f"https://shop.example/product/{product}",
                    scene=scene,
                    event=event,
                )["receipt"]
                sent += 1
                expect("event", receipt["event"], [event])
                expect("ticket", receipt["ticket"], [sent])
                expect("outcome", receipt["outcome"], ["applied", "unchanged"])
                again = call(connection, "io.scened.Events.Get", event=event)["receipt"]
                expect("outcome read again", again["outcome"], [receipt["outcome"]])
                shown = call(connection, "io.scened.Scenes.Get", scene=scene)["scene"]
                expect("scene", shown["id"], [scene])
                expect("settled", shown["settled"], [sent])
                session = call(connection, "io.scened.Session.Get")["session"]
                expect("revision", session["revision"] >= revision, [True])
                revision = session["revision"]
                if sent % 10 == 0:
                    began = visited = time.monotonic()
                    with Connection(path) as another:
                        another.call("org.varlink.service.GetInfo")
                    visits.append((visited, time.monotonic() - visited))
                    began = None
                time.sleep(0.01)
    except Told:
        # A call that was never answered waited at least until now.
        if began:
            calls.append((began, time.monotonic() - began))
    except (Gone, OSError, RuntimeError, KeyError, ValueError) as error:
        wrong.append(f"{scene}: {error!r}")
    return {"scene": scene, "sent": sent, "calls": calls, "visits": visits, "wrong": wrong[:5], "wrongs": len(wrong)}


def keeper(path, file):
    """Follows every record and keeps it, until SIGTERM and then up to the newest record."""
    told, newest, tail = [], None, b""
    signal.signal(signal.SIGTERM, lambda *_: told.append(True))
    with Connection(path, timeout=0.2) as connection:
        connection.send(message("io.scened.Records.Read", {"after": 0}, more=True))
        while True:
            with contextlib.suppress(TimeoutError):
                data = connection.socket.recv(1 << 20)
                file.write(data)
                if not data:
                    return False
                tail = (tail + data)[-4_096:]
            if told and newest is None:
                with Connection(path, timeout=PATIENCE) as another:
                    newest = another.call("io.scened.Manager.GetStatus")["records"]
            if newest is not None and newest <= max(map(int, re.findall(rb'"next":(\d+)', tail)), default=0):
                return True


def judge_good(clients, alone, attacked):
    """Figures of two periods, each from its beginning to its end."""

    def figures(what, period):
        first, last = period
        times = sorted(length for client in clients for start, length in client[what] if first <= start < last)
        if not times:
            return None
        return {
            "calls": len(times),
            "p50": times[len(times) // 2] * 1e3,
            "p99": times[len(times) * 99 // 100] * 1e3,
            "max": times[-1] * 1e3,
        }

    return {
        "alone": figures("calls", alone),
        "attacked": figures("calls", attacked),
        "visiting alone": figures("visits", alone),
        "visiting": figures("visits", attacked),
        "wrong": sum(client["wrongs"] for client in clients),
        "examples": [text for client in clients for text in client["wrong"]][:5],
    }


def judge_history(options, folder, clients, newest):
    """What the record follower has seen, and what the checker makes of it."""
    last, gaps, admitted, ended = 0, 0, collections.defaultdict(list), collections.defaultdict(list)
    with open(folder / "records", "rb") as kept, open(folder / "history", "w") as history:
        for text in kept.read().split(b"\0")[:-1]:
            for record in json.loads(text)["parameters"]["records"]:
                gaps += record["kind"] == "gap" or record["index"] != last + 1
                last = record["index"]
                if record.get("scene", "").startswith("good-"):
                    if record["kind"] == "event.admitted":
                        admitted[record["scene"]].append(record["ticket"])
                    elif record["kind"] == "dispatch.ended":
                        ended[record["scene"]].append(record["ticket"])
                history.write(json.dumps(record) + "\n")
    lost = 0
    for client in clients:
        for tickets in admitted[client["scene"]], ended[client["scene"]]:
            # The last event may have been sent and its answer not read.
            lost += len(set(range(1, client["sent"] + 1)) - set(tickets)) + len(tickets) - len(set(tickets))
    command = [options.scenectl, "check", str(folder / "history"), "--budget", "1000000"]
    checker = subprocess.run(command, capture_output=True, text=True)
    return {
        "records": last,
        "newest": newest,
        "gaps": gaps,
        "lost": lost,
        "checker": checker.returncode,
        "verdict": checker.stdout[-2_000:] + checker.stderr[-500:],
    }
