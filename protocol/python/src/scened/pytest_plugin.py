"""The pytest plugin: fixtures for a daemon, an app, its windows and its clock, the checker's verdict at the end of each
test, and what a failed test leaves behind."""

from __future__ import annotations

import asyncio
import functools
import inspect
import math
import os
import re
import shlex
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from . import _values, aio, artifacts
from ._errors import CallTimeout, ConnectionFailed, ScenedError
from .app import App, Window
from .client import Client
from .clock import Clock
from .daemon import CLOCKS, ClockKind, Daemon, DaemonFailed

EXAMPLES = ("shop", "bank", "club")
"""The apps that a daemon knows by name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a test wants of its daemon, by its markers `scened(…)` and the ini file. Tests that want the same share a
    daemon."""

    app: str
    """A manifest's file, or an example's name."""
    clock: ClockKind
    """What time is for the windows."""
    transition: int | None
    """How long a transition takes, in milliseconds; None for the daemon's default."""
    arguments: tuple[str, ...]
    """Further arguments of the daemon."""
    state: bool
    """Whether it keeps its state."""
    fresh: bool = field(compare=False)
    """Whether the test has a daemon of its own."""
    seed: int = field(compare=False)
    """Decides what is random in the daemon."""
    start: str | None = field(compare=False)
    """The date with which a clock that is not real begins, in UTC; None for the daemon's."""
    timeout: float = field(compare=False)
    """How long a call may take, in seconds."""
    reconnect: float | None = field(compare=False)
    """For how long a call is tried again when its connection is lost, in seconds; None for not at all."""


@dataclass(slots=True)
class Run:
    """What a test has of this plugin."""

    daemon: Daemon
    app: App
    log_from: int
    is_fresh: bool
    async_app: aio.App | None = None
    """What a coroutine has of it."""

    def keep(self, folder: Path) -> str:
        """Writes what is known of a failed test into a folder; what it returns is for the report."""
        return artifacts.write(folder, self.app, self.async_app, self.daemon, self.log_from)

    def close(self) -> None:
        """Ends what is the test's own."""
        try:
            if self.async_app is not None:
                # Its event loop may be gone, or go on with what the test has left there.
                self.async_app.connections.end()
            self.app.close()
        finally:
            if self.is_fresh:
                self.daemon.stop()
        # The last fixture has ended.
        self.app.refuse_endless_holds()
        if self.async_app is not None:
            self.async_app.refuse_endless_holds()


RUN = pytest.StashKey[Run]()
TOLD = pytest.StashKey[str]()
"""What a failed teardown leaves to be said in the report."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("scened", "scened: headless iOS-style windows")
    group.addoption(
        "--scened",
        metavar="PATH",
        help="the program scened, as --scened=PATH; default: the environment's SCENED, else the one in PATH",
    )
    group.addoption(
        "--scened-app",
        metavar="FILE",
        help="the app of tests whose markers name none; overrides the ini option scened_app",
    )
    group.addoption(
        "--scened-artifacts",
        metavar="DIR",
        default="test-results",
        help="where a failed test leaves its records, script and log, in a folder of its own (default: test-results)",
    )
    parser.addini(
        "scened_app", "the app of tests whose markers name none: a manifest's file, or shop, bank, club", default="shop"
    )
    parser.addini(
        "scened_clock", "the clock of tests whose markers name none: virtual, manual or real", default="virtual"
    )
    parser.addini("scened_transition", "how long a transition takes, in milliseconds", default="")
    parser.addini("scened_start", "the date with which a virtual clock begins, such as 2026-11-27T08:00Z", default="")
    parser.addini("scened_arguments", "further arguments of the daemon, one a line", type="linelist")
    parser.addini("scened_timeout", "how long a call may take, in seconds", default="10")
    parser.addini(
        "scened_reconnect",
        "for how long a call is tried again when its connection is lost, in seconds; default: not at all",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    _refuse_paths_taken_for_tests(config)
    if (program := config.option.scened) and os.sep in program:
        # A test may change the folder it works in.
        config.option.scened = os.path.join(config.invocation_params.dir, program)
    config.addinivalue_line(
        "markers",
        "scened(app='shop', clock='virtual', transition=None, arguments=(), state=False, fresh=False, seed=0, "
        "start=None, timeout=10, reconnect=None): what the test's daemon is: its manifest; its clock (virtual, manual, "
        "real); how long a transition takes, in milliseconds; further arguments; whether it keeps its state; whether "
        "the test has one of its own; the seed of what is random; the date with which its clock begins; how long a "
        "call may take, and for how long it is tried again when its connection is lost, in seconds. Markers of module "
        "and class count for what the test's own does not say.",
    )


def _refuse_paths_taken_for_tests(config: pytest.Config) -> None:
    """Refuses `--scened PATH` where it has made pytest look for its ini file elsewhere: pytest looks for that before it
    knows the option, and takes the path after a blank for a test's."""
    if hasattr(config, "workerinput") or config.option.inifilename or config.option.rootdir:
        return
    words = [*shlex.split(os.environ.get("PYTEST_ADDOPTS", "")), *map(str, config.invocation_params.args)]
    start = config.invocation_params.dir
    for option, value in pairwise(words):
        if option not in ("--scened", "--scened-app", "--scened-artifacts") or not (start / value).exists():
            continue
        places = [start / word.split("::")[0] for word in config.args]
        common = Path(os.path.commonpath([path.resolve() for path in places if path.exists()] or [start]))
        meant = next((found for folder in (common, *common.parents) if (found := _ini_of(folder))), None)
        if meant is not None and meant != config.inipath:
            raise pytest.UsageError(
                f"pytest has taken {value!r} for a test and read {config.inipath or 'no ini file'} in place of "
                f"{meant}; write {option}={value}"
            )


