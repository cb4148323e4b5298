import { element } from "scened/dom";
import { choice } from "scened/widgets";
import { outcomes, sentence } from "scened/words";

/** The longest that is searched before the page may do something else, in records. */
const stretch = 20_000;

/** Which records of a history are to be seen. */
export class Filters {
  /** @param {() => void} changed told when somebody chooses otherwise */
  constructor(history, changed) {
    this.history = history;
    this.lane = choice("window", [], "any window");
    this.kind = choice("kind", [], "any kind");
    this.outcome = choice("outcome", Object.keys(outcomes), "any outcome");
    this.user = choice("user", [], "any user");
    this.search = element("input", { type: "search", placeholder: "search ( / )", "aria-label": "search the records", maxlength: "200", oninput: changed });
    this.found = element("output");
    for (const select of [this.lane, this.kind, this.outcome, this.user]) select.addEventListener("change", changed);
    this.users = new Set();
    this.known = 0;
    this.turn = 0;
    this.extend();
    this.view = element("form.filters", { role: "search", onsubmit: (event) => event.preventDefault() }, this.search, this.lane, this.kind, this.outcome, this.user, this.found);
  }

  /** Offers what has come since. */
  extend() {
    const { history } = this;
    for (; this.known < history.session.length; this.known += 1) {
      const { user } = history.record(history.session[this.known]);
      if (user !== undefined) this.users.add(user ?? "nobody");
    }
    const offer = (select, names) => {
      const offered = new Set([...select.options].map((option) => option.value));
      for (const name of names) if (!offered.has(name)) select.append(element("option", { value: name }, name));
    };
    offer(this.lane, ["session", ...(history.appLane.order.length > 0 ? ["the app"] : []), ...history.scenes.keys()]);
    if (this.kind.options.length - 1 < history.kindNames.length) offer(this.kind, [...history.kindNames].sort());
    offer(this.user, this.users);
  }

  /** The places of the records that are to be seen: null for all, undefined if somebody has chosen otherwise meanwhile. */
  async places() {
    const { history } = this;
    const [lane, kind, outcome, user] = [this.lane.value, this.kind.value, this.outcome.value, this.user.value];
    const text = this.search.value.toLowerCase();
    this.turn += 1;
    const { turn } = this;
    if (!lane && !kind && !outcome && !user && !text) return null;
    const places = [];
    let known = 0;
    let current = "nobody";
    for (let place = 0; place < history.count; place += 1) {
      if (place % stretch === stretch - 1) {
        await new Promise((done) => setTimeout(done));
        if (turn !== this.turn) return undefined;
      }
      while (known < history.session.length && history.session[known] <= place) {
        const record = history.record(history.session[known++]);
        if (record.user !== undefined || record.kind === "session.committed") current = record.user ?? "nobody";
      }
      if (lane && this.laneName(place) !== lane) continue;
      if (kind && history.kind(place) !== kind) continue;
      if (user && current !== user) continue;
      if (outcome && history.event(place)?.outcome !== outcome) continue;
      if (text && !history.text(place).toLowerCase().includes(text) && !sentence(history.record(place)).toLowerCase().includes(text)) continue;
      places.push(place);
    }
    return places;
  }

  laneName(place) {
    const number = this.history.lanes.values[place];
    return number === 0 ? "session" : number === 1 ? "the app" : this.history.lane(place).name;
  }
}
