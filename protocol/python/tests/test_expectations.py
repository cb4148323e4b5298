"""Expectations: met, not met with the difference, and waited for."""

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from scened import (
    JSON,
    App,
    Asked,
    Daemon,
    Destination,
    Event,
    ExpectationFailed,
    InvalidFact,
    InvalidParameter,
    UnknownName,
    UnknownScene,
    ValidationFailed,
    Window,
    expect,
)
from scened._generated.methods import Manager
from scened._manifest import Manifest
from scened._vocabulary import BEGINNINGS, OUTCOMES, REASONS
from scened.expectations import WindowExpectation
from scened.types import Code

PROTOCOL = Path(__file__).parents[2]
pytestmark = pytest.mark.scened(app="shop")


@pytest.fixture
def window(app: App) -> Window:
    """A window with a product in its first tab, an order in its second, a login over it, and a cart that waits for
    it."""
    window = app.window("A")
    window.open("qcommerce://product/p1")
    window.open("https://shop.example/cart", event="cart")
    return window


@pytest.mark.parametrize(
    ("met", "failing", "difference"),
    [
        (
            lambda window: expect(window).to_show("home", "product", "login"),
            lambda window: expect(window).to_show("home", "product(id: p1)", "cart"),
            [
                "expected: home › product(id: p1) › cart",
                "shown: home › product(id: p1) › auth[login]",
                "differs: screen 3 is login, not cart",
            ],
        ),
        (
            lambda window: expect(window).to_show("home", "product", "login"),
            lambda window: expect(window).to_show("home", "product"),
            ["too much: login"],
        ),
        (
            lambda window: expect(window).to_show("home", "product", "login"),
            lambda window: expect(window).to_show("home", "product", "login", "cart"),
            ["missing: cart"],
        ),
        (
            lambda window: expect(window).not_to_show("cart"),
            lambda window: expect(window).not_to_show("cart", "login"),
            ["not expected: login"],
        ),
        (
            lambda window: expect(window).to_have_tab("home"),
            lambda window: expect(window).to_have_tab("orders"),
            ["selected: home", "tab: home (others: orders, account)"],
        ),
        (
            lambda window: expect(window).to_have_stack("orders", tab="orders"),
            lambda window: expect(window).to_have_stack("orders", "order", tab="orders"),
            ["stack of orders: orders", "missing: order"],
        ),
        (
            lambda window: expect(window).to_have_modals("auth"),
            lambda window: expect(window).to_have_modals(),
            ["expected: nothing", "presented: auth"],
        ),
        (
            lambda window: expect(window).to_have_parked("signedIn"),
            lambda window: expect(window).to_have_parked(),
            ["parked: signedIn", "gated at: signedIn: cart (event cart)"],
        ),
        (
            lambda window: expect(window).to_be("foregroundActive"),
            lambda window: expect(window).to_be("background"),
            ["activation: foregroundActive"],
        ),
        (
            lambda window: expect(window).to_be_connected(),
            lambda window: expect(window).to_be_connected(False),
            ["expected: disconnected", "found: connected"],
        ),
        (
            lambda window: expect(window).to_be_transitioning(False),
            lambda window: expect(window).to_be_transitioning(),
            ["expected: in a transition", "found: at rest"],
        ),
        (
            lambda window: expect(event(window)).to_be_gated_at("signedIn"),
            lambda window: expect(event(window)).to_be_gated_at("freshSignIn"),
            ["expected: gated at freshSignIn", "is: #2 cart (https://shop.example/cart) gated at signedIn"],
        ),
        (
            lambda window: expect(event(window)).to_be("gated"),
            lambda window: expect(event(window)).to_be("rejected", reason="inStock"),
            ["expected: rejected (inStock)", "is: #2 cart (https://shop.example/cart) gated at signedIn"],
        ),
        (
            lambda window: expect(window.app).to_have_user(None),
            lambda window: expect(window.app).to_have_user("anna"),
            ["expected: anna", "signed in: nobody"],
        ),
        (
            lambda window: expect(window.app).to_have_facts(cart=[]),
            lambda window: expect(window.app).to_have_facts(cart=["p1"]),
            ["cart: expected ['p1'], is []"],
        ),
    ],
)
def test_an_expectation_is_met_or_says_what_is_different(
    window: Window, met: Callable[[Window], None], failing: Callable[[Window], None], difference: list[str]
) -> None:
    met(window)
    with pytest.raises(ExpectationFailed) as failed:
        failing(window)
    lines = [" ".join(line.split()) for line in str(failed.value).splitlines()]
    assert [line for line in difference if line not in lines] == [], str(failed.value)


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        (lambda window: expect(window).not_to_show(), ValueError, "not_to_show.. of nothing"),
        (lambda window: expect(window).not_to_show("produkt"), UnknownName, "no screen 'produkt'; .* 'product'"),
        (lambda window: expect(window).not_to_show("product(id:p1)"), ValueError, "such as .*'account.id: a1.'"),
        (lambda window: expect(window).to_show("hme"), UnknownName, "no screen 'hme'; did you mean 'home'"),
        (lambda window: expect(window).to_have_stack("home", tab="x"), UnknownName, "no tab 'x'; expected one of acc"),
        (lambda window: expect(window).to_have_stack("x"), UnknownName, "no screen 'x'; expected one of account, "),
        (lambda window: expect(window).to_have_stack(), ValueError, "to_have_stack.. of nothing is never met"),
        (lambda window: expect(window).to_have_stack(tab="home"), ValueError, "to_have_stack.. of nothing is never"),
        (
            lambda window: expect(window).to_have_stack("orders", tab="home"),
            ValueError,
            "the stack of 'home' never begins with 'orders'; expected home",
        ),
        (
            lambda window: expect(window).to_have_stack("product(id: p1)", "order", tab="orders"),
            ValueError,
            "the stack of 'orders' never begins with 'product.id: p1.'; expected orders",
        ),
        (lambda window: expect(window).to_be_locked(), ValueError, "no lock, so that no window is ever locked"),
        (lambda window: expect(window).to_be_locked(False), ValueError, "no lock, so that no window is ever locked"),
        (lambda window: expect(window).to_have_tab("x"), UnknownName, "no tab 'x'"),
        (lambda window: expect(window).to_have_modals("aut"), UnknownName, "did you mean 'auth'"),
        (lambda window: expect(window).to_have_parked("signedin"), UnknownName, "no precondition .* 'signedIn'"),
        (lambda window: expect(event(window)).to_be_gated_at("signedin"), UnknownName, "no precondition .* 'signedIn'"),
        (lambda window: expect(window.app).to_have_facts(), ValueError, "to_have_facts.. of nothing"),
        (lambda window: expect(window.app).to_have_facts(crt=None), UnknownName, "no fact 'crt'; did you mean 'cart'"),
        (
            lambda window: expect(window).to_be("backgroud"),  # type: ignore[arg-type]
            UnknownName,
            "no activation 'backgroud'; did you mean 'background'",
        ),
        (lambda window: expect(event(window)).to_be("aplied"), UnknownName, "no outcome 'aplied'; .* 'applied'"),
        (lambda window: expect(event(window)).to_be("xyz"), UnknownName, "expected one of abandoned, admitted, appl"),
        (
            lambda window: expect(event(window)).to_be("rejected", reason="instock"),
            UnknownName,
            "no reason 'instock'; did you mean 'inStock'",
        ),
        (
            lambda window: expect(event(window)).to_be("ignored", reason="inTransitions"),
            UnknownName,
            "no reason .* 'inTransition'",
        ),
        (
            lambda window: expect(event(window)).to_be("rejected", reason="inTransition"),
            UnknownName,
            "the outcome 'rejected' has no reason 'inTransition'",
        ),
        (
            lambda window: expect(event(window)).to_be("abandoned", reason="inStock"),
            UnknownName,
            "no reason 'inStock'; expected one of attemptsInterrupted, ",
        ),
        (
            lambda window: expect(event(window)).to_be("ignored", reason="validationFailed: id"),
            UnknownName,
            "'ignored' has no reason 'validationFailed: id'",
        ),
        (
            lambda window: expect(event(window)).to_be("gated", reason="signedIn"),
            ValueError,
            "'gated' has no reason, but a precondition; write to_be_gated_at.'signedIn'.",
        ),
        (
            lambda window: expect(event(window)).to_be("superseded", reason="link 2"),
            ValueError,
            "the event 'link 2' cannot be; expected 1 to 128 letters",
        ),
        (
            lambda window: expect(event(window)).to_be("admitted"),
            ValueError,
            "event cart has settled as 'gated', and none that has is 'admitted' again; hold the window, or ",
        ),
        (lambda window: window.report("cartTaped"), UnknownName, "no intent 'cartTaped'; did you mean 'cartTapped'"),
    ],
)
def test_what_the_app_does_not_have_cannot_be_expected(
    window: Window, wrong: Callable[[Window], None], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        wrong(window)


def test_screens_of_flows_and_parameters_in_any_order_can_be_expected(app: App) -> None:
    window = app.window("A")
    window.open("qcommerce://product/p1?ref=mail,%20weekly")
    expect(window).to_show("home", "product(ref: mail, weekly, id: p1)")
    expect(window).not_to_show("login", "product(id: p1)", "product(id: p1, ref: mail)")


@pytest.mark.scened(app="bank")
def test_a_fact_is_of_its_type_and_what_waits_for_a_roots_flow_can_be_expected(app: App) -> None:
    expect(app).to_have_facts(transfers=0, maintenance=False, note=None, approved=())
    for wrong in ({"transfers": 1}, {"maintenance": True}, {"approved": ["t1"]}, {"note": "n"}):
        with pytest.raises(ExpectationFailed):
            expect(app).to_have_facts(**wrong)
    window = app.window("A")
    expect(window).to_have_tab("root")
    expect(window.open("bank://account/a1")).to_be_gated_at("login")


@pytest.mark.scened(app="bank")
def test_a_window_of_an_app_with_a_lock_is_locked_or_not(app: App) -> None:
    app.sign_in("anna")
    window = app.window("A")
    app.set(asksPasscode=True)
    expect(window).to_be_locked(False)
    with pytest.raises(ExpectationFailed) as failed:
        expect(window).to_be_locked()
    assert re.search("expected: +locked\n +found: +not locked", str(failed.value))
    window.background()
    window.foreground()
    expect(window).to_be_locked()


def test_the_stack_of_a_tab_with_variants_begins_with_one_of_them() -> None:
    text = """
        {"destinations": {"old": {"tab": "t", "variants": [{"destination": "new"}]}, "new": {}, "other": {}},
        "tabs": {"t": "old"}}
        """
    assert Manifest.read("1", text).roots == {"t": {"old", "new"}}


def test_an_event_says_how_it_stands(window: Window) -> None:
    assert repr(event(window)) == "<event cart: https://shop.example/cart, gated at signedIn>"
    assert repr(window.open("qcommerce://orders", event="o")).startswith("<event o: qcommerce://orders, ")


def event(window: Window) -> Event:
    """The link that waits."""
    assert window.last is not None
    return window.last


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_an_expectation_waits_for_what_is_going_on(request: pytest.FixtureRequest, clock: str) -> None:
    request.node.add_marker(pytest.mark.scened(clock=clock, transition=30))
    app: App = request.getfixturevalue("app")
    window = app.window("A")
    link = window.open("https://shop.example/cart")
    app.sign_in("anna")
    expect(window).to_show("home", "cart")
    expect(link).to_be("applied")
    app.sign_out()
    expect(window).to_show("home")


def test_a_window_that_is_not_there_is_said_to_be_so(app: App) -> None:
    window = app.window("A", connect=False)
    with pytest.raises(ExpectationFailed, match="was never opened"):
        expect(window).to_show("home")
    assert window.shown == []
    with pytest.raises(UnknownScene):
        window.open("qcommerce://orders")
    expect(window.connect()).to_show("home")
    window.discard()
    with pytest.raises(ExpectationFailed):
        expect(window).to_show("orders")


def test_a_window_that_is_held_is_said_to_be_so(app: App) -> None:
    window = app.window("A")
    with window.at("planned"):
        window.open("qcommerce://orders", event="link")
        with pytest.raises(ExpectationFailed, match=r"held: +at planned \(link\)"):
            expect(window).to_show("orders")
    expect(window).to_show("orders")


def test_an_event_of_the_app_opens_a_window_cold(app: App) -> None:
    assert app.windows() == []
    link = app.open("qcommerce://orders")
    (window,) = app.windows()
    expect(window).to_show("orders")
    assert link.receipt.scene == window.name and window.last is link


def test_a_window_that_is_open_already_is_taken_as_it_is(app: App) -> None:
    app.client.scenes.connect(scene="X")
    app.client.events.open_url("qcommerce://orders", scene="X", wait="admitted")
    expect(app.window("X")).to_show("orders")


@pytest.mark.scened(app="bank")
@pytest.mark.parametrize("name", ["by", "wait", "event", "user"])
def test_parameters_of_an_intent_have_any_names(app: App, name: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        app.window("A").report("introRead", {name: "x"})
    assert refused.value.parameter == name and "introRead has no parameters" in str(refused.value)


def test_a_destination_needs_no_parameters() -> None:
    assert Destination("help") == Destination("help", {})


def test_what_can_not_be_expected_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Window, an Event or an App"):
        expect("home")  # type: ignore[call-overload]


def test_an_event_can_be_awaited_to_its_end(app: App) -> None:
    window = app.window("A")
    link = window.open("https://shop.example/cart")
    with pytest.raises(TimeoutError):
        link.finished(timeout=0.05)
    app.sign_in("anna")
    assert link.finished().outcome == "applied"


# MARK: Parameters of screens, and values


@pytest.fixture
def cars(app: App) -> Window:
    """A window of an app with parameters of every type."""
    return app.window("A")


CARS = pytest.mark.scened(app="cars.yaml", arguments=["--start", "2026-11-27T08:00Z"])
UNDER = "8F14E45F-CEEA-467F-A0E6-3F3C5B7A1C2D"


@CARS
@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("cars://car/1", "car(id: 1)"),
        ("cars://car/%C3%BC", "car(id: u\u0308)"),
        ("cars://car/1?note=a%2C%20b%20c:%20d", "car(note: a, b c: d, id: 1)"),
        ("cars://cancel/2026-11-28", "cancel(start: 2026-11-28)"),
        ("cars://cancel/2026-11-28T10:00Z", "cancel(start: 2026-11-28T10:00Z)"),
        ("cars://seats/7/window?with=a&with=b", "seats(count: 07, kind: window, with: a,b)"),
        (f"cars://under/{UNDER}", f"under(id: {UNDER})"),
        ("cars://reset/topsecret99", "reset(token: topsecret99)"),
        ("cars://hire", "hire(days: 3)"),
        ("cars://hire?days=3&extra=roof", "hire(extra: roof)"),
    ],
)
def test_a_value_is_compared_in_the_form_in_which_it_is_shown(cars: Window, url: str, written: str) -> None:
    link = cars.open(url)
    expect(link).to_be("applied")
    expect(cars).to_show("home", written)
    expect(cars).to_have_stack("home", written)
    with pytest.raises(ExpectationFailed):
        expect(cars).not_to_show(written)


