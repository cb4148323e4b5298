"""Fixtures for the tests of the package itself."""

from collections.abc import Iterator

import pytest

from scened import Client, Daemon
from scened.daemon import find_program

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def program(pytestconfig: pytest.Config) -> str:
    """The daemon's program."""
    return find_program(pytestconfig.getoption("--scened"))


@pytest.fixture(scope="module")
def live(program: str) -> Iterator[Daemon]:
    """A daemon for the tests of a module."""
    with Daemon(program, app="shop") as daemon:
        yield daemon


@pytest.fixture
def client(live: Daemon) -> Iterator[Client]:
    """A client of a daemon that is as at its start."""
    with Client(live.socket) as client:
        client.control.reset()
        yield client


@pytest.fixture
def suite(pytester: pytest.Pytester, program: str, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with tests, which are run in a process of their own with the daemon's program."""
    monkeypatch.setenv("SCENED", program)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester
