/**
 * Records of hosts, kept as bytes and parsed when they are asked for, with what is needed to find them quickly:
 * protocol/record.schema.json says what a record has.
 */

import { difference, sum } from "scened/integers";
import { parse } from "scened/scan";
import { destination, harmless } from "scened/words";

const decoder = new TextDecoder();

/** A number of one kind for each place; it grows at its end, and the first can be dropped. */
export class Numbers {
  constructor(type) {
    this.values = new type(1024);
    this.count = 0;
    /** The place of the first that is there. */
    this.first = 0;
  }

  at(place) { return this.values[place - this.first]; }

  drop(first) {
    this.values.copyWithin(0, first - this.first, this.count);
    this.count -= first - this.first;
    this.first = first;
  }

  push(value) {
    if (this.count === this.values.length) {
      const larger = new this.values.constructor(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.count++] = value;
  }
}

/** Integers of any size, one for each place. Those that no number can be stand beside the others. */
class Integers extends Numbers {
  constructor() {
    super(Float64Array);
    this.large = new Map();
  }

  at(place) {
    const number = super.at(place);
    return Number.isSafeInteger(number) ? number : this.large.get(place) ?? number;
  }

  push(value) {
    if (typeof value === "bigint") this.large.set(this.first + this.count, value);
    super.push(Number(value));
  }

  drop(first) {
    super.drop(first);
    for (const place of this.large.keys()) if (place < first) this.large.delete(place);
  }
}

/** A value if it is a number or a BigInt; else 0. */
const numberOf = (value) => (typeof value === "number" || typeof value === "bigint" ? value : 0);

const itself = (number) => number;

/** How many of the first of a list, which is sorted by `number`, are at most `limit`. */
export function countUpTo(list, limit, number = itself) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (number(list[middle]) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last number of a sorted list that is at most `limit`; undefined if there is none. */
export function lastUpTo(list, limit) {
  const count = countUpTo(list, limit);
  return count === 0 ? undefined : list[count - 1];
}

/** A value if it is an object, or an empty one: records may come from anywhere. */
const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});

const ofPlace = ({ place }) => place;

/** Before any record of it, a scene has no window. `told` is the last record that says whether it has one. */
const unknownState = { isConnected: false, isDiscarded: false, isLocked: false, activation: "unattached", configuration: "", told: -1 };

/** The state of a scene after a record. */
function stateAfter(before, kind, line, place) {
  const told = { ...before, told: place };
  switch (kind) {
  case "scene.connected": return { ...told, isConnected: true, isDiscarded: false, isLocked: false, activation: "unattached", configuration: line.get("configuration") };
  case "scene.snapshot": return {
    ...told, isConnected: line.get("connected"), isDiscarded: false, isLocked: line.get("locked") === true, activation: line.get("activation"), configuration: line.get("configuration"),
  };
  case "scene.activation": return { ...told, isConnected: true, activation: line.get("to") };
  case "scene.disconnected": return { ...told, isConnected: false, activation: "unattached" };
  case "scene.discarded": return { ...told, isConnected: false, isDiscarded: true, activation: "unattached" };
  default: return { ...before, isLocked: kind === "window.locked" };
  }
}

/** What is known of a scene: the places of the records that changed it. */
class Scene {
  constructor(name) {
    this.name = name;
    /** Records that say what the window shows. */
    this.windows = [];
    /** Records that say whether there is a window, its activation and its lock, and what was the case after each. */
    this.states = [];
    this.stateList = [];
    /** Where each transition began, and the record with which it was over; -1 while it goes on. */
    this.moves = [];
    this.moveEnds = [];
    /** Events by ticket. */
    this.events = new Map();
    /** Events in the order admitted. */
    this.order = [];
    /** Sweeps. */
    this.sweeps = [];
    /** Events that have not ended, and of which there are records since the last gap. */
    this.open = new Set();
    /** Where a hold stopped what goes on, and where it went on; -1 while it stands. A scene has one thing stopped at a time. */
    this.holds = [];
    this.holdEnds = [];
  }
}

/** An event from its admission to its end, as far as the records say. Places are those of records in its history; -1 for none. */
export class SceneEvent {
  constructor(history, lane, ticket, id) {
    this.history = history;
    this.lane = lane;
    this.ticket = ticket;
    this.id = id;
    this.kind = "";
    this.knownGoal = "";
    this.admitted = -1;
    this.ended = -1;
    /** Where records are missing since which nothing was heard of it, though it had not ended; else -1. */
    this.lost = -1;
    this.outcome = "";
    /** The attempts: [from, to] as places; to is -1 while one goes on. */
    this.attempts = [];
    /** When it was parked, likewise. */
    this.waits = [];
    this.records = [];
  }

