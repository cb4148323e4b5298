"""Reads values from JSON, and says where something is not as the interface files declare it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar, Union

from ._errors import ProtocolError

JSON: TypeAlias = Union[bool, int, float, str, "list[JSON]", "dict[str, JSON]", None]
"""Any JSON value."""
JSONObject: TypeAlias = dict[str, JSON]
"""A JSON object."""

T = TypeVar("T")
Decoder: TypeAlias = Callable[[JSON, str], T]
"""Reads a value; the text is its place, such as receipt.window.tabs[0]."""


def _refuse(value: JSON, path: str, expected: str) -> ProtocolError:
    shown = repr(value)
    return ProtocolError(
        f"{path or 'the reply'}: found {shown if len(shown) < 80 else shown[:77] + '…'}, expected {expected}"
    )


def text(value: JSON, path: str = "") -> str:
    """A text."""
    if not isinstance(value, str):
        raise _refuse(value, path, "a text")
    return value


def integer(value: JSON, path: str = "") -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _refuse(value, path, "a whole number")
    return value


def boolean(value: JSON, path: str = "") -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise _refuse(value, path, "true or false")
    return value


def json_object(value: JSON, path: str = "") -> JSONObject:
    """An object, as it is."""
    if not isinstance(value, dict):
        raise _refuse(value, path, "an object")
    return value


def optional(decode: Decoder[T]) -> Decoder[T | None]:
    """null, or what `decode` reads."""
    return lambda value, path: None if value is None else decode(value, path)


def array(decode: Decoder[T]) -> Decoder[list[T]]:
    """A list of what `decode` reads."""

    def read(value: JSON, path: str) -> list[T]:
        if not isinstance(value, list):
            raise _refuse(value, path, "a list")
        return [decode(item, f"{path}[{index}]") for index, item in enumerate(value)]

    return read


def mapping(decode: Decoder[T]) -> Decoder[dict[str, T]]:
    """An object whose members `decode` reads."""

    def read(value: JSON, path: str) -> dict[str, T]:
        return {key: decode(item, f"{path}.{key}") for key, item in json_object(value, path).items()}

    return read


def members(value: JSON, path: str) -> JSONObject:
    """The members of an object whose fields are read one by one."""
    return json_object(value, path)


def member(fields: JSONObject, name: str, path: str = "") -> tuple[JSON, str]:
    """A member, null if it is absent, and its place."""
    return fields.get(name), f"{path}.{name}" if path else name


def nothing(value: JSON, path: str = "") -> None:
    """The reply of a method that returns nothing."""
    json_object(value, path)


def present(fields: Mapping[str, object]) -> JSONObject:
    """The members that are not None, as JSON: sequences become lists, mappings become objects. Raises TypeError or
    ValueError for what JSON does not have."""
    found: JSONObject = {}
    for name, value in fields.items():
        if value is not None:
            try:
                found[name] = plain(value, name)
            except RecursionError:
                raise ValueError(f"{name}: has too many lists and mappings within each other to be sent") from None
    return found


def plain(value: object, path: str) -> JSON:
    """A value as JSON. Raises TypeError or ValueError for what JSON does not have, and says where that is."""
    match value:
        case None | bool() | int():
            return value
        case float():
            if not math.isfinite(value):
                raise ValueError(f"{path}: {value} is not JSON; expected a finite number")
            return value
        case str():
            return _sendable(value, path)
        case Mapping():
            return {_sendable(str(key), path): plain(item, f"{path}.{key}") for key, item in value.items()}
        case list() | tuple():
            return [plain(item, f"{path}[{index}]") for index, item in enumerate(value)]
        case _:
            raise TypeError(
                f"{path}: {type(value).__name__} is not JSON; expected a text, number, boolean, list or mapping"
            )


def _sendable(value: str, path: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{path}: has half a surrogate pair, {value[error.start]!a}, at {error.start}, which is no character; "
            "expected text that UTF-8 can say"
        ) from None
    return value
