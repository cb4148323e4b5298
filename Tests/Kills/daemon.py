"""A daemon that is to be ended at a certain call, or at any time, and started again with the same state."""

import errno
import mmap
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Crowd"))

from processes import end_with_parent  # noqa: E402

# How long, in seconds, a daemon may take to listen, or to answer anything, before that is a fault; the machine may be busy.
PATIENCE = 120
MODES = {"never": 0, "before": 1, "half": 2, "after": 3, "power": 4, "fail": 5, "forget": 6}
# When a life ends in which a sync has forgotten, other than so many calls later.
AT_ONCE, NOT_BY_ITSELF = -1, 0


# The status of a daemon that cannot use its state.
UNUSABLE = 78
# The status of a daemon that has to end and cannot write what is left.
UNWRITTEN = 74


class Control:
    """What kill.c reads and writes: struct control."""

    FIELDS = (
        *("count", "at", "mode", "keep", "seed", "syncs", "dropped", "unsynced", "moving", "commits", "error", "times"),
        *("failing", "moved", "inner", "left", "rewrites", "forgotten", "missed"),
    )
    SIZE = len(FIELDS) * 8 + 128

    def __init__(self, path):
        path.write_bytes(bytes(self.SIZE))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), self.SIZE)

    def __getitem__(self, field):
        return struct.unpack_from("q", self.memory, self.FIELDS.index(field) * 8)[0]

    def __setitem__(self, field, value):
        struct.pack_into("q", self.memory, self.FIELDS.index(field) * 8, value)

    @property
    def call(self):
        return self.memory[len(self.FIELDS) * 8 :].partition(b"\0")[0].decode()

    def clear(self):
        self.memory[:] = bytes(self.SIZE)
        self["syncs"] = self["rewrites"] = 1


class DidNotStart(Exception):
    """The daemon ended by itself before it listened, or it did not listen."""


class Place:
    """The folder of a history: the state, what kill.c needs beside it, and logs."""

    def __init__(self, folder, app, library, durability, transition=0):
        self.folder, self.app, self.library = folder, app, library
        self.settings = ["--durability", durability, "--transition", str(transition)]
        self.state, self.socket = folder / "state", str(folder / "s")
        (folder / "shadow").mkdir()
        # The manifest file, if the app is one, which clients may replace by the other.
        self.manifest = folder / "app.yaml"
        if app.manifests:
            self.manifest.write_text(app.manifests[0])
        self.control = Control(folder / "control")
        self.calls, self.starts = None, 0

    def start(self, plan):
        """Starts the daemon. Returns its process once it listens or was killed."""
        for shadow in (self.folder / "shadow").iterdir():
            shutil.rmtree(shadow) if shadow.is_dir() else shadow.unlink()
        before = self.folder / "before"
        shutil.rmtree(before, ignore_errors=True)
        if self.state.exists():
            shutil.copytree(self.state, before)
        self.starts += 1
        self.control.clear()
        plan.arm(self.control)
        self.calls = self.folder / f"calls-{self.starts}"
        environment = os.environ | {
            "LD_PRELOAD": str(self.library),
            "KILL_FOLDER": str(self.state),
            "KILL_SHADOW": str(self.folder / "shadow"),
            "KILL_CONTROL": str(self.folder / "control"),
            "KILL_CALLS": str(self.calls),
            "KILL_FORGOTTEN": str(self.folder / "forgotten"),
        }
        arguments = ["--config", "/dev/null", "--socket", self.socket, "--log", "text", "--log-level", "warning"]
        app = ["--app", str(self.manifest)] if self.app.manifests else self.app.arguments
        arguments += ["--state", str(self.state), *self.settings, *app]
        with open(self.folder / "log", "ab") as log:
            log.write(f"-- start {self.starts}: {plan}\n".encode())
            log.flush()
            process = subprocess.Popen(
                [self.app.daemon, *arguments], env=environment, stdout=log, stderr=log, preexec_fn=end_with_parent
            )
        self.process = process
        if plan.kind == "time":
            threading.Timer(plan.at / 1_000, process.kill).start()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if process.poll() is not None:
                if process.returncode == -signal.SIGKILL or plan.fails and process.returncode == UNUSABLE:
                    return process
                raise DidNotStart(f"ended with {process.returncode}: {self.end_of_log()}")
            if self.listens():
                return process
            time.sleep(0.003)
        raise DidNotStart(f"does not listen after {PATIENCE} s: {self.end_of_log()}")

    def listens(self):
        """Whether somebody accepts at the socket; it may be left over from before."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as attempt:
            try:
                attempt.connect(self.socket)
            except OSError:
                return False
        return True

    def end_of_log(self):
        return (self.folder / "log").read_text(errors="replace")[-600:]

    def names_of_calls(self):
        """The calls of the last start, in order, each as its name and its file."""
        return [" ".join(line.split(" ")[1:3]) for line in self.calls.read_text().splitlines() if line[0] != "-"]


class Plan:
    """How a life of the daemon ends: killed at a `call`, or after a `step`, or while the log is `moving` into the database, or
    while something is `held`, at a certain catch, or after it was told to `stop`, or to `reset` its host; after some `replies`,
    or milliseconds of `time`; or by a loss of `power` after some replies.
    With the mode `fail`, calls fail instead from there on: `keep` says with what, and how many.

    With the mode `forget`, one `sync` fails, or one from the first write into the database itself on (`moved`), or from the order
    to `stop` on, or one of the database itself (`inner`), and what it should have written is lost at the next loss of power. When
    this life ends, `left` says: AT_ONCE, at a loss of power so many calls later, or as one of `fail`."""

    def __init__(self, kind, at, mode="never", keep="some", left=NOT_BY_ITSELF, seed=0, syncs=True):
        self.kind, self.at, self.mode, self.keep, self.left = kind, at, mode, keep, left
        self.seed, self.syncs, self.rewrites = seed, syncs, True

    @property
    def fails(self):
        """Whether something cannot be written in this life."""
        return self.mode in ("fail", "forget")

    def __str__(self):
        keep = f" {self.keep} {self.seed}" if self.mode in ("power", "forget") else f" {self.keep}" if self.mode == "fail" else ""
        if self.mode == "forget":
            keep += {AT_ONCE: ", killed at once", NOT_BY_ITSELF: ""}.get(self.left, f", power lost {self.left} calls later")
        return f"{self.kind} {self.at}" + (f" {self.mode}{keep}" if self.mode != "never" else "")

    def arm(self, control):
        control["mode"] = MODES[self.mode]
        control["keep"], control["seed"], control["syncs"] = self.keep == "some", self.seed, self.syncs
        if self.mode == "fail":
            name, times = self.keep.split("*")
            control["error"], control["times"] = getattr(errno, name), int(times)
        if self.mode == "forget":
            control["error"], control["left"], control["rewrites"] = errno.EIO, self.left, self.rewrites
        if self.kind == "call":
            control["at"] = self.at
        elif self.kind == "moving":
            control["moving"] = self.at
        elif self.kind == "step":
            control["commits"] = self.at
        elif self.kind in ("sync", "moved", "inner"):
            control["failing"], control["moved"], control["inner"] = self.at, self.kind == "moved", self.kind == "inner"
