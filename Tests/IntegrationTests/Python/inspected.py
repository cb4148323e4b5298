"""A live daemon, the program that serves its page, and the page in Chromium: for live.py and door.py."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

from viewer import READ, check, settle

PROGRAMS = sys.argv[2]


class Daemon:
    """A daemon with a virtual clock, and commands for it."""

    def __init__(self, folder: str, *arguments: str):
        self.socket = f"{folder}/s"
        self.process = subprocess.Popen(
            [f"{PROGRAMS}/scened", "--config", "/dev/null", "--socket", self.socket, "--log-level", "error", "--clock", "virtual", "--start", "2026-11-27", *arguments]
        )
        while not os.path.exists(self.socket):
            if self.process.poll() is not None:
                raise SystemExit("scened did not start")
            time.sleep(0.01)
        # What is left to chance comes alike each time.
        self.run("reset", "--seed", "7")

    def run(self, *words: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run([f"{PROGRAMS}/scenectl", *words, "--socket", self.socket], capture_output=True, text=True, **options)

    def json(self, *words: str):
        return json.loads(self.run(*words, "--json").stdout)

    def shell(self, script: str) -> subprocess.CompletedProcess:
        path = f"{PROGRAMS}:{os.environ['PATH']}"
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": path, "SCENED_SOCKET": self.socket})

    def state(self) -> dict:
        """Windows and session, as the commands tell them."""
        windows = {}
        for scene in self.json("list")["scenes"]:
            window = scene.get("window")
            stack = None
            if window:
                stack = window["modals"][-1]["stack"] if window["modals"] else next(t["stack"] for t in window["tabs"] if t["id"] == window["selectedTab"])
            windows[scene["id"]] = {
                "is_connected": scene["connected"], "activation": scene["activation"], "front": stack[-1]["id"] if stack else None,
                "tab": window["selectedTab"] if window else None, "modals": len(window["modals"]) if window else 0,
                "parked": sorted(parked["destination"]["id"] for parked in scene["parked"]),
            }
        session = self.json("session", "get")
        return {"windows": windows, "user": session.get("user"), "facts": session["facts"]}

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(60)


class Inspector:
    """`scenectl inspect`, and the addresses it prints."""

    def __init__(self, *words: str, before: tuple[str, ...] = ()):
        self.process = subprocess.Popen([*before, f"{PROGRAMS}/scenectl", "inspect", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addresses: list[str] = []

    def address(self) -> str:
        """The next address that it prints."""
        line = self.process.stdout.readline().strip()
        if not re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/#token=[0-9a-f]{32}", line):
            raise SystemExit(f"not an address: {line!r} {self.process.stderr.read()}")
        self.addresses.append(line)
        return line

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def daemon(*arguments: str):
    with tempfile.TemporaryDirectory() as folder:
        started = Daemon(folder, *arguments)
        try:
            yield started
        finally:
            started.stop()


@contextmanager
def browser(width: int = 1280):
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
        context = started.new_context(viewport={"width": width, "height": 1000}, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
        yield context
        started.close()


# What a browser says of a stream whose program has ended.
ENDING = ("ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_REFUSED")


def opened(context, address: str, expected: tuple[str, ...] = ()) -> Page:
    """A page that has what there is to show; what it complains of is told, but for what is expected."""
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"error in the page: {error}"))
    page.on("console", lambda message: print(f"console: {message.text[:200]}") if message.type in ("error", "warning") and not any(word in message.text for word in expected) else None)
    origin = address.split("/#")[0]
    page.on("request", lambda request: None if request.url.startswith((origin + "/", "data:")) else print(f"fetched {request.url}"))
    page.goto(address)
    page.wait_for_selector(".page", timeout=60_000)
    settle(page)
    return page


@contextmanager
def live(*arguments: str, expected: tuple[str, ...] = ()):
    """A daemon, its page in a browser, and the program that serves it."""
    with daemon(*arguments) as started, browser() as context:
        inspector = Inspector("--socket", started.socket)
        # The stream ends with the program.
        yield started, opened(context, inspector.address(), (*ENDING, *expected)), inspector
        check(inspector.stop() == 0, "Ctrl-C does not end it with 0")
        errors = inspector.process.stderr.read()
        check(errors == "", f"it complains: {errors}")


def caught_up(started: Daemon, page: Page) -> None:
    """Until the page has drawn every record, and nothing is going on in the daemon."""
    started.run("quiesce")
    newest = started.json("status")["records"]
    page.wait_for_function(
        """(newest) => {
            const { history } = document.querySelector('record-list').rows;
            const isDrawn = Number(document.querySelector('.slider input').max) === history.count - 1;
            return isDrawn && history.index(history.count - 1) >= newest;
        }""",
        arg=newest,
        timeout=60_000,
    )
    settle(page)


def answered(page: Page) -> None:
    """Until every call that the page has made is answered."""
    page.wait_for_function("() => document.querySelector('.log [aria-busy=true]') === null", timeout=60_000)


def compare(started: Daemon, page: Page, after: str) -> None:
    """The page shows what the daemon says."""
    caught_up(started, page)
    told = started.state()
    shown = page.evaluate(READ)
    for scene, window in told["windows"].items():
        drawn = shown["windows"].get(scene)
        if drawn is None:
            check(False, f"{after}: the window {scene} is not drawn")
            continue
        # A window without tabs has one by the name root.
        names = ["is_connected"] + (["front", "modals"] if window["front"] is not None else []) + (["tab"] if window["tab"] not in (None, "root") else [])
        for name in names:
            check(drawn[name] == window[name], f"{after}: {scene}: {name} is {window[name]!r}, the page shows {drawn[name]!r}")
    check(shown["session"].get("user") == (told["user"] or "nobody"), f"{after}: {told['user']!r} is signed in, the page shows {shown['session'].get('user')!r}")
