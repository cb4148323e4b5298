import { element } from "scened/dom";
import { button } from "scened/widgets";
import { activations } from "scened/words";

/** What this page does: calls, in order, and a log of them. What the connection may not do is not offered. */
export class Acts {
  /** @param {object[]} log what was done before */
  constructor(server, about, log = []) {
    this.server = server;
    this.about = about;
    this.isOpen = true;
    this.methods = new Map(about.methods.map((method) => [method.name, method]));
    this.log = log;
    this.changed = new EventTarget();
    this.last = Promise.resolve();
  }

  may(method) { return this.isOpen && this.methods.has(`io.scened.${method}`); }

  close() {
    this.isOpen = false;
    this.tell();
  }

  tell() { this.changed.dispatchEvent(new Event("change")); }

  /** Makes a call. What waits for a window comes after what was done before it, and nothing waits for that. */
  async act(method, parameters = {}) {
    const entry = { method, parameters, host: this.about.host, command: "", text: "", look: "wait", events: [], answer: null };
    this.log.push(entry);
    this.tell();
    const call = this.last.then(() => this.server.post("/call", { page: this.about.page, method: `io.scened.${method}`, parameters }));
    if (!method.startsWith("Scenes.") && method !== "Control.Quiesce") this.last = call.catch(() => {});
    try {
      entry.answer = await call;
      // Something else was done while it waited for its window.
      entry.isMeanwhile = this.log.at(-1) !== entry && method.startsWith("Scenes.");
      entry.command = entry.answer.command;
      const { message, reply } = entry.answer;
      const receipts = reply?.receipts ?? [reply?.receipt].filter(Boolean);
      entry.events = receipts.map((receipt) => ({ id: receipt.event, lane: receipt.scene, ticket: receipt.ticket }));
      entry.text = message ?? "";
      entry.look = message === undefined ? "good" : "bad";
    } catch (error) {
      Object.assign(entry, { text: error.message, look: "bad" });
    }
    this.tell();
    return entry.answer;
  }
}

/** The steps of UIKit's automaton from each state. */
const steps = {
  unattached: ["foregroundInactive", "background"], foregroundInactive: ["foregroundActive", "background"],
  foregroundActive: ["foregroundInactive"], background: ["foregroundInactive"],
};

/** What a finger and the system can do with a drawn window, as far as it may be done. */
export class WindowActs {
  constructor(panel, scene) {
    this.panel = panel;
    this.acts = panel.acts;
    this.name = scene.name;
    this.scene = scene;
  }

  /** Whether there is something to touch: a tap on a window that is released would bring it back. */
  get isThere() { return this.scene.isConnected && !this.scene.isDiscarded; }

  act(name, text, method, parameters, title) {
    return this.acts.may(method) && button(text, () => this.acts.act(method, { ...parameters, scene: this.name }), { "data-act": name, title });
  }

  tab(id) { return this.isThere && this.act(`tab ${id}`, id, "Events.Gesture", { gesture: "selectTab", tab: id }); }

  back() {
    return this.isThere && [this.act("back", "‹ back", "Events.Gesture", { gesture: "back" }), this.act("swipe back", "⇠", "Events.Gesture", { gesture: "swipeBack" }, "swipe back from the edge")];
  }

  dismiss() {
    return this.isThere && [this.act("dismiss", "✕", "Events.Gesture", { gesture: "dismiss" }, "close"), this.act("swipe down", "⇣", "Events.Gesture", { gesture: "swipeDown" }, "swipe down")];
  }

  flow(flow) {
    return this.isThere && this.acts.may("Events.FinishFlow") && [
      button("complete …", () => this.panel.ask("Events.FinishFlow", { flow, result: "completed", scene: this.name }), { "data-act": `complete ${flow}` }),
      this.act(`cancel ${flow}`, "cancel", "Events.FinishFlow", { flow, result: "cancelled" }, `cancel the flow ${flow}`)];
  }

  /** Its life, and what can be sent to it. */
  menu() {
    const ask = (text, method, parameters) => this.acts.may(method) && button(text, () => this.panel.ask(method, { ...parameters, scene: this.name }), { "data-act": text });
    const items = this.scene.isDiscarded ? [] : [
      ask("open a URL …", "Events.OpenURL", {}), ask("send an intent …", "Events.SendIntent", {}),
      ...(this.scene.isConnected
        ? [...(steps[this.scene.activation] ?? []).map((to) => this.act(`to ${to}`, `to ${activations[to]}`, "Scenes.SetActivation", { activation: to })), this.act("disconnect", "disconnect", "Scenes.Disconnect", {})]
        : [this.act("connect", "connect again", "Scenes.Connect", {})]),
      this.act("discard", "discard", "Scenes.Discard", {}),
    ].filter(Boolean);
    return items.length > 0 && element("details.menu", { onclick: (event) => { if (event.target.closest("button")) event.currentTarget.open = false; } }, element("summary", { "aria-label": `more for window ${this.name}`, "data-act": "menu summary" }, "⋯"), items);
  }
}