@CARS
def test_a_date_that_a_condition_forbids_now_is_compared_in_the_form_in_which_it_is_shown(cars: Window) -> None:
    cars.open("cars://cancel/2026-11-28")
    cars.app.clock.advance(days=3)
    expect(cars).to_show("home", "cancel(start: 2026-11-28)")
    with pytest.raises(ExpectationFailed):
        expect(cars).not_to_show("cancel(start: 2026-11-28)")


@CARS
def test_values_of_screens_of_flows_are_compared_in_the_form_in_which_they_are_shown(cars: Window) -> None:
    cars.open("cars://mine")
    cars.report("asked", sent="2026-11-28")
    expect(cars).to_show("home", "name", "code(sent: 2026-11-28)")
    with pytest.raises(ExpectationFailed):
        expect(cars).not_to_show("code(sent: 2026-11-28)")


@CARS
def test_screens_of_two_flows_may_have_the_same_name(cars: Window) -> None:
    cars.open("cars://paired")
    cars.report("found", device="d1")
    expect(cars).to_show("home", "start", "code(device: d1)")
    expect(cars).not_to_show("code(sent: 2026-11-28)")
    with pytest.raises(UnknownName, match="no flow has a screen 'code' with all the parameters sent, device"):
        expect(cars).not_to_show("code(sent: 2026-11-28, device: d1)")


