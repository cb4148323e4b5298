"""Measures the page on which records are seen, in Chromium.

    page.py FOLDER PROGRAMS    # a folder for its files, and that of scened and scenectl

It prints figures, one a line, as `Figures` reads them.
"""

import json
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2] / "IntegrationTests" / "Python"))

from inspected import PROGRAMS, Inspector
from long import written

FOLDER = Path(sys.argv[1])
ROUNDS = 3


def figure(name: str, samples: list[float], unit: str = "", goal: dict | None = None, reference: str | None = None, detail: str = "") -> None:
    figure = {"area": "page", "name": name, "unit": unit, "samples": samples, "goal": goal, "reference": reference, "detail": detail}
    print(json.dumps({key: value for key, value in figure.items() if value is not None}), flush=True)


@contextmanager
def opened(address: str):
    """A page and the seconds after which it has drawn what there is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
        page.set_default_timeout(300_000)
        began = time.monotonic()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(".page")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield page, time.monotonic() - began
        browser.close()


# Does something at each frame for three seconds; frames a second. To and fro through all of it in ten seconds.
FRAMES = """() => new Promise((done) => {
  const input = document.querySelector(".slider input");
  const list = document.querySelector("record-list");
  const began = performance.now();
  let frames = 0;
  const frame = () => {
    const passed = performance.now() - began;
    if (passed > 3000) return done(frames * 1000 / passed);
    frames += 1;
    const share = Math.abs((frames %% 600) / 300 - 1);
    %s
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
SCRUB = FRAMES % 'input.value = String(Math.round(share * input.max)); input.dispatchEvent(new Event("input"));'
SCROLL = FRAMES % "list.scrollTop = share * (list.scrollHeight - list.clientHeight);"


def files() -> None:
    for count, most in ((100_000, 2), (1_000_000, 10)):
        file = FOLDER / f"{count}.jsonl"
        written(str(file), count, 1)
        path = file.with_suffix(".html")
        subprocess.run([f"{PROGRAMS}/scenectl", "inspect", file, "--out", path], check=True, stdout=subprocess.DEVNULL)
        seconds, scrubbed, scrolled = [], [], []
        for _ in range(ROUNDS):
            with opened(f"file://{path}") as (page, taken):
                seconds.append(taken)
                scrubbed.append(page.evaluate(SCRUB))
                scrolled.append(page.evaluate(SCROLL))
        figure(f"to open, {count:,} records", seconds, "s", {"atMost": most}, detail=f"a page of {path.stat().st_size / 1e6:.1f} MB for {file.stat().st_size / 1e6:.0f} MB of records")
        figure(f"frames/s through the time, {count:,} records", scrubbed, "frames/s", {"atLeast": 50})
        figure(f"frames/s through the list, {count:,} records", scrolled, "frames/s", {"atLeast": 50})
        file.unlink()


class Daemon:
    """A daemon with the clock of the machine."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.process = subprocess.Popen([f"{PROGRAMS}/scened", "--config", "/dev/null", "--socket", socket, "--log-level", "error"])
        while not socket.exists():
            time.sleep(0.01)

    def json(self, *words: str) -> dict:
        return json.loads(subprocess.run([f"{PROGRAMS}/scenectl", *words, "--json", "--socket", self.socket], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def processor(pid: int) -> float:
    """The processor time that a process has had, in seconds."""
    times = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(times[11]) + int(times[12])) / 100


def loaded(started: Daemon, rate: int) -> tuple[float, float]:
    """Asks so many events a second of a daemon: how many came, and what each took of the daemon's processor in µs."""
    before = processor(started.process.pid)
    soak = started.json(
        "soak", "--rate", str(rate), "--arrival", "uniform", "--mix", "links=1", "--clients", "8", "--in-flight", "16", "--scenes", "8",
        "--duration", "8s", "--warm-up", "500ms", "--nocatchup", "--every", "1s", "--seed", "7", "--no-records",
    )
    totals = soak["totals"]
    return totals["rate"], (processor(started.process.pid) - before) / totals["answered"] * 1e6


COUNT = "() => { window.frames = 0; const frame = () => { frames += 1; requestAnimationFrame(frame); }; frame(); }"
NEWEST = "() => { const { history } = document.querySelector('record-list').rows; return history.index(history.count - 1); }"


def behind(started: Daemon, page: Page) -> float:
    """How long the page takes for what it has not got yet, in seconds."""
    newest, began = started.json("status")["records"], time.monotonic()
    while page.evaluate(NEWEST) < newest:
        time.sleep(0.01)
    return time.monotonic() - began


def live(rate: int) -> None:
    ratios, frames, late, rates = [], [], [], []
    for number in range(ROUNDS):
        costs = {}
        for kind in ("follower", "page"):
            started = Daemon(FOLDER / f"{kind}{rate}-{number}")
            if kind == "follower":
                follower = subprocess.Popen([f"{PROGRAMS}/scenectl", "watch", "--json", "--socket", started.socket], stdout=subprocess.DEVNULL)
                _, costs[kind] = loaded(started, rate)
                follower.terminate()
                follower.wait()
            else:
                inspector = Inspector("--socket", str(started.socket))
                with opened(inspector.address()) as (page, _):
                    page.evaluate(COUNT)
                    began = time.monotonic()
                    came, costs[kind] = loaded(started, rate)
                    frames.append(page.evaluate("() => frames") / (time.monotonic() - began))
                    late.append(behind(started, page))
                    rates.append(came)
                inspector.stop()
            started.stop()
        ratios.append(costs["page"] / costs["follower"])
    asked = f"{rate:,} events/s asked"
    figure(f"the daemon's processor for an event, a page open, {asked}", ratios, "", {"atMost": 1}, "scenectl watch --json", f"{max(rates):,.0f} events/s came")
    figure(f"frames/s, {asked}", frames, "frames/s", {"atLeast": 50}, detail="load, daemon and browser on one machine")
    figure(f"what the page lacks at the end, {asked}", late, "s", {"atMost": 1})


class Stream(BaseHTTPRequestHandler):
    """Serves the page, and records at a rate: what 10,000 events a second make, for a machine on which no daemon makes them beside a browser."""

    protocol_version = "HTTP/1.1"
    rate = 60_000
    html = b""
    # What the page is told before the first record, by a daemon that has none.
    about = ""
    lines: tuple[str, ...] | list[str] = ()
    sent = 0
    turn = 0

    def log_message(self, *_: object) -> None: ...

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b'{"key":"key"}', "application/json")

    def do_GET(self) -> None:
        if self.path == "/":
            return self.answer(self.html, "text/html; charset=utf-8")
        if self.path.startswith("/heart"):
            return self.answer(b'{"answers":true}', "application/json")
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        began = time.monotonic()
        # A page that is gone may be noticed when the next is there.
        Stream.turn += 1
        turn, Stream.sent = Stream.turn, 0
        try:
            self.event("page", [self.about])
            while turn == Stream.turn and Stream.sent < len(self.lines):
                due = min(int((time.monotonic() - began) * self.rate) + 1, len(self.lines), Stream.sent + 500)
                self.event("records", self.lines[Stream.sent : due])
                if turn == Stream.turn:
                    Stream.sent = due
                time.sleep(0.002)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def event(self, name: str, lines: list[str]) -> None:
        bytes = (f"event: {name}\n" + "".join(f"data: {line}\n" for line in lines) + "\n").encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(bytes), bytes))


