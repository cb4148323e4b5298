import { announce } from "scened/announce";
import { element, redraw } from "scened/dom";
import { asked, MethodForm } from "scened/form";
import { count, date, milliseconds } from "scened/format";
import { button, choice, factValue, labelled, number } from "scened/widgets";
import { harmless, outcomes, visible } from "scened/words";

/** Holds of this page, and what they have stopped. */
class Holds {
  constructor(acts) {
    this.acts = acts;
    this.list = element("ul.holds");
    this.point = choice("point of the hold", ["admitted", "resolved", "planned", "transition", "settled"]);
    this.scene = element("select", { "aria-label": "window of the hold" });
    this.kind = choice("what the hold stops", ["dispatch", "resume", "sweep"], "anything");
    this.button = button("hold", () => this.hold(), { "aria-label": "hold what comes to this point" });
    this.caught = new Map();
    this.scenes = [];
    this.view = element("section", { "aria-label": "holds" }, element("h3", {}, "Hold"),
      element("div.tools", {}, labelled("at", this.point), labelled("in", this.scene), labelled("only", this.kind), this.button), this.list);
    acts.changed.addEventListener("change", () => this.draw());
  }

  /** Those of this page that stand, however they were asked for. */
  get held() {
    // A name is free again when its hold is released, and each host makes the same ones.
    const held = new Map();
    for (const { method, parameters, answer, host, look } of this.acts.log) {
      if (host !== this.acts.about.host) continue;
      if (method === "Control.Hold" && answer?.reply) held.set(answer.reply.hold, { ...parameters, id: answer.reply.hold });
      // What the daemon does not know somebody else has released.
      else if (method === "Control.Release" && (look === "good" || answer?.error?.endsWith(".UnknownHold"))) held.delete(parameters.hold);
    }
    return [...held.values()];
  }

  async hold() {
    const parameters = { point: this.point.value };
    if (this.scene.value) parameters.scene = this.scene.value;
    if (this.kind.value) parameters.kind = this.kind.value;
    await this.acts.act("Control.Hold", parameters);
  }

  release(hold) { return this.acts.act("Control.Release", { hold: hold.id }); }

  show(history) {
    this.caught = new Map();
    for (const scene of [history.appLane, ...history.scenes.values()]) {
      const last = scene.holds.length - 1;
      if (last < 0 || scene.holdEnds[last] >= 0) continue;
      const { hold } = history.record(scene.holds[last]);
      this.caught.set(hold, [...(this.caught.get(hold) ?? []), scene === history.appLane ? "the app" : scene.name]);
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
    // Who releases one goes on with the next.
    redraw(this.list, () => this.list.replaceChildren(...this.held.map((hold) => element("li", {},
      element("b", {}, hold.id), ` at ${hold.point}${hold.scene ? ` in ${hold.scene}` : ""}${hold.kind ? `, ${hold.kind} only` : ""}${hold.event ? `, the event ${hold.event} only` : ""}: `,
      element("span", { "data-look": this.caught?.has(hold.id) ? "wait" : "faint" }, this.caught?.has(hold.id) ? `‖ holds ${this.caught.get(hold.id).join(", ")}` : "has caught nothing yet"), " ",
      button("release", () => this.release(hold), { "data-act": `release ${hold.id}`, "aria-label": `release the hold ${hold.id}` })))), this.button);
  }
}

/** A clock that stands until it is told. */
class VirtualClock {
  constructor(acts) {
    this.acts = acts;
    const { now, date: at } = acts.about.clock;
    this.now = now;
    /** The date when it was at 0: both go on alike. */
    this.start = new Date(at).getTime() - now;
    this.state = element("output", { "aria-live": "off" }, this.time(now));
    this.by = element("input", { type: "number", min: "0", value: "350", "aria-label": "milliseconds to advance by" });
    this.view = element("section", { "aria-label": "clock" }, element("h3", {}, "Clock ", element("small", {}, "virtual: it stands until you advance it")),
      element("div.tools", {}, this.by, button("advance by ms", () => this.advance({ milliseconds: number(this.by.value) })), button("to what comes next", () => this.next(), { "aria-label": "advance to what comes next" }), this.state));
  }

  /** A time of the clock, and its date. */
  time(now) { return `${milliseconds(now)}, ${date(new Date(this.start + now))}`; }

  async advance(parameters) {
    const reply = (await this.acts.act("Control.Advance", parameters))?.reply;
    if (reply) {
      this.now = reply.now;
      this.said = this.at;
    }
    if (reply) this.say(`${this.time(reply.now)}${reply.next === undefined || reply.next === null ? "; nothing waits for time" : `; next at ${milliseconds(reply.next)}`}`);
    return reply;
  }

  say(text) {
    this.state.value = harmless(text);
    announce("clock", `the clock is at ${text}`);
  }

  /** Others let time pass, too; what was said of what comes next is good until something happens. */
  show(history) {
    this.at = history.count;
    const now = Math.floor(history.time(history.count - 1) / 1e6);
    if (now > this.now) this.state.value = this.time(now);
    else if (this.said !== undefined && this.at > this.said) this.state.value = this.time(this.now);
    this.now = Math.max(this.now, now);
  }