@CARS
@pytest.mark.parametrize(
    ("written", "error", "said"),
    [
        ("car(ID: 1)", UnknownName, "the screen 'car' has no parameter 'ID'; did you mean 'id'"),
        ("car(id: 1, nte: x)", UnknownName, "no parameter 'nte'; did you mean 'note'"),
        ("car(id: 1, id: 2)", ValueError, "'id' is given twice"),
        ("car(note: x)", ValueError, "name the parameter 'id', too"),
        ("home(id: 1)", UnknownName, "no parameter 'id'; expected one of none"),
        ("cancel(start: tomorrow)", ValueError, "'start' so: 'tomorrow' is not a date in UTC"),
        ("cancel(start: 2026-02-30)", ValueError, "'start' so: '2026-02-30' is not a date in UTC"),
        ("seats(count: 10, kind: aisle, with: a)", ValueError, "'count' so: '10' is not an integer from 1 to 9"),
        ("seats(count: 1, kind: roof, with: a)", ValueError, "'kind' so: 'roof' is not one of"),
        ("reset(token: x)", ValueError, "'token' so: what was given, which is secret, is not text that matches"),
        ("code(snt: 2026-11-28)", UnknownName, "no parameter 'snt'; did you mean 'sent'"),
        ("code(sent: tomorrow)", ValueError, "'sent' so: 'tomorrow' is not a date in UTC"),
        ("code(sent: 2026-11-28, pin: 1234)", ValueError, "'pin' is secret, and the daemon does not tell"),
    ],
)
def test_parameters_that_no_window_can_show_cannot_be_expected(
    cars: Window, written: str, error: type[Exception], said: str
) -> None:
    for expected in (expect(cars).to_show, expect(cars).not_to_show, expect(cars).to_have_stack):
        with pytest.raises(error, match=said):
            expected(written)