  /** Where it leads, as far as the records say; else the pattern of its URL. */
  get goal() {
    for (const place of this.records) {
      if (this.knownGoal) break;
      const kind = this.history.kind(place);
      if (kind !== "event.admitted" && kind !== "dispatch.resolved") continue;
      const record = this.history.record(place);
      const goal = record.destination ? destination(record.destination) : record.route;
      if (goal) this.knownGoal = harmless(goal);
    }
    return this.knownGoal;
  }

  /** The first and the last place that has something to do with it. */
  get first() { return this.records[0]; }
  get last() { return this.records[this.records.length - 1]; }
}

/** The records of one host, in order. */
export class History {
  constructor(host) {
    this.host = host;
    this.app = "";
    this.manifestVersion = "";
    /** How many records have the time of the one before. */
    this.standing = 0;
    /** The place of the first record that is there; what was before was dropped. */
    this.first = 0;
    /** The bytes of the records, in pieces by their numbers, of which the first may be dropped. */
    this.chunks = new Map();
    this.lastChunk = -1;
    this.size = 0;
    this.places = { chunk: new Numbers(Uint32Array), start: new Numbers(Float64Array), end: new Numbers(Float64Array) };
    /** What of the dropped records is still needed, by places. */
    this.kept = new Map();
    this.kinds = new Numbers(Uint16Array);
    this.times = new Numbers(Float64Array);
    this.indices = new Integers();
    /** The lane of each record: 0 for none, 1 for the app itself, 2 and more for scenes. */
    this.lanes = new Numbers(Uint32Array);
    this.tickets = new Integers();
    this.kindNames = [];
    this.kindNumbers = new Map();
    this.scenes = new Map();
    this.appLane = new Scene("app");
    /** The lanes by number; the session has none of its own. */
    this.laneList = [null, this.appLane];
    this.laneNumbers = new Map();
    /** Commits, loaded manifests and snapshots of the host: what changes the session; and who is signed in after each. */
    this.session = [];
    this.users = [];
    /** Records that tell every fact; and those that change each fact, by its name. */
    this.tellers = [];
    this.facts = new Map();
    this.commits = [];
    this.violations = [];
    /** The lanes with records since the last gap: no other has anything that a gap ends. */
    this.heard = new Set();
    /** Places before which records are missing, with how many, and the number of the record there. */
    this.gaps = [];
    /** The highest number of a record; below it, the ranges of those that were not there, in order. */
    this.highest = 0;
    this.absent = [];
    /** Records with numbers that were there before, in runs: the first and the last place, and the first and the last number. */
    this.repeats = [];
    /** The same of records that come after later ones. */
    this.lates = [];
    this.parsed = new Map();
  }

  /** The place after the last. */
  get count() { return this.first + this.kinds.count; }

  /** Words about its clock; none if it goes by itself: then hardly a record has the time of the one before. */
  get clock() {
    if (this.count < 2 || this.standing * 2 < this.count) return "";
    return this.time(this.first) === this.time(this.count - 1) ? "virtual time, which stands" : "virtual time";
  }

  /** What it is of: the app, its manifest and the host. */
  get title() {
    const app = this.app && `${this.app}, manifest ${this.manifestVersion}`;
    return [app, this.host && `host ${this.host.slice(0, 8)}`].filter(Boolean).join(", ");
  }

  kind(place) { return this.kindNames[this.kinds.at(place)]; }

  /** Nanoseconds on the host's clock. What was dropped has the time of the first that is there. */
  time(place) { return this.times.at(place < this.first ? this.first : place); }

  index(place) { return this.indices.at(place); }

  /** Marks records, by their numbers, as what goes wrong. */
  mark(indices) {
    for (const index of indices) {
      let place = this.first;
      while (place < this.count && this.index(place) !== index) place += 1;
      if (place < this.count && !this.violations.includes(place)) this.violations.push(place);
    }
    this.violations.sort((one, other) => one - other);
  }

  lane(place) { return this.laneList[this.lanes.at(place)]; }

