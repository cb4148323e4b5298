"""The bank's navigation, as a team would test it: who may see what, from where, and in which order.

    pytest protocol/python/examples --scened .build/debug/scened

`scenectl app print bank` shows the manifest. The windows' time is virtual: it goes on while a test waits, and nothing
sleeps.
"""

from collections.abc import Callable

import pytest

from scened import Answer, App, Asked, Clock, Destination, NotAssociated, Window, expect

pytestmark = pytest.mark.scened(app="bank")


def sign_in(window: Window, user: str = "anna") -> None:
    """Goes through the login as somebody does, screen by screen."""
    if "intro" in window.shown:
        window.report("introRead")
    window.report("named", user=user)
    window.report("codeEntered", user=user, code="123456")


# MARK: The login and its second factor


def test_nothing_is_shown_before_the_login(app: App) -> None:
    expect(app.window()).to_show("intro")


def test_a_login_takes_a_second_factor(app: App) -> None:
    window = app.window()
    window.report("introRead")
    window.report("named", user="anna")
    expect(window).to_have_modals("secondFactor")
    expect(app).to_have_user(None)

    window.report("codeEntered", user="anna", code="123456")
    expect(app).to_have_user("anna")
    expect(window).to_show("accounts")


def test_the_third_wrong_code_ends_the_second_factor(app: App) -> None:
    window = app.window()
    window.report("introRead")
    window.report("named", user="anna")
    for _ in range(3):
        window.report("codeWrong")
    expect(window).to_show("intro", "name")
    expect(app).to_have_facts(wrongCodes=0)


# MARK: Links


@pytest.mark.parametrize(
    ("url", "screens"),
    [
        ("bank://accounts", ["accounts"]),
        ("https://bank.example/account/a1", ["accounts", "account(id: a1)"]),
        ("bank://receipt/t7", ["payments", "receipt(reference: t7)"]),
        ("bank://help/cards", ["accounts", "help(topic: cards)"]),
    ],
)
def test_a_link_leads_to_its_place(app: App, url: str, screens: list[str]) -> None:
    app.sign_in("anna")
    window = app.window()
    window.open(url)
    expect(window).to_show(*screens)


def test_a_link_waits_for_the_login_and_goes_on_by_itself(app: App) -> None:
    window = app.window()
    link = window.open("bank://account/a1")
    expect(link).to_be_gated_at("login")

    sign_in(window)
    expect(link).to_be("applied")
    expect(window).to_show("accounts", "account")


def test_what_the_bank_keeps_in_the_browser_is_no_link_of_the_app(app: App) -> None:
    with pytest.raises(NotAssociated) as refused:
        app.window().open("https://bank.example/legal/terms")
    assert "Stays in the browser" in refused.value.component


def test_a_closed_account_is_refused_and_help_is_shown(app: App) -> None:
    app.set(closedAccounts=["a1"])
    app.sign_in("anna")
    window = app.window()
    expect(window.open("bank://account/a1")).to_be("rejected", reason="accountOpen")
    expect(window).to_have_modals("help")


# MARK: Pushes, widgets, Handoff, quick actions


def test_a_tapped_push_for_the_user_opens_the_account(app: App) -> None:
    app.sign_in("anna")
    window = app.window()
    window.push({"aps": {"alert": "Paid in"}, "account": "a2", "user": "anna"})
    expect(window).to_show("accounts", "account(id: a2)")


def test_a_push_for_somebody_else_shows_nothing(app: App) -> None:
    app.sign_in("anna")
    window = app.window()
    push = window.push({"aps": {"alert": "Paid in"}, "account": "a2", "user": "mina"})
    expect(push).to_be("rejected", reason="otherUser")
    expect(window).not_to_show("account")


def test_a_card_can_be_blocked_from_the_lock_screen(app: App) -> None:
    app.sign_in("anna")
    fraud = app.push({"aps": {"alert": "Was this you?", "category": "FRAUD"}, "user": "anna"}, action="BLOCK")
    expect(fraud).to_be("delivered")
    expect(app).to_have_facts(cardBlocked=True)


