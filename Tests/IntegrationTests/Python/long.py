"""Long histories, and the page over them.

    long.py make COUNT SEED              # a history of so many records, one a line, as one host tells them
"""

import json
import random
import sys
from collections.abc import Iterator

TABS = ("home", "orders", "account")


def destination(chance: random.Random) -> dict:
    kind = chance.choice(("product", "order", "cart", "promo"))
    return {"id": kind, "parameters": {} if kind == "cart" else {"id": f"p{chance.randrange(5000)}"}}


class Window:
    def __init__(self, scene: str) -> None:
        self.scene = scene
        self.tickets = 0
        self.stacks = {tab: [{"id": tab, "parameters": {}}] for tab in TABS}
        self.tab = "home"
        self.parked: list[tuple[int, str, dict]] = []

    def json(self) -> dict:
        shown = [{"needs": ["signedIn"] if place["id"] == "cart" else [], "personal": place["id"] == "order"} for tab in TABS for place in self.stacks[tab]]
        return {"tabs": [{"id": tab, "stack": list(self.stacks[tab])} for tab in TABS], "selectedTab": self.tab, "modals": [], "shown": shown}


class Host:
    """One host of the shop: windows in which links are opened, some of which wait for a sign-in; users who come and go."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.host = f"{seed:08x}-1111-4222-8333-444455556666"
        self.index = 0
        self.time = 1_000_000
        self.revision = 0
        self.epoch = 0
        self.user: str | None = None
        self.windows = [Window(scene) for scene in ("A", "B", "C", "D", "E", "F")]
        self.events = 0

    def record(self, kind: str, subject: dict | None = None, **body: object) -> dict:
        self.index += 1
        self.time += self.chance.randrange(1_000, 900_000)
        return {"host": self.host, "index": self.index, "kind": kind, "monotonic": self.time, **(subject or {}), "revision": self.revision, "epoch": self.epoch, **body}

    def records(self) -> Iterator[dict]:
        yield self.record("host.started", format=6, app="shop", manifestVersion="1.0.0", manifest="0" * 64, holds={"signedIn": False}, stale=[], facts={"cart": [], "unavailable": []})
        for window in self.windows:
            yield self.record("scene.connected", {"scene": window.scene}, configuration="main", restored=False, window=window.json())
            yield self.record("scene.activation", {"scene": window.scene}, **{"from": "unattached", "to": "foregroundInactive"})
            yield self.record("scene.activation", {"scene": window.scene}, **{"from": "foregroundInactive", "to": "foregroundActive"})
        while True:
            turn = self.chance.random()
            window = self.chance.choice(self.windows)
            if turn < 0.9:
                yield from self.link(window)
            elif turn < 0.97:
                yield from self.commit({"cart": [f"p{self.chance.randrange(5000)}" for _ in range(self.chance.randrange(4))]})
            elif turn < 0.985:
                for states in (("foregroundActive", "foregroundInactive"), ("foregroundInactive", "foregroundActive")):
                    yield self.record("scene.activation", {"scene": window.scene}, **{"from": states[0], "to": states[1]})
            elif self.user is None:
                self.user = self.chance.choice(("anna", "bob"))
                yield from self.commit({})
                for one in self.windows:
                    yield from self.resume(one)
            else:
                self.user = None
                self.epoch += 1
                yield from self.commit({"cart": []})

    def commit(self, facts: dict) -> Iterator[dict]:
        self.revision += 1
        yield self.record("session.committed", user=self.user, origin={"connection": 1}, holds={"signedIn": self.user is not None}, stale=[], facts=facts)

    def link(self, window: Window) -> Iterator[dict]:
        window.tickets += 1
        self.events += 1
        place = destination(self.chance)
        subject = {"scene": window.scene, "ticket": window.tickets, "event": f"auto-{self.events}"}
        yield self.record("event.admitted", subject, eventKind="url", source="external", choice="named", destination=place, route="shop://product/{id}")
        subject = {"scene": window.scene, "ticket": window.tickets, "attempt": 1, "event": f"auto-{self.events}"}
        yield self.record("dispatch.began", subject, item="dispatch")
        if place["id"] == "cart" and self.user is None:
            yield self.record("dispatch.resolved", subject, destination=place, verdict="gated", reason="signedIn")
            for ticket, event, waiting in window.parked:
                gone = {"scene": window.scene, "ticket": ticket, "attempt": 1, "event": event}
                yield self.record("gate.superseded", gone, precondition="signedIn", destination=waiting, by=subject["event"])
            window.parked = [(window.tickets, subject["event"], place)]
            yield self.record("gate.parked", subject, precondition="signedIn", destination=place, flow="auth")
            yield self.record("dispatch.ended", subject, outcome="gated", precondition="signedIn")
        else:
            yield from self.show(window, subject, place)

    def resume(self, window: Window) -> Iterator[dict]:
        for ticket, event, place in window.parked:
            subject = {"scene": window.scene, "ticket": ticket, "attempt": 1, "event": event}
            yield self.record("gate.resumed", subject, precondition="signedIn", destination=place)
            subject["attempt"] = 2
            yield self.record("dispatch.began", subject, item="resume")
            yield from self.show(window, subject, place)
        window.parked = []

    def show(self, window: Window, subject: dict, place: dict) -> Iterator[dict]:
        yield self.record("dispatch.resolved", subject, destination=place, verdict="proceed")
        if self.chance.random() < 0.05:
            yield self.record("dispatch.ended", subject, outcome="rejected", reason="otherUser")
            return
        window.tab = self.chance.choice(TABS)
        stack = window.stacks[window.tab]
        if len(stack) > 4:
            del stack[1:]
        op = {"name": "push", "tab": window.tab, "destination": place}
        yield self.record("dispatch.planned", subject, ops=[op])
        stack.append(place)
        yield self.record("navigation.step", subject, op=op, cause="dispatch", window=window.json())
        yield self.record("dispatch.ended", subject, outcome="applied")


def make(count: str, seed: str) -> None:
    for record in Host(int(seed)).records():
        print(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
        if record["index"] == int(count):
            return


if __name__ == "__main__":
    {"make": make}[sys.argv[1]](*sys.argv[2:])
