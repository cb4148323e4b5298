"""What an adapter is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from ._failures import AdapterFailed
from ._generated.types import Destination


@dataclass(frozen=True, slots=True)
class Asked:
    """An event about which an adapter is asked."""

    kind: str
    """url, activity, push, widget or shortcut."""
    event: dict[str, Any]
    """The parameters of the call in io.scened.Events that sent it."""

    @property
    def payload(self) -> dict[str, Any]:
        """A push's payload; empty for other kinds."""
        payload = self.event.get("payload")
        return payload if isinstance(payload, dict) else {}

    @property
    def url(self) -> str | None:
        """The URL of a link or a widget, the web page of an activity."""
        url = self.event.get("url") or self.event.get("webpageURL")
        return url if isinstance(url, str) else None

    @property
    def user_info(self) -> dict[str, Any]:
        """The user info of an activity, a widget or a quick action; empty for none."""
        info = self.event.get("userInfo")
        return info if isinstance(info, dict) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an adapter makes of an event: exactly one of url, destination, handled, declined and refused."""

    url: str | None = None
    """It asks for this absolute URL."""
    destination: Destination | None = None
    """It asks for this destination."""
    handled: bool | None = None
    """The app is done with it, and there is nothing to navigate."""
    user: str | None = None
    """With url or destination: whom it is for."""
    declined: str | None = None
    """It is not for this adapter, for this reason; the next one is asked."""
    refused: str | None = None
    """It is for this adapter but invalid, for this reason; nobody else is asked."""


Answers: TypeAlias = Answer | Destination | str | bool | None
"""What an adapter returns: an answer, a destination, a URL, True for handled; None or False declines."""


def made(answer: object) -> Answer:
    """The answer that a function has given by what it returned. Raises `AdapterFailed` for what is none."""
    match answer:
        case Answer():
            return answer
        case str():
            return Answer(url=answer)
        case Destination():
            return Answer(destination=answer)
        case True:
            return Answer(handled=True)
        case None | False:
            return Answer(declined=f"it returned {answer}")
        case _:
            raise AdapterFailed(
                f"returned {answer!r}; expected a URL, a Destination, True (handled), an Answer, or None or False to "
                "decline"
            )
