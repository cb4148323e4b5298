"""The pytest plugin: fixtures for a daemon, an app, its windows and its clock, the checker's verdict at the end of each
test, and what a failed test leaves behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from . import artifacts
from ._errors import ConnectionFailed
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
    fresh: bool = field(compare=False)
    """Whether the test has a daemon of its own."""
    seed: int = field(compare=False)
    """Decides what is random in the daemon."""
    timeout: float = field(compare=False)
    """How long a call may take, in seconds."""


@dataclass(slots=True)
class Run:
    """What a test has of this plugin."""

    daemon: Daemon
    app: App
    log_from: int


RUN = pytest.StashKey[Run]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("scened", "scened: headless iOS-style windows")
    group.addoption(
        "--scened", metavar="PATH", help="the program scened; default: the environment's SCENED, else the one in PATH"
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
    parser.addini("scened_arguments", "further arguments of the daemon, one a line", type="linelist")
    parser.addini("scened_timeout", "how long a call may take, in seconds", default="10")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "scened(app='shop', clock='virtual', transition=None, arguments=(), fresh=False, seed=0, timeout=10): what the "
        "test's daemon is: its manifest; its clock (virtual, manual, real); how long a transition takes, in "
        "milliseconds; further arguments; whether the test has one of its own; the seed of what is random; how long a "
        "call may take, in seconds. Markers of module and class count for what the test's own does not say.",
    )


class Daemons:
    """The daemons of a run, one for each kind that tests want, started when the first test wants it."""

    def __init__(self, program: str | None) -> None:
        self._program = program
        self._shared: dict[Settings, Daemon] = {}

    def take(self, settings: Settings) -> Daemon:
        """A daemon as at its start. A shared one is reset; one that has ended is replaced."""
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
            except ConnectionFailed:
                del self._shared[settings]
                with suppress(DaemonFailed):
                    # The test in which it ended has said so.
                    shared.stop()
        daemon = self._shared[settings] = self._start(settings)
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
        )

    @staticmethod
    def _reset(daemon: Daemon, settings: Settings) -> Daemon:
        with Client(daemon.socket, timeout=30) as client:
            client.control.reset(seed=settings.seed)
        return daemon


@pytest.fixture(scope="session")
def _scened_daemons(pytestconfig: pytest.Config) -> Iterator[Daemons]:
    daemons = Daemons(pytestconfig.getoption("--scened"))
    yield daemons
    daemons.stop()


@pytest.fixture
def _scened_run(request: pytest.FixtureRequest, _scened_daemons: Daemons) -> Iterator[Run]:
    try:
        settings = settings_of(request.node)
        artifacts.remove(artifact_folder(request.node))
        daemon = _scened_daemons.take(settings)
    except (DaemonFailed, pytest.UsageError) as error:
        # The place in this file is nothing to whoever reads the report.
        pytest.fail(str(error), pytrace=False)
    log_from = daemon.log_size()
    try:
        with App(daemon.socket, clock=settings.clock, timeout=settings.timeout) as app:
            run = request.node.stash[RUN] = Run(daemon, app, 0 if settings.fresh else log_from)
            yield run
    finally:
        if RUN in request.node.stash:
            del request.node.stash[RUN]
        if settings.fresh:
            daemon.stop()


@pytest.fixture
def daemon(_scened_run: Run) -> Daemon:
    """The test's daemon, as at its start."""
    return _scened_run.daemon


@pytest.fixture
def app(_scened_run: Run) -> App:
    """The test's app: no windows, nobody signed in."""
    return _scened_run.app


@pytest.fixture
def clock(_scened_run: Run) -> Clock:
    """The clock of the app's windows."""
    return _scened_run.app.clock


@pytest.fixture
def windows(_scened_run: Run) -> Callable[..., list[Window]]:
    """Opens windows: `a, b = windows("A", "B")`."""
    return _scened_run.app.windows


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
    clock = given.get("clock", config.getini("scened_clock"))
    if clock not in CLOCKS:
        raise pytest.UsageError(f"{item.nodeid}: clock {clock!r}; expected {', '.join(CLOCKS)}")
    try:
        return Settings(
            app=_app_of(item, str(given.get("app", config.getoption("--scened-app") or config.getini("scened_app")))),
            clock=clock,
            transition=None if transition is None else int(transition),
            arguments=tuple(given.get("arguments", config.getini("scened_arguments"))),
            fresh=bool(given.get("fresh", False)),
            seed=int(given.get("seed", 0)),
            timeout=float(given.get("timeout", config.getini("scened_timeout"))),
        )
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from error


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
    result = yield
    if (run := item.stash.get(RUN, None)) is not None:
        run.app.finish()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Of a test that has failed, what is known is kept, and the report says how to look at it."""
    report = yield
    if report.failed and call.when == "call" and (run := item.stash.get(RUN, None)) is not None:
        text = artifacts.write(artifact_folder(item), run.app, run.daemon, run.log_from)
        report.sections.append(("scened", text))
    return report