@CARS
def test_a_secret_can_be_expected_by_the_placeholder_that_is_shown_and_is_not_told_when_it_differs(
    cars: Window,
) -> None:
    cars.open("cars://reset/topsecret99")
    window = cars.scene.window
    assert window is not None
    expect(cars).to_show("home", f"reset(token: {window.tabs[0].stack[1].parameters['token']})")
    with pytest.raises(ExpectationFailed) as failed:
        expect(cars).to_show("home", "reset(token: hush4711)")
    assert "hush4711" not in str(failed.value)


# By type: what it has and what it can never have.
FACTS: dict[str, tuple[JSON, tuple[JSON, ...]]] = {
    "key": ("k1", (True, 5, 1.5, ["k1"], {"k": "1"})),
    "seats": (5, ("5", True, 5.5, 5.0, [5], {"n": 5})),
    "weight": (1.5, ("1.5", False, [1.5], {"n": 1.5})),
    "storm": (True, ("yes", "true", 1, 0, 1.0, [True], {"is": True})),
    "stops": (["a", "b"], ("a,b", True, 5, 1.5, {"0": "a"}, ["a", 5], ["a", None], [["a"]])),
    "pickup": ("2026-11-28T00:00:00Z", ("today", True, 20261128, 1.5, ["2026-11-28"], {"day": 28})),
}


