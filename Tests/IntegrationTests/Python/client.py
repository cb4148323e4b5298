"""Drives a live daemon with the varlink package's client: every method, then the gated sequence across two windows.

Usage: client.py SOCKET. Says what it called, one name a line; ends with a traceback where something is not as it should.
"""

import sys

import varlink

address = "unix:" + sys.argv[1]
called = []


class Interface:
    """One interface on a connection of its own, that notes what was called."""

    def __init__(self, client, name):
        self.name = name
        self.connection = client.open(name)

    def __getattr__(self, method):
        def call(**parameters):
            called.append(f"{self.name}.{method}")
            return getattr(self.connection, method)(**parameters)

        return call


def trail(window):
    tab = next(tab for tab in window["tabs"] if tab["id"] == window["selectedTab"])
    stacks = [tab["stack"]] + [modal["stack"] for modal in window["modals"]]
    return [destination["id"] for stack in stacks for destination in stack]


def expect(found, wanted):
    assert found == wanted, f"found {found!r}, expected {wanted!r}"


def refusal(call, **parameters):
    try:
        reply = call(**parameters)
    except varlink.VarlinkError as error:
        return error.error(), error.parameters()
    raise AssertionError(f"answered {reply!r}, expected an error")


client = varlink.Client.new_with_address(address)
client.get_interfaces()
expect(client.info["product"], "scened")
names = set(client.info["interfaces"])
expect({"io.scened.Events", "io.scened.Scenes", "io.scened.Session", "io.scened.Records"} - names, set())

events, scenes, session, records = (
    Interface(client, "io.scened." + name) for name in ("Events", "Scenes", "Session", "Records")
)

# Every method once.
expect(trail(scenes.Connect(scene="A")["scene"]["window"]), ["home"])
expect(scenes.Connect(scene="B", configuration="default")["scene"]["id"], "B")
receipt = events.OpenURL(url="https://shop.example/product/p1004", scene="A", event="link")["receipt"]
expect((receipt["outcome"], receipt["ticket"], trail(receipt["window"])), ("applied", 1, ["home", "product"]))
receipt = events.ContinueActivity(
    activityType="com.example.shop.view",
    userInfo={"destination": "category", "parameters": {"slug": "tea"}},
    handoff=True,
    scene="B",
)["receipt"]
expect(trail(receipt["window"]), ["home", "category"])
payload = {"aps": {"alert": "On sale"}, "url": "https://shop.example/promo/SUMMER"}
expect(trail(events.Push(payload=payload, scene="B")["receipt"]["window"]), ["home", "promo"])
expect(events.TapWidget(kind="deals", url="qcommerce://orders", scene="B")["receipt"]["outcome"], "applied")
expect(events.PerformShortcut(type="com.example.shop.orders", scene="B")["receipt"]["outcome"], "unchanged")
expect(events.Get(event="link")["receipt"]["outcome"], "applied")
expect([scene["id"] for scene in scenes.List()["scenes"]], ["A", "B"])
expect(session.Get()["session"]["revision"], 0)
expect(session.Commit(set={"market": "de"}, expectedRevision=0)["session"]["revision"], 1)
expect(records.Read(limit=1)["records"][0]["kind"], "host.started")
verdicts = {verdict["name"]: verdict["verdict"] for verdict in records.Check()["verdicts"]}
expect((len(verdicts), set(verdicts.values())), (15, {"holds"}))

# Errors are exceptions with the declared name and parameters.
expect(refusal(scenes.Connect, scene="A"), ("io.scened.Scenes.SceneExists", {"scene": "A"}))
expect(refusal(events.OpenURL, url="qcommerce://nowhere")[0], "io.scened.Events.UnknownRoute")
expect(refusal(session.Commit, expectedRevision=9), ("io.scened.Session.RevisionConflict", {"expected": 9, "actual": 1}))

# Nobody is signed in: the cart waits in A until somebody signs in in B, and goes when they leave.
receipt = events.OpenURL(url="https://shop.example/cart", scene="A", event="cart")["receipt"]
expect((receipt["outcome"], receipt["precondition"]), ("gated", "signedIn"))
expect(scenes.Get(scene="A")["scene"]["parked"][0]["event"], "cart")
expect(trail(scenes.Get(scene="A")["scene"]["window"])[-1], "login")

with varlink.Client.new_with_address(address) as watcher, watcher.open("io.scened.Scenes") as watching:
    changes = watching.List(_more=True)
    expect([scene["id"] for scene in next(changes)["scenes"]], ["A", "B"])

    def wait_for_a(wanted):
        for change in changes:
            for scene in change["scenes"]:
                if scene["id"] == "A" and trail(scene["window"]) == wanted:
                    return
        raise AssertionError("the list of changes ended")

    expect(session.SignIn(user="anna", scene="B")["session"]["user"], "anna")
    wait_for_a(["home", "cart"])
    # A stale sign-in takes nothing away; the same user's sign-in makes it fresh again.
    expect(session.MarkStale(scene="B")["session"]["stale"], True)
    expect(session.SignIn(user="anna", scene="B", staleInMilliseconds=3_600_000)["session"]["stale"], False)
    receipt = events.OpenURL(url="https://shop.example/cart", scene="A", event="cart", wait="finished")["receipt"]
    expect((receipt["outcome"], receipt["duplicate"], receipt["revision"]), ("applied", True, 2))
    expect(session.SignOut(scene="B")["session"]["epoch"], 1)
    wait_for_a(["home"])

# What a person does inside a window, and what its flows report.
expect(events.SendIntent(name="productSelected", parameters={"id": "p7"}, scene="A")["receipt"]["outcome"], "applied")
expect(events.Gesture(gesture="back", scene="A")["receipt"]["outcome"], "applied")
expect(events.Gesture(gesture="back", scene="A")["receipt"]["outcome"], "ignored")
expect(events.OpenURL(url="qcommerce://cart", scene="A", event="again")["receipt"]["outcome"], "gated")
finished = events.FinishFlow(flow="auth", result="completed", user="anna", scene="A")["receipt"]
expect(finished["outcome"], "applied")
expect(events.OpenURL(url="qcommerce://cart", scene="A", event="again", wait="finished")["receipt"]["outcome"], "applied")

# A window's life: one step at a time, released and brought back, and gone for good.
expect(scenes.SetActivation(scene="B", activation="foregroundInactive")["scene"]["activation"], "foregroundInactive")
expect(
    refusal(scenes.SetActivation, scene="B", activation="unattached"),
    ("io.scened.Scenes.IllegalActivation", {"scene": "B", "from": "foregroundInactive", "to": "unattached"}),
)
released = scenes.Disconnect(scene="B")["scene"]
expect((released["connected"], released.get("window")), (False, None))
expect(trail(scenes.Connect(scene="B")["scene"]["window"]), ["orders"])
expect(scenes.Discard(scene="B")["scene"]["connected"], False)
expect(refusal(scenes.Get, scene="B"), ("io.scened.Scenes.UnknownScene", {"scene": "B"}))

# Several at once come in some order, each with its receipt where it was given.
both = events.OpenURLs(urls=["qcommerce://product/p1", "qcommerce://category/fruit"], scene="A", event="both", wait="finished")
expect([receipt["event"] for receipt in both["receipts"]], ["both/1", "both/2"])
tickets = [receipt["ticket"] for receipt in both["receipts"]]
expect(max(tickets) - min(tickets), 1)

print("\n".join(sorted(set(called))))
