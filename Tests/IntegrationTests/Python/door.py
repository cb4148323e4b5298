"""Tries to get at a daemon through the program that serves its page.

    door.py MODE PROGRAMS    # PROGRAMS is the folder of scened and scenectl

Modes: door (requests of its own), foreign (a page from another origin), roles (as a user who may do little; as root), commands
(what is shown for each call does the same), slow (many who send slowly). It prints one line for
each finding, and nothing if there is none.
"""

import http.client
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time

from playwright.sync_api import Page

from inspected import ENDING, PROGRAMS, Inspector, browser, compare, daemon, live, opened
from viewer import check, settle


def ask(port: int, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """A request with exactly these headers; of a stream the first bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    if body:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    try:
        if body:
            connection.send(body)
    except BrokenPipeError:
        pass
    answer = connection.getresponse()
    content = answer.read(1000) if answer.status == 200 and path == "/stream" else answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content


PATHS = [("GET", "/stream"), ("POST", "/call"), ("POST", "/copy"), ("POST", "/session"), ("GET", "/runs/0"), ("GET", "/nothing"), ("OPTIONS", "/call"), ("PUT", "/"), ("GET", "/../stream"), ("DELETE", "/stream")]
SAFE = {"cache-control": "no-store", "x-content-type-options": "nosniff", "x-frame-options": "DENY", "referrer-policy": "no-referrer", "cross-origin-resource-policy": "same-origin"}


def door(_: str) -> None:
    """Who has no key, comes by another name or from another page gets nothing, whatever is asked for; a token is good once."""
    with daemon() as started:
        inspector = Inspector("--socket", started.socket)
        address = inspector.address()
        port, token = int(address.split(":")[2].split("/")[0]), address.split("=")[1]
        own = f"127.0.0.1:{port}"
        kind = {"Content-Type": "application/json"}

        def enter(text: bytes, headers: dict[str, str] = kind):
            return ask(port, "POST", "/session", {"Host": own, **headers}, text)

        for wrong in (b"", b"{", b"[]", b"{}", b'{"token": 1}', b'{"token": ""}', b'{"token": "' + token[:-1].encode() + b'"}', b'{"token": "' + token.upper().encode() + b'x"}', b"\xff\xfe", b'{"token": "' + b"0" * 32 + b'"}'):
            status, _, content = enter(wrong)
            check(status in (400, 403) and b"key" not in content.replace(b'"message"', b""), f"/session with {wrong[:40]!r} answers {status} {content[:80]!r}")
        good = json.dumps({"token": token}).encode()
        check(enter(good, {"Content-Type": "text/plain"})[0] == 400, "a form of another page could send a token")
        status, _, content = enter(good)
        check(status == 200, f"the token is not good: {status}")
        key = json.loads(content)["key"]
        check(enter(good)[0] == 403, "a token is good twice")
        check(inspector.address() != address, "the next address has the same token")

        keyed = {"Authorization": f"Bearer {key}"}
        outside = [
            ({"Host": own}, 401), ({"Host": own, "Authorization": "Bearer "}, 401), ({"Host": own, "Authorization": f"Bearer {key[:-1]}"}, 401), ({"Host": own, "Authorization": f"Bearer {token}"}, 401),
            ({"Host": own, "Authorization": f"Basic {key}"}, 401), ({"Host": own, "Cookie": f"key={key}"}, 401),
            ({"Host": "127.0.0.1:evil@x", **keyed}, 421), ({"Host": "127.0.0.1:80:80", **keyed}, 421), ({"Host": "[::1]:1", **keyed}, 421), ({"Host": "evil.example", **keyed}, 421), ({"Host": f"evil.example:{port}", **keyed}, 421), ({"Host": f"127.0.0.1.evil.example:{port}", **keyed}, 421), ({"Host": "", **keyed}, 421), ({**keyed}, 421),
            ({"Host": own, "Origin": "http://evil.example", **keyed}, 403), ({"Host": own, "Origin": "null", **keyed}, 403), ({"Host": own, "Origin": f"https://{own}", **keyed}, 403), ({"Host": own, "Origin": f"http://127.0.0.1:{port + 1}", **keyed}, 403), ({"Host": own, "Origin": f"http://localhost:{port}", **keyed}, 403),
            ({"Host": own, "Sec-Fetch-Site": "cross-site", **keyed}, 403), ({"Host": own, "Sec-Fetch-Site": "same-site", **keyed}, 403), ({"Host": own, "Sec-Fetch-Site": "none", **keyed}, 403),
        ]
        before = started.json("status")["records"]
        # What no page sends is refused by its name, not taken for something else.
        for method, path, headers, refusal in (("HEAD", "/", {}, 405), ("HEAD", "/stream", keyed, 405), ("GET", "//", {}, 400), ("GET", "//stream", keyed, 400), ("GET", "/runs//0", keyed, 400), ("POST", "/call", {**keyed, **kind, "Expect": "100-continue"}, 417)):
            status, answered_headers, content = ask(port, method, path, {"Host": own, **headers})
            check(status == refusal, f"{method} {path} with {headers}: {status}, not {refusal}")
            check((content == b"") == (method == "HEAD"), f"{method} {path} is answered with {content[:80]!r}")
        call = json.dumps({"page": 1, "method": "io.scened.Scenes.Connect", "parameters": {}}).encode()
        for method, path in PATHS:
            for headers, refusal in outside:
                if path == "/session" and refusal == 401:
                    continue
                status, answered_headers, content = ask(port, method, path, {**headers, **(kind if method == "POST" else {})}, call if method == "POST" else b"")
                check(status in (refusal, 404, 405) if refusal == 401 or path == "/" else status == refusal or status == 400 and "Host" not in headers, f"{method} {path} with {headers}: {status}, not {refusal}")
                check(b"event: " not in content and b"reply" not in content and b'"key"' not in content, f"{method} {path} with {headers} says {content[:120]!r}")
                if status != 400:
                    for name, value in SAFE.items():
                        check(answered_headers.get(name) == value, f"{method} {path}: {name} is {answered_headers.get(name)}")
                check(not any(name.startswith("access-control") for name in answered_headers), f"{method} {path} lets another origin read it")
        # The page itself has nothing in it, and may be opened by a link.
        status, headers, content = ask(port, "GET", "/", {"Host": own, "Sec-Fetch-Site": "cross-site"})
        check(status == 200 and key.encode() not in content and token.encode() not in content, "the page has a secret in it")
        check("frame-ancestors 'none'" in headers["content-security-policy"] and "default-src 'none'" in headers["content-security-policy"], "the page has no strict policy")
        check(ask(port, "GET", "/", {"Host": "evil.example"})[0] == 421, "the page is served by another name")
        # Inside, what makes no sense is refused and the rest goes on.
        inside = {"Host": own, **keyed, **kind}
        for body in (b"", b"{", b"null", b'{"page": 99, "method": "io.scened.Scenes.List"}', b'{"method": 1}', b'{"page": -9223372036854775808, "method": "x"}', b'{"page": 1.5, "method": "io.scened.Scenes.List"}', b"[" * 100_000, b'{"page": 1, "method": "io.scened.Scenes.List", "parameters": []}'):
            for path in ("/call", "/copy"):
                check(ask(port, "POST", path, inside, body)[0] == 400, f"{path} with {body[:60]!r} is not refused")
        check(ask(port, "POST", "/call", inside, b" " * (9 << 20))[0] == 413, "a body may have any size")
        check(ask(port, "GET", "/" + "x" * 100_000, inside)[0] in (400, 404, 414, 431), "a target may have any size")
        check(ask(port, "GET", "/stream", {**inside, "X": "y" * 40_000})[0] in (400, 431), "headers may have any size")
        check(started.json("status")["records"] == before, "something was done")
        status, _, content = ask(port, "GET", "/stream", {"Host": own, **keyed})
        check(status == 200 and content.startswith(b"event: page\ndata: {"), f"with a key there is no stream: {status}")
        # A peer that connects and says nothing keeps nobody out, and neither do many.
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
        check(ask(port, "GET", "/", {"Host": own})[0] == 200, "connections that say nothing keep others out")
        for one in idle:
            one.close()
        check(inspector.stop() == 0, "Ctrl-C does not end it with 0")


def slow(_: str) -> None:
    """Connections that dribble, however many, keep no browser out."""
    with daemon() as started, browser() as context:
        inspector = Inspector("--socket", started.socket)
        address = inspector.address()
        port = int(address.split(":")[2].split("/")[0])
        over = threading.Event()
        beginnings = [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n", b"GET /"]

        def dribble() -> None:
            """600 at any time: one that is closed is opened again, as often as a byte is sent."""
            connections: list[socket.socket] = []
            while not over.is_set():
                while len(connections) < 600:
                    one = socket.create_connection(("127.0.0.1", port))
                    one.setblocking(False)
                    one.send(beginnings[len(connections) % len(beginnings)])
                    connections.append(one)
                full.set()
                over.wait(1)
                for one in list(connections):
                    try:
                        one.send(b"a")
                    except OSError:
                        one.close()
                        connections.remove(one)
            for one in connections:
                one.close()

        full = threading.Event()
        thread = threading.Thread(target=dribble, daemon=True)
        thread.start()
        check(full.wait(60), "600 connections cannot be made")
        asked = time.monotonic()
        page = opened(context, address, ENDING)
        # Who sends no whole request is sent away after ten seconds; nobody is to wait for that.
        check(time.monotonic() - asked < 8, f"a browser waits for {time.monotonic() - asked:.0f} s")
        page.click("text=open a window")
        compare(started, page, "beside 600 connections that dribble")
        over.set()
        thread.join()
        status = inspector.stop()
        check(status == 0, f"Ctrl-C ends it with {status}: {inspector.process.stderr.read()}")


FOREIGN = """<!doctype html><meta charset=utf-8><iframe id=f src="ORIGIN/"></iframe><script>
window.result = (async () => {
  const got = [];
  const attempt = async (name, body) => { try { const value = await body(); if (value) got.push(`${name}: ${value}`); } catch {} };
  const call = JSON.stringify({ page: 1, method: "io.scened.Scenes.Connect", parameters: {} });
  for (const key of ["", "KEY"]) {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    for (const path of ["/", "/stream", "/call", "/copy", "/session"]) {
      for (const mode of ["cors", "no-cors"]) for (const credentials of ["include", "omit"]) for (const method of ["GET", "POST"])
        for (const given of [headers, { "Content-Type": "text/plain" }, {}])
          await attempt(`${method} ${path} ${mode}`, async () => (await (await fetch("ORIGIN" + path, { mode, credentials, method, headers: given, body: method === "POST" ? call : undefined, signal: AbortSignal.timeout(3000) })).text()).slice(0, 50));
    }
  }
  await attempt("beacon", () => { navigator.sendBeacon("ORIGIN/call", new Blob([call], { type: "application/json" })); });
  await attempt("stream", () => new Promise((done) => { const source = new EventSource("ORIGIN/stream"); source.onmessage = (event) => done(event.data); source.onerror = () => done(""); }));
  await attempt("frame", () => document.querySelector("#f").contentDocument?.body?.textContent.slice(0, 50));
  await attempt("form", () => new Promise((done) => { const form = document.createElement("form"); Object.assign(form, { method: "post", action: "ORIGIN/call", enctype: "text/plain", target: "f2" }); const input = document.createElement("input"); input.name = call.slice(0, -1) + ', "x": "'; input.value = '"}'; form.append(input); document.body.append(form); form.submit(); setTimeout(() => done(""), 500); }));
  for (const tag of ["script", "img", "link"]) await attempt(tag, () => new Promise((done) => { const one = document.createElement(tag); one.rel = "stylesheet"; one.onload = () => done("loaded"); one.onerror = () => done(""); one[tag === "link" ? "href" : "src"] = "ORIGIN/stream"; document.body.append(one); setTimeout(() => done(""), 1000); }));
  const other = window.open("ORIGIN/");
  await new Promise((done) => setTimeout(done, 1000));
  await attempt("window", () => other?.document?.title);
  return got;
})();
</script>"""


def foreign(_: str) -> None:
    """A page from another origin, which even knows the key, reads nothing and does nothing."""
    with live() as (started, page, _):
        origin = page.url.split("/#")[0].rstrip("/")
        key = page.evaluate("() => sessionStorage.getItem('key')")
        content = FOREIGN.replace("ORIGIN", origin).replace("KEY", key).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        before = started.json("status")["records"]
        for host in ("127.0.0.1", "localhost"):
            other = page.context.new_page()
            other.goto(f"http://{host}:{server.server_port}/")
            check(other.evaluate("() => sessionStorage.getItem('key')") is None, "another port has the key")
            got = other.evaluate("() => window.result")
            check(got == [], f"from {host} it read {got}")
        check(started.json("status")["records"] == before, "another page has done something")
        server.shutdown()
        page.click("text=open a window")
        compare(started, page, "the page itself goes on")


def roles(_: str) -> None:
    """What somebody's roles do not allow is not offered, and is refused."""
    allowed = {
        "observe": [], "inject": ["form.act"], "act": ["form.act", "scene-window .tabs button"], "mutate": ["text=open a window", "input[aria-label=user]", "scene-window summary"],
        "control": [".holds", "text=start over", "text=advance by ms", "button:text-is('script')"], "manage": ["form.act"],
    }
    marks = {mark for some in allowed.values() for mark in some} - {"form.act", "scene-window summary"}
    for role, own in allowed.items():
        roles_given = [word for name in {"observe", role} for word in ("--set", f"roles.{name}=user:65534")]
        with daemon(*roles_given) as started, browser() as context:
            os.chmod(os.path.dirname(started.socket), 0o755)
            os.chmod(started.socket, 0o777)
            started.run("connect", "A")
            inspector = Inspector("--socket", started.socket, before=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
            page = opened(context, inspector.address(), ENDING)
            page.wait_for_selector("scene-window")
            settle(page)
            for mark in own:
                check(page.locator(mark).count() > 0, f"{role}: '{mark}' is not offered")
            for mark in marks - set(own):
                check(page.locator(mark).count() == 0, f"{role}: '{mark}' is offered")
            methods = started_methods(page)
            told = json.loads(subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", f"{PROGRAMS}/scenectl", "status", "--json", "--socket", started.socket], capture_output=True, text=True).stdout)["methods"]
            check(set(methods) <= {method.removeprefix("io.scened.") for method in told}, f"{role}: the form offers more than may be called: {methods}")
            inspector.stop()


def started_methods(page: Page) -> list[str]:
    return page.evaluate("() => [...document.querySelectorAll('[aria-label=method] option')].map((option) => option.value)")


CALLS = [
    ("Scenes.Connect", {"scene": "A"}), ("Scenes.Connect", {"scene": "B", "configuration": "default", "background": True}), ("Scenes.SetActivation", {"scene": "A", "activation": "foregroundInactive"}),
    ("Events.OpenURL", {"url": "qcommerce://product/p1", "scene": "A", "event": "mine", "sourceApplication": "com.apple.MobileSMS"}), ("Events.OpenURLs", {"urls": ["qcommerce://cart", "qcommerce://orders"], "order": [2, 1], "scene": "A", "event": "set"}),
    ("Events.Push", {"payload": {"aps": {"alert": "it's \u00fc \"here\" $(x)"}, "url": "https://shop.example/cart"}, "interaction": "open", "scene": "A"}), ("Events.Push", {"payload": {"aps": {"content-available": 1}}}),
    ("Events.Push", {"payload": {"x": {"payload": {}}}, "voip": True}), ("Events.Push", {"payload": {"aps": {"alert": "x", "category": "REVIEW"}}, "interaction": "action", "action": "REPLY", "text": "-n 'x'", "scene": "A"}),
    ("Events.ContinueActivity", {"activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": "https://shop.example/product/p1", "title": "'", "scene": "B"}), ("Events.ContinueActivity", {"activityType": "com.example.shop.view", "handoff": True, "announced": True}),
    ("Events.TapWidget", {"kind": "cart", "family": "systemSmall", "url": "qcommerce://cart"}), ("Events.PerformShortcut", {"type": "com.example.shop.orders", "userInfo": {"n": [1, 2.5, None, "x"]}}),
    ("Events.SendIntent", {"name": "productSelected", "parameters": {"id": "p1"}, "scene": "A"}), ("Events.SendIntent", {"name": "productSelected", "parameters": {"id": "a=b c"}, "from": "home", "scene": "A"}),
    ("Events.Gesture", {"gesture": "selectTab", "tab": "orders", "scene": "A"}), ("Events.Gesture", {"gesture": "swipeBack", "cancelled": True, "scene": "A"}), ("Events.Gesture", {"gesture": "back", "scene": "A"}), ("Events.Gesture", {"gesture": "dismiss", "scene": "A"}), ("Events.Gesture", {"gesture": "swipeDown", "scene": "A"}),
    ("Events.FinishFlow", {"flow": "auth", "result": "completed", "user": "anna", "scene": "A"}), ("Events.FinishFlow", {"flow": "auth", "result": "cancelled", "scene": "A"}),
    ("Session.SignIn", {"user": "anna", "facts": {"cart": ["p1", "it's"]}, "expiresInMilliseconds": 5000, "staleInMilliseconds": 400, "scene": "A"}), ("Session.MarkStale", {"scene": "A"}), ("Session.SignOut", {}),
    ("Session.Commit", {"set": {"cart": ["a b", "$HOME"]}, "scene": "B"}), ("Session.Commit", {"remove": ["cart", "unavailable"], "expectedRevision": 5}), ("Control.Advance", {"milliseconds": 40}), ("Control.Advance", {"time": 10_000}), ("Control.Advance", {"date": "2026-11-28T08:00:00Z"}),
    ("Session.SignIn", {"user": "--help"}), ("Events.OpenURL", {"url": "--x", "scene": "A"}), ("Events.Gesture", {"gesture": "selectTab", "tab": "-o", "scene": "A"}), ("Session.Commit", {"set": {"-x": 1}}), ("Scenes.Connect", {"scene": "-w"}), ("Scenes.SetActivation", {"scene": "-w", "activation": "foregroundInactive"}),
    ("Events.OpenURL", {"url": "qcommerce://cart", "scene": "-w", "wait": "admitted"}), ("Scenes.Disconnect", {"scene": "B"}), ("Scenes.Discard", {"scene": "B"}),
]


def commands(_: str) -> None:
    """The command that is shown for a call makes the same call."""
    with daemon() as one, daemon() as other:
        inspector = Inspector("--socket", one.socket)
        address = inspector.address()
        port, token = int(address.split(":")[2].split("/")[0]), address.split("=")[1]
        inside = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json"}
        inside["Authorization"] = "Bearer " + json.loads(ask(port, "POST", "/session", inside, json.dumps({"token": token}).encode())[2])["key"]
        stream = http.client.HTTPConnection("127.0.0.1", port)
        stream.request("GET", "/stream", headers=inside)
        stream.getresponse().readline()
        for method, parameters in CALLS:
            body = json.dumps({"page": 1, "method": f"io.scened.{method}", "parameters": parameters}).encode()
            command = json.loads(ask(port, "POST", "/call", inside, body)[2])["command"]
            check(not command.startswith("#"), f"{method} {parameters}: no command does it")
            before = len(inputs(other))
            ran = other.shell(command)
            if method == "Control.Advance":
                check(one.json("status")["clock"] == other.json("status")["clock"], f"{parameters}: '{command}' leads to another time: {ran.stderr}")
                continue
            made = inputs(other)[before:]
            told = inputs(one)[-1]
            check(made == [told], f"{method} {parameters}: '{command}' calls {made}, not {told}: {ran.stderr}")
        stream.close()
        inspector.stop()


def inputs(started) -> list[dict]:
    """The calls that a daemon was sent, but for when, how long they wait, and what is empty."""
    call = b'{"method": "io.scened.Recording.Read", "parameters": {}}\0'
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(started.socket)
        connection.sendall(call)
        data = b""
        while not data.endswith(b"\0"):
            data += connection.recv(1 << 16)
    read = json.loads(data[:-1])["parameters"]["inputs"]
    return [{"method": one["method"], **{name: value for name, value in one["parameters"].items() if name != "wait" and value not in ([], {})}} for one in read]


if __name__ == "__main__":
    {"door": door, "slow": slow, "foreign": foreign, "roles": roles, "commands": commands}[sys.argv[1]]("")
