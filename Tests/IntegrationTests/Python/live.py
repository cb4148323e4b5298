"""Drives the page over a live daemon in Chromium.

    live.py MODE PROGRAMS [SEED]    # PROGRAMS is the folder of scened and scenectl

Modes: walk (random clicks; what the page shows, what the commands and the script do again), holds, forgotten, keys, ends, lost, hangs, reloads, served, hostile, digits, secrets, words, looks. It
prints one line for each finding, and nothing if there is none.
"""

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import urllib.parse

from playwright.sync_api import Page

from inspected import ENDING, PROGRAMS, Inspector, answered, browser, caught_up, compare, daemon, live, opened
from everybody import hears, live_regions, names
from viewer import READ, TEXTS, audit, check, settle

CONTROLS = "scene-window button[data-act], .acts > .tools button, .acts > div form button"


def copied(page: Page, target: str) -> str:
    """What the button that copies as this shows."""
    page.click(f"button:text-is('{target}')")
    page.wait_for_function("() => document.querySelector('.acts section output').value !== '…'")
    said = page.locator(".acts section output").first.inner_text()
    check(said == f"{target}: copied", f"as {target}: {said}")
    return page.input_value("textarea[readonly]")


def walk(seed: str) -> None:
    """Random clicks: what is shown is what is the case, the commands do the same, and so does the script."""
    app = ["shop", "bank", "club"][int(seed) % 3]
    links = {"shop": ["qcommerce://product/p1", "https://shop.example/cart", "qcommerce://orders", "qcommerce://nowhere"], "bank": ["bank://accounts", "bank://transfers"], "club": ["club://home"]}[app]
    chance = random.Random(seed)
    with live("--app", app) as (started, page, _):
        page.on("dialog", lambda dialog: dialog.dismiss())
        routes = [route for route in page.evaluate("() => [...document.querySelectorAll('#routes option')].map((option) => option.value)") if "{" not in route]
        links += routes
        page.click("text=open a window")
        answered(page)
        compare(started, page, f"seed {seed}, the first window")
        for step in range(16):
            names = ["Anna", "bob"]
            kind = chance.random()
            if kind < 0.25:
                page.select_option("[aria-label=method]", "Events.OpenURL")
                page.locator(".fields input").first.fill(chance.choice(links))
                page.click("form.act button[type=submit]")
                done = "open"
            elif kind < 0.35:
                page.fill("[aria-label=user]", chance.choice(names))
                page.click("text=sign in")
                done = "sign in"
            else:
                page.evaluate("() => document.querySelectorAll('details.menu').forEach((menu) => { menu.open = true; })")
                found = [(one, one.inner_text(), one.get_attribute("data-act")) for one in page.locator(CONTROLS).all() if one.is_visible()]
                found = [one for one in found if one[1] not in ("start over", "sign in", "set", "discard") and not one[1].endswith("…")]
                if page.locator("scene-window").count() > 3:
                    found = [one for one in found if one[1] != "open a window"]
                button, text, act = chance.choice(found)
                button.click()
                done = f"{text} ({act})"
            answered(page)
            compare(started, page, f"seed {seed}, step {step}, {done}")
        told = started.state()
        page.click("button:text-is('commands')")
        commands = page.input_value("textarea[readonly]")
        page.click("button:text-is('script')")
        page.wait_for_function("() => document.querySelector('textarea[readonly]').value.startsWith('{')")
        script = page.input_value("textarea[readonly]")
        check(page.evaluate("() => navigator.clipboard.readText()") == script, "what is shown is not what was copied")
        tests = {}
        for target, beginning in (("pytest", "def test"), ("Swift test", "@Suite"), ("scenario", "actors")):
            tests[target] = copied(page, target)
            check(beginning in tests[target], f"seed {seed}: as {target} it is {tests[target][:300]}")
    with daemon("--app", app) as again:
        for line in commands.splitlines():
            again.shell(line)
            again.run("quiesce")
        check(again.state() == told, f"seed {seed}: the commands end otherwise: {again.state()} instead of {told}")
    with daemon("--app", app) as again:
        played = again.run("play", "-", "--reset", input=script)
        check(played.returncode == 0, f"seed {seed}: the script ends otherwise: {played.stdout[-600:]}{played.stderr}")
        for target, name in (("pytest", "pytest"), ("Swift test", "swift"), ("scenario", "scenario")):
            written = again.run("play", "-", "--export", name, "--app", app, input=script)
            check(len(written.stdout.splitlines()) == len(tests[target].splitlines()), f"seed {seed}: as {target} it is not what --export {name} writes: {written.stderr}")


