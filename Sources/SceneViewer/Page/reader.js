import { History } from "scened/history";
import { Line } from "scened/scan";

/** Whether a line has nothing but white space. */
function isEmpty(data, start, end) {
  let place = start;
  while (place < end && (data[place] === 0x20 || data[place] === 0x09 || data[place] === 0x0d)) place += 1;
  return place === end;
}

/** Reads records from bytes that come in pieces; one record a line. */
export class HistoryReader {
  /** @param {{lines: number[][], why: string}} [unread] the ranges of lines that are known to be no records, and why the first is none */
  constructor(unread) {
    this.unread = unread ?? { lines: [], why: "" };
    this.range = 0;
    this.histories = new Map();
    this.rest = new Uint8Array(0);
    /** What could not be read: the number of the line, and why. The first hundred. */
    this.problems = [];
    this.badLines = 0;
    this.lines = 0;
    this.read = new Line();
  }

  get list() { return [...this.histories.values()]; }

  push(bytes) {
    let data = bytes;
    if (this.rest.length > 0) {
      data = new Uint8Array(this.rest.length + bytes.length);
      data.set(this.rest);
      data.set(bytes, this.rest.length);
    }
    let start = 0;
    for (;;) {
      const end = data.indexOf(10, start);
      if (end < 0) break;
      this.line(data, start, end);
      start = end + 1;
    }
    this.rest = data.slice(start);
  }

  end() {
    if (this.rest.length > 0) this.line(this.rest, 0, this.rest.length);
    this.rest = new Uint8Array(0);
  }

  line(data, start, end) {
    this.lines += 1;
    if (this.isUnread()) {
      this.bad(this.unread.why);
      return;
    }
    if (isEmpty(data, start, end)) return;
    const { read } = this;
    try {
      read.read(data, start, end);
    } catch (error) {
      this.bad(error.message);
      return;
    }
    if (typeof read.get("kind") !== "string") {
      this.bad("no record: it has no kind");
      return;
    }
    const host = String(read.get("host") ?? "");
    let history = this.histories.get(host);
    if (!history) {
      history = new History(host);
      this.histories.set(host, history);
    }
    history.add(read, data, start, end);
  }

  /** Whether this line, the next one asked about, is known to be no record. */
  isUnread() {
    const { lines } = this.unread;
    while (this.range < lines.length && lines[this.range][1] < this.lines) this.range += 1;
    return this.range < lines.length && lines[this.range][0] <= this.lines;
  }

  bad(why) {
    this.badLines += 1;
    if (this.problems.length < 100) this.problems.push({ line: this.lines, why });
  }
}