@CARS
@pytest.mark.parametrize(("fact", "value"), [(fact, value) for fact, (value, _) in FACTS.items()])
def test_a_fact_has_a_value_of_its_type(app: App, fact: str, value: JSON) -> None:
    app.set(**{fact: value})
    expect(app).to_have_facts(**{fact: value})


@CARS
@pytest.mark.parametrize(("fact", "value"), [(fact, value) for fact, (_, wrong) in FACTS.items() for value in wrong])
def test_what_is_not_of_a_facts_type_cannot_be_expected_of_it(app: App, fact: str, value: JSON) -> None:
    # The expectation takes what the daemon would.
    with pytest.raises(InvalidFact):
        app.set(**{fact: value})
    with pytest.raises(ValueError, match=f"^the fact '{fact}' cannot (be|have this value)") as raised:
        expect(app).to_have_facts(**{fact: value})
    assert not isinstance(raised.value, ExpectationFailed)
    manifest = (Path(__file__).parent / "cars.yaml").read_text("utf-8")
    declared = re.search(rf"^  {fact}: \{{ type: (\w+)", manifest, re.MULTILINE)
    assert declared is not None
    assert f"is of type {declared[1]}; expected " in str(raised.value) or "'today' is not a date" in str(raised.value)


@CARS
def test_a_fact_that_has_a_default_is_never_without_a_value(app: App) -> None:
    expect(app).to_have_facts(key=None, storm=None)
    with pytest.raises(ValueError, match=r"^the fact 'desk' cannot be None: the app declares a default"):
        expect(app).to_have_facts(desk=None)