def holds(_: str) -> None:
    """A hold stops what it says, lasts as long as the page, and what waits for it waits alone."""
    with live() as (started, page, _):
        page.click("text=open a window")
        compare(started, page, "one window")
        page.wait_for_function("() => location.hash === `#${document.querySelector('.slider input').value}`")
        page.goto(f"{page.url.split('#')[0]}#0")
        page.wait_for_selector("[role=option][aria-selected=true][data-row='0']")
        page.keyboard.press("End")
        page.select_option("[aria-label='point of the hold']", "planned")
        page.click(".acts section button:text-is('hold')")
        page.wait_for_selector(".holds li:has-text('has caught nothing yet')")
        page.select_option("[aria-label=method]", "Events.OpenURL")
        page.locator(".fields input").first.fill("qcommerce://product/p1")
        page.click("form.act button[type=submit]")
        page.wait_for_selector(".holds li:has-text('holds A')")
        check(page.locator("scene-window .badge:has-text('held at planned')").count() == 1, "the window does not say that it is held")
        # It waits its turn behind the hold; what comes after it does not wait for it.
        page.click("scene-window summary")
        page.click("button:text-is('disconnect')")
        page.fill("[aria-label=user]", "anna")
        page.click("text=sign in")
        page.wait_for_selector(".log li:has-text('sign-in anna'):has-text('✓')")
        check(page.locator(".log li:has-text('disconnect'):has-text('✓')").count() == 0, "a window was released while it was held")
        page.click("[data-act^=release]")
        page.wait_for_selector(".log li:has-text('disconnect'):has-text('✓')")
        compare(started, page, "released")
        check(page.locator(".holds li").count() == 0, "a hold that was released is still listed")
        told = started.state()
        page.click("button:text-is('commands')")
        commands = page.input_value("textarea[readonly]")
        with daemon() as again:
            # As it is pasted: a line that reads from the terminal would swallow the others.
            ran = again.shell(f"bash -i <<'END' 2>&1\n{commands}END\n")
            again.run("quiesce")
            check(again.state() == told, f"the commands end otherwise: {again.state()} instead of {told}: {commands}{ran.stdout}")
        # The copies hold where the page held.
        script = copied(page, "script")
        for call in ("Control.Hold", "Control.Await", "Control.Release"):
            check(script.count(call) == 1, f"the script has no {call}: {script}")
        with daemon() as again:
            played = again.run("play", "-", input=script)
            check(played.returncode == 0, f"the script ends otherwise: {played.stdout}{played.stderr}")
        for name, block in (("pytest", '.at("planned") as h1:'), ("Swift test", ".at(.planned) { h1 in"), ("scenario", "under a hold")):
            check(block in copied(page, name), f"the {name} does not say the hold")
        # A page that is loaded again goes on as it was; one that goes takes its holds with it.
        page.click("[data-act=connect]") if page.locator("[data-act=connect]").is_visible() else (page.click("scene-window summary"), page.click("[data-act=connect]"))
        caught_up(started, page)
        page.click(".acts section button:text-is('hold')")
        page.wait_for_selector(".holds li")
        answered(page)
        done = page.locator(".log li").all_inner_texts()
        page.reload()
        page.wait_for_selector(".page")
        check(page.evaluate("() => Object.keys(sessionStorage).join()") == "key", "the browser keeps more than its key")
        settle(page)
        again = page.locator(".log li").all_inner_texts()
        check(again == done, f"loaded again, what was done is {again}, not {done}")
        started.run("openurl", "--scene", "A", "qcommerce://product/p2", "--wait", "admitted")
        page.wait_for_selector(".holds li:has-text('holds A')")
        page.click("[data-act^=release]")
        compare(started, page, "loaded again and released")
        page.click(".acts section button:text-is('hold')")
        page.wait_for_selector(".holds li")
        page.click("[data-act^=release]")
        # After a reset the daemon makes the same names, and any text may name a hold.
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("text=start over")
        page.wait_for_selector("scene-window", state="detached")
        page.click("text=open a window")
        caught_up(started, page)
        page.click(".acts section button:text-is('hold')")
        page.wait_for_selector(".holds li")
        for name in ("if", "x';echo"):
            page.select_option("[aria-label=method]", "Control.Hold")
            page.select_option("[aria-label='point of Control.Hold']", "settled")
            page.evaluate("() => document.querySelectorAll('.fields details').forEach((more) => { more.open = true; })")
            page.fill("[aria-label='hold of Control.Hold']", name)
            page.click("form.act button[type=submit]")
            page.wait_for_selector(f".holds li:has-text(\"{name}\")")
        page.click("[data-act='release if']")
        page.wait_for_function("() => document.querySelectorAll('.holds li').length === 2")
        started.run("release", "x';echo")
        page.click("[data-act^='release x']")
        page.wait_for_function("() => document.querySelectorAll('.holds li').length === 1")
        page.click("button:text-is('commands')")
        commands = page.input_value("textarea[readonly]")
        check("\nwait\n" not in commands, f"what waits for a hold that stands is waited for: {commands}")
        checked = subprocess.run(["bash", "-n", "-c", commands], capture_output=True, text=True)
        check(checked.returncode == 0 and commands.count("coproc hold_") == commands.count("{ scenectl hold") == 6, f"no commands of bash: {checked.stderr}{commands}")
        page.close()
        check(started.run("openurl", "--scene", "A", "qcommerce://product/p3", "--timeout", "20s").returncode == 0, "a hold outlives its page")


