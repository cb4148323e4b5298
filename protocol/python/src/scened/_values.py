"""Values of parameters and facts in the form in which a daemon keeps and shows them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from ._codec import JSON

PLACEHOLDER = re.compile(r"secret:[0-9a-f]{24}")
"""What stands for a secret wherever it would be seen."""


def parts(screen: str, declared: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """A screen's ID and its parameters, as written in "account(id: a1, tab: cards)".

    A value may have commas; after a comma, only a name with a colon begins the next parameter. Raises `ValueError` for
    what is not written so.

    Args:
        screen: The screen.
        declared: Its parameters, by their names.
    """
    id, bracket, rest = screen.partition("(")
    if not bracket:
        return id, {}
    names = "|".join(map(re.escape, sorted(declared, key=len, reverse=True)))
    name = rf"(?:{names}|[^\s:,]+)" if names else r"[^\s:,]+"
    begins = re.compile(rf"({name}): ")
    text = rest.removesuffix(")")
    if text == rest or not begins.match(text):
        raise ValueError(f"{screen!r}: expected a screen as it is shown, such as 'account' or 'account(id: a1)'")
    pieces = re.split(rf"(?:^|, )({name}): ", text)[1:]
    given: dict[str, str] = {}
    for key, value in zip(pieces[::2], pieces[1::2], strict=True):
        if key in given:
            raise ValueError(f"{id}: the parameter {key!r} is given twice")
        given[key] = value
    return id, given


def canonical(declaration: Mapping[str, Any], text: str) -> str:
    """The one text for a value of a parameter's type, such as 2026-11-27T00:00:00Z for the date 2026-11-27.

    Raises `ValueError` for what is no value of the type; of a pattern only the daemon can tell.

    Args:
        declaration: The parameter, as the manifest declares it.
        text: The value.
    """
    if declaration.get("list"):
        element = {**declaration, "list": False}
        values = [canonical(element, unquote(value, errors="strict")) for value in text.split(",")]
        return ",".join(value.replace("%", "%25").replace(",", "%2C") for value in values)
    text = unicodedata.normalize("NFC", text)
    allowed = declaration.get("oneOf")
    if allowed is not None and text not in (words := [unicodedata.normalize("NFC", str(word)) for word in allowed]):
        raise ValueError(f"{text!r} is not one of {', '.join(map(repr, words))}")
    match declaration.get("type"):
        case "date":
            return date(text)
        case "integer":
            if not re.fullmatch(r"-?[0-9]+", text):
                raise ValueError(f"{text!r} is not an integer")
            return str(int(text))
        case "uuid":
            return text.lower()
    return text


_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a text", lambda value: isinstance(value, str)),
    "integer": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "number": ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "boolean": ("True or False", lambda value: isinstance(value, bool)),
    "strings": ("a list of texts", lambda value: isinstance(value, list) and all(isinstance(it, str) for it in value)),
    "date": ("a date in UTC, such as '2026-11-27'", lambda value: isinstance(value, str)),
}
"""The types of facts, with their values in words and whether something is one."""


def of_fact(declaration: Mapping[str, Any], value: JSON) -> JSON:
    """A fact's value in the form in which a daemon shows it. Raises `ValueError`, which goes on with what was said of
    the fact, for what it can never have, and for the value of a secret, for which a placeholder is shown.

    Args:
        declaration: The fact, as the manifest declares it.
        value: The value; None for none.
    """
    if value is None:
        if "default" in declaration:
            raise ValueError("cannot be None: the app declares a default, so that it always has a value")
        return None
    is_secret = declaration.get("secret")
    kind = declaration["type"]
    words, is_one = _TYPES[kind]
    if not is_one(value):
        found = "this value" if is_secret else repr(value)
        raise ValueError(f"cannot be {found}: it is of type {kind}; expected {words}")
    texts = value if isinstance(value, list) else [value]
    if is_secret and not all(text == "" or PLACEHOLDER.fullmatch(str(text)) for text in texts):
        raise ValueError(
            "is secret, and the daemon does not tell what stands for a value; expect the placeholder that "
            "app.session.facts shows, such as one that was kept when the value was set"
        )
    if kind == "date":
        try:
            return date(str(value))
        except ValueError as error:
            raise ValueError(f"cannot have this value: {error}") from None
    return value


def date(text: str) -> str:
    """A date in UTC with its time, such as 2026-11-27T00:00:00Z for 2026-11-27. Raises `ValueError` for other text."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?", text, re.ASCII):
        try:
            return datetime.fromisoformat(text.removesuffix("Z")).isoformat(timespec="seconds") + "Z"
        except ValueError:
            # There is no such day or time.
            pass
    raise ValueError(f"{text!r} is not a date in UTC, such as 2026-11-27 or 2026-11-27T08:00:00Z")


def instant(when: datetime | str) -> str:
    """A point in time as `date` has it. Raises `ValueError` for a datetime without a time zone, or not to the second,
    and for other text."""
    if isinstance(when, str):
        return date(when)
    if when.utcoffset() is None:
        raise ValueError(f"{when!r} has no time zone; expected one, such as tzinfo=timezone.utc")
    if when.microsecond:
        raise ValueError(f"{when!r} is not to the second; write .replace(microsecond=0)")
    return when.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