def _ini_of(folder: Path) -> Path | None:
    """The ini file that pytest reads in a folder."""
    sections = {
        "pytest.toml": "",
        ".pytest.toml": "",
        "pytest.ini": "",
        ".pytest.ini": "",
        "pyproject.toml": "[tool.pytest",
        "tox.ini": "[pytest]",
        "setup.cfg": "[tool:pytest]",
    }
    for name, section in sections.items():
        if (folder / name).is_file() and section in (folder / name).read_text("utf-8", "replace"):
            return folder / name
    return None


class Daemons:
    """The daemons of a run, one for each kind that tests want, started when the first test wants it."""

    def __init__(self, program: str | None) -> None:
        self._program = program
        self._failures: dict[Settings, DaemonFailed] = {}
        self._shared: dict[Settings, Daemon] = {}

    def take(self, settings: Settings) -> Daemon:
        """A daemon as at its start. A shared one is reset; one that has ended, or does not answer, is replaced."""
        if settings.fresh:
            own = self._start(settings)
            try:
                return self._reset(own, settings)
            except BaseException:
                own.stop()
                raise
        shared = self._shared.get(settings)
        if shared is not None:
            try:
                return self._reset(shared, settings)
            except (ConnectionFailed, CallTimeout):
                # The test in which it ended, or ceased to answer, has said so.
                del self._shared[settings]
                shared.kill()
        if (failure := self._failures.get(settings)) is not None:
            # It would fail in the same way for each test.
            raise failure
        try:
            daemon = self._shared[settings] = self._start(settings)
        except DaemonFailed as error:
            self._failures[settings] = error
            raise
        return self._reset(daemon, settings)

    def stop(self) -> None:
        """Stops all, also if one has not ended well. Raises `DaemonFailed` for one that has not."""
        with ExitStack() as stack:
            for daemon in self._shared.values():
                stack.callback(daemon.stop)
            self._shared = {}

    def _start(self, settings: Settings) -> Daemon:
        return Daemon(
            self._program,
            app=settings.app,
            clock=settings.clock,
            transition=settings.transition,
            arguments=settings.arguments,
            state=settings.state,
        )

    @staticmethod
    def _reset(daemon: Daemon, settings: Settings) -> Daemon:
        with Client(daemon.socket, timeout=settings.timeout) as client:
            client.control.reset(seed=settings.seed, start=settings.start)
        return daemon


DAEMONS = pytest.StashKey[Daemons]()


@pytest.fixture
def _scened_run(request: pytest.FixtureRequest) -> Run:
    daemons = request.config.stash.setdefault(DAEMONS, Daemons(request.config.getoption("--scened")))
    try:
        settings = settings_of(request.node)
        artifacts.remove(artifact_folder(request.node))
        daemon = daemons.take(settings)
    except (DaemonFailed, OSError, pytest.UsageError) as error:
        # The place in this file is nothing to whoever reads the report.
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    log_from = 0 if settings.fresh else daemon.log_size()
    try:
        app = App(daemon.socket, clock=settings.clock, timeout=settings.timeout, reconnect=settings.reconnect)
    except BaseException:
        if settings.fresh:
            daemon.stop()
        raise
    # It ends after the last fixture, so that what fails in a fixture's teardown can still be looked at.
    run = request.node.stash[RUN] = Run(daemon, app, log_from, settings.fresh)
    return run


