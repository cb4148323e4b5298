"""Kills the daemon anywhere: under load of 32 clients and two users, at every call that changes its state's files and at random,
lets it go on each time, and judges the one history that all lives together have made.

Usage: kills.py --scened PATH --shop-daemon PATH [--only PHASE,…] [--random N] [--power N] [--seed N] [--short] [--again]

Phases: "empty" kills at each call from the first opening of an empty folder on, "made" also where the daemon makes the folder,
"again" from each start after a kill on, "moving" while changes are moved from the log into the database, "stop" while the daemon
stops in order, "reset" while its host is reset. Each of the calls is killed at in these ways: before it, after half of its bytes,
after it, and by a loss of power, which takes back all that was not synced, or some of it. "steps" kills after each transaction
where each step has one, "random" at any time, and "power" loses power at any time. "fail" has calls fail instead, from each on,
with a full disk, one that cannot be written to, or errors of input and output, and kills at last. "forget" has one sync fail as
on Linux: what it should have written is never on the disk, though later syncs work, unless it is written again; then it loses
power, in that life or the next. In "holds" others hold windows meanwhile, and the daemon also ends while something is held.
What a relaxed daemon has told may be lost; then only what is left has to be right.

A history that held with the same programs is not made again, so that a run that was cut short goes on.

Exit status: 0 every history holds, 1 one does not, 2 usage, 77 it cannot run here.
"""

import argparse
import asyncio
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

from apps import Bank, Counters, Shop
from daemon import AT_ONCE, PATIENCE, UNUSABLE, UNWRITTEN, DidNotStart, Place, Plan
from judgement import Final, judge, judge_reset
from load import Gone, Holder, Life, Line, Memory, Reader, connect_scenes, records_of

HERE = pathlib.Path(__file__).parent
# How many replies a life has at most that is to be killed at a call.
BUDGET = 700
# How many calls after those of its opening a daemon is killed at.
LOAD_CALLS = 240
LIVES = 20
# After how many steps, each with a transaction of its own, a daemon is killed at most.
STEPS = 240
# How a call is killed at, and what a loss of power leaves of what was not synced.
WAYS = [("before", "some"), ("half", "some"), ("after", "some"), ("power", "none"), ("power", "some")]


# With what calls fail, and how many one after the other: the daemon tries again once a second.
FAILURES = ["ENOSPC*1", "ENOSPC*3", "EIO*1", "EIO*2", "EROFS*2", "ENOSPC*1000000"]


# In what lives a sync fails and forgets: of what kind they are, how many syncs do, each in its life, and when the power is lost.
FORGETTING = {
    "empty": ("sync", 20, [3]),
    "again": ("sync", 20, [40, 400]),
    "moved": ("moved", 10, [3, 60, 600]),
    # While others read, only a part of the log can move at once.
    "read": ("inner", 4, [40, 600]),
    "stop": ("stop", 5, [1, 3]),
    "killed": ("sync", 10, [AT_ONCE]),
    "killed-moved": ("moved", 5, [AT_ONCE]),
    "killed-stop": ("stop", 5, [AT_ONCE]),
}
# Those of them that the short form has.
SHORT_FORGETTING = ("forget-empty-16-some", "forget-again-1-some", "forget-stop-1-none", "forget-killed-1-none")
# In how many histories windows are held.
HOLDING = 40


