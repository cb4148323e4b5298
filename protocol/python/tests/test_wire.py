"""The sans-I/O core."""

import json

import pytest

import scened
from scened._codec import present
from scened._errors import DaemonError, ProtocolError
from scened._wire import Wire


def message(**members: object) -> bytes:
    return json.dumps(members).encode() + b"\0"


def test_a_call_is_one_message_ended_by_nul() -> None:
    data = Wire.call("io.scened.Scenes.Get", {"scene": "Ä"}, more=True)
    assert data.endswith(b"\0") and data.count(b"\0") == 1
    assert json.loads(data[:-1]) == {"method": "io.scened.Scenes.Get", "parameters": {"scene": "Ä"}, "more": True}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_json_cannot_say_is_refused_before_it_is_sent(value: float | str) -> None:
    with pytest.raises(ValueError, match=r"not JSON compliant|surrogates not allowed"):
        Wire.call("m", {"a": value})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), r"facts\.a: nan is not JSON; expected a finite number"),
        ({"b": ["x\ud800"]}, r"facts\.a\.b\[0\]: has half a surrogate pair, '\\ud800', at 1"),
        ({"\udfff": 1}, r"facts\.a: has half a surrogate pair, '\\udfff', at 0"),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(value: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        present({"facts": {"a": value}})


def test_lists_without_end_are_refused_and_no_such_reply_is_read() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="facts: has too many lists and mappings within each other"):
        present({"facts": {"a": endless}})
    deep: scened.JSON = None
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="m: has too many lists and mappings within each other"):
        Wire.call("m", {"a": deep})
    with pytest.raises(ProtocolError, match="too deep in each other"):
        Wire().receive(b'{"parameters":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}\0")


def test_what_is_within_the_limits_is_not_doubted() -> None:
    assert Wire.doubt(Wire.call("m", {"a": ["[" * 100, '"[' * 100, {"b{" * 100: []}]})) == ""
    assert "bytes, more than limits.message" in Wire.doubt(Wire.call("m", {"a": "x" * (1 << 20)}))


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
def test_replies_come_in_order_whatever_the_pieces(size: int) -> None:
    wire = Wire()
    data = message(parameters={"a": 1}, continues=True) + message() + message(error="x.Y", parameters={"b": 2})
    for start in range(0, len(data), size):
        wire.receive(data[start : start + size])
    first, second, third = wire.next(), wire.next(), wire.next()
    assert first and (first.parameters, first.continues, first.error) == ({"a": 1}, True, None)
    assert second and (second.parameters, second.continues) == ({}, False)
    assert (
        third and type(third.error) is DaemonError and (third.error.name, third.error.parameters) == ("x.Y", {"b": 2})
    )
    assert wire.next() is None


@pytest.mark.parametrize("data", [b"{\0", b"[]\0", b'{"parameters":3}\0', b'{"error":3}\0', b"\xff\0", b"\0"])
def test_what_is_no_reply_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        Wire().receive(data)


def test_a_declared_error_has_its_class_and_parameters() -> None:
    wire = Wire()
    wire.receive(message(error="io.scened.Events.NotAssociated", parameters={"url": "https://a", "component": "/b"}))
    reply = wire.next()
    assert reply and isinstance(reply.error, scened.NotAssociated)
    assert (reply.error.url, reply.error.component, reply.error.name) == (
        "https://a",
        "/b",
        "io.scened.Events.NotAssociated",
    )
    assert "No associated domain" in str(reply.error) and "https://a" in str(reply.error)


def test_a_value_that_is_not_as_declared_is_named_by_its_place() -> None:
    tabs: scened.JSON = [{"id": "home", "stack": [{"id": 3, "parameters": {}}]}]
    window: scened.JSON = {"tabs": tabs, "selectedTab": "home", "modals": [], "transitioning": False}
    receipt: scened.JSON = {"event": "e", "outcome": "applied", "revision": 1, "duplicate": False, "window": window}
    with pytest.raises(ProtocolError, match=r"receipt\.window\.tabs\[0\]\.stack\[0\]\.id: found 3, expected a text"):
        scened.types.EventsOpenURLReply.decode({"receipt": receipt})


def test_a_type_says_the_same_in_json_as_it_was_read_from() -> None:
    value: scened.JSON = {"id": "product", "parameters": {"id": "p1"}}
    assert scened.Destination.decode(value).encode() == value


def test_members_of_a_newer_daemon_are_ignored() -> None:
    value: scened.JSON = {"id": "product", "parameters": {}, "colour": "red"}
    assert scened.Destination.decode(value) == scened.Destination("product", {})
