"""Drives scened, the daemon that hosts headless iOS-style windows: a typed client, and what tests are written with.

`Client` (and `scened.aio.Client`) has every method of the socket API; the types are in `scened.types`, and each error
of the daemon is an exception here, such as `NotAssociated`. `App`, `Window` and `expect` are made for tests; the pytest
plugin that comes with this package gives them as fixtures. `scened.aio` has the same for tests that are coroutines.
"""

from . import aio, types
from ._answers import Answer, Asked
from ._codec import JSON, JSONObject
from ._errors import (
    CallTimeout,
    ConnectionFailed,
    DaemonError,
    HostChanged,
    ProtocolError,
    ScenedError,
    Unsure,
)
from ._failures import AdapterFailed, ExpectationFailed, HistoryViolated, NothingExpected, NothingHeld, UnknownName
from ._generated.errors import *  # noqa: F403
from ._generated.errors import __all__ as _errors
from ._generated.types import Destination
from ._repeating import Reconnecting
from .app import App, Event, Hold, Window
from .client import Client
from .clock import Clock
from .daemon import Daemon, DaemonFailed
from .expectations import expect

__all__ = [
    "JSON",
    "AdapterFailed",
    "Answer",
    "App",
    "Asked",
    "CallTimeout",
    "Client",
    "Clock",
    "ConnectionFailed",
    "Daemon",
    "DaemonError",
    "DaemonFailed",
    "Destination",
    "Event",
    "ExpectationFailed",
    "HistoryViolated",
    "Hold",
    "HostChanged",
    "JSONObject",
    "NothingExpected",
    "NothingHeld",
    "ProtocolError",
    "Reconnecting",
    "ScenedError",
    "UnknownName",
    "Unsure",
    "Window",
    "aio",
    "expect",
    "types",
]
__all__ += _errors

for _name in __all__:
    # A report names an error as a test does, scened.NotAssociated, and has room for what it says.
    if isinstance(_found := globals()[_name], type) and issubclass(_found, ScenedError):
        _found.__module__ = __name__
