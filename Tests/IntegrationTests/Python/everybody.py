"""Whether a page of `scenectl inspect` is for everybody: also for who hears it, reads it on paper or in other colours, or has a narrow screen.

    everybody.py tree PAGE       # names of controls and regions, and what is said when something changes
    everybody.py colours PAGE    # forced colours
    everybody.py locales PAGE    # numbers in English and in German
    everybody.py print PAGE      # on paper
    everybody.py narrow PAGE     # 400 px
    everybody.py many SCENECTL RECORDS FOLDER    # the same records, with 300 windows more

It prints one line for each finding, and nothing if there is none.
"""

import collections
import json
import re
import subprocess
import sys

from playwright.sync_api import Page

from viewer import check, opened, records, settle

CONTROLS = {"button", "checkbox", "combobox", "DisclosureTriangle", "link", "listbox", "option", "searchbox", "slider", "spinbutton", "textbox"}
REGIONS = {"form", "group", "image", "region", "search"}
# What is a group by its tag alone, and has a name by its first line.
NAMELESS = {"details", "datalist"}


def names(page: Page, where: str) -> None:
    """Each control and each region has a name that makes sense alone, and no other of its kind has the same."""
    session = page.context.new_cdp_session(page)
    seen: collections.Counter[tuple[str, str]] = collections.Counter()
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value", "").strip()
        if node.get("ignored") or role not in CONTROLS | REGIONS:
            continue
        if role in REGIONS and name == "":
            tag = session.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]["localName"]
            if tag in NAMELESS:
                continue
        # Of what one can choose from, a name such as "A" is enough.
        check(re.search("[A-Za-z]{3}" if role != "option" else ".", name) is not None, f"{where}: a {role} has the name {name!r}")
        if role != "option":
            seen[role, name] += 1
    for (role, name), count in seen.items():
        check(count == 1, f"{where}: {count} of {role} have the name {name!r}")
    session.detach()


def live_regions(page: Page) -> list[str]:
    """What a screen reader is told by itself when it changes, but for mistakes."""
    return page.evaluate("""() => [...document.querySelectorAll("[aria-live=polite], [aria-live=assertive], [role=status], [role=log], output")]
        .filter((one) => one.getAttribute("aria-live") !== "off").map((one) => one.id || one.className || one.tagName)""")


def hears(page: Page, words: str, where: str) -> None:
    """Waits until the news say so."""
    try:
        page.wait_for_function("(words) => document.querySelector('#news')?.textContent.includes(words)", arg=words, timeout=120_000)
    except Exception:
        check(False, f"{where}: the news do not say '{words}'")


def tree(path: str) -> None:
    with opened(path) as page:
        page.keyboard.press("Home")
        for step in range(6):
            settle(page)
            names(page, f"step {step}")
            for _ in range(5):
                page.keyboard.press("ArrowRight")
                settle(page)
        check(live_regions(page) == ["news"], f"more than one place tells what changes: {live_regions(page)}")
        roles = page.evaluate("() => [...document.querySelectorAll('scene-window')].map((one) => [one.getAttribute('role'), one.getAttribute('aria-label')])")
        check(roles != [] and all(role == "region" and name.startswith("window ") for role, name in roles), f"the windows are {roles}")
        if page.locator(".pair").count() > 0:
            return
        history = page.evaluate("() => { const { history } = document.querySelector('record-list').rows; return Array.from({ length: history.count }, (_, place) => history.record(place)); }")
        page.keyboard.press("Home")
        hears(page, "record 1 of", "Home")
        changes = next(place for place, record in enumerate(history) if "window" in record)
        page.locator("record-list").evaluate("(list, row) => list.choose(row)", changes)
        hears(page, f"window {history[changes]['scene']} has changed", "a record that changes a window")
        page.keyboard.press("/")
        page.keyboard.type("no record is like this")
        hears(page, "0 of", "a search that finds nothing")


