import { WindowActs } from "scened/acts";
import { announce } from "scened/announce";
import { ChosenWindows } from "scened/chosen";
import { element, redraw } from "scened/dom";
import { Filters } from "scened/filters";
import { count, counted, time } from "scened/format";
import { integer, sum } from "scened/integers";
import { HistoryReader } from "scened/reader";
import { lookOf, RecordRows } from "scened/list";
import { recordDetail, sessionPanel } from "scened/detail";
import { isApart, pairs } from "scened/pairs";
import { isOnPaper, printing } from "scened/print";
import { harmless, missing, outcomes, repeated, sentence } from "scened/words";
import "scened/window";
import "scened/timeline";

/** The windows and the session of one run, as they were after a record. With a panel, something can be done in the windows as they are now. */
class RunView {
  /** @param {string} of which run it is, if there are two: ` of left.jsonl` */
  constructor(history, panel, of = "") {
    this.history = history;
    this.panel = panel;
    this.of = of;
    this.windows = new Map();
    this.chosen = new ChosenWindows(() => this.show(this.place, this.isNow), of);
    this.grid = element("div.windows", { role: "group", "aria-label": `windows${of}`, tabindex: "0" });
    this.session = element("div");
    this.view = element("div.moment", {}, this.chosen.view, this.grid, this.session);
  }

  /**
   * @param {boolean} isNow whether it is the newest that is shown
   * @param {number} after the place of the last record that the reader knows already
   * @param {boolean} isAnew whether what is drawn already is drawn again
   * @returns {string[]} the windows that have changed since
   */
  show(place, isNow = false, after = place - 1, isAnew = false) {
    Object.assign(this, { place, isNow });
    const session = this.history.sessionAt(place);
    const states = [...this.history.scenes.values()].map((scene) => this.history.sceneAt(scene, place)).filter(({ isKnown }) => isKnown);
    const needed = place < 0 ? undefined : this.history.lane(place)?.name;
    // On paper there is no choice.
    const names = isOnPaper ? new Set(states.map(({ name }) => name)) : this.chosen.among(states, needed);
    for (const [name, drawn] of this.windows) {
      if (names.has(name)) continue;
      drawn.remove();
      this.windows.delete(name);
    }
    let number = 0;
    for (const state of states) {
      if (!names.has(state.name)) continue;
      let drawn = this.windows.get(state.name);
      if (!drawn) {
        drawn = document.createElement("scene-window");
        this.windows.set(state.name, drawn);
      }
      // One that stands where it belongs is not moved, so that it keeps the keyboard.
      if (this.grid.children[number] !== drawn) this.grid.insertBefore(drawn, this.grid.children[number] ?? null);
      number += 1;
      const changed = state.since === place;
      const acts = this.panel && isNow ? new WindowActs(this.panel, state) : null;
      // A window of which nothing has changed is not drawn again.
      const about = [...Object.values(state), session?.since, session?.holds, changed, acts !== null];
      if (!isAnew && drawn.about?.every((one, number) => one === about[number])) continue;
      drawn.about = about;
      drawn.shown = { scene: state, session, changed, acts, of: this.of };
    }
    if (states.length === 0) this.grid.replaceChildren(element("p.nothing", {}, this.history.unbrokenFrom(place) < 0 ? "No window yet." : "Which windows there were is not known: records are missing."));
    else this.grid.querySelector(":scope > .nothing")?.remove();
    redraw(this.session, () => this.session.replaceChildren(sessionPanel(this.history, place, this.of)));
    return states.filter(({ since }) => since > after && since <= place).map(({ name }) => name);
  }
}

/** Rows of two runs, the same steps beside each other. */
class PairRows {
  constructor(histories, rows) {
    this.histories = histories;
    this.rows = rows;
  }

  get count() { return this.rows.length; }
  key(row) { return row; }
  look(row) { return isApart(this.rows[row]) ? "apart" : ""; }

  fill(line, row) {
    line.replaceChildren(...this.rows[row].map((place, side) => {
      if (place === null) return element("span.half.empty");
      const record = this.histories[side].record(place);
      return element("span.half", { "data-look": lookOf(this.histories[side], place) },
        element("span.lane", {}, record.receiver === "app" ? "the app" : record.scene ?? "session"),
        element("span.words", { title: record.kind }, sentence(record)));
    }));
  }
}

