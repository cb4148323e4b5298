import { element } from "scened/dom";
import { count, time } from "scened/format";
import { countUpTo } from "scened/history";
import { harmless, sentence } from "scened/words";

/** How many rows there are above and below those that are seen. */
const margin = 4;

/** Rows of what is to be seen of each record of one history: `history`, and the places to show. */
export class RecordRows {
  constructor(history, places) {
    this.history = history;
    this.places = places;
  }

  get count() { return this.places ? this.places.length : this.history.count - this.history.first; }
  place(row) { return this.places ? this.places[row] : row + this.history.first; }
  /** How many letters the longest number of a record has. */
  get digits() { return this.history.count === 0 ? 1 : count(this.history.index(this.history.count - 1)).length; }
  /** What a row is of: it may be another row once others are gone. */
  key(row) { return this.place(row); }

  /** The row of a place, or of the last one before it; -1 for none. */
  row(place) {
    return this.places ? countUpTo(this.places, place) - 1 : place - this.history.first;
  }

  /** What stands in a row: index, time, lane, ticket and words. */
  texts(row) {
    const place = this.place(row);
    const record = this.history.record(place);
    return [
      record.index === undefined ? "" : count(this.history.index(place)), time(this.history.time(place)),
      record.receiver === "app" ? "the app" : record.scene ?? "session",
      record.ticket === undefined ? "" : `#${record.ticket}`, sentence(record),
    ];
  }

  /** Fills a line with a row. One that had another gets other texts, which is cheaper than other elements. */
  fill(line, row) {
    if (line.childElementCount === 0) line.append(...["index", "time", "lane", "ticket", "words"].map((name) => element(`span.${name}`, {}, "")));
    this.texts(row).forEach((text, number) => {
      const said = line.children[number].firstChild;
      const shown = harmless(text);
      if (said.data !== shown) said.data = shown;
    });
    line.lastChild.title = harmless(this.history.kind(this.place(row)));
  }

  look(row) { return lookOf(this.history, this.place(row)); }
}

export function lookOf(history, place) {
  const kind = history.kind(place);
  if (kind === "violation" || kind === "gap") return "bad";
  return kind === "session.committed" ? "commit" : kind === "scene.swept" ? "swept" : "";
}

/** <record-list>: any number of rows, of which only those seen are there. Dispatches `row`. */
export class RecordList extends HTMLElement {
  connectedCallback() {
    if (this.space) return;
    this.tabIndex = 0;
    this.setAttribute("role", "listbox");
    this.setAttribute("aria-label", "records");
    this.space = element("div.space");
    this.append(this.space);
    this.selected = -1;
    /** The rows that are there, by what they are of. */
    this.lines = new Map();
    // Asked for while the page changes, each would have it laid out at once.
    this.top = 0;
    this.height = 0;
    this.rowHeight = this.styledHeight;
    this.addEventListener("scroll", () => {
      this.top = this.scrollTop;
      this.draw();
    });
    new ResizeObserver(() => this.resize()).observe(this);
    this.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.choose(Number(row.dataset.row));
    });
    this.addEventListener("keydown", (event) => {
      const page = Math.max(Math.floor(this.height / this.rowHeight) - 1, 1);
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
      if (by === undefined || !this.rows) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(Math.min(Math.max(this.selected + by, 0), this.rows.count - 1));
    });
  }

  /** The height of a row in pixels: a narrow screen has more lines of each. */
  get styledHeight() { return parseFloat(getComputedStyle(this).getPropertyValue("--row")) || 24; }

  resize() {
    this.height = this.clientHeight;
    // What was scrolled before it had a height may have been too far.
    this.top = this.scrollTop;
    const { styledHeight } = this;
    if (styledHeight !== this.rowHeight && this.rows) {
      this.rowHeight = styledHeight;
      this.show(this.rows);
      this.select(this.selected);
    } else this.draw();
  }

  show(rows) {
    this.rows = rows;
    this.lines.clear();
    this.space.replaceChildren();
    this.fit();
    this.paint();
  }

  /** Has room for all rows, and for the numbers of the records. */
  fit() {
    this.space.style.height = `${this.rows.count * this.rowHeight}px`;
    const { digits } = this.rows;
    if (digits !== this.digits) this.style.setProperty("--digits", String(this.digits = digits ?? 1));
  }

  /** Rows have come, and some of the first may be gone: what is looked at stays where it is. */
  grow(rows, gone = 0) {
    this.rows = rows;
    this.fit();
    if (gone > 0) this.scrollTop = this.top = this.within(this.top - gone * this.rowHeight);
    this.draw();
  }

  /** Marks a row, and brings it into sight. */
  select(row) {
    this.selected = row;
    const { rowHeight } = this;
    const top = row * rowHeight;
    const isSeen = row < 0 || (top >= this.top && top + rowHeight <= this.top + this.height);
    if (!isSeen) this.top = this.within(top - this.height / 2);
    this.paint();
    // Last, because it has the page laid out.
    if (!isSeen) this.scrollTop = this.top;
  }

  within(top) { return Math.max(Math.min(top, this.rows.count * this.rowHeight - this.height), 0); }

  choose(row) {
    if (row >= 0) this.dispatchEvent(new CustomEvent("row", { detail: row, bubbles: true }));
  }

  draw() {
    this.drawing ??= requestAnimationFrame(() => this.paint());
  }

  paint() {
    cancelAnimationFrame(this.drawing);
    this.drawing = undefined;
    if (!this.rows) return;
    const { rowHeight } = this;
    const first = Math.max(Math.floor(this.top / rowHeight) - margin, 0);
    const last = Math.min(Math.ceil((this.top + this.height) / rowHeight) + margin, this.rows.count);
    const keys = new Set();
    for (let row = first; row < last; row += 1) keys.add(this.rows.key(row));
    const spare = [...this.lines].filter(([key]) => !keys.has(key)).map(([, line]) => line);
    const lines = new Map();
    for (let row = first; row < last; row += 1) {
      const key = this.rows.key(row);
      let line = this.lines.get(key);
      if (!line) {
        line = spare.shift() ?? element("div.row", { role: "option" });
        this.rows.fill(line, row);
        line.dataset.look = this.rows.look(row);
      }
      this.put(line, row);
      lines.set(key, line);
    }
    for (const line of spare) line.remove();
    this.lines = lines;
    if (lines.size === 0) this.space.replaceChildren(element("p.nothing", {}, "No record is like that."));
    else this.space.querySelector(":scope > .nothing")?.remove();
    // In the order of the rows, as they are read out.
    let next = this.space.firstChild;
    for (const line of lines.values()) {
      if (line === next) next = line.nextSibling;
      else this.space.insertBefore(line, next);
    }
    if (this.selected >= 0) this.setAttribute("aria-activedescendant", `row-${this.selected}`);
    this.dataset.count = count(this.rows.count);
  }

  /** Makes a line that of a row, by what has changed. */
  put(line, row) {
    const isSelected = row === this.selected;
    if (line.row !== row) {
      line.row = row;
      line.id = `row-${row}`;
      line.dataset.row = String(row);
      line.setAttribute("aria-posinset", String(row + 1));
      line.style.top = `${row * this.rowHeight}px`;
    }
    if (line.of !== this.rows.count) {
      line.of = this.rows.count;
      line.setAttribute("aria-setsize", String(this.rows.count));
    }
    if (line.isSelected !== isSelected) {
      line.isSelected = isSelected;
      line.setAttribute("aria-selected", String(isSelected));
    }
  }
}

customElements.define("record-list", RecordList);