def forgotten(_: str) -> None:
    """What no record tells any more is shown as it is."""
    with daemon("--set", "retainedRecords=1000", "--app", "bank") as started, browser() as context:
        started.run("connect", "A")
        started.run("session", "sign-in", "anna")
        started.run("connect", "B")
        started.run("openurl", "--scene", "B", "bank://accounts")
        started.run("tap", "--scene", "B", started.json("show", "B")["scenes"][0]["window"]["tabs"][-1]["id"])
        started.run("disconnect", "A")
        shown = started.state()
        # Nothing of it is in the records then.
        while started.json("status")["records"] < 1200:
            started.shell("for i in $(seq 20); do scenectl connect C > /dev/null; scenectl discard C > /dev/null; done")
        inspector = Inspector("--socket", started.socket)
        page = opened(context, inspector.address(), ENDING)
        check("A" in shown["windows"] and "B" in shown["windows"], "the windows were not there")
        compare(started, page, "after their records are gone")
        session = page.evaluate(READ)
        check(not session["factsUnknown"] and not session["noSession"] and not session["oldSession"], "the session is not known")
        check(page.locator("scene-window [data-act^=tab]").count() > 0, "nothing can be done in a window whose records are gone")
        started.run("session", "sign-out")
        compare(started, page, "after a change")
        page.keyboard.press("Home")
        settle(page)
        check(page.locator("p.past").is_visible(), "the page does not say that it shows what was")
        inspector.stop()


def press_until(page: Page, text: str) -> None:
    """Tab until the focus is on what says this."""
    for _ in range(300):
        if page.evaluate("() => { const a = document.activeElement === document.body ? null : document.activeElement; return [a?.textContent.trim(), a?.getAttribute('aria-label') ?? '', a?.dataset?.act ?? ''].join('|'); }").find(text) >= 0:
            return
        page.keyboard.press("Tab")
    check(False, f"the keyboard does not reach '{text}'")


def keys(_: str) -> None:
    """A keyboard is enough, and keeps its place in a window that is drawn anew."""
    with live() as (started, page, _):
        focused = "() => document.activeElement?.dataset?.act ?? ''"
        press_until(page, "open a window")
        page.keyboard.press("Enter")
        compare(started, page, "open")
        press_until(page, "tab orders")
        page.keyboard.press("Enter")
        compare(started, page, "tap")
        check(page.evaluate(focused) == "tab orders", f"the focus is lost: {page.evaluate(focused)!r}")
        check(started.state()["windows"]["A"]["tab"] == "orders", "Enter on a tab does not select it")
        press_until(page, "more for window")
        page.keyboard.press("Enter")
        press_until(page, "to foregroundInactive")
        page.keyboard.press("Enter")
        compare(started, page, "inactive")
        check(page.evaluate(focused) == "menu summary", f"after something of a menu the focus is at {page.evaluate(focused)!r}")
        page.keyboard.press("Enter")
        press_until(page, "send an intent")
        page.keyboard.press("Enter")
        page.keyboard.type("productSelected")
        check(page.evaluate("() => document.activeElement.value") == "productSelected", "a form that is asked for is not where one types")
        press_until(page, "user")
        page.keyboard.type("anna")
        page.keyboard.press("Enter")
        page.wait_for_selector(".log li:has-text('sign-in anna'):has-text('✓')")
        compare(started, page, "sign in")
        # Who releases a hold is at the next one, and after the last where holds are made.
        press_until(page, "hold what comes to this point")
        for held in (1, 2):
            page.keyboard.press("Enter")
            page.wait_for_function("(held) => document.querySelectorAll('.holds li').length === held", arg=held)
        press_until(page, "release the hold")
        for held, wanted in ((1, "release the hold"), (0, "hold what comes to this point")):
            page.keyboard.press("Enter")
            page.wait_for_function("(held) => document.querySelectorAll('.holds li').length === held", arg=held)
            at = page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName")
            check(at.startswith(wanted), f"after a release the focus is at {at!r}")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("Home")
        settle(page)
        check(page.locator("scene-window button").count() == 0, "something can be done in a window as it was")
        press_until(page, "back to now")
        page.keyboard.press("Enter")
        settle(page)
        check(page.evaluate("() => document.activeElement.type") == "range", "after 'back to now' the focus is lost")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("End")
        settle(page)
        check(page.locator("scene-window button").count() > 0, "nothing can be done in a window as it is")


