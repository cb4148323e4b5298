"""Long histories, and the page over them: what it does is counted, never timed.

    long.py make COUNT SEED              # a history of so many records, one a line, as one host tells them
    long.py counts SCENECTL FOLDER       # what the page does to open and to go to a record, for a history and one of ten times its length
    long.py way SCENECTL FOLDER          # an event with thousands of records
    long.py packed SCENECTL FOLDER       # the page has the records of the file, byte for byte
    long.py digits SCENECTL FOLDER       # numbers that a browser cannot keep
    long.py kept SCENECTL FOLDER         # a history without its first records tells the same of the rest

Without `make` it prints one line for each finding, and nothing if there is none.
"""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

from viewer import check, settle

TABS = ("home", "orders", "account")


def destination(chance: random.Random) -> dict:
    kind = chance.choice(("product", "order", "cart", "promo"))
    return {"id": kind, "parameters": {} if kind == "cart" else {"id": f"p{chance.randrange(5000)}"}}


class Window:
    def __init__(self, scene: str) -> None:
        self.scene = scene
        self.tickets = 0
        self.stacks = {tab: [{"id": tab, "parameters": {}}] for tab in TABS}
        self.tab = "home"
        self.parked: list[tuple[int, str, dict]] = []

    def json(self) -> dict:
        shown = [{**place, "coordinator": tab, "since": 0, "needs": ["signedIn"] if place["id"] == "cart" else [], "personal": place["id"] == "order"} for tab in TABS for place in self.stacks[tab]]
        return {"tabs": [{"id": tab, "stack": list(self.stacks[tab])} for tab in TABS], "selectedTab": self.tab, "modals": [], "shown": shown}


class Host:
    """One host of the shop: windows in which links are opened, some of which wait for a sign-in; users who come and go."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.host = f"{seed:08x}-1111-4222-8333-444455556666"
        self.index = 0
        self.time = 1_000_000
        self.revision = 0
        self.epoch = 0
        self.user: str | None = None
        self.windows = [Window(scene) for scene in ("A", "B", "C", "D", "E", "F")]
        self.events = 0

    def record(self, kind: str, subject: dict | None = None, **body: object) -> dict:
        self.index += 1
        self.time += self.chance.randrange(1_000, 900_000)
        return {"host": self.host, "index": self.index, "kind": kind, "monotonic": self.time, **(subject or {}), "revision": self.revision, "epoch": self.epoch, **body}

    def records(self) -> Iterator[dict]:
        yield self.record("host.started", format=6, app="shop", manifestVersion="1.0.0", manifest="0" * 64, holds={"signedIn": False}, stale=[], facts={"cart": [], "unavailable": []})
        for window in self.windows:
            yield self.record("scene.connected", {"scene": window.scene}, configuration="main", restored=False, window=window.json())
            yield self.record("scene.activation", {"scene": window.scene}, **{"from": "unattached", "to": "foregroundInactive"})
            yield self.record("scene.activation", {"scene": window.scene}, **{"from": "foregroundInactive", "to": "foregroundActive"})
        while True:
            turn = self.chance.random()
            window = self.chance.choice(self.windows)
            if turn < 0.9:
                yield from self.link(window)
            elif turn < 0.97:
                yield from self.commit({"cart": [f"p{self.chance.randrange(5000)}" for _ in range(self.chance.randrange(4))]})
            elif turn < 0.985:
                for states in (("foregroundActive", "foregroundInactive"), ("foregroundInactive", "foregroundActive")):
                    yield self.record("scene.activation", {"scene": window.scene}, **{"from": states[0], "to": states[1]})
            elif self.user is None:
                self.user = self.chance.choice(("anna", "bob"))
                yield from self.commit({})
                for one in self.windows:
                    yield from self.resume(one)
            else:
                self.user = None
                self.epoch += 1
                yield from self.commit({"cart": []})

    def commit(self, facts: dict) -> Iterator[dict]:
        self.revision += 1
        yield self.record("session.committed", user=self.user, origin={"connection": 1}, holds={"signedIn": self.user is not None}, stale=[], facts=facts)

    def link(self, window: Window) -> Iterator[dict]:
        window.tickets += 1
        self.events += 1
        place = destination(self.chance)
        subject = {"scene": window.scene, "ticket": window.tickets, "event": f"auto-{self.events}"}
        yield self.record("event.admitted", subject, eventKind="url", source="external", choice="named", destination=place, route="shop://product/{id}")
        subject = {"scene": window.scene, "ticket": window.tickets, "attempt": 1, "event": f"auto-{self.events}"}
        yield self.record("dispatch.began", subject, item="dispatch")
        if place["id"] == "cart" and self.user is None:
            yield self.record("dispatch.resolved", subject, destination=place, verdict="gated", reason="signedIn")
            for ticket, event, waiting in window.parked:
                gone = {"scene": window.scene, "ticket": ticket, "attempt": 1, "event": event}
                yield self.record("gate.superseded", gone, precondition="signedIn", destination=waiting, by=subject["event"])
            window.parked = [(window.tickets, subject["event"], place)]
            yield self.record("gate.parked", subject, precondition="signedIn", destination=place, flow="auth")
            yield self.record("dispatch.ended", subject, outcome="gated", precondition="signedIn")
        else:
            yield from self.show(window, subject, place)

    def resume(self, window: Window) -> Iterator[dict]:
        for ticket, event, place in window.parked:
            subject = {"scene": window.scene, "ticket": ticket, "attempt": 1, "event": event}
            yield self.record("gate.resumed", subject, precondition="signedIn", destination=place)
            subject["attempt"] = 2
            yield self.record("dispatch.began", subject, item="resume")
            yield from self.show(window, subject, place)
        window.parked = []

    def show(self, window: Window, subject: dict, place: dict) -> Iterator[dict]:
        yield self.record("dispatch.resolved", subject, destination=place, verdict="proceed")
        if self.chance.random() < 0.05:
            yield self.record("dispatch.ended", subject, outcome="rejected", reason="otherUser")
            return
        window.tab = self.chance.choice(TABS)
        stack = window.stacks[window.tab]
        if len(stack) > 4:
            del stack[1:]
        op = {"name": "push", "tab": window.tab, "destination": place}
        yield self.record("dispatch.planned", subject, ops=[op])
        stack.append(place)
        yield self.record("navigation.step", subject, op=op, cause="dispatch", window=window.json())
        yield self.record("dispatch.ended", subject, outcome="applied")


def make(count: str, seed: str) -> None:
    for record in Host(int(seed)).records():
        print(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
        if record["index"] == int(count):
            return


def written(path: str, count: int, seed: int) -> list[str]:
    """Writes a history; its lines."""
    lines = []
    for record in Host(seed).records():
        lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
        if len(lines) == count:
            break
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return lines


# Counts records parsed, elements made, and strokes of the time line.
COUNTERS = """
    window.counted = { parsed: 0, made: 0, drawn: 0 };
    const { parse } = JSON;
    JSON.parse = (text, ...others) => {
      if (text.startsWith('{"host"')) counted.parsed += 1;
      return parse(text, ...others);
    };
    const { createElement } = document;
    document.createElement = (name) => {
      counted.made += 1;
      return createElement.call(document, name);
    };
    for (const name of ["fillRect", "strokeRect", "fillText", "stroke", "fill"]) {
      const draw = CanvasRenderingContext2D.prototype[name];
      CanvasRenderingContext2D.prototype[name] = function (...given) {
        counted.drawn += 1;
        return draw.apply(this, given);
      };
    }
