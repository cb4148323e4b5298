# Written by generate.py from aio/_names.py; do not edit.
"""The names that an app's manifest gives to what a test can expect."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from ._failures import UnknownName
from .client import Client

Kind: TypeAlias = Literal["screen", "tab", "flow or screen", "precondition", "fact"]
"""What a name stands for."""


class Names:
    """The names of the manifest that is in force, read when first needed, and again when one is not known."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: dict[Kind, set[str]] = {}

    def check(self, kind: Kind, names: Iterable[str]) -> None:
        """Raises `UnknownName` for the first name that the manifest does not have."""
        for name in names:
            if name in self._known.get(kind, ()):
                continue
            self._known = self._read()
            if name not in self._known[kind]:
                known = self._known[kind]
                near = difflib.get_close_matches(name, known, n=1)
                meant = (
                    f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(sorted(known)) or 'none'}"
                )
                raise UnknownName(f"the app has no {kind} {name!r}; {meant}")

    def _read(self) -> dict[Kind, set[str]]:
        part = self._client.manager.get_manifest()
        text, after = part.text, 0
        while part.next > after:
            after = part.next
            part = self._client.manager.get_manifest(digest=part.digest, after=after)
            text += part.text
        manifest: dict[str, Any] = json.loads(text)

        def names(kind: str) -> set[str]:
            return set(manifest.get(kind) or ())

        flows: dict[str, Any] = manifest.get("flows") or {}
        guards = [*(manifest.get("roots") or ()), *filter(None, [manifest.get("lock")])]
        of_flows = [screen for flow in flows.values() for screen in flow.get("screens") or ()]
        screens = names("destinations") | {screen if isinstance(screen, str) else screen["id"] for screen in of_flows}
        return {
            "screen": screens,
            # A flow that is shown in place of tabs counts as one.
            "tab": names("tabs") | {"root"},
            "flow or screen": screens | set(flows),
            # What waits for a root's flow, or the lock's, waits for that.
            "precondition": names("preconditions") | {root["flow"] for root in guards},
            "fact": names("facts"),
        }