@pytest.fixture
def daemon(_scened_run: Run) -> Daemon:
    """The test's daemon, as at its start."""
    return _scened_run.daemon


@pytest.fixture
def app(_scened_run: Run) -> App:
    """The test's app: no windows, nobody signed in."""
    return _scened_run.app


@pytest.fixture
def clock(app: App) -> Clock:
    """The clock of the app's windows."""
    return app.clock


@pytest.fixture
def windows(app: App) -> Callable[..., list[Window]]:
    """Opens windows: `a, b = windows("A", "B")`."""
    return app.windows


@pytest.fixture
def async_app(_scened_run: Run) -> aio.App:
    """The test's app for coroutines: no windows, nobody signed in."""
    app = _scened_run.app
    # It connects in the event loop of whoever uses it first.
    _scened_run.async_app = aio.App(
        _scened_run.daemon.socket,
        clock=app.clock.kind,
        timeout=app.client.timeout,
        reconnect=app.connections.reconnecting,
    )
    return _scened_run.async_app


@pytest.fixture
def async_clock(async_app: aio.App) -> aio.Clock:
    """The clock of the app's windows, for coroutines."""
    return async_app.clock


@pytest.fixture
def async_windows(async_app: aio.App) -> Callable[..., Coroutine[Any, Any, list[aio.Window]]]:
    """Opens windows: `a, b = await async_windows("A", "B")`."""
    return async_app.windows


def settings_of(item: pytest.Item) -> Settings:
    """What a test wants: its markers, those of the function before those of its class and module, then the ini file."""
    config = item.config
    given: dict[str, Any] = {}
    for marker in item.iter_markers("scened"):
        known = {name.name for name in Settings.__dataclass_fields__.values()}
        if marker.args or not marker.kwargs.keys() <= known:
            wrong = ", ".join([repr(value) for value in marker.args] + sorted(marker.kwargs.keys() - known))
            raise pytest.UsageError(
                f"{item.nodeid}: scened({wrong}); expected of {', '.join(sorted(known))}, each by its name"
            )
        given = {**marker.kwargs, **given}
    transition = given.get("transition", config.getini("scened_transition") or None)
    reconnect = given.get("reconnect", config.getini("scened_reconnect") or None)
    clock = given.get("clock", config.getini("scened_clock"))
    if clock not in CLOCKS:
        raise pytest.UsageError(f"{item.nodeid}: clock {clock!r}; expected {', '.join(CLOCKS)}")
    if (arguments := given.get("arguments")) is not None and not (
        isinstance(arguments, (list, tuple)) and all(isinstance(word, str) for word in arguments)
    ):
        raise pytest.UsageError(f"{item.nodeid}: arguments {arguments!r}; expected a list of texts")
    for word in ("fresh", "state"):
        if not isinstance(value := given.get(word, False), bool):
            raise pytest.UsageError(f"{item.nodeid}: {word} {value!r}; expected True or False")
    if given.get("state", False) and clock != "real":
        raise pytest.UsageError(f"{item.nodeid}: state True with clock {clock!r}; expected clock 'real'")
    if clock != "real":
        start = given.get("start", config.getini("scened_start") or None)
    elif (start := given.get("start")) is not None:
        raise pytest.UsageError(f"{item.nodeid}: start {start!r} with clock 'real', which begins with the date now")
    try:
        if start is not None and not isinstance(start, (str, datetime)):
            raise TypeError(f"start {start!r}; expected a date such as '2026-11-27T08:00Z'")
        return Settings(
            app=_app_of(item, str(given.get("app", config.getoption("--scened-app") or config.getini("scened_app")))),
            clock=clock,
            transition=None if transition is None else _whole("transition", transition, "milliseconds, 0 or more", 0),
            arguments=tuple(given.get("arguments", config.getini("scened_arguments"))),
            state=given.get("state", False),
            fresh=given.get("fresh", False),
            seed=_whole("seed", given.get("seed", 0), "a whole number"),
            start=None if start is None else _values.instant(start),
            timeout=_seconds("timeout", given.get("timeout", config.getini("scened_timeout"))),
            reconnect=None if reconnect is None else _seconds("reconnect", reconnect),
        )
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from error


