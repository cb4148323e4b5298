"""What a failed test leaves: the records, the calls as a script, the daemon's log, and how to look at them."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
import subprocess
import traceback
from contextlib import suppress
from pathlib import Path

from . import aio
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


def write(folder: Path, app: App, async_app: aio.App | None, daemon: Daemon, log_from: int) -> str:
    """Writes what is known of a failed test, as far as the daemon still says it and the folder can be written.

    Args:
        folder: The test's folder, which is made.
        app: The test's app.
        async_app: The same, as coroutines had it, if any had.
        daemon: Its daemon.
        log_from: How many bytes of the daemon's log are of earlier tests.

    Returns:
        What is there and how to look at it, for the report.
    """
    try:
        return _written(folder, app, async_app, daemon, log_from)
    except OSError as error:
        # The test's own failure says more than this one.
        return f"nothing more was kept: {error}"


def _written(folder: Path, app: App, async_app: aio.App | None, daemon: Daemon, log_from: int) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    shown = str(folder)
    (folder / "daemon.log").write_text(daemon.log(log_from), "utf-8")
    lines = [f"{shown}/daemon.log"]
    apps: list[App | aio.App] = [app] if async_app is None else [app, async_app]
    try:
        # What is held would keep the story from its end, and the daemon from stopping.
        app.release()
        if async_app is not None:
            async_app.connections.abort()
        records = app.records()
        (folder / "records.jsonl").write_text(
            "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8"
        )
        lines.append(f"{shown}/records.jsonl")
        (folder / "app.json").write_text(_manifest(app), "utf-8")
        if (scenectl := find_scenectl(daemon)) is None:
            lines.append("no script: scenectl is neither beside scened nor in PATH")
        else:
            lines.append(f"  {shlex.join([scenectl, 'check', '--app', daemon.app, shown + '/records.jsonl'])}")
            page = f"{shown}/trace.html"
            problem = _run([scenectl, "inspect", f"{shown}/records.jsonl", "--out", page]) if records else "no records"
            lines.append(f"no page: {problem}" if problem else page)
            lines += _script(folder, scenectl, daemon)
            if left_out := dict.fromkeys(what for each in apps for what in each.not_in_script()):
                lines.append(f"  the script does not repeat: {', '.join(left_out)}")
        for said, error in (failure for each in apps for failure in each.adapter_errors()):
            lines.append(said)
            lines += "".join(traceback.format_exception(error)).splitlines()
        if verdicts := app.violations():
            lines.append(str(app.violated(verdicts)))
    except ScenedError as error:
        ended = "" if daemon.status is None else f" (it has ended with status {daemon.status}; see its log)"
        lines.append(f"the daemon says no more: {error}{ended}")
    return "\n".join(lines)


AGAIN = """\
#!/bin/sh
# Plays the test's calls on a daemon of its own and stops it. Says of each event whose ID is given why it ended so.
# Before the IDs come the values of what is secret in the script: --secret PLACEHOLDER=VALUE for each.
usage="usage: sh $0 [--secret PLACEHOLDER=VALUE]... [EVENT]..."
options=0
count() {{
    while :; do
        case ${{1-}} in
        --secret) [ $# -ge 2 ] && shift 2 && options=$((options + 2)) || return ;;
        --secret=*) shift && options=$((options + 1)) ;;
        -*) return 1 ;;
        *) return 0 ;;
        esac
    done
}}
count "$@" || {{ echo "$usage" >&2; exit 2; }}
play() {{
    # The options go to the end, and the events before them are left out.
    left=$options
    while [ "$left" -gt 0 ]; do
        set -- "$@" "$1"
        shift
        left=$((left - 1))
    done
    shift $(($# - options))
    {scenectl} play --reset --socket "$folder/io.scened" {script} "$@"
}}
folder=$(mktemp -d) || exit
# The path of a socket has at most 107 bytes.
[ ${{#folder}} -lt 90 ] || {{ rmdir "$folder"; folder=$(mktemp -d -p /tmp) || exit; }}
{start} --socket "$folder/io.scened" > "$folder/log" 2>&1 &
daemon=$!
trap 'kill "$daemon" 2> /dev/null; wait "$daemon"; rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
until {scenectl} status --socket "$folder/io.scened" > /dev/null 2>&1; do
    kill -0 "$daemon" 2> /dev/null || {{ cat "$folder/log"; exit 1; }}
    sleep 0.1
done
play "$@"
status=$?
# 0 or 1: it was played.
[ "$status" -le 1 ] || exit "$status"
shift "$options"
for event; do
    {scenectl} why --socket "$folder/io.scened" "$event" || status=$?
done
exit $status
"""


def _manifest(app: App) -> str:
    """The manifest in force, as JSON."""
    text, after = "", 0
    while (page := app.client.manager.get_manifest(after=after)).next != after:
        text += page.text
        after = page.next
    return text


def _run(command: list[str]) -> str | None:
    """Runs a command of scenectl; returns what it says if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return f"scenectl {command[1]} did not end within 60 s"
    return None if done.returncode == 0 else done.stderr.strip()


def _script(folder: Path, scenectl: str, daemon: Daemon) -> list[str]:
    script = folder / "script.jsonl"
    if problem := _run([scenectl, "record", "--socket", daemon.socket, str(script)]):
        return [f"no script: {problem}"]
    again = folder / "again.sh"
    again.write_text(
        AGAIN.format(
            start=shlex.join([daemon.program, "--config", "/dev/null", *daemon.arguments]),
            scenectl=shlex.quote(scenectl),
            script=shlex.quote(str(script)),
        ),
        "utf-8",
    )
    return [str(script), f"  sh {shlex.quote(str(again))}", f"  sh {shlex.quote(str(again))} EVENT"]
