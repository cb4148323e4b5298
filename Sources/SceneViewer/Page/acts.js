import { announce } from "scened/announce";
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

  /** What the page did before it was loaded again. */
  static restored({ method, parameters, host, answer, isMeanwhile }) {
    const entry = { method: method.slice("io.scened.".length), parameters, host, isMeanwhile };
    Acts.settle(entry, answer);
    return entry;
  }

  static settle(entry, answer) {
    const { command, message, told, reply } = answer;
    const receipts = reply?.receipts ?? [reply?.receipt].filter(Boolean);
    const events = receipts.map((receipt) => ({ id: receipt.event, lane: receipt.scene, ticket: receipt.ticket }));
    Object.assign(entry, { answer, command, events, text: told ?? message ?? "", look: message === undefined ? "good" : "bad" });
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
    const call = this.last.then(() => this.server.post("/call", { page: this.about.page, host: entry.host, method: `io.scened.${method}`, parameters }));
    if (!method.startsWith("Scenes.") && method !== "Control.Quiesce") this.last = call.catch(() => {});
    try {
      Acts.settle(entry, await call);
      // Something else was done while it waited for its window.
      entry.isMeanwhile = this.log.at(-1) !== entry && method.startsWith("Scenes.");
    } catch (error) {
      Object.assign(entry, { text: error.message, look: "bad" });
    }
    announce("act", `${entry.command || method}: ${entry.look === "bad" ? `refused, ${entry.text}` : "done"}`);
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

  /** @param {string} label what it does, so that it makes sense away from the window */
  act(name, text, label, method, parameters) {
    const title = label.includes(text) ? null : label;
    return this.acts.may(method) && button(text, () => this.acts.act(method, { ...parameters, scene: this.name }), { "data-act": name, "aria-label": label, title });
  }

  tab(id) { return this.isThere && this.act(`tab ${id}`, id, `tab ${id} of window ${this.name}`, "Events.Gesture", { gesture: "selectTab", tab: id }); }

  back() {
    return this.isThere && [this.act("back", "‹ back", `‹ back in window ${this.name}`, "Events.Gesture", { gesture: "back" }), this.act("swipe back", "⇠", `swipe back from the edge of window ${this.name}`, "Events.Gesture", { gesture: "swipeBack" })];
  }

  dismiss() {
    return this.isThere && [this.act("dismiss", "✕", `close what window ${this.name} presents`, "Events.Gesture", { gesture: "dismiss" }), this.act("swipe down", "⇣", `swipe down in window ${this.name}`, "Events.Gesture", { gesture: "swipeDown" })];
  }

  flow(flow) {
    return this.isThere && this.acts.may("Events.FinishFlow") && [
      button("complete …", () => this.panel.ask("Events.FinishFlow", { flow, result: "completed", scene: this.name }), { "data-act": `complete ${flow}`, "aria-label": `complete the flow ${flow} of window ${this.name} …` }),
      this.act(`cancel ${flow}`, "cancel", `cancel the flow ${flow} of window ${this.name}`, "Events.FinishFlow", { flow, result: "cancelled" })];
  }

  /** Closes a menu in which something was chosen. The keyboard stays there, unless it is wanted elsewhere. */
  static close({ target, currentTarget: menu }) {
    const chosen = target.closest("button");
    if (!chosen) return;
    const isHere = [chosen, document.body].includes(document.activeElement);
    menu.open = false;
    if (isHere) menu.querySelector("summary").focus();
  }

  /** Its life, and what can be sent to it. */
  menu() {
    const ask = (text, method, parameters) => this.acts.may(method) && button(text, () => this.panel.ask(method, { ...parameters, scene: this.name }), { "data-act": text, "aria-label": `${text.slice(0, -2)} in window ${this.name} …` });
    const items = this.scene.isDiscarded ? [] : [
      ask("open a URL …", "Events.OpenURL", {}), ask("send an intent …", "Events.SendIntent", {}),
      ...(this.scene.isConnected
        ? [...(steps[this.scene.activation] ?? []).map((to) => this.act(`to ${to}`, `to ${activations[to]}`, `window ${this.name} to ${activations[to]}`, "Scenes.SetActivation", { activation: to })), this.act("disconnect", "disconnect", `disconnect window ${this.name}`, "Scenes.Disconnect", {})]
        : [this.act("connect", "connect again", `connect again: window ${this.name}`, "Scenes.Connect", {})]),
      this.act("discard", "discard", `discard window ${this.name}`, "Scenes.Discard", {}),
    ].filter(Boolean);
    return items.length > 0 && element("details.menu", { onclick: WindowActs.close }, element("summary", { "aria-label": `more for window ${this.name}`, "data-act": "menu summary" }, "⋯"), items);
  }
}