"""


@contextmanager
def opened(path: str, *scripts: str):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
        # What the driver asks the page's own scripts for is not of the page.
        page = browser.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce", bypass_csp=True).new_page()
        page.on("pageerror", lambda error: print(f"error in the page: {error}"))
        page.on("console", lambda message: print(f"console: {message.text[:200]}") if message.type in ("error", "warning") else None)
        for script in scripts:
            page.add_init_script(script)
        page.goto(f"file://{path}")
        page.wait_for_selector(".page", timeout=120_000)
        settle(page)
        yield page
        browser.close()


def inspected(scenectl: str, *files: str) -> str:
    """A page over files."""
    page = f"{files[0]}.html"
    made = subprocess.run([scenectl, "inspect", *files, "--out", page], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    check(made.stderr == "", f"the history is none: {made.stderr}")
    return page


def done(page: Page, step: str) -> dict:
    """What the page has to do for a step."""
    page.evaluate("() => Object.assign(counted, { parsed: 0, made: 0, drawn: 0 })")
    page.evaluate(step)
    settle(page)
    return page.evaluate("() => ({ ...counted })")


SCRUB = """() => {
  const input = document.querySelector(".slider input");
  input.value = String(Math.round(Number(input.max) * %f));
  input.dispatchEvent(new Event("input"));
}"""
SCROLL = "() => { document.querySelector('record-list').scrollTop = %f * document.querySelector('record-list').scrollHeight; }"


def counts(scenectl: str, folder: str) -> None:
    for count in (3_000, 30_000):
        lines = written(f"{folder}/{count}.jsonl", count, 1)
        with opened(inspected(scenectl, f"{folder}/{count}.jsonl"), COUNTERS) as page:
            at_first = page.evaluate("() => ({ ...counted })")
            check(0 < at_first["parsed"] < 200, f"{count}: to open it, {at_first['parsed']} records are parsed")
            check(at_first["drawn"] < 30_000, f"{count}: to open it, {at_first['drawn']} strokes are drawn")
            rows = page.locator("record-list .row").count()
            check(0 < rows < 40, f"{count}: {rows} rows")
            shown = set()
            for step in range(1, 12):
                work = done(page, SCRUB % (step / 12))
                shown.add(page.locator(".slider output").inner_text())
                check(work["drawn"] == 0, f"{count}, step {step}: {work['drawn']} strokes are drawn anew")
                check(0 < work["parsed"] < 120, f"{count}, step {step}: {work['parsed']} records are parsed")
                check(work["made"] < 600, f"{count}, step {step}: {work['made']} elements are made")
            check(len(shown) == 11, f"{count}: {len(shown)} of 11 steps are shown")
            for step in range(1, 12):
                work = done(page, SCROLL % (step / 13))
                check(work["parsed"] < 60 and work["made"] <= 12 and work["drawn"] == 0, f"{count}: to scroll it does {work}")
            index = page.locator("record-list .row .index").first.inner_text()
            check(abs(int(re.sub(r"\D", "", index)) - len(lines) * 11 / 13) < 40, f"{count}: scrolled, the list begins with {index}")


def way(scenectl: str, folder: str) -> None:
    """Of an event with thousands of records as much is drawn as one reads, and all of it can be."""
    many = 5_000
    host = Host(1)
    began = [next(records) for records in [host.records()] for _ in range(19)]
    subject = {"scene": "A", "ticket": 1, "attempt": 1, "event": "auto-1"}
    steps = [host.record("event.admitted", subject, eventKind="url"), *(host.record("dispatch.planned", subject, ops=[]) for _ in range(many - 2)), host.record("dispatch.ended", subject, outcome="applied")]
    with open(f"{folder}/way.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in [*began, *steps])
    with opened(inspected(scenectl, f"{folder}/way.jsonl"), COUNTERS) as page:
        numbers = "() => [...document.querySelectorAll('.way li:not(.rest)')].map((one) => one.value)"
        check(page.evaluate("() => counted.parsed") < 200, f"to open it, {page.evaluate('() => counted.parsed')} records are parsed")
        for number in (1, 2_500, many):
            work = done(page, f"() => document.querySelector('record-list').choose({len(began) + number - 1})")
            shown = page.evaluate(numbers)
            check(work["made"] < 600 and work["parsed"] < 200, f"step {number}: it does {work}")
            check(len(shown) < 60 and {1, number, many} <= set(shown), f"step {number}: drawn are {shown}")
            current = page.evaluate("() => [...document.querySelectorAll('.way [aria-current]')].map((one) => one.value)")
            check(current == [number], f"step {number}: marked is {current}")
            room = page.locator(".way ol").evaluate("""(list) => {
                const number = document.createElement("b");
                number.append("5000. ");
                list.lastChild.append(number);
                const { width } = number.getBoundingClientRect();
                number.remove();
                return parseFloat(getComputedStyle(list).paddingLeft) - width;
            }""")
            check(room >= 0, f"step {number}: for the numbers of steps {-room} px are missing")
            hidden = sum(int(re.sub(r"\D", "", text.split(" steps")[0])) for text in page.locator(".way .rest").all_inner_texts())
            check(hidden + len(shown) == many, f"step {number}: {len(shown)} are drawn, and {hidden} are said to be between")
        for before in (40, 240):
            page.locator(".way .rest button").first.focus()
            page.keyboard.press("Enter")
            settle(page)
            shown = page.evaluate(numbers)
            check(len(shown) == len(set(shown)) == before + 200, f"asked for more of {before}, it draws {len(shown)}")
            check(page.evaluate("() => document.activeElement.closest('.way li') !== null"), "who asks for more loses the keyboard's place")
        check(page.evaluate(numbers) == [*range(1, 421), *range(many - 19, many + 1)], f"drawn are {page.evaluate(numbers)}")


def packed(scenectl: str, folder: str) -> None:
    files = [f"{folder}/{name}.jsonl" for name in ("one", "other")]
    histories = [written(file, 3_000, seed) for seed, file in enumerate(files)]
    for shown in (files[:1], files):
        path = inspected(scenectl, *shown)
        given = sum(os.path.getsize(file) for file in shown)
        check(os.path.getsize(path) < given / 4 + 400_000, f"the page has {os.path.getsize(path)} bytes for {given}")
        with opened(path) as page:
            texts = page.evaluate(
                """async () => {
                    const { embedded } = await import("scened/viewer");
                    return (await embedded()).map(({ reader }) => reader.list.map((history) => Array.from({ length: history.count }, (_, place) => history.text(place))));
                }"""
            )
            check(texts == [[history] for history in histories[: len(shown)]], f"of {len(shown)} files the records differ")


def digits(scenectl: str, folder: str) -> None:
    large = [9_007_199_254_740_993, 12_345_678_901_234_567_890, -9_223_372_036_854_775_807]
    facts = {f"large{number}": value for number, value in enumerate(large)} | {"list": [large[0], 1.5, "9007199254740993"], "small": 42}
    record = {**next(Host(1).records()), "facts": facts}
    with open(f"{folder}/digits.jsonl", "w", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    with opened(inspected(scenectl, f"{folder}/digits.jsonl")) as page:
        session = page.locator(".session li").all_inner_texts()
        for fact, value in facts.items():
            text = json.dumps(value, separators=(",", ":"))
            check(any(fact in line and text in line for line in session), f"the session does not show {fact} as {text}: {session}")
        check(json.loads(page.locator(".detail pre").inner_text()) == record, "the record as it is is another one")
    # The numbers of records and of tickets: none is missing but the one that is.
    made = list(Host(1).link(Window("A")))
    first = 2**53 - 2
    indices = [*range(first, first + len(made) - 1), first + len(made)]
    with open(f"{folder}/indices.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps({**record, "index": index, "ticket": 2**60 + 1}) + "\n" for record, index in zip(made, indices, strict=True))
    path = f"{folder}/indices.html"
    told = subprocess.run([scenectl, "inspect", f"{folder}/indices.jsonl", "--out", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    check(f"record {indices[-1] - 1} is missing" in told, f"the command says of the records: {told}")
    with opened(path) as page:
        said = page.locator("main > .problem, main > .nothing").all_inner_texts()
        check(len(said) == 2 and f"begin with number {first:,};" in said[0] and ": 1 record is missing." in said[1], f"the page says of the records: {said}")
        shown = page.locator("record-list .index").all_inner_texts()
        check(shown == [f"{index:,}" for index in indices], f"the records have the numbers {shown}, not {indices}")
        cut = page.evaluate("() => [...document.querySelectorAll('record-list .index, record-list .ticket')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)")
        check(cut == [], f"cut in the list: {cut}")
        page.keyboard.press("Home")
        for index in indices:
            settle(page)
            text = page.locator(".slider output").inner_text()
            check(f"record {index:,} of {indices[-1]:,}" in text, f"at record {index} the slider says {text}")
            heading = page.locator(".detail h2").inner_text()
            check(f"record {index:,}" in heading, f"record {index} is headed {heading}")
            page.keyboard.press("ArrowRight")
        way = page.locator(".way").inner_text()
        check(f"A #{2**60 + 1}" in way and page.locator(".way li").count() == len(indices), f"the way of the event is {way}")


def kept(scenectl: str, folder: str) -> None:
    """What is the case at a record is the same, whether or not the page has dropped what was before."""
    written(f"{folder}/kept.jsonl", 6_000, 2)
    with opened(inspected(scenectl, f"{folder}/kept.jsonl")) as page:
        found = page.evaluate(
            """async () => {
                const { HistoryReader } = await import("scened/reader");
                const { history: whole } = document.querySelector("record-list").rows;
                const found = [];
                const reader = new HistoryReader();
                const encoder = new TextEncoder();
                let drops = 0;
                for (let place = 0; place < whole.count; place += 1) {
                    reader.push(encoder.encode(`${whole.text(place)}\n`));
                    const [history] = reader.list;
                    const { first } = history;
                    history.limit(400, 1 << 20);
                    if (history.first === first) continue;
                    drops += 1;
                    if (history.count - history.first > 400) found.push(`${history.count - history.first} records are left`);
                    for (const at of [history.first, history.first + 1, history.first + 100, place]) {
                        const said = [whole, history].map((one) => JSON.stringify([one.record(at), one.sessionAt(at), [...whole.scenes.keys()].map((name) => one.sceneAt(one.scenes.get(name), at))]));
                        if (said[0] !== said[1]) found.push(`record ${at} after ${history.first} are dropped: ${said[1]} instead of ${said[0]}`);
                    }
                }
                if (drops < 10) found.push(`it dropped ${drops} times`);
                return found.slice(0, 5);
            }"""
        )
        for one in found:
            print(one)


if __name__ == "__main__":
    {"make": make, "counts": counts, "packed": packed, "way": way, "digits": digits, "kept": kept}[sys.argv[1]](*sys.argv[2:])