  /** The name of a lane of a record, by which it is filtered. */
  laneName(place) {
    const number = this.lanes.at(place);
    return number === 0 ? "session" : number === 1 ? "the app" : this.laneList[number].name;
  }

  /** A record as it came. */
  text(place) {
    if (place < this.first) return this.kept.get(place) ?? "{}";
    const { chunk, start, end } = this.places;
    return decoder.decode(this.chunks.get(chunk.at(place)).subarray(start.at(place), end.at(place)));
  }

  /** A record; the last few thousand are kept. */
  record(place) {
    let record = this.parsed.get(place);
    if (!record) {
      record = parse(this.text(place));
      if (this.parsed.size > 4000) this.parsed.clear();
      this.parsed.set(place, record);
    }
    return record;
  }

  /** A record that is looked at once. */
  peek(place) { return this.parsed.get(place) ?? parse(this.text(place)); }

  /** What an event is called: where it came to, and its number there. */
  eventName(event) { return `${event.lane === this.appLane ? "the app" : event.lane.name} #${event.ticket}`; }

  /** The event of a record; undefined for none. */
  event(place) { return this.lane(place)?.events.get(this.tickets.at(place)); }

  /**
   * What is the case besides the records, of which some may be gone: the scenes as `Scenes.List` tells them and the session as `Session.Get`
   * does, at a time when the newest record was the one with this number.
   */
  know({ index, scenes, session }) {
    this.present = { index, scenes: new Map(scenes.map((scene) => [scene.id, scene])), session };
    for (const scene of scenes) this.laneNumber({ scene: scene.id });
  }

  /** Whether that is known of the time after the record at `place`: not before it was asked for, and not after records that are missing since. */
  isPresent(place) {
    if (this.present === undefined || place < 0 || this.index(place) < this.present.index) return false;
    const gap = this.gapBefore(place);
    return gap === undefined || gap.index <= this.present.index;
  }

  laneNumber({ receiver, scene: name }) {
    if (receiver === "app") return 1;
    if (typeof name !== "string") return 0;
    let number = this.laneNumbers.get(name);
    if (number === undefined) {
      number = this.laneList.length;
      const scene = new Scene(name);
      this.scenes.set(name, scene);
      this.laneList.push(scene);
      this.laneNumbers.set(name, number);
    }
    return number;
  }

  /** Adds a record: the line that has been read, and where it is in bytes. */
  add(line, data, start, end) {
    const place = this.count;
    const kind = line.get("kind");
    let number = this.kindNumbers.get(kind);
    if (number === undefined) {
      number = this.kindNames.length;
      this.kindNames.push(kind);
      this.kindNumbers.set(kind, number);
    }
    const lane = this.laneNumber({ receiver: line.get("receiver"), scene: line.get("scene") });
    if (this.chunks.get(this.lastChunk) !== data) {
      this.lastChunk += 1;
      this.chunks.set(this.lastChunk, data);
    }
    this.size += end - start;
    this.places.chunk.push(this.lastChunk);
    this.places.start.push(start);
    this.places.end.push(end);
    this.kinds.push(number);
    this.times.push(Number(line.get("monotonic")) || 0);
    this.indices.push(numberOf(line.get("index")));
    this.lanes.push(lane);
    if (place > 0 && this.time(place) === this.time(place - 1)) this.standing += 1;
    this.tickets.push(numberOf(line.get("ticket")));
    this.note(line, kind, place, this.laneList[lane]);
  }

  /** Notes the number of a record: which are missing before it, or that it was there before. */
  noteIndex(line, kind, place) {
    const index = this.index(place);
    // A host counts its records from 1.
    const next = sum(this.highest, 1);
    if (kind === "gap") this.gaps.push({ place, index, count: numberOf(line.get("count")) });
    if (index >= next) {
      const missing = difference(index, next);
      if (missing > 0) this.absent.push([next, difference(index, 1)]);
      if (missing > 0 && kind !== "gap") this.gaps.push({ place, index, count: missing });
      // A gap has the number of the record that follows it.
      this.highest = kind === "gap" ? difference(index, 1) : index;
    } else if (index >= 1 && kind !== "gap") {
      const runs = this.isLate(index) ? this.lates : this.repeats;
      const last = runs.at(-1);
      if (last?.last === place - 1 && sum(last.to, 1) === index) Object.assign(last, { last: place, to: index });
      else runs.push({ first: place, last: place, from: index, to: index });
    }
  }

