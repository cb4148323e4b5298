import { element } from "scened/dom";
import { count, sentence, time } from "scened/words";

const rowHeight = 24;

/** Rows of what is to be seen of each record of one history: `history`, and the places to show. */
export class RecordRows {
  constructor(history, places) {
    this.history = history;
    this.places = places;
  }

  get count() { return this.places ? this.places.length : this.history.count; }
  place(row) { return this.places ? this.places[row] : row; }

  /** The row of a place, or of the last one before it; -1 for none. */
  row(place) {
    if (!this.places) return place;
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.places[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  cells(row) { return recordCells(this.history, this.place(row)); }
  look(row) { return lookOf(this.history, this.place(row)); }
}

export function lookOf(history, place) {
  const kind = history.kind(place);
  if (kind === "violation" || kind === "gap") return "bad";
  return kind === "session.committed" ? "commit" : kind === "scene.swept" ? "swept" : "";
}

export function recordCells(history, place) {
  const record = history.record(place);
  return [
    element("span.index", {}, String(record.index ?? "")),
    element("span.time", {}, time(history.time(place))),
    element("span.lane", {}, record.receiver === "app" ? "the app" : record.scene ?? "session"),
    element("span.ticket", {}, record.ticket === undefined ? "" : `#${record.ticket}`),
    element("span.words", { title: record.kind }, sentence(record)),
  ];
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
    this.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this);
    this.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.choose(Number(row.dataset.row));
    });
    this.addEventListener("keydown", (event) => {
      const page = Math.max(Math.floor(this.clientHeight / rowHeight) - 1, 1);
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
      if (by === undefined || !this.rows) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(Math.min(Math.max(this.selected + by, 0), this.rows.count - 1));
    });
  }

  show(rows) {
    this.rows = rows;
    this.space.style.height = `${rows.count * rowHeight}px`;
    this.paint();
  }

  /** Rows have come. */
  grow(rows) {
    this.rows = rows;
    this.space.style.height = `${rows.count * rowHeight}px`;
    this.draw();
  }

  /** Marks a row, and brings it into sight. */
  select(row) {
    this.selected = row;
    const top = row * rowHeight;
    if (row >= 0 && (top < this.scrollTop || top + rowHeight > this.scrollTop + this.clientHeight)) {
      this.scrollTop = Math.max(top - this.clientHeight / 2, 0);
    }
    this.paint();
  }

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
    const first = Math.max(Math.floor(this.scrollTop / rowHeight) - 8, 0);
    const last = Math.min(Math.ceil((this.scrollTop + this.clientHeight) / rowHeight) + 8, this.rows.count);
    const made = [];
    for (let row = first; row < last; row += 1) {
      const line = element("div.row", {
        id: `row-${row}`, "data-row": String(row), role: "option", "aria-selected": String(row === this.selected),
        "aria-setsize": String(this.rows.count), "aria-posinset": String(row + 1), "data-look": this.rows.look(row),
      }, this.rows.cells(row));
      line.style.top = `${row * rowHeight}px`;
      made.push(line);
    }
    this.space.replaceChildren(...made);
    if (this.selected >= 0) this.setAttribute("aria-activedescendant", `row-${this.selected}`);
    if (this.rows.count === 0) this.space.replaceChildren(element("p.nothing", {}, "No record is like that."));
    this.dataset.count = count(this.rows.count);
  }
}

customElements.define("record-list", RecordList);