def ends(_: str) -> None:
    """A host that is reset is followed by the next one; a daemon that ends leaves what there was, and nothing to do."""
    with live() as (started, page, inspector):
        page.click("text=open a window")
        compare(started, page, "open")
        page.click("scene-window [data-act='tab orders']")
        compare(started, page, "tapped")
        page.wait_for_selector(".log li:has-text('applied')")
        answers = iter([False, True])
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept() if next(answers) else dialog.dismiss()))
        page.click("text=start over")
        compare(started, page, "not started over")
        check(page.locator("scene-window").count() == 1 and len(asked) == 1, "it starts over without being asked")
        host = started.json("status")["host"]
        page.click("text=start over")
        page.wait_for_function("(host) => !document.querySelector('h1').textContent.includes(host.slice(0, 8)) && document.querySelector('record-list')", arg=host)
        compare(started, page, "started over")
        check(page.locator("scene-window").count() == 0, "windows of another host are shown")
        check("live" in page.locator("p.state").inner_text(), f"after a reset the page says {page.locator('p.state').inner_text()}")
        check(page.locator(".log li:has-text('in a run before')").count() == 1, "what was done in the run before is not told apart")
        # What has the same names in the next run is another event.
        page.click("text=open a window")
        compare(started, page, "open again")
        page.click("scene-window [data-act='tab account']")
        compare(started, page, "tapped again")
        page.wait_for_selector(".log li:last-child:has-text('applied'):not(:has-text('in a run before'))")
        check(page.locator(".log li:has-text('in a run before')").count() == 1, "an event of this run is told as one of the run before")
        page.reload()
        page.wait_for_selector("p.state:has-text('live')")
        compare(started, page, "loaded again")
        check(page.locator(".log li:has-text('in a run before')").count() == 1, "after it is loaded again, the runs are not told apart")
        started.run("connect", "B")
        compare(started, page, "somebody else opens a window")
        started.stop()
        page.wait_for_selector("p.state:has-text('ended')")
        settle(page)
        check(page.locator("scene-window button").count() == 0, "something can be done in a window without a daemon")
        check(page.locator("scene-window").count() == 2, "what there was is gone")
        page.keyboard.press("Home")
        settle(page)
        check("record 1 of" in page.locator(".slider output").inner_text(), "one cannot go through what there was")
        page.click("text=look for it again")
        page.wait_for_selector("p.state:has-text('no daemon')")
        check(inspector.process.poll() is None, "it ends with the daemon")


def lost(_: str) -> None:
    """A call that the daemon does not take costs the page its connection, and nothing more."""
    with live("--set", "limits.message=4096") as (started, page, _):
        page.click("text=open a window")
        compare(started, page, "open")
        page.select_option("[aria-label=method]", "Events.OpenURL")
        page.locator(".fields input").first.fill(f"https://shop.example/{'x' * 5000}")
        page.click("form.act button[type=submit]")
        page.wait_for_selector(".log li:has-text('closed the connection'):has-text('connected again')")
        page.click("scene-window [data-act='tab orders']")
        page.wait_for_selector(".log li:last-child:has-text('applied')")
        compare(started, page, "after it")
        page.click("button:text-is('commands')")
        lines = page.input_value("textarea[readonly]").splitlines()
        check(lines[0] == "#!/bin/bash", f"the commands begin with {lines[0]}")
        check([line.startswith("#") for line in lines[1:]] == [False, True, False], "what was refused is not a comment")


