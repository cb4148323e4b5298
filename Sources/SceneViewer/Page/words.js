/** Records in words: one line each, as a tester would say it. */

import { count, counted } from "scened/format";

/** The longest text that is shown whole; of a longer one its beginning. */
const longest = 300;
const short = (text) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

export function destination(place) {
  if (!place || typeof place.id !== "string") return "?";
  const parameters = Object.entries(place.parameters ?? {}).map(([name, value]) => `${name}: ${value}`);
  return parameters.length === 0 ? place.id : `${place.id}(${parameters.join(", ")})`;
}

export function value(fact) {
  return short(typeof fact === "string" ? fact : JSON.stringify(fact) ?? "");
}

const stack = (list) => (list ?? []).map(destination).join(" › ");

const ops = {
  dismissModals: (op) => (op.keeping === 0 ? "dismiss what is presented" : `dismiss presentations but ${op.keeping}`),
  selectTab: (op) => `select the tab ${op.tab}`,
  popTo: (op) => `pop ${op.tab} to ${op.depth} ${op.depth === 1 ? "screen" : "screens"}`,
  push: (op) => `push ${destination(op.destination)} in ${op.tab}`,
  setStack: (op) => `set ${op.tab} to ${stack(op.stack)}`,
  update: (op) => `change to ${destination(op.destination)} in ${op.tab}`,
  present: (op) => `present ${stack(op.modal?.stack)} as ${op.modal?.style}`,
  setModalStack: (op) => `set presentation ${op.modal + 1} to ${stack(op.stack)}`,
  updateModal: (op) => `change to ${destination(op.destination)} in presentation ${op.modal + 1}`,
  setRoot: (op) => `swap the root to the tabs ${(op.tabs ?? []).map((tab) => tab.id).join(", ")}`,
};

/** What a window is told to do. One that this page does not know, or that is none, is told by its name. */
export function op(op) {
  try {
    return short(Object.hasOwn(ops, op?.name ?? "") ? ops[op.name](op) : String(op?.name ?? "?"));
  } catch {
    return "?";
  }
}

const because = (reason) => (reason ? `: ${reason}` : "");
const toUser = (user) => (user === null || user === undefined ? "nobody is signed in" : `${user} is signed in`);

function changedFacts(facts) {
  return Object.entries(facts ?? {}).map(([name, fact]) => (fact === null ? `${name} is gone` : `${name} = ${value(fact)}`));
}

/** How many records are missing, as the beginning of a sentence. */
export const missing = (number) => (number === 1 ? "1 record is missing" : `${count(number)} records are missing`);

/** What is the case with some records, as a sentence without its end; of runs as `History.repeats` has them. */
export function repeated(runs, one, many) {
  const [{ from, to }] = runs;
  const which = from === to ? `record ${count(from)}` : `records ${count(from)} to ${count(to)}`;
  if (runs.length === 1) return `${which} ${from === to ? one : many}`;
  return `${count(runs.reduce((all, { first, last }) => all + last - first + 1, 0))} records ${many}, in ${count(runs.length)} places; first, ${which}`;
}

/** Activation states in words. */
export const activations = {
  foregroundActive: "in front", foregroundInactive: "inactive", background: "in the background", unattached: "not shown",
};

const waiting = ({ waiting }) => `${counted(waiting?.length ?? 0, "event")} wait${waiting?.length === 1 ? "s" : ""}`;

