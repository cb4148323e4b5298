"""What a window shows, in words, and where it differs from what was wanted."""

from __future__ import annotations

from collections.abc import Sequence

from ._codec import JSON
from ._generated.types import Destination, Scene, Window


def stacks(window: Window | None) -> list[tuple[str, list[str]]]:
    """What a window shows: the selected tab with its screens, then each presentation, named by its flow or style."""
    if window is None:
        return []
    tab = [(tab.id, [screen.id for screen in tab.stack]) for tab in window.tabs if tab.id == window.selected_tab]
    return tab + [(modal.flow or modal.style, [screen.id for screen in modal.stack]) for modal in window.modals]


def screens(scene: Scene | None) -> list[Destination]:
    """The screens that it shows: those of the selected tab, root first, then those presented over it."""
    window = scene.window if scene else None
    if window is None:
        return []
    tab = next((tab.stack for tab in window.tabs if tab.id == window.selected_tab), [])
    return tab + [screen for modal in window.modals for screen in modal.stack]


def name(destination: Destination) -> str:
    """A screen as it is written, such as "account(id: a1)"."""
    parameters = ", ".join(f"{name}: {value}" for name, value in sorted(destination.parameters.items()))
    return f"{destination.id}({parameters})" if parameters else destination.id


def named(stack: Sequence[Destination]) -> list[str]:
    """The screens of a stack as they are written."""
    return [name(screen) for screen in stack]


def matches(wanted: str, found: Destination) -> bool:
    """Whether a screen is the one that was wanted, by its destination alone or as it is written."""
    return wanted in (found.id, name(found))


def are_same(wanted: Sequence[str], found: Sequence[Destination]) -> bool:
    """Whether screens are those that were wanted, in this order."""
    return len(wanted) == len(found) and all(map(matches, wanted, found))


def is_same(wanted: JSON, found: JSON) -> bool:
    """Whether two values are the same as JSON, in which false is not 0."""
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(is_same, wanted, found))
    return wanted == found and isinstance(wanted, bool) == isinstance(found, bool)


def trail(screens: Sequence[str]) -> str:
    """Screens in a line, root first."""
    return " › ".join(screens) or "nothing"


def drawn(scene: Scene | None) -> str:
    """What a window shows, with the presentations in brackets."""
    window = scene.window if scene else None
    if window is None:
        return "nothing"
    tab = next((tab.stack for tab in window.tabs if tab.id == window.selected_tab), [])
    modals = [f"{modal.flow or modal.style}[{trail(named(modal.stack))}]" for modal in window.modals]
    return trail(named(tab) + modals)


def difference(wanted: Sequence[str], found: Sequence[Destination]) -> list[tuple[str, str]]:
    """Where two stacks differ first."""
    for index, (one, other) in enumerate(zip(wanted, found, strict=False)):
        if not matches(one, other):
            return [("differs", f"screen {index + 1} is {name(other)}, not {one}")]
    if len(wanted) > len(found):
        return [("missing", trail(wanted[len(found) :]))]
    if len(found) > len(wanted):
        return [("too much", trail(named(found[len(wanted) :])))]
    return []
