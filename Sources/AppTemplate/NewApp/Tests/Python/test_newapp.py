"""The app behind a socket: the daemon that this package builds, with real windows and virtual time."""

from scened import App, expect


def test_a_link_waits_for_the_sign_in(app: App) -> None:
    window = app.window("A")
    link = window.open("newapp://offer/o7")
    expect(link).to_be_gated_at("signedIn")
    window.report("named", user="anna")
    expect(window).to_show("offers", "offer(id: o7)")


def test_a_push_for_somebody_else_shows_nothing(app: App) -> None:
    app.sign_in("theo")
    window = app.window("A")
    push = window.push({"aps": {"alert": "An offer for you"}, "offer": {"id": "o7", "for": "anna"}})
    expect(push).to_be("rejected", reason="otherUser")
    expect(window).to_show("home")


def test_a_sign_out_overtakes_a_push(app: App) -> None:
    app.sign_in("anna")
    window = app.window("A")
    with window.at("planned"):
        window.push({"aps": {"alert": "An offer for you"}, "offer": {"id": "o7"}})  # planned, and not yet shown …
        app.sign_out()  # … and now it must not be shown
    expect(window).not_to_show("offer")
