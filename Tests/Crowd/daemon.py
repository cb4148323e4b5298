"""The daemon under attack: its users, its start, what it holds, its end."""

import contextlib
import os
import pathlib
import re
import subprocess
import time

from judgement import allowance, more_than
from processes import end_with_parent
from wire import PATIENCE, Connection, message

# Users that nobody else on this machine has. The hostile ones have the first role, the first two, …; the last has none.
GOOD, HOSTILE = 61_000, 61_001
GOOD_CLIENTS = 4
# So that the daemon's own memory of what happened is full before it is measured.
RETAINED = 3_000


def roles_of(daemon):
    """The daemon's roles in its own order."""
    text = subprocess.run([daemon, "--config", "/dev/null", "--check-config"], capture_output=True, text=True, check=True)
    return re.findall(r"^roles\.(\w+)", text.stdout, re.MULTILINE)


def configuration(roles):
    """Settings that give the good user every role, and hostile users ever more of them."""
    lines = [f"retainedRecords: {RETAINED}", f"retainedEvents: {RETAINED}", "roles:"]
    for place, role in enumerate(roles):
        users = [GOOD] + [HOSTILE + number for number in range(place, len(roles))]
        lines.append(f"  {role}: [{', '.join(f'user:{user}' for user in users)}]")
    return "\n".join(lines) + "\n"


class Daemon:
    """The daemon under attack, and what it says of itself."""

    def __init__(self, options, folder):
        self.path, self.process, self.folder = options.socket or f"{folder}/io.scened", None, folder
        if not options.socket:
            file = folder / "scened.yaml"
            file.write_text(configuration(options.roles))
            self.log = open(folder / "log", "w+")
            self.process = subprocess.Popen(
                [options.daemon, "--config", file, "--socket", self.path, "--log", "text", "--log-level", "error"],
                stdout=self.log,
                stderr=self.log,
                preexec_fn=end_with_parent,
            )
        for _ in range(600):
            with contextlib.suppress(OSError):
                self.control = Connection(self.path, timeout=PATIENCE)
                break
            if self.process and self.process.poll() is not None:
                raise SystemExit(f"crowd: the daemon did not start:\n{(folder / 'log').read_text()}")
            time.sleep(0.05)
        else:
            raise SystemExit(f"crowd: nobody listens at {self.path}")
        os.chmod(self.path, 0o666)
        self.id = self.call("Manager.GetStatus")["processID"]

    def call(self, method, **parameters):
        return self.control.call(f"io.scened.{method}", **parameters)

    def windows(self):
        found, after = [], {}
        while True:
            page = self.call("Scenes.List", **after)
            found += [scene["id"] for scene in page["scenes"]]
            if not page["scenes"] or page.get("next") is None:
                return found
            after = {"after": page["next"]}

    def gauges(self):
        """The metrics as pairs of a name with its labels and a value."""
        lines = self.call("Manager.GetMetrics")["openMetrics"].splitlines()
        return {key: float(value) for key, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")}

    def stretches(self):
        """The longest stretches of processor time for one message, in seconds, by method."""
        found = {}
        for key, value in self.gauges().items():
            if key.startswith("scened_longest_message_seconds"):
                found[re.search(r'method="(.*?)"', key)[1] or "no method"] = value
        return found

    def held(self):
        """What it holds, from the system and from its own metrics."""
        status = pathlib.Path(f"/proc/{self.id}/status").read_text()
        held = {
            "memory": int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024,
            "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]),
            "descriptors": len(os.listdir(f"/proc/{self.id}/fd")),
        }
        gauges = self.gauges()
        for what in ["waiters", "timers", "pending", "parked", "connections"]:
            values = [value for key, value in gauges.items() if what in key.partition("{")[0] and "_total" not in key]
            held[what] = int(sum(values)) if values else None
        return held

    def stop(self):
        """Its exit status and log; nothing for a daemon that ran before."""
        self.control.close()
        if not self.process:
            return 0, ""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.log.seek(0)
        return status, self.log.read()


def warm_up(daemon, users):
    """Fills what the daemon keeps of the past, and makes the attackers' windows. Returns these."""
    windows = [f"theirs-{number}" for number in range(2 * users)]
    for window in windows:
        daemon.call("Scenes.Connect", scene=window)
    connections = [Connection(daemon.path) for _ in range(100)]
    for connection in connections:
        connection.call("io.scened.Session.Get")
    for connection in connections:
        connection.close()
    fill_history(daemon, windows[0])
    return windows


def fill_history(daemon, window):
    """Fills what the daemon keeps of the past with small events, so that its size says nothing of what came before."""
    urls = [f"https://shop.example/product/p{number}" for number in range(50)]
    for _ in range(RETAINED // 5 // len(urls)):
        for url in urls:
            daemon.control.send(message("io.scened.Events.OpenURL", {"url": url, "scene": window}))
        for _ in urls:
            daemon.control.answer()


def measure_stretch(daemon):
    """The longest stretch for harmless messages of full size, in seconds: what their length alone costs.

    Each is sent often: the longest of few would be shorter than the longest of the crowd's thousands by chance alone.
    """
    size = 1_000_000
    values = ["x" * size, [0] * (size // 3), {f"{number}": 0 for number in range(size // 12)}]
    for value in values * 20:
        daemon.control.send(message("org.example.Nothing", {"value": value}))
        daemon.control.answer()
    return daemon.stretches().get("no method", 0)


def tidy(daemon):
    """Takes away what was lawfully left: windows, a user, facts."""
    for window in daemon.windows():
        if not window.startswith("good-"):
            # Discarding one may discard another.
            with contextlib.suppress(RuntimeError):
                daemon.call("Scenes.Discard", scene=window)
    session = daemon.call("Session.SignOut")["session"]
    daemon.call("Session.Commit", remove=list(session.get("facts") or {}))


def settle(daemon, before, window):
    """What the daemon holds when the last of the crowd has gone, and nothing more goes away, or all has gone."""
    deadline = time.monotonic() + PATIENCE
    while daemon.held()["connections"] > before["connections"] and time.monotonic() < deadline:
        time.sleep(0.1)
    tidy(daemon)
    # The crowd's events were larger.
    daemon.call("Scenes.Connect", scene=window)
    fill_history(daemon, window)
    for _ in range(60):
        # Calls of clients that have gone may still have waited for their turn.
        tidy(daemon)
        held = daemon.held()
        if all(more_than(before, held, what) <= allowance(what) for what in held):
            break
        time.sleep(0.25)
    return held
