"""Processes of other users, and a limit for many of them together."""

import contextlib
import ctypes
import json
import os
import pathlib
import signal
import sys
import time


class Told(Exception):
    """SIGTERM has come."""


def until_told(*_):
    raise Told


def become(user):
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def end_with_parent():
    """Nothing outlives this run, however it ends."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def spawn(work, user, out=None, group=None):
    """Runs `work` in a process of this user; what it returns goes to `out` as JSON."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        end_with_parent()
        if group is not None:
            group.join()
        become(user)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        result = work()
        if out:
            out.write(json.dumps(result))
            out.flush()
        status = 0
    except BaseException as error:
        print(f"crowd: {getattr(work, '__name__', 'a member')}: {error!r}", file=sys.stderr)
    finally:
        os._exit(status)


class Group:
    """Processes that together get half a core: by a cgroup, or else by stopping them while they are over their budget."""

    SHARE = 0.5

    def __init__(self):
        self.leader, self.folder, self.began, self.stopped = 0, None, time.monotonic(), False
        for root, setting, value in [
            ("/sys/fs/cgroup", "cpu.max", "50000 100000"),
            ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "50000"),
        ]:
            folder = pathlib.Path(root, f"scened-crowd-{os.getpid()}")
            try:
                if not (pathlib.Path(root, "cgroup.procs")).exists():
                    continue
                folder.mkdir()
                (folder / setting).write_text(value)
                self.folder = folder
                break
            except OSError:
                with contextlib.suppress(OSError):
                    folder.rmdir()

    @property
    def means(self):
        return "a cgroup" if self.folder else "stopping them"

    def join(self):
        os.setpgid(0, self.leader)
        if self.folder:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def pace(self):
        if self.folder or not self.leader:
            return
        used = 0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                if int(fields[2]) == self.leader:
                    used += sum(map(int, fields[11:15]))
        over = used / os.sysconf("SC_CLK_TCK") > (time.monotonic() - self.began) * self.SHARE
        if over != self.stopped:
            self.stopped = over
            self.signal(signal.SIGSTOP if over else signal.SIGCONT)

    def signal(self, number):
        if not self.leader:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.leader, number)

    def end(self):
        self.signal(signal.SIGKILL)
        if self.folder:
            for _ in range(100):
                with contextlib.suppress(OSError):
                    return self.folder.rmdir()
                time.sleep(0.05)