  async next() {
    const reply = await this.advance({ milliseconds: 0 });
    if (reply && Number.isInteger(reply.next)) await this.advance({ time: reply.next });
  }
}

/** The session's controls. */
function sessionActs(acts) {
  const user = element("input", { type: "text", "aria-label": "user", placeholder: "user", autocomplete: "off", maxlength: "128" });
  const fact = element("input", { type: "text", "aria-label": "fact to set", placeholder: "fact", autocomplete: "off", list: "facts" });
  const value = element("input", { type: "text", "aria-label": "value of the fact", placeholder: "value: true, 3, text", autocomplete: "off" });
  const problem = element("p.problem", { role: "alert" });
  const signIn = () => acts.act("Session.SignIn", { user: user.value });
  const set = () => {
    problem.textContent = "";
    try {
      acts.act("Session.Commit", value.value === "" ? { remove: [fact.value] } : { set: { [fact.value]: factValue(value.value, acts.about.facts[fact.value]) } });
    } catch (error) {
      problem.textContent = harmless(error.message);
    }
  };
  const form = (name, content, done) => element("form.tools", { "aria-label": name, onsubmit: (event) => { event.preventDefault(); done(); } }, content);
  return element("section", { "aria-label": "what changes the session" }, element("h3", {}, "Session"),
    acts.may("Session.SignIn") && form("who is signed in", [user, element("button", { type: "submit" }, "sign in"), button("sign out", () => acts.act("Session.SignOut")), button("make stale", () => acts.act("Session.MarkStale"), { "aria-label": "make the sign-in stale" })], signIn),
    acts.may("Session.Commit") && form("a fact of the session", [fact, value, element("button", { type: "submit", "aria-label": "set the fact", title: "without a value: back to what the app declares" }, "set")], set), problem);
}

/** What was done, each with the command that does the same and what became of it, and the whole as a test. */
class Log {
  /** @param {(event: SceneEvent) => void} choose told when somebody asks for an event's records */
  constructor(acts, choose) {
    this.acts = acts;
    this.choose = choose;
    this.list = element("ol.log", { tabindex: "0", "aria-label": "what was done" });
    this.text = element("textarea", { rows: "10", readonly: true, "aria-label": "what was copied", hidden: true, spellcheck: "false" });
    this.state = element("output", { "aria-live": "off" });
    const copies = acts.may("Recording.Read") ? acts.about.copies : [];
    this.view = element("section", { "aria-label": "done" }, element("h3", {}, "Done"), this.list,
      element("div.tools", {}, "copy as ", button("commands", () => this.put(this.commands, "the commands of this page"), { "aria-label": "copy as commands" }),
        copies.map((name) => button(name, () => this.copy(name), { "aria-label": `copy as ${name}`, title: "all that the daemon was sent since it began" })), this.state), this.text);
    acts.changed.addEventListener("change", () => this.draw());
    this.draw();
  }

  /** For bash. A hold stands while its command runs; here it is told to end when it is released. */
  get commands() {
    // Any text may name a hold, but not a variable.
    const variables = new Map();
    let count = 0;
    let last;
    const lines = this.acts.log.flatMap(({ method, command, parameters, answer, host, isMeanwhile, look, text }) => {
      const begins = last && last.host !== host && last.method !== "Control.Reset" ? ["scenectl reset  # here the daemon was another one"] : [];
      last = { host, method };
      if (begins.length > 0) variables.clear();
      // What was refused did nothing, and its command may be one that does something.
      if (look === "bad") return begins.concat(command && `# refused, ${text}: ${command.replace(/^# /, "")}`.replaceAll(/\s*\n/g, "\n# "));
      if (method === "Control.Reset") variables.clear();
      if (method === "Control.Hold" && answer?.reply) {
        const name = `hold_${++count}`;
        variables.set(answer.reply.hold, name);
        return begins.concat(`coproc ${name} { ${command}; }; read -r _ <&"\${${name}[0]}"  # until it holds`);
      }
      const name = method === "Control.Release" && variables.get(parameters.hold);
      if (name) variables.delete(parameters.hold);
      if (name) return begins.concat(`echo >&"\${${name}[1]}"; wait "$${name}_PID"  # ${command}`);
      return begins.concat(isMeanwhile ? `${command} &` : command);
    });
    // What waits for a hold that stands would never end.
    if (variables.size === 0 && this.acts.log.some(({ isMeanwhile }) => isMeanwhile)) lines.push("wait");
    const text = lines.filter(Boolean).map((line) => `${line}\n`).join("");
    return text && `#!/bin/bash\n${text}`;
  }