def hangs(_: str) -> None:
    """A daemon that does not answer is told, and so is that it does again."""
    with live() as (started, page, _):
        page.click("text=open a window")
        compare(started, page, "open")
        started.process.send_signal(signal.SIGSTOP)
        try:
            page.wait_for_selector("p.state:has-text('the daemon does not answer since')", timeout=120_000)
            hears(page, "the daemon does not answer since", "a daemon that hangs")
        finally:
            started.process.send_signal(signal.SIGCONT)
        page.wait_for_selector("p.state:has-text('live'):has-text('answers again')", timeout=120_000)
        hears(page, "answers again", "a daemon that goes on")
        page.click("scene-window [data-act='tab orders']")
        compare(started, page, "after it")


def reloads(_: str) -> None:
    """What is offered where one types is what the manifest in force has."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = f"{folder}/shop.yaml"
        text = subprocess.run([f"{PROGRAMS}/scenectl", "app", "print", "shop"], capture_output=True, text=True, check=True).stdout
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(text)
        with live("--app", manifest) as (started, page, _):
            offered = "() => [...document.querySelectorAll('#routes option')].map((one) => one.value)"
            before = page.evaluate(offered)
            check("qcommerce://orders" in before, f"the routes are {before}")
            with open(manifest, "w", encoding="utf-8") as file:
                file.write(text.replace("qcommerce://orders", "qcommerce://all-orders"))
            told = started.run("reload")
            check(told.returncode == 0, f"no reload: {told.stderr}")
            try:
                page.wait_for_function("() => [...document.querySelectorAll('#routes option')].some((one) => one.value === 'qcommerce://all-orders')", timeout=120_000)
            except Exception:
                check(False, f"after a reload the routes are {page.evaluate(offered)}")
            check("qcommerce://orders" not in page.evaluate(offered), "a route is offered that is gone")


def served(_: str) -> None:
    """Files are served, one or two beside each other; statuses of what goes wrong."""
    with daemon() as started, browser() as context, tempfile.TemporaryDirectory() as folder:
        started.run("connect", "A")
        started.run("openurl", "--scene", "A", "qcommerce://product/p1")
        lines = started.run("records", "--json").stdout
        for name, text in (("a", lines), ("b", "".join(line + "\n" for line in lines.splitlines()[:-3]))):
            with open(f"{folder}/{name}.jsonl", "w", encoding="utf-8") as file:
                file.write(text)
        inspector = Inspector(f"{folder}/a.jsonl")
        page = opened(context, inspector.address())
        check(page.evaluate("() => document.querySelector('record-list').rows.count") == len(lines.splitlines()), "not every record is there")
        check(page.evaluate(READ)["windows"]["A"]["front"] == "product", "the window is not what it was")
        check(page.locator(".acts, scene-window button").count() == 0, "something can be done with what is over")
        # Another address in the same tab: a place, or a way in.
        page.goto(f"{page.url.split('#')[0]}#3")
        page.wait_for_selector("[role=option][aria-selected=true][data-row='3']")
        with page.expect_navigation(wait_until="load", url=lambda url: "#" not in url):
            page.evaluate("(address) => { location.href = address; }", inspector.address())
        page.wait_for_selector(".page")
        check("token" not in page.url, f"a token is left in the address: {page.url}")
        check(inspector.stop(signal.SIGTERM) == 0, "SIGTERM does not end it with 0")
        piped = subprocess.Popen([f"{PROGRAMS}/scenectl", "inspect", "-", f"{folder}/b.jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        piped.stdin.write(lines)
        piped.stdin.close()
        page = opened(context, piped.stdout.readline().strip())
        check(page.locator(".pair").count() == 1, "two files are not beside each other")
        port = int(page.url.split(":")[2].split("/")[0])
        taken = subprocess.run([f"{PROGRAMS}/scenectl", "inspect", f"{folder}/a.jsonl", "--port", str(port)], capture_output=True, text=True, timeout=60)
        check(taken.returncode == 1 and f"127.0.0.1:{port}" in taken.stderr, f"a port that is taken: {taken.returncode} {taken.stderr}")
        piped.send_signal(signal.SIGINT)
        check(piped.wait(60) == 0, "Ctrl-C does not end it with 0")
        nobody = subprocess.run([f"{PROGRAMS}/scenectl", "inspect", "--socket", f"{folder}/none"], capture_output=True, text=True, timeout=60)
        check(nobody.returncode == 3 and nobody.stdout == "", f"without a daemon: {nobody.returncode} {nobody.stdout}{nobody.stderr}")


def hostile(_: str) -> None:
    """Texts of the daemon and of the form are text and no more than that, and what is wrong in a form is said beside it."""
    with live(expected=("status of 400",)) as (started, page, _):
        page.click("text=open a window")
        for text in [*TEXTS[:4], "a" * 200_000, *TEXTS[8:10], TEXTS[10].encode("utf-16", "surrogatepass").decode("utf-16"), TEXTS[11], "'; touch /tmp/hacked; '", "$(touch /tmp/hacked)", "\u0301'"]:
            page.select_option("[aria-label=method]", "Events.OpenURL")
            page.locator(".fields input").first.fill(text)
            page.click("form.act button[type=submit]")
            answered(page)
            page.select_option("[aria-label=method]", "Session.SignIn")
            page.locator(".fields input").first.fill(text)
            page.click("form.act button[type=submit]")
            page.fill("[aria-label='fact to set']", text[:1000])
            page.fill("[aria-label='value of the fact']", text[:1000])
            page.click("button:text-is('set')")
            answered(page)
        page.select_option("[aria-label=method]", "Events.Push")
        page.locator(".fields textarea").first.fill("{ no JSON")
        page.click("form.act button[type=submit]")
        check("payload: this is no JSON" in page.locator("form.act [role=alert]").inner_text(), "a text that is no JSON is not refused in the form")
        page.locator(".fields textarea").first.fill("")
        page.click("form.act button[type=submit]")
        check("payload: a value is needed" in page.locator("form.act [role=alert]").inner_text(), "what is needed is not asked for")
        compare(started, page, "after all of it")
        check(page.evaluate("() => window.hacked") is None and not os.path.exists("/tmp/hacked"), "a text was run")
        check(page.locator("main img, main iframe, main script, main svg").count() == 0, "a text made an element")
        marks = page.evaluate(r"""() => /[\u202a-\u202e\u2066-\u2069\u200f\u061c\u0000-\u0008\u001b]/.test(document.body.innerText)""")
        check(not marks, "a mark with power over the text came through")
        check(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "a text makes the page wider than the window")


def digits(_: str) -> None:
    """A number that most programs round is sent, shown and told as it was typed."""
    with live("--app", "bank") as (started, page, _):
        for number, by in ((9_007_199_254_740_993, "the fact"), (-9_223_372_036_854_775_807, "the form of calls")):
            if by == "the fact":
                page.fill("[aria-label='fact to set']", "transfers")
                page.fill("[aria-label='value of the fact']", str(number))
                page.click("button:text-is('set')")
            else:
                page.select_option("[aria-label=method]", "Session.Commit")
                page.get_by_text("more parameters").click()
                page.get_by_label("set of Session.Commit").fill(json.dumps({"transfers": number}))
                page.click("form.act button[type=submit]")
            answered(page)
            caught_up(started, page)
            problem = "".join(page.locator(".acts [role=alert]").all_inner_texts())
            check(problem == "", f"{number} by {by} is refused: {problem}")
            told = started.json("session", "get")["facts"]["transfers"]
            check(told == number, f"{number} by {by} comes as {told}")
            shown = page.evaluate(READ)["session"].get("transfers")
            check(shown == str(number), f"{number} by {by} is shown as {shown}")
            done = page.locator(".log li").last.inner_text()
            check(str(number) in done, f"{number} by {by} is told as {done}")
        calls = page.locator(".log li").count()
        page.fill("[aria-label='fact to set']", "transfers")
        page.fill("[aria-label='value of the fact']", "1e400")
        page.click("button:text-is('set')")
        page.wait_for_selector(".acts [role=alert]:has-text('No number can be as large')")
        check(page.locator(".log li").count() == calls, "a number that is too large is sent as something else")
        page.fill("[aria-label='value of the fact']", "1")
        page.click("button:text-is('set')")
        answered(page)
        page.select_option("[aria-label=method]", "Control.Advance")
        page.get_by_text("more parameters").click()
        page.get_by_label("milliseconds of Control.Advance").fill("9007199254740993")
        page.click("form.act button[type=submit]")
        answered(page)
        done = page.locator(".log li").last.inner_text()
        check("9007199254740993" in done, f"a number of a call is told as {done}")


SAFE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Apps/secrets.yaml")


def secrets(_: str) -> None:
    """What the manifest calls secret stands nowhere in the page once it was sent; the commands ask for it, and then do the same."""
    pin, token, code, words = """Qz"pin' \\$x""", "QztokenAbc", "Qz code/%&", "Qzwords 'and'"
    typed = [pin, token, code, words, "Qzrefused", "Qznowhere"]
    asked: dict[str, str] = {}
    with live("--app", SAFE, expected=("status of 400",)) as (started, page, _):

        def last(value: str, form: str = "") -> None:
            """The newest of what was done asks for a value, written in this form."""
            answered(page)
            done = page.locator(".log li").last.inner_text()
            names = [name for name in re.findall(r"\$\{(SECRET_[0-9A-F]{8}(?:_[A-Z]+)?):", done) if name.endswith(form)]
            check(len(names) == 1, f"a call with {value!r} is shown as {done!r}")
            asked.update((name, urllib.parse.quote(value, safe="") if form == "_URL" else json.dumps(value)[1:-1] if form == "_JSON" else value) for name in names)

        def send(method: str, **fields: str) -> None:
            page.select_option("[aria-label=method]", method)
            page.evaluate("() => document.querySelectorAll('.fields details').forEach((one) => { one.open = true; })")
            for name, text in fields.items():
                page.get_by_label(f"{name} of {method}", exact=True).fill(text)
            page.click("form.act button[type=submit]")
            answered(page)

        page.click("text=open a window")
        page.fill("[aria-label='fact to set']", "pin")
        page.fill("[aria-label='value of the fact']", pin)
        page.click("button:text-is('set')")
        last(pin)
        send("Events.OpenURL", url=f"safe://reset/{token}", scene="A")
        last(token, "_URL")
        send("Events.SendIntent", name="kept", parameters=json.dumps({"code": code}), scene="A")
        last(code)
        send("Events.Push", payload=json.dumps({"aps": {"alert": "x"}, "invite": {"words": words}}), scene="A")
        last(words, "_JSON")
        send("Session.SignIn", user="anna", facts=json.dumps({"pin": pin}))
        last(pin, "_JSON")
        told = started.state()
        # What is refused may be anything, and so may what leads nowhere.
        send("Session.Commit", set=json.dumps({"pin": "Qzrefused", "nothing": 1}))
        send("Events.OpenURL", url="unsafe://Qznowhere", scene="A")
        caught_up(started, page)
        page.click("button:text-is('commands')")
        commands = page.input_value("textarea[readonly]")
        where = {
            "the list": page.locator(".log").inner_text(), "the commands": commands, "the news": page.locator("#news").inner_text(),
            "the records": page.evaluate("() => { const { history } = document.querySelector('record-list').rows; return Array.from({ length: history.count }, (_, at) => history.text(at)).join(''); }"),
        }
        with page.expect_response(lambda response: response.url.endswith("/stream")):
            page.reload()
        page.wait_for_selector(".page")
        settle(page)
        where["the page that is loaded again"] = page.content()
        where["what the browser keeps"] = page.evaluate("() => JSON.stringify([sessionStorage, localStorage])")
        page.click("button:text-is('script')")
        page.wait_for_function("() => document.querySelector('textarea[readonly]').value.startsWith('{')")
        where["the script"] = page.input_value("textarea[readonly]")
        page.click("button:text-is('scenario')")
        page.wait_for_function("() => document.querySelector('.acts section output').value !== '…'")
        said = page.locator(".acts section output").first.inner_text()
        check("secret" in said and "--secret" not in said and "inspected" not in said, f"as a scenario: {said}")
        for place, text in where.items():
            found = [one for one in typed if one in text or urllib.parse.quote(one, safe="") in text or json.dumps(one)[1:-1] in text]
            check(found == [], f"{place} has {found}")
    with daemon("--app", SAFE) as again:
        ran = again.shell(commands)
        check(ran.returncode != 0 and "secret and asked for" in ran.stderr, f"without the values the commands say {ran.stderr!r}")
        again.run("reset", "--seed", "7")
        given = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in asked.items())
        for line in commands.splitlines():
            again.shell(given + line)
            again.run("quiesce")
        same = again.state()
        # The placeholders of two hosts differ, and stand for one value: sending that changes nothing.
        hidden = [json.loads(re.sub(r"secret:[0-9a-f]{24}", "secret", json.dumps(state))) for state in (told, same)]
        check(hidden[0] == hidden[1], f"the commands end otherwise: {same} instead of {told}")
        again.run("session", "set", f"pin={pin}")
        again.run("intent", "--scene", "A", "kept", f"code={code}")
        check(again.state()["facts"] == same["facts"], f"the commands send other values: {same['facts']}, not {again.state()['facts']}")