class History:
    """The lives of one history: how each ends."""

    def __init__(self, name, app, durability, plans, seed, has_folder=True, guests=()):
        self.name, self.app, self.durability, self.plans, self.seed = name, app, durability, plans, seed
        # Whether the folder is there, as a service manager makes it, or the daemon has to make it.
        self.has_folder = has_folder
        # Who is there besides the clients: classes.
        self.guests = guests
        # In milliseconds. The longer it takes, the more attempts are going on when the daemon is killed.
        self.transition = (0, 0, 15)[seed // 16 % 3]


def run_history(options, history):
    """Returns what was seen: counts, and faults."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scened-kills-")).resolve()
    seen = collections.Counter()
    seen_calls = collections.Counter()
    app = options.apps[history.app]
    promises = options.judge_as or history.durability
    memory = Memory(f"{options.seed} {history.seed}", app, promises)
    for number, guest in enumerate(history.guests):
        memory.guests.append(guest(number, random.Random(f"{options.seed} {history.seed} guest {number}")))
    place = Place(folder, app, options.library, history.durability, history.transition)
    if history.has_folder:
        place.state.mkdir(mode=0o700)
    final, faults = None, []
    try:
        for plan in history.plans:
            memory.life += 1
            run_life(options, memory, place, plan, seen, seen_calls)
            if memory.faults:
                break
        memory.life += 1
        process = place.start(Plan("none", 0))
        final = asyncio.run(finish(memory, place, process))
        if final.check:
            try:
                faults = judge_reset(memory, final) if final.is_new else judge(memory, final)
            except Exception:
                faults = [f"it cannot be judged: {traceback.format_exc()}"]
        else:
            faults = memory.faults
        process.send_signal(signal.SIGTERM)
        if process.wait(PATIENCE) != 0 and not faults:
            faults = [f"the last daemon ended with {process.returncode}: {place.end_of_log()}"]
    except DidNotStart as error:
        faults = [*memory.faults, f"life {memory.life}: the daemon {error}"]
    except subprocess.TimeoutExpired:
        faults = [*memory.faults, f"life {memory.life}: the daemon does not end within {PATIENCE} s"]
    finally:
        if place.starts and place.process.poll() is None:
            place.process.kill()
            place.process.wait()
    result = {
        "name": history.name,
        "app": history.app,
        "durability": history.durability,
        "kills": dict(seen),
        "calls": dict(seen_calls),
        "acknowledged": memory.acknowledged,
        "repeated": memory.repeated,
        "replies": memory.replies,
        "refused": memory.refused,
        "records": len(final.records) if final else 0,
        "restarts": final.restarts() if final else [],
        "faults": faults,
    }
    if faults:
        keep_evidence(options, history, folder, memory, final, faults)
    shutil.rmtree(folder, ignore_errors=True)
    return result


def run_life(options, memory, place, plan, seen, seen_calls):
    """Lets one daemon live until it ends as planned."""
    process = place.start(plan)
    status = process.poll()
    has_listened = status is None
    if has_listened:
        is_moving = plan.kind in ("moving", "moved", "inner")
        budget = BUDGET * (6 if is_moving else 1) // (3 if plan.fails and not is_moving else 1)
        life = Life(memory, place, process, plan, budget)

        async def live():
            await connect_scenes(life)
            return await life.run()

        status = asyncio.run(live())
    if held := sum(catch.life == memory.life and not catch.is_released for catch in memory.catches):
        seen["held at an end"] += held
    control = place.control
    expected = {-signal.SIGKILL}
    if plan.kind == "stop":
        expected |= {0, UNWRITTEN} if plan.fails else {0}
    if status == UNUSABLE and plan.fails and control.call and not has_listened:
        expected.add(UNUSABLE)
        if str(place.state) not in place.end_of_log():
            memory.fault(f"the daemon ended with {status} and does not say what is wrong: {place.end_of_log()}")
    # What was moved into the database and cannot be synced there is moved again by the next one.
    if status == UNWRITTEN and plan.fails and "could not be synced" in place.end_of_log():
        expected.add(UNWRITTEN)
    if status not in expected:
        memory.fault(f"the daemon ended with {status}: {place.end_of_log()}")
    if control.call:
        kind = control.call.split(" ")
        # Only what writes has a half.
        mode = "after" if plan.mode == "half" and kind[0] not in ("write", "pwrite") else plan.mode
        seen[mode if mode not in ("power", "fail", "forget") else f"{mode} {plan.keep}"] += 1
        if status in (UNUSABLE, UNWRITTEN):
            seen[f"ended with {status}"] += 1
        seen_calls[f"{kind[0]} {kind[1]}"] += 1
        seen["changes dropped"] += control["dropped"]
        seen["changes unsynced"] += control["unsynced"]
        seen["sectors forgotten"] += control["forgotten"]
        seen["sectors missed"] += control["missed"]
    elif status == 0:
        seen["stopped in order"] += 1
    elif plan.kind in ("replies", "time"):
        seen["random"] += 1
    elif plan.kind == "held" and life.catches >= plan.at:
        seen["while something was held"] += 1
    else:
        seen["call not reached"] += 1


async def finish(memory, place, process):
    """Lets the last daemon do what is left, and asks it everything."""
    final = Final()
    life = Life(memory, place, process, Plan("none", 0), budget=1 << 60)
    try:
        if memory.is_reset:
            line = await Line.open(life)
            await final.look(memory, line)
            line.close()
        if not final.is_new:
            await connect_scenes(life)
            for client in memory.clients:
                line = await Line.open(life)
                await client.go_on(life, line)
                line.close()
        line = await Line.open(life)
        _, error = await line.call("Control.Quiesce", timeoutMilliseconds=PATIENCE * 1_000 - 5_000)
        if error:
            memory.fault(f"it does not come to rest: {error}")
        # Nobody sends anything any more, but a sign-in may expire: what is asked has to be of one time.
        while True:
            status, _ = await line.call("Manager.GetStatus")
            await ask(memory, final, line)
            if status["records"] == max(final.records, default=0):
                break
        answer, error = await line.call("Records.Check")
        final.check = answer if not error else {"conclusion": error, "verdicts": []}
        line.close()
    except Gone:
        memory.fault(f"the last daemon is gone: {place.end_of_log()}")
    return final


async def ask(memory, final, line):
    """Asks for all receipts, the session and all records."""
    known = [event for event in memory.events.values() if not event.sent.is_refused]
    for begin in range(0, len(known), 500):
        part = known[begin : begin + 500]
        for event in part:
            line.send("Events.Get", {"event": event.id})
        for event in part:
            answer, error = await line.answer()
            if not error:
                final.receipts[event.id] = answer["receipt"]
    answer, _ = await line.call("Session.Get")
    final.session = answer["session"]
    after = max(final.records, default=0)
    while True:
        line.send("Records.Read", {"after": after, "limit": 5_000})
        page = dict(records_of(await line.receive()))
        if not page:
            break
        final.records |= page
        after = max(page)


def keep_evidence(options, history, folder, memory, final, faults):
    """Leaves what is needed to understand a fault: the state, the logs, and what was told."""
    target = options.keep / f"{history.name}-{options.seed}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in ["state", "before"]:
        if (folder / name).exists():
            shutil.copytree(folder / name, target / name)
    for path in [folder / "log", *folder.glob("calls-*")]:
        if path.exists():
            shutil.copy(path, target / path.name)
    lines = [f"{memory.followed[index]} {text.decode()}" for index, text in sorted(memory.records.items())]
    (target / "told-records").write_text("\n".join(lines) + "\n")
    if final:
        (target / "records").write_text("".join(text.decode() + "\n" for _, text in sorted(final.records.items())))
    told = {
        event.id: {
            "method": event.sent.method,
            "parameters": event.sent.parameters,
            "receipts": event.receipts,
            "refused": event.sent.is_refused,
        }
        for event in memory.events.values()
    }
    (target / "told.json").write_text(
        json.dumps({"events": told, "sessions": memory.sessions, "scenes": memory.scenes}, indent=1)
    )
    plans = "\n".join(f"  life {number}: {plan}" for number, plan in enumerate(history.plans, 1))
    again = f"kills.py --again --only {history.name} --seed {options.seed}"
    if options.without_sync:
        again += " --without-sync"
    if options.without_rewrites:
        again += " --without-rewrites"
    if options.judge_as:
        again += f" --judge-as {options.judge_as}"
    (target / "faults").write_text("\n".join(faults) + f"\n\n{history.app}, {history.durability}\n{plans}\nrepeat: {again}\n")


# What is killed where


def measure(options):
    """How many calls a daemon makes: those of opening an empty folder, of going on, of moving the log, of its end, and
    of a reset."""
    lengths, names = {}, collections.Counter()
    with tempfile.TemporaryDirectory(prefix="scened-kills-") as folder:
        folder = pathlib.Path(folder).resolve()
        app = options.apps["counters"]
        place, memory = Place(folder, app, options.library, "group"), Memory("measure", app, "group")

        def opening(name):
            process = place.start(Plan("none", 0))
            lengths[name] = place.control["count"]
            return process

        process = opening("empty")
        life = Life(memory, place, process, Plan("replies", 300), 10**9)

        async def live(life):
            memory.life += 1
            await connect_scenes(life)
            return await life.run()

        asyncio.run(live(life))
        names.update(place.names_of_calls())
        opening("again")
        plan = Plan("replies", 5_000)
        life = Life(memory, place, place.process, plan, 10**9)
        asyncio.run(live(life))
        calls = place.names_of_calls()
        names.update(calls)
        lengths["moving"] = moving_length(calls)
        process = place.start(Plan("none", 0))
        never = 1 << 40
        asyncio.run(live(Life(memory, place, process, Plan("stop", never), 10**9)))
        names.update(place.names_of_calls())
        lengths["stop"] = place.control["count"] - (place.control["at"] - never)
    # A reset removes what there is, so of a host that is as old as those of the histories.
    with tempfile.TemporaryDirectory(prefix="scened-kills-") as folder:
        place, memory = Place(pathlib.Path(folder).resolve(), app, options.library, "group"), Memory("measure", app, "group")
        for plan in (Plan("replies", 80), Plan("reset", never)):
            asyncio.run(live(Life(memory, place, place.start(Plan("none", 0)), plan, 10**9)))
        names.update(place.names_of_calls())
        lengths["reset"] = place.control["count"] - (place.control["at"] - never)
    return lengths, names


def moving_length(calls):
    """How many calls the longest move from the log into the database takes, until the log is written again."""
    longest = length = 0
    for call in calls:
        if call == "pwrite state.sqlite" or length:
            length += 1
        if call == "pwrite state.sqlite-wal":
            longest, length = max(longest, length), 0
    return longest


def histories(options, lengths):
    """All histories, in their order. What one is depends on its name and the seed alone."""
    made = []

    def add(name, kinds, durability=None, app=None, **more):
        """Arguments: each life by its kind, number, mode, and what is left by a loss of power."""
        number = zlib.crc32(f"{options.seed} {name}".encode())
        chance = random.Random(number)
        app = app or ("counters", "shop", "bank", "shop")[number % 4]
        durability = durability or ("strict" if number // 4 % 4 == 3 else "group")
        plans = [Plan(*kind, seed=chance.randrange(1 << 40)) if kind else random_plan(chance) for kind in kinds]
        made.append(History(name, app, durability, plans, number, **more))

    for at in range(1, lengths["empty"] + LOAD_CALLS // 4 + 1):
        for mode, keep in WAYS:
            add(f"empty-{at}-{mode}-{keep}", [("call", at, mode, keep), ("replies", 1 + at % 60)])
    # Who makes the folder has to sync the one that it is in.
    for at in (60, lengths["empty"] + LOAD_CALLS):
        for keep in ("none", "some"):
            add(f"made-{at}-{keep}", [("call", at, "power", keep)], has_folder=False)
    for mode, keep in WAYS:
        for first in range(1, lengths["again"] + LOAD_CALLS + 1, LIVES):
            kinds = [("call", at, mode, keep) for at in range(first, first + LIVES)]
            add(f"again-{first}-{mode}-{keep}", [("replies", 80), *kinds])
        for first in range(1, lengths["moving"] + 6, LIVES // 2):
            kinds = [("moving", at, mode, keep) for at in range(first, first + LIVES // 2)]
            add(f"moving-{first}-{mode}-{keep}", [("replies", 80), *kinds])
        for first in range(1, lengths["stop"] + 1, LIVES):
            add(f"stop-{first}-{mode}-{keep}", [("stop", at, mode, keep) for at in range(first, first + LIVES)])
        # It is one transaction of hundreds of writes.
        for at in sorted({*range(1, lengths["reset"] + 1, 20), *range(max(1, lengths["reset"] - 9), lengths["reset"] + 1)}):
            add(f"reset-{at}-{mode}-{keep}", [("replies", 80), ("reset", at, mode, keep)])
    for what in FAILURES:
        for first in range(1, lengths["empty"] + 1, LIVES):
            # Whatever begins here begins anew, until a host has.
            kinds = [("call", at, "fail", what) for at in range(first, first + LIVES)]
            add(f"fail-empty-{first}-{what}", kinds)
        for first in range(1, lengths["again"] + LOAD_CALLS // 4 + 1, LIVES):
            kinds = [("call", at, "fail", what) for at in range(first, first + LIVES)]
            add(f"fail-again-{first}-{what}", [("replies", 80), *kinds])
        add(f"fail-moving-1-{what}", [("replies", 80), *(("moving", at, "fail", what) for at in range(1, LIVES // 2))])
        add(f"fail-stop-1-{what}", [("stop", at, "fail", what) for at in range(1, lengths["stop"] + 1, 3)])
    for kind, (aim, number, lefts) in FORGETTING.items():
        for first in range(1, number + 1, LIVES // 4):
            for keep in ("none", "some"):
                kinds = [] if kind == "empty" else [("replies", 80)]
                for at in range(first, min(first + LIVES // 4, number + 1)):
                    kinds.append((aim, at, "forget", keep, lefts[at % len(lefts)]))
                    # The next life finds what the disk does not have.
                    if AT_ONCE in lefts:
                        kinds.append(("power", 5 * at, "power", keep))
                add(f"forget-{kind}-{first}-{keep}", kinds, guests=[Reader] * 3 if kind == "read" else ())
    for app in options.apps:
        for first in range(3, STEPS, LIVES):
            add(f"steps-{first}-{app}", [("step", at, "after") for at in range(first, first + LIVES)], "strict", app)
    for first in range(0, options.random, LIVES):
        durability = "relaxed" if first // LIVES % 10 == 9 else None
        add(f"random-{first}", [None] * min(LIVES, options.random - first), durability)
    for at in range(HOLDING):
        kinds = [("held", 1 + at % 7), ("held", 1 + at % 5, "power", "some"), None, ("stop", 1 << 40), ("held", 1 + at % 3), None]
        add(f"holds-{at}", kinds, guests=[Holder] * 3)
    for first in range(0, options.power, LIVES):
        kinds = [("power", 10 * (at % 37), "power", "none" if at % 3 == 0 else "some") for at in range(first, first + LIVES)]
        add(f"power-{first}", kinds[: options.power - first])
    return made


def random_plan(chance):
    if chance.random() < 0.5:
        return Plan("replies", 1 + int(chance.expovariate(1 / 120)))
    return Plan("time", chance.randrange(400))


def short_histories(options, lengths):
    """Some of all kinds, for a machine that does other things too."""
    chosen = []
    for history in histories(options, lengths):
        phase, first, rest = (history.name + "--").split("-", 2)
        if phase == "forget":
            if history.name in SHORT_FORGETTING:
                history.plans = history.plans[:3]
                chosen.append(history)
            continue
        if phase == "fail":
            kind, at, what = (history.name + "--").split("-")[1:4]
            if at == "1" and what == {"empty": "EIO*1", "again": "ENOSPC*3", "moving": "ENOSPC*1", "stop": "EIO*2"}[kind]:
                history.plans = history.plans[1::7][:4] if kind == "empty" else history.plans[:4]
                chosen.append(history)
            continue
        at = int(first)
        left = lengths["empty"] - at
        if phase == "empty":
            # Around the first host's begin, and now and then.
            is_in = left in (1, 3) and rest.startswith("before") or at % 13 == 7 and history.seed % 5 == 0
        elif phase == "made":
            is_in = left < 0 and rest.startswith("none")
        elif phase in ("again", "stop"):
            is_in = at == 1 and rest.startswith(("before", "half", "power-some"))
        elif phase == "moving":
            is_in = at == 1 and rest.startswith("after")
        elif phase == "reset":
            is_in = at in (21, lengths["reset"]) and rest.startswith("power-some")
        else:
            is_in = at in (0, 3)
        if is_in:
            history.plans = history.plans[:5]
            chosen.append(history)
    return chosen


def compile_library(options, folder):
    compiler = next((path for name in ("clang", "cc", "gcc") if (path := shutil.which(name))), None)
    if not compiler:
        print("kills: skipped: there is no C compiler (clang, cc or gcc)")
        raise SystemExit(77)
    library = folder / "kill.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-o", library, HERE / "kill.c", "-lpthread"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        print(f"kills: kill.c cannot be compiled:\n{run.stderr}")
        raise SystemExit(1)
    return library


def fingerprint(options):
    """Of the programs and of what kills them."""
    text = hashlib.sha256()
    for path in [options.scened, options.shop_daemon, *sorted(HERE.iterdir())]:
        if path.is_file():
            text.update(path.read_bytes())
    return text.hexdigest()[:16]


# What histories begin their names with, and what happens in them to the daemon.
PHASES = {
    "empty": "ended at each call from the first opening of an empty folder on",
    "made": "loses power where it has made the folder itself",
    "again": "ended at each call from a start after an end on",
    "moving": "ended at each call while the log moves into the database",
    "stop": "ended at each call of stopping in order",
    "reset": "ended at calls of `scenectl reset`: each 20th, and the last ten",
    "fail": "calls fail from each on, with a full or broken disk, once, for a while or for good",
    "forget": "a sync fails, what it should have written is forgotten, and the power is lost later",
    "steps": "killed after each step, each with a sync of its own",
    "random": "killed at any time",
    "holds": "killed, stopped in order, or loses power while windows are held",
    "power": "loses power at any time",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scened", type=pathlib.Path, required=True)
    parser.add_argument("--shop-daemon", type=pathlib.Path, required=True)
    parser.add_argument("--random", type=int, default=2_000, help="how many kills at random")
    parser.add_argument("--power", type=int, default=200, help="how many losses of power at random")
    parser.add_argument("--only", help="phases, or names of histories, with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--again", action="store_true", help="make histories again that held")
    parser.add_argument("--shuffled", action="store_true", help="in any order, so that a part says something about all")
    parser.add_argument("--without-sync", action="store_true", help="as on a disk that lies: a sync counts for nothing")
    parser.add_argument(
        "--without-rewrites", action="store_true", help="what a sync has forgotten is not even written when it is written again"
    )
    parser.add_argument("--judge-as", help="judge by what this durability promises: group, strict or relaxed")
    parser.add_argument("--durability", help="all histories with this durability")
    parser.add_argument("--page", type=pathlib.Path, help="the page whose table gets the result, if all was run")
    parser.add_argument("--list", action="store_true", help="list the calls, and end")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path(".build/kills"))
    parser.add_argument("--keep", type=pathlib.Path, help="where what failed is kept, by default beside the results")
    options = parser.parse_args()
    for name, program in (("scened", options.scened), ("shop-daemon", options.shop_daemon)):
        if not os.access(program, os.X_OK):
            parser.error(f"--{name}: {program} is no program that can be run")
    options.words = words = set(options.only.split(",")) if options.only else set()
    # Before the calls are counted, which takes long.
    for word in sorted(words):
        if word.partition("-")[0] not in PHASES:
            parser.error(f"--only: there is no '{word}'; expected phases ({', '.join(PHASES)}) or names of histories")
    scened, shop = options.scened.resolve(), options.shop_daemon.resolve()
    options.apps = {app.name: app for app in (Counters(scened), Bank(scened), Shop(shop))}
    work = options.results / fingerprint(options)
    options.keep = options.keep or work / "failed"
    with tempfile.TemporaryDirectory(prefix="scened-kills-") as folder:
        options.library = compile_library(options, pathlib.Path(folder))
        return run_all(options, parser, work)


def run_all(options, parser, work):
    work.mkdir(parents=True, exist_ok=True)
    measured = work / "calls.json"
    if not measured.exists():
        measured.write_text(json.dumps(measure(options)))
    lengths, names = json.loads(measured.read_text())
    listed = ", ".join(f"{count} {call}" for call, count in sorted(names.items(), key=lambda pair: -pair[1]))
    print(f"kills: calls of three lives: {listed}", flush=True)
    print(f"kills: calls killed at: {', '.join(f'{name} {length}' for name, length in lengths.items())}", flush=True)
    if options.list:
        return 0
    chosen = (short_histories if options.short else histories)(options, lengths)
    words = options.words
    if words:
        known = {name for history in chosen for name in (history.name, history.name.partition("-")[0])}
        if words - known:
            parser.error(f"--only: there is no history {', '.join(sorted(words - known))}")
        chosen = [history for history in chosen if {history.name, history.name.partition("-")[0]} & words]
    if options.shuffled:
        random.Random(options.seed).shuffle(chosen)
    for history in chosen:
        history.durability = options.durability or history.durability
        for plan in history.plans:
            plan.syncs, plan.rewrites = not options.without_sync, not options.without_rewrites
    kills, calls, failed, sums = collections.Counter(), collections.Counter(), [], collections.Counter()
    phases = collections.defaultdict(collections.Counter)
    began = time.monotonic()
    for number, history in enumerate(chosen, 1):
        file = work / f"{history.name}-{options.seed}.json"
        is_plain = not (
            options.without_sync or options.without_rewrites or options.judge_as or options.durability or options.short
        )
        if is_plain and not options.again and file.exists():
            result = json.loads(file.read_text())
        else:
            result = run_history(options, history)
            if is_plain and not result["faults"]:
                file.write_text(json.dumps(result))
        kills.update(result["kills"])
        calls.update(result["calls"])
        sums.update({name: result[name] for name in ("acknowledged", "repeated", "replies", "refused", "records")})
        sums.update({"restarts": len(result["restarts"]), "again": sum(result["restarts"])})
        phase = phases[history.name.partition("-")[0]]
        phase.update({name: result[name] for name in ("acknowledged", "repeated", "records")})
        phase.update({"histories": 1, "ends": len(history.plans)})
        phase.update({"again": sum(result["restarts"]), "failed": bool(result["faults"])})
        if result["faults"]:
            failed.append(history.name)
            print(f"kills: {history.name} ({history.app}, {history.durability}) does not hold:", flush=True)
            for fault in result["faults"][:6]:
                print(f"    {fault[:700]}", flush=True)
            print(f"    kept in {options.keep / f'{history.name}-{options.seed}'}", flush=True)
        if number % 25 == 0 and not options.short:
            print(f"kills: {number} of {len(chosen)} histories, {time.monotonic() - began:.0f} s", flush=True)
    print(
        f"kills: {len(chosen) - len(failed)} of {len(chosen)} histories hold, {sums['records']} records; "
        f"{sums['acknowledged']} events acknowledged, {sums['repeated']} of them sent again, {sums['replies']} replies, {sums['refused']} times StorageFailed; "
        f"{sums['restarts']} restarts, {sums['again']} attempts begun again"
    )
    print(f"kills: ends: {', '.join(f'{count} {kind}' for kind, count in sorted(kills.items()))}")
    print(f"kills: killed at: {', '.join(f'{count} {call}' for call, count in sorted(calls.items()))}")
    if options.page and not words and not options.short:
        write_table(options.page, phases)
    if failed:
        print(f"kills: DO NOT HOLD: {', '.join(failed)}")
    return 1 if failed else 0


def write_table(page, phases):
    """Replaces the rows of the table in a page of the documentation."""
    lines = page.read_text().split("\n")
    head = next((number for number, line in enumerate(lines) if line.startswith("| what happens to the daemon |")), None)
    if head is None:
        raise SystemExit(f"kills: {page} has no table that begins with '| what happens to the daemon |'")
    end = head + 2
    while lines[end].startswith("| "):
        end += 1
    columns = ("histories", "ends", "acknowledged", "repeated", "again", "records", "failed")
    rows = [
        f"| {text} | {' | '.join(f'{phases[name][column]:,}' for column in columns)} |"
        for name, text in PHASES.items()
        if name in phases
    ]
    total = collections.Counter()
    for phase in phases.values():
        total.update(phase)
    rows.append(f"| all | {' | '.join(f'{total[column]:,}' for column in columns)} |")
    page.write_text("\n".join(lines[: head + 2] + rows + lines[end:]))


if __name__ == "__main__":
    sys.exit(main())
