"""The words of the daemon, and what to say of one that it does not have."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

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

REASONS: Mapping[str, frozenset[str]] = {
    "ignored": frozenset(
        {
            "atRoot",
            "backHidden",
            "inTransition",
            "noSuchTab",
            "noTabs",
            "notSwipeable",
            "nothingPresented",
            "nothingToPop",
            "swipeCancelled",
            "tabsCovered",
        }
    ),
    "rejected": frozenset(
        {
            "alreadyPresenting",
            "contended",
            "destinationGone",
            "flowShown",
            "gateBusy",
            "gateUnsatisfied",
            "intentFailed",
            "invalidUser",
            "locked",
            "malformed",
            "noAdapter",
            "noSuchDepth",
            "noSuchFlow",
            "noSuchPresentation",
            "noSuchTab",
            "notAssociated",
            "otherUser",
            "popOfRoot",
            "pushedTwice",
            "queueFull",
            "rootStays",
            "stackFull",
            "transitionInProgress",
            "unhandledIntent",
            "unknownRoute",
            "userMissing",
            "violation",
        }
    ),
    "abandoned": frozenset({"attemptsInterrupted", "flowCancelled", "sceneDiscarded", "shutdown", "userLeft"}),
}
"""Why, by the outcome, besides what the manifest names and, for what is superseded, the newer event."""

BEGINNINGS = ("invalidFact", "screenFailed", "seamFailed", "validationFailed")
"""The words of `rejected` that a reason may go on from, behind a colon, in words of its own."""


def is_reason(found: str | None, expected: str) -> bool:
    """Whether a reason is the expected one: the same, one that goes on from it, or the newer event that it names."""
    return found is not None and (found in (expected, f"by {expected}") or found.startswith(f"{expected}:"))


def refuse_no_name(what: str, text: object) -> None:
    """Raises `ValueError` for what is no name, as of a user or an event, so that nothing could ever have it."""
    if not isinstance(text, str) or re.fullmatch("[!-~]{1,128}", text) is None:
        raise ValueError(
            f"{what} {text!r} cannot be; expected 1 to 128 letters, digits and signs of ASCII, without spaces"
        )


def refuse_no_reason(outcome: str, text: str) -> None:
    """Raises `ValueError` for a reason that this outcome never has, whatever the manifest says; for what is rejected it
    has some."""
    what = f"the outcome {outcome!r} has no reason"
    if outcome == "superseded":
        refuse_no_name("the event", text.removeprefix("by "))
    elif outcome == "gated":
        raise ValueError(f"{what}, but a precondition; write to_be_gated_at({text!r})")
    elif outcome not in REASONS:
        raise ValueError(f"{what}, such as {text!r}")
    elif outcome != "rejected":
        refuse_unknown(what, text, REASONS[outcome])


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