def colours(path: str) -> None:
    """Where the system says which colours there are, every state is still told."""
    with opened(path, forced_colors="active") as page:
        system = {"text": "CanvasText", "paper": "Canvas"}
        resolved = page.evaluate("""(system) => Object.fromEntries(Object.entries(system).map(([name, colour]) => {
            const probe = document.createElement("span");
            probe.style.color = colour;
            document.body.append(probe);
            const { color } = getComputedStyle(probe);
            probe.remove();
            return [name, color];
        }))""", system)
        line = page.locator("scene-timeline").first
        used = line.evaluate("(line) => line.colours")
        for name in system:
            check(used[name] in (system[name], resolved[name]), f"the time line has the colour {used[name]} for {name}, the system says {resolved[name]}")
        pixel = line.evaluate("""(line) => {
            const context = line.canvas.getContext("2d");
            const ink = new Set();
            const { data } = context.getImageData(0, 0, line.canvas.width, line.canvas.height);
            for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) ink.add([data[at], data[at + 1], data[at + 2]].join());
            return [...ink];
        }""")
        check(re.sub("[^0-9,]", "", resolved["text"]) in pixel, f"nothing on the time line is in {resolved['text']}")
        drawn = "(one) => { const style = getComputedStyle(one); return [style.outlineStyle, style.outlineWidth, style.borderLeftStyle, style.borderLeftWidth, style.borderTopStyle].join(' '); }"
        pairs = {
            "the record that is chosen": ("[role=option][aria-selected=true]", "[role=option][aria-selected=false]"),
            "the step of an event": (".way [aria-current]", ".way li:not([aria-current])"),
            "a window that has changed": ("scene-window.changed", "scene-window:not(.changed)"),
        }
        seen = set()
        page.keyboard.press("Home")
        for _ in range(page.locator("record-list").first.evaluate("(list) => list.rows.count")):
            settle(page)
            for what, (one, other) in pairs.items():
                if page.locator(one).count() > 0 and page.locator(other).count() > 0:
                    seen.add(what)
                    if page.locator(one).first.evaluate(drawn) == page.locator(other).first.evaluate(drawn):
                        pairs[what] = ("none", "none")
                        check(False, f"{what} looks like the others")
            # What has a colour for its meaning says it in words or by a sign.
            mute = page.evaluate("""() => [...document.querySelectorAll("main [data-look=good], main [data-look=bad], main [data-look=wait], .need")]
                .filter((one) => !one.closest(".session") && one.checkVisibility() && !/^[✓✕◔·=↓‖–↷⌀⌇…▔▼♟○●]|[a-z]{3}/u.test(one.textContent.trim())).map((one) => one.outerHTML.slice(0, 120))""")
            check(mute == [], f"told by colour alone: {mute}")
            page.keyboard.press("ArrowRight")
        check(seen == set(pairs), f"the records show only {sorted(seen)}")


def locales(path: str) -> None:
    """Numbers are written as the reader's languages have it."""
    for locale, point, group in (("en-US", ".", ","), ("de-DE", ",", ".")):
        with opened(path, locale=locale) as page:
            page.keyboard.press("End")
            settle(page)
            count, index, time = page.evaluate("() => { const { history } = document.querySelector('record-list').rows; const last = history.count - 1; return [history.count, history.index(last), history.time(last)]; }")
            number = f"{index:,}".replace(",", group)
            check(count > 1000 and len(number) == 5, f"there are too few records: {count}")
            seconds = f"{time / 1e9:,.6f}".replace(",", "x").replace(".", point).replace("x", group)
            for place in (".slider output", "[role=option][aria-selected=true] .time"):
                text = page.locator(place).inner_text()
                check(seconds in text, f"{locale}: {place} says {text}, not {seconds}")
            text = page.locator(".slider output").inner_text()
            check(f"record {number} of {number}" in text, f"{locale}: the slider says {text}, not {number}")
            heading = page.locator(".detail h2").inner_text()
            check(f"record {number}" in heading, f"{locale}: the record is headed {heading}, not {number}")
            page.keyboard.press("/")
            page.keyboard.type("host")
            page.wait_for_function("() => document.querySelector('.filters output').value !== ''")
            text = page.locator(".filters output").inner_text()
            check(f"of {count:,} records".replace(",", group) in text, f"{locale}: the filter says {text}")
            # Words are English, and are to be read as such.
            check(page.locator("html").get_attribute("lang") == "en", f"{locale}: the page does not say in which language it is")


