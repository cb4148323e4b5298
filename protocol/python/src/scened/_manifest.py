"""What a manifest says of the names that a test can expect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._vocabulary import REASONS, refuse_unknown

Kind: TypeAlias = Literal["destination", "screen", "tab", "flow or screen", "precondition", "fact", "intent", "reason"]
"""What a name stands for."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest's names, with what it declares of each. It does not change: another one has another digest."""

    digest: str
    """Which manifest it is."""
    declared: Mapping[Kind, Mapping[str, Any]]
    """Its names of each kind, with their declarations."""
    secrets: frozenset[str]
    """The names of parameters that are secret somewhere."""
    roots: Mapping[str, frozenset[str]]
    """By tab, the destinations of which one is its root."""
    has_lock: bool
    """Whether a window can be locked."""

    def check(self, kind: Kind, names: Iterable[str], what: str | None = None) -> None:
        """Raises `UnknownName` for the first name that it does not have; `what` says it in other words."""
        for name in names:
            refuse_unknown(what or f"the app has no {kind}", name, self.declared[kind])

    @staticmethod
    def read(digest: str, text: str) -> Manifest:
        """The manifest of this digest, from its text as JSON."""
        manifest: dict[str, Any] = json.loads(text)

        def declared(kind: str) -> dict[str, Any]:
            return dict(manifest.get(kind) or {})

        flows = declared("flows")
        lock = manifest.get("lock")
        guards = [*(manifest.get("roots") or ()), *filter(None, [lock])]
        of_flows = [screen for flow in flows.values() for screen in flow.get("screens") or ()]
        destinations = {id: each or {} for id, each in declared("destinations").items()}
        of_destinations = {id: each.get("parameters") or {} for id, each in destinations.items()}
        parameters = {id: [each] for id, each in of_destinations.items()}
        for screen in of_flows:
            id, given = (screen, {}) if isinstance(screen, str) else (screen["id"], screen.get("parameters") or {})
            # Of a destination, the flow that shows it does not say the parameters again.
            if id not in destinations:
                parameters.setdefault(id, []).append(given)
        declarations = [declaration for each in parameters.values() for one in each for declaration in one.items()]
        # What waits for a root's flow, or the lock's, waits for that.
        preconditions = declared("preconditions") | {root["flow"]: root for root in guards}
        intents = declared("intents")
        for flow in flows.values():
            intents |= flow.get("intents") or {}
        return Manifest(
            digest=digest,
            declared={
                # Those of which the daemon says whether their parameters can be; the screens of flows it does not know.
                "destination": of_destinations,
                "screen": parameters,
                # A flow that is shown in place of tabs counts as one.
                "tab": declared("tabs") | {"root": None},
                "flow or screen": parameters | flows,
                "precondition": preconditions,
                "fact": declared("facts"),
                "intent": intents,
                # Why something is rejected.
                "reason": declared("preconditions") | declared("conditions") | dict.fromkeys(REASONS["rejected"]),
            },
            secrets=frozenset(name for name, declaration in declarations if declaration.get("secret")),
            roots={tab: frozenset(_shown_for(root, destinations)) for tab, root in declared("tabs").items()},
            has_lock=lock is not None,
        )


def _shown_for(id: str, destinations: Mapping[str, Any]) -> set[str]:
    """A destination, and its variants, which may be shown in its place."""
    found: set[str] = set()
    left = [id]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += [variant["destination"] for variant in destinations.get(each, {}).get("variants") or ()]
    return found
