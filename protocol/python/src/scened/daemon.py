"""A daemon of one's own, for tests: started on a private socket, told when it is ready, gone with its folder."""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

from ._errors import ScenedError
from ._vocabulary import refuse_unknown

ClockKind: TypeAlias = Literal["virtual", "manual", "real"]
"""What time is for a daemon's windows: virtual stands still but while a test waits for something, manual until a test
advances it, and real is the machine's."""

CLOCKS: tuple[ClockKind, ...] = ("virtual", "manual", "real")


class DaemonFailed(ScenedError):
    """A daemon could not be found or started, or did not stop as it should. Says what it wrote to its log."""


WATCH = """while read -r line; do [ "$line" != ended ] || exit 0; daemon=$line; done
kill -KILL "$daemon"; rm -rf "$1\""""
"""What ends a daemon whose process of Python has not: a shell that waits for the end of a pipe, which comes also after
SIGKILL. (PR_SET_PDEATHSIG would come with the end of the thread that started the daemon, and leave its folder.)"""

LAUNCH = 'echo $$; exec "$@" >/dev/null'
"""What becomes the daemon once it has told that shell its process ID: so it is known before there is a daemon, and the
process of Python may be killed at any time."""


PREFIX = "scened-py-"
LONGEST_PATH = 107
"""How many bytes the path of a Unix socket may have (unix(7))."""


