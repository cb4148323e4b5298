"""The apps under load: what their clients send, and what of it has to count exactly once."""

import pathlib

USERS = ["anna", "berta"]


class App:
    """What the apps have in common."""

    # Two versions of the manifest, between which clients change while the daemon runs; none for an app that is built in.
    manifests = ()

    def session_call(self, random, number):
        """A change of the session: its method and parameters."""
        kind = random.random()
        user = {"user": random.choice(USERS)}
        if kind < 0.5:
            return "Session.SignIn", user
        if kind < 0.55:
            return "Session.SignIn", user | {"expiresInMilliseconds": random.choice([30, 300, 3_000])}
        if kind < 0.60:
            return "Session.SignIn", user | {"staleInMilliseconds": random.choice([30, 300, 3_000])}
        if kind < 0.65:
            return "Session.MarkStale", {}
        if kind < 0.8:
            return "Session.SignOut", {}
        return "Session.Commit", {"set": {self.note: f"note-{number}"}}


class Counters(App):
    """An app of a manifest alone. Each tap adds one to what all have, and to what the user has."""

    name, note, has_code = "counters", "note", False

    def __init__(self, daemon):
        self.daemon = daemon
        first = pathlib.Path(__file__).with_name("counters.yaml").read_text()
        second = first.replace('version: "1"', 'version: "2"').replace("  note: ", "  extra: { type: integer, default: 7 }\n  note: ")
        self.manifests = [first, second]

    def event(self, random, number):
        """An event: its method and its parameters without scene, ID and wait."""
        kind = random.random()
        if kind < 0.55:
            return "Events.SendIntent", {"name": "tapped"}
        if kind < 0.68:
            return "Events.OpenURL", {"url": f"counters://page/{number}"}
        if kind < 0.82:
            return "Events.OpenURL", {"url": f"counters://vault/{number}"}
        if kind < 0.84:
            return "Events.OpenURLs", {"urls": [f"counters://page/{number}", f"counters://vault/{number}", "counters://home"]}
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
        if kind < 0.51:
            return "Events.OpenURL", {"url": f"https://shop.example/product/p{number}"}
        if kind < 0.54:
            return "Events.OpenURLs", {"urls": [f"qcommerce://product/p{number}", "qcommerce://cart"]}
        if kind < 0.57:
            return "Events.Push", offer(number)
        if kind < 0.60:
            return "Events.PerformShortcut", {"type": "com.example.shop.cart"}
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
        return parameters.get("name") in ("addedToCart", "buyNow") or parameters.get("action") == "ADD_TO_CART"

    def judge_commit(self, event, before, after, has_left):
        old, new = before.get("cart") or [], after.get("cart") or []
        if len(set(new)) != len(new):
            return f"the cart has something twice: {new}"
        if not event:
            return None if new in (old, []) else f"the cart went from {old} to {new}"
        id = event["parameters"]["id"] if "parameters" in event else event["payload"]["product"]
        wanted = ([] if has_left else old) + [id]
        return None if new == wanted else f"the cart went from {old} to {new}, expected {wanted}"


def offer(number):
    """A notification of an offer, whose action puts the product into the cart without a window."""
    payload = {"aps": {"alert": {"title": "Offer"}, "category": "OFFER"}, "product": f"p{number}"}
    return {"payload": payload, "interaction": "action", "action": "ADD_TO_CART"}


class Bank(App):
    """The bank: a root that asks for a login, a lock, flows that start flows, and windows that the app asks for. Each account is
    muted once."""

    name, note, has_code = "bank", "note", False

    def __init__(self, daemon):
        self.daemon, self.arguments = daemon, ["--app", "bank"]

    def event(self, random, number):
        kind = random.random()
        user = random.choice(USERS)
        account = f"a{random.randrange(6)}"
        if kind < 0.30:
            return intent("muted", id=f"a{number}")
        if kind < 0.45:
            place = random.choice([f"account/a{number}", "transfer", "payee/eve", "help", "messages", "card", "profile"])
            return "Events.OpenURL", {"url": f"bank://{place}"}
        if kind < 0.48:
            return "Events.OpenURLs", {"urls": [f"bank://account/a{number}", "bank://payee/eve", "bank://help"]}
        if kind < 0.52:
            return "Events.Push", random.choice(notifications(number, user))
        if kind < 0.58:
            name = random.choice(["accountWindowWanted", "accountWindowUnwanted", "balanceChanged"])
            return intent(name, id=account)
        if kind < 0.62:
            return "Events.Gesture", random.choice([{"gesture": "back"}, {"gesture": "selectTab", "tab": "payments"}])
        if kind < 0.80:
            return random.choice(
                [
                    intent("introRead"),
                    intent("named", user=user),
                    intent("codeEntered", user=user, code="123456"),
                    intent("codeWrong"),
                    intent("passwordEntered", user=user),
                    intent("gaveUp"),
                ]
            )
        if kind < 0.90:
            return random.choice(
                [
                    intent("payeeApproved", payee="eve"),
                    intent("payeeChosen", payee="eve"),
                    intent("amountEntered", payee="eve", amount="7"),
                    intent("confirmed", reference=f"t{number}"),
                ]
            )
        if kind < 0.93:
            name = random.choice(["passcodeWanted", "passcodeUnwanted", "passcodeForgotten", "locked", "signOutTapped"])
            return intent(name)
        if kind < 0.96:
            return intent("passcodeEntered")
        return "Events.FinishFlow", {"flow": "login", "result": "completed", "user": user}

    def counts(self, method, parameters):
        return parameters.get("name") == "muted"

    def judge_commit(self, event, before, after, has_left):
        old, new = before.get("muted") or [], after.get("muted") or []
        references = after.get("references") or []
        if len(set(references)) != len(references):
            return f"something was paid twice: {references}"
        added = [event["parameters"]["id"]] if event else []
        wanted = added if has_left else old + added
        return None if new == wanted else f"what is muted went from {old} to {new}, expected {wanted}"


def intent(name, **parameters):
    return "Events.SendIntent", {"name": name} | ({"parameters": parameters} if parameters else {})


def notifications(number, user):
    """What a notification brings: a link, a payee that is approved on the lock screen, nothing to see."""
    alert = {"alert": {"title": "Bank"}}
    approve = {"aps": alert | {"category": "PAYEE"}, "payee": "eve", "user": user}
    return [
        {"payload": {"aps": alert, "account": f"a{number}", "user": user}},
        {"payload": approve, "interaction": "action", "action": "APPROVE"},
        {"payload": {"aps": {"content-available": 1}, "account": f"a{number}"}},
    ]
