"""The words of the daemon, and what to say of one that it does not have."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ._failures import UnknownName

EVENT_KINDS = ("url", "activity", "push", "widget", "shortcut")
"""What an adapter can be asked about."""

OUTCOMES = (
    "admitted",
    "gated",
    "applied",
    "unchanged",
    "delivered",
    "ignored",
    "rejected",
    "superseded",
    "abandoned",
)
"""How an event stands."""

REASONS = frozenset(
    {
        "alreadyPresenting",
        "atRoot",
        "backHidden",
        "contended",
        "destinationGone",
        "flowCancelled",
        "flowShown",
        "gateBusy",
        "gateUnsatisfied",
        "inTransition",
        "intentFailed",
        "invalidUser",
        "locked",
        "malformed",
        "noAdapter",
        "noSuchDepth",
        "noSuchFlow",
        "noSuchPresentation",
        "noSuchTab",
        "noTabs",
        "notAssociated",
        "notSwipeable",
        "nothingPresented",
        "nothingToPop",
        "otherUser",
        "popOfRoot",
        "pushedTwice",
        "queueFull",
        "rootStays",
        "sceneDiscarded",
        "shutdown",
        "stackFull",
        "swipeCancelled",
        "tabsCovered",
        "transitionInProgress",
        "unhandledIntent",
        "unknownRoute",
        "userLeft",
        "userMissing",
        "violation",
    }
)
"""Why, besides what the manifest names."""

BEGINNINGS = ("invalidFact: ", "screenFailed", "seamFailed", "validationFailed: ")
"""How reasons begin that go on in words of their own."""


def refuse_unknown(what: str, name: object, known: Iterable[str]) -> None:
    """Raises `UnknownName` for a name that is none of those, with the one that was probably meant."""
    known = list(known)
    if name in known:
        return
    near: list[str] = []
    if isinstance(name, str):
        # Of two that differ in their case alone, the letters say nothing.
        same = [each for each in known if each.lower() == name.lower()]
        near = same or difflib.get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(sorted(known)) or 'none'}"
    raise UnknownName(f"{what} {name!r}; {meant}")