  /** How many records are still missing in each of the gaps: some may have come late. */
  get missing() {
    return this.gaps.map(({ place, index, count }) => {
      if (place >= this.first && this.kind(place) === "gap") return count;
      const from = difference(index, count);
      let all = 0;
      for (let number = Math.max(countUpTo(this.absent, from, ([low]) => low) - 1, 0); number < this.absent.length && this.absent[number][0] < index; number += 1) {
        const [first, last] = this.absent[number];
        const [low, high] = [first > from ? first : from, last < index ? last : difference(index, 1)];
        if (low <= high) all = sum(all, sum(difference(high, low), 1));
      }
      return all;
    });
  }

  /** Whether a record was missing until now. */
  isLate(index) {
    const number = countUpTo(this.absent, index, ([from]) => from) - 1;
    const [from, to] = this.absent[number] ?? [1, 0];
    if (index > to) return false;
    this.absent.splice(number, 1, ...[[from, difference(index, 1)], [sum(index, 1), to]].filter(([first, last]) => first <= last));
    return true;
  }

  /** Whether a record with the number of the one at `place` was there before. */
  isRepeated(place) { return this.repeats[countUpTo(this.repeats, place, ({ first }) => first) - 1]?.last >= place; }

  note(line, kind, place, lane) {
    this.noteIndex(line, kind, place);
    if (this.gaps.at(-1)?.place === place) {
      for (const one of this.heard) this.lose(one, place);
      this.heard.clear();
    }
    if (lane) this.heard.add(lane);
    switch (kind) {
    case "host.started": case "host.restarted": case "host.snapshot":
      if (kind === "host.restarted") for (const one of this.laneList.slice(1)) this.cutOff(one, place);
      this.app = String(line.get("app") ?? "");
      this.manifestVersion = String(line.get("manifestVersion") ?? "");
      this.tellers.push(place);
      this.noteSession(line, kind, place);
      break;
    case "session.committed":
      this.commits.push(place);
      this.noteSession(line, kind, place);
      break;
    case "manifest.loaded":
      this.manifestVersion = String(line.get("manifestVersion") ?? this.manifestVersion);
      this.noteSession(line, kind, place);
      break;
    case "violation": this.violations.push(place); break;
    }
    if (!lane) return;
    if (line.has("window")) lane.windows.push(place);
    switch (kind) {
    case "scene.connected": case "scene.activation": case "scene.disconnected": case "scene.discarded":
    case "window.locked": case "window.unlocked": case "scene.snapshot":
      lane.states.push(place);
      lane.stateList.push(stateAfter(lane.stateList.at(-1) ?? unknownState, kind, line, place));
      break;
    case "scene.swept": lane.sweeps.push(place); break;
    case "hold.caught":
      lane.holds.push(place);
      lane.holdEnds.push(-1);
      break;
    case "hold.released":
      if (lane.holdEnds.at(-1) === -1) lane.holdEnds[lane.holdEnds.length - 1] = place;
      break;
    }
    this.noteMove(kind, place, lane);
    if (["number", "bigint"].includes(typeof line.get("ticket"))) this.noteEvent(line, kind, place, lane);
  }

  noteSession(line, kind, place) {
    this.session.push(place);
    this.users.push((kind === "manifest.loaded" ? this.users.at(-1) : line.get("user")) ?? null);
    for (const name of Object.keys(object(line.get("facts")))) {
      if (this.facts.has(name)) this.facts.get(name).push(place);
      else this.facts.set(name, [place]);
    }
  }

  /** What was going on in a lane ended with its host, which goes on without it. */
  cutOff(lane, place) {
    for (const ends of [lane.moveEnds, lane.holdEnds]) if (ends.at(-1) === -1) ends[ends.length - 1] = place;
  }

  /** What was going on in a lane may have ended in a gap. */
  lose(lane, place) {
    this.cutOff(lane, place);
    for (const event of lane.open) event.lost = place;
    lane.open.clear();
  }

  /** A transition is over with the next step, with the end of its event or its sweep, or with its window. */
  noteMove(kind, place, lane) {
    const last = lane.moves.length - 1;
    if (last >= 0 && lane.moveEnds[last] < 0) {
      const isGone = kind === "scene.disconnected" || kind === "scene.discarded" || kind === "navigation.step";
      const isEnd = kind === "dispatch.ended" || kind === "scene.swept";
      if (isGone || (isEnd && this.tickets.at(place) === lane.moveTicket)) lane.moveEnds[last] = place;
    }
    if (kind !== "navigation.step") return;
    lane.moves.push(place);
    lane.moveEnds.push(-1);
    lane.moveTicket = this.tickets.at(place);
  }

