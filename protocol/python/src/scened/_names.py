# Written by generate.py from aio/_names.py; do not edit.
"""The names that an app's manifest gives to what a test can expect, and the form that values have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from . import _shown, _values
from ._codec import JSON
from ._errors import DaemonError
from ._failures import UnknownName
from ._generated.errors import ValidationFailed
from ._generated.types import Destination
from ._vocabulary import BEGINNINGS, REASONS, refuse_no_name, refuse_unknown
from .client import Client

Kind: TypeAlias = Literal["destination", "screen", "tab", "flow or screen", "precondition", "fact", "intent", "reason"]
"""What a name stands for."""


class Names:
    """The names of the manifest that is in force, with what it declares of each, read when first needed, and again when
    one is not known."""

    def __init__(self, client: Callable[[], Client]) -> None:
        """
        Args:
            client: Gives what asks the daemon, which in an adapter's function is another one.
        """
        self._client = client
        self._known: dict[Kind, Mapping[str, Any]] = {}
        # The names of parameters that are secret somewhere.
        self._secrets: set[str] = set()

    def check(self, kind: Kind, names: Iterable[str], what: str | None = None) -> None:
        """Raises `UnknownName` for the first name that the manifest does not have; `what` says it in other words."""
        for name in names:
            if name in self._known.get(kind, ()):
                continue
            self._read()
            refuse_unknown(what or f"the app has no {kind}", name, self._known[kind])

    def screen(self, text: str) -> str:
        """A screen such as "account(id: a1)" as it is shown, with its values in the form that they have there and with
        its defaults; without a bracket, its ID.

        Raises `UnknownName` for a screen or parameter that the app does not have, and `ValueError` for what no window
        can show.
        """
        id = text.partition("(")[0]
        self.check("screen", [id])
        # Flows may have screens of the same name.
        declarations: list[Mapping[str, Any]] = self._known["screen"][id]
        known = dict.fromkeys(name for declared in declarations for name in declared)
        _, given = _values.parts(text, known)
        if not given:
            return id
        for name in given:
            refuse_unknown(f"the screen {id!r} has no parameter", name, known)
        fitting = [declared for declared in declarations if given.keys() <= declared.keys()]
        if not fitting:
            raise UnknownName(f"no flow has a screen {id!r} with all the parameters {', '.join(given)}")
        forms: set[str] = set()
        errors: list[ValueError] = []
        for declared in fitting:
            try:
                forms.add(self._form(id, declared, dict(given)))
            except ValueError as error:
                errors.append(error)
        if len(forms) > 1:
            raise ValueError(f"{id}: flows show these parameters in different forms; name {id!r} alone")
        if not forms:
            raise errors[0]
        return forms.pop()

    def _form(self, id: str, declared: Mapping[str, Any], given: dict[str, str]) -> str:
        """A screen as it is shown that has these parameters. Raises `ValueError` if no window can show it."""
        for name, declaration in declared.items():
            if name in given:
                continue
            if "defaults" in declaration:
                raise ValueError(f"{id}: name the parameter {name!r}, too; its default depends on market or locale")
            if "default" in declaration:
                given[name] = _text(declaration["default"])
            elif not declaration.get("optional"):
                raise ValueError(f"{id}: name the parameter {name!r}, too, without which no window shows it")
        if id in self._known["destination"]:
            self._validate(Destination(id, given))
        secret = [
            name
            for name, value in given.items()
            if declared[name].get("secret") and not _values.PLACEHOLDER.fullmatch(value)
        ]
        for name in given.keys() - set(secret):
            try:
                given[name] = _values.canonical(declared[name], given[name])
            except ValueError as error:
                raise ValueError(f"{id}: no window can show the parameter {name!r} so: {error}") from None
        if secret:
            given |= self._concealed(Destination(id, given), secret)
        return _shown.name(Destination(id, given))

    def fact(self, name: str, value: JSON) -> JSON:
        """A fact's value in the form in which the daemon shows it. Raises `UnknownName` for a fact that the app does
        not have, and `ValueError` for what it can never have, and for the value of a secret."""
        self.check("fact", [name])
        try:
            return _values.of_fact(self._known["fact"][name], value)
        except ValueError as error:
            raise ValueError(f"the fact {name!r} {error}") from None

    def destination(self, destination: Destination) -> None:
        """Raises `UnknownName` for a destination or a parameter that the app does not have, and `ValueError` where a
        parameter is missing or is no value of its type."""
        self.check("destination", [destination.id])
        for name, value in destination.parameters.items():
            refuse_unknown(
                f"the destination {destination.id!r} has no parameter", name, self._known["destination"][destination.id]
            )
            if not isinstance(value, str):
                found = type(value).__name__
                raise ValueError(f"{destination.id}: the parameter {name!r} is of type {found}; expected a text")
        try:
            self._client().routing.print(destination)
        except ValidationFailed as error:
            raise ValueError(f"{destination.id}: the parameter {error.parameter!r}: {error.reason}") from None

    def intent(self, name: str) -> None:
        """Raises `UnknownName` for an intent that nothing in the app takes. Code of the app's own may take any."""
        try:
            self.check("intent", [name])
        except UnknownName:
            if (self._client().manager.get_status()).code is None:
                raise

    def reason(self, outcome: str, text: str) -> None:
        """Raises `ValueError` for a reason that this outcome never has, by the daemon or the manifest."""
        what = f"the outcome {outcome!r} has no reason"
        if outcome == "superseded":
            refuse_no_name("the event", text.removeprefix("by "))
        elif outcome == "rejected":
            if text.partition(":")[0] not in BEGINNINGS:
                self.check("reason", [text], what)
        elif outcome in REASONS:
            refuse_unknown(what, text, REASONS[outcome])
        elif outcome == "gated":
            raise ValueError(f"{what}, but a precondition; write to_be_gated_at({text!r})")
        else:
            raise ValueError(f"{what}, such as {text!r}")

    def concealed(self, url: str) -> str:
        """A URL as it may be shown: for one that has what the manifest calls secret its route, such as
        "bank://reset/{token}", and where an app with secrets has no route for it only its scheme."""
        if not self._known:
            self._read()
        if not self._secrets:
            return url
        scheme = url.partition(":")[0]
        try:
            route = (self._client().routing.explain(url)).route
        except DaemonError:
            # The app will say the same of it.
            route = None
        if route is None:
            return f"{scheme}:…" if re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme) else "…"
        return route if self._secrets & set(re.findall(r"\{([^{}?*]+)[?*]?\}", route)) else url

    def _validate(self, screen: Destination) -> None:
        try:
            self._client().routing.print(screen)
        except ValidationFailed as error:
            raise ValueError(
                f"{screen.id}: no window can show the parameter {error.parameter!r} so: {error.reason}"
            ) from None

    def _concealed(self, screen: Destination, secret: list[str]) -> dict[str, str]:
        """The placeholders that stand for these parameters wherever the screen is shown."""
        shown: list[Destination] = []
        if screen.id in self._known["destination"]:
            try:
                target = (self._client().routing.resolve(destination=screen)).resolution.target
                shown = [each for each in target.path + target.modal if each.id == screen.id]
            except ValidationFailed:
                # A condition forbids it now.
                pass
        if not shown:
            raise ValueError(
                f"{screen.id}: the parameter {secret[0]!r} is secret, and the daemon does not tell now what stands for "
                f"its value; name {screen.id!r} alone, or with the placeholder that a window shows"
            )
        return {name: shown[-1].parameters[name] for name in secret}

    def _read(self) -> None:
        part = self._client().manager.get_manifest()
        text, after = part.text, 0
        while part.next > after:
            after = part.next
            part = self._client().manager.get_manifest(digest=part.digest, after=after)
            text += part.text
        manifest: dict[str, Any] = json.loads(text)

        def declared(kind: str) -> dict[str, Any]:
            return dict(manifest.get(kind) or {})

        flows = declared("flows")
        guards = [*(manifest.get("roots") or ()), *filter(None, [manifest.get("lock")])]
        of_flows = [screen for flow in flows.values() for screen in flow.get("screens") or ()]
        destinations = declared("destinations")
        of_destinations = {id: (each or {}).get("parameters") or {} for id, each in destinations.items()}
        parameters = {id: [each] for id, each in of_destinations.items()}
        for screen in of_flows:
            id, given = (screen, {}) if isinstance(screen, str) else (screen["id"], screen.get("parameters") or {})
            # Of a destination, the flow that shows it does not say the parameters again.
            if id not in destinations:
                parameters.setdefault(id, []).append(given)
        declarations = [declaration for each in parameters.values() for one in each for declaration in one.items()]
        self._secrets = {name for name, declaration in declarations if declaration.get("secret")}
        # What waits for a root's flow, or the lock's, waits for that.
        preconditions = declared("preconditions") | {root["flow"]: root for root in guards}
        intents = declared("intents")
        for flow in flows.values():
            intents |= flow.get("intents") or {}
        self._known = {
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
        }


def _text(value: JSON) -> str:
    """A default as a parameter's text."""
    return json.dumps(value) if isinstance(value, bool | int) else str(value)