class _Folder:
    """A folder of one's own in the temporary folder, locked (flock(2)) as long as a process lives that has to do with
    it: so whoever makes the next one knows which are left behind, and removes them."""

    def __init__(self) -> None:
        """Raises `DaemonFailed` if no folder can be made whose sockets have paths that are short enough."""
        refused: list[str] = []
        for parent in dict.fromkeys([tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"]):
            # mkdtemp adds eight letters.
            if len(os.fsencode(os.path.join(parent, f"{PREFIX}12345678", "io.scened"))) > LONGEST_PATH:
                refused.append(f"{parent} is too long for the path of a socket, which has at most {LONGEST_PATH} bytes")
                continue
            try:
                _remove_left_behind(parent)
                self.path, self.lock = self._make(parent)
                return
            except OSError as error:
                refused.append(str(error))
        raise DaemonFailed("there is no folder for the daemon's socket: " + "; ".join(refused))

    @staticmethod
    def _make(parent: str) -> tuple[Path, int]:
        while True:
            path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Before it was locked, somebody may have taken it for one that is left behind.
            if os.path.isdir(path):
                return Path(path), lock
            os.close(lock)

    def remove(self) -> None:
        """Removes it and all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def _remove_left_behind(parent: str) -> None:
    """Removes this user's folders that belong to no process any more, such as after a crash of the machine."""
    for entry in os.scandir(parent):
        if not entry.name.startswith(PREFIX):
            continue
        with suppress(OSError):
            lock = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(entry.path, ignore_errors=True)
            finally:
                os.close(lock)


class Daemon:
    """A running `scened`. It ends with `stop`, or at the end of a `with`, or with the process that started it, however
    that ends."""

    def __init__(
        self,
        program: str | os.PathLike[str] | None = None,
        *,
        app: str = "shop",
        clock: ClockKind = "virtual",
        transition: int | None = None,
        arguments: Sequence[str] = (),
        state: bool = False,
        patience: float = 30.0,
    ) -> None:
        """Starts it and returns when it is ready. Raises `DaemonFailed`.

        Args:
            program: The program; None takes the environment's SCENED, else the `scened` in PATH.
            app: A manifest's file, or one of the examples: shop, bank, club.
            clock: What time is for the windows.
            transition: How long a transition takes, in milliseconds; None is the daemon's default.
            arguments: Further arguments, such as "--set", "mailbox=4".
            state: Whether it keeps its state in its folder, so that it goes on where it was after `restart`; only with
                a clock that is real.
            patience: How long it may take to be ready and to stop, in seconds.
        """
        refuse_unknown("there is no clock", clock, CLOCKS)
        self.program = find_program(program)
        self.app = app
        self.clock = clock
        self.arguments = ["--app", app, "--clock", "real" if clock == "real" else "virtual"]
        if transition is not None:
            self.arguments += ["--transition", str(transition)]
        self.arguments += arguments
        self.state = state
        self._patience = patience
        self._folder = _Folder()
        self.socket = str(self._folder.path / "io.scened")
        self.log_file = self._folder.path / "log"
        self._is_stopped = False
        self._last_log = b""
        self._listen()
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "sh", str(self._folder.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[self._folder.lock],
            # What is sent to the group of the tests, such as by ^C, is not meant for it.
            start_new_session=True,
        )
        try:
            self._process = self._start()
        except BaseException:
            self._clear()
            raise

    @property
    def status(self) -> int | None:
        """The exit status of its process, negative for a signal; None while it runs."""
        return self._process.poll()

    @property
    def process_id(self) -> int:
        """Its process ID."""
        return self._process.pid

    def log(self, after: int = 0) -> str:
        """What it has logged, without the first `after` bytes; also after `stop`."""
        if self._is_stopped:
            return self._last_log[after:].decode("utf-8", "replace")
        with self.log_file.open("rb") as file:
            file.seek(after)
            return file.read().decode("utf-8", "replace")

    def log_size(self) -> int:
        """How much it has logged so far, in bytes."""
        return len(self._last_log) if self._is_stopped else self.log_file.stat().st_size

    def stop(self) -> None:
        """Stops it and removes its folder; does nothing if that is done. Raises `DaemonFailed` if it had ended by
        itself, or does not end well."""
        if self._is_stopped:
            return
        try:
            had_ended = self.status is not None
            if not had_ended:
                self._process.terminate()
            try:
                status = self._process.wait(self._patience)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                raise DaemonFailed(f"scened did not stop within {self._patience:g} s; its log:\n{self.log()}") from None
            if had_ended or status != 0:
                raise DaemonFailed(f"scened ended with status {status}; its log:\n{self.log()}")
        finally:
            with suppress(OSError):
                self._last_log = self.log_file.read_bytes()
            self._is_stopped = True
            self._clear()

    def restart(self) -> None:
        """Kills it, as a crash would, and starts it again: with the same arguments, on the same socket. If it keeps its
        state it goes on where it was, else it has forgotten everything. Returns when it is ready. Raises
        `DaemonFailed`."""
        if self._is_stopped:
            raise DaemonFailed("scened was stopped, and its folder is gone: make another Daemon")
        self._process.kill()
        self._process.wait()
        self._stop_listening()
        (self._folder.path / "notify").unlink()
        self._listen()
        self._process = self._start()

    def kill(self) -> None:
        """Ends it at once, such as one that does not answer any more, and removes its folder."""
        if not self._is_stopped:
            self._process.kill()
            self._process.wait()
            with suppress(DaemonFailed):
                self.stop()

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _clear(self) -> None:
        """Removes what is left of it, when it has ended."""
        self._stop_listening()
        with self._watch:
            assert self._watch.stdin is not None
            # Whoever has ended it does not want it.
            with suppress(BrokenPipeError):
                self._watch.stdin.write(b"ended\n")
                self._watch.stdin.flush()
            self._folder.remove()

    def _listen(self) -> None:
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        # To one that cannot tell its service manager something, that is worth a warning.
        self._listener = threading.Thread(target=_take_all, args=[self._notices], name="scened notices", daemon=True)

    def _stop_listening(self) -> None:
        with suppress(OSError):
            self._notices.shutdown(socket.SHUT_RDWR)
        if self._listener.is_alive():
            self._listener.join()
        self._notices.close()

    def _start(self) -> subprocess.Popen[bytes]:
        # It says so itself when it serves, as to systemd (sd_notify(3)).
        notices = self._notices
        notices.bind(str(self._folder.path / "notify"))
        with self.log_file.open("ab") as log:
            # Neither the machine's settings nor the environment's are meant for it.
            kept = {
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("SCENED", "LISTEN_", "WATCHDOG_"))
            }
            options = ["--config", "/dev/null", "--socket", self.socket, "--log", "text", *self.arguments]
            if self.state:
                options += ["--state", str(self._folder.path / "state")]
            process = subprocess.Popen(
                ["/bin/sh", "-c", LAUNCH, "sh", self.program, *options],
                env=kept | {"NOTIFY_SOCKET": str(self._folder.path / "notify")},
                stdin=subprocess.DEVNULL,
                stdout=self._watch.stdin,
                stderr=log,
                pass_fds=[self._folder.lock],
            )
            try:
                self._await_ready(process, notices)
            except BaseException:
                process.kill()
                process.wait()
                raise
            self._listener.start()
            return process

    def _await_ready(self, process: subprocess.Popen[bytes], notices: socket.socket) -> None:
        ended = os.pidfd_open(process.pid)
        try:
            while True:
                ready, _, _ = select.select([notices.fileno(), ended], [], [], self._patience)
                if notices.fileno() in ready:
                    if b"READY=1" in notices.recv(65_536).split(b"\n"):
                        return
                elif ready:
                    status = process.wait()
                    # sh(1) says so of what it cannot execute, and why in the log.
                    what = (
                        f"{self.program} cannot be started:"
                        if status in (126, 127)
                        else f"scened ended with status {status} before it was ready; its log:"
                    )
                    # A manifest's mistakes are in one line of the log.
                    raise DaemonFailed(f"{what}\n" + self.log().replace("\\n", "\n"))
                else:
                    raise DaemonFailed(f"scened was not ready within {self._patience:g} s; its log:\n{self.log()}")
        finally:
            os.close(ended)


def _take_all(notices: socket.socket) -> None:
    """Takes what a daemon says to its service manager, until nobody listens any more."""
    with suppress(OSError):
        while notices.recv(65_536):
            pass


def find_program(named: str | os.PathLike[str] | None = None) -> str:
    """The path of `scened`: the one named, else that of the environment's SCENED, else the one in PATH. Raises
    `DaemonFailed`."""
    wanted = os.fspath(named) if named is not None else os.environ.get("SCENED") or "scened"
    found = shutil.which(wanted)
    if found is None:
        source = "--scened" if named is not None else "SCENED" if os.environ.get("SCENED") else "PATH"
        raise DaemonFailed(
            f"no program {wanted!r} was found (from {source}): give pytest --scened=PATH, set SCENED to the program's "
            "path, or put scened into PATH"
        )
    # A test may change the folder it works in.
    return os.path.abspath(found)


def find_scenectl(daemon: Daemon) -> str | None:
    """The absolute path of the `scenectl` beside a daemon's program, else of the one in PATH."""
    found = shutil.which(os.path.join(os.path.dirname(daemon.program), "scenectl")) or shutil.which("scenectl")
    return os.path.abspath(found) if found else None
