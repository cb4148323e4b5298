/**
 * Records of hosts, kept as bytes and parsed when they are asked for, with what is needed to find them quickly:
 * protocol/record.schema.json says what a record has.
 */

import { destination, harmless } from "scened/words";

const decoder = new TextDecoder();

/** An array of numbers of one kind that grows. */
class Numbers {
  constructor(type) {
    this.values = new type(1024);
    this.count = 0;
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

/** How many of the first numbers of a sorted list are at most `limit`. */
export function countUpTo(list, limit) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= limit) low = middle + 1;
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

/** What is known of a scene: the places of the records that changed it. */
class Scene {
  constructor(name) {
    this.name = name;
    /** Records that say what the window shows. */
    this.windows = [];
    /** Records that say whether there is a window, its activation and its lock. */
    this.states = [];
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
  constructor(lane, ticket, id) {
    this.lane = lane;
    this.ticket = ticket;
    this.id = id;
    this.kind = "";
    /** Where it leads, as far as the records say; else the pattern of its URL. */
    this.goal = "";
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
    this.chunks = [];
    this.places = { chunk: new Numbers(Uint32Array), start: new Numbers(Float64Array), end: new Numbers(Float64Array) };
    this.kinds = new Numbers(Uint16Array);
    this.times = new Numbers(Float64Array);
    this.indices = new Numbers(Float64Array);
    /** The lane of each record: 0 for none, 1 for the app itself, 2 and more for scenes. */
    this.lanes = new Numbers(Uint32Array);
    this.tickets = new Numbers(Float64Array);
    this.kindNames = [];
    this.kindNumbers = new Map();
    this.scenes = new Map();
    this.appLane = new Scene("app");
    /** The lanes by number; the session has none of its own. */
    this.laneList = [null, this.appLane];
    this.laneNumbers = new Map();
    /** Commits, loaded manifests and snapshots of the host: what changes the session. */
    this.session = [];
    this.commits = [];
    this.violations = [];
    /** The lanes with records since the last gap: no other has anything that a gap ends. */
    this.heard = new Set();
    /** Places before which records are missing, with how many. */
    this.gaps = [];
    this.parsed = new Map();
    this.sessions = new Map();
  }

  get count() { return this.kinds.count; }

  /** Words about its clock; none if it goes by itself: then hardly a record has the time of the one before. */
  get clock() {
    if (this.count < 2 || this.standing * 2 < this.count) return "";
    return this.time(0) === this.time(this.count - 1) ? "virtual time, which stands" : "virtual time";
  }

  /** What it is of: the app, its manifest and the host. */
  get title() {
    const app = this.app && `${this.app}, manifest ${this.manifestVersion}`;
    return [app, this.host && `host ${this.host.slice(0, 8)}`].filter(Boolean).join(", ");
  }

  kind(place) { return this.kindNames[this.kinds.values[place]]; }

  /** Nanoseconds on the host's clock. */
  time(place) { return this.times.values[place]; }

  index(place) { return this.indices.values[place]; }

  /** Marks records, by their numbers, as what goes wrong. */
  mark(indices) {
    for (const index of indices) {
      let place = 0;
      while (place < this.count && this.index(place) !== index) place += 1;
      if (place < this.count && !this.violations.includes(place)) this.violations.push(place);
    }
    this.violations.sort((one, other) => one - other);
  }

  lane(place) { return this.laneList[this.lanes.values[place]]; }

  /** The bytes of a record as it came. */
  text(place) {
    const { chunk, start, end } = this.places;
    return decoder.decode(this.chunks[chunk.values[place]].subarray(start.values[place], end.values[place]));
  }

  /** A record; the last few thousand are kept. */
  record(place) {
    let record = this.parsed.get(place);
    if (!record) {
      record = JSON.parse(this.text(place));
      if (this.parsed.size > 4000) this.parsed.clear();
      this.parsed.set(place, record);
    }
    return record;
  }

  /** The event of a record; undefined for none. */
  event(place) { return this.lane(place)?.events.get(this.tickets.values[place]); }

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
    const from = this.unbrokenFrom(place);
    return from < 0 || this.index(from) <= this.present.index;
  }

  laneNumber(record) {
    if (record.receiver === "app") return 1;
    if (typeof record.scene !== "string") return 0;
    let number = this.laneNumbers.get(record.scene);
    if (number === undefined) {
      number = this.laneList.length;
      const scene = new Scene(record.scene);
      this.scenes.set(record.scene, scene);
      this.laneList.push(scene);
      this.laneNumbers.set(record.scene, number);
    }
    return number;
  }

