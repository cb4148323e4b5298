/**
 * Reads a line of JSON without making anything of it but what is asked for: of a long history hardly anything is looked at. What it takes is
 * what `JSON.parse` takes; what it does not understand at once it leaves to that.
 */

import { integer, isInteger } from "scened/integers";

const decoder = new TextDecoder();

/** The members of a record that are asked for. */
const names = [
  "activation", "app", "configuration", "connected", "count", "event", "eventKind", "facts", "host", "index", "kind", "locked", "manifestVersion",
  "monotonic", "name", "outcome", "receiver", "scene", "ticket", "to", "user", "window",
];
const slots = new Map(names.map((name, slot) => [name, slot]));

/** The names by a hash of their bytes. None of them shares it with another, or this page would not start. */
const tableSize = 512;
const hashOf = (name) => [...name].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0);
const table = new Int8Array(tableSize).fill(-1);
for (const [name, slot] of slots) {
  const place = hashOf(name) & (tableSize - 1);
  if (table[place] >= 0) throw new Error(`${name} and ${names[table[place]]} have one hash`);
  table[place] = slot;
}

/** Objects and arrays deeper than this are left to `JSON.parse`, which does not recurse. */
const deepest = 100;
/** Longer texts are hardly ever the same. */
const longestKept = 40;
const isDigit = (byte) => byte >= 0x30 && byte <= 0x39;
const isSpace = (byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d;

/** The end of a string whose first quote is before `at`; -1 if it is none. */
function endOfString(data, at) {
  for (let place = at; ; place += 1) {
    const byte = data[place];
    if (byte === 0x22) return place + 1;
    // Also what is beyond the data.
    if (!(byte >= 0x20)) return -1;
    if (byte !== 0x5c) continue;
    place += 1;
    const escape = data[place];
    if (escape === 0x75) {
      for (let digit = 1; digit <= 4; digit += 1) {
        const hex = data[place + digit] | 0x20;
        if (!(isDigit(data[place + digit]) || (hex >= 0x61 && hex <= 0x66))) return -1;
      }
      place += 4;
    } else if (escape !== 0x22 && escape !== 0x5c && escape !== 0x2f && escape !== 0x62 && escape !== 0x66 && escape !== 0x6e && escape !== 0x72 && escape !== 0x74) return -1;
  }
}

function endOfDigits(data, at) {
  let place = at;
  while (isDigit(data[place])) place += 1;
  return place === at ? -1 : place;
}

function endOfNumber(data, at) {
  let place = data[at] === 0x2d ? at + 1 : at;
  place = data[place] === 0x30 ? place + 1 : endOfDigits(data, place);
  if (place >= 0 && data[place] === 0x2e) place = endOfDigits(data, place + 1);
  if (place >= 0 && (data[place] | 0x20) === 0x65) {
    const sign = data[place + 1];
    place = endOfDigits(data, sign === 0x2b || sign === 0x2d ? place + 2 : place + 1);
  }
  return place;
}

function endOfWord(data, at, word) {
  for (let place = 0; place < word.length; place += 1) if (data[at + place] !== word.charCodeAt(place)) return -1;
  return at + word.length;
}

function afterSpace(data, at) {
  let place = at;
  while (isSpace(data[place])) place += 1;
  return place;
}

/** The end of a value that begins at `at`; -1 if there is none. */
function endOfValue(data, at, depth) {
  switch (data[at]) {
  case 0x22: return endOfString(data, at + 1);
  case 0x7b: case 0x5b: return endOfContainer(data, at, depth);
  case 0x74: return endOfWord(data, at, "true");
  case 0x66: return endOfWord(data, at, "false");
  case 0x6e: return endOfWord(data, at, "null");
  default: return endOfNumber(data, at);
  }
}

function endOfContainer(data, at, depth) {
  if (depth >= deepest) return -1;
  const isObject = data[at] === 0x7b;
  const close = isObject ? 0x7d : 0x5d;
  let place = afterSpace(data, at + 1);
  if (data[place] === close) return place + 1;
  for (;;) {
    if (isObject) {
      if (data[place] !== 0x22) return -1;
      place = endOfString(data, place + 1);
      if (place < 0) return -1;
      place = afterSpace(data, place);
      if (data[place] !== 0x3a) return -1;
      place = afterSpace(data, place + 1);
    }
    place = endOfValue(data, place, depth + 1);
    if (place < 0) return -1;
    place = afterSpace(data, place);
    if (data[place] === close) return place + 1;
    if (data[place] !== 0x2c) return -1;
    place = afterSpace(data, place + 1);
  }
}

/** A record as a line: `read` it, then ask for its members. */
export class Line {
  constructor() {
    this.starts = new Int32Array(names.length);
    this.ends = new Int32Array(names.length);
    /** What was read last says which of the places are its own. */
    this.turns = new Uint32Array(names.length);
    this.turn = 0;
    this.texts = new Array(4096);
  }

  /** Throws if it is no JSON; what is JSON and no object has no members. */
  read(data, start, end) {
    this.data = data;
    this.parsed = null;
    this.turn = (this.turn + 1) >>> 0;
    if (!this.scan(data, start, end)) this.parsed = { record: parse(decoder.decode(data.subarray(start, end))) };
  }

  /** Whether it is an object. A line has no line feed, which is why nothing reads on behind it. */
  scan(data, start, end) {
    let place = afterSpace(data, start);
    if (data[place] !== 0x7b) return false;
    place = afterSpace(data, place + 1);
    if (data[place] === 0x7d) return afterSpace(data, place + 1) === end;
    for (;;) {
      if (data[place] !== 0x22) return false;
      const first = place + 1;
      let hash = 0;
      place = first;
      for (; ; place += 1) {
        const byte = data[place];
        if (byte === 0x22) break;
        // A name that is not written plainly may be one of those.
        if (!(byte >= 0x20 && byte < 0x80) || byte === 0x5c) return false;
        hash = (Math.imul(hash, 31) + byte) | 0;
      }
      let slot = table[hash & (tableSize - 1)];
      if (slot >= 0 && !this.isText(names[slot], first, place)) slot = -1;
      place = afterSpace(data, place + 1);
      if (data[place] !== 0x3a) return false;
      place = afterSpace(data, place + 1);
      const value = place;
      place = endOfValue(data, place, 1);
      if (place < 0) return false;
      if (slot >= 0) {
        this.starts[slot] = value;
        this.ends[slot] = place;
        this.turns[slot] = this.turn;
      }
      place = afterSpace(data, place);
      if (data[place] === 0x7d) return afterSpace(data, place + 1) === end;
      if (data[place] !== 0x2c) return false;
      place = afterSpace(data, place + 1);
    }
  }

  isText(text, start, end) {
    if (text.length !== end - start) return false;
    for (let place = 0; place < text.length; place += 1) if (this.data[start + place] !== text.charCodeAt(place)) return false;
    return true;
  }

  /** The value of one of `names` that the record has; undefined if it has none. */
  get(name) {
    if (this.parsed) {
      const { record } = this.parsed;
      return record !== null && typeof record === "object" && Object.hasOwn(record, name) ? record[name] : undefined;
    }
    const slot = slots.get(name);
    if (this.turns[slot] !== this.turn) return undefined;
    const [start, end] = [this.starts[slot], this.ends[slot]];
    const first = this.data[start];
    if (first === 0x22) return this.text(start + 1, end - 1);
    if (isDigit(first) && end - start <= 16) {
      let number = 0;
      let place = start;
      for (; place < end && isDigit(this.data[place]); place += 1) number = number * 10 + this.data[place] - 0x30;
      if (place === end && Number.isSafeInteger(number)) return number;
    }
    const text = decoder.decode(this.data.subarray(start, end));
    return isInteger(text) ? integer(text) : JSON.parse(text);
  }

  /** Whether a member is there that is not empty, without reading it. */
  has(name) {
    const slot = slots.get(name);
    if (this.parsed || this.turns[slot] !== this.turn) return Boolean(this.get(name));
    const first = this.data[this.starts[slot]];
    return first === 0x7b || first === 0x5b || Boolean(this.get(name));
  }

  /** A text, made once for all that are alike. */
  text(start, end) {
    const { data } = this;
    let hash = 0;
    let isPlain = end - start <= longestKept;
    for (let place = start; isPlain && place < end; place += 1) {
      const byte = data[place];
      hash = (Math.imul(hash, 31) + byte) | 0;
      isPlain = byte < 0x80 && byte !== 0x5c;
    }
    if (!isPlain) return JSON.parse(decoder.decode(data.subarray(start - 1, end + 1)));
    const place = hash & (this.texts.length - 1);
    const known = this.texts[place];
    if (known !== undefined && this.isText(known, start, end)) return known;
    return (this.texts[place] = String.fromCharCode.apply(null, data.subarray(start, end)));
  }
}

/** Whether this browser reads and writes integers of any size in JSON. */
export const isExact = "rawJSON" in JSON;

/** An integer that no number of this language can be is printed as it was written. */
BigInt.prototype.toJSON = function toJSON() { return isExact ? JSON.rawJSON(String(this)) : String(this); };

/** What a text of JSON says, with every integer exact, as far as this browser can. */
export function parse(text) {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, written) => (Number.isInteger(value) && !Number.isSafeInteger(value) && isInteger(written?.source ?? "") ? BigInt(written.source) : value));
}