  noteEvent(line, kind, place, lane) {
    const ticket = line.get("ticket");
    let event = lane.events.get(ticket);
    if (!event) {
      event = new SceneEvent(this, lane, ticket, String(line.get("event") ?? ""));
      lane.events.set(ticket, event);
      lane.order.push(event);
    }
    event.records.push(place);
    event.lost = -1;
    lane.open.add(event);
    switch (kind) {
    case "event.admitted": {
      const name = line.get("name");
      event.admitted = place;
      event.kind = name ? `${line.get("eventKind")} ${name}` : String(line.get("eventKind") ?? "");
      break;
    }
    case "dispatch.began": event.attempts.push([place, -1]); break;
    case "dispatch.ended":
      if (event.attempts.length > 0 && event.attempts.at(-1)[1] < 0) event.attempts.at(-1)[1] = place;
      event.outcome = String(line.get("outcome") ?? "");
      if (event.outcome !== "gated") event.ended = place;
      break;
    case "gate.parked": event.waits.push([place, -1]); break;
    case "gate.resumed":
      if (event.waits.length > 0) event.waits.at(-1)[1] = place;
      break;
    case "gate.superseded": case "gate.abandoned":
      if (event.waits.length > 0) event.waits.at(-1)[1] = place;
      event.outcome = kind === "gate.superseded" ? "superseded" : "abandoned";
      event.ended = place;
      break;
    }
    if (event.ended >= 0) lane.open.delete(event);
  }

  /** The last gap up to `place`; undefined for none. */
  gapBefore(place) { return this.gaps[countUpTo(this.gaps, place, ofPlace) - 1]; }

  /** Where the records begin that follow one another without a gap up to `place`; -1 for the beginning of all. */
  unbrokenFrom(place) { return this.gapBefore(place)?.place ?? -1; }

  /** How many records are missing right before the one at `place`. */
  missingBefore(place) {
    const gap = this.gapBefore(place);
    return gap?.place === place ? gap.count : 0;
  }

  /**
   * What a scene was after the record at `place`. Since records went missing it may show something else (`isOld`), and be connected or not
   * (`isStateKnown` is false).
   */
  sceneAt(scene, place) {
    const shown = lastUpTo(scene.windows, place);
    const from = this.unbrokenFrom(place);
    const known = countUpTo(scene.states, place);
    const { told, ...last } = scene.stateList[known - 1] ?? unknownState;
    const state = {
      name: scene.name, window: shown === undefined ? null : this.record(shown).window, since: shown,
      isKnown: shown !== undefined || known > 0, isOld: (shown ?? -1) < from, isStateKnown: told >= from, move: null, hold: null, ...last,
    };
    /** The last span that has begun and is not over. */
    const open = (starts, ends) => {
      const number = countUpTo(starts, place) - 1;
      return number >= 0 && (ends[number] < 0 || ends[number] > place) ? this.record(starts[number]) : null;
    };
    state.move = open(scene.moves, scene.moveEnds)?.op ?? null;
    state.hold = open(scene.holds, scene.holdEnds);
    const present = this.isPresent(place) && this.present.scenes.get(scene.name);
    if (present) this.fill(state, present);
    return state;
  }

  /** What no record tells any more is as it was when it was asked for. */
  fill(state, present) {
    state.isKnown = true;
    if (state.isOld) Object.assign(state, { window: present.window ?? state.window, isOld: false });
    if (state.isStateKnown) return;
    Object.assign(state, { isStateKnown: true, isConnected: present.connected, isLocked: present.locked === true, activation: present.activation, configuration: present.configuration });
  }