  add(record, chunk, start, end) {
    const place = this.count;
    const kind = typeof record.kind === "string" ? record.kind : "?";
    let number = this.kindNumbers.get(kind);
    if (number === undefined) {
      number = this.kindNames.length;
      this.kindNames.push(kind);
      this.kindNumbers.set(kind, number);
    }
    const lane = this.laneNumber(record);
    this.places.chunk.push(chunk);
    this.places.start.push(start);
    this.places.end.push(end);
    this.kinds.push(number);
    this.times.push(Number(record.monotonic) || 0);
    this.indices.push(Number(record.index) || 0);
    this.lanes.push(lane);
    if (place > 0 && this.time(place) === this.time(place - 1)) this.standing += 1;
    this.tickets.push(Number(record.ticket) || 0);
    this.note(record, kind, place, this.laneList[lane]);
  }

  note(record, kind, place, lane) {
    // A host counts its records from 1.
    const missing = this.index(place) - (place === 0 ? 0 : this.index(place - 1)) - 1;
    if (kind === "gap") this.gaps.push({ place, count: Number(record.count) || 0 });
    else if (missing > 0 && (place === 0 || this.kind(place - 1) !== "gap")) this.gaps.push({ place, count: missing });
    if (this.gaps.at(-1)?.place === place) {
      for (const one of this.heard) this.lose(one, place);
      this.heard.clear();
    }
    if (lane) this.heard.add(lane);
    switch (kind) {
    case "host.started": case "host.snapshot":
      this.app = String(record.app ?? "");
      this.manifestVersion = String(record.manifestVersion ?? "");
      this.session.push(place);
      break;
    case "session.committed":
      this.commits.push(place);
      this.session.push(place);
      break;
    case "manifest.loaded":
      this.manifestVersion = String(record.manifestVersion ?? this.manifestVersion);
      this.session.push(place);
      break;
    case "violation": this.violations.push(place); break;
    }
    if (!lane) return;
    if (record.window) lane.windows.push(place);
    switch (kind) {
    case "scene.connected": case "scene.activation": case "scene.disconnected": case "scene.discarded":
    case "window.locked": case "window.unlocked": case "scene.snapshot":
      lane.states.push(place);
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
    this.noteMove(record, kind, place, lane);
    if (typeof record.ticket === "number") this.noteEvent(record, kind, place, lane);
  }

  /** What was going on in a lane may have ended in a gap. */
  lose(lane, place) {
    for (const ends of [lane.moveEnds, lane.holdEnds]) if (ends.at(-1) === -1) ends[ends.length - 1] = place;
    for (const event of lane.open) event.lost = place;
    lane.open.clear();
  }

  /** A transition is over with the next step, with the end of its event or its sweep, or with its window. */
  noteMove(record, kind, place, lane) {
    const last = lane.moves.length - 1;
    if (last >= 0 && lane.moveEnds[last] < 0) {
      const isGone = kind === "scene.disconnected" || kind === "scene.discarded" || kind === "navigation.step";
      const isEnd = kind === "dispatch.ended" || kind === "scene.swept";
      if (isGone || (isEnd && (Number(record.ticket) || 0) === this.tickets.values[lane.moves[last]])) lane.moveEnds[last] = place;
    }
    if (kind !== "navigation.step") return;
    lane.moves.push(place);
    lane.moveEnds.push(-1);
  }

  noteEvent(record, kind, place, lane) {
    let event = lane.events.get(record.ticket);
    if (!event) {
      event = new SceneEvent(lane, record.ticket, String(record.event ?? ""));
      lane.events.set(record.ticket, event);
      lane.order.push(event);
    }
    event.records.push(place);
    event.lost = -1;
    lane.open.add(event);
    const goal = record.destination ? destination(record.destination) : record.route;
    if (goal && !event.goal && (kind === "event.admitted" || kind === "dispatch.resolved")) event.goal = harmless(goal);
    switch (kind) {
    case "event.admitted":
      event.admitted = place;
      event.kind = record.name ? `${record.eventKind} ${record.name}` : String(record.eventKind ?? "");
      break;
    case "dispatch.began": event.attempts.push([place, -1]); break;
    case "dispatch.ended":
      if (event.attempts.length > 0 && event.attempts.at(-1)[1] < 0) event.attempts.at(-1)[1] = place;
      event.outcome = String(record.outcome ?? "");
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

  /** Where the records begin that follow one another without a gap up to `place`; -1 for the beginning of all. */
  unbrokenFrom(place) {
    let number = this.gaps.length - 1;
    while (number >= 0 && this.gaps[number].place > place) number -= 1;
    return number < 0 ? -1 : this.gaps[number].place;
  }

  /** How many records are missing right before the one at `place`. */
  missingBefore(place) { return this.gaps.find((gap) => gap.place === place)?.count ?? 0; }

  /**
   * What a scene was after the record at `place`. Since records went missing it may show something else (`isOld`), and be connected or not
   * (`isStateKnown` is false).
   */
  sceneAt(scene, place) {
    const shown = lastUpTo(scene.windows, place);
    const from = this.unbrokenFrom(place);
    const state = {
      name: scene.name, window: shown === undefined ? null : this.record(shown).window, since: shown,
      isKnown: shown !== undefined, isOld: (shown ?? -1) < from, isStateKnown: from < 0, isConnected: false, isDiscarded: false, isLocked: false,
      activation: "unattached", configuration: "", move: null, hold: null,
    };
    /** The last span that has begun and is not over. */
    const open = (starts, ends) => {
      const last = countUpTo(starts, place) - 1;
      return last >= 0 && (ends[last] < 0 || ends[last] > place) ? this.record(starts[last]) : null;
    };
    state.move = open(scene.moves, scene.moveEnds)?.op ?? null;
    state.hold = open(scene.holds, scene.holdEnds);
    const known = countUpTo(scene.states, place);
    // Back to the last record that says all of it.
    let first = known - 1;
    while (first > 0 && !this.saysAll(scene.states[first])) first -= 1;
    for (let number = Math.max(first, 0); number < known; number += 1) {
      const at = scene.states[number];
      this.apply(this.record(at), state);
      if (at >= from && !["window.locked", "window.unlocked"].includes(this.kind(at))) state.isStateKnown = true;
    }
    if (known > 0) state.isKnown = true;
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

  saysAll(place) { return ["scene.connected", "scene.snapshot"].includes(this.kind(place)); }

  apply(record, state) {
    switch (record.kind) {
    case "scene.connected":
      Object.assign(state, { isConnected: true, isDiscarded: false, isLocked: false, activation: "unattached" });
      state.configuration = record.configuration;
      break;
    case "scene.snapshot":
      Object.assign(state, { isConnected: record.connected, isLocked: record.locked === true, activation: record.activation });
      state.configuration = record.configuration;
      break;
    case "scene.activation": Object.assign(state, { isConnected: true, activation: record.to }); break;
    case "scene.disconnected": Object.assign(state, { isConnected: false, activation: "unattached" }); break;
    case "scene.discarded": Object.assign(state, { isConnected: false, isDiscarded: true, activation: "unattached" }); break;
    case "window.locked": state.isLocked = true; break;
    case "window.unlocked": state.isLocked = false; break;
    }
  }

  /**
   * The session after the record at `place`: user, revision, epoch, facts, holds, stale; `since` is the record that made it so. Since
   * records went missing it may be another (`isOld`).
   */
  sessionAt(place) {
    const count = countUpTo(this.session, place);
    const present = this.isPresent(place) ? this.present.session : null;
    if (count === 0) return present && { ...present, user: present.user ?? null, holds: {}, stale: [], facts: present.facts, since: -1, isOld: false, factsKnown: true };
    let number = count - 1;
    // Facts are told as changes: go back to where all of them are told, or to what is known already.
    let from = number;
    while (from > 0 && !this.sessions.has(from) && !this.tellsFacts(this.session[from])) from -= 1;
    let session = this.sessions.get(from) ?? this.sessionAfter(null, this.session[from]);
    for (let next = from + 1; next <= number; next += 1) {
      session = this.sessionAfter(session, this.session[next]);
      if (next % 256 === 0) this.sessions.set(next, session);
    }
    const unbroken = this.unbrokenFrom(place);
    const factsKnown = session.factsSince >= 0 && session.factsSince >= unbroken;
    // Facts are told as changes: those that were there before are as they were when they were asked for.
    const facts = !factsKnown && present ? { ...present.facts, ...session.facts } : session.facts;
    return { ...session, facts, isOld: session.since < unbroken && !present, factsKnown: factsKnown || present !== null };
  }

  tellsFacts(place) { return this.kind(place) === "host.started" || this.kind(place) === "host.snapshot"; }

  sessionAfter(before, place) {
    const record = this.record(place);
    const all = this.tellsFacts(place);
    const session = {
      user: record.kind === "manifest.loaded" ? (before?.user ?? null) : (record.user ?? null),
      revision: record.revision ?? before?.revision,
      epoch: record.epoch ?? before?.epoch,
      holds: object(record.holds), stale: Array.isArray(record.stale) ? record.stale : [],
      facts: { ...(all ? {} : before?.facts), ...object(record.facts) },
      since: place,
      factsSince: all ? place : before?.factsSince ?? -1,
    };
    for (const [name, value] of Object.entries(session.facts)) if (value === null) delete session.facts[name];
    return session;
  }
}