@CARS
@pytest.mark.parametrize(
    ("fact", "value", "other"), [("token", "hush4711", "mute0815"), ("codes", ["", "hush4711"], ["mute0815"])]
)
def test_a_fact_that_is_secret_can_be_expected_by_what_stands_for_it(
    app: App, fact: str, value: JSON, other: JSON
) -> None:
    expect(app).to_have_facts(**{fact: None})
    other_placeholder = app.set(**{fact: other}).facts[fact]
    placeholder = app.set(**{fact: value}).facts[fact]
    expect(app).to_have_facts(**{fact: placeholder})
    with pytest.raises(ExpectationFailed, match=r"^facts have other values"):
        expect(app).to_have_facts(**{fact: other_placeholder})
    for wrong, said in [
        (value, "is secret, and the daemon does not tell what stands for a value; expect the placeholder"),
        (other, "is secret, and the daemon does not tell what stands for a value; expect the placeholder"),
        ({"of": value}, "cannot be this value: it is of type string"),
    ]:
        with pytest.raises(ValueError, match=f"^the fact '{fact}' {said}") as raised:
            expect(app).to_have_facts(**{fact: wrong})
        assert not re.search("hush|mute", str(raised.value))


@CARS
def test_a_date_of_a_fact_is_compared_in_the_form_in_which_it_is_kept(app: App) -> None:
    app.set(pickup="2026-11-28")
    expect(app).to_have_facts(pickup="2026-11-28")
    expect(app).to_have_facts(pickup="2026-11-28T00:00Z", desk="2026-11-28")
    with pytest.raises(ExpectationFailed, match="pickup"):
        expect(app).to_have_facts(pickup="2026-11-29")
    with pytest.raises(ValueError, match="'pickup' cannot have this value: 'today' is not a date in UTC"):
        expect(app).to_have_facts(pickup="today")


# MARK: Words


def words_of(*types: type) -> list[tuple[str, str]]:
    """The methods of these types with each argument for which they take only some words."""
    return [
        (f"{each.__name__}.{name}", argument)
        for each in types
        for name, method in inspect.getmembers(each, inspect.isfunction)
        if (name == "__init__" or not name.startswith("_")) and name not in INSIDE
        for argument, type in get_type_hints(method).items()
        if argument != "return" and any(get_origin(part) is Literal for part in [type, *get_args(type)])
    ]


INSIDE = ("send", "hold")
"""Methods that others call with words that they have checked, or by which they check them."""
GIVEN: dict[str, tuple[object, ...]] = {
    "open": ("qcommerce://orders",),
    "push": ("Hello",),
    "activity": ("com.example.view",),
    "widget": ("deals",),
    "shortcut": ("cart",),
    "report": ("cartTapped",),
    "select_tab": ("orders",),
    "complete": ("auth",),
    "cancel": ("auth",),
}
"""What methods take besides words."""
WORDS = words_of(App, Window, WindowExpectation, Daemon)


def test_the_words_that_are_checked_are_all_there_are() -> None:
    assert {argument for _, argument in WORDS} == {"wait", "interaction", "point", "kind", "activation", "clock"}
    assert sum(argument == "wait" for _, argument in WORDS) >= 14


