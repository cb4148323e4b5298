import { parse } from "scened/scan";

/** What the program that serves this page has for it: a key, a stream of events, calls. */

const decoder = new TextDecoder();

/** Bytes after bytes. */
function joined(one, other) {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export class Server {
  constructor(key) {
    this.key = key;
  }

  /**
   * Gets in: with the token of the address, which is good once, or with the key of this tab, which stays when the page is loaded again.
   */
  static async enter() {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (token !== null) {
      history.replaceState(null, "", location.pathname);
      const answer = await fetch("/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
      const said = await answer.json();
      if (answer.ok) sessionStorage.setItem("key", said.key);
      else if (sessionStorage.getItem("key") === null) throw new Error(said.message);
    }
    const key = sessionStorage.getItem("key");
    if (key === null) throw new Error("This page has no key. Open the address that scenectl printed last.");
    return new Server(key);
  }

  async ask(path, options = {}) {
    const answer = await fetch(path, { ...options, headers: { ...options.headers, Authorization: `Bearer ${this.key}` } });
    if (!answer.ok) throw new Error((await answer.json()).message);
    return answer;
  }

  /** Asks for an answer in JSON. */
  async post(path, body) {
    const answer = await this.ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return parse(await answer.text());
  }

  /** The bytes of what is there, in pieces. */
  async *pieces(path) {
    const reader = (await this.ask(path)).body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  /** Server-sent events: the name of each, and where its lines are in bytes. */
  async *events() {
    let rest = new Uint8Array(0);
    let event = { name: "", lines: [] };
    for await (const piece of this.pieces("/stream")) {
      const data = joined(rest, piece);
      let start = 0;
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
        if (end === start) {
          yield event;
          event = { name: "", lines: [] };
        } else if (data[start] === 0x64) event.lines.push({ data, start: start + "data: ".length, end });
        else event.name = decoder.decode(data.subarray(start + "event: ".length, end));
        start = end + 1;
      }
      rest = data.slice(start);
    }
  }
}

/** What an event with one line says. */
export const said = ({ lines: [{ data, start, end }] }) => parse(decoder.decode(data.subarray(start, end)));