def on_paper(path: str) -> None:
    """What is printed can be read: light, whole, without what one can only press."""
    with opened(path, scheme="dark") as page:
        event = page.evaluate("() => { const { history } = document.querySelector('record-list').rows; return history.laneList.find((lane) => lane?.order.length > 0).order[0].records[1]; }")
        page.locator("record-list").evaluate("(list, row) => list.choose(row)", event)
        settle(page)
        windows = page.locator("scene-window").count()
        # What was opened for paper may have been written for it.
        content = "(main) => { const copy = main.cloneNode(true); for (const one of copy.querySelectorAll('details:not([open]) pre')) one.replaceChildren(); return copy.innerHTML; }"
        before = page.locator("main").evaluate(content)
        page.set_viewport_size({"width": 720, "height": 1000})
        page.emulate_media(media="print")
        settle(page)
        shown = page.evaluate("""() => ({
            controls: [...document.querySelectorAll("button, input, select, textarea, summary")].filter((one) => one.checkVisibility() && !one.closest(".way, .detail > p, .verdict") && one.matches("summary") === false).map((one) => one.outerHTML.slice(0, 80)),
            windows: [...document.querySelectorAll("scene-window")].filter((one) => one.checkVisibility()).length,
            cut: [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && /auto|scroll|hidden/.test(getComputedStyle(one).overflowY) && !one.matches(".unseen") && one.clientHeight > 0 && one.scrollHeight > one.clientHeight + 1).map((one) => one.outerHTML.slice(0, 80)),
            wide: document.documentElement.scrollWidth > innerWidth,
            paper: [document.body, ...document.querySelectorAll("scene-window, .card")].map((one) => getComputedStyle(one).backgroundColor),
            ink: [...document.querySelectorAll("h1, .session b, .detail h2")].map((one) => getComputedStyle(one).color),
            line: document.querySelector("scene-timeline").colours.text,
            record: [...document.querySelectorAll(".detail pre")].some((one) => one.checkVisibility({ contentVisibilityAuto: true }) && one.getClientRects().length > 0),
            rows: [...document.querySelectorAll(".printed tbody tr")].map((row) => row.textContent),
        })""")
        check(shown["controls"] == [], f"printed for nothing: {shown['controls'][:5]}")
        check(shown["windows"] == windows, f"{shown['windows']} of {windows} windows are printed")
        check(shown["cut"] == [], f"cut on paper: {shown['cut'][:5]}")
        check(not shown["wide"], "wider than the paper")
        light = lambda colour: sum(int(part) for part in re.findall("[0-9]+", colour)[:3]) > 600 or colour.endswith(" 0)")
        check(all(light(colour) for colour in shown["paper"]), f"dark paper: {set(shown['paper'])}")
        check(not any(light(colour) for colour in shown["ink"]), f"light ink: {set(shown['ink'])}")
        check(shown["line"] == "#1c1e21", f"the time line has the ink {shown['line']}")
        check(shown["record"], "the record that is chosen is not printed as it is")
        total = page.evaluate("() => document.querySelector('record-list').rows.count")
        check(len(shown["rows"]) == total, f"{len(shown['rows'])} of {total} records are printed")
        check(page.pdf(format="A4").startswith(b"%PDF"), "it cannot be printed")
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1280, "height": 1000})
        settle(page)
        after = page.locator("main").evaluate(content)
        check(before == after, "the page is not what it was before it was printed")
        check(page.locator("scene-timeline").evaluate("(line) => line.colours.text") != "#1c1e21", "the time line has still the colours of paper")