def words(_: str) -> None:
    """What is said is for who uses the page: in forms, of the clock, of the session, of what is long, of one thing."""
    with live("--app", "bank") as (started, page, _):
        for method in page.eval_on_selector_all("[aria-label=method] option", "(options) => options.map((option) => option.value)"):
            page.select_option("[aria-label=method]", method)
            said = re.findall(r".*\bnull\b.*", page.locator("form.act").inner_text())
            check(said == [], f"the form of {method} says {said}")
        page.select_option("[aria-label=method]", "Events.OpenURL")
        check("leave it empty, and the daemon chooses" in page.locator("form.act").inner_text(), "nothing says that the daemon chooses a window")
        page.click("text=open a window")
        compare(started, page, "one window")
        parts = [part.split("\n")[0] for part in page.locator(".session .parts h4").all_inner_texts()]
        check(parts == ["Preconditions", "Facts"], f"the parts of the session are {parts}")
        under = page.evaluate("() => [...document.querySelectorAll('.session h4')].map((heading) => [...heading.nextElementSibling.querySelectorAll('li > span:first-child')].map((name) => name.textContent))")
        declared = started.json("session", "get")
        check(sorted(under[1]) == sorted(declared["facts"]), f"under Facts is {under[1]}, not {sorted(declared['facts'])}")
        check("signedIn" in under[0] and not set(under[0]) & set(declared["facts"]), f"under Preconditions is {under[0]}")
        # Others let time pass, too, also over midnight.
        for milliseconds, says in ((1000, "2026"), (26 * 3600 * 1000, "Nov 28, 2026")):
            started.run("advance", str(milliseconds))
            caught_up(started, page)
            clock = page.locator("section[aria-label=clock] output").inner_text()
            check(says in clock and clock.endswith("UTC"), f"after an advance the clock says {clock!r}")
        page.fill("[aria-label='milliseconds to advance by']", str(24 * 3600 * 1000))
        page.click("text=advance by ms")
        answered(page)
        started.run("connect", "B")
        caught_up(started, page)
        clock = page.locator("section[aria-label=clock] output").inner_text()
        check("Nov 29, 2026" in clock, f"after what came after an advance the clock says {clock!r}")
        long = "x" * 900_000
        page.fill("[aria-label='fact to set']", "note")
        page.locator("[aria-label='value of the fact']").evaluate("(input, value) => { input.value = value; }", long)
        page.click("button:text-is('set')")
        answered(page)
        done = page.locator(".log li").last.inner_text()
        check(len(done) < 600 and "…" in done and "characters" in done, f"what is long stands there as {len(done)} letters: {done[:400]}")
        page.click("button:text-is('commands')")
        check(long in page.input_value("textarea[readonly]"), "what was copied is cut")
        text = page.evaluate("() => document.body.innerText + [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label')).join('\\n')")
        for wrong in re.findall(r"(?<![0-9.,])1 (?:records|windows|events|lines|steps|lanes|commits|gaps|places|intervals)\b.*", text):
            check(False, f"of one thing it says {wrong!r}")