/** What the signs of a time line mean. */
const legend = () => element("span.legend", { role: "group", "aria-label": "what the signs mean" }, Object.entries(outcomes).map(([name, { sign, look }]) => element("span", { "data-look": look }, `${sign} ${name}${look === "bad" ? " (taller)" : ""}`)),
  element("span", {}, "□ waits for its turn"), element("span", {}, "■ runs"), element("span", {}, "▨ waits for a gate"), element("span", { "data-look": "accent" }, "▁ transition"), element("span", { "data-look": "wait" }, "▔ held"), element("span", { "data-look": "accent" }, "┆ commit"), element("span", { "data-look": "bad" }, "▼ sweep"), element("span", {}, "⌇ records are missing"), element("span", {}, "↻ records are there more than once"));

/** How long a page rests before it keeps its place in its address again, in milliseconds. */
const addressRest = 300;

/** One history: slider, windows, session, time line, filter, records. With a panel it is one that goes on. */
export class HistoryPage {
  constructor(history, panel) {
    this.history = history;
    this.run = new RunView(history, panel);
    this.timeline = timeline();
    this.list = document.createElement("record-list");
    this.detail = element("section.detail", { "aria-label": "the record that is chosen" });
    this.slider = slider(history.first, history.count, (place) => this.go(place));
    this.axis = element("span", {}, "time");
    this.past = panel ? element("p.past", { hidden: true }, "◷ This is how it was. What you do, you do now. ", element("button", { type: "button", onclick: () => {
      this.go(this.history.count - 1);
      this.slider.focus();
    } }, "back to now")) : null;
    this.filters = new Filters(history, () => this.filter());
    this.view = element("div.page", {},
      this.slider.view, this.past, this.run.view, panel?.view,
      element("div.tools", {},
        element("button", { type: "button", onclick: () => this.timeline.zoom(0.5), title: "zoom in (+)", "aria-label": "zoom in" }, "+"),
        element("button", { type: "button", onclick: () => this.timeline.zoom(2), title: "zoom out (−)", "aria-label": "zoom out" }, "−"),
        element("label", {}, element("input", { type: "checkbox", onchange: (event) => { this.timeline.scale = event.target.checked; } }), " by ", this.axis),
        legend()),
      this.timeline, this.filters.view, element("div.below", {}, this.list, this.detail));
    this.timeline.addEventListener("place", ({ detail }) => this.go(detail.place));
    this.list.addEventListener("row", ({ detail }) => this.go(this.rows.place(detail)));
    panel?.view.addEventListener("event", ({ detail }) => this.go(detail.last));
  }

  /** @param {number} [at] the place at which it opens */
  start(at) {
    this.rows = new RecordRows(this.history, null);
    this.known = this.history.count;
    this.timeline.show(this.history);
    this.list.show(this.rows);
    // What went wrong, or the last that happened: that the host ends is no news.
    let last = this.history.count - 1;
    while (last > this.history.first && this.history.kind(last).startsWith("host.")) last -= 1;
    this.go(this.run.panel ? this.history.count - 1 : at ?? this.history.violations[0] ?? last);
  }

  /** Records have come: who looks at the newest sees them, who looks at an earlier one stays there. */
  grow() {
    const wasLast = this.place === this.known - 1;
    const gone = this.history.first - this.slider.first;
    if (wasLast) this.heard ??= this.place;
    this.known = this.history.count;
    this.slider.reach(this.history.first, this.known);
    this.timeline.grow();
    this.filters.extend();
    if (this.rows.places) this.filter();
    else this.list.grow(this.rows, gone);
    this.go(wasLast ? this.known - 1 : this.place);
  }

  /** Draws again what is shown: what can be done has changed. */
  refresh() {
    this.isAnew = true;
    this.go(this.place);
  }