def narrow(path: str) -> None:
    """On a narrow screen what happened is said whole."""
    with opened(path, width=400) as page:
        rows = page.locator("record-list").evaluate("(list) => list.rows.count")
        cut = set()
        lopsided = []
        apart = []
        for row in range(rows):
            page.locator("record-list").evaluate("(list, row) => list.choose(row)", row)
            settle(page)
            cut |= set(page.evaluate("() => [...document.querySelectorAll('record-list .row')].filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"))
            lopsided.append(page.evaluate("""() => {
                const row = document.querySelector("[aria-selected=true]");
                const text = document.createRange();
                text.selectNodeContents(row);
                const [inner, outer] = [text.getBoundingClientRect(), row.getBoundingClientRect()];
                return outer.bottom - inner.bottom - (inner.top - outer.top);
            }"""))
            # The number of a step stands in the first line of the item.
            apart += page.evaluate("""() => [...document.querySelectorAll(".way li > button")].map((step) => {
                const lines = document.createRange();
                lines.selectNodeContents(step.lastChild);
                const [first, ...others] = [...new Set([...lines.getClientRects()].map(({ top }) => top))];
                const number = document.createElement("span");
                number.style = "display: inline-block; width: 0; overflow: visible";
                number.append("1");
                step.before(number);
                const { top } = number.getBoundingClientRect();
                number.remove();
                return others.length === 0 ? 0 : top - first;
            })""")
            seen = page.evaluate("""() => { const list = document.querySelector("record-list").getBoundingClientRect(); const row = document.querySelector("[aria-selected=true]").getBoundingClientRect();
                return row.top >= list.top - 1 && row.bottom <= list.bottom + 1; }""")
            check(seen, f"record {row + 1} is chosen and not in sight")
        check(cut == set(), f"cut: {sorted(cut)[:3]}")
        check(max(lopsided) < 6, f"rows end with an empty line: there are {max(lopsided)} px more below the text than above it")
        check(any(apart) and max(map(abs, apart)) < 6, f"of steps of more than one line, the numbers stand {set(apart)} px below the first")
        apart = page.evaluate("() => { const rows = [...document.querySelectorAll('record-list .row')].map((one) => one.getBoundingClientRect()); return rows.slice(1).every((row, number) => row.top >= rows[number].bottom - 1); }")
        check(apart, "rows lie upon each other")
        check(page.locator("record-list").evaluate("(list) => list.scrollWidth <= list.clientWidth"), "the records are wider than the screen")
        check(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen")
        small = page.evaluate("() => [...document.querySelectorAll('button, select, input:not([type=checkbox])')].filter((one) => one.checkVisibility() && !one.closest('.way, p') && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML.slice(0, 80))")
        check(small == [], f"too small for a finger: {small[:3]}")


def many(scenectl: str, file: str, folder: str) -> None:
    """Of many windows one chooses which are drawn; the time line has all."""
    history = records(file)
    opening = [record for record in history if record.get("scene") == "A"]
    opening = opening[: next(n for n, record in enumerate(opening) if record["kind"] == "event.admitted")]
    extra = [{**record, "scene": f"W{number}"} for number in range(300) for record in opening]
    start = next(n for n, record in enumerate(history) if "scene" in record)
    whole = [{**record, "index": index + 1} for index, record in enumerate([*history[:start], *extra, *history[start:]])]
    with open(f"{folder}/many.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(record) + "\n" for record in whole)
    subprocess.run([scenectl, "inspect", f"{folder}/many.jsonl", "--out", f"{folder}/many.html"], check=True, stdout=subprocess.DEVNULL)
    drawn = "() => [...document.querySelectorAll('scene-window header strong')].map((one) => one.textContent)"
    with opened(f"{folder}/many.html") as page:
        own = {record["scene"] for record in history if "scene" in record}
        lanes = page.locator("scene-timeline").evaluate("(line) => line.lanes.length")
        check(lanes >= 300 + len(own), f"the time line has {lanes} lanes")
        first = page.evaluate(drawn)
        check(len(first) == 12 and own <= set(first), f"drawn at first: {first}")
        said = page.locator(".chosen").inner_text()
        check(f"12 of {300 + len(own)} windows" in said, f"it does not say how many windows there are: {said}")
        # Where a window is changed, one sees it.
        place = next(n for n, record in enumerate(whole) if record.get("scene") == "W250" and "window" in record)
        page.locator("record-list").evaluate("(list, row) => list.choose(row)", place)
        settle(page)
        check("W250" in page.evaluate(drawn) and len(page.evaluate(drawn)) <= 12, f"at a record of W250 these are drawn: {page.evaluate(drawn)}")
        page.keyboard.press("End")
        settle(page)
        page.get_by_label("windows whose name has").fill("w29")
        settle(page)
        check(page.evaluate(drawn) == ["W29", *(f"W{number}" for number in range(290, 300))], f"named like w29: {page.evaluate(drawn)}")
        names(page, "300 windows")
        # Those that are chosen stay, whatever the filter and the record are.
        page.get_by_label("always draw window W295").check()
        page.get_by_label("windows whose name has").fill("nothing")
        settle(page)
        check(page.evaluate(drawn) == ["W295"], f"chosen is W295, drawn are {page.evaluate(drawn)}")
        page.get_by_label("windows whose name has").fill("")
        page.get_by_role("button", name="choose no window").click()
        settle(page)
        check(len(page.evaluate(drawn)) == 12, f"when none is chosen {len(page.evaluate(drawn))} are drawn")
        # By the keyboard: Tab passes all of them at once, and arrow keys go from one to the next.
        focused = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName"
        page.locator(".chosen summary").focus()
        stops = []
        while len(stops) < 10 and page.evaluate("() => document.activeElement.closest('.chosen') !== null"):
            stops.append(page.evaluate(focused))
            page.keyboard.press("Tab")
        check(len(stops) == 4 and stops[3].startswith("always draw window "), f"on its way through the choice of windows Tab stops at {stops}")
        page.keyboard.press("Shift+Tab")
        last = list(dict.fromkeys(record["scene"] for record in whole if "scene" in record))[-1]
        for key, wanted in (("End", last), ("Home", "W0"), ("ArrowRight", "W1"), ("ArrowDown", "W2"), ("ArrowLeft", "W1")):
            page.keyboard.press(key)
            check(page.evaluate(focused) == f"always draw window {wanted}", f"{key} goes to {page.evaluate(focused)}, not to {wanted}")
        page.keyboard.press("Space")
        settle(page)
        check(page.evaluate(drawn) == ["W1"], f"Space at W1 has these drawn: {page.evaluate(drawn)}")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        settle(page)
        check(len(page.evaluate(drawn)) == 12, "'choose none' by the keyboard does nothing")
        page.keyboard.press("Tab")
        check(page.evaluate(focused) == "always draw window W1", f"back in the windows, Tab stops at {page.evaluate(focused)}")
        page.emulate_media(media="print")
        settle(page)
        check(len(page.evaluate(drawn)) == 300 + len(own), f"on paper there are {len(page.evaluate(drawn))} windows")


if __name__ == "__main__":
    modes = {"tree": tree, "colours": colours, "locales": locales, "print": on_paper, "narrow": narrow, "many": many}
    modes[sys.argv[1]](*sys.argv[2:])
