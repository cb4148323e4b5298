import { History } from "scened/history";

const decoder = new TextDecoder();

/** Reads records from bytes that come in pieces; one record a line. */
export class HistoryReader {
  constructor() {
    this.histories = new Map();
    this.rest = new Uint8Array(0);
    /** What could not be read: the number of the line, and why. The first hundred. */
    this.problems = [];
    this.badLines = 0;
    this.lines = 0;
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
    let record;
    try {
      record = JSON.parse(decoder.decode(data.subarray(start, end)));
    } catch (error) {
      this.bad(error.message);
      return;
    }
    if (record === null || typeof record !== "object" || typeof record.kind !== "string") {
      this.bad("no record: it has no kind");
      return;
    }
    const host = String(record.host ?? "");
    let history = this.histories.get(host);
    if (!history) {
      history = new History(host);
      this.histories.set(host, history);
    }
    if (history.chunks.at(-1) !== data) history.chunks.push(data);
    history.add(record, history.chunks.length - 1, start, end);
  }

  bad(why) {
    this.badLines += 1;
    if (this.problems.length < 100) this.problems.push({ line: this.lines, why });
  }
}
