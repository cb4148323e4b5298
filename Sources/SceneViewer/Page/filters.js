import { element } from "scened/dom";
import { choice } from "scened/widgets";
import { Numbers } from "scened/history";
import { outcomes, sentence } from "scened/words";

/** The longest that is searched before the page may do something else, in milliseconds, and how often that is looked at, in records. */
const stretch = 12;
const glance = 256;

/** Lets the page do something else. A timer would wait for milliseconds each time, and nothing waits for one. */
const channel = new MessageChannel();
const waiting = [];
channel.port1.addEventListener("message", () => waiting.shift()());
channel.port1.start();
const breath = () => new Promise((done) => {
  waiting.push(done);
  channel.port2.postMessage(null);
});

/** The places of records that were found, as far as was searched. */
class Found {
  constructor() {
    this.places = [];
    /** Of each record whether it was. */
    this.seen = new Numbers(Uint8Array);
    this.session = 0;
  }

  has(place) { return this.seen.at(place) === 1; }
}

/** Which records of a history are to be seen. */
export class Filters {
  /** @param {() => void} changed told when somebody chooses otherwise */
  constructor(history, changed) {
    this.history = history;
    this.lane = choice("records of window", [], "any window");
    this.kind = choice("records of kind", [], "any kind");
    this.outcome = choice("events with outcome", Object.keys(outcomes), "any outcome");
    this.user = choice("records while user", [], "any user");
    /** The events that somebody asked for, by name; until then there is nothing to choose. */
    this.events = new Map();
    this.event = choice("records of event", [], "any event");
    this.event.hidden = true;
    this.changed = changed;
    this.search = element("input", { type: "search", placeholder: "search ( / )", "aria-label": "search the records", maxlength: "200", oninput: changed });
    this.output = element("output", { "aria-live": "off" });
    for (const select of [this.lane, this.kind, this.outcome, this.user, this.event]) select.addEventListener("change", changed);
    this.users = new Set();
    this.turn = 0;
    this.extend();
    this.view = element("form.filters", { role: "search", "aria-label": "which records are shown", onsubmit: (event) => event.preventDefault() }, this.search, this.lane, this.kind, this.outcome, this.user, this.event, this.output);
  }

  /** Whether the records of one event are to be seen, and of which. */
  isOnly(event) { return this.events.get(this.event.value) === event; }

  /** Only the records of an event, or those of all again if it was only them. */
  toggle(event) {
    const name = `${this.history.eventName(event)} ${event.id}`;
    const isOn = this.isOnly(event);
    if (!this.events.has(name)) this.event.append(element("option", { value: name }, name));
    // Another host may have had one of this name.
    this.events.set(name, event);
    this.words = "";
    this.event.value = isOn ? "" : name;
    this.event.hidden = false;
    this.changed();
  }

  /** Offers what has come since. */
  extend() {
    const { history } = this;
    const told = history.session.at(-1);
    if (told !== this.told) for (const user of history.users) this.users.add(userName(user));
    this.told = told;
    const offer = (select, names) => {
      const offered = new Set([...select.options].map((option) => option.value));
      for (const name of names) if (!offered.has(name)) select.append(element("option", { value: name }, name));
    };
    offer(this.lane, ["session", ...(history.appLane.order.length > 0 ? ["the app"] : []), ...history.scenes.keys()]);
    if (this.kind.options.length - 1 < history.kindNames.length) offer(this.kind, [...history.kindNames].sort());
    offer(this.user, this.users);
  }

  /** What is to be seen: null for all, undefined if somebody has chosen otherwise meanwhile. */
  async find() {
    const { history } = this;
    const wanted = { lane: this.lane.value, kind: this.kind.value, outcome: this.outcome.value, user: this.user.value, event: this.event.value, text: this.search.value.toLowerCase() };
    const words = JSON.stringify(wanted);
    this.turn += 1;
    const { turn } = this;
    if (!Object.values(wanted).some(Boolean)) return null;
    // How an event ends may be told after what was searched; everything else about a record stands. Before all is searched nothing begins anew.
    if (words !== this.words || (wanted.outcome && this.isDone)) this.found = new Found();
    this.words = words;
    this.isDone = false;
    const { found } = this;
    let since = performance.now();
    for (;;) {
      if (found.seen.first < history.first) forget(found, history.first);
      const place = found.seen.first + found.seen.count;
      if (place >= history.count) break;
      if (place % glance === 0 && performance.now() - since > stretch) {
        await breath();
        if (turn !== this.turn) return undefined;
        since = performance.now();
        continue;
      }
      const isFound = this.matches(place, wanted, found);
      found.seen.push(isFound ? 1 : 0);
      if (isFound) found.places.push(place);
    }
    this.isDone = true;
    return found;
  }

  matches(place, { lane, kind, outcome, user, event, text }, found) {
    const { history } = this;
    while (history.session[found.session + 1] <= place) found.session += 1;
    if (lane && history.laneName(place) !== lane) return false;
    if (event && history.event(place) !== this.events.get(event)) return false;
    if (kind && history.kind(place) !== kind) return false;
    if (user && (history.session[found.session] <= place ? userName(history.users[found.session]) : "nobody") !== user) return false;
    if (outcome && history.event(place)?.outcome !== outcome) return false;
    return !text || history.text(place).toLowerCase().includes(text) || sentence(history.peek(place)).toLowerCase().includes(text);
  }
}

const userName = (user) => String(user ?? "nobody");

/** Without what the history has dropped. */
function forget(found, first) {
  found.places = found.places.filter((place) => place >= first);
  if (found.seen.first + found.seen.count > first) {
    found.seen.drop(first);
  } else {
    found.seen = new Numbers(Uint8Array);
    found.seen.first = first;
  }
  found.session = 0;
}
