import { History } from "scened/history";
import { Line } from "scened/scan";

/** Reads records from bytes that come in pieces; one record a line. */
export class HistoryReader {
  constructor() {
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
    if (end === start) return;
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

  bad(why) {
    this.badLines += 1;
    if (this.problems.length < 100) this.problems.push({ line: this.lines, why });
  }
}