  /**
   * The session after the record at `place`: user, revision, epoch, facts, holds, stale; `since` is the record that made it so. Since
   * records went missing it may be another (`isOld`).
   */
  sessionAt(place) {
    const count = countUpTo(this.session, place);
    const present = this.isPresent(place) ? this.present.session : null;
    if (count === 0) return present && { ...present, user: present.user ?? null, holds: {}, stale: [], facts: present.facts, since: -1, isOld: false, factsKnown: true };
    const since = this.session[count - 1];
    const record = this.record(since);
    /** The last that is told of something, mostly by the last record. */
    const told = (of) => {
      for (let number = count - 1; number >= 0; number -= 1) {
        const value = of(this.record(this.session[number]));
        if (value !== undefined && value !== null) return value;
      }
      return undefined;
    };
    // Facts are told as changes, since all of them were told.
    const factsSince = lastUpTo(this.tellers, place) ?? -1;
    const facts = {};
    for (const [name, places] of this.facts) {
      const last = lastUpTo(places, place);
      const value = last !== undefined && last >= factsSince ? this.record(last).facts[name] : null;
      if (value !== null) Object.defineProperty(facts, name, { value, enumerable: true });
    }
    const unbroken = this.unbrokenFrom(place);
    const factsKnown = factsSince >= 0 && factsSince >= unbroken;
    return {
      user: this.users[count - 1], revision: told((one) => one.revision), epoch: told((one) => one.epoch),
      holds: object(record.holds), stale: Array.isArray(record.stale) ? record.stale : [],
      // Those that were there before are as they were when they were asked for.
      facts: !factsKnown && present ? { ...present.facts, ...facts } : facts,
      since, isOld: since < unbroken && !present, factsKnown: factsKnown || present !== null,
    };
  }

  /**
   * Drops the oldest records, at least a quarter of them, once there are more than `most` or more than so many bytes of them. What is the
   * case at the records that stay is still known: of what was before, what tells it is kept.
   */
  limit(most, bytes) {
    if (this.count - this.first <= most && this.size <= bytes) return;
    const first = Math.max(this.count - most + (most >> 2), this.first + ((this.count - this.first) >> 2));
    const kept = new Map();
    const keep = (place) => { if (place < first) kept.set(place, this.text(place)); };
    /** Without what is before the last that is not after the first record. */
    const sinceLast = (list) => {
      list.splice(0, Math.max(countUpTo(list, first) - 1, 0));
      list.slice(0, 1).forEach(keep);
    };
    const since = (list) => list.splice(0, countUpTo(list, first - 1));
    for (const lane of [this.appLane, ...this.scenes.values()]) {
      sinceLast(lane.windows);
      lane.stateList.splice(0, lane.states.splice(0, Math.max(countUpTo(lane.states, first) - 1, 0)).length);
      since(lane.sweeps);
      for (const [starts, ends] of [[lane.moves, lane.moveEnds], [lane.holds, lane.holdEnds]]) {
        const over = ends.findIndex((end) => end < 0 || end > first);
        for (const list of [starts, ends]) list.splice(0, over < 0 ? list.length : over);
        starts.slice(0, 1).forEach(keep);
      }
      lane.order = lane.order.filter((event) => {
        const isThere = event.last >= first || lane.open.has(event);
        if (!isThere) lane.events.delete(event.ticket);
        else if (event.first < first) this.dropSteps(event, first);
        return isThere;
      });
      lane.order.forEach((event) => keep(event.first));
    }
    const sessions = Math.max(countUpTo(this.session, first) - 1, 0);
    this.session.splice(0, sessions);
    this.users.splice(0, sessions);
    this.session.slice(0, 1).forEach(keep);
    this.tellers.splice(0, Math.max(countUpTo(this.tellers, first) - 1, 0));
    for (const places of this.facts.values()) sinceLast(places);
    since(this.commits);
    since(this.violations);
    this.gaps.splice(0, Math.max(countUpTo(this.gaps, first, ofPlace) - 1, 0));
    this.repeats = this.repeats.filter(({ last }) => last >= first);
    this.lates = this.lates.filter(({ last }) => last >= first);
    for (let place = this.first; place < first; place += 1) this.size -= this.places.end.at(place) - this.places.start.at(place);
    const { chunk, start, end } = this.places;
    for (const number of this.chunks.keys()) if (number < chunk.at(first)) this.chunks.delete(number);
    for (const numbers of [chunk, start, end, this.kinds, this.times, this.indices, this.lanes, this.tickets]) numbers.drop(first);
    this.first = first;
    this.kept = kept;
    this.standing = Math.min(this.standing, this.count - first);
    this.parsed.clear();
  }

  /** An event that goes on, or went on after the first record that stays: it knows where it leads, and its last step before that. */
  dropSteps(event, first) {
    event.knownGoal = event.goal;
    event.records.splice(0, Math.max(countUpTo(event.records, first) - 1, 0));
  }
}
