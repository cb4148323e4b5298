"""Expectations: met, not met with the difference, and waited for."""

from collections.abc import Callable

import pytest

from scened import (
    App,
    Destination,
    Event,
    ExpectationFailed,
    UnknownName,
    UnknownScene,
    ValidationFailed,
    Window,
    expect,
)

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
            lambda window: expect(window).to_be_locked(False),
            lambda window: expect(window).to_be_locked(),
            ["expected: locked", "found: not locked"],
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
        (lambda window: expect(window).to_have_tab("x"), UnknownName, "no tab 'x'"),
        (lambda window: expect(window).to_have_modals("aut"), UnknownName, "did you mean 'auth'"),
        (lambda window: expect(window).to_have_parked("signedin"), UnknownName, "no precondition .* 'signedIn'"),
        (lambda window: expect(event(window)).to_be_gated_at("signedin"), UnknownName, "no precondition .* 'signedIn'"),
        (lambda window: expect(window.app).to_have_facts(), ValueError, "to_have_facts.. of nothing"),
        (lambda window: expect(window.app).to_have_facts(crt=None), UnknownName, "no fact 'crt'; did you mean 'cart'"),
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
    for wrong in ({"transfers": False}, {"maintenance": 0}, {"approved": None}):
        with pytest.raises(ExpectationFailed):
            expect(app).to_have_facts(**wrong)
    window = app.window("A")
    expect(window).to_have_tab("root")
    expect(window.open("bank://account/a1")).to_be_gated_at("login")


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