  go(place) {
    this.place = Math.min(Math.max(place, this.history.first), this.history.count - 1);
    this.axis.textContent = this.history.clock ? `time (${this.history.clock})` : "time";
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      const isNow = this.place >= this.known - 1;
      if (this.past) this.past.hidden = isNow;
      this.announce(this.run.show(this.place, isNow, this.heard, this.isAnew));
      this.isAnew = false;
      this.heard = undefined;
      this.timeline.select(this.place);
      this.slider.set(this.place, `record ${count(this.history.index(this.place))} of ${count(this.history.index(this.history.count - 1))}, ${time(this.history.time(this.place))} s${this.history.clock && ` of ${this.history.clock}`}`);
      redraw(this.detail, () => this.detail.replaceChildren(...recordDetail(this.history, this.place, (at) => this.go(at), "", this.filters)), this.list);
      this.list.select(this.rows.row(this.place));
      this.address ??= setTimeout(() => this.keepAddress(), addressRest);
    });
  }

  /** Puts the place into the address. A browser stops a page that does so with each step. */
  keepAddress() {
    this.address = undefined;
    // A token that was put there has yet to be read.
    if (this.view.isConnected && !location.hash.startsWith("#token=")) history.replaceState(null, "", `#${this.place}`);
  }

  /** Says where one is, and what has become of the windows. */
  announce(changed) {
    if (this.place === this.announced && changed.length === 0) return;
    this.announced = this.place;
    const windows = changed.length === 0 ? "" : changed.length > 3 ? `. ${count(changed.length)} windows have changed` : `. ${changed.map((name) => `window ${name} has changed`).join(", ")}`;
    const past = this.past && !this.past.hidden ? "as it was, " : "";
    announce("record", `${past}record ${count(this.history.index(this.place))} of ${count(this.history.index(this.history.count - 1))}: ${sentence(this.history.record(this.place))}${windows}`);
  }

  /** What is printed. */
  get paper() {
    return { list: this.list, selected: this.rows.row(this.place), draw: () => {
      this.run.show(this.place, this.place >= this.known - 1);
      this.timeline.paint();
    } };
  }

  /** The record where the next or the last event begins. */
  nextEvent(by) {
    for (let place = this.place + by; place >= this.history.first && place < this.history.count; place += by) {
      if (this.history.kind(place) === "event.admitted" || this.history.kind(place) === "session.committed") return this.go(place);
    }
  }

  key(event) {
    const go = {
      ArrowRight: () => (event.shiftKey ? this.nextEvent(1) : this.go(this.place + 1)),
      ArrowLeft: () => (event.shiftKey ? this.nextEvent(-1) : this.go(this.place - 1)),
      Home: () => this.go(this.history.first), End: () => this.go(this.history.count - 1),
      "+": () => this.timeline.zoom(0.5), "-": () => this.timeline.zoom(2),
    }[event.key];
    if (go) go();
    return go !== undefined;
  }

  async filter() {
    const found = await this.filters.find();
    if (found === undefined) return;
    this.rows = new RecordRows(this.history, found && found.places);
    this.filters.output.value = found ? `${count(this.rows.count)} of ${counted(this.history.count - this.history.first, "record")}` : "";
    announce("filter", this.filters.output.value || "all records");
    this.timeline.filter = found ? (event) => event.records.some((place) => found.has(place)) : () => true;
    this.timeline.draw();
    this.list.show(this.rows);
    this.list.select(this.rows.row(this.place));
    // Whether it is only the event that is shown in detail.
    this.detail.querySelector("[data-act=only]")?.setAttribute("aria-pressed", String(this.filters.isOnly(this.history.event(this.place))));
  }
}

/** Two histories beside each other, in step. */
class PairPage {
  constructor(sources) {
    this.histories = sources.map((source) => source.history);
    this.labels = sources.map(({ label }) => label);
    const { rows, firstDifference } = pairs(...this.histories);
    this.rows = rows;
    this.firstDifference = firstDifference;
    this.runs = this.histories.map((history, side) => new RunView(history, null, ` of ${sources[side].label}`));
    this.timelines = sources.map(({ label }) => timeline(` of ${label}`));
    this.list = document.createElement("record-list");
    this.details = sources.map(({ label }) => element("div.detail", { role: "region", "aria-label": `the record that is chosen of ${label}` }));
    this.slider = slider(0, rows.length, (row) => this.go(row));
    this.view = element("div.page.pair", {},
      this.slider.view,
      element("p.verdict", {}, ...[this.verdict(sources)].flat()),
      element("div.halves", {}, this.runs.map((run, side) => element("section", { "aria-label": sources[side].label }, element("h2", { "data-look": sources[side].look }, sources[side].label), run.view, this.timelines[side]))),
      element("div.tools", {}, legend()), this.list, element("div.halves", {}, this.details));
    this.list.addEventListener("row", ({ detail }) => this.go(detail));
    this.timelines.forEach((timeline, side) => timeline.addEventListener("place", ({ detail }) => this.go(this.rowOf(side, detail.place))));
  }

  rowOf(side, place) { return this.rows.findIndex((row) => row[side] === place); }

  /** What the first difference is, in words: what each run does where they part. */
  verdict(sources) {
    const { rows, firstDifference: first } = this;
    if (first < 0) return rows.every(([one, other]) => one !== null && other !== null) ? "Both runs do the same." : "Both are of one host, and say the same where both have records.";
    const words = this.histories.map((history, side) => {
      const row = rows.slice(first).find((one) => one[side] !== null);
      if (!row) return `${sources[side].label}: nothing more`;
      const record = history.record(row[side]);
      return `${sources[side].label}: ${record.scene ? `in window ${record.scene} ` : ""}${record.event ? `(${record.event}) ` : ""}${sentence(record)}`;
    });
    return [element("button", { type: "button", onclick: () => this.go(first) }, `They part at step ${count(first + 1)}`), ...words.map((line) => element("span.parts", {}, line))];
  }

