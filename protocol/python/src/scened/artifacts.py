"""What a failed test leaves: the records, the calls as a script, the daemon's log, and how to look at them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from ._errors import ScenedError
from .app import App
from .daemon import Daemon, find_scenectl


def folder_of(test: str, parent: Path) -> Path:
    """The folder of a test: a name that can be read, is its own whatever characters parameters have, and fits a file
    system."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", test.replace(".py::", "-")).strip("-")
    return parent / f"{name[:100]}-{hashlib.sha256(test.encode()).hexdigest()[:6]}"


def remove(folder: Path) -> None:
    """Removes what an earlier run of the test left, and the parent if nothing else is in it."""
    if folder.is_dir():
        shutil.rmtree(folder)
        # Other tests may have left something.
        with suppress(OSError):
            folder.parent.rmdir()


def write(folder: Path, app: App, daemon: Daemon, log_from: int) -> str:
    """Writes what is known of a failed test, as far as the daemon still says it and the folder can be written.

    Args:
        folder: The test's folder, which is made.
        app: The test's app.
        daemon: Its daemon.
        log_from: How many bytes of the daemon's log are of earlier tests.

    Returns:
        What is there and how to look at it, for the report.
    """
    try:
        return _written(folder, app, daemon, log_from)
    except OSError as error:
        # The test's own failure says more than this one.
        return f"nothing more was kept: {error}"


def _written(folder: Path, app: App, daemon: Daemon, log_from: int) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    shown = os.path.relpath(folder)
    (folder / "daemon.log").write_text(daemon.log(log_from), "utf-8")
    lines = [f"{shown}/daemon.log"]
    try:
        # What is held would keep the story from its end, and the daemon from stopping.
        app.release()
        records = app.records()
        (folder / "records.jsonl").write_text(
            "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8"
        )
        lines.append(f"{shown}/records.jsonl")
        lines.append(f"  scenectl check --app {shlex.quote(daemon.app)} {shlex.quote(shown + '/records.jsonl')}")
        lines += _script(folder, shown, daemon)
        for name, error in app.adapter_errors():
            lines.append(f"the adapter {name!r} raised {type(error).__name__}: {error}")
        if verdicts := app.violations():
            lines.append(str(app.violated(verdicts)))
    except ScenedError as error:
        ended = "" if daemon.status is None else f" (it has ended with status {daemon.status}; see its log)"
        lines.append(f"the daemon says no more: {error}{ended}")
    return "\n".join(lines)


def _script(folder: Path, shown: str, daemon: Daemon) -> list[str]:
    scenectl = find_scenectl(daemon)
    if scenectl is None:
        return ["no script: scenectl is neither beside scened nor in PATH"]
    script = folder / "script.jsonl"
    try:
        done = subprocess.run(
            [scenectl, "record", "--socket", daemon.socket, str(script)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ["no script: scenectl record did not end within 60 s"]
    if done.returncode != 0:
        return [f"no script: {done.stderr.strip()}"]
    start = shlex.join(["scened", *daemon.arguments, "--socket", "/tmp/again.sock"])
    return [
        f"{shown}/script.jsonl",
        f"  {start} &",
        f"  scenectl play --socket /tmp/again.sock {shlex.quote(shown + '/script.jsonl')}",
        "  scenectl why --socket /tmp/again.sock EVENT",
    ]