const sentences = {
  "host.started": (r) => `${r.app} begins, manifest ${r.manifestVersion}`,
  "host.restarted": (r) => `${r.app} goes on, ${toUser(r.user)}${r.again?.length > 0 ? `, ${counted(r.again.length, "event")} again` : ""}`,
  "host.quiet": () => "all is quiet",
  "host.stopped": () => "the host has stopped",
  "host.snapshot": (r) => `what is the case: ${toUser(r.user)}, ${counted(r.scenes?.length ?? 0, "window")}`,
  "app.snapshot": (r) => `the app itself: ${waiting(r)}`,
  "scene.snapshot": (r) => `the window is ${activations[r.activation] ?? r.activation}, ${waiting(r)}`,
  "scene.connected": (r) => `window ${r.restored ? "comes back" : "opens"} (${r.configuration})`,
  "scene.activation": (r) => `${activations[r.from] ?? r.from} → ${activations[r.to] ?? r.to}`,
  "scene.disconnected": () => "window is released",
  "scene.discarded": () => "scene is discarded",
  "event.admitted": (r) => `${r.eventKind}${r.name ? ` ${r.name}` : ""} comes in${r.destination ? `, for ${destination(r.destination)}` : ""}`,
  "dispatch.began": (r) => (r.item === "resume" ? `goes on, attempt ${r.attempt}` : "its turn comes"),
  "variant.chosen": (r) => `${destination(r.variant)} is chosen for ${r.user ?? "nobody"}`,
  "dispatch.resolved": (r) => {
    const what = r.destination ? destination(r.destination) : "it";
    if (r.verdict === "gated") return `${what} must wait for ${r.reason}`;
    if (r.verdict === "refused") return `${what} is refused${because(r.reason)}`;
    return `${what} may be shown`;
  },
  "dispatch.planned": (r) => ((r.ops ?? []).length === 0 ? "it is shown already" : `plan: ${r.ops.map(op).join(", then ")}`),
  "dispatch.ended": (r) => `${r.outcome}${because(r.reason ?? r.precondition)}`,
  "navigation.step": (r) => `${op(r.op)}${r.cause === "dispatch" ? "" : ` (${r.cause})`}`,
  "gate.parked": (r) => `waits for ${r.precondition}; the flow ${r.flow} is shown`,
  "gate.resumed": (r) => (r.flow ? `the flow ${r.flow} has ended: it goes on` : `${r.precondition} holds: it goes on`),
  "gate.superseded": (r) => `${r.by} takes its place`,
  "gate.abandoned": (r) => `is given up: ${r.reason}`,
  "intent.bubbled": (r) => `intent ${r.name}: ${r.handler ? `${r.handler} takes it` : "nobody takes it"}${because(r.error)}`,
  "window.requested": (r) => `the app asks to ${r.request} a window${r.destination ? ` for ${destination(r.destination)}` : ""}${because(r.error)}`,
  "window.locked": (r) => `window is locked (${r.reason})`,
  "window.unlocked": (r) => `window is unlocked (${r.reason})`,
  "session.committed": (r) => [`revision ${r.revision}: ${toUser(r.user)}`, ...changedFacts(r.facts)].join(", "),
  "hold.caught": (r) => `held at ${r.point} by ${r.hold}`,
  "hold.released": (r) => `goes on, let by ${r.hold}`,
  "scene.swept": (r) => `swept away: ${(r.removed ?? []).map((one) => `${destination(one.destination)} (${one.reason})`).join(", ")}`,
  "coordinator.attached": (r) => `coordinator ${r.flow} comes, under ${r.parent}`,
  "coordinator.detached": (r) => `coordinator ${r.flow} goes`,
  "manifest.loaded": (r) => `manifest ${r.manifestVersion} comes into force`,
  "adapter.skipped": (r) => `adapter ${r.adapter} is passed over: ${r.reason}`,
  violation: (r) => `rule ${r.rule} is broken by ${r.cause}: ${r.detail}`,
  gap: (r) => `${missing(r.count)} here`,
};

/** A record in words. A kind that this page does not know is told by its name. */
export function sentence(record) {
  try {
    return short(Object.hasOwn(sentences, record.kind) ? sentences[record.kind](record) : record.kind);
  } catch {
    return short(record.kind);
  }
}

/** The kinds that have words of their own. */
export const knownKinds = Object.keys(sentences);

/** What an outcome looks like: a sign that tells it without colour, and the class of its colour. */
export const outcomes = {
  applied: { sign: "✓", look: "good" },
  unchanged: { sign: "=", look: "good" },
  delivered: { sign: "↓", look: "good" },
  gated: { sign: "‖", look: "wait" },
  ignored: { sign: "–", look: "faint" },
  rejected: { sign: "✕", look: "bad" },
  superseded: { sign: "↷", look: "faint" },
  abandoned: { sign: "⌀", look: "faint" },
};

/** The marks that change the direction of writing, and control characters, made visible: a text from outside has no power over a line. */
export function harmless(text) { return visible(short(String(text))); }

/** The same of a text that is shown whole. */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (mark) => `\\u{${mark.codePointAt(0).toString(16).toUpperCase()}}`);
}
