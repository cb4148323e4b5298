"""A daemon's folder: where it is, and what becomes of it."""

import fcntl
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from scened import Client, Daemon
from scened.daemon import PREFIX, DaemonFailed


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of the test's own, with a short name."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    for left in folder.iterdir():
        for file in left.iterdir():
            file.unlink()
        left.rmdir()
    folder.rmdir()


def test_a_temporary_folder_that_is_too_long_for_a_socket_is_not_taken(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with Daemon(program) as daemon:
        assert not daemon.socket.startswith(str(long)) and len(daemon.socket) <= 107
        with Client(daemon.socket) as client:
            assert client.manager.get_status().app == "Shop"
    assert list(long.iterdir()) == []


def test_without_a_folder_for_the_socket_the_error_says_why(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> str:
        raise OSError("no room")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(DaemonFailed, match="no folder for the daemon's socket: no room; no room"):
        Daemon(program)


def test_what_others_left_behind_is_removed_and_what_somebody_lives_in_stays(program: str, temporary: Path) -> None:
    def folder(name: str) -> Path:
        made = temporary / name
        made.mkdir()
        (made / "log").write_text("kept")
        return made

    dead, alive, other = folder(f"{PREFIX}dead"), folder(f"{PREFIX}alive"), folder("scened-soak-1")
    link = temporary / f"{PREFIX}link"
    link.symlink_to(other)
    held = os.open(alive, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with Daemon(program) as first, Daemon(program) as second:
            assert not dead.exists()
            assert (alive / "log").read_text() == (other / "log").read_text() == "kept"
            assert Path(first.socket).exists() and Path(second.socket).exists()
    finally:
        os.close(held)
        link.unlink()
    assert sorted(found.name for found in temporary.iterdir()) == [f"{PREFIX}alive", "scened-soak-1"]


def test_a_daemon_that_outlives_everybody_who_knew_of_it_keeps_its_folder(program: str, temporary: Path) -> None:
    code = f"""
import os, signal, sys, tempfile
tempfile.tempdir = {str(temporary)!r}
from scened import Daemon
daemon = Daemon({program!r})
print(daemon.process_id, daemon.socket, flush=True)
daemon._watch.kill()
daemon._watch.wait()
os.kill(os.getpid(), signal.SIGKILL)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False).stdout
    process, path = told.split()
    ended = os.pidfd_open(int(process))
    try:
        with Daemon(program):
            assert Path(path).exists()
        os.kill(int(process), signal.SIGKILL)
        # Its parent, whoever that is now, need not have waited for it: a zombie has no files open.
        assert select.select([ended], [], [], 60)[0]
    finally:
        os.close(ended)
    with Daemon(program):
        assert not Path(path).exists()


@pytest.mark.parametrize(
    "moment", ["before it is forked", "as soon as it is", "before it is ready", "when it is ready"]
)
def test_it_ends_with_its_process_of_python_whenever_that_is_killed(program: str, temporary: Path, moment: str) -> None:
    code = f"""
import os, signal, subprocess, tempfile
tempfile.tempdir = {str(temporary)!r}
from scened import daemon

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

class Popen(subprocess.Popen):
    def __init__(self, command, **options):
        is_daemon = {program!r} in command
        if is_daemon and {moment!r} == "before it is forked":
            killed()
        super().__init__(command, **options)
        if is_daemon and {moment!r} == "as soon as it is":
            killed()

subprocess.Popen = Popen
if {moment!r} == "before it is ready":
    daemon.Daemon._await_ready = killed
daemon.Daemon({program!r})
killed()
"""
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as process:
        assert process.wait(60) == -signal.SIGKILL
    # What has to do with its folder: what becomes the daemon, and the shell that watches until the folder is gone.
    for process_id in [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline")]:
        with suppress(ProcessLookupError):
            ended = os.pidfd_open(process_id)
            try:
                assert os.fsencode(temporary) not in _command(process_id) or select.select([ended], [], [], 60)[0]
            finally:
                os.close(ended)
    assert list(temporary.iterdir()) == []


def _command(process_id: int) -> bytes:
    try:
        return Path(f"/proc/{process_id}/cmdline").read_bytes()
    except OSError:
        return b""


def test_what_cannot_be_executed_is_said_to_be_so(tmp_path: Path, temporary: Path) -> None:
    program = tmp_path / "scened"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    with pytest.raises(DaemonFailed, match=f"{program} cannot be started:\n"):
        Daemon(program)
    assert list(temporary.iterdir()) == []


def test_it_can_tell_everything_and_warns_of_nothing(program: str) -> None:
    # More than the queue of a socket takes, if nobody reads.
    with Daemon(program) as daemon, Client(daemon.socket) as client:
        for _ in range(8):
            client.manager.reload()
    # Whole once it has ended; it logs beside its work.
    log = daemon.log()
    assert log.count(" manifest loaded ") == 8
    assert " warning " not in log