def first_event(address: str) -> str:
    """What a page is told first, as scenectl tells it."""
    page, token = address.split("#token=")
    session = urllib.request.Request(f"{page}session", json.dumps({"token": token}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(session) as answer:
        key = json.load(answer)["key"]
    stream = urllib.request.Request(f"{page}stream", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(stream) as answer:
        name, data = answer.readline().decode().strip(), answer.readline().decode().strip()
    if name != "event: page":
        raise RuntimeError(f"expected the page's event first, found {name}: {data[:200]}")
    return data.removeprefix("data: ")


def fed() -> None:
    Stream.lines = written(str(FOLDER / "fed.jsonl"), 1_000_000, 1)
    started = Daemon(FOLDER / "fed")
    inspector = Inspector("--socket", str(started.socket))
    address = inspector.address()
    with urllib.request.urlopen(address.split("#")[0]) as answer:
        Stream.html = answer.read()
    Stream.about = first_event(address)
    inspector.stop()
    started.stop()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    frames, lacks, rates = [], [], []
    for _ in range(ROUNDS):
        with opened(f"http://127.0.0.1:{server.server_port}/#token=0") as (page, _):
            page.evaluate(COUNT)
            began, before, first = time.monotonic(), Stream.sent, page.evaluate("() => frames")
            missing = []
            while time.monotonic() - began < 10:
                time.sleep(0.5)
                sent = Stream.sent
                missing.append(sent - page.evaluate("() => document.querySelector('record-list').rows.history.count"))
            passed = time.monotonic() - began
            frames.append((page.evaluate("() => frames") - first) / passed)
            rates.append((Stream.sent - before) / passed)
            lacks.append(max(0, *missing) / Stream.rate)
    server.shutdown()
    sent = f"{Stream.rate:,} records/s sent"
    figure(f"frames/s, {sent}", frames, "frames/s", {"atLeast": 50}, detail=f"{min(rates):,.0f} records/s came")
    figure(f"what the page lacks at most, {sent}", lacks, "s", {"atMost": 1})


files()
fed()
live(1_000)
live(10_000)
