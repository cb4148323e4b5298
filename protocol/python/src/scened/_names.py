# Written by generate.py from aio/_names.py; do not edit.
"""The names that an app's manifest gives to what a test can expect, and the form that values have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _shown, _values
from ._codec import JSON
from ._errors import DaemonError
from ._failures import UnknownName
from ._generated.errors import ValidationFailed
from ._generated.types import Destination
from ._manifest import Kind, Manifest
from ._vocabulary import BEGINNINGS, refuse_unknown
from .client import Client


class Names:
    """The names of the manifest that is in force whenever one is asked about: a reload may have brought another one, so
    what was read of it counts only while the daemon has that digest."""

    def __init__(self, client: Callable[[], Client]) -> None:
        """
        Args:
            client: Gives what asks the daemon, which in an adapter's function is another one.
        """
        self._client = client
        self._read: Manifest | None = None

    def check(self, kind: Kind, names: Sequence[str]) -> None:
        """Raises `UnknownName` for the first name that the manifest does not have."""
        if names:
            (self._in_force()).check(kind, names)

    def screens(self, texts: Sequence[str], shown: Sequence[Destination]) -> list[str]:
        """Screens such as "account(id: a1)" as they are shown, with their values in the form that they have there and
        with their defaults; without a bracket, the ID.

        Raises `UnknownName` for a screen or parameter that the app does not have, and `ValueError` for what no window
        can show. What is shown as it is written is so, whatever the manifest in force says of it.

        Args:
            texts: The screens.
            shown: What is shown now.
        """
        come = {text for screen in shown for text in (screen.id, _shown.name(screen))}
        if come.issuperset(texts):
            return list(texts)
        manifest = self._in_force()
        return [text if text in come else self._screen(manifest, text) for text in texts]

    def root(self, tab: str, screen: str) -> None:
        """Raises `UnknownName` for a tab that the app does not have, and `ValueError` for a screen that is never its
        root."""
        manifest = self._in_force()
        manifest.check("tab", [tab])
        roots = manifest.roots.get(tab)
        # What is shown in place of tabs begins with a screen of its flow.
        if roots is not None and screen.partition("(")[0] not in roots:
            raise ValueError(
                f"the stack of {tab!r} never begins with {screen!r}; expected {' or '.join(sorted(roots))}"
            )

    def lock(self) -> None:
        """Raises `ValueError` where no window is ever locked."""
        if not (self._in_force()).has_lock:
            raise ValueError("the app declares no lock, so that no window is ever locked")

    def _screen(self, manifest: Manifest, text: str) -> str:
        id = text.partition("(")[0]
        manifest.check("screen", [id])
        # Flows may have screens of the same name.
        declarations: list[Mapping[str, Any]] = manifest.declared["screen"][id]
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
                forms.add(self._form(manifest, id, declared, dict(given)))
            except ValueError as error:
                errors.append(error)
        if len(forms) > 1:
            raise ValueError(f"{id}: flows show these parameters in different forms; name {id!r} alone")
        if not forms:
            raise errors[0]
        return forms.pop()

    def _form(self, manifest: Manifest, id: str, declared: Mapping[str, Any], given: dict[str, str]) -> str:
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
        if id in manifest.declared["destination"]:
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
            given |= self._concealed(manifest, Destination(id, given), secret)
        return _shown.name(Destination(id, given))

    def facts(self, values: Mapping[str, JSON], found: Mapping[str, JSON]) -> dict[str, JSON]:
        """Values of facts in the form in which the daemon shows them. Raises `UnknownName` for a fact that the app does
        not have, and `ValueError` for what it can never have, and for the value of a secret. What a fact has as it is
        given is so, whatever the manifest in force says of it.

        Args:
            values: The values, by the facts' names.
            found: What facts have now.
        """
        forms = {name: value for name, value in values.items() if name in found and _shown.is_same(value, found[name])}
        if len(forms) == len(values):
            return forms
        manifest = self._in_force()
        for name, value in values.items():
            if name in forms:
                continue
            manifest.check("fact", [name])
            try:
                forms[name] = _values.of_fact(manifest.declared["fact"][name], value)
            except ValueError as error:
                raise ValueError(f"the fact {name!r} {error}") from None
        return forms

    def destination(self, destination: Destination) -> None:
        """Raises `UnknownName` for a destination or a parameter that the app does not have, and `ValueError` where a
        parameter is missing or is no value of its type."""
        manifest = self._in_force()
        manifest.check("destination", [destination.id])
        declared = manifest.declared["destination"][destination.id]
        for name, value in destination.parameters.items():
            refuse_unknown(f"the destination {destination.id!r} has no parameter", name, declared)
            if not isinstance(value, str):
                found = type(value).__name__
                raise ValueError(f"{destination.id}: the parameter {name!r} is of type {found}; expected a text")
        try:
            self._client().routing.print(destination)
        except ValidationFailed as error:
            raise ValueError(f"{destination.id}: the parameter {error.parameter!r}: {error.reason}") from None

    def intent(self, name: str) -> None:
        """Raises `UnknownName` for an intent that nothing in the app takes. Code of the app's own may take any."""
        status = self._client().manager.get_status()
        if status.code is None:
            (self._of(status.manifest)).check("intent", [name])

    def reason(self, text: str) -> None:
        """Raises `UnknownName` for a reason for which nothing is rejected, by the daemon or the manifest."""
        if text.partition(":")[0] not in BEGINNINGS:
            (self._in_force()).check("reason", [text], "the outcome 'rejected' has no reason")

    def concealed(self, url: str) -> str:
        """A URL as it may be shown: for one that has what the manifest calls secret its route, such as
        "bank://reset/{token}", and where an app with secrets has no route for it only its scheme."""
        secrets = (self._in_force()).secrets
        if not secrets:
            return url
        scheme = url.partition(":")[0]
        try:
            route = (self._client().routing.explain(url)).route
        except DaemonError:
            # The app will say the same of it.
            route = None
        if route is None:
            return f"{scheme}:…" if re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme) else "…"
        return route if secrets & set(re.findall(r"\{([^{}?*]+)[?*]?\}", route)) else url

    def _validate(self, screen: Destination) -> None:
        try:
            self._client().routing.print(screen)
        except ValidationFailed as error:
            raise ValueError(
                f"{screen.id}: no window can show the parameter {error.parameter!r} so: {error.reason}"
            ) from None

    def _concealed(self, manifest: Manifest, screen: Destination, secret: list[str]) -> dict[str, str]:
        """The placeholders that stand for these parameters wherever the screen is shown."""
        shown: list[Destination] = []
        if screen.id in manifest.declared["destination"]:
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

    def _in_force(self) -> Manifest:
        """The manifest that the daemon has now."""
        return self._of((self._client().manager.get_status()).manifest)

    def _of(self, digest: str | None) -> Manifest:
        """The manifest of this digest; for None, as older daemons tell none, the one in force."""
        manifest = self._read
        if manifest is None or manifest.digest != digest:
            part = self._client().manager.get_manifest(digest=digest)
            text, after = part.text, 0
            while part.next > after:
                after = part.next
                part = self._client().manager.get_manifest(digest=part.digest, after=after)
                text += part.text
            manifest = self._read = Manifest.read(part.digest, text)
        return manifest


def _text(value: JSON) -> str:
    """A default as a parameter's text."""
    return json.dumps(value) if isinstance(value, bool | int) else str(value)
