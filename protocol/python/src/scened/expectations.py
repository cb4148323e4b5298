# Written by generate.py from aio/expectations.py; do not edit.
"""Expectations that wait, and say what is different:

    expect(window).to_show("accounts", "account")
    expect(link).to_be_gated_at("signedIn")
    expect(app).to_have_user("anna")

Each looks at once; if what it finds is not what is expected, it waits until nothing is going on any more, and looks
again. So it never waits for longer than something goes on, and fails at once when nothing does. What is found as it was
written is met; of the rest, a name that the manifest in force does not have raises `UnknownName`, and an expectation of
nothing, or of what can never be, `ValueError`.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, get_args, overload

from . import _shown
from ._codec import JSON, plain
from ._failures import ExpectationFailed
from ._generated.errors import UnknownScene
from ._generated.types import Activation, Scene
from ._vocabulary import OUTCOMES, is_reason, refuse_no_name, refuse_no_reason, refuse_unknown
from .adapters import client_in_adapter
from .app import App, Event, Window

# A failed expectation is shown where the test has it.
__tracebackhide__ = True


@dataclass(frozen=True, slots=True)
class _Found:
    """What an expectation found: whether it is met, the difference, and what else helps."""

    is_met: bool
    lines: Sequence[tuple[str, str]]


class _Look(Protocol):
    """Looks at what an expectation is about."""

    def __call__(self) -> _Found: ...


@overload
def expect(subject: Window) -> WindowExpectation: ...
@overload
def expect(subject: Event) -> EventExpectation: ...
@overload
def expect(subject: App) -> AppExpectation: ...
def expect(subject: Window | Event | App) -> WindowExpectation | EventExpectation | AppExpectation:
    """Begins an expectation about a window, an event, or an app and its session."""
    match subject:
        case Window():
            return WindowExpectation(subject)
        case Event():
            return EventExpectation(subject)
        case App():
            return AppExpectation(subject)
    found = f"{type(subject).__module__}.{type(subject).__name__}"
    raise TypeError(f"expect() of {found}; expected a Window, an Event or an App of {__package__}")


class _Find(Protocol):
    """Looks at a window; None for one that is not there."""

    def __call__(self, scene: Scene | None, /) -> _Found: ...


class _Expectation:
    """What is expected of something in an app."""

    def __init__(self, app: App, subject: str) -> None:
        self._app = app
        test = traceback.extract_stack(limit=4)[0]
        app.expectations[self] = f"{test.filename}:{test.lineno}: expect({subject})"

    def _looks(self) -> None:
        """Notes that something is expected, and is looked at."""
        self._app.expectations.pop(self, None)


class WindowExpectation(_Expectation):
    """What a window is expected to be."""

    def __init__(self, window: Window) -> None:
        super().__init__(window.app, f"window {window.name}")
        self._window = window
        self._names = window.app.names

    def to_show(self, *screens: str) -> None:
        """It shows these screens and no others: those of the selected tab, root first, then those presented over it. A
        screen is named by its destination, such as "account", or with parameters, "account(id: a1)"."""
        self._looks()

        def find(scene: Scene | None) -> _Found:
            shown = _shown.screens(scene)
            wanted = self._names.screens(screens, shown)
            return _Found(
                _shown.are_same(wanted, shown),
                [
                    ("expected", _shown.trail(wanted)),
                    ("shown", _shown.drawn(scene)),
                    *_shown.difference(wanted, shown),
                ],
            )

        self._await("does not show what was expected", find)

    def not_to_show(self, *screens: str) -> None:
        """It shows none of these screens, neither in the selected tab nor over it."""
        self._looks()
        if not screens:
            raise ValueError("not_to_show() of nothing is always met; name the screens")

        def find(scene: Scene | None) -> _Found:
            shown = _shown.screens(scene)
            wanted = self._names.screens(screens, shown)
            found = [screen for screen in wanted if any(_shown.matches(screen, other) for other in shown)]
            return _Found(not found, [("not expected", ", ".join(found)), ("shown", _shown.drawn(scene))])

        self._await("shows what was not expected", find)

    def to_have_tab(self, tab: str) -> None:
        """This tab is selected; "root" if a flow is shown in place of tabs."""
        self._looks()

        def find(scene: Scene | None) -> _Found:
            selected = scene.window.selected_tab if scene and scene.window else None
            if selected != tab:
                self._names.check("tab", [tab])
            return _Found(
                selected == tab, [("expected", tab), ("selected", str(selected)), ("shown", _shown.drawn(scene))]
            )

        self._await("has another tab selected", find)

    def to_have_stack(self, *screens: str, tab: str | None = None) -> None:
        """A tab's stack consists of these screens, root first, whatever is presented over it.

        Args:
            screens: The screens; see `to_show`.
            tab: The tab; None for the selected one.
        """
        self._looks()
        if not screens:
            raise ValueError(
                "to_have_stack() of nothing is never met: a stack has its root; name the screens, or of a window that "
                "shows nothing expect to_show()"
            )

        def find(scene: Scene | None) -> _Found:
            window = scene.window if scene else None
            looked_at = tab or (window.selected_tab if window else None)
            stack = next((each.stack for each in window.tabs if each.id == looked_at), []) if window else []
            wanted = self._names.screens(screens, stack)
            if tab is not None and not (stack and _shown.matches(wanted[0], stack[0])):
                self._names.root(tab, screens[0])
            return _Found(
                _shown.are_same(wanted, stack),
                [
                    ("expected", _shown.trail(wanted)),
                    (f"stack of {looked_at}", _shown.trail(_shown.named(stack))),
                    *_shown.difference(wanted, stack),
                ],
            )

        self._await("has another stack", find)

    def to_have_modals(self, *modals: str) -> None:
        """These are presented, bottom first; each is named by its flow, or if it has none by its first screen. Without
        names, nothing is presented."""
        self._looks()

        def find(scene: Scene | None) -> _Found:
            window = scene.window if scene else None
            found = [modal.flow or modal.stack[0].id for modal in window.modals] if window else []
            self._names.check("flow or screen", [modal for modal in modals if modal not in found])
            return _Found(
                found == list(modals),
                [
                    ("expected", ", ".join(modals) or "nothing"),
                    ("presented", ", ".join(found) or "nothing"),
                    ("shown", _shown.drawn(scene)),
                ],
            )

        self._await("has other presentations", find)

    def to_be(self, activation: Activation) -> None:
        """Its activation is this one."""
        self._looks()
        refuse_unknown("there is no activation", activation, get_args(Activation))

        def find(scene: Scene | None) -> _Found:
            found = scene.activation if scene else "never opened"
            return _Found(found == activation, [("expected", activation), ("activation", found)])

        self._await("has another activation", find)

    def to_be_connected(self, connected: bool = True) -> None:
        """It is connected, or with False released."""
        self._looks()
        wanted = "connected" if connected else "disconnected"

        def find(scene: Scene | None) -> _Found:
            found = "connected" if scene and scene.connected else "disconnected"
            return _Found(found == wanted, [("expected", wanted), ("found", found)])

        self._await("has another state", find)

    def to_be_locked(self, locked: bool = True) -> None:
        """It is locked, or with False it is not. Raises `ValueError` where the app declares no lock."""
        self._looks()
        words = {True: "locked", False: "not locked"}

        def find(scene: Scene | None) -> _Found:
            found = bool(scene and scene.locked)
            if not found:
                self._names.lock()
            return _Found(
                found == locked, [("expected", words[locked]), ("found", words[found]), ("shown", _shown.drawn(scene))]
            )

        self._await("has another lock", find)

    def to_be_transitioning(self, transitioning: bool = True) -> None:
        """A transition is in progress, or with False none is."""
        self._looks()
        words = {True: "in a transition", False: "at rest"}

        def find(scene: Scene | None) -> _Found:
            found = bool(scene and scene.window and scene.window.transitioning)
            return _Found(found == transitioning, [("expected", words[transitioning]), ("found", words[found])])

        self._await("is in another state", find)

    def to_have_parked(self, *preconditions: str) -> None:
        """Events wait for these preconditions in it, in the order parked; without names, none waits."""
        self._looks()

        def find(scene: Scene | None) -> _Found:
            found = [parked.precondition for parked in scene.parked] if scene else []
            self._names.check("precondition", [each for each in preconditions if each not in found])
            return _Found(
                found == list(preconditions),
                [("expected", ", ".join(preconditions) or "nothing"), ("parked", ", ".join(found) or "nothing")],
            )

        self._await("has other events waiting", find)

    def _await(self, what: str, find: _Find) -> None:
        def look() -> _Found:
            try:
                scene = self._window.scene
            except UnknownScene:
                scene = None
            found = find(scene)
            return found if found.is_met else _Found(False, [*found.lines, *self._context(scene)])

        _await(self._window.app, f"window {self._window.name} {what}", look, self._window.name)

    def _context(self, scene: Scene | None) -> list[tuple[str, str]]:
        """What else says how a window stands."""
        if scene is None:
            return [("window", "was never opened, or is closed for good")]
        lines = []
        if not scene.connected:
            lines.append(("window", "disconnected"))
        if scene.window is not None:
            tabs = ", ".join(tab.id for tab in scene.window.tabs if tab.id != scene.window.selected_tab)
            lines.append(("tab", scene.window.selected_tab + (f" (others: {tabs})" if tabs else "")))
            if scene.window.transitioning:
                lines.append(("transition", "in progress"))
        if scene.locked:
            lines.append(("lock", "locked"))
        for hold in list(self._window.app.holds):
            if hold.look() and hold.caught is not None and hold.caught.scene == scene.id:
                lines.append(("held", f"at {hold.point} ({hold.caught.event or 'what a commit removes'})"))
        for parked in scene.parked:
            lines.append(
                ("gated at", f"{parked.precondition}: {_shown.name(parked.destination)} (event {parked.event})")
            )
        if self._window.last is not None:
            lines.append(("last event", _event_line(self._window.last)))
        return lines


class EventExpectation(_Expectation):
    """How an event is expected to stand or to have ended."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.app, f"event {event.id}")
        self._event = event

    def to_be(self, outcome: str, *, reason: str | None = None) -> None:
        """Its outcome is this one, and if a reason is given, for this reason.

        Args:
            outcome: The outcome; "admitted" only of an event that may not have settled yet, such as one that is held.
            reason: One that the outcome can have, such as "inStock"; "validationFailed" stands for
                "validationFailed: id", too. Of what is superseded, the newer event's ID. None for any.
        """
        self._looks()
        refuse_unknown("there is no outcome", outcome, OUTCOMES)
        if reason is not None:
            refuse_no_reason(outcome, reason)
        if outcome == "admitted" and (known := self._event.known.outcome) != "admitted":
            raise ValueError(
                f"event {self._event.id} has settled as {known!r}, and none that has is 'admitted' again; hold the "
                "window, or send it with wait='admitted'"
            )

        def look() -> _Found:
            receipt = self._event.receipt
            is_met = receipt.outcome == outcome and (reason is None or is_reason(receipt.reason, reason))
            if not is_met and reason is not None and outcome == "rejected":
                self._event.app.names.reason(reason)
            return _Found(
                is_met,
                [("expected", outcome + (f" ({reason})" if reason else "")), ("is", _event_line(self._event))],
            )

        _await(self._event.app, f"event {self._event.id} has another outcome", look, self._event.scene)

    def to_be_gated_at(self, precondition: str) -> None:
        """It waits for this precondition."""
        self._looks()

        def look() -> _Found:
            receipt = self._event.receipt
            is_met = receipt.outcome == "gated" and receipt.precondition == precondition
            if not is_met:
                self._event.app.names.check("precondition", [precondition])
            return _Found(
                is_met,
                [("expected", f"gated at {precondition}"), ("is", _event_line(self._event))],
            )

        _await(self._event.app, f"event {self._event.id} does not wait where expected", look, self._event.scene)


