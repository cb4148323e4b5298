"""The two apps under load: what their clients send, and what of it has to count exactly once."""

import pathlib

USERS = ["anna", "berta"]


class App:
    """What both apps have in common."""

    def session_call(self, random, number):
        """A change of the session: its method and parameters."""
        kind = random.random()
        if kind < 0.6:
            return "Session.SignIn", {"user": random.choice(USERS)}
        if kind < 0.8:
            return "Session.SignOut", {}
        return "Session.Commit", {"set": {self.note: f"note-{number}"}}


class Counters(App):
    """An app of a manifest alone. Each tap adds one to what all have, and to what the user has."""

    name, note, has_code = "counters", "note", False

    def __init__(self, daemon):
        self.daemon = daemon
        self.arguments = ["--app", str(pathlib.Path(__file__).with_name("counters.yaml"))]

    def event(self, random, number):
        """An event: its method and its parameters without scene, ID and wait."""
        kind = random.random()
        if kind < 0.55:
            return "Events.SendIntent", {"name": "tapped"}
        if kind < 0.68:
            return "Events.OpenURL", {"url": f"counters://page/{number}"}
        if kind < 0.82:
            return "Events.OpenURL", {"url": f"counters://vault/{number}"}
        if kind < 0.86:
            return "Events.OpenURL", {"url": random.choice(["counters://home", "counters://lists"])}
        if kind < 0.90:
            return "Events.Gesture", random.choice([{"gesture": "back"}, {"gesture": "selectTab", "tab": "lists"}])
        if kind < 0.94:
            user = random.choice(USERS)
            return "Events.FinishFlow", {"flow": "login", "result": "completed", "user": user}
        return "Events.SendIntent", {"name": "typed", "parameters": {"user": random.choice(USERS)}}

    def counts(self, method, parameters):
        """Whether an event has to make one commit, and no more, if it is done."""
        return parameters.get("name") == "tapped"

    def judge_commit(self, event, before, after, has_left):
        """What is wrong with the facts after a commit. `event` is the parameters of what made it, if that counts."""
        added = 1 if event else 0
        if after["all"] != before["all"] + added:
            return f"all went from {before['all']} to {after['all']}"
        mine = 0 if has_left else before["mine"] + added
        if after["mine"] != mine:
            return f"mine went from {before['mine']} to {after['mine']}"
        return None


class Shop(App):
    """The shop with coordinators in Swift. Each product is put into the cart once."""

    name, note, has_code = "shop", "review", True

    def __init__(self, daemon):
        self.daemon, self.arguments = daemon, []

    def event(self, random, number):
        kind = random.random()
        if kind < 0.40:
            return "Events.SendIntent", {"name": "addedToCart", "parameters": {"id": f"p{number}"}}
        if kind < 0.46:
            return "Events.SendIntent", {"name": "buyNow", "parameters": {"id": f"p{number}"}}
        if kind < 0.60:
            return "Events.OpenURL", {"url": f"https://shop.example/product/p{number}"}
        if kind < 0.74:
            place = random.choice(["cart", "checkout", f"order/o{number}", "account/settings/privacy", "account/delete"])
            return "Events.OpenURL", {"url": f"https://shop.example/{place}"}
        if kind < 0.78:
            return "Events.SendIntent", {"name": random.choice(["cartTapped", "checkoutTapped", "accountTapped"])}
        if kind < 0.82:
            return "Events.Gesture", random.choice([{"gesture": "back"}, {"gesture": "swipeDown"}])
        if kind < 0.90:
            return "Events.SendIntent", {"name": "loginCompleted", "parameters": {"user": random.choice(USERS)}}
        if kind < 0.93:
            return "Events.SendIntent", {"name": "paymentAdded", "parameters": {"method": "card"}}
        if kind < 0.96:
            return "Events.SendIntent", {"name": "orderPlaced", "parameters": {"order": f"o{number}"}}
        if kind < 0.97:
            return "Events.SendIntent", {"name": "signOutTapped"}
        return "Events.SendIntent", {"name": "cancelled"}

    def counts(self, method, parameters):
        return parameters.get("name") in ("addedToCart", "buyNow")

    def judge_commit(self, event, before, after, has_left):
        old, new = before.get("cart") or [], after.get("cart") or []
        if len(set(new)) != len(new):
            return f"the cart has something twice: {new}"
        if not event:
            return None if new in (old, []) else f"the cart went from {old} to {new}"
        wanted = ([] if has_left else old) + [event["parameters"]["id"]]
        return None if new == wanted else f"the cart went from {old} to {new}, expected {wanted}"