def looks(_: str) -> None:
    """How it looks, with long names and values, a flow, a hold, and an open menu."""
    with live("--transition", "100") as (started, page, _):
        for words in (["connect", "W" * 64], ["session", "set", f"cart={json.dumps(['x' * 300])}"], ["connect", "A"], ["openurl", "--scene", "A", "https://shop.example/cart", "--wait", "admitted"], ["advance", "100"], ["connect", "B"], ["openurl", "--scene", "B", "qcommerce://product/p1", "--wait", "admitted"], ["advance", "100"]):
            started.run(*words)
        page.click(".acts section button:text-is('hold')")
        page.click("scene-window summary")
        caught_up(started, page)
        page.locator("button:text-is('complete …')").click()
        settle(page)
        names(page, "live")
        check(live_regions(page) == ["news"], f"more than one place tells what changes: {live_regions(page)}")
        audit(page)


if __name__ == "__main__":
    modes = {"walk": walk, "holds": holds, "keys": keys, "ends": ends, "lost": lost, "hangs": hangs, "reloads": reloads, "forgotten": forgotten, "served": served, "hostile": hostile, "digits": digits, "secrets": secrets, "words": words, "looks": looks}
    modes[sys.argv[1]](sys.argv[3] if len(sys.argv) > 3 else "1")