class AppExpectation(_Expectation):
    """What the session is expected to be."""

    def __init__(self, app: App) -> None:
        super().__init__(app, "app")

    def to_have_user(self, user: str | None) -> None:
        """This user is signed in, or with None nobody."""
        self._looks()
        if user == "":
            raise ValueError("to_have_user(''): no user has this name; None means nobody")
        if user is not None:
            refuse_no_name("the user", user)

        def look() -> _Found:
            found = (self._app.session).user
            return _Found(found == user, [("expected", user or "nobody"), ("signed in", found or "nobody")])

        _await(self._app, "somebody else is signed in", look)

    def to_have_facts(self, **facts: JSON | tuple[JSON, ...]) -> None:
        """These facts have these values; None for one that has no value. Others may have any."""
        self._looks()
        if not facts:
            raise ValueError("to_have_facts() of nothing is always met; name the facts")
        given = {name: plain(value, name) for name, value in facts.items()}

        def look() -> _Found:
            found = (self._app.session).facts
            wanted = self._app.names.facts(given, found)
            differing = {name: value for name, value in wanted.items() if not _shown.is_same(value, found.get(name))}
            lines = [(name, f"expected {value!r}, is {found.get(name)!r}") for name, value in differing.items()]
            return _Found(not differing, lines)

        _await(self._app, "facts have other values", look)


def _await(app: App, what: str, look: _Look, scene: str | None = None) -> None:
    found: _Found | None
    try:
        found = look()
    except ValueError:
        if client_in_adapter() is not None:
            raise
        # What goes on may have begun under a manifest that has the name, and bring it.
        found = None
    if found is None or not found.is_met:
        app.settle(scene)
        found = look()
    if not found.is_met:
        width = max(len(name) for name, _ in found.lines) + 1
        lines = [f"  {name + ':' if name else '':{width}} {value}" for name, value in found.lines]
        raise ExpectationFailed("\n".join([what, *lines]))


def _event_line(event: Event) -> str:
    receipt = event.receipt
    parts = [f"{receipt.event} ({event.description})", receipt.outcome]
    if receipt.ticket is not None:
        parts.insert(0, f"#{receipt.ticket}")
    if receipt.precondition is not None:
        parts.append(f"at {receipt.precondition}")
    if receipt.reason is not None:
        parts.append(f"({receipt.reason})")
    return " ".join(parts)


__all__ = ["AppExpectation", "EventExpectation", "ExpectationFailed", "WindowExpectation", "expect"]
