import { element } from "scened/dom";
import { count, time } from "scened/format";
import { countUpTo } from "scened/history";
import { harmless, missing, outcomes, sentence, value } from "scened/words";

/**
 * The session as a panel: who is signed in, what holds, the facts; what the last commit changed is marked.
 * @param {string} of which run it is of, if there are two: ` of left.jsonl`
 */
export function sessionPanel(history, place, of = "") {
  const session = history.sessionAt(place);
  if (!session) return element("section.session", { "aria-label": `session${of}` }, element("h3", {}, "Session"), element("p.nothing", {}, "not known yet"));
  const before = history.sessionAt(session.since - 1);
  const isNew = session.since === place && before;
  const changed = (now, then) => isNew && JSON.stringify(now) !== JSON.stringify(then);
  const line = (name, text, look, isChanged) => element(isChanged ? "li.changed" : "li", { "data-look": look },
    element("span", {}, name), element("b", {}, text), isChanged && element("span.badge.new", {}, "changed"));
  return element("section.session", { "aria-label": `session${of}` },
    element("h3", {}, "Session ", element("small", {}, `revision ${count(session.revision ?? 0)}, epoch ${count(session.epoch ?? 0)}`)),
    session.isOld && element("p.problem", {}, "⌇ Records are missing since it was this."),
    element("div.parts", { tabindex: "0", role: "group", "data-act": "session", "aria-label": `what the session has${of}` },
      element("ul", {}, line("user", session.user ?? "nobody", session.user ? "good" : "faint", changed(session.user, before?.user))),
      part("Preconditions", Object.entries(session.holds).map(([name, holds]) => {
        const stale = session.stale.includes(name);
        return line(name, holds ? "✓ holds" : stale ? "◔ stale sign-in" : "✕ does not hold", holds ? "good" : "faint", changed(holds, before?.holds?.[name]));
      })),
      part("Facts", [
        ...Object.entries(session.facts).map(([name, fact]) => line(name, value(fact), "", changed(fact, before?.facts?.[name]))),
        ...(session.factsKnown ? [] : [element("li.nothing", {}, "other facts are not known: records are missing")])]),
    ));
}

/** Lines under a heading; nothing if there are none. */
const part = (name, lines) => lines.length > 0 && [element("h4", {}, name), element("ul", { "aria-label": name.toLowerCase() }, lines)];

/** How many steps of an event are drawn at each end of its way and on each side of the record that is chosen, and how many more when somebody asks. */
const ends = 20;
const around = 3;
const more = 200;

/** Those that somebody has asked for, by event: from which step to before which. */
const asked = new WeakMap();

/** Which of so many steps are drawn, as ranges in order with something between them. */
function drawnSteps(event, first, current) {
  const { length } = event.records;
  const wanted = [[first, first + ends], [current - around, current + around + 1], [length - ends, length], ...(asked.get(event) ?? [])]
    .map(([from, to]) => [Math.max(from, first), Math.min(to, length)]).filter(([from, to]) => from < to).sort(([one], [other]) => one - other);
  const ranges = [];
  for (const [from, to] of wanted) {
    const last = ranges.at(-1);
    // One alone between others takes no more room than a word about it.
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return ranges;
}

/** The steps of an event, each of which leads to its record; of very many those at the ends and those around the record that is chosen. */
function steps(history, event, place, choose, of) {
  const first = countUpTo(event.records, history.first - 1);
  const step = (number) => {
    const at = event.records[number];
    return element("li", { value: String(number - first + 1), "aria-current": at === place ? "step" : null },
      element("button", { type: "button", onclick: () => choose(at), "data-act": `record ${at}` }, element("span.unseen", {}, `record ${count(history.index(at))}${of}: `), element("span.time", {}, time(history.time(at))), " ", sentence(history.record(at))));
  };
  const rest = (from, to) => {
    const ask = () => {
      asked.set(event, [...(asked.get(event) ?? []), [from, Math.min(from + more, to)]]);
      choose(place);
    };
    return element("li.rest", {}, `⋮ ${count(to - from)} steps between: `,
      element("button", { type: "button", onclick: ask, "data-act": `more ${from}`, "aria-label": `show ${count(Math.min(more, to - from))} more of the steps from ${count(from - first + 1)} to ${count(to - first)}${of}` }, to - from > more ? `show ${count(more)} more` : "show them"));
  };
  const ranges = drawnSteps(event, first, countUpTo(event.records, place) - 1);
  const list = element("ol", {}, first > 0 && element("li.nothing", {}, "what was before is not kept"),
    ranges.flatMap(([from, to], number) => [number > 0 && rest(ranges[number - 1][1], from), ...Array.from({ length: to - from }, (_, at) => step(from + at))]));
  list.style.setProperty("--digits", String(String(event.records.length - first).length));
  return list;
}

/** The way of an event, from what came in to its end. */
function way(history, event, place, choose, of, only) {
  const outcome = outcomes[event.outcome];
  return element("section.way", { "aria-label": `the way of the event${of}` },
    element("h3", {}, `${history.eventName(event)} `,
      element("small", {}, event.id), " ",
      element("span.badge", { "data-look": outcome?.look ?? "wait" }, event.lost >= 0 ? "⌇ its end is missing" : event.ended < 0 ? (event.outcome === "gated" ? "‖ waits" : "… going on") : `${outcome?.sign ?? ""} ${event.outcome}`),
      only && element("button", { type: "button", "aria-pressed": String(only.isOnly(event)), onclick: () => only.toggle(event), "data-act": "only", title: "list the records of this event and no others" }, "only this event")),
    steps(history, event, place, choose, of),
  );
}

/**
 * Everything about one record; `of` as for a session.
 * @param only what can list the records of an event alone, where something can
 */
export function recordDetail(history, place, choose, of = "", only = null) {
  const record = history.record(place);
  const event = history.event(place);
  const gap = record.kind === "gap" ? 0 : history.missingBefore(place);
  const parts = [gap > 0 && element("p.problem", {}, `⌇ ${missing(gap)} right before this one.`), history.isRepeated(place) && element("p.problem", {}, `↻ A record with the number ${count(history.index(place))} was there before.`), element("h2", {}, sentence(record), " ", element("small", {}, `${record.kind}, record ${count(history.index(place))}`))];
  if (record.kind === "session.committed" && record.origin?.event !== undefined) {
    const lane = record.origin.scene === undefined ? history.appLane : history.scenes.get(record.origin.scene);
    const origin = lane?.order.findLast((one) => one.first < place && one.id === record.origin.event);
    parts.push(element("p", {}, "Done by ", origin
      ? element("button", { type: "button", onclick: () => choose(origin.first), "data-act": "origin" }, `${history.eventName(origin)} ${origin.kind}`) : String(record.origin.event)));
  }
  if (event) parts.push(way(history, event, place, choose, of, only));
  const whole = element("pre", { tabindex: "0", role: "group", "data-act": "JSON", "aria-label": `the record as JSON${of}` });
  // Written when somebody opens it.
  const write = () => { if (!whole.firstChild) whole.append(...JSON.stringify(record, null, 2).slice(0, 20_000).split("\n").flatMap((line) => [harmless(line), "\n"])); };
  if (!event) write();
  parts.push(element("details", { open: !event, ontoggle: write }, element("summary", { "data-act": "whole" }, "The record as it is", element("span.unseen", {}, of)), whole));
  return parts.filter(Boolean);
}