@pytest.mark.parametrize("clock", ["virtual", "real"])
@pytest.mark.parametrize("word", ["admited", "", None, 3])
def test_a_word_that_is_none_is_refused_before_anything_is_sent(
    request: pytest.FixtureRequest, clock: str, word: object
) -> None:
    request.node.add_marker(pytest.mark.scened(clock=clock))
    app: App = request.getfixturevalue("app")
    window = app.window("A")
    sent = len(app.records())
    for method, argument in WORDS:
        kind, name = method.split(".")
        if word is None and argument in ("interaction", "kind", "clock"):
            continue
        subject: object = None
        if name != "__init__":
            subject = {"App": app, "Window": window, "WindowExpectation": expect(window)}[kind]
        given: dict[str, object] = {argument: word}
        if name == "at" and argument == "kind":
            given["point"] = "planned"
        makers: dict[str, Callable[..., object]] = {"App": partial(App, "io.scened"), "Daemon": Daemon}
        called: Callable[..., object] = makers[kind] if subject is None else getattr(subject, name)
        with pytest.raises(UnknownName, match=f"^there is no .* {word!r}; (did you mean|expected one of) ") as raised:
            called(*GIVEN.get(name, ()), **given)
        if (argument, word) == ("wait", "admited"):
            assert "did you mean 'admitted'?" in str(raised.value), method
    with pytest.raises(
        UnknownName, match=r"^the adapter 'print': there is no kind of event 'pusch'; did you mean 'push'"
    ):
        app.adapter(kinds=["pusch"])(print)
    assert len(app.records()) == sent


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ("rejected", "inStock"),
        ("rejected", "signedIn"),
        ("rejected", "validationFailed: id is missing"),
        ("abandoned", "sceneDiscarded"),
        ("superseded", "link-2"),
    ],
)
def test_an_outcome_has_a_reason_of_the_daemon_or_of_the_manifest(window: Window, outcome: str, reason: str) -> None:
    with pytest.raises(ExpectationFailed, match=reason):
        expect(event(window)).to_be(outcome, reason=reason)


@pytest.mark.parametrize("outcome", ["admitted", "applied", "unchanged", "delivered"])
def test_an_outcome_without_reasons_is_expected_for_none(window: Window, outcome: str) -> None:
    with pytest.raises(ValueError, match=f"^the outcome '{outcome}' has no reason, such as 'inStock'$") as raised:
        expect(event(window)).to_be(outcome, reason="inStock")
    assert not isinstance(raised.value, ExpectationFailed)


def test_each_outcome_has_reasons_or_none() -> None:
    assert set(OUTCOMES) == {"admitted", "applied", "unchanged", "delivered", "gated", "superseded", *REASONS}


@pytest.mark.parametrize("reason", [None, "link-2", "by link-2"])
def test_what_is_superseded_says_by_which_event(window: Window, reason: str | None) -> None:
    first = window.last
    window.open("qcommerce://cart?again=1", event="link-2")
    assert first is not None and first.reason == "by link-2"
    expect(first).to_be("superseded", reason=reason)
    with pytest.raises(ExpectationFailed):
        expect(first).to_be("superseded", reason="link")


@CARS
@pytest.mark.parametrize(
    ("reason", "is_met"),
    [
        ("validationFailed", True),
        ("validationFailed: days", True),
        ("validationFailed: start", False),
        ("invalidFact", False),
    ],
)
def test_a_reason_that_goes_on_is_expected_by_its_beginning(cars: Window, reason: str, is_met: bool) -> None:
    link = cars.open("cars://hire?days=many")
    if is_met:
        expect(link).to_be("rejected", reason=reason)
    else:
        with pytest.raises(ExpectationFailed, match=re.escape(f"rejected ({reason})")):
            expect(link).to_be("rejected", reason=reason)


@pytest.mark.parametrize("clock", ["virtual", "manual", "real"])
def test_what_has_not_settled_can_be_expected_to_be_admitted(request: pytest.FixtureRequest, clock: str) -> None:
    request.node.add_marker(pytest.mark.scened(clock=clock))
    app: App = request.getfixturevalue("app")
    window = app.window("A")
    with window.at("planned"):
        link = window.open("qcommerce://orders")
        expect(link).to_be("admitted")
    if clock == "manual":
        app.clock.advance(seconds=1)
    expect(link).to_be("applied")
    with pytest.raises(ValueError, match="has settled as 'applied'"):
        expect(link).to_be("admitted")