  start() {
    this.list.show(new PairRows(this.histories, this.rows));
    this.timelines.forEach((timeline, side) => {
      const apart = this.rows.slice(Math.max(this.firstDifference, 0)).find((row) => row[side] !== null);
      timeline.marks = this.firstDifference < 0 || !apart ? [] : [{ place: apart[side], sign: "⚑" }];
      timeline.show(this.histories[side]);
    });
    this.go(this.firstDifference < 0 ? this.rows.length - 1 : this.firstDifference);
  }

  go(row) {
    this.row = Math.min(Math.max(row, 0), this.rows.length - 1);
    this.runs.forEach((run, side) => {
      let at = this.row;
      while (at >= 0 && this.rows[at][side] === null) at -= 1;
      const place = at < 0 ? -1 : this.rows[at][side];
      run.show(place);
      this.timelines[side].select(Math.max(place, 0));
      redraw(this.details[side], () => this.details[side].replaceChildren(...(this.rows[this.row][side] === null ? [element("p.nothing", {}, "does nothing here")]
        : recordDetail(this.histories[side], place, (next) => this.go(this.rowOf(side, next)), ` of ${this.labels[side]}`))), this.list);
    });
    this.list.select(this.row);
    this.slider.set(this.row, `step ${count(this.row + 1)} of ${count(this.rows.length)}`);
    const words = this.rows[this.row].map((place, side) => `${this.labels[side]}: ${place === null ? "nothing" : sentence(this.histories[side].record(place))}`);
    announce("record", `step ${count(this.row + 1)} of ${count(this.rows.length)}. ${words.join(". ")}`);
  }

  get paper() {
    return { list: this.list, selected: this.row, draw: () => {
      for (const run of this.runs) run.show(run.place);
      for (const line of this.timelines) line.paint();
    } };
  }

  key(event) {
    const go = {
      ArrowRight: () => this.go(this.row + 1), ArrowLeft: () => this.go(this.row - 1),
      Home: () => this.go(0), End: () => this.go(this.rows.length - 1),
    }[event.key];
    if (go) go();
    return go !== undefined;
  }
}

/** A time line, which one can also scroll by keys; `of` as for a run. */
function timeline(of = "") {
  const line = element("scene-timeline", { tabindex: "0", role: "group", "aria-label": `time line${of}` });
  line.of = harmless(of);
  return line;
}

function slider(first, length, go) {
  const input = element("input", { type: "range", min: String(first), max: String(Math.max(length - 1, first)), "aria-label": "moment", oninput: () => go(Number(input.value)) });
  const output = element("output", { "aria-live": "off" });
  const step = (by, sign, title) => element("button", { type: "button", title, "aria-label": title, onclick: () => go(Number(input.value) + by) }, sign);
  return {
    view: element("div.slider", {}, step(-Infinity, "|◀", "to the beginning (Home)"), step(-1, "◀", "one back (←)"), input, step(1, "▶", "one on (→)"), step(Infinity, "▶|", "to the end (End)"), output),
    get first() { return Number(input.min); },
    focus() { input.focus(); },
    reach(first, length) {
      input.min = String(first);
      input.max = String(Math.max(length - 1, first));
    },
    set(place, text) {
      input.value = String(place);
      input.setAttribute("aria-valuetext", text);
      output.value = text;
    },
  };
}

export function keys(page) {
  printing(() => page()?.paper);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input, select, textarea");
    if (event.key === "/" && !field && page()?.filters) {
      event.preventDefault();
      page().filters.search.focus();
    } else if (event.key === "Escape" && field) {
      // The browser would empty it when the list does not hear of it any more.
      if (field.type === "search" && field.value !== "") {
        event.preventDefault();
        field.value = "";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      field.blur();
    }
    else if (!field && page()?.key(event)) event.preventDefault();
  });
}

/** Goes where the address says, and again when another is put into the same tab. */
export function follow(page) {
  const go = (address) => {
    // What else may stand there, such as a token, is no number.
    const asked = /#([0-9]+)$/.exec(address)?.[1];
    if (asked !== undefined) page()?.go(Number(asked));
  };
  // Until it is told, the page may have put its own place there.
  addEventListener("hashchange", ({ newURL }) => go(newURL));
  go(location.href);
}

