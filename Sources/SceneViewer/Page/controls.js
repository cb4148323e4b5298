import { element } from "scened/dom";
import { MethodForm } from "scened/form";
import { button, choice, labelled } from "scened/widgets";
import { harmless, outcomes } from "scened/words";

/** The value of a text that may be JSON: what is none is a text itself. */
function loose(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Holds of this page, and what they have stopped. */
class Holds {
  constructor(acts) {
    this.acts = acts;
    this.list = element("ul.holds");
    this.point = choice("point", ["admitted", "resolved", "planned", "transition", "settled"]);
    this.scene = element("select", { "aria-label": "window" });
    this.kind = choice("what", ["dispatch", "resume", "sweep"], "anything");
    this.held = [];
    this.scenes = [];
    this.view = element("section", {}, element("h3", {}, "Hold"),
      element("div.tools", {}, labelled("at", this.point), labelled("in", this.scene), labelled("only", this.kind), button("hold", () => this.hold())), this.list);
  }

  async hold() {
    const parameters = { point: this.point.value };
    if (this.scene.value) parameters.scene = this.scene.value;
    if (this.kind.value) parameters.kind = this.kind.value;
    const answer = await this.acts.act("Control.Hold", parameters);
    if (answer?.reply) this.held.push({ id: answer.reply.hold, ...parameters });
    this.draw();
  }

  async release(hold) {
    await this.acts.act("Control.Release", { hold: hold.id });
    this.held = this.held.filter((one) => one !== hold);
    this.draw();
  }

  show(history) {
    this.caught = new Map();
    for (const scene of history.scenes.values()) {
      const last = scene.holds.length - 1;
      if (last >= 0 && scene.holdEnds[last] < 0) this.caught.set(history.record(scene.holds[last]).hold, scene.name);
    }
    const names = [...history.scenes.keys()];
    if (names.join("\n") !== this.scenes.join("\n")) {
      const chosen = this.scene.value;
      this.scenes = names;
      this.scene.replaceChildren(element("option", { value: "" }, "any window"), ...names.map((name) => element("option", { value: name }, name)));
      this.scene.value = names.includes(chosen) ? chosen : "";
    }
    this.draw();
  }

  draw() {
    const text = JSON.stringify([this.held, [...(this.caught ?? [])], this.acts.isOpen]);
    if (text === this.drawn) return;
    this.drawn = text;
    this.list.replaceChildren(...this.held.map((hold) => element("li", {},
      element("b", {}, hold.id), ` at ${hold.point}${hold.scene ? ` in ${hold.scene}` : ""}${hold.kind ? `, ${hold.kind} only` : ""}: `,
      element("span", { "data-look": this.caught?.has(hold.id) ? "wait" : "faint" }, this.caught?.has(hold.id) ? `‖ holds ${this.caught.get(hold.id)}` : "has caught nothing yet"), " ",
      button("release", () => this.release(hold), { "data-act": `release ${hold.id}` }))));
  }
}

/** A clock that stands until it is told. */
class VirtualClock {
  constructor(acts) {
    this.acts = acts;
    const { now, date } = acts.about.clock;
    this.state = element("output", {}, `${now} ms, ${date}`);
    this.by = element("input", { type: "number", min: "0", value: "350", "aria-label": "milliseconds" });
    this.view = element("section", {}, element("h3", {}, "Clock ", element("small", {}, "virtual: it stands until you advance it")),
      element("div.tools", {}, this.by, button("advance by ms", () => this.advance({ milliseconds: Number(this.by.value) })), button("to what comes next", () => this.next()), this.state));
  }

  async advance(parameters) {
    const reply = (await this.acts.act("Control.Advance", parameters))?.reply;
    if (reply) this.state.value = harmless(`${reply.now} ms, ${reply.date}${reply.next === undefined || reply.next === null ? "; nothing waits for time" : `; next at ${reply.next} ms`}`);
    return reply;
  }

  async next() {
    const reply = await this.advance({ milliseconds: 0 });
    if (reply && Number.isInteger(reply.next)) await this.advance({ time: reply.next });
  }
}

/** The session's controls. */
function sessionActs(acts) {
  const user = element("input", { type: "text", "aria-label": "user", placeholder: "user", autocomplete: "off", maxlength: "128" });
  const fact = element("input", { type: "text", "aria-label": "fact", placeholder: "fact", autocomplete: "off" });
  const value = element("input", { type: "text", "aria-label": "value", placeholder: "value: true, 3, text", autocomplete: "off" });
  const signIn = () => acts.act("Session.SignIn", { user: user.value });
  const set = () => acts.act("Session.Commit", value.value === "" ? { remove: [fact.value] } : { set: { [fact.value]: loose(value.value) } });
  const form = (content, done) => element("form.tools", { onsubmit: (event) => { event.preventDefault(); done(); } }, content);
  return element("section", {}, element("h3", {}, "Session"),
    acts.may("Session.SignIn") && form([user, element("button", { type: "submit" }, "sign in"), button("sign out", () => acts.act("Session.SignOut")), button("make stale", () => acts.act("Session.MarkStale"))], signIn),
    acts.may("Session.Commit") && form([fact, value, element("button", { type: "submit", title: "without a value: back to what the app declares" }, "set")], set));
}

/** What was done, each with the command that does the same and what became of it, and the whole as a test. */
class Log {
  /** @param {(event: SceneEvent) => void} choose told when somebody asks for an event's records */
  constructor(acts, choose) {
    this.acts = acts;
    this.choose = choose;
    this.list = element("ol.log");
    this.text = element("textarea", { rows: "10", readonly: true, "aria-label": "what was copied", hidden: true, spellcheck: "false" });
    this.state = element("output", { role: "status" });
    const copies = acts.may("Recording.Read") ? acts.about.copies : [];
    this.view = element("section", {}, element("h3", {}, "Done"), this.list,
      element("div.tools", {}, "copy as ", button("commands", () => this.put(this.commands, "the commands of this page")),
        copies.map((name) => button(name, () => this.copy(name), { title: "all that the daemon was sent since it began" })), this.state), this.text);
    acts.changed.addEventListener("change", () => this.draw());
    this.draw();
  }

  get commands() { return this.acts.log.map(({ command }) => command).filter(Boolean).join("\n") + "\n"; }

  draw() {
    if (this.acts.log.length === 0) {
      this.list.replaceChildren(element("li.nothing", {}, "Nothing yet. Tap in a window, or send an event."));
      return;
    }
    if (this.shown === undefined) this.list.replaceChildren();
    this.shown = this.shown ?? [];
    this.acts.log.forEach((entry, number) => {
      const events = entry.events.map((event) => ({ ...event, known: this.event(event) }));
      const text = JSON.stringify([entry.command, entry.text, entry.look, events.map(({ known }) => known?.outcome)]);
      if (this.shown[number]?.text === text) return;
      const line = element("li", { "aria-busy": entry.look === "wait" ? "true" : null }, element("code", {}, entry.command || entry.method), " ",
        events.length === 0 && element("span", { "data-look": entry.look }, `${{ good: "✓", bad: "✕", wait: "…" }[entry.look]} ${entry.text}`),
        events.map((event) => this.result(event)));
      if (this.shown[number]) this.shown[number].line.replaceWith(line);
      else this.list.append(line);
      this.shown[number] = { text, line };
      this.list.scrollTop = this.list.scrollHeight;
    });
  }

  /** What became of an event; it leads to its records. */
  result({ id, lane, ticket, known }) {
    const outcome = outcomes[known?.outcome];
    const words = `${outcome?.sign ?? "…"} ${known?.outcome || "is going on"}`;
    return button(`${words}: ${id}${ticket ? `, #${ticket} in ${lane ?? "the app"}` : ""}`, () => known && this.choose(known), { "data-look": outcome?.look ?? "wait", title: "the records of this event" });
  }

  /** The newest event of this ID, as the records tell it. */
  event({ id, lane, ticket }) {
    if (!this.history) return undefined;
    const place = lane === undefined || lane === null ? this.history.appLane : this.history.scenes.get(lane);
    return place?.events.get(ticket) ?? place?.order.findLast((one) => one.id === id);
  }

  show(history) {
    this.history = history;
    this.draw();
  }

  async copy(name) {
    this.state.value = "…";
    try {
      const { text, message } = await this.acts.server.post("/copy", { page: this.acts.about.page, as: name });
      if (message !== undefined) this.state.value = harmless(message);
      else await this.put(text, name);
    } catch (error) {
      this.state.value = harmless(error.message);
    }
  }

  /** Shows a text, and puts it where it can be pasted from. */
  async put(text, what) {
    this.text.hidden = false;
    this.text.value = text;
    try {
      await navigator.clipboard.writeText(text);
      this.state.value = `${what}: copied`;
    } catch {
      this.text.select();
      this.state.value = `${what}: here to be copied`;
    }
  }
}

/** All that can be done, beside what is done on the drawn windows themselves. */
export class ActPanel {
  constructor(acts) {
    this.acts = acts;
    this.form = new MethodForm(acts);
    this.holds = acts.may("Control.Hold") ? new Holds(acts) : null;
    this.log = new Log(acts, (event) => this.view.dispatchEvent(new CustomEvent("event", { detail: event })));
    this.view = element("div.acts", {},
      element("div.tools", {},
        acts.may("Scenes.Connect") && button("open a window", () => this.open()),
        acts.may("Control.Reset") && button("start over", () => this.reset(), { title: "as scenectl reset" })),
      this.log.view,
      !this.form.isEmpty && element("section", {}, element("h3", {}, "Send"), this.form.view),
      element("div", {},
        (acts.may("Session.SignIn") || acts.may("Session.Commit")) && sessionActs(acts),
        this.holds?.view,
        acts.about.clock?.virtual && acts.may("Control.Advance") && new VirtualClock(acts).view));
  }

  /** Opens a window with the first letter that no window has had: a script or a scenario can name it. */
  open() {
    const taken = this.log.history?.scenes;
    const scene = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !taken?.has(letter));
    this.acts.act("Scenes.Connect", scene === undefined ? {} : { scene });
  }

  reset() {
    if (confirm("Start over? All windows go, nobody is signed in, and the records so far are gone.")) this.acts.act("Control.Reset");
  }

  show(history) {
    this.holds?.show(history);
    this.log.show(history);
  }

  /** Asks for the rest of a call in the form. */
  ask(method, parameters) {
    this.form.fill(method, parameters);
    this.form.view.scrollIntoView({ block: "nearest" });
    this.form.fields.querySelector("input, select, textarea")?.focus();
  }
}
