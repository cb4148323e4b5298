"""The shop's mapping as an adapter outside the daemon: what its manifest declares, said in Python.

Usage: shop_adapter.py SOCKET.
"""

import re
import sys

import varlink

SPOTLIGHT = "kCSSearchableItemActivityIdentifier"
PARAMETERS = {"product": "id", "category": "slug", "promo": "code", "order": "id", "settings": "section"}
SHORTCUTS = {"com.example.shop.cart": "cart", "com.example.shop.orders": "orders"}


def go(place, parameters=None):
    return {"destination": {"id": place, "parameters": parameters or {}}}


def text(value):
    return value if isinstance(value, str) else None


def texts(value):
    return {name: text for name, text in (value or {}).items() if isinstance(text, str)}


def link(url):
    return {"url": url} if url and re.match("[A-Za-z][A-Za-z0-9+.-]*:", url) else None


def push(event):
    payload = event["payload"]
    if answer := link(text(payload.get("url"))):
        return answer
    parameters = payload.get("parameters")
    if text(payload.get("route")) is not None and (parameters is None or isinstance(parameters, dict)):
        return go(payload["route"], texts(parameters))


def widget(event):
    if answer := link(event.get("url")):
        return answer
    order = text(event.get("userInfo", {}).get("order"))
    if event["kind"] == "order-status" and order is not None:
        return go("order", {"id": order})


def activity(event):
    info = event.get("userInfo", {})
    if event["activityType"] == "com.example.shop.view" and text(info.get("destination")) is not None:
        parameters = info.get("parameters")
        return go(info["destination"], texts(parameters)) if parameters is None or isinstance(parameters, dict) else None
    if event["activityType"] != "com.apple.corespotlightitem":
        return None
    place, _, value = info[SPOTLIGHT].partition("/")
    if place in PARAMETERS and value and "/" not in value:
        return go(place, {PARAMETERS[place]: value})
    if place and "/" not in info[SPOTLIGHT]:
        return go(place)


def shortcut(event):
    place = SHORTCUTS.get(event["type"])
    return go(place) if place else None


KINDS = {"push": push, "widget": widget, "activity": activity, "shortcut": shortcut}

client = varlink.Client.new_with_address("unix:" + sys.argv[1])
adapters = client.open("io.scened.Adapters")
events = client.open("io.scened.Adapters").Register(
    name="shop-in-python", kinds=list(KINDS), timeoutMilliseconds=10000, _more=True
)
registration = next(events)["registration"]
print("registered", flush=True)
for asked in events:
    if asked.get("request") is None:
        break
    answer = KINDS[asked["kind"]](asked["event"]) or {"declined": "not mine"}
    adapters.Answer(registration=registration, request=asked["request"], **answer)