def test_every_door_leads_to_the_same_place(app: App) -> None:
    app.sign_in("anna")
    a, b, c = app.windows("A", "B", "C")
    a.widget("balance", url="bank://account/a1")
    b.activity("com.example.bank.view", {"destination": "account", "parameters": {"id": "a1"}}, handoff=True)
    c.activity("com.apple.corespotlightitem", {"kCSSearchableItemActivityIdentifier": "account/a1"})
    for window in (a, b, c):
        expect(window).to_show("accounts", "account(id: a1)")


def test_a_quick_action_begins_a_transfer(app: App) -> None:
    app.sign_in("anna")
    window = app.window()
    window.shortcut("com.example.bank.transfer")
    expect(window).to_show("payments", "transfer")


# MARK: Several windows


def test_a_sign_out_sweeps_every_window(app: App, windows: Callable[..., list[Window]]) -> None:
    app.sign_in("anna")
    a, b = windows("A", "B")
    a.open("bank://account/a1")
    b.open("bank://receipt/t7")
    a.report("signOutTapped")
    for window in (a, b):
        expect(window).not_to_show("account", "receipt", "accounts", "payments")


def test_a_login_in_one_window_lets_the_other_go_on(app: App) -> None:
    a, b = app.windows("A", "B")
    link = b.open("bank://account/a1")
    sign_in(a)
    expect(link).to_be("applied")
    expect(b).to_show("accounts", "account")


def test_a_window_that_was_left_asks_for_the_passcode(app: App) -> None:
    app.sign_in("anna", asksPasscode=True)
    window = app.window()
    window.report("passcodeEntered")
    window.background().foreground()
    expect(window).to_be_locked()
    link = window.open("bank://account/a1")
    window.report("passcodeEntered")
    expect(link).to_be("applied")
    expect(window).to_be_locked(False)


# MARK: Races


def test_a_sign_out_overtakes_a_link(app: App) -> None:
    app.sign_in("anna")
    window = app.window()
    with window.at("planned"):
        link = window.open("bank://account/a1")  # planned, and not yet shown …
        app.sign_out()  # … and now it must not be shown
    expect(window).not_to_show("account")
    expect(link).to_be_gated_at("login")


def test_two_windows_pay_at_once_and_both_count(app: App) -> None:
    app.sign_in("anna", approved=["mina"])
    a, b = app.windows("A", "B")
    for window in (a, b):
        window.open("bank://transfer")
        window.report("payeeChosen", payee="mina")
        window.report("amountEntered", payee="mina", amount="5")
    with a.at("planned"), b.at("planned"):
        for window, reference in ((a, "t1"), (b, "t2")):
            window.report("confirmed", reference=reference)
    expect(app).to_have_facts(transfers=2)


# MARK: Time


def test_money_moves_only_after_a_fresh_sign_in(app: App, clock: Clock) -> None:
    app.sign_in("anna", stale_in=300_000)
    window = app.window()
    clock.advance(minutes=5)
    transfer = window.open("bank://transfer")
    expect(transfer).to_be_gated_at("freshSignIn")

    window.report("passwordEntered", user="anna")
    window.report("codeEntered", user="anna", code="123456")
    expect(transfer).to_be("applied")


@pytest.mark.scened(transition=350)
def test_a_tap_during_a_transition_is_ignored(app: App, clock: Clock) -> None:
    app.sign_in("anna")
    window = app.window()
    with clock.stopped():
        link = window.open("bank://account/a1")
        clock.advance(349)
        expect(window).to_be_transitioning()
        expect(window.back()).to_be("ignored")
        clock.advance(1)
        expect(link).to_be("applied")


# MARK: An adapter


def test_an_adapter_of_the_team_reads_its_campaigns(app: App) -> None:
    @app.adapter(kinds=["push"], priority=20)
    def campaign(asked: Asked) -> Answer | Destination | None:
        match asked.payload.get("campaign"):
            case "cards":
                return Destination("help", {"topic": "cards"})
            case "gone":
                return Answer(refused="the campaign is over")
        return None

    app.sign_in("anna")
    window = app.window()
    window.push({"aps": {"alert": "New cards"}, "campaign": "cards"})
    expect(window).to_show("accounts", "help(topic: cards)")