/** Says beside the page's title what is shown. */
export function name(titles) {
  const text = titles.slice(0, 3).join("; ") + (titles.length > 3 ? `; and ${count(titles.length - 3)} more` : "");
  if (!text) return;
  const heading = document.querySelector("h1");
  heading.querySelector("small")?.remove();
  const title = heading.textContent.trim();
  document.title = harmless(`${title}: ${text}`);
  heading.append(" ", element("small", {}, text));
}

/**
 * Shows runs.
 * @param {HTMLElement} main where
 * @param {{label: string, look?: string, marks: number[], reader: HistoryReader}[]} sources one, or two to be compared; the numbers of records to be marked
 */
export function show(main, sources) {
  const unread = sources.flatMap(({ label, reader }) => (reader.badLines === 0 ? [] : [
    element("p.problem", {}, `${label}: ${reader.badLines === 1 ? "this is no record: line" : `${count(reader.badLines)} lines are no records, first line`} ${count(reader.problems[0].line)}: ${reader.problems[0].why}.`)]));
  const place = element("div");
  let page;
  const open = (next) => {
    page = next;
    place.replaceChildren(page.view);
    page.start(page.history === histories[0]?.history ? sources[0].at : undefined);
  };
  const histories = sources.flatMap(({ label, look, marks, reader }) => reader.list.map((history) => {
    history.mark(marks);
    return { label, look, history };
  }));
  const gaps = sources.flatMap(({ label, reader }) => reader.list.flatMap((history) => {
    const of = [label, reader.list.length > 1 && `host ${history.host.slice(0, 8)}`].filter(Boolean).join(", ");
    // A history may begin anywhere; what a record says is missing is.
    const isLater = history.gaps[0]?.place === 0 && history.kind(0) !== "gap";
    const first = isLater ? history.gaps[0] : null;
    const others = history.missing.slice(isLater ? 1 : 0).filter((number) => number > 0);
    const lost = others.reduce(sum, 0);
    return [
      first && element("p.nothing", {}, `${of}: the records begin with number ${count(sum(first.count, 1))}; what was before is not known.`),
      history.repeats.length > 0 && element("p.problem", {}, `↻ ${of}: ${repeated(history.repeats, "is there more than once", "are there more than once")}. They are shown each time, as if they had happened again.`),
      history.lates.length > 0 && element("p.problem", {}, `⇅ ${of}: ${repeated(history.lates, "comes after later ones", "come after later ones")}. They are shown where they stand.`),
      lost > 0 && element("p.problem", {}, `⌇ ${of}: ${missing(lost)}${others.length > 1 ? ` in ${count(others.length)} places` : ""}. What is shown after that may be old.`),
    ].filter(Boolean);
  }));
  main.replaceChildren(...unread, ...gaps, place);
  if (histories.length === 0) {
    place.replaceChildren(element("p.nothing", {}, "There are no records."));
    return;
  }
  name([...new Set(histories.map(({ history }) => history.title))]);
  keys(() => page);
  if (sources.length === 2 && histories.length === 2) {
    open(new PairPage(histories));
    return;
  }
  if (histories.length > 1) {
    const choice = element("select", { onchange: () => open(new HistoryPage(histories[Number(choice.value)].history)) }, histories.map(({ history }, number) =>
      element("option", { value: String(number) }, `run ${number + 1}: ${history.app || "unknown app"}, host ${history.host.slice(0, 8)}, ${counted(history.count, "record")}`)));
    choice.setAttribute("aria-label", "run of the daemon");
    place.before(element("p.runs", {}, choice));
  }
  open(new HistoryPage(histories[0].history));
  follow(() => page);
}

/** Reads the records that stand in the page. */
export async function embedded() {
  const runs = [];
  for (const script of document.querySelectorAll("script[type='application/x-ndjson']")) {
    const next = script.nextElementSibling;
    const reader = new HistoryReader(next?.dataset.unread === undefined ? undefined : JSON.parse(next.textContent));
    // The first line of the element's text is the rest of its tag's line.
    const text = script.textContent.slice(1);
    if (script.dataset.packed === undefined) reader.push(new TextEncoder().encode(text));
    else for await (const piece of unpacked(text)) reader.push(piece);
    reader.end();
    const marks = (script.dataset.marks ?? "").split(" ").filter((mark) => mark).map(integer);
    const at = script.dataset.opensAt === undefined ? undefined : Number(script.dataset.opensAt);
    runs.push({ label: script.dataset.label ?? "", at, look: script.dataset.look, marks, reader });
  }
  return runs;
}

/** The bytes that are in a text packed: deflated, in base64. */
async function* unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}