def _whole(name: str, value: object, expected: str, least: int | None = None) -> int:
    """A whole number that a marker or the ini file gives, as text, too. Raises `ValueError` for anything else."""
    is_one = re.fullmatch(r"-?[0-9]{1,19}", value) if isinstance(value, str) else type(value) is int
    number = int(str(value)) if is_one else None
    if number is None or not (-(2**63) if least is None else least) <= number < 2**63:
        raise ValueError(f"{name} {value!r}; expected {expected}")
    return number


def _seconds(name: str, value: object) -> float:
    """A time that a marker or the ini file gives, as text, too. Raises `ValueError` for anything else."""
    seconds = math.nan
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        with suppress(ValueError, OverflowError):
            seconds = float(value)
    if not 0 < seconds < math.inf:
        raise ValueError(f"{name} {value!r}; expected seconds, more than 0")
    return seconds


def _app_of(item: pytest.Item, app: str) -> str:
    """The path of a manifest, which is looked for beside the test and in the root folder; an example's name as it
    is."""
    if app in EXAMPLES:
        return app
    places = [item.path.parent, item.config.rootpath]
    for place in places:
        if (place / app).is_file():
            return str(place / app)
    raise pytest.UsageError(
        f"{item.nodeid}: there is no manifest {app!r} in {' or '.join(map(str, dict.fromkeys(places)))}; "
        f"expected a file, or {', '.join(EXAMPLES)}"
    )


def artifact_folder(item: pytest.Item) -> Path:
    """Where a test leaves what it leaves."""
    parent = Path(os.path.join(item.config.invocation_params.dir, item.config.getoption("--scened-artifacts")))
    return artifacts.folder_of(item.nodeid, parent)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """After a test that has passed: everything comes to rest, and the checker judges what was recorded."""
    run = item.stash.get(RUN, None)
    if run is None:
        return (yield)
    if run.async_app is not None and isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        # What it has begun, such as to ask its adapters, goes on in its own event loop only.
        test, item.obj = item.obj, _finished(item.obj, run.async_app)
        try:
            result = yield
        finally:
            item.obj = test
    else:
        result = yield
        if run.async_app is not None:
            asyncio.run(run.async_app.finish())
    run.app.finish()
    return result


def _finished(test: Callable[..., Awaitable[object]], app: aio.App) -> Callable[..., Awaitable[object]]:
    """A test that is a coroutine function, with the end of its app."""

    @functools.wraps(test)
    async def finished(*arguments: object, **named: object) -> object:
        __tracebackhide__ = True
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise pytest.UsageError(
                "async_app needs asyncio; with anyio, a fixture anyio_backend that returns 'asyncio'"
            ) from None
        try:
            result = await test(*arguments, **named)
            await app.finish()
        except BaseException:
            # The test's error says more than one of its end.
            with suppress(ScenedError):
                await app.release()
            raise
        return result

    return finished


def keep(run: Run, item: pytest.Item) -> str:
    """Leaves what is known of a failed test in its folder, which --junit-xml names; returns what the report says."""
    folder = artifact_folder(item)
    if (told := ("scened-artifacts", str(folder))) not in item.user_properties:
        item.user_properties.append(told)
    return run.keep(folder)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """After a test's fixtures, its run ends; after the last test's, the daemons."""
    run = item.stash.get(RUN, None)
    with ExitStack() as stack:
        if nextitem is None and (daemons := item.config.stash.get(DAEMONS, None)) is not None:
            stack.callback(daemons.stop)
        if run is not None:
            del item.stash[RUN]
            stack.callback(run.close)
        try:
            return (yield)
        except BaseException:
            if run is not None:
                item.stash[TOLD] = keep(run, item)
            raise


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stops the daemons of a run that ended before its last test."""
    if (daemons := config.stash.get(DAEMONS, None)) is not None:
        # The test in which one ended has said so.
        with suppress(DaemonFailed):
            daemons.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Of a test that has failed, or a fixture of it, what is known is kept, and the report says how to look at it."""
    report = yield
    if report.failed:
        run = item.stash.get(RUN, None)
        if run is not None:
            report.sections.append(("scened", keep(run, item)))
        elif (told := item.stash.get(TOLD, None)) is not None and call.when == "teardown":
            report.sections.append(("scened", told))
    return report