@pytest.mark.parametrize("user", ["", "a b", "x" * 129, "anna\n", "änna", "a\u007f", True, 5, ["anna"]])
def test_a_user_whose_name_is_none_is_refused_and_cannot_be_expected(window: Window, user: Any) -> None:
    # The expectation takes what the daemon would.
    with pytest.raises(InvalidParameter):
        window.app.sign_in(user)
    with pytest.raises(InvalidParameter):
        window.complete("auth", user=user)
    said = "None means nobody" if user == "" else "cannot be; expected 1 to 128 letters, digits and signs of ASCII"
    with pytest.raises(ValueError, match=said) as raised:
        expect(window.app).to_have_user(user)
    assert not isinstance(raised.value, ExpectationFailed)


@pytest.mark.parametrize("user", ["x" * 128, "!", "~", "anna@shop.example"])
def test_a_user_has_a_name_of_visible_ascii(app: App, user: str) -> None:
    app.sign_in(user)
    expect(app).to_have_user(user)


def test_the_words_for_how_an_event_ended_are_those_of_the_daemon() -> None:
    schema = json.loads((PROTOCOL / "record.schema.json").read_text("utf-8"))
    ended = schema["$defs"]["dispatch.ended"]["properties"]["outcome"]["enum"]
    assert sorted(OUTCOMES) == sorted(["admitted", *ended])
    source = (PROTOCOL.parent / "Sources" / "SceneVocabulary" / "Reasons.swift").read_text("utf-8")
    declared = re.findall(r"static let (\w+)[^=\n]*= [\w.(]*\[(.*?)\]", source, re.DOTALL)
    words: dict[str, set[str]] = {"rejected": set(), "InWords": set()}
    for name, list in declared:
        if name == "ofFormerMoves":
            # Only records of former formats have them.
            continue
        of = "InWords" if name.endswith("InWords") else "rejected" if name.startswith("of") else name
        words.setdefault(of, set()).update(re.findall(r'"([^"]+)"', list))
    assert set(BEGINNINGS) == {word.rstrip(": ") for word in words.pop("InWords")}
    assert words == REASONS


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda window: window.complete("logn"), r"did you mean 'login'\?"),
        (lambda window: window.select_tab("nope"), "nope"),
        (lambda window: window.report("pickedUp", at="soon", desk="x"), "soon"),
        (lambda window: window.app.client.routing.print(Destination("under", {"id": "1"})), "UUID"),
    ],
)
@CARS
def test_an_error_of_the_daemon_speaks_of_what_was_asked_and_ends_with_one_sign(
    cars: Window, call: Callable[[Window], None], said: str
) -> None:
    with pytest.raises(ValidationFailed, match=said) as raised:
        call(cars)
    assert "route" not in str(raised.value)
    assert not re.search(r"[.?!]\.(?!\.)", str(raised.value)), str(raised.value)


def test_code_of_the_apps_own_may_take_any_intent(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    status = replace(app.client.manager.get_status(), code=Code("Shop", "1"))
    monkeypatch.setattr(Manager, "get_status", lambda *_: status)
    expect(app.window("A").report("cartTaped")).to_be("rejected", reason="unhandledIntent")


def test_an_adapter_may_report_an_intent(app: App) -> None:
    window = app.window("A")

    @app.adapter(kinds=["push"], priority=20)
    def report(asked: Asked) -> bool:
        window.report("cartTapped", wait="admitted")
        return True

    app.push({"aps": {"alert": "x"}})
    app.settle()
    expect(window).to_have_parked("signedIn")


# MARK: Secrets


@CARS
@pytest.mark.parametrize(
    ("url", "described"),
    [
        ("cars://reset/Hush-4711", "cars://reset/{token}"),
        ("cars://nowhere/Hush-4711", "cars:…"),
        ("cars://car/1?note=a", "cars://car/1?note=a"),
    ],
)
def test_a_secret_of_a_link_is_shown_nowhere(cars: Window, url: str, described: str) -> None:
    link = cars.open(url, event="link")
    assert f"<event link: {described}, " in repr(link)
    with pytest.raises(ExpectationFailed) as failed:
        expect(link).to_be("gated")
    with pytest.raises(ExpectationFailed) as other:
        expect(cars).to_show("home", "home")
    assert f"link ({described})" in str(failed.value) and f"link ({described})" in str(other.value)
    assert "Hush" not in str(failed.value) + str(other.value)
