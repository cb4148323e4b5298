"""Drives a page of `scenectl inspect`, or of a race, in Chromium: every record of its history, by clicks and by keys.

    viewer.py travel PAGE RECORDS    # time travel, against a reading of the records of its own
    viewer.py marked PAGE RECORDS NUMBER    # it opens at this record
    viewer.py pair PAGE LEFT RIGHT   # two runs beside each other
    viewer.py broken SCENECTL RECORDS FOLDER    # the same records, some of them missing
    viewer.py repeated SCENECTL RECORDS FOLDER    # the same records, some of them more than once
    viewer.py flaws SCENECTL RECORDS FOLDER    # the same records in files that are broken in many ways
    viewer.py hostile SCENECTL RECORDS FOLDER    # the same records with texts that want to be more than text
    viewer.py looks PAGE             # widths, light and dark, an audit for accessibility
    viewer.py clock PAGE WORDS       # what is said of the clock; no words for one that goes by itself

It prints one line for each finding, and nothing if there is none.
"""

import itertools
import json
import os
import random
import re
import subprocess
import sys
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright


@contextmanager
def opened(path: str, scheme: str = "light", width: int = 1280, **options):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 1000}, reduced_motion="reduce", **options)
        page = context.new_page()
        page.on("pageerror", lambda error: print(f"error in the page: {error}"))
        page.on("console", lambda message: print(f"console: {message.text[:200]}") if message.type in ("error", "warning") else None)
        page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else print(f"fetched {request.url}"))
        page.on("dialog", lambda dialog: (print(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(f"file://{path}")
        page.wait_for_selector(".page", timeout=120_000)
        settle(page)
        yield page
        browser.close()


def settle(page: Page) -> None:
    """Until what was asked for is drawn: a page draws once a frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def check(condition: bool, what: str) -> None:
    if not condition:
        print(what)


def records(path: str) -> list[dict]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def name(place: dict) -> str:
    return place["id"]


def state(history: list[dict], count: int) -> dict:
    """What windows and session are after the first records."""
    windows: dict[str, dict] = {}
    moving: dict[str, int | None] = {}
    user = None
    facts: dict = {}
    for record in history[:count]:
        kind = record["kind"]
        if kind == "session.committed":
            user = record["user"]
            facts.update(record["facts"])
        elif kind in ("host.started", "host.snapshot", "host.restarted"):
            user = record.get("user")
            facts = dict(record["facts"])
        if kind == "host.restarted":
            for window in windows.values():
                window.update(moves=False, held="")
        if "scene" not in record:
            continue
        window = windows.setdefault(record["scene"], {"is_connected": False, "front": None, "tab": None, "modals": 0, "moves": False, "held": ""})
        if kind == "scene.connected":
            window["is_connected"] = True
        elif kind in ("scene.disconnected", "scene.discarded"):
            window["is_connected"] = False
        if kind in ("hold.caught", "hold.released"):
            window["held"] = f"held at {record['point']}" if kind == "hold.caught" else ""
        ends = kind in ("dispatch.ended", "scene.swept") and record.get("ticket") == moving.get(record["scene"])
        if kind == "navigation.step":
            window["moves"], moving[record["scene"]] = True, record.get("ticket")
        elif ends or kind in ("scene.disconnected", "scene.discarded"):
            window["moves"] = False
        if "window" in record:
            shown = record["window"]
            window["tab"] = shown["selectedTab"]
            window["modals"] = len(shown["modals"])
            stack = shown["modals"][-1]["stack"] if shown["modals"] else next(t["stack"] for t in shown["tabs"] if t["id"] == shown["selectedTab"])
            window["front"] = name(stack[-1])
    return {
        "windows": {scene: window for scene, window in windows.items() if window["front"] is not None},
        "user": user,
        "facts": {fact: value for fact, value in facts.items() if value is not None},
    }


READ = """() => ({
  broken: Object.fromEntries([...document.querySelectorAll('scene-window')].map((w) => [w.querySelector('header strong').textContent, {
    old: w.querySelector('header').textContent.includes('may be old'),
    unknown: w.querySelector('.state').textContent.includes('not known'),
  }])),
  oldSession: document.querySelector('.session')?.textContent.includes('Records are missing since') ?? false,
  factsUnknown: document.querySelector('.session')?.textContent.includes('facts are not known') ?? false,
  noSession: document.querySelector('.session')?.textContent.includes('not known yet') ?? false,
  before: document.querySelector('.detail > .problem')?.textContent ?? '',
  windows: Object.fromEntries([...document.querySelectorAll('scene-window')].map((w) => [w.querySelector('header strong').textContent, {
    is_connected: !w.classList.contains('off'),
    front: w.querySelector('.card[aria-current] b')?.textContent ?? null,
    tab: w.querySelector('.tabs [aria-current] span')?.textContent ?? null,
    modals: w.querySelectorAll('.modal').length,
    moves: w.querySelector('.badge.moving') !== null,
    held: [...w.querySelectorAll('.badge')].map((badge) => badge.textContent).find((text) => text.startsWith('held')) ?? '',
  }])),
  session: Object.fromEntries([...document.querySelectorAll('.session li')].map((li) => [li.firstChild.textContent, li.querySelector('b')?.textContent])),
  selected: document.querySelector('[role=option][aria-selected=true] .index')?.textContent,
})"""


def compare(page: Page, history: list[dict], count: int, how: str) -> None:
    seen = page.evaluate(READ)
    wanted = state(history, count)
    where = f"{how}, record {count}"
    check(set(seen["windows"]) == set(wanted["windows"]), f"{where}: windows {sorted(seen['windows'])}, not {sorted(wanted['windows'])}")
    for scene, window in wanted["windows"].items():
        shown = seen["windows"].get(scene)
        if shown is None:
            continue
        for part in ("is_connected", "front", "modals", "tab", "moves", "held"):
            # An app with one tab shows no bar.
            if part == "tab" and shown["tab"] is None:
                continue
            check(shown[part] == window[part], f"{where}: {scene} {part} is {shown[part]}, not {window[part]}")
    check(seen["session"].get("user") == (wanted["user"] or "nobody"), f"{where}: user {seen['session'].get('user')}")
    for fact, value in wanted["facts"].items():
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        check(seen["session"].get(fact) == text, f"{where}: {fact} is {seen['session'].get(fact)}, not {text}")
    check(seen["selected"] == str(history[count - 1]["index"]), f"{where}: the list is at {seen['selected']}")


def travel(path: str, file: str) -> None:
    history = records(file)
    with opened(path) as page:
        # That the host is quiet or ends is no news.
        news = max(number for number, record in enumerate(history) if not record["kind"].startswith("host."))
        compare(page, history, news + 1, "at first")
        page.keyboard.press("Home")
        for count in range(1, len(history) + 1):
            settle(page)
            compare(page, history, count, "by keys")
            page.keyboard.press("ArrowRight")
        # What it is of.
        began = next(record for record in history if record["kind"] == "host.started")
        wanted = f"{began['app']}, manifest {began['manifestVersion']}, host {began['host'][:8]}"
        for place, text in (("heading", page.locator("h1").inner_text()), ("title", page.title())):
            check(wanted in text and file in text, f"the {place} is {text}, without {wanted}")
        # Each bar says where its event leads, as far as there is room, and all of it where one points.
        bars = page.locator("scene-timeline").evaluate(
            "(line) => line.bars.map((bar) => ({...bar, event: 0, ticket: bar.event.ticket, lane: bar.event.lane.name, text: bar.text ?? ''}))"
        )
        said = 0
        for lane in {bar["lane"] for bar in bars}:
            words = [bar for bar in bars if bar["lane"] == lane and bar["text"]]
            for one, other in zip(words, words[1:]):
                check(one["x"] + 4 + one["textWidth"] <= other["x"], f"in {lane} the label {one['text']} reaches into {other['text']}")
        box = page.locator("scene-timeline canvas").bounding_box()
        for record in history:
            if record["kind"] != "event.admitted" or "destination" not in record or "scene" not in record:
                continue
            bar = next(bar for bar in bars if bar["ticket"] == record["ticket"] and bar["lane"] == record["scene"])
            goal = record["destination"]["id"]
            if bar["text"]:
                said += 1
                label = bar["text"].split(" ", 1)[1].rstrip("…")
                check(label == "" or goal.startswith(label) or label.startswith(goal), f"the bar of {record['event']} says {bar['text']}, not {goal}")
            page.mouse.move(box["x"] + bar["x"] + bar["width"] / 2, box["y"] + bar["y"] + bar["height"] / 2)
            title = page.locator("scene-timeline canvas").get_attribute("title") or ""
            check(goal in title or f"#{record['ticket']} " not in title, f"the bar of {record['event']} is titled {title}, without {goal}")
        check(said > 0, "no bar says where its event leads")
        # A hold is a span, as long as its records say.
        for scene in {record["scene"] for record in history if record["kind"] == "hold.caught"}:
            spans = page.locator("scene-timeline").evaluate(
                "(line, scene) => { const { holds, holdEnds } = line.lanes.find((lane) => lane.name === scene).scene; return [holds, holdEnds]; }", scene
            )
            wanted = [[n for n, record in enumerate(history) if record["kind"] == kind and record["scene"] == scene] for kind in ("hold.caught", "hold.released")]
            check(spans == wanted, f"the holds of {scene} are {spans}, not {wanted}")
        # By a click on a row, and by the buttons of an event's way.
        page.keyboard.press("Home")
        settle(page)
        event = next(number for number, record in enumerate(history) if record["kind"] == "event.admitted")
        page.locator("record-list").evaluate(f"(list) => list.choose({event})")
        settle(page)
        compare(page, history, event + 1, "by the list")
        steps = page.locator(".way li button")
        same = [number for number, record in enumerate(history) if record.get("event") == history[event]["event"] and record.get("scene") == history[event].get("scene")
                and record.get("ticket") == history[event]["ticket"]]
        check(steps.count() == len(same), f"the way of the event has {steps.count()} steps, not {len(same)}")
        steps.last.focus()
        page.keyboard.press("Enter")
        settle(page)
        compare(page, history, same[-1] + 1, "by the event's way")
        # What is drawn anew keeps the keyboard.
        check(page.evaluate("() => document.activeElement.closest('.way [aria-current]') !== null"), "after a step of the event's way the focus is lost")
        page.locator(".session .parts").focus()
        page.keyboard.press("ArrowLeft")
        settle(page)
        check(page.evaluate("() => document.activeElement.closest('.session') !== null"), "after a step the focus on the session is lost")
        # By an address that is put into the same tab; what is no place of a record leaves the page where it is.
        page.wait_for_function("() => location.hash === `#${document.querySelector('.slider input').value}`")
        for address, place in ((f"#{event}", event), ("#nowhere", event), ("#0", 0), (f"#{10**30}", len(history) - 1)):
            page.goto(f"file://{path}{address}")
            page.wait_for_function("(place) => document.querySelector('.slider input').value === String(place)", arg=place)
            settle(page)
            compare(page, history, place + 1, f"by the address {address}")
        # Filters agree with a reading of the records.
        page.keyboard.press("/")
        page.keyboard.type("scene.connected")
        settle(page)
        page.wait_for_function("() => document.querySelector('.filters output').value !== ''")
        wanted = sum(1 for record in history if "scene.connected" in json.dumps(record))
        check(page.locator("record-list").evaluate("(list) => list.rows.count") == wanted, "the search found another number")
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        scene = next(record["scene"] for record in history if "scene" in record)
        page.get_by_label("records of window").select_option(scene)
        settle(page)
        wanted = sum(1 for record in history if record.get("scene") == scene)
        check(page.locator("record-list").evaluate("(list) => list.rows.count") == wanted, f"the filter of {scene} found another number")
        page.get_by_label("records of window").select_option("")
        # One event alone, and all again.
        page.goto(f"file://{path}#{event}")
        page.wait_for_function("(place) => document.querySelector('.slider input').value === String(place)", arg=event)
        only = page.get_by_role("button", name="only this event")
        rows = "() => document.querySelector('record-list').rows.count"
        only.click()
        settle(page)
        page.wait_for_function("() => document.querySelector('.filters output').value !== ''")
        check(page.evaluate(rows) == len(same), f"of one event there are {page.evaluate(rows)} records, expected {len(same)}")
        check(only.get_attribute("aria-pressed") == "true", "the choice of one event is not told")
        check(page.get_by_label("records of event").is_visible(), "the choice of one event is not among the filters")
        only.click()
        settle(page)
        check(page.evaluate(rows) == len(history), "the records of all events do not come back")
        check(only.get_attribute("aria-pressed") == "false", "that one event is chosen no more is not told")
        # The time line goes where it is clicked.
        settle(page)
        box = page.locator("scene-timeline canvas").bounding_box()
        page.mouse.click(box["x"] + 97, box["y"] + 4)
        settle(page)
        check(page.evaluate(READ)["selected"] == str(history[0]["index"]), "a click at the beginning of the time line did not go there")


def marked(path: str, file: str, number: str) -> None:
    history = records(file)
    with opened(path) as page:
        place = next(place for place, record in enumerate(history) if record["index"] == int(number))
        compare(page, history, place + 1, "as opened")


def pair(path: str, *files: str) -> None:
    left, right = (records(file) for file in files)
    with opened(path) as page:
        halves = page.locator(".halves > section")
        check(halves.count() == 2, f"{halves.count()} runs beside each other")
        same = 0
        for one, other in zip(left, right):
            keys = [{k: v for k, v in record.items() if k not in ("host", "monotonic", "wall", "index", "connection", "seed")} for record in (one, other)]
            if keys[0] != keys[1]:
                break
            same += 1
        text = page.locator(".verdict").inner_text()
        if same == len(left) == len(right):
            check(text == "Both runs do the same.", f"the verdict is {text}")
        else:
            step = int("".join(c for c in text.split("\n")[0] if c.isdigit()))
            check(step == same + 1, f"the verdict is {text.splitlines()[0]}, but the first {same} records are the same")
        # A time line under each, which leads to the step.
        lines = page.locator("scene-timeline canvas")
        check(lines.count() == 2, f"{lines.count()} time lines")
        for number in range(lines.count()):
            box = lines.nth(number).bounding_box()
            lines.nth(number).click(position={"x": 100, "y": 4})
            settle(page)
            selected = page.locator("[role=option][aria-selected=true]").first.bounding_box()
            check(box is not None and selected is not None, f"time line {number} leads nowhere")
            check("step 1 of" in page.locator(".slider output").inner_text(), f"time line {number}: {page.locator('.slider output').inner_text()}")


def broken(scenectl: str, file: str, folder: str) -> None:
    """After what is missing nothing is taken for known but what records say since."""
    whole = records(file)
    for seed in range(5):
        chance = random.Random(seed)
        gone: set[int] = set(range(1, chance.randint(2, 12))) if seed % 2 else set()
        for _ in range(seed and 3):
            begin = chance.randint(2, len(whole) - 4)
            gone |= set(range(begin, begin + chance.randint(1, 4)))
        history = [record for record in whole if record["index"] not in gone]
        with open(f"{folder}/broken.jsonl", "w", encoding="utf-8") as out:
            out.writelines(json.dumps(record) + "\n" for record in history)
        subprocess.run(
            [scenectl, "inspect", f"{folder}/broken.jsonl", "--out", f"{folder}/broken.html"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        with opened(f"{folder}/broken.html") as page:
            text = page.locator("main").inner_text()
            first = history[0]["index"]
            check((f"begin with number {first};" in text) == (first > 1), f"seed {seed}: the page does not say where the records begin")
            later = len([index for index in gone if index > first])
            check((f"{later} records are missing" in text or "1 record is missing" in text) == (later > 0), f"seed {seed}: the page does not count {later} records")
            # What had not ended before a gap, and is not heard of after it, has no end; no hold lasts through a gap.
            gaps = [n for n, record in enumerate(history) if record["index"] != (history[n - 1]["index"] if n else 0) + 1]
            lost = page.locator("scene-timeline").evaluate(
                "(line) => line.lanes.flatMap(({ name, scene }) => (scene?.order ?? []).map((e) => [name, e.ticket, e.lost]))"
            )
            for lane, ticket, place in lost:
                own = [n for n, record in enumerate(history) if record.get("ticket") == ticket and record.get("scene") == lane]
                ends = any(
                    history[n]["kind"] in ("gate.superseded", "gate.abandoned") or (history[n]["kind"] == "dispatch.ended" and history[n]["outcome"] != "gated") for n in own
                )
                wanted = next((gap for gap in gaps if gap > own[-1]), -1) if not ends else -1
                check(place == wanted, f"seed {seed}: {lane} #{ticket} is lost at {place}, not {wanted}")
            holds = page.locator("scene-timeline").evaluate("(line) => line.lanes.flatMap(({ scene }) => (scene?.holds ?? []).map((from, n) => [from, scene.holdEnds[n]]))")
            for begin, end in holds:
                check(end >= 0 and not any(begin < gap < end for gap in gaps), f"seed {seed}: a hold from {begin} to {end} lasts through a gap")
            page.keyboard.press("Home")
            windows: dict[str, dict] = {}
            session = {"known": False, "old": False, "facts": False}
            last = 0
            for record in history:
                kind, scene = record["kind"], record.get("scene")
                missing = record["index"] - last - 1
                if missing:
                    for window in windows.values():
                        window.update(old=True, unknown=True)
                    session.update(old=session["known"], facts=False)
                if kind in ("session.committed", "manifest.loaded", "host.started", "host.snapshot", "host.restarted"):
                    session.update(known=True, old=False)
                    session["facts"] = session["facts"] or kind.startswith("host.")
                if scene:
                    window = windows.setdefault(scene, {"old": False, "unknown": bool(gone & set(range(1, record["index"]))), "shown": False})
                    if "window" in record:
                        window.update(old=False, shown=True)
                    if kind in ("scene.connected", "scene.snapshot", "scene.activation", "scene.disconnected", "scene.discarded"):
                        window["unknown"] = False
                last = record["index"]
                settle(page)
                seen = page.evaluate(READ)
                where = f"seed {seed}, record {last}"
                for drawn, shown in seen["broken"].items():
                    wanted = windows[drawn]
                    check(shown["old"] == (wanted["old"] and wanted["shown"]), f"{where}: {drawn} may be old: {shown['old']}")
                    check(shown["unknown"] == wanted["unknown"], f"{where}: {drawn} is not known to be connected: {shown['unknown']}")
                check(seen["noSession"] != session["known"], f"{where}: the session is not known: {seen['noSession']}")
                check(seen["oldSession"] == session["old"], f"{where}: the session may be old: {seen['oldSession']}")
                check(seen["factsUnknown"] == (session["known"] and not session["facts"]), f"{where}: facts are not known: {seen['factsUnknown']}")
                said = "" if not missing else f"⌇ {missing} record{'s are' if missing > 1 else ' is'} missing right before this one."
                check(seen["before"] == said, f"{where}: it says {seen['before']!r}, not {said!r}")
                page.keyboard.press("ArrowRight")


def repeated(scenectl: str, file: str, folder: str) -> None:
    """Records that are in a file more than once are told, where they are and on the whole; those that only come late are not."""
    whole = records(file)
    last = len(whole)
    for indices, again, words in (
        ([*range(1, 11), *range(5, 9), *range(11, last + 1)], range(10, 14), "records 5 to 8 are there more than once."),
        ([*range(1, last + 1), 7], [last], "record 7 is there more than once."),
        ([1, 2, 1, 2, *range(1, last + 1)], range(2, 6), "4 records are there more than once, in 2 places; first, records 1 to 2."),
        ([1, 2, 4, 5, 3, *range(6, last + 1)], [], "record 3 comes after later ones."),
    ):
        with open(f"{folder}/repeated.jsonl", "w", encoding="utf-8") as out:
            out.writelines(json.dumps(whole[index - 1]) + "\n" for index in indices)
        made = subprocess.run([scenectl, "inspect", f"{folder}/repeated.jsonl", "--out", f"{folder}/repeated.html"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
        check(words in made and ("more than once" in made) == (again != []), f"the command says {made!r}, not {words!r}")
        with opened(f"{folder}/repeated.html") as page:
            told = page.locator("main > .problem").all_inner_texts()
            check(len(told) == 1 and words in told[0], f"the page says {told}, not {words!r}")
            marks = page.locator("scene-timeline").evaluate("(line) => [...line.marked].filter((slot) => String(slot).startsWith('↻')).length")
            check((marks > 0) == (again != []), f"of {words!r} the time line has {marks} marks")
            for place in sorted({*again, 0, 3, 6, last - 1}):
                page.locator("record-list").evaluate("(list, row) => list.choose(row)", place)
                settle(page)
                said = [one for one in page.locator(".detail > .problem").all_inner_texts() if one.startswith("↻")]
                check(said == ([f"↻ A record with the number {indices[place]} was there before."] if place in again else []), f"of {words!r}, the record at {place} says {said}")


def flaws(scenectl: str, file: str, folder: str) -> None:
    """What a command says of a broken file its page says too, alone and beside another, and shows no more than the records."""
    with open(file, encoding="utf-8") as lines:
        whole = lines.read().splitlines()
    shown = next(n for n, line in enumerate(whole) if '"kind":"scene.connected"' in line)
    later = next(n for n, line in enumerate(whole) if n > shown and '"window":{' in line)

    def changed(place: int, change) -> list[str]:
        record = json.loads(whole[place])
        change(record)
        return [*whole[:place], json.dumps(record), *whole[place + 1 :]]

    def order(*indices: int) -> list[str]:
        return [whole[index - 1] for index in indices]

    gap = json.dumps({"host": json.loads(whole[0])["host"], "index": 7, "kind": "gap", "monotonic": 1, "count": 6})
    cases = {
        "whole": whole,
        "a window that is a text": changed(later, lambda record: record.update(window="none")),
        "a window without tabs": changed(later, lambda record: record["window"].pop("tabs")),
        "a window that is null": changed(shown, lambda record: record.update(window=None)),
        "no window": changed(shown, lambda record: record.pop("window")),
        "a time that is a text": changed(shown, lambda record: record.update(monotonic="1")),
        "a number below 1": changed(shown, lambda record: record.update(index=-1)),
        "no host": changed(shown, lambda record: record.pop("host")),
        "a kind that nobody knows": changed(shown, lambda record: record.update(kind="window.eaten")),
        "a name twice": [*whole[:3], whole[3][:-1] + ',"kind":"host.quiet"}', *whole[4:]],
        "no JSON": [*whole[:4], "no", "{}", "[1]", "", "  \t", *whole[4:]],
        "bad lines in two places": [whole[0], "no", *whole[1:6], '"kind"', *whole[6:]],
        "nothing between": order(1, 2, 5, 6),
        "later ones first": order(1, 2, 5, 6, 3, 4, 7),
        "one of two that were missing": order(1, 2, 5, 4, 6),
        "one comes late in two places": order(1, 3, 2, 4, 6, 5, 7),
        "before the beginning": order(7, 8, 3, 4, 9),
        "backwards": order(*range(9, 0, -1)),
        "twice": order(1, 2, 3, 2, 3, 4),
        "all of it": order(3, 4, 8, 6, 3, 12, 11, 12),
        "a gap that says so": [*order(1, 2), gap.replace('"count": 6', '"count": 4'), *order(7, 8)],
        "a gap at the beginning": [gap, *order(7, 8)],
        "a gap and what was in it": [*order(1, 2), gap.replace('"count": 6', '"count": 4'), *order(7, 4, 8)],
    }
    plain, spoiled = f"{folder}/plain.jsonl", f"{folder}/spoiled.jsonl"
    with open(plain, "w", encoding="utf-8") as out:
        out.write("\n".join(whole) + "\n")
    made: list[tuple[str, bool, str, dict, list[str]]] = []
    for what, lines in cases.items():
        with open(spoiled, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
        for files in ([spoiled], [plain, spoiled]):
            path = f"{folder}/flaws-{len(made)}.html"
            told = subprocess.run([scenectl, "inspect", *files, "--out", path, "--json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            sentences = [line.removeprefix("scenectl: ").replace(f"{spoiled}: ", "") for line in told.stderr.splitlines()]
            made.append((what, len(files) == 1, path, json.loads(told.stdout), sentences))
    spoilt_ones = sum(bool(sentences) for *_, sentences in made)
    check(spoilt_ones == len(made) - 4, f"only {spoilt_ones} of {len(made)} files have flaws")
    with opened(made[0][2]) as page:
        for what, is_alone, path, counts, sentences in made:
            page.goto(f"file://{path}")
            page.wait_for_selector(".page")
            settle(page)
            where = f"{what}, {'alone' if is_alone else 'beside another'}"
            told = [re.sub(f"^(. )?{re.escape(spoiled)}(, host [0-9a-f-]+)?: ", "", text) for text in page.locator("main > .problem").all_inner_texts()]
            missing = sum(int(number) for number in re.findall("([0-9]+) records? (?:is|are) missing", " ".join(told)))
            check(missing == counts["missing"], f"{where}: {counts['missing']} records are missing, the page says {told}")
            for sentence in sentences:
                # How the page puts what is missing is above.
                check("missing" in sentence or any(text.startswith(sentence) for text in told), f"{where}: the command says {sentence!r}, the page {told}")
            check(len(told) == len(sentences), f"{where}: the command says {sentences}, the page {told}")
            if is_alone:
                shows = page.locator("record-list").evaluate("(list) => list.rows.count")
                holds = sum(1 for line in cases[what] if line.strip()) - counts["badLines"]
                check(shows == holds, f"{where}: there are {holds} records, the page shows {shows}")


TEXTS = [
    "</script><script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>", "\u202egnp.exe\u2066", "\u0000\u0007\u001b[31m",
    "__proto__", "constructor", "javascript:window.hacked=1", "a" * 1_000_000, "\u200f\u061c", "<!--", "\ud83d\ude00" * 40, "e" + "\u0301" * 2000,
]


def spoilt(value, turn, confuses: random.Random | None):
    """A record with other texts in every field but its kind, or with values of other types in some."""
    if isinstance(value, dict):
        return {key: (inner if key == "kind" else spoilt(inner, turn, confuses)) for key, inner in value.items()}
    if confuses and confuses.random() < 0.15:
        return confuses.choice([None, 7, -1, 1e300, "", [], {}, [[]], {"id": {}}, True])
    if isinstance(value, list):
        return [spoilt(inner, turn, confuses) for inner in value]
    if isinstance(value, str) and not confuses:
        return TEXTS[next(turn) % len(TEXTS)]
    return value


def hostile(scenectl: str, file: str, folder: str) -> None:
    """What comes from outside is text of the page and no more than that; what is no record is said to be none."""
    history = records(file)
    for seed in range(4):
        turn = itertools.count(seed * 7)
        confuses = random.Random(seed) if seed % 2 else None
        with open(f"{folder}/hostile.jsonl", "w", encoding="utf-8") as out:
            for record in history:
                changed = spoilt(record, turn, confuses)
                if not confuses or not isinstance(changed.get("host"), str):
                    changed["host"] = record["host"]
                out.write(json.dumps(changed) + "\n")
            out.write('{"kind": 1}\n</script>\n')
        subprocess.run([scenectl, "inspect", f"{folder}/hostile.jsonl", "--out", f"{folder}/hostile.html"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # A page of a daemon is told nothing of its lines and has to stand them all.
        with open(f"{folder}/hostile.html", encoding="utf-8") as written:
            told, found = re.subn("<script type=\"application/json\" data-unread>.*?</script>\n", "", written.read())
        check(found == 1, f"seed {seed}: the page is not told which lines are no records")
        with open(f"{folder}/hostile.html", "w", encoding="utf-8") as written:
            written.write(told)
        with opened(f"{folder}/hostile.html") as page:
            check("2 lines are no records" in page.locator(".problem").first.inner_text(), f"seed {seed}: bad lines are not told")
            page.keyboard.press("Home")
            page.evaluate(
                """async () => {
                    const list = document.querySelector("record-list");
                    for (let row = 0; row < list.rows.count; row += 1) {
                        list.choose(row);
                        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                    }
                }"""
            )
            check(page.evaluate("() => window.hacked") is None, f"seed {seed}: a script of the records ran")
            check(page.locator("main img, main iframe, main script, main svg").count() == 0, f"seed {seed}: a record made an element")
            marks = page.evaluate(r"""() => /[\u202a-\u202e\u2066-\u2069\u200f\u061c\u0000-\u0008\u001b]/.test(document.body.innerText)""")
            check(not marks, f"seed {seed}: a mark with power over the text came through")
            check(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), f"seed {seed}: a text makes the page wider than the window")
            check(page.evaluate("() => document.querySelector('[role=option][aria-selected=true]') !== null"), f"seed {seed}: the page stands still")


def clock(path: str, words: str) -> None:
    with opened(path) as page:
        for place in (".slider output", ".tools label"):
            text = page.locator(place).inner_text()
            check(text.rstrip(")").endswith(words) if words else "virtual" not in text, f"{place} says {text}, not {words}")


def audit(page: Page) -> None:
    """A page at three widths, light and dark, and what axe says of its accessibility. With PICTURES, a picture of each is put into that folder."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 800, 400):
            page.set_viewport_size({"width": width, "height": 1000})
            settle(page)
            where = f"{scheme}, {width} px"
            if os.environ.get("PICTURES"):
                page.screenshot(path=f"{os.environ['PICTURES']}/{scheme}-{width}.png", full_page=True)
            check(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), f"{where}: wider than the window")
            hidden = page.evaluate("() => [...document.querySelectorAll('.windows')].filter((row) => row.scrollWidth > row.clientWidth).length")
            check(hidden == 0, f"{where}: {hidden} rows of windows end out of sight")
            for violation in Axe().run(page).response["violations"]:
                if violation["impact"] in ("serious", "critical"):
                    print(f"{where}: {violation['id']}: {violation['help']}: {[node['html'][:160] for node in violation['nodes'][:3]]}")


def looks(path: str) -> None:
    """How it looks."""
    with opened(path) as page:
        # A line that repeats an order is long, and whole.
        cut = page.evaluate("() => [...document.querySelectorAll('.table')].filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.getAttribute('aria-label'))")
        check(cut == [], f"these tables end out of sight: {cut}")
        audit(page)


if __name__ == "__main__":
    {"travel": travel, "marked": marked, "pair": pair, "broken": broken, "repeated": repeated, "flaws": flaws, "hostile": hostile, "looks": looks, "clock": clock}[sys.argv[1]](*sys.argv[2:])
