"""The words with which the daemon says how an event ended."""

from __future__ import annotations

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