  draw() {
    if (this.acts.log.length === 0) {
      this.list.replaceChildren(element("li.nothing", {}, "Nothing yet. Tap in a window, or send an event."));
      return;
    }
    if (this.shown === undefined) this.list.replaceChildren();
    this.shown = this.shown ?? [];
    this.acts.log.forEach((entry, number) => {
      const { events } = entry;
      // Of a host before this one nothing more is told; its events may have had the same names.
      const isPast = entry.host !== this.acts.about.host;
      for (const event of events) {
        // What has ended stays so, also once the records that tell it are dropped.
        if (isPast || event.known?.ended >= 0) continue;
        event.known = this.event(event) ?? event.known;
        if (event.known?.ended >= 0) event.reason = this.history.record(event.known.ended)?.reason;
      }
      const text = JSON.stringify([entry.command, entry.text, entry.look, events.map(({ known }) => known?.outcome), isPast]);
      if (this.shown[number]?.text === text) return;
      const line = element("li", { "aria-busy": entry.look === "wait" ? "true" : null }, ...Log.code(entry), " ",
        events.length === 0 && element("span", { "data-look": entry.look }, `${{ good: "✓", bad: "✕", wait: "…" }[entry.look]} ${entry.text}`),
        events.map((event, which) => [this.result(event, `${number} ${which}`, isPast), " "]).flat());
      if (this.shown[number]) redraw(this.list, () => this.shown[number].line.replaceWith(line), this.list);
      else this.list.append(line);
      this.shown[number] = { text, line };
      this.list.scrollTop = this.list.scrollHeight;
    });
  }

  /** The command, of a long one its beginning: what is copied has all of it. */
  static code({ command, method }) {
    const text = command || method;
    return [element("code", {}, text), harmless(text) !== visible(text) && element("small.faint", {}, ` ${count(text.length)} characters; the copy has them all`)];
  }

  /** What became of an event; it leads to its records. */
  result({ id, lane, ticket, known, reason }, name, isPast) {
    const outcome = outcomes[known?.outcome];
    const words = `${outcome?.sign ?? "…"} ${known?.outcome || (isPast ? "not known: its host has ended" : "is going on")}`;
    const text = `${words}${reason ? ` (${reason})` : ""}: ${id}${ticket ? `, #${ticket} in ${lane ?? "the app"}` : ""}`;
    if (isPast) return element("span", { "data-look": outcome?.look ?? "wait" }, `${text}, in a run before`);
    return button(text, () => known && this.choose(known), { "data-look": outcome?.look ?? "wait", "data-act": `result ${name}`, title: "the records of this event" });
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
    // A text of before would be taken for this one.
    this.text.hidden = true;
    this.text.value = "";
    try {
      const { text, message } = await this.acts.server.post("/copy", { page: this.acts.about.page, as: name });
      if (message !== undefined) this.say(message);
      else await this.put(text, name);
    } catch (error) {
      this.say(error.message);
    }
  }

  say(text) {
    this.state.value = harmless(text);
    announce("copy", text);
  }

  /** Shows a text, and puts it where it can be pasted from. */
  async put(text, what) {
    this.text.hidden = false;
    this.text.value = text;
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what}: copied`);
    } catch {
      this.text.select();
      this.say(`${what}: here to be copied`);
    }
  }
}

/** All that can be done, beside what is done on the drawn windows themselves. */
export class ActPanel {
  constructor(acts) {
    this.acts = acts;
    this.form = new MethodForm(acts);
    this.holds = acts.may("Control.Hold") ? new Holds(acts) : null;
    this.clock = acts.about.clock?.virtual && acts.may("Control.Advance") ? new VirtualClock(acts) : null;
    this.log = new Log(acts, (event) => this.view.dispatchEvent(new CustomEvent("event", { detail: event })));
    this.view = element("div.acts", {},
      element("div.tools", {},
        acts.may("Scenes.Connect") && button("open a window", () => this.open()),
        acts.may("Control.Reset") && button("start over", () => this.reset(), { title: "as scenectl reset" })),
      this.log.view,
      !this.form.isEmpty && element("section", { "aria-label": "send" }, element("h3", {}, "Send"), this.form.view),
      element("div", {},
        (acts.may("Session.SignIn") || acts.may("Session.Commit")) && sessionActs(acts),
        this.holds?.view,
        this.clock?.view));
    // Without a daemon nothing can be done; what was done can still be copied.
    acts.changed.addEventListener("change", () => {
      if (acts.isOpen) return;
      for (const one of this.view.querySelectorAll("button, input, select, textarea")) if (!this.log.view.contains(one)) one.disabled = true;
    });
  }

  /** Opens a window with the first letter that no window has had: a script or a scenario can name it. */
  open() {
    const taken = this.log.history?.scenes;
    const scene = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !taken?.has(letter));
    this.acts.act("Scenes.Connect", scene === undefined ? {} : { scene });
  }

  reset() {
    if (confirm(asked["Control.Reset"])) this.acts.act("Control.Reset");
  }

  show(history) {
    this.holds?.show(history);
    this.clock?.show(history);
    this.form.offer([...history.scenes.keys()]);
    this.log.show(history);
  }

  /** Offers other names where one is typed. */
  offer(names) {
    Object.assign(this.acts.about, names);
    this.form.offerNames();
  }

  /** Asks for the rest of a call in the form. */
  ask(method, parameters) {
    this.form.fill(method, parameters);
    this.form.view.scrollIntoView({ block: "nearest" });
    this.form.fields.querySelector("input, select, textarea")?.focus();
  }
}
